"""What templates can do besides Django's own tags."""
