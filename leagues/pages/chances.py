"""The chances of a match of two sides in words: who would win how many of a hundred."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import charts, wording
from leagues.bridge import MatchForecast
from leagues.pages.seats import MatchPlayer, is_me_alone, side_name, within

CLOSE = 0.025
"""Chances nearer to even than this are called a coin toss."""
LEAN = 0.60
CLEAR = 0.75
LEAST_DRAW = 0.0005
"""Where draws are less likely than that, nobody has ever seen one."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Win, draw and loss of the first of two sides."""

    win: str
    draw: str
    loss: str
    bar: charts.OddsParts
    span: str
    verdict: str


def chances_of(forecast: MatchForecast, seats: Sequence[Sequence[MatchPlayer]]) -> Chances | None:
    """The chances of the first of two sides, where the system gives any."""
    if forecast.win is None or forecast.loss is None:
        return None
    draw = forecast.draw or 0.0
    span = forecast.spans[0] if forecast.spans else None
    won, drawn, lost = wording.percents((forecast.win, draw, forecast.loss))
    return Chances(
        win=won,
        draw=drawn if draw >= LEAST_DRAW else "",
        loss=lost,
        bar=charts.odds_parts(forecast.win, draw, forecast.loss),
        span=_span_sentence(seats[0], forecast.expected[0], span, has_draws=draw >= LEAST_DRAW),
        verdict=_verdict(forecast.expected[0], within(seats[0]), within(seats[1])),
    )


def _span_sentence(
    side: Sequence[MatchPlayer],
    expected: float,
    span: tuple[float, float] | None,
    *,
    has_draws: bool,
) -> str:
    """Of a hundred matches how many a side would win, a draw counting half."""
    if span is None:
        words = {"side": side_name(side), "points": wording.of_hundred(expected)}
        text = (
            _("Of 100 such matches you would win %(points)s.")
            if is_me_alone(side)
            else _("Of 100 such matches %(side)s would win %(points)s.")
        )
        return _with_draws(text % words, has_draws=has_draws)
    words = {
        "side": within(side),
        "low": wording.of_hundred(span[0]),
        "high": wording.of_hundred(span[1]),
    }
    text = _(
        "Of 100 such matches %(side)s would win between %(low)s and %(high)s: the ratings are too "
        "uncertain to say more."
    )
    return _with_draws(text % words, has_draws=has_draws)


def _with_draws(sentence: str, *, has_draws: bool) -> str:
    if not has_draws:
        return sentence
    return _("%(sentence)s A draw counts as half a win.") % {"sentence": sentence}


def _verdict(expected: float, one: str, other: str) -> str:
    """How even a match would be, in words."""
    ahead = max(expected, 1.0 - expected)
    words = {"side": one if expected >= 0.5 else other}
    if ahead < 0.5 + CLOSE:
        return _("Close to a coin toss.")
    if ahead < LEAN:
        return _("Almost even, very slightly in favour of %(side)s.") % words
    if ahead < CLEAR:
        return _("Slightly in favour of %(side)s.") % words
    if ahead < 0.9:
        return _("Uneven, in favour of %(side)s.") % words
    return _("One-sided, in favour of %(side)s.") % words
