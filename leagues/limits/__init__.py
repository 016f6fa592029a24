"""How often somebody may ask, and how many at once."""
