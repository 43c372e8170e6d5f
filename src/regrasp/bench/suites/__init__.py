"""The suites: the tables of the papers, and ours, as data; each module has a `SUITE`."""
