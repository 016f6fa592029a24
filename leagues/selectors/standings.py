"""The standings of a board: ranks, likely places, and who is on which list.

One function reads them for pages, fragments and the API, of the present as of any earlier day.

A player with enough results who is not inactive is ranked. A player whose last match lies longer
back than the league's limit is inactive; in a league that rests as a whole, and in a season that is
over, the limit counts from the last match, so that a table once complete stays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from leagues import bridge
from leagues.bridge import ShownValue
from leagues.bridge.tables import LEVELS, ShownTable, shown_table
from leagues.domain.absence import last_instant
from leagues.domain.civil_days import day_of
from leagues.domain.ranking import (
    RankingRule,
    are_few_ranked,
    ranking_rule_of_day,
    ranks_among,
)
from leagues.models import Board, League, Player, Standing
from leagues.models.checks import FIRST_INSTANT
from leagues.selectors.board_selection import BoardReading
from leagues.selectors.compared_days import comparison
from leagues.selectors.held_standings import HeldStandings, held_standings, hold_standings
from leagues.selectors.people import Viewer
from leagues.selectors.standing_rows import counted_rank
from leagues.selectors.standings_query import CERTAINTIES, PLAYING, StandingsQuery
from leagues.selectors.tables import (
    Tables,
    are_tables_prepared,
    cached_or,
    newest_at_hand,
    read_tables,
)
from leagues.store.match_columns import Integers, Positions, distinct, micros, moment
from leagues.store.memory import Memory
from leagues.store.segments import pack_state
from leagues.store.snapshot import snapshot
from leagues.store.standing_columns import NEVER, Person, StandingTable, day_began

PAGE_SIZE = 50
SELECTED_BYTES = 16
"""For each player of a board, of the rows that filters let through: two filters that hide nobody,
or many that hide most."""
BOUND_WIDTH = 1e-6
"""Less than any system tells apart, more than rounding loses: so near is at a bound."""


@dataclass(frozen=True, slots=True, eq=False)
class Standings:
    """A board at a moment: parallel columns, best first."""

    league: League
    table: StandingTable
    shown_values: ShownTable
    moment: datetime
    """As of when deviations and certainty are shown."""
    uncertainty_day: date | None
    """The last day with results, where that is its end because the board rests."""
    active_since: datetime
    """Whose last match lies before this is inactive."""
    active_days: int
    is_ranked: NDArray[np.bool_]
    is_inactive: NDArray[np.bool_]
    rank: Integers
    """1 is first, equal places share one; 0 for whoever is not ranked."""
    shares_rank: NDArray[np.bool_]
    lows: NDArray[np.float64]
    highs: NDArray[np.float64]
    """Ends of the ranges of the ranked, ascending; empty where a system has none."""
    whole_lists: dict[str, Integers] = field(default_factory=dict)
    """The rows of each list, once somebody has asked for it."""
    selections: Memory[Integers] = field(init=False)
    """The rows of filters that somebody has asked for, as who asks for a page turns to the next."""
    positions: list[Positions] = field(default_factory=list)
    """The rows by the ids of their players, once somebody has asked for some."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "selections", Memory(SELECTED_BYTES * len(self)))

    def __len__(self) -> int:
        return len(self.table)

    @property
    def size(self) -> int:
        """The number of bytes it holds, with its table."""
        return self.table.size + (76 + SELECTED_BYTES) * len(self)

    def on_list(self, name: str, rows: Integers | slice = slice(None)) -> NDArray[np.bool_]:
        """Who of some rows, or of all, is on a list, as a mask."""
        ranked, inactive = self.is_ranked[rows], self.is_inactive[rows]
        if name == "ranked":
            return ranked
        if name == PLAYING:
            return ~inactive
        return inactive if name == "inactive" else ~(ranked | inactive)

    @property
    def has_few_ranked(self) -> bool:
        """Whether hardly any of those who play are ranked yet."""
        ranked = int(np.count_nonzero(self.is_ranked))
        return are_few_ranked(ranked, int(np.count_nonzero(self.on_list("unranked"))))

    def row_of(self, player_id: int) -> int | None:
        """The index of a player in the columns."""
        return self.rows_of(np.array([player_id])).get(player_id)

    def rows_of(self, player_ids: Integers) -> dict[int, int]:
        """The indices of some players in the columns, without those who have no standing."""
        rows = self._positions_of(player_ids)
        is_here = rows >= 0
        return dict(zip(player_ids[is_here].tolist(), rows[is_here].tolist(), strict=True))

    def _positions_of(self, player_ids: Integers) -> Integers:
        if not self.positions:
            # Several threads may find none and look at once: any of theirs will do.
            self.positions.append(Positions.among(self.table.player_id))
        return self.positions[0].of(player_ids)

    def is_shared(self, row: int) -> bool:
        """Whether others have the same rank."""
        return bool(self.shares_rank[row])

    def likely(self, rows: Sequence[int]) -> list[tuple[int, int] | None]:
        """The best and worst place that overlapping ranges allow each ranked player."""
        if not len(self.lows):
            return [None] * len(rows)
        low, high = self.shown_values.low[rows], self.shown_values.high[rows]
        best = 1 + len(self.lows) - self.lows.searchsorted(high, "right")
        worst = len(self.highs) - self.highs.searchsorted(low, "left")
        places = zip(best.tolist(), worst.tolist(), self.rank[rows].tolist(), strict=True)
        return [(best, worst) if rank else None for best, worst, rank in places]

    def held_at(self, lowest: float, highest: float) -> tuple[int, int]:
        """How many stand at the lowest and at the highest value that a system lets them have."""
        values = self.shown_values.value
        return (
            int(np.count_nonzero(values <= lowest + BOUND_WIDTH)),
            int(np.count_nonzero(values >= highest - BOUND_WIDTH)),
        )

    def counts(self, filters: StandingsQuery, members: Integers | None = None) -> dict[str, int]:
        """How many `members` of the table are how sure at least, by the other limits."""
        listed = PLAYING if filters.listed == PLAYING else "ranked"
        others = replace(filters, sure="any", query="", listed=listed)
        level = self.shown_values.level[self.select(others, members)]
        return {name: int(np.count_nonzero(level >= least)) for name, least in CERTAINTIES.items()}

    def select(self, filters: StandingsQuery, matching_ids: Integers | None) -> Integers:
        """The rows that a filter lets through, best first.

        `matching_ids` are the players whom a search by name finds, or of a group; None without
        either.
        """
        if matching_ids is not None:
            rows = distinct(self._positions_of(matching_ids))
            rows = rows[rows >= 0]
            return rows[self._passes(filters, rows)]
        if not filters.narrows:
            if filters.listed not in self.whole_lists:
                self.whole_lists[filters.listed] = np.flatnonzero(self.on_list(filters.listed))
            return self.whole_lists[filters.listed]
        limits = filters.listed, filters.sure, filters.most, filters.least, filters.active
        selected = self.selections.get(limits)
        if selected is None:
            selected = np.flatnonzero(self._passes(filters, slice(None)))
            self.selections.put(limits, selected, selected.nbytes)
        return selected

    def _passes(self, filters: StandingsQuery, rows: Integers | slice) -> NDArray[np.bool_]:
        """Whom of some rows, or of all, a filter lets through, as a mask."""
        table, shown = self.table, self.shown_values
        passes = self.on_list(filters.listed, rows) & (
            shown.level[rows] >= CERTAINTIES[filters.sure]
        )
        if filters.most is not None:
            # Where there is no range, nothing is known of it: nobody is within a limit.
            passes &= shown.half[rows] <= filters.most + 0.5 * 10.0**-shown.decimals
        if filters.least:
            passes &= table.games[rows] >= filters.least
        if filters.active:
            first = day_of(self.active_since, self.league.zone)
            limit = first + timedelta(days=self.active_days - filters.active)
            passes &= table.last_at[rows] >= micros(self.league.midnight(limit))
        return passes

    def behind(self, rows: Integers, place: int, player_id: int) -> int:
        """The index in some rows of the first that follows a player, who may have gone since."""
        row = self.row_of(player_id)
        if row is not None and int(self.table.place[row]) == place:
            return int(rows.searchsorted(row, "right"))
        return int(np.searchsorted(-self.table.place[rows], -place, "right"))

    def value(self, row: int) -> ShownValue:
        """The value that people see of one player."""
        return self.values([row])[0]

    def values(self, rows: Sequence[int]) -> list[ShownValue]:
        """The values that people see of some players."""
        shown = self.shown_values
        columns = (shown.value, shown.low, shown.high, shown.level, shown.provisional)
        values = []
        for value, low, high, level, provisional in zip(
            *(column[rows].tolist() for column in columns), strict=True
        ):
            has_range = not (math.isnan(low) or math.isnan(high))
            values.append(
                ShownValue(
                    value=value,
                    low=low + 0.0 if has_range else None,
                    high=high + 0.0 if has_range else None,
                    decimals=shown.decimals,
                    level=LEVELS[level] if shown.has_levels else "",
                    provisional=provisional,
                )
            )
        return values

    def standing(self, row: int, player: Player) -> Standing:
        """One row as a standing with its player, for whoever computes with it."""
        table = self.table
        return Standing(
            player=player,
            state=pack_state(table.state[row]),
            games=int(table.games[row]),
            won=int(table.won[row]),
            drawn=int(table.drawn[row]),
            lost=int(table.lost[row]),
            form=table.form[row].decode(),
            streak=int(table.streak[row]),
            place_value=int(table.place[row]),
            last_played_at=self.last_match_at(row),
        )

    def last_match_at(self, row: int) -> datetime:
        """The moment of a player's last match."""
        return moment(int(self.table.last_at[row]))


def standings_of_table(
    board: Board,
    table: StandingTable,
    *,
    at: datetime,
    rule: RankingRule,
    uncertainty_day: date | None = None,
) -> Standings:
    """Ranks and lists of a table, uncertainty as of a moment."""
    values = shown_table(board, table, at)
    ranked = rule.ranked(table.games, table.last_at)
    places = table.place[ranked]
    rank = np.zeros(len(table), np.int64)
    rank[ranked] = ranks_among(places, places)
    # Best first, so whoever has the same place stands right before or behind.
    same = np.zeros(len(places) + 1, bool)
    same[1:-1] = places[1:] == places[:-1]
    shares_rank = np.zeros(len(table), bool)
    shares_rank[ranked] = same[1:] | same[:-1]
    low, high = values.low[ranked], values.high[ranked]
    has_ranges = not (np.isnan(low).any() or np.isnan(high).any())
    nothing = np.empty(0)
    return Standings(
        league=board.league,
        table=table,
        shown_values=values,
        moment=at,
        uncertainty_day=uncertainty_day,
        active_since=rule.active_since,
        active_days=board.active_days,
        is_ranked=ranked,
        is_inactive=rule.inactive(table.last_at),
        rank=rank,
        shares_rank=shares_rank,
        lows=np.sort(low) if has_ranges else nothing,
        highs=np.sort(high) if has_ranges else nothing,
    )


@dataclass(frozen=True, slots=True)
class View:
    """The standings that are asked for, those they are compared with, and the names in them."""

    standings: Standings | None
    """None while a job prepares them."""
    former: Standings | None
    compared_at: datetime | None
    """The moment before which the former ones hold."""
    last_at: datetime | None
    """When the last match was played, up to the day that is asked for."""
    missing: tuple[datetime, ...]
    people: tuple[Person, ...] | None
    matching_ids: Integers | None
    """Whom the search by name finds, of `members`; None without either."""
    is_former: bool = False
    """The standings are those before the last computation."""
    stand_in: HeldStandings | None = None
    """What they were taken from, where they are not those of today."""
    members: Integers | None = None
    """Who belongs to the group that is asked for."""

    def rows_before(self, rows: Sequence[int]) -> dict[int, int]:
        """Which of the former rows the players of some rows had; nothing of who had none."""
        if self.standings is None or self.former is None or not rows:
            return {}
        players = self.standings.table.player_id[rows]
        before = self.former.rows_of(players)
        return {
            row: before[player]
            for row, player in zip(rows, players.tolist(), strict=True)
            if player in before
        }

    def change(self, row: int, row_before: int | None) -> int | None:
        """The places that a ranked player has gained; None for whoever had none."""
        if self.standings is None or self.former is None or not self.standings.rank[row]:
            return None
        before = 0 if row_before is None else int(self.former.rank[row_before])
        return before - int(self.standings.rank[row]) if before else None


def view_of(
    board: Board,
    *,
    reading: BoardReading,
    filters: StandingsQuery,
    now: datetime,
    viewer: Viewer = Viewer(),  # noqa: B008
    visited: date | None = None,
    may_be_former: bool = False,
    may_be_held: bool = False,
) -> View:
    """The standings of the present or of a day, and what they are compared with.

    Where a job prepares a large board's present standings, its former ones may stand in for them;
    held ones may where `bring_up_to_date` is called afterwards.
    """
    league = board.league
    today = day_of(now, league.zone)
    on = filters.on or today
    until = league.midnight(on + timedelta(days=1))
    held = held_standings(board, today) if may_be_held and not filters.on else None
    last_at = reading.last_before if filters.on else held.last_at if held else board.last_at
    compared_at = comparison(
        league, filters.since, on=on, first_at=reading.first_at, last_at=last_at, visited=visited
    )
    is_past = filters.on is not None and not _is_settled(board, until)
    day = {until} if is_past else set[datetime]()
    before = {compared_at} if compared_at is not None else set[datetime]()
    read = read_tables(
        board,
        viewer=viewer,
        query=filters.query,
        newest=not (is_past or held),
        days=before - day,
        with_results=day,
        may_be_former=may_be_former,
    )
    table = read.days[until] if is_past else read.newest
    if read.is_former and table is not None:
        last_at = _last_of(table)
    seen = min(now, last_instant(until))
    earlier = read.days.get(compared_at) if compared_at is not None else None
    standings = held.standings if held else None
    if table is not None:
        at = bridge.display_moment_of_day(board, last_at, seen)
        standings = _standings_at(board, table, at=at, last_at=last_at, now=seen)
        if not (is_past or read.is_former or filters.on):
            hold_standings(board, standings, last_at=last_at, today=today)
    return View(
        standings=standings,
        former=_standings_before(board, compared_at, earlier),
        compared_at=compared_at,
        last_at=last_at,
        missing=read.missing,
        people=read.people,
        matching_ids=read.matching_ids,
        is_former=read.is_former or bool(held and not held.is_of_earlier_day(board)),
        stand_in=held,
    )


_refreshing = Lock()


def bring_up_to_date(board_id: int) -> None:
    """Work out the standings that the next page of a board shows, if they can be read by now."""
    # One thread at a time: others would do the same once more.
    if not _refreshing.acquire(blocking=False):
        return
    try:
        with snapshot():
            boards = Board.objects.select_related("league", "season", "mode")
            board = boards.filter(pk=board_id).first()
            if board is not None and are_tables_prepared(board):
                view_of(board, reading=BoardReading(), filters=StandingsQuery(), now=timezone.now())
    finally:
        _refreshing.release()


def present(board: Board, now: datetime) -> Standings:
    """The standings of a board as they are now."""
    read: Tables = read_tables(board, viewer=Viewer())
    assert read.newest is not None  # noqa: S101
    at = bridge.display_moment(board, now)
    return _standings_at(board, read.newest, at=at, last_at=board.last_at, now=now)


def rank_of(board: Board, standing: Standing, now: datetime) -> int | None:
    """The rank of one player; None for whoever is not ranked.

    From memory where this process has read the board: to count everyone above takes a second at a
    million players.
    """
    table = newest_at_hand(board)
    if table is None:
        return counted_rank(board, standing, now)
    at = bridge.display_moment(board, now)
    whole = _standings_at(board, table, at=at, last_at=board.last_at, now=now)
    row = whole.row_of(standing.player_id)
    return None if row is None else int(whole.rank[row]) or None


def standings_around(
    board: Board, first_at: datetime, last_at: datetime, now: datetime
) -> tuple[Standings | None, Standings | None]:
    """The standings before the day of one match and after the day of a later one.

    None where a job has to prepare them first.
    """
    league = board.league
    before = max(day_began(league, first_at), FIRST_INSTANT)
    after = league.midnight(day_of(last_at, league.zone) + timedelta(days=1))
    standings: Standings | None
    if _is_settled(board, after):
        read = read_tables(board, viewer=Viewer(), days=(before,))
        standings = present(board, now)
    else:
        read = read_tables(board, viewer=Viewer(), newest=False, days=(before, after))
        standings = _standings_before(board, after, read.days[after])
    return _standings_before(board, before, read.days[before]), standings


def _is_settled(board: Board, until: datetime) -> bool:
    """Whether nothing that the board has computed lies behind a moment."""
    reached = max((at for at in (board.last_at, board.decayed_until) if at), default=None)
    return reached is None or reached < until


_newest_of: WeakKeyDictionary[StandingTable, int] = WeakKeyDictionary()
"""The newest match of tables: to look through a million players takes as long as to name fifty."""


def _last_of(table: StandingTable) -> datetime | None:
    last = _newest_of.get(table)
    if last is None:
        last = _newest_of[table] = int(table.last_at.max(initial=NEVER))
    return None if last == NEVER else moment(last)


def _standings_before(
    board: Board, at: datetime | None, table: StandingTable | None
) -> Standings | None:
    """What other standings are compared with: those before a moment, if they are at hand."""
    if at is None or table is None:
        return None
    return _standings_at(board, table, at=at, last_at=_last_of(table), now=last_instant(at))


def _standings_at(
    board: Board, table: StandingTable, *, at: datetime, last_at: datetime | None, now: datetime
) -> Standings:
    """Ranks and lists of a table, from memory where this process has worked them out."""
    rule = ranking_rule_of_day(board, last_at, now)
    last_day = bridge.uncertainty_day(board, last_at, now)
    key = (id(table), board.shown_json, at, rule, last_day)

    def make() -> Standings:
        return standings_of_table(board, table, at=at, rule=rule, uncertainty_day=last_day)

    standings = cached_or(key, make, lambda made: made.size - table.size)
    return standings if standings.table is table else make()
