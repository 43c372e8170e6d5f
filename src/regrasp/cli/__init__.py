"""The command line. Each command has its own file and imports what it needs only when it runs."""
