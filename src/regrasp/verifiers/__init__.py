"""Second looks at what a model said, before anything is done about it."""
