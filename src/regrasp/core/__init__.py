"""Values, events and protocols that every other package uses."""
