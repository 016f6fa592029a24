"""Write a backup."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from leagues.jobs.runner import drain
from leagues.management.installed import InstalledCommand
from leagues.services.backups import write_backup


class Command(InstalledCommand):
    help = "Back up all results, players and settings to FILE and print the digest of the ratings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        target = Path(options["file"])
        drain()
        try:
            # Written beside the target and renamed: an interrupted backup leaves no half file.
            with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
                digest = write_backup(file)
                file.flush()
                os.fsync(file.fileno())
            Path(file.name).replace(target)
        except OSError as error:
            raise CommandError(f"The backup cannot be written: {error.strerror}") from error
        self.stdout.write(f"{target}: {target.stat().st_size} bytes")
        self.stdout.write(f"digest {digest}")
