"""Views of a recorded run: the page, videos, contact sheets, Rerun recordings."""
