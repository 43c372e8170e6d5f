"""Planning domains: typed actions with preconditions and effects, and sentences for them."""
