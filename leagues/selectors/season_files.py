"""What a season can be taken home as: its standings and its results, as CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from leagues.models import Board, Participant, Player, Season
from leagues.selectors.spreadsheets import csv_lines
from leagues.selectors.standings import Standings, present

STANDINGS = ("rank", "player", "key", "rating", "low", "high", "results", "won", "drawn", "lost")
RESULTS = (
    *("match", "played_at", "mode", "kind", "status", "side", "rank", "score", "player", "key"),
    "details",
)
CHUNK = 2000


def standings_csv(board: Board, now: datetime) -> Iterator[str]:
    """The lines of a board's standings, best first; without a rank who is not ranked."""
    rows = (
        ["" if value is None else value for value in row.values()] for row in _standings(board, now)
    )
    return csv_lines(STANDINGS, rows)


def standings_json(board: Board, now: datetime) -> Iterator[str]:
    """A board's standings as one object, with the seal by which they can be proved."""
    season = board.season
    head = {
        "league": season.league.slug,
        "season": season.slug,
        "state": season.state,
        "board": board.slug,
        "system": board.system,
        "parameters": board.shown_parameters,
        "sealed_at": season.sealed_at.isoformat() if season.sealed_at else None,
        "digest": board.seal or None,
        "season_digest": season.sealed_digest or None,
    }
    return _object(head, _standings(board, now))


def results_csv(season: Season) -> Iterator[str]:
    """Yield the lines of a season's results, oldest first: a line for each player of each."""
    rows = (["" if value is None else value for value in row.values()] for row in _results(season))
    return csv_lines(RESULTS, rows)


def results_json(season: Season) -> Iterator[str]:
    """Yield a season's results as one object."""
    head = {"league": season.league.slug, "season": season.slug, "state": season.state}
    return _object(head, _results(season))


def _object(head: dict[str, Any], rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    yield f'{json.dumps(head, ensure_ascii=False)[:-1]}, "results": ['
    for number, row in enumerate(rows):
        yield f"{',' if number else ''}\n{json.dumps(row, ensure_ascii=False)}"
    yield "\n]}\n"


def _standings(board: Board, now: datetime) -> Iterator[dict[str, Any]]:
    """Read standings and names at once: while they are sent, others may take their place."""
    standings = present(board, now)
    people = Player.objects.filter(standings__board=board, standings__generation=board.generation)
    named = {pk: (name, key) for pk, name, key in people.values_list("pk", "name", "key")}
    return _standing_rows(standings, named)


def _standing_rows(
    standings: Standings, named: Mapping[int, tuple[str, str]]
) -> Iterator[dict[str, Any]]:
    table = standings.table
    values = standings.values(range(len(table)))
    for row, (player_id, value) in enumerate(zip(table.player_id.tolist(), values, strict=True)):
        name, key = named[player_id]
        yield {
            "rank": int(standings.rank[row]) or None,
            "player": name,
            "key": key,
            "rating": round(value.value, value.decimals),
            "low": None if value.low is None else round(value.low, value.decimals),
            "high": None if value.high is None else round(value.high, value.decimals),
            "results": int(table.games[row]),
            "won": int(table.won[row]),
            "drawn": int(table.drawn[row]),
            "lost": int(table.lost[row]),
        }


def _results(season: Season) -> Iterator[dict[str, Any]]:
    rows = (
        Participant.objects.filter(match__season=season, match__status__in=["live", "void"])
        .order_by("match__played_at", "match__same_time_order", "match__seq", "side", "player__key")
        .values_list(
            "match__seq",
            "match__played_at",
            "match__date_only",
            "match__mode__name",
            "match__kind",
            "match__status",
            "side",
            "rank",
            "score",
            "player__name",
            "player__key",
            "match__detail",
        )
    )
    zone = season.league.zone
    for seq, at, date_only, mode, kind, status, side, *rest, detail in rows.iterator(CHUNK):
        local = at.astimezone(zone)
        when = local.date().isoformat() if date_only else local.isoformat()
        values = (seq, when, mode, kind, status, side + 1, *rest, detail)
        yield dict(zip(RESULTS, values, strict=True))
