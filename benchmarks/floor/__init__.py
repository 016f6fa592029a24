"""The server as it is shipped, and on it a view that does nothing but the query of a board."""
