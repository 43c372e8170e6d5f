"""The rules of the scripted model, one concept a file: words, goals, claims, belief, answers."""
