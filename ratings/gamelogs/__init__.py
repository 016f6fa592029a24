"""Read the logs of game servers: sessions with players, events and results.

Knows no Django, no database and no clock. A bad line is one counted line, never the end of a log.
"""
