"""What a planner knows: typed actions with preconditions and effects, and the words for them."""
