"""The list of leagues: how each stands, in one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from urllib.parse import urlencode

from django.core.cache import cache
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import TruncDate
from django.urls import reverse

from leagues import bridge, charts, wording
from leagues.models import Board, League, Match, Season
from leagues.pages.ratings import rating
from leagues.selectors.standings import leaders

PAGE_SIZE = 50
WEEKS = 12


@dataclass(frozen=True, slots=True)
class LeagueRow:
    name: str
    url: str
    season: str
    tag: str
    results: str
    leader: str
    leader_rating: str
    spark: charts.Spark | None
    last: str


@dataclass(frozen=True, slots=True)
class LeagueList:
    rows: tuple[LeagueRow, ...]
    next_url: str
    query: str


def league_list(*, leagues: QuerySet[League], query: str, page: int, now: datetime) -> LeagueList:
    """Return leagues that a visitor may see, 50 at most, the demo first."""
    if query:
        leagues = leagues.filter(name__icontains=query)
    start = (page - 1) * PAGE_SIZE
    found = list(leagues.order_by("-is_demo", "name", "pk")[start : start + PAGE_SIZE + 1])
    shown = found[:PAGE_SIZE]
    rows = tuple(_rows(shown, now))
    words = {"q": query} if query else {}
    more = f"{reverse('leagues:home')}?{urlencode({**words, 'page': page + 1})}"
    return LeagueList(rows, more if len(found) > PAGE_SIZE else "", query)


def _rows(leagues: Sequence[League], now: datetime) -> Iterable[LeagueRow]:
    seasons = _current_seasons(leagues, now)
    boards = _first_boards(seasons.values())
    first = leaders(boards.values(), now)
    weeks = weekly_results(seasons.values())
    for league in leagues:
        season = seasons.get(league.pk)
        board = boards.get(season.pk) if season else None
        leader = first.get(board.pk) if board else None
        shown = None
        if board and leader:
            shown = bridge.shown_now(board, [leader], bridge.display_moment(board, now))[0]
        today = now.astimezone(league.zone).date()
        last_on = board.last_at.astimezone(league.zone).date() if board and board.last_at else None
        yield LeagueRow(
            name=league.name,
            url=reverse("leagues:board", args=[league.slug]),
            season=season.name if season else "",
            tag=_tag(league),
            results=wording.count(board.rated_matches) if board else "0",
            leader=leader.player.name if leader else "",
            leader_rating=_value(shown) if shown else "",
            spark=charts.spark(weeks.get(season.pk, ())) if season else None,
            last=wording.since(last_on, today) if last_on else wording.NOTHING,
        )


def _value(shown: bridge.ShownValue) -> str:
    told = rating(shown)
    return f"{told.value} {told.plus_minus}".strip()


def _tag(league: League) -> str:
    if league.visibility == League.Visibility.PUBLIC:
        return ""
    return str(league.get_visibility_display()).partition(":")[0]


def _current_seasons(leagues: Sequence[League], now: datetime) -> dict[int, Season]:
    """Return the season of now of each league."""
    current: dict[int, Season] = {}
    known = {league.pk: league for league in leagues}
    rows = Season.objects.filter(league__in=leagues).exclude(state=Season.State.DRAFT)
    for season in sorted(rows, key=lambda row: row.turn(now)):
        season.league = known[season.league_id]
        current[season.league_id] = season
    return current


def _first_boards(seasons: Iterable[Season]) -> dict[int, Board]:
    """Return the first board of each season."""
    known = {season.pk: season for season in seasons}
    first: dict[int, Board] = {}
    for board in Board.objects.filter(season__in=known):
        board.season = known[board.season_id]
        board.league = board.season.league
        first.setdefault(board.season_id, board)
    return first


def weekly_results(seasons: Iterable[Season]) -> dict[int, list[int]]:
    """Return the results of each season in the twelve weeks up to its last one, oldest first.

    Kept by the season's revision: the counting reads as many rows as there were results.
    """
    kept = {
        season.pk: f"weeks:{season.pk}:{season.created_at.timestamp()}:{season.last_revision}"
        for season in seasons
    }
    known = cache.get_many(list(kept.values()))
    weeks = {pk: known[key] for pk, key in kept.items() if key in known}
    missing = [pk for pk in kept if pk not in weeks]
    fresh = _count_weeks(missing) if missing else {}
    cache.set_many({kept[pk]: counts for pk, counts in fresh.items()})
    return weeks | fresh


def _count_weeks(seasons: Sequence[int]) -> dict[int, list[int]]:
    live = Match.objects.filter(status=Match.Status.LIVE)
    newest = live.filter(season=OuterRef("pk")).order_by("-played_at", "-order_hint", "-seq")
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
        .annotate(day=TruncDate("played_at"))
        .order_by()
        .values_list("season", "day")
        .annotate(results=Count("pk"))
    )
    counts = {pk: [0] * WEEKS for pk in seasons}
    for pk, day, results in days:
        counts[pk][WEEKS - 1 - min(WEEKS - 1, _weeks_between(day, lasts[pk].date()))] += results
    return {pk: _without_leading_zeros(row) for pk, row in counts.items()}


def _weeks_between(day: date, last: date) -> int:
    return (last - day).days // 7


def _without_leading_zeros(row: list[int]) -> list[int]:
    first = next((index for index, value in enumerate(row) if value), len(row))
    return row[first:]
