"""The states that players had before a moment, from which later matches can be rated again.

A history holds the exact state after every match. Where a match moves nobody but its players,
those who play after the moment are all that is needed: the matches before it need no replay.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

import numpy as np

from leagues import bridge
from leagues.models import Board, RatingSegment, Standing
from leagues.services.batches import batches
from leagues.services.integrity import has_other_math
from leagues.store import segments
from leagues.store.match_columns import Facts, is_behind, micros, moment
from leagues.store.standing_rows import StandingRow
from ratings.system import Reach

BATCH = 5_000
"""Players whose segments are read by one statement."""


def can_start_late(board: Board) -> bool:
    """Whether what a board shows can be computed on from its histories, exactly."""
    system = bridge.newest_system(board)
    return (
        system.reach is Reach.PARTICIPANTS
        and system.period_days is None
        and board.generation > 0
        and board.rules_since is None
        and not board.refused_matches
        and not bridge.are_rules_pending(board)
        and not has_other_math(board)
        and not is_behind(board)
    )


def read_states_before(
    board: Board, since: datetime, tail: Facts, player_ids: Iterable[int]
) -> dict[int, StandingRow] | None:
    """The players who had played before a moment, as they stood then; without form and tallies.

    `tail` is what the board has rated from the moment on. None where the histories do not say.
    """
    played = dict(zip(*_counts(tail), strict=True))
    standings = Standing.objects.current(board).filter(player_id__in=list(player_ids))
    wanted: dict[int, dict[int, int]] = defaultdict(dict)
    for player_id, games in standings.values_list("player_id", "games"):
        before = games - played.get(player_id, 0)
        if before > 0:
            number, place = divmod(before - 1, segments.SIZE)
            wanted[number][player_id] = place
    columns = len(bridge.newest_system(board).columns)
    found: dict[int, StandingRow] = {}
    for number, places in wanted.items():
        for part in batches(places, BATCH):
            rows = RatingSegment.objects.filter(
                board=board, generation=board.generation, number=number, player_id__in=part
            )
            for player_id, count, data in rows.values_list("player_id", "count", "data"):
                place = places[player_id]
                if place >= count:
                    return None
                points = segments.unpack(data, count)
                at, state = int(points.at[place]), points.state[place]
                if at >= micros(since) or len(state) != columns:
                    return None
                found[player_id] = _standing(
                    board,
                    player_id,
                    segments.SIZE * number + place + 1,
                    at,
                    segments.pack_state(state),
                )
    return found if len(found) == sum(map(len, wanted.values())) else None


def _counts(tail: Facts) -> tuple[list[int], list[int]]:
    player_ids, counts = np.unique(tail.player_id, return_counts=True)
    return player_ids.tolist(), counts.tolist()


def _standing(board: Board, player_id: int, games: int, at: int, state: bytes) -> StandingRow:
    return StandingRow(
        league_id=board.league_id,
        board_id=board.pk,
        generation=board.generation,
        player_id=player_id,
        state=state,
        shown=0.0,
        place_value=0,
        low=None,
        high=None,
        games=games,
        won=0,
        drawn=0,
        lost=games,
        form="",
        streak=0,
        last_played_at=moment(at),
        fairly_sure_until=None,
        sure_until=None,
    )
