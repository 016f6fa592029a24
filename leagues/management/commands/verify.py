"""Compare what is stored with a fresh replay, and with the hashes of what was said."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.db.models import QuerySet

from leagues.jobs.runner import drain
from leagues.management.installed import InstalledCommand
from leagues.models import Board, League, Season
from leagues.services.history import (
    Finding,
    LeagueReport,
    check_league,
    check_site,
    note_league,
)
from leagues.services.integrity import BoardReport, board_digest, check_board, note_report
from leagues.store.outages import is_outage

MAX_LINES = 20


class Command(InstalledCommand):
    help = (
        "Bring all ratings up to date, replay every board from its facts, compare facts, "
        "settings, logs and seals with their hashes, and report every stored value that "
        "differs. The exit code is 1 if any value differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--league", metavar="SLUG", help="check only this league")
        parser.add_argument(
            "--seal",
            metavar="LEAGUE/SEASON=SHA256",
            action="append",
            default=[],
            help="a seal that you noted elsewhere; a season whose seal differs from it is reported",
        )
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        leagues = League.objects.order_by("slug")
        if options["league"]:
            leagues = leagues.filter(slug=options["league"])
            if not leagues.exists():
                raise CommandError(f"There is no league “{options['league']}”.")
        seals = [_read_seal(words) for words in options["seal"]]
        drain()
        reports = []
        for board in _named_boards(leagues):
            report = check_board(board)
            if not report.is_behind:
                note_report(report)
            reports.append(report)
        records = [check_league(league_id) for league_id in leagues.values_list("pk", flat=True)]
        for record in records:
            note_league(record)
        if not options["league"]:
            records.append(check_site())
        broken = [finding for season, seal in seals if (finding := _seal_finding(season, seal))]
        differences = sum(len(report.differences) for report in reports)
        differences += sum(record.differences for record in records) + len(broken)
        if options["json"]:
            self.stdout.write(
                json.dumps(
                    {
                        "differences": differences,
                        "boards": [_as_dict(report) for report in reports],
                        "records": [_record_as_dict(record) for record in records],
                        "seals": [asdict(finding) for finding in broken],
                    }
                )
            )
        else:
            self._print_all(reports, records, broken, differences)
        if differences or any(report.is_behind for report in reports):
            raise SystemExit(1)

    def _print_all(
        self,
        reports: list[BoardReport],
        records: list[LeagueReport],
        broken: list[Finding],
        differences: int,
    ) -> None:
        for report in reports:
            self._print(report)
        for record in records:
            name = record.league.slug if record.league else "site"
            for season, findings in record.seasons.items():
                self._print_findings(f"{name} / {season.slug} / facts and seal", findings)
            self._print_findings(f"{name} / settings and log", record.settings)
        for finding in broken:
            self.stdout.write(f"seal of {finding.row}: {finding.stored}, not {finding.recorded}")
        checked = sum(not report.is_behind for report in reports)
        self.stdout.write(f"{differences} differences on {checked} boards")
        if checked < len(reports):
            self.stdout.write(f"{len(reports) - checked} boards could not be checked")

    def _print(self, report: BoardReport) -> None:
        board = report.board
        words = f"{len(report.differences)} differences in {report.matches} matches"
        if report.is_behind:
            words = f"behind: {board.problem or 'some results are not rated yet'}"
        if report.other_math:
            words += ", computed under another math library"
        self.stdout.write(f"{board.league.slug} / {board.season.slug} / {board.name}: {words}")
        for difference in report.differences[:MAX_LINES]:
            self.stdout.write(
                f"  {difference.player} {difference.what}: "
                f"stored {difference.stored}, replayed {difference.replayed}"
            )

    def _print_findings(self, name: str, findings: Iterable[Finding]) -> None:
        findings = tuple(findings)
        self.stdout.write(f"{name}: {len(findings)} differences")
        for finding in findings[:MAX_LINES]:
            values = f": stored {finding.stored}, recorded {finding.recorded}"
            has_values = finding.stored or finding.recorded
            row = f"{finding.table} {finding.row}".rstrip()
            self.stdout.write(f"  {row} {finding.what}{values if has_values else ''}")


def _named_boards(leagues: QuerySet[League]) -> list[Board]:
    """Boards with their names alone: other columns may hold what cannot be read."""
    columns = ("pk", "name", "slug", "system", "league__slug", "season__slug")
    rows = Board.objects.filter(league__in=leagues.values("pk")).order_by("league__slug", "pk")
    return [
        Board(
            pk=pk,
            name=name,
            slug=slug,
            system=system,
            league=League(slug=league),
            season=Season(slug=season),
        )
        for pk, name, slug, system, league, season in rows.values_list(*columns)
    ]


def _read_seal(words: str) -> tuple[Season, str]:
    name, _, seal = words.partition("=")
    league, _, slug = name.partition("/")
    seasons = Season.objects.only("slug", "sealed_digest")
    season = seasons.filter(league__slug=league, slug=slug).first()
    if season is None or not seal:
        raise CommandError(
            f"“{words}” is not valid. Name an existing season and its seal: LEAGUE/SEASON=SHA256."
        )
    return season, seal.strip().lower()


def _seal_finding(season: Season, seal: str) -> Finding | None:
    """Compare with the first digits too: pages show no more of a seal."""
    season.refresh_from_db(fields=["sealed_digest"])
    if len(seal) >= 12 and season.sealed_digest.startswith(seal):
        return None
    return Finding("leagues_season", season.slug, "seal", season.sealed_digest or "none", seal)


def _as_dict(report: BoardReport) -> dict[str, Any]:
    return {
        "league": report.board.league.slug,
        "season": report.board.season.slug,
        "board": report.board.slug,
        "system": report.board.system,
        "rated_through_revision": report.rated_through_revision,
        "behind": report.is_behind,
        "other_math": report.other_math,
        "matches": report.matches,
        "digest": _digest_of(report.board),
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


def _digest_of(board: Board) -> str | None:
    """The digest of a board; None where what is stored cannot be read, which the check names."""
    try:
        return board_digest(board)
    except Exception as error:
        if is_outage(error):
            raise
        return None


def _record_as_dict(record: LeagueReport) -> dict[str, Any]:
    return {
        "league": record.league.slug if record.league else None,
        "differences": [asdict(finding) for finding in record.settings],
        "seasons": {
            season.slug: [asdict(finding) for finding in findings]
            for season, findings in record.seasons.items()
        },
    }
