"""Rating systems side by side: who stands where on each board."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.core.cache import cache
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from leagues import bridge, charts, wording
from leagues.domain.civil_days import day_of
from leagues.models import Board, Player
from leagues.pages.boards import Choice, player_address
from leagues.pages.disagreements import Disagreements, disagreements
from leagues.selectors.board_selection import BoardSelection
from leagues.selectors.side_by_side import BoardPlace, SideBySide, side_by_side

PAGE_SIZE = 50
MOST_PAGES = 100_000
CHART_WHOLE = 30
CHART_TOP = 20
CHART_DEPTH = 26
"""Of more than 30 players the chart shows the first 20, and places down to the 26th."""


@dataclass(frozen=True, slots=True)
class Column:
    """A board as a column of ranks; its title leads to the table sorted by it."""

    title: str
    name: str
    url: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class RankRow:
    name: str
    url: str
    ranks: tuple[str, ...]
    spread: str
    is_me: bool


@dataclass(frozen=True, slots=True)
class BoardWords:
    """A disagreement as it is printed."""

    name: str
    url: str
    places: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SystemsPage:
    """The places of players under the systems of one season and mode."""

    heading: str
    columns: tuple[Column, ...]
    rows: tuple[RankRow, ...]
    chart: charts.PlacesChart | None
    chart_label: str
    chart_note: str
    is_open: bool
    """Whether the table is shown at once: the chart holds all of a small league."""
    disagreements: tuple[BoardWords, ...]
    agreement: str
    closeness: str
    """How many places differ no more than the ratings' uncertainty allows."""
    """Said where there is no disagreement to tell."""
    among: str
    previous_url: str
    next_url: str
    where: str
    announcement: str


def systems_address(board: Board, **more: str) -> str:
    """The address of the page sorted by a board."""
    base = reverse("leagues:systems", args=[board.league.slug])
    words = {"season": board.season.slug, "board": board.slug, **more}
    return f"{base}?{urlencode(words)}"


def boards_of_mode(look: BoardSelection) -> tuple[Board, ...]:
    """The boards that rate the same results as the chosen one."""
    chosen = look.board
    return tuple(board for board in look.boards if chosen and board.mode_id == chosen.mode_id)


def mode_tabs(look: BoardSelection) -> tuple[Choice, ...]:
    """A link for each mode of the season, to its first board."""
    first: dict[int, Board] = {}
    for board in look.boards:
        first.setdefault(board.mode_id, board)
    return tuple(
        Choice(
            board.mode.slug,
            board.mode.name,
            look.board is not None and look.board.mode_id == mode_id,
            url=systems_address(board),
        )
        for mode_id, board in first.items()
    )


def titles_of(boards: Sequence[Board]) -> dict[int, str]:
    """The title of each board beside the others: its system, where that tells it apart."""
    systems = Counter(board.system for board in boards)
    return {
        board.pk: bridge.system_info(board.system).title
        if systems[board.system] == 1
        else board.name
        for board in boards
    }


def systems_page(
    *, look: BoardSelection, own: Player | None, page: int, now: datetime
) -> SystemsPage | None:
    """The standings on each board of the chosen board's mode, side by side."""
    chosen = look.board
    if chosen is None:
        return None
    boards = boards_of_mode(look)
    titles = titles_of(boards)
    side = side_by_side(boards, chosen, page=page, size=PAGE_SIZE, now=now)
    differing = _disagreements(side, titles, now)
    me = own.pk if own else 0
    results = max(board.rated_matches for board in boards)
    # A system may have no place for anybody yet; its column would be empty.
    boards_with_players = [board for board in boards if side.rankings[board.pk].players]
    chart = _chart(
        side, boards_with_players, chosen, titles, {row.player_id for row in differing.rows}, me
    )
    return SystemsPage(
        heading=_heading(results, len(boards)),
        columns=tuple(
            Column(titles[board.pk], board.name, systems_address(board), board == chosen)
            for board in boards
        ),
        rows=tuple(_row(side, row, chosen, me) for row in side.rows),
        chart=chart,
        chart_label=_("Place of each player under %(systems)s; the table has the same numbers")
        % {"systems": wording.listing(titles.values())},
        chart_note=_chart_note(side, chosen, titles, chart),
        is_open=chart is None or side.total > CHART_WHOLE,
        disagreements=tuple(
            BoardWords(row.name, player_address(chosen, row.key), row.places, row.reasons)
            for row in differing.rows
        ),
        agreement=_agreement(side) if not differing.rows else "",
        closeness=differing.note,
        among="" if side.is_whole or not differing.rows else _among(side),
        previous_url=_step(chosen, side.page - 1) if side.page > 1 else "",
        next_url=_step(chosen, side.page + 1) if side.page < side.pages else "",
        where=_where(side),
        announcement=wording.players(len(side.rows)),
    )


def _disagreements(side: SideBySide, titles: Mapping[int, str], now: datetime) -> Disagreements:
    """The largest disagreements, kept by what the boards have computed and who is ranked."""
    state = [
        (board.pk, board.generation, board.computed_at, board.ranked_after, board.active_days)
        for board in side.boards
    ]
    # Of a large league they are those of the page, and of the board that it is sorted by.
    named = sorted((one.player_id, one.name) for one in map(_anyone, side.everyone))
    today = day_of(now, side.boards[0].league.zone)
    cache_key = repr((state, side.chosen.pk, named, tuple(titles.values()), today, get_language()))
    key = f"disagree:{hashlib.sha256(cache_key.encode()).hexdigest()}"
    known: Disagreements | None = cache.get(key)
    if known is None:
        known = disagreements(side, titles, now)
        cache.set(key, known)
    return known


def _heading(results: int, boards: int) -> str:
    if not results:
        return _("Rating systems side by side")
    if boards == 1:
        return _("%(results)s, one way to rank them") % {"results": wording.results(results)}
    text = ngettext(
        "The same result, %(count)s ways to rank from it",
        "The same %(results)s, %(count)s ways to rank them",
        results,
    )
    return text % {"results": wording.results(results), "count": wording.small_number(boards)}


def _anyone(row: Mapping[int, BoardPlace]) -> BoardPlace:
    return next(iter(row.values()))


def _row(side: SideBySide, row: Mapping[int, BoardPlace], chosen: Board, me: int) -> RankRow:
    ranks = [side.rank(row, board) for board in side.boards]
    known = [rank for rank, _board in side.placings(row)]
    placed = row[chosen.pk]
    return RankRow(
        name=placed.name,
        url=player_address(chosen, placed.key),
        ranks=tuple(wording.NOTHING if rank is None else wording.count(rank) for rank in ranks),
        spread=wording.count(known[-1] - known[0]) if len(known) > 1 else wording.NOTHING,
        is_me=placed.player_id == me,
    )


def _chart(
    side: SideBySide,
    boards: Sequence[Board],
    chosen: Board,
    titles: Mapping[int, str],
    far_apart: set[int],
    me: int,
) -> charts.PlacesChart | None:
    """Draw all of a small league, the top of a large one; only on the first page."""
    if side.page > 1:
        return None
    is_whole = side.total <= CHART_WHOLE
    rows = side.rows if is_whole else side.rows[:CHART_TOP]
    lines = [
        charts.PlacedLine(
            name=row[chosen.pk].name,
            places=tuple(side.rank(row, board) for board in boards),
            tone="mine"
            if row[chosen.pk].player_id == me
            else "ink"
            if row[chosen.pk].player_id in far_apart
            else "far",
        )
        for row in rows
    ]
    deepest = max((side.rankings[board.pk].players for board in boards), default=0)
    return charts.places_chart(
        [titles[board.pk] for board in boards],
        lines,
        depth=min(deepest, CHART_WHOLE) if is_whole else CHART_DEPTH,
    )


def _chart_note(
    side: SideBySide, chosen: Board, titles: Mapping[int, str], chart: charts.PlacesChart | None
) -> str:
    if chart is None or side.total <= CHART_WHOLE:
        return ""
    note = _("The top %(count)d by %(system)s.") % {
        "count": min(CHART_TOP, len(side.rows)),
        "system": titles[chosen.pk],
    }
    if chart.runs_off:
        note += " " + _("Lines that leave the chart are ranked below %(place)s.") % {
            "place": wording.ordinal(CHART_DEPTH)
        }
    return note


def _agreement(side: SideBySide) -> str:
    if len(side.boards) < 2:
        return ""
    if not side.total:
        return _("No one is ranked yet.")
    return _("The systems agree: no player’s ranks differ by more than one.")


def _among(side: SideBySide) -> str:
    return ngettext(
        "Among the %(count)d player on this page.",
        "Among the %(count)d players on this page.",
        len(side.rows),
    ) % {"count": len(side.rows)}


def _step(chosen: Board, page: int) -> str:
    return systems_address(chosen, page=str(page))


def _where(side: SideBySide) -> str:
    if side.pages == 1:
        return ""
    first = (side.page - 1) * PAGE_SIZE + 1
    return _("%(first)s to %(last)s of %(total)s") % {
        "first": wording.count(first),
        "last": wording.count(first + len(side.rows) - 1),
        "total": wording.players(side.total),
    }
