"""Points given and taken on a board: what the players hold, and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import wording
from leagues.models import Board
from leagues.selectors.statistics import points_on


@dataclass(frozen=True, slots=True)
class AccountsTable:
    """The accounts of a board in words, with the sum that they add up to."""

    rows: tuple[tuple[str, str], ...]
    total: str
    sentence: str


def accounts_table(board: Board) -> AccountsTable | None:
    """The accounts of a board that hold something; None where its system has none, or no result."""
    found = points_on(board)
    if found is None:
        return None
    unit = 10.0**-found.decimals
    words = _names()
    return AccountsTable(
        rows=tuple(
            (words[one.name], wording.with_sign(one.units * unit, found.decimals))
            for one in found.accounts
            if one.units
        ),
        total=wording.number(found.total * unit, found.decimals),
        sentence=_(
            "A player gains from another one what that one loses. What the loser does not have, "
            "and what is won without an opponent, the board gives; what suicides and team kills "
            "cost, no one gains. So these add up to the points of all players."
        ),
    )


def _names() -> dict[str, str]:
    return {
        "clamped": _("Given: what losers did not have"),
        "unopposed": _("Given: captures and others without an opponent"),
        "suicides": _("Taken: suicides and deaths by the world"),
        "team_kills": _("Taken: team kills"),
        "decayed": _("Taken: points lost over time"),
        "start": _("Had at the start"),
    }
