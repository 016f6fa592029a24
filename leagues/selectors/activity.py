"""How much was played when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

from django.core.cache import cache
from django.db.models import CharField, Count, OuterRef, Q, Subquery
from django.db.models.functions import Cast, Substr

from leagues.models import Match, Season

WEEKS = 12
MOST_COUNTED_AT_ONCE = 10_000
"""A season of more results is counted once a minute at most: one result does not show there."""


def weekly_results(seasons: Iterable[Season], now: datetime) -> dict[int, list[int]]:
    """The results of each season in the twelve weeks up to its last one, oldest first.

    Kept by the season's revision, of a large one by the minute: the counting reads as many rows as
    there were results.
    """
    cache_keys = {season.pk: _cache_key(season, now) for season in seasons}
    known = cache.get_many(list(cache_keys.values()))
    weeks = {pk: known[key] for pk, key in cache_keys.items() if key in known}
    missing = [pk for pk in cache_keys if pk not in weeks]
    fresh = _count_weeks(missing) if missing else {}
    cache.set_many({cache_keys[pk]: counts for pk, counts in fresh.items()})
    return weeks | fresh


def _cache_key(season: Season, now: datetime) -> str:
    is_large = season.last_seq > MOST_COUNTED_AT_ONCE
    state = f"{now:%Y%m%d%H%M}" if is_large else season.last_revision
    return f"weeks:{season.pk}:{season.created_at.timestamp()}:{state}"


def _count_weeks(seasons: Sequence[int]) -> dict[int, list[int]]:
    live = Match.objects.live().results()
    newest = live.filter(season=OuterRef("pk")).order_by("-played_at", "-same_time_order", "-seq")
    lasts = dict(
        Season.objects.filter(pk__in=seasons)
        .annotate(last=Subquery(newest.values("played_at")[:1]))
        .values_list("pk", "last")
    )
    spans = Q(pk__in=())
    for pk, last in lasts.items():
        if last:
            spans |= Q(season=pk, played_at__gt=last - timedelta(weeks=WEEKS))
    days = (
        live.filter(spans)
        # Both databases write a moment in UTC; a function of ours would be called for each row.
        .annotate(day=Substr(Cast("played_at", CharField()), 1, len("2026-01-01")))
        .order_by()
        .values_list("season", "day")
        .annotate(results=Count("pk"))
    )
    counts = {pk: [0] * WEEKS for pk in seasons}
    for pk, day, results in days:
        weeks = _weeks_between(date.fromisoformat(day), lasts[pk].date())
        counts[pk][WEEKS - 1 - min(WEEKS - 1, weeks)] += results
    return {pk: _without_leading_zeros(row) for pk, row in counts.items()}


def _weeks_between(day: date, last: date) -> int:
    return (last - day).days // 7


def _without_leading_zeros(row: list[int]) -> list[int]:
    first = next((index for index, value in enumerate(row) if value), len(row))
    return row[first:]
