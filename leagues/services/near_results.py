"""The stored results that may say the same as new ones: of the same players, and near in time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import F, Q, QuerySet

from leagues.domain.civil_days import start_of_day
from leagues.domain.nights import end_of_night, nights_of_moment
from leagues.models import Match, Mode, Season
from leagues.services.drafts import MatchDraft
from leagues.store.match_pairs import Span, read_matches_of_pair, read_matches_of_pairs
from leagues.store.prepared import prepare

SAME_WITHIN = timedelta(hours=2)
"""How long the same result stays one that was perhaps entered twice."""

MAX_COMPARED = 2000
"""Stored results that the results of one call are compared with."""
MOST_MEETINGS = 50
"""Matches of two players that are all looked at."""
RESULT_COLUMNS = (
    *("pk", "kind", "weight", "detail", "sets", "played_at", "date_only", "recorded_at"),
)


class StoredResult(NamedTuple):
    """A match that is stored, in the order of `RESULT_COLUMNS`."""

    match_id: int
    kind: str
    weight: float
    detail: str
    sets: str
    played_at: datetime
    date_only: bool
    recorded_at: datetime


def read_near_results(
    drafts: Sequence[MatchDraft], season: Season, mode: Mode
) -> list[StoredResult]:
    """The newest stored results that the first players of some draft's first sides are in.

    As many statements for a hundred drafts as for two, and no row of other players' results: on
    a busy day thousands are as near in time.
    """
    pairs = sorted({pair for draft in drafts if (pair := _first_players(draft))})
    if not pairs:
        return []
    span = _span(drafts, season.league.zone)
    shared = _matches_of_pairs(pairs[:MAX_COMPARED], season, span)
    rows = _results_among(
        season=season.pk,
        mode=mode.pk,
        matches=sorted(shared)[-MAX_COMPARED:],
        **span._asdict(),
    )
    return [StoredResult(*row) for row in rows]


def is_near(draft: MatchDraft, result: StoredResult, zone: ZoneInfo) -> bool:
    """Whether two results may be one by their times: of one without a time, by its night."""
    if has_no_time(draft) or result.date_only:
        nights = nights_of_moment(draft.played_at, draft.date_only, zone)
        return not nights.isdisjoint(nights_of_moment(result.played_at, result.date_only, zone))
    return abs(draft.played_at - result.played_at) <= SAME_WITHIN


def has_no_time(draft: MatchDraft) -> bool:
    """Whether nothing says at which time of its night a result was played."""
    return draft.date_only or draft.is_after


def _span(drafts: Sequence[MatchDraft], zone: ZoneInfo) -> Span:
    """When results were played that may be near: whole nights only of those without a time.

    Of the days before that only the beginnings, where their results without a time stand.
    """
    times = [draft.played_at for draft in drafts]
    bounds = [min(times) - SAME_WITHIN, max(times) + SAME_WITHIN]
    for draft in filter(has_no_time, drafts):
        nights = nights_of_moment(draft.played_at, draft.date_only, zone)
        bounds += [start_of_day(min(nights), zone), end_of_night(max(nights), zone)]
    first = nights_of_moment(min(times), False, zone)
    return Span(
        min(bounds),
        max(bounds),
        day=start_of_day(max(first), zone),
        day_before=start_of_day(min(first), zone),
    )


def _matches_of_pairs(pairs: Sequence[tuple[int, int]], season: Season, span: Span) -> list[int]:
    """The matches of some pairs that may be near in time; of a pair that met seldom all."""
    if len(pairs) == 1:
        # Most have met a few times at most: to look at these is planned sooner than a search.
        shared = read_matches_of_pair(*pairs[0])
        if len(shared) <= MOST_MEETINGS:
            return shared
    return read_matches_of_pairs(pairs, season.pk, span)


def _first_players(draft: MatchDraft) -> tuple[int, int] | None:
    """Who is named first on each of the first two sides, if they are stored."""
    keys = [side.members[0].player.pk for side in draft.sides[:2] if side.members]
    return (keys[0], keys[1]) if len(keys) == 2 and None not in keys else None


@prepare
def _results_among(
    *,
    season: int,
    mode: int,
    matches: list[int],
    earliest: datetime,
    latest: datetime,
    day: datetime,
    day_before: datetime,
) -> QuerySet[Match, tuple[Any, ...]]:
    """Of matches by their keys those that count, of a season and mode and a span of time.

    A sum is what no index of matches is taken for.
    """
    live = Match.objects.live().filter(pk__in=matches)
    is_within = Q(played_at__gte=earliest, played_at__lte=latest)
    near = live.filter(is_within | Q(played_at=day) | Q(played_at=day_before))
    within = near.alias(of_season=F("season") + 0, of_mode=F("mode") + 0)
    return newest(within.filter(of_season=season, of_mode=mode))


def newest(matches: QuerySet[Match]) -> QuerySet[Match, tuple[Any, ...]]:
    """The matches that were stored last, as columns."""
    rows = matches.order_by("-recorded_at", "-pk").values_list(*RESULT_COLUMNS)
    return rows[:MAX_COMPARED]
