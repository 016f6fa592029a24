"""The reasons of partners in a match, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import bridge
from leagues.bridge import RatedMatch, RatingChange
from leagues.pages.reasons import points_of

MOST_SHARERS = 6
"""Up to this many players of a side have their reasons side by side."""


@dataclass(frozen=True, slots=True)
class SharesTable:
    """The reasons of all partners side by side: one column a player, one row a cause."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    totals: tuple[str, ...]


def shares_table(
    rated: RatedMatch, own_side: Sequence[RatingChange], names: Mapping[int, str]
) -> SharesTable | None:
    """The reasons of partners side by side."""
    if not 1 < len(own_side) <= MOST_SHARERS:
        return None
    explanations = [bridge.explanation_of(rated, account) for account in own_side]
    if not all(one.reasons for one in explanations):
        return None
    rows = [
        (
            _cause_word(causes[0].cause),
            tuple(
                points_of(reason.units, one.decimals)
                for reason, one in zip(causes, explanations, strict=True)
            ),
        )
        for causes in zip(*(one.reasons for one in explanations), strict=True)
        if any(reason.units for reason in causes)
    ]
    return SharesTable(
        names=tuple(names[one.player_id] for one in explanations),
        rows=tuple(rows),
        totals=tuple(points_of(one.units, one.decimals) for one in explanations),
    )


def _cause_word(cause: str) -> str:
    return {
        "result": _("The result, between equals with certain ratings"),
        "opponent_strength": _("Strength of the others"),
        "opponent_uncertainty": _("How certain the others’ ratings were"),
        "own_uncertainty": _("How certain their own rating was"),
        "team": _("Team-mates and sizes of the sides"),
        "handicap": _("The handicap"),
        "score": _("The score"),
        "weight": _("Weight of the match"),
        "bounds": _("Limits"),
    }[cause]
