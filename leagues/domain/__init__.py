"""Rules of the domain that write nothing: moments and arrays in, answers out."""
