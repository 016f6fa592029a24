"""Which night a result belongs to: that of its day, or the one whose evening goes past midnight.

As on a night sheet, where a time in the small hours below one of the evening is of the same night.
Nothing is stored: the times of the results say it, however these were entered.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import Exists, Q

from leagues.domain.civil_days import day_of
from leagues.models import League
from leagues.models.match import MatchQuerySet
from ratings.files.written_leads import EVENING, MORNING

_DAY: Final = timedelta(days=1)
Moment = tuple[datetime, bool]
"""When a result was played, and whether only its day is known."""


def nights_of_moments(moments: Sequence[Moment], zone: ZoneInfo) -> list[date]:
    """The night of each moment, where those of the evenings before are among them."""
    evenings = {
        day_of(at, zone)
        for at, date_only in moments
        if not date_only and at.astimezone(zone).time() >= EVENING
    }
    nights = []
    for at, date_only in moments:
        on = day_of(at, zone)
        is_late = is_in_small_hours(at, date_only, zone) and on - _DAY in evenings
        nights.append(on - _DAY if is_late else on)
    return nights


def evening_of(at: datetime, zone: ZoneInfo) -> date:
    """The day of the evening that a moment belongs to: in the small hours still that before."""
    return day_of(at, zone) - _DAY if is_in_small_hours(at, False, zone) else day_of(at, zone)


def nights_of_moment(at: datetime, date_only: bool, zone: ZoneInfo) -> set[date]:
    """The nights that a moment may belong to: in the small hours its day, and the one before."""
    return {day_of(at, zone)} | (set() if date_only else {evening_of(at, zone)})


def end_of_night(on: date, zone: ZoneInfo) -> datetime:
    """The morning after the evening of a day, by the clocks of that morning."""
    return datetime.combine(on + _DAY, MORNING, tzinfo=zone).astimezone(UTC)


def is_in_small_hours(at: datetime, date_only: bool, zone: ZoneInfo) -> bool:
    """Whether a result was played so early that it may belong to the evening before."""
    return not date_only and at.astimezone(zone).time() < MORNING


def evening(league: League, on: date) -> Q:
    """The matches of the evening of a day; with them the night goes on past midnight."""
    return Q(
        date_only=False, played_at__gte=_at(league, on, EVENING), played_at__lt=_end(league, on)
    )


def of_night(league: League, on: date, results: MatchQuerySet, match: str = "") -> Q:
    """The matches of a night; `results` are those whose evenings count.

    `match` leads to them from other rows, as `match__`.
    """
    within = Q(
        **{
            f"{match}played_at__gte": league.midnight(on),
            f"{match}played_at__lt": end_of_night(on, league.zone),
        }
    )
    of_day = Q(**{f"{match}played_at__lt": _end(league, on)})
    early = of_day & ~_past_midnight(league, on, results, match)
    return within & (early | _past_midnight(league, on + _DAY, results, match))


def before_night(league: League, on: date, results: MatchQuerySet, match: str = "") -> Q:
    """The matches of earlier nights."""
    # Alone, the two would let a database look through everything since.
    bound = Q(**{f"{match}played_at__lt": _at(league, on, MORNING)})
    earlier = Q(**{f"{match}played_at__lt": league.midnight(on)})
    return bound & (earlier | _past_midnight(league, on, results, match))


def after_night(league: League, on: date, results: MatchQuerySet) -> Q:
    """The matches of later nights."""
    later = Q(played_at__gte=_end(league, on))
    return later & ~_past_midnight(league, on + _DAY, results)


def _past_midnight(league: League, on: date, results: MatchQuerySet, match: str = "") -> Q:
    """The matches of the small hours of a day that belong to the evening before."""
    small_hours = Q(
        **{
            f"{match}date_only": False,
            f"{match}played_at__gte": league.midnight(on),
            f"{match}played_at__lt": _at(league, on, MORNING),
        }
    )
    return small_hours & Q(Exists(results.filter(evening(league, on - _DAY))))


def _end(league: League, on: date) -> datetime:
    return league.midnight(on + _DAY)


def _at(league: League, on: date, clock: time) -> datetime:
    return datetime.combine(on, clock, tzinfo=league.zone).astimezone(UTC)
