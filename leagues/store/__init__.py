"""How rows are stored and packed: columns, segments, hashes, search, and the database's guards."""
