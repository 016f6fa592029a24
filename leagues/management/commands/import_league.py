"""Make a new league from the file of one."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from leagues.jobs.runner import drain
from leagues.management.installed import InstalledCommand
from leagues.models import Board, Job, League
from leagues.services.league_files import NOT_INCLUDED, LeagueFileProblem, read_league_file
from leagues.services.league_import import BoardOutcome, ImportStopped, LeagueImport
from leagues.store.match_columns import is_behind

WAIT_SECONDS = 0.2
UNDER_WAY = (Job.State.QUEUED, Job.State.RUNNING)
KINDS = ("import", "rate_board", "seal_season")


class Command(InstalledCommand):
    help = (
        "Create a new league from a file that export_league or the settings of a league gave, and "
        "compare the ratings of every board with those in the file. The exit code is 1 if any "
        "differ. Nothing is written from a file that cannot be imported."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--slug", default="", help="another address for the league")
        parser.add_argument("--json", action="store_true", help="print the outcome as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with Path(options["file"]).open("rb") as source:
                file = read_league_file(source)
            coming = LeagueImport(file, slug=options["slug"], settle=_settle)
            _refuse_taken(coming.settings["slug"])
            coming.check()
            league = coming.write()
        except OSError as error:
            raise CommandError(f"The file cannot be read: {error.strerror or error}") from error
        except MemoryError as error:
            raise CommandError("There is not enough memory to read this league.") from error
        except LeagueFileProblem as problem:
            raise CommandError(f"{problem} Nothing was imported.") from problem
        except ImportStopped as stopped:
            raise CommandError(
                f"The import stopped: {stopped} The league “{coming.settings['slug']}” is "
                "incomplete and private. Give it another address in its settings, or use --slug, "
                "before you import the file again."
            ) from stopped
        self._print(league, coming, as_json=options["json"])
        if any(outcome.differs for outcome in coming.outcomes):
            raise SystemExit(1)

    def _print(self, league: League, coming: LeagueImport, *, as_json: bool) -> None:
        if as_json:
            boards = [
                {
                    "season": outcome.season,
                    "board": outcome.board,
                    "same": None if not outcome.expected else not outcome.differs,
                    "digest": outcome.digest,
                    "digest_in_file": outcome.expected,
                }
                for outcome in coming.outcomes
            ]
            summary = {"league": league.slug, "boards": boards, "notes": coming.notes}
            self.stdout.write(json.dumps(summary, ensure_ascii=False))
            return
        for note in coming.notes:
            self.stdout.write(note)
        for outcome in coming.outcomes:
            self.stdout.write(f"{outcome.season}/{outcome.board}: {_words(outcome)}")
        self.stdout.write(f"Not included: {'; '.join(NOT_INCLUDED)}.")
        self.stdout.write(f"Done: {league.slug}. It has no members yet.")


def _refuse_taken(slug: str) -> None:
    if League.objects.filter(slug=slug).exists():
        raise LeagueFileProblem(
            f"Another league has the address “{slug}”. Choose another one with --slug."
        )


def _words(outcome: BoardOutcome) -> str:
    if not outcome.expected:
        return "not compared, as it was not up to date when the file was written"
    if not outcome.differs:
        return "same"
    words = f"differs: {outcome.digest}, in the file {outcome.expected}"
    if outcome.other_math:
        words += (
            " (computed by another release or with another mathematical library, so last digits "
            "can differ)"
        )
    return words


def _settle(league: League) -> None:
    """Run the queue, or wait for whoever runs it, until the league is imported and rated."""
    while True:
        drain()
        jobs = Job.objects.filter(league_id=league.pk, kind__in=KINDS, state__in=UNDER_WAY)
        ready = Board.objects.filter(league=league, state=Board.State.READY)
        if not jobs.exists() and not any(is_behind(board) for board in ready):
            return
        time.sleep(WAIT_SECONDS)
