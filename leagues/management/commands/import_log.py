"""Import the logs of game servers into a league."""

from __future__ import annotations

import argparse
import json
import time
from datetime import date
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import ngettext

from leagues.jobs.runner import drain
from leagues.management.installed import InstalledCommand
from leagues.models import Board, League, Season
from leagues.services.errors import Refused
from leagues.services.leagues import current_season
from leagues.services.log_imports import GameOptions, LogReport, check_logs, import_logs, lines_of
from leagues.services.log_reading import FORMATS, LogOptions, LogProblem, read_logs
from leagues.store.match_columns import is_behind

WAIT_SECONDS = 0.2


class Command(InstalledCommand):
    help = (
        "Import the games of game servers' logs, with every frag, as one revision. Games that are "
        "there already, warm-ups and games without an end are left out. The command returns when "
        "the boards have been rated."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", metavar="FILE", nargs="+", type=Path, help="a log to import")
        parser.add_argument("--league", metavar="SLUG", required=True)
        parser.add_argument(
            "--mode",
            metavar="NAME",
            default="",
            help="the mode of all games (default: what the log says is played); added if the "
            "league does not have it",
        )
        parser.add_argument(
            "--format", choices=FORMATS, default="", help="default: recognised by content"
        )
        parser.add_argument(
            "--date",
            metavar="YYYY-MM-DD",
            type=_day,
            help="the day of games of which the log has no date",
        )
        parser.add_argument("--bots", action="store_true", help="let bots count as players")
        parser.add_argument(
            "--broken-off",
            action=argparse.BooleanOptionalAction,
            help="import games that broke off too, or not (default: the rule of the league)",
        )
        parser.add_argument(
            "--not-rated",
            action="store_true",
            help="keep the games as sessions alone: no board rates them",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="only report what would be imported"
        )
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        season = _season(options["league"])
        broken_off = options["broken_off"]
        how = LogOptions(
            log_format=options["format"],
            with_bots=options["bots"],
            with_broken_off=season.league.counts_broken_off if broken_off is None else broken_off,
        )
        into = GameOptions(
            mode=" ".join(options["mode"].split()),
            day=options["date"],
            is_unrated=options["not_rated"],
        )
        write = check_logs if options["dry_run"] else import_logs
        try:
            report = write(season=season, contents=read_logs(options["files"], how), options=into)
        except LogProblem as problem:
            raise CommandError(str(problem)) from problem
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        if report.revision is not None:
            _wait_for_ratings(season.league)
        self._print(report, options)

    def _print(self, report: LogReport, options: dict[str, Any]) -> None:
        found = report.as_dict()
        if options["json"]:
            self.stdout.write(json.dumps(found, ensure_ascii=False))
            return
        names = ", ".join(f"{file['name']} ({file['format']})" for file in found["files"])
        events = sum(found["events"].values())
        counts = _games(found["games"]), _players(found["players"]), _events(events)
        self.stdout.write(f"{names}: {', '.join(counts)}")
        for line in lines_of(report):
            self.stdout.write(line)
        modes = ", ".join(f"{mode}: {count}" for mode, count in report.modes.items())
        words = f"{_games(report.imported)} imported" + (f" ({modes})" if modes else "")
        new = ngettext("%(n)d new player", "%(n)d new players", report.players_created)
        words += f", {report.already_there} already there, {new % {'n': report.players_created}}"
        self.stdout.write(("Dry run: " if options["dry_run"] else "Done: ") + words + ".")


def _season(slug: str) -> Season:
    league = League.objects.filter(slug=slug).first()
    if league is None:
        raise CommandError(
            f"There is no league “{slug}”. The slug is the word in a league's address, after /l/; "
            "a new league is created in the browser."
        )
    season = current_season(league, timezone.now())
    if season is None:
        raise CommandError(f"The league “{slug}” has no season.")
    season.league = league
    return season


def _wait_for_ratings(league: League) -> None:
    """Run the queue, or wait for whoever runs it, until the boards are done."""
    ready = Board.objects.select_related("mode").filter(league=league, state=Board.State.READY)
    drain()
    while any(is_behind(board) for board in ready.all()):
        time.sleep(WAIT_SECONDS)
        drain()


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError("must be a date such as 2026-11-25") from None


def _games(count: int) -> str:
    return ngettext("%(n)d game", "%(n)d games", count) % {"n": count}


def _players(count: int) -> str:
    return ngettext("%(n)d player", "%(n)d players", count) % {"n": count}


def _events(count: int) -> str:
    return ngettext("%(n)d event", "%(n)d events", count) % {"n": count}
