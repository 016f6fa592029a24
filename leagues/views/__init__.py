"""Pages: thin functions between addresses, selectors and services."""
