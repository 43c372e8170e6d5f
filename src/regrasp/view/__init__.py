"""Views of what happened: video and pictures."""
