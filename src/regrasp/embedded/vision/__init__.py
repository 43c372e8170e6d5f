"""The embedded vision model: a small network that answers questions about pictures on a CPU."""
