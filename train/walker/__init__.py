"""How the walking policy is made; `python -m train.walker` does it all."""
