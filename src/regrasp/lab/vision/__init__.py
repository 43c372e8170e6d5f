"""Pictures of worlds with questions and true answers: what eyes are trained on and scored by."""
