"""Read a backup into an empty installation."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from leagues.jobs.runner import POSTPONE_FOR, drain
from leagues.management.installed import InstalledCommand
from leagues.models import Season
from leagues.services.backup_files import BackupProblem
from leagues.services.backups import Restored, restore_backup
from leagues.services.integrity import site_digest
from leagues.services.sealing import Sealing, sealing_of


class Command(InstalledCommand):
    help = (
        "Restore a backup into an empty installation, compute its ratings and compare their "
        "digest with the one in the backup. The exit code is 1 if they differ."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(options["file"])
        if path.exists() and not path.is_file():
            # A pipe can be read once; the file is read twice.
            raise CommandError(
                f"The backup cannot be read: {path} is not a regular file. Save the backup to "
                "a file first."
            )
        try:
            with path.open("rb") as source:
                restored = restore_backup(source)
        except OSError as error:
            raise CommandError(f"The backup cannot be read: {error.strerror or error}") from error
        except MemoryError as error:
            raise CommandError("There is not enough memory to restore this backup.") from error
        except BackupProblem as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(_report(restored))
        try:
            self._compute(restored)
        except CommandError:
            raise
        except Exception as error:
            # The rows are stored: what fails from here on is no reason to leave the user a trace.
            raise CommandError(
                f"The data was restored, but the ratings could not be compared: {error!r}. "
                "Start Rungs to finish rating, then run verify."
            ) from error

    def _compute(self, restored: Restored) -> None:
        """Compute what was left out, and compare it with the digest in the backup."""
        _run_all()
        digest = site_digest()
        if restored.digest is not None:
            self.stdout.write(f"digest in the backup {restored.digest}")
        self.stdout.write(f"digest now           {digest}")
        for season in Season.objects.filter(state=Season.State.CLOSING).order_by("pk"):
            sealing = sealing_of(season)
            if sealing is not None and sealing.problem:
                self.stdout.write(f"{season} could not be sealed again: {sealing.problem}")
        if restored.digest is not None and digest != restored.digest:
            words = "The ratings differ from those at the time of the backup."
            if not restored.is_proved:
                words += (
                    " This release fixes ladders rated by compiled kernels and boards on which "
                    "Bradley-Terry had stopped, so their ratings differ. Ratings can also "
                    "differ because this backup format truncated times to milliseconds."
                )
            if restored.other_math:
                words += (
                    " The ratings of these boards were computed by an earlier release or with "
                    "another mathematical library, so their last digits can differ: "
                    f"{'; '.join(restored.other_math)}."
                )
            raise CommandError(words)


def _run_all() -> None:
    """Run all jobs, also sealings, which are put off for a second while a board is behind."""
    drain()
    while any(one.is_under_way for one in _sealings()):
        time.sleep(POSTPONE_FOR.total_seconds())
        drain()


def _sealings() -> Iterator[Sealing]:
    closing = Season.objects.filter(state=Season.State.CLOSING).order_by("pk")
    return filter(None, map(sealing_of, closing))


def _report(restored: Restored) -> str:
    """What was restored, and how far the file could be trusted."""
    rows = f"{restored.rows:,} rows restored"
    if restored.is_proved:
        return f"{rows}. The file is unchanged since it was written."
    words = [
        f"{rows} from a backup of format {restored.format}. That format proves less than today's:",
        "it cannot show whether names, accounts and the log were altered,",
        "it truncates times to milliseconds, and if a program repeats a request,",
        "its results will count twice.",
    ]
    if restored.digest is None:
        words.append("The digest of its ratings cannot be compared.")
    return " ".join(words)
