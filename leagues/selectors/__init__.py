"""Reading: numbers and rows, for pages and the API alike; never a query from a template."""
