"""What the results of a rating period do to a player: steps 3 to 8 of Glickman's paper; bodies."""

from __future__ import annotations

import math
from typing import Final

from ratings.engine import Columns, body

THREE_BY_PI_SQUARED: Final = 3.0 / (math.pi * math.pi)

_LEAST_INFORMATION: Final = 1e-12
_PRECISION: Final = 1e-6
_MOST_STEPS: Final = 100
_UP: Final = math.exp(0.5 * _PRECISION)
_DOWN: Final = math.exp(-0.5 * _PRECISION)


@body
def within(value: float, low: float, high: float) -> float:
    """Return the value, or the bound beyond which it lies; `min` and `max` take twice as long."""
    if value < low:
        return low
    return high if value > high else value


@body
def reduction(phi: float) -> float:
    """Return g: how much an opponent's deviation takes from what a result says (step 3)."""
    return 1.0 / math.sqrt(1.0 + THREE_BY_PI_SQUARED * (phi * phi))


@body
def compared(own: float, theirs: float, phi: float, score: float) -> tuple[float, float]:
    """Return g^2 E(1-E) and g(s-E) of one comparison; `phi` is the opponent's (step 3)."""
    g = 1.0 / math.sqrt(1.0 + THREE_BY_PI_SQUARED * (phi * phi))
    z = g * (own - theirs)
    odds = math.exp(-abs(z))
    likely = 1.0 / (1.0 + odds)
    unlikely = odds * likely
    if z >= 0.0:
        return g * g * (likely * unlikely), g * (score * unlikely - (1.0 - score) * likely)
    return g * g * (likely * unlikely), g * (score * likely - (1.0 - score) * unlikely)


@body
def grown(phi: float, volatility: float, periods: float, low: float, high: float) -> float:
    """Return the deviation after idle periods (step 6), within the bounds."""
    return within(math.sqrt(phi * phi + periods * (volatility * volatility)), low, high)


@body
def _slope(y: float, e: float, excess: float, spread: float, steep: float) -> float:
    """Return f of step 5 at x = a + y; e is exp(x), spread phi^2 + v, excess Delta^2 - spread."""
    total = spread + e
    return e * (excess - e) / (2.0 * (total * total)) - y * steep


@body
def _is_positive(y: float, e: float, excess: float, spread: float, tau_squared: float) -> bool:
    """Say whether f of step 5 is above zero at x = a + y, without its divisions."""
    total = spread + e
    return tau_squared * (e * (excess - e)) > 2.0 * y * (total * total)


@body
def new_volatility(phi: float, volatility: float, v: float, delta: float, tau: float) -> float:
    """Return the volatility after a period: the root of step 5's f, to 1e-6 in ln sigma^2.

    A period hardly moves a volatility, so one step of Newton's from the old one nearly always
    lands on the root; f changing its sign within 1e-6 proves it. Where tau is so large, or the
    result so surprising, that f might rise and have further roots, and where the step misses,
    the Illinois iteration of the paper decides.
    """
    variance = volatility * volatility
    spread = phi * phi + v
    excess = delta * delta - spread
    tau_squared = tau * tau
    # f' is below 2 excess / (27 spread) - 1 / tau^2 everywhere.
    if tau_squared * excess < 13.5 * spread:
        total = spread + variance
        turn = excess * (spread - variance) - 2.0 * variance * spread
        rise = tau_squared * (variance * (excess - variance)) * total
        fall = 2.0 * (total * total * total) - tau_squared * (variance * turn)
        if abs(rise) < fall:
            y = rise / fall
            half = math.exp(0.5 * y)
            e = variance * (half * half)
            lower = y - 0.5 * _PRECISION
            upper = y + 0.5 * _PRECISION
            if _is_positive(lower, e * _DOWN, excess, spread, tau_squared) and not _is_positive(
                upper, e * _UP, excess, spread, tau_squared
            ):
                return volatility * half
    return _iterated_volatility(volatility, spread, excess, tau)


@body
def _iterated_volatility(volatility: float, spread: float, excess: float, tau: float) -> float:
    """Return the root of f by the Illinois iteration, everything measured from a = ln sigma^2."""
    variance = volatility * volatility
    steep = 1.0 / (tau * tau)
    low = 0.0
    at_low = _slope(low, variance, excess, spread, steep)
    if excess > 0.0:
        high = math.log(excess) - 2.0 * math.log(volatility)
        at_high = _slope(high, excess, excess, spread, steep)
    else:
        high = -tau
        at_high = _slope(high, variance * math.exp(high), excess, spread, steep)
        steps = 1
        while steps < _MOST_STEPS and at_high < 0.0:
            high -= tau
            at_high = _slope(high, variance * math.exp(high), excess, spread, steep)
            steps += 1
    for _ in range(_MOST_STEPS):
        if abs(high - low) <= _PRECISION:
            break
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = _slope(between, variance * math.exp(between), excess, spread, steep)
        if at_between * at_high <= 0.0:
            low = high
            at_low = at_high
        else:
            at_low *= 0.5
        high = between
        at_high = at_between
    return volatility * math.exp(0.5 * low)


@body
def end_period(
    mu: float,
    phi: float,
    volatility: float,
    information: float,
    gain: float,
    periods: float,
    tau: float,
    bounds: Columns,
) -> tuple[float, float, float]:
    """Return mean, deviation and volatility after a period's results (steps 4 to 8).

    `information` is the sum of g^2 E(1-E), which is 1/v; `gain` the sum of g(s-E); `periods`
    how many periods' growth the deviation takes before the results. Without `tau` the volatility
    stays.
    """
    mean_limit, low_phi, high_phi, low_volatility, high_volatility = bounds
    sigma = volatility
    if tau > 0.0 and information >= _LEAST_INFORMATION:
        v = 1.0 / information
        sigma = new_volatility(phi, volatility, v, v * gain, tau)
        sigma = within(sigma, low_volatility, high_volatility)
    before = phi * phi + periods * (sigma * sigma)
    variance = before / (1.0 + before * information)
    mean = within(mu + variance * gain, -mean_limit, mean_limit)
    return mean, within(math.sqrt(variance), low_phi, high_phi), sigma
