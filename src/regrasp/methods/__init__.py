"""Methods: one file each over the same parts. `registry` lists them by name."""
