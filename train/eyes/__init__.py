"""How the embedded eyes are made; `python -m train.eyes` does it all."""
