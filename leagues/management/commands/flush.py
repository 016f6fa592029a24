"""Django's own way to empty a database, past the guards: SQLite empties tables row by row."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import flush
from django.db import connections

from leagues.store import guards


class Command(flush.Command):
    def handle(self, **options: Any) -> None:
        connection = connections[options["database"]]
        guards.remove(connection)
        try:
            super().handle(**options)
        finally:
            guards.install(connection)
