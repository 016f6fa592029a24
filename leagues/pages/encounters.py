"""What static strengths are computed from: who got whom, and whom the board leaves out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, wording
from leagues.models import Board, Player
from leagues.pages.boards import link_of_player
from leagues.rulebook.static import counts_frags_alone, describe_counting
from leagues.selectors.people import players_by_id
from leagues.selectors.statistics import encounters_on, has_too_many_encounters, players_by_place

MAX_ROWS = 24
"""Players whose rows are shown, the strongest first."""
MAX_COLUMNS = 16
"""The first of them, whose columns fit."""
MAX_DROPPED = 50
LEAST_SHOWN = 0.1
"""Of smaller counts, as of matches of little weight, that they are smaller."""


@dataclass(frozen=True, slots=True)
class EncounterRow:
    """One player: how often each of the others was got, in their order, and sums."""

    number: int
    name: str
    url: str
    cells: tuple[str, ...]
    won: str
    lost: str
    suicides: str


@dataclass(frozen=True, slots=True)
class DroppedRow:
    """A player whom the core leaves out, and why."""

    name: str
    url: str
    reason: str


@dataclass(frozen=True, slots=True)
class EncounterTable:
    """The matrix of a board and its core; `columns` are the numbers of the first rows."""

    heading: str
    sentences: tuple[str, ...]
    columns: tuple[int, ...]
    rows: tuple[EncounterRow, ...]
    has_suicides: bool
    more: str
    """How many placed players have no row."""
    core_rule: str
    dropped: tuple[DroppedRow, ...]
    more_dropped: str


def encounter_table(board: Board) -> EncounterTable | None:
    """The encounters of a board of static strengths; None for other boards and for large ones."""
    counts = encounters_on(board)
    if counts is None or not (counts.core or counts.dropped):
        return None
    core = set(counts.core)
    placed = [player for player in players_by_place(board) if player in core]
    placed += sorted(core.difference(placed))
    dropped = sorted(counts.dropped.items(), key=lambda row: (row[1] is None, -(row[1] or 0)))
    people = players_by_id([*placed[:MAX_ROWS], *(one for one, _n in dropped[:MAX_DROPPED])])
    counts_events = bridge.rates_events(board)
    has_suicides = counts_events and any(counts.suicides.get(one) for one in placed)
    return EncounterTable(
        heading=_("Who got whom") if counts_events else _("Who beat whom"),
        sentences=_sentences(board, counts_events=counts_events),
        columns=tuple(range(1, min(len(placed), MAX_COLUMNS) + 1)),
        rows=_rows(board, counts, placed[:MAX_ROWS], people),
        has_suicides=has_suicides,
        more=_more(len(placed) - MAX_ROWS),
        core_rule=_core_rule(board),
        dropped=tuple(
            DroppedRow(
                people[one].name, link_of_player(board, people[one]), _reason(board, opponents)
            )
            for one, opponents in dropped[:MAX_DROPPED]
        ),
        more_dropped=_more(len(dropped) - MAX_DROPPED),
    )


def no_encounter_table(board: Board) -> str:
    """Why a board of static strengths has no table of encounters; empty for other boards."""
    if not bridge.is_fitted(board) or not has_too_many_encounters(board):
        return ""
    if bridge.rates_events(board):
        return _("Who got whom is not shown here: this board has too many events.")
    return _("Who beat whom is not shown here: this board has too many results.")


def _sentences(board: Board, *, counts_events: bool) -> tuple[str, ...]:
    if not counts_events:
        words = _(
            "Each row counts the wins over the player with the number above; a draw is half a win."
        )
        return (words,)
    parameters = bridge.full_parameters(board.system, board.parameters)
    if counts_frags_alone(parameters):
        words = _("Each row counts how often this player got the one with the number above.")
    else:
        words = _("Each row counts what this player did to the one with the number above.")
    return (words, *describe_counting(parameters))


def _rows(
    board: Board,
    counts: bridge.EncounterCounts,
    placed: Sequence[int],
    people: Mapping[int, Player],
) -> tuple[EncounterRow, ...]:
    core = set(counts.core)
    won: defaultdict[int, float] = defaultdict(float)
    lost: defaultdict[int, float] = defaultdict(float)
    for (one, other), count in counts.won.items():
        if one in core and other in core:
            won[one] += count
            lost[other] += count
    columns = placed[:MAX_COLUMNS]
    return tuple(
        EncounterRow(
            number=number,
            name=people[one].name,
            url=link_of_player(board, people[one]),
            cells=tuple(
                "–" if other == one else _count(counts.won.get((one, other), 0.0))
                for other in columns
            ),
            won=_count(won[one]) or "0",
            lost=_count(lost[one]) or "0",
            suicides=_count(counts.suicides.get(one, 0.0)) or "0",
        )
        for number, one in enumerate(placed, start=1)
    )


def _count(value: float) -> str:
    """A count, which may be half a win or weighted; empty for zero."""
    if not value:
        return ""
    if value < LEAST_SHOWN:
        return _("under %(least)s") % {"least": wording.number(LEAST_SHOWN, 1)}
    return wording.number(value, 0 if value == round(value) else 1)


def _more(count: int) -> str:
    if count <= 0:
        return ""
    return ngettext("and %(count)s more player", "and %(count)s more players", count) % {
        "count": wording.count(count)
    }


def _core_rule(board: Board) -> str:
    needed, times = board.parameters["least_opponents"], board.parameters["least_events"]
    if not needed:
        return _("Everyone who met another player counts.")
    times = max(1, times)
    sentences = (
        ngettext(
            "A player counts who met at least %(count)d opponent often enough.",
            "A player counts who met at least %(count)d opponents often enough.",
            needed,
        )
        % {"count": needed},
        ngettext(
            "Often enough means at least %(count)d time.",
            "Often enough means at least %(count)d times each.",
            times,
        )
        % {"count": times},
        _(
            "Those who are left out no longer count as opponents, until all who are left have "
            "enough."
        ),
    )
    return " ".join(sentences)


def _reason(board: Board, opponents: int | None) -> str:
    if opponents is None:
        return _("met none of the others")
    words = ngettext(
        "%(count)d opponent met often enough, %(needed)d needed",
        "%(count)d opponents met often enough, %(needed)d needed",
        opponents,
    )
    return words % {"count": opponents, "needed": board.parameters["least_opponents"]}
