"""How the embedded eyes are made; `python -m train.vision` does it all."""
