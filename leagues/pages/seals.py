"""The seal of a season, as its pages show it."""

from __future__ import annotations

from dataclasses import dataclass

from leagues import wording
from leagues.models import Board, Season
from leagues.pages.integrity import seal_problem


@dataclass(frozen=True, slots=True)
class Seal:
    """When and with what digest a season was sealed."""

    when: str
    digest: str
    """In groups, as people compare it."""
    board_digest: str
    problem: str
    """That what is stored is not what was sealed, if a check has found that."""


def seal_of(season: Season, board: Board | None = None) -> Seal | None:
    """The seal of a season, with that of one of its boards; None where it is not sealed."""
    if not season.is_sealed or season.sealed_at is None:
        return None
    digest = season.sealed_digest
    return Seal(
        when=wording.moment(season.sealed_at, season.league.zone),
        digest=f"{digest[:16]} {digest[16:32]}",
        board_digest=board.seal if board else "",
        problem=seal_problem(season, board),
    )
