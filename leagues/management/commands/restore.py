"""Read a backup into an empty installation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from leagues.jobs.runner import drain
from leagues.management.installed import InstalledCommand
from leagues.services.backups import BackupProblem, restore_backup
from leagues.services.integrity import site_digest


class Command(InstalledCommand):
    help = (
        "Read a backup into an empty installation, compute its ratings and compare the digest "
        "with the one in the backup. Exit code 1 if they differ."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with Path(options["file"]).open("rb") as source:
                expected = restore_backup(source)
        except OSError as error:
            raise CommandError(f"The backup cannot be read: {error.strerror}") from error
        except BackupProblem as problem:
            raise CommandError(str(problem)) from problem
        drain()
        found = site_digest()
        if expected is None:
            self.stdout.write("The backup is of an older version; its digest is not comparable.")
        else:
            self.stdout.write(f"digest in the backup {expected}")
        self.stdout.write(f"digest now           {found}")
        if expected is not None and found != expected:
            raise CommandError("The ratings differ from those at the time of the backup.")
