"""Measurements of speed: `python3 dev.py bench [subject] [--json FILE]`."""
