"""The version, alone, so that the build and `regrasp --version` read it without importing anything."""

__version__ = "0.1.0"
