"""Images of worlds with questions and true answers, to train and evaluate vision models."""
