"""Write a whole league into a file."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from leagues.jobs.runner import drain
from leagues.management.installed import InstalledCommand
from leagues.models import League
from leagues.selectors.league_file import league_zip
from leagues.services.league_files import NOT_INCLUDED
from leagues.store.snapshot import snapshot


class Command(InstalledCommand):
    help = (
        "Export a league with its settings, seasons, boards, players and results to FILE (zip), "
        "which import_league reads. It has private names and years of birth."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the address of the league")
        parser.add_argument("file", metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        target = Path(options["file"])
        league = League.objects.filter(slug=options["slug"]).first()
        if league is None:
            raise CommandError(f"There is no league “{options['slug']}”.")
        drain()
        try:
            # Written beside the target and renamed: what is interrupted leaves no half file.
            with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file, snapshot():
                file.writelines(league_zip(League.objects.get(pk=league.pk)))
                file.flush()
                os.fsync(file.fileno())
            Path(file.name).replace(target)
        except OSError as error:
            raise CommandError(f"The league cannot be written: {error.strerror}") from error
        self.stdout.write(f"{target}: {target.stat().st_size} bytes")
        self.stdout.write(f"Not included: {'; '.join(NOT_INCLUDED)}.")
