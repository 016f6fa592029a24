"""The list of leagues: how each stands, in one line."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from leagues import bridge, charts, wording
from leagues.domain.civil_days import day_of
from leagues.models import League
from leagues.pages.ratings import rating
from leagues.pages.showcase import Showcase, showcase
from leagues.selectors.activity import weekly_results
from leagues.selectors.boards import usual_boards
from leagues.selectors.leagues import Leagues, named_leagues
from leagues.selectors.seasons import current_seasons
from leagues.selectors.standing_rows import leaders

PAGE_SIZE = 50


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
    showcase: Showcase | None
    """The demo as proof of what Rungs does, on the first page of the whole list."""
    has_own: bool
    """Whether there is any league besides the demo."""
    is_member: bool
    """Whether the visitor has a role in any league, and needs no introduction."""
    demo_url: str
    next_url: str
    query: str


def league_list(
    *, leagues: Leagues, own: Collection[int] = (), query: str, page: int, now: datetime
) -> LeagueList:
    """Leagues that a visitor may see, 50 at most: those with a role there first, then the demo."""
    start = (page - 1) * PAGE_SIZE
    matching = list(named_leagues(leagues, query, own)[start : start + PAGE_SIZE + 1])
    page_leagues = matching[:PAGE_SIZE]
    rows = tuple(_rows(page_leagues, now))
    words = {"q": query} if query else {}
    more = f"{reverse('leagues:home')}?{urlencode({**words, 'page': page + 1})}"
    demo = next((league for league in page_leagues if league.is_demo), None)
    return LeagueList(
        rows=rows,
        showcase=showcase(league=demo, now=now) if demo and page == 1 and not query else None,
        has_own=any(not league.is_demo for league in page_leagues),
        is_member=bool(own),
        demo_url=reverse("leagues:board", args=[demo.slug]) if demo else "",
        next_url=more if len(matching) > PAGE_SIZE else "",
        query=query,
    )


def _rows(leagues: Sequence[League], now: datetime) -> Iterable[LeagueRow]:
    seasons = current_seasons(leagues, now)
    boards = usual_boards(seasons.values())
    first = leaders(boards.values(), now)
    weeks = weekly_results(seasons.values(), now)
    for league in leagues:
        season = seasons.get(league.pk)
        board = boards.get(season.pk) if season else None
        leader = first.get(board.pk) if board else None
        value = None
        if board and leader:
            value = bridge.shown_now(board, [leader], bridge.display_moment(board, now))[0]
        today = day_of(now, league.zone)
        last_on = day_of(board.last_at, league.zone) if board and board.last_at else None
        yield LeagueRow(
            name=league.name,
            url=reverse("leagues:board", args=[league.slug]),
            season=season.name if season else "",
            tag=_tag(league),
            results=wording.count(board.rated_matches) if board else "0",
            leader=leader.player.name if leader else "",
            leader_rating=_value(value) if value else "",
            spark=charts.spark(weeks.get(season.pk, ())) if season else None,
            last=wording.ago(last_on, today) if last_on else wording.NOTHING,
        )


def _value(value: bridge.ShownValue) -> str:
    text = rating(value)
    return f"{text.value} {text.plus_minus}".strip()


def _tag(league: League) -> str:
    if league.visibility == League.Visibility.PUBLIC:
        return ""
    return str(league.get_visibility_display()).partition(":")[0]
