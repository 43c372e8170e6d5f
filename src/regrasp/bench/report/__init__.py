"""The report of a run: what was measured, as Markdown, as one page of HTML, and as figures."""
