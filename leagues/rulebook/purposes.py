"""What somebody wants a board for, and the system with parameters that does it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Purpose:
    """One way to begin a board: `parameters` are those that differ from a new board's."""

    slug: str
    title: Promise
    reason: Promise
    system: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


PURPOSES = (
    Purpose(
        "uncertainty",
        _("Show how certain each rating is"),
        _("Glicko-2: a range beside every rating; newcomers find their level in a few matches."),
        "glicko2",
    ),
    Purpose(
        "elo",
        _("Plain Elo, as in chess"),
        _("One well-known number; the K factor says how far a match moves it."),
        "elo",
    ),
    Purpose(
        "ladder",
        _("A ladder to climb"),
        _("Beat someone above you and take their place. No points at all."),
        "ladder",
    ),
    Purpose(
        "teams",
        _("Teams and free-for-alls"),
        _("TrueSkill: each player has their own skill, whichever team they play in."),
        "trueskill",
    ),
    Purpose(
        "points",
        _("Points won from each other"),
        _("Zero-sum: what one side wins, the other loses; the total stays the same."),
        "zerosum",
    ),
    Purpose(
        "scores",
        _("Count how clearly someone wins"),
        _("Becker’s rating: each side’s share of the score counts, not only who won."),
        "becker",
        {"use": "scores"},
    ),
    Purpose(
        "tournament",
        _("A finished tournament"),
        _("Static: all results are rated at once; early matches count as much as late ones."),
        "static",
    ),
    Purpose(
        "rank-points",
        _("Rank Points, as in INVERSUS"),
        _("Glicko-2 between 450 and 2550, shown so that a win never costs points."),
        "glicko2",
        {"preset": "inversus", "display": "points"},
    ),
)


def purpose_named(slug: str) -> Purpose | None:
    """The purpose of an address."""
    return next((purpose for purpose in PURPOSES if purpose.slug == slug), None)
