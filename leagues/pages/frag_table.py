"""Who got whom in a match, how often, and what each did besides."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from leagues import wording
from leagues.domain.event_kinds import is_own_kind, own_word
from leagues.models import Board, Match, MatchEvent
from leagues.pages.boards import link_of_player
from leagues.selectors.matches import events_of, people_of

MAX_OWN = 6
"""Kinds of the game's own with a column."""
MAX_COLUMNS = 16
"""Of more players the table says only how often each got somebody."""
_FRAG, _TEAM_KILL, _SUICIDE, _WORLD, _CAPTURE, _DAMAGE = (
    kind.value
    for kind in (
        MatchEvent.Kind.FRAG,
        MatchEvent.Kind.TEAM_KILL,
        MatchEvent.Kind.SUICIDE,
        MatchEvent.Kind.WORLD_DEATH,
        MatchEvent.Kind.CAPTURE,
        MatchEvent.Kind.DAMAGE,
    )
)
DEATHS = frozenset((_FRAG, _TEAM_KILL, _SUICIDE, _WORLD))
_BESIDES = (
    (MatchEvent.Kind.DAMAGE.value, _("Damage")),
    (MatchEvent.Kind.ASSIST.value, _("Assists")),
    (MatchEvent.Kind.FLAG_TAKEN.value, _("Flags taken")),
    (MatchEvent.Kind.FLAG_RETURNED.value, _("Flags returned")),
)
"""Kinds with a column where a match has some, and its title."""


@dataclass(frozen=True, slots=True)
class FragRow:
    """One player: how often the others were got, in their order, and sums."""

    number: int
    name: str
    url: str
    cells: tuple[str, ...]
    frags: int
    deaths: int
    own: int
    """Suicides and deaths by the world."""
    team_kills: int
    captures: int
    others: tuple[str, ...]
    """How much damage, and how many of the other kinds that the table has columns for."""


@dataclass(frozen=True, slots=True)
class FragTable:
    """The players of a match; `columns` are their numbers, where there is room for them."""

    columns: tuple[int, ...]
    rows: tuple[FragRow, ...]
    has_team_kills: bool
    has_captures: bool
    others: tuple[str | Promise, ...]
    """The titles of further columns."""


def frag_table(match: Match, board: Board | None, first: Sequence[int] = ()) -> FragTable | None:
    """The table of a match's events; None where it has none.

    Players of the ids `first` stand first in that order, the others by their rank.
    """
    events = events_of(match)
    if not events:
        return None
    place = {player_id: number for number, player_id in enumerate(first)}
    people = sorted(people_of(match), key=lambda row: place.get(row.player_id, len(place)))
    done = Counter((event.kind, event.player_id) for event in events)
    suffered = Counter(event.opponent_id for event in events if event.kind in (_FRAG, _TEAM_KILL))
    got = Counter((event.player_id, event.opponent_id) for event in events if event.kind == _FRAG)
    besides = _besides_of({kind for kind, _id in done})
    damage = _damage_of(events)
    ids = [row.player_id for row in people]
    shows_cells = len(ids) <= MAX_COLUMNS
    rows = tuple(
        FragRow(
            number=number,
            name=row.player.name,
            url=link_of_player(board, row.player) if board else "",
            cells=_cells(got, row.player_id, ids) if shows_cells else (),
            frags=done[_FRAG, row.player_id],
            deaths=suffered[row.player_id] + _own(done, row.player_id),
            own=_own(done, row.player_id),
            team_kills=done[_TEAM_KILL, row.player_id],
            captures=done[_CAPTURE, row.player_id],
            others=tuple(
                wording.count(
                    round(damage[row.player_id]) if kind == _DAMAGE else done[kind, row.player_id]
                )
                for kind, _title in besides
            ),
        )
        for number, row in enumerate(people, start=1)
    )
    return FragTable(
        columns=tuple(range(1, len(ids) + 1)) if shows_cells else (),
        rows=rows,
        has_team_kills=any(row.team_kills for row in rows),
        has_captures=any(row.captures for row in rows),
        others=tuple(title for _kind, title in besides),
    )


def _besides_of(kinds: Set[str]) -> list[tuple[str, str | Promise]]:
    """The kinds of a match with columns of their own, and their titles."""
    own = sorted(kind for kind in kinds if is_own_kind(kind))
    known = [(kind, title) for kind, title in _BESIDES if kind in kinds]
    return [*known, *((kind, own_word(kind)) for kind in own[:MAX_OWN])]


def _damage_of(events: Sequence[MatchEvent]) -> defaultdict[int, float]:
    """How much damage each player did."""
    damage: defaultdict[int, float] = defaultdict(float)
    for event in events:
        if event.kind == _DAMAGE:
            damage[event.player_id] += event.points
    return damage


def _own(done: Counter[tuple[str, int]], player_id: int) -> int:
    return done[_SUICIDE, player_id] + done[_WORLD, player_id]


def _cells(
    got: Counter[tuple[int, int | None]], player_id: int, ids: Sequence[int]
) -> tuple[str, ...]:
    """How often a player got each of the others; nothing where never, a dash at oneself."""
    return tuple("–" if one == player_id else str(got[player_id, one] or "") for one in ids)
