"""Django's SQLite backend, with a queue in which all who write wait for their turn."""
