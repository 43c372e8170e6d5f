"""Language and vision models behind two protocols; their answers are data to be checked."""
