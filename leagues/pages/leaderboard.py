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

from leagues import charts, wording
from leagues.domain.ranking import least_games
from leagues.models import Board, Player
from leagues.pages.absence import Absence, absence_of_all
from leagues.pages.boards import Choice, board_address, player_address
from leagues.pages.leaderboard_choices import (
    FilterForm,
    certainty_choices,
    filter_form,
    hidden_sentence,
)
from leagues.pages.leaderboard_rows import BoardRow, ColumnHeads, Columns, RowWriter
from leagues.pages.starting import StartingTable, carryover_sentence, starting_tables
from leagues.pages.uncertainty import board_notes
from leagues.rulebook import describe_rules
from leagues.selectors.board_selection import BoardReading
from leagues.selectors.group_standings import within_group
from leagues.selectors.people import Roster, Viewer, players_by_id
from leagues.selectors.seasons import void_results
from leagues.selectors.standings import (
    PAGE_SIZE,
    Standings,
    View,
    view_of,
)
from leagues.selectors.standings_query import PLAYING, DayProblem, StandingsQuery

MOST_BESIDE = 10
"""Rows of the lists below the standings; each list has pages of its own."""

BESIDE = ("unranked", "inactive")
"""These lists."""

NOBODY = Viewer()

DAY_PROBLEMS = {
    DayProblem.NO_DAY: gettext_lazy("Invalid date; showing today’s standings."),
    DayProblem.IN_THE_FUTURE: gettext_lazy("That day is in the future; showing today’s standings."),
    DayProblem.TOO_EARLY: gettext_lazy("No results go back that far; showing today’s standings."),
}


@dataclass(frozen=True, slots=True)
class Beside:
    """The first of those on a list beside the standings."""

    rows: tuple[BoardRow, ...]
    total: str
    all_url: str
    """Where the whole list is, if not all of it is here."""


@dataclass(frozen=True, slots=True)
class PlayerLink:
    name: str
    url: str


@dataclass(frozen=True, slots=True)
class FewRanked:
    """How few are ranked yet, and how the others stand beside them."""

    title: str
    words: str


@dataclass(frozen=True, slots=True)
class BoardPage:
    """One page of a board."""

    rows: tuple[BoardRow, ...]
    above: BoardRow | None
    below: BoardRow | None
    """The row of the one who looks, where it is on another page."""
    unranked: Beside
    inactive: Beside
    without_results: tuple[PlayerLink, ...]
    """Whom a search by name finds who have no result here."""
    rule: str
    """What it takes to be ranked."""
    few_ranked: FewRanked | None
    """That players without a rank stand among those few who have one."""
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
    void: str
    """How many results there are that do not count, where nobody has one."""
    carryover: str
    """Where the ratings come from that players begin with, before the first result."""
    starting: tuple[StartingTable, ...]
    unplaced_reason: str
    """Why nobody has one although there are results."""
    absence: Absence | None
    """Why nobody is ranked although some were."""
    certainties: tuple[Choice, ...]
    """How many are how sure; empty where a system cannot tell."""
    form: FilterForm
    day: str
    """Of what day the standings are, in words; empty for today's."""
    is_preparing: bool
    """The changes are not known yet; a job is at them."""
    is_former: bool
    """The newest results are not in it yet."""
    is_of_earlier_day: bool
    """Who is inactive and how certain ratings are is that of the day before."""
    previous_url: str
    next_url: str
    hidden_sentence: str
    announcement: str
    mine: str
    """What leads to the row of the one who looks, in words."""
    mine_url: str

    @property
    def all_notes(self) -> tuple[str, ...]:
        """The notes with what the ranks of a group mean."""
        return (*self.form.group_notes, *self.notes)


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page, who looks, and what has to be prepared before the next one."""

    page: BoardPage | None
    """None while the standings of that day are being prepared."""
    me: Player | None
    missing: tuple[datetime, ...]
    is_held: bool = False
    """It shows what the process held; `bring_up_to_date` is to be called once it is sent."""

    @property
    def is_unready(self) -> bool:
        """Whether what was asked for will be there in a moment."""
        return self.page is None or self.page.is_former or self.is_held


def leaderboard(
    *,
    board: Board,
    reading: BoardReading,
    filters: StandingsQuery,
    now: datetime,
    viewer: Viewer = NOBODY,
    visited: date | None = None,
    hides: bool = False,
    may_be_held: bool = False,
) -> Leaderboard:
    """A page of the standings that are asked for, 50 rows at most.

    Ranks and likely places are those of the whole board, whatever the filter hides. Deviations
    and certainty are those of the midnight that began the day.
    """
    seen = view_of(
        board,
        reading=reading,
        filters=filters,
        now=now,
        viewer=viewer,
        visited=visited,
        may_be_former=True,
        may_be_held=may_be_held,
    )
    view = within_group(seen, board.league, filters, now)
    if view.standings is None:
        return Leaderboard(None, None, view.missing)
    names = Roster(board.league, viewer, view.people, log=reading.log)
    page = _page(board, view, filters, names, now=now, visited=visited, hides=hides)
    return Leaderboard(page, names.viewer(), view.missing, is_held=view.stand_in is not None)


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
    absence = absence_of_all(board, view.standings, filters.on)
    in_table = filters if absence else _in_table(view.standings, filters)
    indices = view.standings.select(in_table, view.matching_ids)
    number = min(filters.page, _pages(len(indices)))
    first = (number - 1) * PAGE_SIZE
    rows = indices[first : first + PAGE_SIZE].tolist()
    beside = _unranked_rows(view, view.standings, in_table)
    _read_names(names, view.standings, [rows, *beside.values()])
    writer = RowWriter(board, view, filters, names, names.viewer(), now=now, hides=hides)
    off_page = _off_page(view.standings, in_table, rows, writer.mine)
    writer.draw([*rows, *([off_page] if off_page is not None else [])])
    my_row = writer.rows([off_page])[0] if off_page is not None else None
    certainties = certainty_choices(view.standings, in_table, view.members)
    is_empty = not len(view.standings)
    return BoardPage(
        rows=writer.rows(rows),
        above=my_row if off_page is not None and off_page < rows[0] else None,
        below=my_row if off_page is not None and off_page > rows[0] else None,
        unranked=_beside(writer, "unranked", beside.get("unranked"), filters),
        inactive=_beside(writer, "inactive", beside.get("inactive"), filters),
        without_results=_without_results(board, view, filters),
        rule=_rule(board),
        few_ranked=_few_ranked(board, view.standings) if in_table.listed == PLAYING else None,
        notes=() if hides else _notes(board, view.standings, in_table, writer),
        scale=writer.scale,
        columns=writer.columns,
        column_heads=writer.column_heads,
        has_rungs=writer.is_low_best,
        is_careful=writer.is_careful,
        listed=filters.listed,
        is_empty=is_empty,
        void=_void(board) if is_empty else "",
        carryover=carryover_sentence(board.season) if is_empty else "",
        starting=starting_tables([board]) if is_empty and not hides else (),
        unplaced_reason=_unplaced_reason(board, view),
        absence=absence,
        certainties=certainties,
        form=filter_form(writer, filters, certainties, visited=visited, now=now),
        day=wording.day(filters.on) if filters.on else "",
        is_preparing=bool(view.missing),
        is_former=view.is_former,
        is_of_earlier_day=view.stand_in is not None and not view.is_former,
        previous_url=_page_url(board, filters, number - 1) if number > 1 else "",
        next_url=_page_url(board, filters, number + 1) if number < _pages(len(indices)) else "",
        hidden_sentence=hidden_sentence(view.standings, in_table, view.members),
        announcement=wording.players(len(indices)),
        mine=_mine(view.standings, in_table, writer.mine),
        mine_url=_mine_url(board, view.standings, in_table, writer.mine),
    )


def _in_table(standings: Standings, filters: StandingsQuery) -> StandingsQuery:
    """Who stands in the table: where hardly anyone is ranked yet, the others who play too."""
    is_joint = filters.listed == "ranked" and standings.has_few_ranked
    return replace(filters, listed=PLAYING) if is_joint else filters


def _read_names(
    names: Roster, standings: Standings, parts: Sequence[Sequence[int] | NDArray[np.int64]]
) -> None:
    """Make the players of the table, and of what is shown of the lists beside it, known."""
    table, *beside = parts
    here = [*table, *(int(row) for part in beside for row in part[:MOST_BESIDE])]
    names.read(standings.table.player_id[here].tolist() if here else [])


def _off_page(
    standings: Standings, filters: StandingsQuery, rows: Sequence[int], mine: int | None
) -> int | None:
    """The viewer's row, where it stands on another page of the table."""
    if mine is None or not rows or mine in rows or filters.listed in BESIDE:
        return None
    return mine if standings.on_list(filters.listed)[mine] else None


def _unranked_rows(
    view: View, standings: Standings, filters: StandingsQuery
) -> dict[str, NDArray[np.int64]]:
    """The rows of those who have no rank, which stand beside the table."""
    if filters.listed in BESIDE:
        return {}
    everywhere = StandingsQuery(
        query=filters.query, group=filters.group, on=filters.on, since=filters.since
    )
    return {
        name: standings.select(replace(everywhere, listed=name), view.matching_ids)
        for name in (BESIDE if filters.listed == "ranked" else ("inactive",))
    }


def _beside(
    writer: RowWriter, name: str, rows: NDArray[np.int64] | None, filters: StandingsQuery
) -> Beside:
    if rows is None:
        rows = np.empty(0, np.int64)
    everyone = StandingsQuery(query=filters.query, group=filters.group, on=filters.on, listed=name)
    return Beside(
        rows=writer.rows(rows[:MOST_BESIDE].tolist()),
        total=wording.players(len(rows)),
        all_url=_page_url(writer.board, everyone, 1) if len(rows) > MOST_BESIDE else "",
    )


def _without_results(board: Board, view: View, filters: StandingsQuery) -> tuple[PlayerLink, ...]:
    if view.standings is None or view.matching_ids is None or not filters.query:
        return ()
    ids = np.setdiff1d(view.matching_ids, view.standings.table.player_id)[:MOST_BESIDE]
    found = sorted(players_by_id(ids.tolist()).values(), key=lambda player: player.folded)
    return tuple(PlayerLink(one.name, player_address(board, one.key)) for one in found)


def _pages(rows: int) -> int:
    return max(1, -(-rows // PAGE_SIZE))


def _page_url(board: Board, filters: StandingsQuery, number: int) -> str:
    words = filters.parameters() | ({"page": str(number)} if number > 1 else {})
    return f"{board_address(board)}&{urlencode(words)}" if words else board_address(board)


def _void(board: Board) -> str:
    count = void_results([board.season]).get(board.season_id, 0)
    words = ngettext(
        "%(count)s result of this season is void and does not count.",
        "%(count)s results of this season are void and do not count.",
        count,
    )
    return words % {"count": wording.count(count)} if count else ""


def _unplaced_reason(board: Board, view: View) -> str:
    if view.standings or view.last_at is None:
        return ""
    return describe_rules(board.system, board.shown_parameters).placing_rule


def _notes(
    board: Board, standings: Standings, filters: StandingsQuery, writer: RowWriter
) -> tuple[str, ...]:
    has_stakes, lists_unranked = writer.has_stakes, filters.listed == PLAYING
    return board_notes(board, standings, has_stakes=has_stakes, lists_unranked=lists_unranked)


def _few_ranked(board: Board, standings: Standings) -> FewRanked:
    ranked, least = int(np.count_nonzero(standings.is_ranked)), least_games(board)
    few = ngettext(
        "Only %(count)d player is ranked so far.",
        "Only %(count)d players are ranked so far.",
        ranked,
    ) % {"count": ranked}
    words = ngettext(
        "A rank takes %(count)d result; players with fewer are listed by their ratings, without "
        "a rank.",
        "A rank takes %(count)d results; players with fewer are listed by their ratings, without "
        "a rank.",
        least,
    ) % {"count": least}
    return FewRanked(few if ranked else _("No one is ranked yet."), words)


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


def _mine(standings: Standings, filters: StandingsQuery, mine: int | None) -> str:
    if mine is None:
        return ""
    if not standings.rank[mine]:
        is_listed = filters.listed == PLAYING and standings.on_list(PLAYING)[mine]
        return _("Jump to me") if is_listed else ""
    return _("Jump to me, %(place)s") % {
        "place": wording.place(int(standings.rank[mine]), is_shared=standings.is_shared(mine))
    }


def _mine_url(board: Board, standings: Standings, filters: StandingsQuery, mine: int | None) -> str:
    """The address of the viewer's row, by the same certainty or without a filter."""
    if mine is None:
        return ""
    listed = PLAYING if filters.listed == PLAYING else "ranked"
    for words in (
        replace(filters, query="", group="", listed=listed),
        StandingsQuery(on=filters.on, since=filters.since, listed=listed),
    ):
        before = standings.select(words, None).searchsorted(mine)
        if standings.select(words, standings.table.player_id[mine : mine + 1]).size:
            number = int(before) // PAGE_SIZE + 1
            return f"{_page_url(board, replace(words, listed='ranked'), number)}#me"
    return ""
