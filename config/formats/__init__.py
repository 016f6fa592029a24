"""How Django writes dates by itself, in the admin: as the pages do."""
