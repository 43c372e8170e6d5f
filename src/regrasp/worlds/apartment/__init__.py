"""An apartment of 60 m²: three rooms, and a mobile manipulator that has to find things."""
