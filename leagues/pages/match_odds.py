"""The odds and the chances of each place that a match had, drawn and in a sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import bridge, charts, wording
from leagues.bridge import Odds, RatedMatch
from leagues.models import (
    Match,
    Participant,
    Player,
)
from leagues.pages.chances import CLOSE
from leagues.pages.placing import PlacedSide, placed_sides
from leagues.selectors.matches import people_of

MOST_PLACED = 8
"""Of so many sides the chances of each place are told."""


KNOWS_NOTHING = 0.98
"""A range of chances so wide says nothing, and its ends are not told."""

MOST_NAMED = 2
"""Larger sides are named by their first player beside a bar."""


@dataclass(frozen=True, slots=True)
class OddsBar:
    """Win, draw and loss of the first side as parts of a bar."""

    first: str
    second: str
    is_me: bool
    is_against_me: bool
    win: str
    draw: str
    loss: str
    bar: charts.OddsParts
    span_x: str
    span_width: str
    sentence: str


def odds_bar(odds: Odds, match: Match, own: int, me: Player | None, *, has_draws: bool) -> OddsBar:
    """The odds with the side of the chosen player first."""
    rows = people_of(match)
    win, draw, loss = (max(0.0, part) for part in (odds.win, odds.draw, odds.loss))
    span = odds.span
    if own != min(row.side for row in rows):
        win, loss = loss, win
        span = (1.0 - span[1], 1.0 - span[0]) if span else None
    sides = [[row for row in rows if (row.side == own) is is_own] for is_own in (True, False)]
    first, second = (_side_names(side, member_names(rows, me, _("You"))) for side in sides)
    is_me, is_against_me = (any(row.player == me for row in side) for side in sides)
    alone = [side[0].player == me and len(side) == 1 for side in sides]
    names = [_side_names(side, member_names(rows, me, _("you"))) for side in sides]
    won, drawn, lost = wording.percents((win, draw, loss))
    return OddsBar(
        first=first,
        second=second,
        is_me=is_me,
        is_against_me=is_against_me,
        win=won,
        draw=drawn if draw else "",
        loss=lost,
        bar=charts.odds_parts(win, draw, loss),
        span_x=_share(span[0]) if span else "",
        span_width=_share(span[1] - span[0]) if span else "",
        sentence=_odds_sentence(win + draw / 2.0, span, names, alone, has_draws=has_draws),
    )


def place_chances(
    rated: RatedMatch, me: Player | None, names: Mapping[int, str]
) -> tuple[PlacedSide, ...]:
    """The chance of each place that a few sides had."""
    prediction = bridge.placing_of(rated) if len(rated.sides) <= MOST_PLACED else None
    if prediction is None:
        return ()
    rows = people_of(rated.match)
    sides = [[row for row in rows if row.side == number] for number in prediction.sides]
    return placed_sides(
        [_side_names(side, names) for side in sides],
        [any(row.player == me for row in side) for side in sides],
        prediction.places,
        prediction.spans,
    )


def member_names(rows: Sequence[Participant], me: Player | None, you: str) -> dict[int, str]:
    return {row.player_id: you if row.player == me else row.player.name for row in rows}


def _side_names(rows: Sequence[Participant], names: Mapping[int, str]) -> str:
    return wording.team([names[row.player_id] for row in rows], MOST_NAMED)


def _share(part: float) -> str:
    return f"{100 * part:.4g}%"


def _odds_sentence(
    expected: float,
    span: tuple[float, float] | None,
    sides: Sequence[str],
    is_you: Sequence[bool],
    *,
    has_draws: bool,
) -> str:
    """What was expected of the viewer, else of the stronger side."""
    is_close = abs(expected - 0.5) < CLOSE
    about = 0 if is_close or expected > 0.5 or is_you[0] else 1
    if about:
        expected = 1.0 - expected
        span = (1.0 - span[1], 1.0 - span[0]) if span else None
    if is_close:
        sentence = _("By the ratings before the match, it was close to a coin toss.")
    elif not has_draws:
        sentence = (
            _("By the ratings before the match, your chance to win was %(chance)s.")
            if is_you[about]
            else _(
                "By the ratings before the match, the chance that %(side)s would win was "
                "%(chance)s."
            )
        )
    elif is_you[about]:
        sentence = _("By the ratings before the match, you could expect %(points)s of 100 points.")
    else:
        sentence = _(
            "By the ratings before the match, %(side)s could expect %(points)s of 100 points."
        )
    sentence = sentence % {
        "side": sides[about],
        "points": wording.of_hundred(expected),
        "chance": wording.percent(expected),
    }
    if span is None:
        return sentence
    if span[1] - span[0] > KNOWS_NOTHING:
        return f"{sentence} {_('The ratings were too uncertain to tell.')}"
    doubt = _doubt(is_close=is_close, is_you=is_you[about], has_draws=has_draws)
    low, high = (wording.of_hundred(end) for end in span)
    return f"{sentence} {doubt % {'low': low, 'high': high, 'side': sides[about]}}"


def _doubt(*, is_close: bool, is_you: bool, has_draws: bool) -> str:
    """How far off the chance may be; what was close to a coin toss has not named anybody yet."""
    if not is_close:
        return _(
            "Given how uncertain the ratings were, it could be anything from %(low)s to %(high)s."
        )
    if is_you and has_draws:
        return _(
            "Given how uncertain the ratings were, you could expect anything from %(low)s to "
            "%(high)s of 100 points."
        )
    if is_you:
        return _(
            "Given how uncertain the ratings were, you could win anything from %(low)s to %(high)s "
            "of 100 such matches."
        )
    if has_draws:
        return _(
            "Given how uncertain the ratings were, %(side)s could expect anything from %(low)s to "
            "%(high)s of 100 points."
        )
    return _(
        "Given how uncertain the ratings were, %(side)s could win anything from %(low)s to "
        "%(high)s of 100 such matches."
    )
