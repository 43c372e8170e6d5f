"""Methods: one file each over the same parts. `registry` has them by name."""
