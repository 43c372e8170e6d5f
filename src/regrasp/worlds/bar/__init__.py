"""The bar: a robot with two hands mixes drinks from bottles, bowls and what is in the fridge."""
