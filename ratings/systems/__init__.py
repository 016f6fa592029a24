"""One module per rating system."""
