"""From a goal to the steps of a plan, and from a step to the rewards of a controller."""
