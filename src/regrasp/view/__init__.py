"""Views of what happened: the page of a run, films, contact sheets, Rerun recordings."""
