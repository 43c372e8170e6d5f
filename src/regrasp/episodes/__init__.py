"""One method in one world, or on a robot of your own: runner, recorder, film and oracles."""
