"""Pages on which a league is made and set up."""
