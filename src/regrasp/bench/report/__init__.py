"""The report of a run: Markdown, one page of HTML, and figures."""
