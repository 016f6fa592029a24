"""The standings of a season as files: CSV and JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from leagues.models import Board, Player, PlayerGroup
from leagues.selectors.json_files import json_lines
from leagues.selectors.player_groups import groups_by_player
from leagues.selectors.spreadsheets import csv_lines
from leagues.selectors.standings import Standings, present

STANDINGS = ("rank", "player", "key", "rating", "low", "high", "results", "won", "drawn", "lost")


def standings_csv(board: Board, now: datetime) -> Iterator[str]:
    """The lines of a board's standings, best first; without a rank who is not ranked."""
    return csv_lines((*STANDINGS, *_kinds(board)), (row.values() for row in _standings(board, now)))


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
    return json_lines(head, _standings(board, now))


def _standings(board: Board, now: datetime) -> Iterator[dict[str, Any]]:
    """Read standings and names at once: while they are sent, others may take their place."""
    standings = present(board, now)
    people = Player.objects.filter(standings__board=board, standings__generation=board.generation)
    named = {pk: (name, key) for pk, name, key in people.values_list("pk", "name", "key")}
    groups = groups_by_player(board.league)
    return _standing_rows(standings, named, groups, _kinds(board))


def _kinds(board: Board) -> Sequence[str]:
    """The kinds of groups that have a column: none where no player has any."""
    return PlayerGroup.Kind.values if board.league.has_groups else ()


def _standing_rows(
    standings: Standings,
    named: Mapping[int, tuple[str, str]],
    groups: Mapping[int, Mapping[str, str]],
    kinds: Sequence[str],
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
            **{kind: groups.get(player_id, {}).get(kind, "") for kind in kinds},
        }
