"""Reading for pages: frozen rows with prepared strings, and never a query from a template."""
