"""A storm: the whole installation under load while its processes and servers are killed.

The client keeps a ledger of what was acknowledged and compares it with what is stored at the end.
Run it with `python3 dev.py storm`; it is no part of an installation.
"""
