"""An apartment of 60 m²: three rooms, and a two-armed mobile manipulator that has to find things."""
