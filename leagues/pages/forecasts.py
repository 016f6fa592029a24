"""What a board expects of a match played next: how it would end, and what would make it even."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from leagues import bridge, wording
from leagues.bridge import MatchForecast
from leagues.models import Board, Player, Standing
from leagues.pages.entry_stakes import even_address


@dataclass(frozen=True, slots=True)
class EvenMatch:
    """The handicap with which a match of two sides would be even."""

    sentence: str
    points: int
    start: str
    """What the first side is given, such as +64."""
    url: str
    """Of a form with the two sides and that handicap."""


def even_match(
    board: Board,
    sides: Sequence[Sequence[Player]],
    names: Sequence[str],
    standings: Mapping[tuple[int, int], Standing],
    now: datetime,
) -> EvenMatch | None:
    """The handicap that makes a match of two sides even; None where none does."""
    points = even_points(board, sides, standings, now)
    if points is None:
        return None
    if not points:
        return EvenMatch(_("The match would be even without a handicap."), 0, "0", "")
    words = _("With a handicap of %(points)s rating points for %(name)s it would be even.")
    receiver = names[0] if points > 0 else names[1]
    return EvenMatch(
        sentence=words % {"points": wording.number(abs(points)), "name": receiver},
        points=points,
        start=wording.with_sign(points),
        url=even_address(board, [[player.key for player in side] for side in sides], points),
    )


def even_points(
    board: Board,
    sides: Sequence[Sequence[Player]],
    standings: Mapping[tuple[int, int], Standing],
    now: datetime,
) -> int | None:
    """The points that make a match of two sides even if the first is given them."""
    entrants, at = _entrants(board, sides, standings, now)
    return bridge.even_handicap(board, entrants[0], entrants[1], at)


def predict_match(
    board: Board,
    sides: Sequence[Sequence[Player]],
    standings: Mapping[tuple[int, int], Standing],
    now: datetime,
) -> MatchForecast:
    """The forecast of a match played next, from standings by board and player."""
    entrants, at = _entrants(board, sides, standings, now)
    return bridge.prospect(board, entrants, at, bridge.draw_rate(board))


def _entrants(
    board: Board,
    sides: Sequence[Sequence[Player]],
    standings: Mapping[tuple[int, int], Standing],
    now: datetime,
) -> tuple[list[list[bridge.Entrant]], datetime]:
    """The sides of a match played next as its board knows them, and when that is."""
    rows = {player.pk: standings.get((board.pk, player.pk)) for side in sides for player in side}
    known = bridge.entrants_of(board, [player for side in sides for player in side], rows)
    entrants = [[known[player.pk] for player in side] for side in sides]
    return entrants, bridge.match_moment(board, now, *rows.values())
