"""Finding the matches that two players are both in, of many pairs at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from leagues.models import Match, Participant
from leagues.store.prepared import adapted
from leagues.store.statements import read_rows, this_connection

_SHARED = """WITH pair (one, other) AS (VALUES {pairs}), near (first, last) AS (
SELECT MIN(id + 0), MAX(id + 0) FROM (
SELECT id FROM {matches} WHERE season_id = %s AND played_at >= %s AND played_at <= %s
UNION ALL
SELECT id FROM {matches} WHERE season_id = %s AND played_at IN (%s, %s)) AS m)
SELECT DISTINCT p.match_id FROM pair CROSS JOIN near CROSS JOIN {participants} p
WHERE p.player_id = pair.one AND p.match_id >= near.first AND p.match_id <= near.last
AND (SELECT q.side FROM {participants} q
WHERE q.match_id = p.match_id AND q.player_id = pair.other) IS NOT NULL"""
"""Read from indexes alone. A sum is what no index of keys is walked for, from the first match on;
and what is compared with nothing stays a look-up for each row, where a database without statistics
would make a join of it."""

_OF_ONE_PAIR = """SELECT match_id FROM {participants} WHERE player_id = %s
INTERSECT SELECT match_id FROM {participants} WHERE player_id = %s"""


class Span(NamedTuple):
    """A span of time, and the beginnings of two days at or before its own."""

    earliest: datetime
    latest: datetime
    day: datetime
    day_before: datetime


def read_matches_of_pair(one: int, other: int) -> list[int]:
    """The matches that two players are both in, whenever they were."""
    sql = _OF_ONE_PAIR.format(participants=Participant._meta.db_table)
    return [match for (match,) in read_rows(this_connection(), sql, [one, other])]


def read_matches_of_pairs(
    pairs: Sequence[tuple[int, int]], season_id: int, span: Span
) -> list[int]:
    """The matches that both players of some pair are in, whose keys lie among those of a time."""
    if not pairs:
        return []
    sql = _SHARED.format(
        pairs=", ".join(["(%s, %s)"] * len(pairs)),
        matches=Match._meta.db_table,
        participants=Participant._meta.db_table,
    )
    here = this_connection()
    players = [player for pair in pairs for player in pair]
    earliest, latest, day, day_before = span
    times = [season_id, earliest, latest, season_id, day, day_before]
    values = adapted(here, [*players, *times])
    return [match for (match,) in read_rows(here, sql, values)]
