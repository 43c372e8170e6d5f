"""The rules of the scripted model, one concept per file: words, goals, claims, belief, answers."""
