"""The pizza kitchen: a robot with two hands tops a dough and bakes it."""
