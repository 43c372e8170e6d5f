"""What must stay so while a skill runs, the eyes that look at it, and the moment to stop."""
