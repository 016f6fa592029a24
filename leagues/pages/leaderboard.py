"""The leaderboard: the rows of a page of standings, and the lists beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from urllib.parse import urlencode

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from numpy.typing import NDArray

from leagues import bridge, charts, wording
from leagues.bridge import OutcomeEffect
from leagues.domain.civil_days import day_of
from leagues.domain.ranking import least_games
from leagues.models import Board, Player, Standing
from leagues.pages.absence import Absence, absence_of_all
from leagues.pages.boards import Choice, board_address, player_address
from leagues.pages.leaderboard_choices import (
    certainty_choices,
    hidden_count,
    hidden_sentence,
    since_choices,
    span_choices,
)
from leagues.pages.leaderboard_rows import AtStake, BoardRow, Change, ColumnHeads, Columns
from leagues.pages.ratings import rating, rung_of, scale_of, shown_as
from leagues.pages.seats import format_rung_change, is_low_best
from leagues.pages.tallies import TallyStyle
from leagues.pages.uncertainty import board_notes, has_ranges
from leagues.rulebook import describe_rules
from leagues.selectors.board_selection import BoardReading
from leagues.selectors.people import Roster, Viewer
from leagues.selectors.standings import (
    PAGE_SIZE,
    Standings,
    View,
    view_of,
)
from leagues.selectors.standings_query import DayProblem, StandingsQuery
from leagues.store.match_columns import moment as moment_of

MOST_BESIDE = 10
"""Rows of the lists below the standings; each list has pages of its own."""

LONG_AWAY = 182
"""From so many days on a date says more than their number."""

NOBODY = Viewer()

DAY_PROBLEMS = {
    DayProblem.NO_DAY: gettext_lazy("Invalid date; showing today's standings."),
    DayProblem.IN_THE_FUTURE: gettext_lazy("That day is in the future; showing today's standings."),
    DayProblem.TOO_EARLY: gettext_lazy("No results go back that far; showing today's standings."),
}


@dataclass(frozen=True, slots=True)
class Beside:
    """The first of those on a list beside the standings."""

    rows: tuple[BoardRow, ...]
    total: str
    all_url: str
    """Where the whole list is, if not all of it is here."""


@dataclass(frozen=True, slots=True)
class BoardPage:
    """One page of a board."""

    rows: tuple[BoardRow, ...]
    above: BoardRow | None
    below: BoardRow | None
    """The row of the one who looks, where it is on another page."""
    unranked: Beside
    inactive: Beside
    rule: str
    """What it takes to be ranked."""
    notes: tuple[str, ...]
    """Of what day the ranges are, if not of today, and who is held at a bound."""
    scale: charts.Scale | None
    columns: Columns
    column_heads: ColumnHeads
    has_rungs: bool
    """Stakes name the rung before and after."""
    is_careful: bool
    """The shown number is a lower bound, outside of the range."""
    listed: str
    is_empty: bool
    """Nobody has a rating yet."""
    unplaced_reason: str
    """Why nobody has one although there are results."""
    absence: Absence | None
    """Why nobody is ranked although some were."""
    certainties: tuple[Choice, ...]
    spans: tuple[Choice, ...]
    """Within how many days somebody must have played."""
    sinces: tuple[Choice, ...]
    day: str
    """Of what day the standings are, in words; empty for today's."""
    is_preparing: bool
    """The changes are not known yet; a job is at them."""
    is_former: bool
    """The newest results are not in it yet; a job is at them."""
    previous_url: str
    next_url: str
    hidden_sentence: str
    announcement: str
    mine: str
    """What leads to the row of the one who looks, in words."""
    mine_url: str


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page, who looks, and what has to be prepared before the next one."""

    page: BoardPage | None
    """None while the standings of that day are being prepared."""
    me: Player | None
    missing: tuple[datetime, ...]

    @property
    def is_unready(self) -> bool:
        """Whether what was asked for will be there in a moment."""
        return self.page is None or self.page.is_former


def leaderboard(
    *,
    board: Board,
    reading: BoardReading,
    filters: StandingsQuery,
    now: datetime,
    viewer: Viewer = NOBODY,
    visited: date | None = None,
    hides: bool = False,
) -> Leaderboard:
    """A page of the standings that are asked for, 50 rows at most.

    Ranks and likely places are those of the whole board, whatever the filter hides. Deviations
    and certainty are those of the midnight that began the day.
    """
    view = view_of(
        board,
        reading=reading,
        filters=filters,
        now=now,
        viewer=viewer,
        visited=visited,
        may_be_former=True,
    )
    if view.standings is None:
        return Leaderboard(None, None, view.missing)
    names = Roster(board.league, viewer, view.people)
    page = _page(board, view, filters, names, now=now, visited=visited, hides=hides)
    return Leaderboard(page, names.viewer(), view.missing)


def _page(
    board: Board,
    view: View,
    filters: StandingsQuery,
    names: Roster,
    *,
    now: datetime,
    visited: date | None,
    hides: bool,
) -> BoardPage:
    assert view.standings is not None  # noqa: S101
    indices = view.standings.select(filters, view.matching_ids)
    number = min(filters.page, _pages(len(indices)))
    first = (number - 1) * PAGE_SIZE
    rows = indices[first : first + PAGE_SIZE].tolist()
    beside = _unranked_rows(view, view.standings, filters)
    parts = [part[:MOST_BESIDE].tolist() for part in beside.values()]
    here = [*rows, *(row for part in parts for row in part)]
    names.read(view.standings.table.player_id[here].tolist() if here else [])
    writer = _Writer(board, view, filters, names, names.viewer(), now=now, hides=hides)
    mine = writer.mine
    off_page = _off_page(view.standings, filters, rows, mine)
    writer.draw([*rows, *([off_page] if off_page is not None else [])])
    my_row = writer.row(off_page) if off_page is not None else None
    counts = view.standings.counts(filters)
    return BoardPage(
        rows=tuple(writer.row(row) for row in rows),
        above=my_row if off_page is not None and off_page < rows[0] else None,
        below=my_row if off_page is not None and off_page > rows[0] else None,
        unranked=_beside(writer, "unranked", beside.get("unranked"), filters),
        inactive=_beside(writer, "inactive", beside.get("inactive"), filters),
        rule=_rule(board),
        notes=() if hides else board_notes(board, view.standings, has_stakes=writer.has_stakes),
        scale=writer.scale,
        columns=writer.columns,
        column_heads=writer.column_heads,
        has_rungs=writer.is_low_best,
        is_careful=writer.is_careful,
        listed=filters.listed,
        is_empty=not len(view.standings),
        unplaced_reason=_unplaced_reason(board, view),
        absence=absence_of_all(board, view.standings, filters.on),
        certainties=certainty_choices(counts, filters),
        spans=span_choices(board, filters),
        sinces=since_choices(filters, visited, writer.today),
        day=wording.day(filters.on) if filters.on else "",
        is_preparing=bool(view.missing),
        is_former=view.is_former,
        previous_url=_page_url(board, filters, number - 1) if number > 1 else "",
        next_url=_page_url(board, filters, number + 1) if number < _pages(len(indices)) else "",
        hidden_sentence=hidden_sentence(hidden_count(view.standings, filters), filters),
        announcement=wording.players(len(indices)),
        mine=_mine(view.standings, mine),
        mine_url=_mine_url(board, view.standings, filters, mine) if mine is not None else "",
    )


class _Writer:
    """Turns rows of standings into strings."""

    def __init__(
        self,
        board: Board,
        view: View,
        filters: StandingsQuery,
        names: Roster,
        me: Player | None,
        *,
        now: datetime,
        hides: bool,
    ) -> None:
        assert view.standings is not None  # noqa: S101
        self.board, self.view = board, view
        self.standings, self.former = view.standings, view.former
        self.names, self.me, self.hides = names, me, hides
        self.zone = board.league.zone
        self.now, self.listed = now, filters.listed
        self.today = filters.on or day_of(now, self.zone)
        self.mine = self.standings.row_of(me.pk) if me else None
        self.at_stake = (
            me is not None and not hides and filters.on is None and board.season.takes_results
        )
        self.is_low_best = self.at_stake and is_low_best(board)
        self.tally_style = TallyStyle.of_table(self.standings.table)
        self.stakes: dict[int, OutcomeEffect | None] = {}
        self.scale: charts.Scale | None = None
        self.is_careful = False

    def draw(self, rows: Sequence[int]) -> None:
        """Settle what rows share: the scale, and what is at stake against each."""
        values = [self.standings.value(row) for row in rows]
        if not self.hides:
            self.scale = scale_of(values)
            self.is_careful = any(
                value.low is not None and value.value < value.low for value in values
            )
        if self.at_stake and self.me is not None:
            own = self.me if self.mine is None else self.standings.standing(self.mine, self.me)
            others = [self._standing(row) for row in rows]
            stakes = bridge.stakes_against(self.board, own, others, self.now)
            self.stakes = dict(zip(rows, stakes, strict=True))

    @property
    def has_stakes(self) -> bool:
        return any(stake is not None for stake in self.stakes.values())

    @property
    def has_draws(self) -> bool:
        # By the rules of a ladder a draw moves nobody: a column of dashes would say no more.
        return not self.is_low_best and any(
            stake and stake.drawn is not None for stake in self.stakes.values()
        )

    @property
    def columns(self) -> Columns:
        return Columns(
            has_changes=self.former is not None and self.listed == "ranked",
            has_ratings=not self.hides,
            has_ranges=has_ranges(self.standings),
            has_scale=self.scale is not None,
            has_levels=self.standings.shown_values.has_levels,
            has_likely=bool(len(self.standings.lows)) and not self.hides,
            has_stakes=self.has_stakes,
        )

    @property
    def column_heads(self) -> ColumnHeads:
        return ColumnHeads(
            rating=shown_as(self.board),
            tally=self.tally_style.heading,
            since=_since(self.board, self.view, self.today),
            scale=self.scale,
            is_low_best=bridge.system_of(self.board).lower_is_better,
            has_draws=self.has_draws,
        )

    def row(self, row: int, *, missing: str = "") -> BoardRow:
        """One row in strings."""
        table = self.standings.table
        player = self.names.people[int(table.player_id[row])]
        value = self.standings.value(row)
        played = day_of(moment_of(int(table.last_at[row])), self.zone)
        numbers = (int(column[row]) for column in (table.won, table.drawn, table.lost))
        return BoardRow(
            rank=self._rank(row),
            name=player.name,
            url=player_address(self.board, player.key),
            rating=rating(value),
            rung=rung_of(self.scale, value),
            likely=self._likely(row),
            results=wording.count(int(table.games[row])),
            tally=self.tally_style.text(*numbers),
            form=charts.form(table.form[row].decode()),
            last=wording.ago(played, self.today),
            change=self._change(row),
            stake=self._stake(row),
            missing=missing or self._missing(row, played),
            is_me=self.me is not None and player.player_id == self.me.pk,
        )

    def _standing(self, row: int) -> Standing:
        player = self.names.player(int(self.standings.table.player_id[row]))
        return self.standings.standing(row, player)

    def _rank(self, row: int) -> str:
        rank = int(self.standings.rank[row])
        if not rank:
            return ""
        return f"{rank}=" if self.standings.is_shared(row) else str(rank)

    def _likely(self, row: int) -> str:
        places = self.standings.likely(row)
        return wording.span(*(str(place) for place in places)) if places else ""

    def _change(self, row: int) -> Change | None:
        """The change of a rank; somebody new or long away had none."""
        if self.former is None or not self.standings.rank[row]:
            return None
        gained = self.view.change(row)
        if gained is None:
            word = _("back") if self._was_inactive(row) else _("new")
            return Change("new", word, word)
        if gained == 0:
            return Change("same", _("no change"), wording.NOTHING)
        mark, word = ("up", _("up")) if gained > 0 else ("down", _("down"))
        return Change(mark, word, str(abs(gained)))

    def _was_inactive(self, row: int) -> bool:
        assert self.former is not None  # noqa: S101
        then = self.former.row_of(int(self.standings.table.player_id[row]))
        if then is None or not self.former.is_inactive[then]:
            return False
        return int(self.former.table.games[then]) >= least_games(self.board)

    def _stake(self, row: int) -> AtStake | None:
        stake = self.stakes.get(row)
        if stake is None:
            return None
        before, digits = stake.before, stake.decimals
        if self.is_low_best:
            return AtStake(
                format_rung_change(before, stake.won), "", format_rung_change(before, stake.lost)
            )
        return AtStake(
            win=wording.change(before, stake.won, digits),
            draw="" if stake.drawn is None else wording.change(before, stake.drawn, digits),
            loss=wording.change(before, stake.lost, digits),
        )

    def _missing(self, row: int, played: date) -> str:
        if self.standings.rank[row]:
            return ""
        need = least_games(self.board) - int(self.standings.table.games[row])
        wants = ngettext("%(count)d more result needed", "%(count)d more results needed", need) % {
            "count": need
        }
        if not self.standings.is_inactive[row]:
            return wants
        days = (self.today - played).days
        absent = ngettext("no match for %(days)d day", "no match for %(days)d days", days) % {
            "days": days
        }
        if days > LONG_AWAY:
            absent = _("no match since %(day)s") % {"day": wording.day(played)}
        if need > 0:
            return f"{absent}; {wants}"
        return _("%(absent)s; returns with the next result") % {"absent": absent}


def _off_page(
    standings: Standings, filters: StandingsQuery, rows: Sequence[int], mine: int | None
) -> int | None:
    """The viewer's row, where it is ranked and stands on another page."""
    if mine is None or not rows or mine in rows or filters.listed != "ranked":
        return None
    return mine if standings.rank[mine] else None


def _unranked_rows(
    view: View, standings: Standings, filters: StandingsQuery
) -> dict[str, NDArray[np.int64]]:
    """The rows of those who have no rank, which stand beside the ranked ones."""
    if filters.listed != "ranked":
        return {}
    everywhere = StandingsQuery(query=filters.query, on=filters.on, since=filters.since)
    return {
        name: standings.select(replace(everywhere, listed=name), view.matching_ids)
        for name in ("unranked", "inactive")
    }


def _beside(
    writer: _Writer, name: str, rows: NDArray[np.int64] | None, filters: StandingsQuery
) -> Beside:
    if rows is None:
        rows = np.empty(0, np.int64)
    everyone = replace(StandingsQuery(query=filters.query, on=filters.on), listed=name)
    return Beside(
        rows=tuple(writer.row(row) for row in rows[:MOST_BESIDE].tolist()),
        total=wording.players(len(rows)),
        all_url=_page_url(writer.board, everyone, 1) if len(rows) > MOST_BESIDE else "",
    )


def _pages(rows: int) -> int:
    return max(1, -(-rows // PAGE_SIZE))


def _page_url(board: Board, filters: StandingsQuery, number: int) -> str:
    words = filters.parameters() | ({"page": str(number)} if number > 1 else {})
    return f"{board_address(board)}&{urlencode(words)}" if words else board_address(board)


def _unplaced_reason(board: Board, view: View) -> str:
    if view.standings or view.last_at is None:
        return ""
    return describe_rules(board.system, board.shown_parameters).placing_rule


def _rule(board: Board) -> str:
    least = least_games(board)
    needs = ngettext(
        "Players are ranked after %(count)d result in the season.",
        "Players are ranked after %(count)d results in the season.",
        least,
    ) % {"count": least}
    leaves = ngettext(
        "After %(days)d day without a match they lose their place but keep their rating.",
        "After %(days)d days without a match they lose their place but keep their rating.",
        board.active_days,
    ) % {"days": board.active_days}
    placing = describe_rules(board.system, board.shown_parameters).placing_rule
    return f"{needs} {leaves} {placing}".strip()


def _since(board: Board, view: View, today: date) -> str:
    """The day at whose end the former standings were so: of their last result."""
    if view.compared_at is None:
        return ""
    if view.former is not None and len(view.former):
        last = int(view.former.table.last_at.max())
        return wording.day(day_of(moment_of(last), board.league.zone), today)
    return ""


def _mine(standings: Standings, mine: int | None) -> str:
    if mine is None or not standings.rank[mine]:
        return ""
    return _("Jump to me, %(place)s") % {
        "place": wording.place(int(standings.rank[mine]), is_shared=standings.is_shared(mine))
    }


def _mine_url(board: Board, standings: Standings, filters: StandingsQuery, mine: int) -> str:
    """The address of the viewer's row, by the same certainty or without a filter."""
    for words in (
        replace(filters, query="", listed="ranked"),
        StandingsQuery(on=filters.on, since=filters.since),
    ):
        before = standings.select(words, None).searchsorted(mine)
        if standings.select(words, standings.table.player_id[mine : mine + 1]).size:
            return f"{_page_url(board, words, int(before) // PAGE_SIZE + 1)}#me"
    return ""
