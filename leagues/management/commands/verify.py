"""Compare what is stored with a fresh replay."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import CommandError, CommandParser

from leagues.jobs.runner import drain
from leagues.management.installed import InstalledCommand
from leagues.models import Board, League
from leagues.services.integrity import BoardReport, board_digest, check_board

MOST_SHOWN = 20


class Command(InstalledCommand):
    help = (
        "Replay every board from its facts and report every stored value that differs. "
        "Exit code 1 if there is any. Waiting ratings are brought up to date first."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--league", metavar="SLUG", help="only this league")
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        boards = Board.objects.select_related("league", "season").order_by("league__slug", "pk")
        if options["league"]:
            if not League.objects.filter(slug=options["league"]).exists():
                raise CommandError(f"There is no league “{options['league']}”.")
            boards = boards.filter(league__slug=options["league"])
        drain()
        reports = [check_board(board) for board in boards]
        differences = sum(len(report.differences) for report in reports)
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    {"differences": differences, "boards": [_as_dict(report) for report in reports]}
                )
            )
        else:
            for report in reports:
                self._print(report)
            checked = sum(not report.is_behind for report in reports)
            self.stdout.write(f"{differences} differences on {checked} boards")
            if checked < len(reports):
                self.stdout.write(f"{len(reports) - checked} boards could not be checked")
        if differences or any(report.is_behind for report in reports):
            raise SystemExit(1)

    def _print(self, report: BoardReport) -> None:
        board = report.board
        words = f"{len(report.differences)} differences in {report.matches} matches"
        if report.is_behind:
            words = f"behind: {board.problem or 'results wait to be rated'}"
        if report.other_math:
            words += ", computed under another math library"
        self.stdout.write(f"{board.league.slug} / {board.season.slug} / {board.name}: {words}")
        for difference in report.differences[:MOST_SHOWN]:
            self.stdout.write(
                f"  {difference.player} {difference.what}: "
                f"stored {difference.stored}, replayed {difference.replayed}"
            )


def _as_dict(report: BoardReport) -> dict[str, Any]:
    return {
        "league": report.board.league.slug,
        "season": report.board.season.slug,
        "board": report.board.slug,
        "system": report.board.system,
        "frontier": report.frontier,
        "behind": report.is_behind,
        "other_math": report.other_math,
        "matches": report.matches,
        "digest": board_digest(report.board),
        "differences": [
            {
                "player": difference.player,
                "what": difference.what,
                "stored": difference.stored,
                "replayed": difference.replayed,
            }
            for difference in report.differences
        ],
    }
