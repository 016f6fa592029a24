"""The rows of a leaderboard, as strings: equal rows in equal columns look the same."""

from __future__ import annotations

from dataclasses import dataclass

from leagues import charts
from leagues.pages.ratings import Rating


@dataclass(frozen=True, slots=True)
class Change:
    """How many places somebody went up or down: the class of the sign, words, a number."""

    mark: str
    words: str
    places: str


@dataclass(frozen=True, slots=True)
class AtStake:
    """What a match against somebody would do to the one who looks."""

    win: str
    draw: str
    loss: str


@dataclass(frozen=True, slots=True)
class BoardRow:
    rank: str
    name: str
    url: str
    rating: Rating
    rung: charts.Rung | None
    likely: str
    results: str
    tally: str
    form: charts.Form | None
    last: str
    change: Change | None
    stake: AtStake | None
    missing: str
    """Why there is no rank."""
    is_me: bool

    @property
    def is_personal(self) -> bool:
        """Whether only one visitor sees this row so."""
        return self.is_me or self.stake is not None


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns a leaderboard has besides those that all have."""

    has_changes: bool
    has_ratings: bool
    has_ranges: bool
    has_scale: bool
    """Ranges are drawn, which takes a row with one."""
    has_levels: bool
    has_likely: bool
    has_stakes: bool


@dataclass(frozen=True, slots=True)
class ColumnHeads:
    """What stands above the columns, where it is not the same on all boards."""

    rating: str
    tally: str
    since: str
    """From when on the changes are, in words."""
    scale: charts.Scale | None
    is_low_best: bool
    has_draws: bool
