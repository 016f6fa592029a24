"""What a change of results reaches on a board, and the states before it to rate that from.

A history holds the exact state after every match. Where a match moves nobody but its players, a
change reaches them and whoever they meet later: all other matches are rated as before. So only
those reached are rated again, each player from the last state that the change leaves alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.db.models import QuerySet

from leagues import bridge
from leagues.domain.dirty_set import matches_reached_by
from leagues.models import Board, Match, Standing
from leagues.services.board_tails import (
    History,
    has_derivable_state,
    moves_everyone,
    newcomers_of,
    read_board_before,
)
from leagues.services.integrity import has_other_math
from leagues.store import segments
from leagues.store.match_columns import Facts, moment, read_facts
from leagues.store.prepared import prepare
from leagues.store.standing_rows import StandingRow, read_standings
from ratings.system import Reach

MIN_RATED = 2_000
"""Smaller boards are rated whole sooner than their histories are read."""
MOST_CHANGED = 500
"""Changed matches, and players in them; more of them reach everybody."""

PointsBefore = Callable[[int], segments.Points | None]
EarlierFacts = Callable[[Board, datetime, tuple[int, ...]], Facts]


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
    counts: Mapping[int, int]
    """How many points of theirs stay."""
    points_before: PointsBefore
    """Those of a player that stay in the segment in which the history goes on, if any do."""
    segment_counts: Mapping[int, int]
    """How many segments are stored of each."""
    histories: Mapping[int, History]
    """What is stored behind, where everyone's is read."""

    def has_stored(self, row: segments.SegmentRow) -> bool:
        """Whether a segment is known to be stored as it is."""
        history = self.histories.get(row.player_id)
        return history is not None and history.rows.get(row.number) == row


def can_start_late(board: Board) -> bool:
    """Whether the histories of a board hold exactly what later matches were rated from."""
    system = bridge.newest_system(board)
    moves_players_alone = system.reach is Reach.PARTICIPANTS and system.period_days is None
    return (
        (moves_players_alone or has_derivable_state(board))
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
    return bool(_losses(season=board.season_id, mode=board.mode_id))


@prepare
def _losses(*, season: int, mode: int) -> QuerySet[Match, tuple[int]]:
    """One of those that were left, which every board of the mode rates if any."""
    return Match.objects.filter(season=season, mode=mode).lost().order_by().values_list("pk")[:1]


def earlier_facts(board: Board, since: datetime, players: tuple[int, ...]) -> Facts:
    """What a board rates of some players before a moment."""
    return read_facts(board, before=since, players=players)


def read_tail(
    board: Board,
    since: datetime,
    later: Facts,
    changed: Iterable[int],
    *,
    at_most: int | None = None,
    read_earlier: EarlierFacts = earlier_facts,
) -> Tail | None:
    """What a change reaches; to be called inside a snapshot.

    `later` is what the board is to rate from the first changed match on, which was or is played at
    `since`; `changed` are the players of the changed matches. None where these or the reached
    players are too many, or the histories do not say what stood before. `read_earlier` stands in
    for `earlier_facts` where boards of one mode share what it reads.
    """
    own = frozenset(changed)
    if len(own) > MOST_CHANGED:
        return None
    if moves_everyone(board):
        return _read_board_tail(board, since, later, own, at_most)
    joining = newcomers_of(board, later, own) if has_derivable_state(board) else None
    facts = later.where(matches_reached_by(later, own.union(joining.newcomers if joining else ())))
    counts = _counts(facts)
    players = own | counts.keys()
    if at_most is not None and len(players) > at_most:
        return None
    stored = read_standings(board, sorted(players))
    earlier = read_earlier(board, since, tuple(sorted(own)))
    before = _results_before(board, earlier, own, counts, stored)
    # Who joins a ladder has a point for it.
    more = int(joining is not None and bridge.newest_system(board).orders_only)
    points_before = None if before is None else _enter_states(board, own, before, more)
    if before is None or points_before is None:
        return None
    # Of the players who can move they are all, also those who play no more.
    shared = joining.state_with(own & before.keys()) if joining else None
    return Tail(
        facts,
        frozenset(players),
        own,
        stored,
        bridge.Before(before, is_everyone=True, board=shared),
        {player_id: row.games + more for player_id, row in before.items()},
        points_before,
        {player_id: segments.count_of(row.games + more) for player_id, row in stored.items()},
        {},
    )


def _results_before(
    board: Board,
    earlier: Facts,
    own: frozenset[int],
    counts: Mapping[int, int],
    stored: Mapping[int, StandingRow],
) -> dict[int, StandingRow] | None:
    """The results before a moment of players who have so many matches from then on.

    `earlier` are those of them whose own matches have changed.
    """
    before = bridge.count_results(board, earlier)
    before = {player_id: row for player_id, row in before.items() if player_id in own}
    for player_id in counts.keys() - own:
        # Whoever is only reached has played as many matches as before.
        row = stored.get(player_id)
        if row is None or row.games < counts[player_id]:
            return None
        if row.games > counts[player_id]:
            before[player_id] = row._replace(games=row.games - counts[player_id])
    return before


def _enter_states(
    board: Board, own: frozenset[int], before: dict[int, StandingRow], more: int
) -> PointsBefore | None:
    """Enter the states of the histories; answer the points that stay in their last segments.

    A history has a point for each match, and so many more before them. None where the matches say
    otherwise.
    """
    last_points = {player_id: row.games + more - 1 for player_id, row in before.items()}
    numbers = {player_id: last // segments.SIZE for player_id, last in last_points.items()}
    found = {row.player_id: row for row in segments.read_rows(board, numbers)}
    for player_id, row in before.items():
        last, segment = last_points[player_id] % segments.SIZE, found.get(player_id)
        if segment is None or last >= segment.count:
            return None
        last_at = moment(segment.instant_at(last))
        if player_id in own and row.last_played_at != last_at:
            return None
        before[player_id] = row._replace(state=segment.state_at(last), last_played_at=last_at)

    def points_before(player_id: int) -> segments.Points | None:
        if player_id not in last_points:
            return None
        room = (last_points[player_id] + 1) % segments.SIZE
        return found[player_id].points()[:room] if room else None

    return points_before


def _read_board_tail(
    board: Board, since: datetime, later: Facts, own: frozenset[int], at_most: int | None
) -> Tail | None:
    """All that comes after a change, from where everyone stood before it."""
    writes_all = bridge.newest_system(board).period_days is not None
    if at_most is not None and writes_all and Standing.objects.current(board).count() > at_most:
        return None
    last_place = last_place_before(board, since)
    if last_place is None:
        return None
    then = read_board_before(board, since, last_place[0], later, own)
    if then is None:
        return None
    histories = then.histories

    def points_before(player_id: int) -> segments.Points | None:
        return histories[player_id].points() if player_id in histories else None

    return Tail(
        later,
        frozenset({*then.stored, *own, *later.player_id.tolist()}),
        own,
        then.stored,
        then.before,
        {player_id: one.count for player_id, one in histories.items()},
        points_before,
        {player_id: one.stored for player_id, one in histories.items()},
        histories,
    )


def last_place_before(board: Board, at: datetime) -> tuple[datetime, int, int] | None:
    """The place of the last rated match before a moment."""
    earlier = Match.objects.rated_on(board).filter(played_at__lt=at)
    last = earlier.order_by("-played_at", "-same_time_order", "-seq").first()
    return (last.played_at, last.same_time_order, last.seq or 0) if last else None


def tail_standings(board: Board, tail: Tail, computed: bridge.Computed) -> list[StandingRow]:
    """The standings of the players of a tail as it was rated."""
    return [
        row if row.player_id in tail.own_players else _with_results(row, tail.stored[row.player_id])
        for row in bridge.standing_rows(board, board.generation, computed)
        if row.player_id in tail.players
    ]


_WON, _STREAK = (StandingRow._fields.index(name) for name in ("won", "streak"))
"""From the one to the other: what nobody has another of who did not play a changed match."""


def _with_results(row: StandingRow, stored: StandingRow) -> StandingRow:
    """A standing with the results of another one."""
    # `_replace` takes six times as long, for each whom a correction reaches.
    return StandingRow._make((*row[:_WON], *stored[_WON : _STREAK + 1], *row[_STREAK + 1 :]))


def _counts(facts: Facts) -> dict[int, int]:
    player_ids, counts = np.unique(facts.player_id, return_counts=True)
    return dict(zip(player_ids.tolist(), counts.tolist(), strict=True))
