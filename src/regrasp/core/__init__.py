"""The values and seams that everything else speaks in."""
