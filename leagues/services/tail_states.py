"""What a change of results reaches on a board, and the states before it to rate that from.

A history holds the exact state after every match. Where a match moves nobody but its players, a
change reaches them and whoever they meet later: all other matches are rated as before. So only
those reached are rated again, each player from the last state that the change leaves alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from leagues import bridge
from leagues.domain.dirty_set import matches_reached_by
from leagues.models import Board, Match
from leagues.services.integrity import has_other_math
from leagues.store import segments
from leagues.store.match_columns import Facts, moment, read_facts
from leagues.store.standing_rows import StandingRow, read_standings
from ratings.system import Reach

MIN_RATED = 2_000
"""Smaller boards are rated whole sooner than their histories are read."""
MOST_CHANGED = 500
"""Changed matches, and players in them; more of them reach everybody."""


@dataclass(frozen=True, slots=True, eq=False)
class Tail:
    """What a change reaches on a board."""

    facts: Facts
    """The matches that are rated again."""
    players: frozenset[int]
    """Those in them, and who played a changed match."""
    own_players: frozenset[int]
    """Who played a changed match, as it was or as it is."""
    stored: Mapping[int, StandingRow]
    """The present standings of the players."""
    before: bridge.Before
    """Where those of them stood who had played before."""
    points_before: Mapping[int, segments.Points]
    """Of each of those, the points that stay in the segment in which the history goes on."""


def can_start_late(board: Board) -> bool:
    """Whether the histories of a board hold exactly what later matches were rated from."""
    system = bridge.newest_system(board)
    return (
        system.reach is Reach.PARTICIPANTS
        and system.period_days is None
        and board.generation > 0
        and board.rated_through_revision > 0
        and board.rated_matches >= MIN_RATED
        and board.rules_since is None
        and not board.refused_matches
        # What is lost by leaving a match also depends on who did not play it.
        and not has_losses(board)
        and not bridge.are_rules_pending(board)
        and not has_other_math(board)
    )


def has_losses(board: Board) -> bool:
    """Whether a board rates matches that were left."""
    if bridge.forfeit_refusal(board):
        return False
    return Match.objects.rated_on(board).lost().exists()


def read_tail(
    board: Board,
    since: datetime,
    later: Facts,
    changed: Iterable[int],
    *,
    at_most: int | None = None,
) -> Tail | None:
    """What a change reaches; to be called inside a snapshot.

    `later` is what the board is to rate from the first changed match on, which was or is played at
    `since`; `changed` are the players of the changed matches. None where these or the reached
    players are too many, or the histories do not say what stood before.
    """
    own = frozenset(changed)
    if len(own) > MOST_CHANGED:
        return None
    facts = later.where(matches_reached_by(later, own))
    counts = _counts(facts)
    players = own | counts.keys()
    if at_most is not None and len(players) > at_most:
        return None
    stored = read_standings(board, sorted(players))
    before = bridge.count_results(board, read_facts(board, before=since, players=sorted(own)))
    before = {player_id: row for player_id, row in before.items() if player_id in own}
    for player_id in players - own:
        # Whoever is only reached has played as many matches as before.
        row = stored.get(player_id)
        if row is None or row.games < counts[player_id]:
            return None
        if row.games > counts[player_id]:
            before[player_id] = row._replace(games=row.games - counts[player_id])
    numbers = {player_id: (row.games - 1) // segments.SIZE for player_id, row in before.items()}
    found = segments.read_numbered(board, numbers)
    points_before: dict[int, segments.Points] = {}
    for player_id, row in before.items():
        last = (row.games - 1) % segments.SIZE
        points = found.get(player_id)
        if points is None or last >= len(points):
            return None
        points_before[player_id] = points[: last + 1]
        before[player_id] = row._replace(
            state=segments.pack_state(points.state[last]),
            last_played_at=moment(int(points.at[last])),
        )
        if player_id in own and row.last_played_at != before[player_id].last_played_at:
            # The matches say otherwise.
            return None
    # Of the players who can move they are all, also those who play no more.
    everyone = bridge.Before(before, is_everyone=True)
    return Tail(facts, frozenset(players), own, stored, everyone, points_before)


def tail_standings(board: Board, tail: Tail, computed: bridge.Computed) -> list[StandingRow]:
    """The standings of the players of a tail as it was rated."""
    return [
        row
        if row.player_id in tail.own_players
        else row._replace(**{name: getattr(tail.stored[row.player_id], name) for name in _RESULTS})
        for row in bridge.standing_rows(board, board.generation, computed)
        if row.player_id in tail.players
    ]


_RESULTS = ("won", "drawn", "lost", "form", "streak")
"""What nobody's standing has another of who did not play a changed match."""


def _counts(facts: Facts) -> dict[int, int]:
    player_ids, counts = np.unique(facts.player_id, return_counts=True)
    return dict(zip(player_ids.tolist(), counts.tolist(), strict=True))
