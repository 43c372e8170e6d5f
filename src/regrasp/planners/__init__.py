"""From a goal to steps, and from a step to the rewards that a controller follows."""
