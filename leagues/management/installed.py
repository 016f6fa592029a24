"""Commands that need the tables of this release, and say so where they are not there."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, ProgrammingError, connection
from django.db.migrations.executor import MigrationExecutor

from leagues.store.encoding import check_encoding


class InstalledCommand(BaseCommand):
    """A command of an installation."""

    # Django's checks load every page, the admin and the API, a third of a command's start. They are
    # about the program, not about an installation: `dev.py test` runs them.
    requires_system_checks: list[str] = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; a database that is behind the program is told in words."""
        try:
            check_encoding(connection)
            return super().execute(*args, **options)
        except (OperationalError, ProgrammingError) as error:
            if not _is_behind():
                raise
            raise CommandError(
                "The database has not been upgraded to this release yet. First run: manage.py "
                "migrate"
            ) from error


def _is_behind() -> bool:
    try:
        executor = MigrationExecutor(connection)
        return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except OperationalError:
        return False
