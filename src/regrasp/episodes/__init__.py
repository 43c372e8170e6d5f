"""One method in one world, or on a user's robot: runner, recorder, film and oracles."""
