"""Eyes of our own: a small network that answers questions about pictures, on a CPU, offline."""
