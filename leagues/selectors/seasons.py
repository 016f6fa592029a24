"""Seasons: which there are, and which of them wait for somebody."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from django.db.models import Count, QuerySet
from django.db.models.expressions import RawSQL

from leagues.models import Board, League, Match, Season
from leagues.services.sealing import sealings_of

VOID = RawSQL(f"'{Match.Status.VOID.value}'", ())  # noqa: S611 - a constant
"""Written out: SQLite takes an index of void matches only where it sees that they are meant."""


def seasons_of(league: League) -> QuerySet[Season]:
    """A league's seasons, the newest first."""
    return league.seasons.all()


def season_names(ids: Collection[int]) -> dict[int, str]:
    """The names of seasons, by their ids."""
    return dict(Season.objects.filter(pk__in=ids).values_list("pk", "name")) if ids else {}


def newest_draft(league: League) -> Season | None:
    """The draft of a league that was created last."""
    draft = league.seasons.filter(state=Season.State.DRAFT).order_by("-pk").first()
    if draft is not None:
        draft.league = league
    return draft


def coming_season(league: League) -> Season | None:
    """The open season that begins next; asked for where the present one is over."""
    is_open = league.seasons.filter(state=Season.State.OPEN)
    coming = is_open.filter(starts_at__isnull=False).order_by("starts_at", "pk").first()
    if coming is not None:
        coming.league = league
    return coming


def current_seasons(leagues: Sequence[League], now: datetime) -> dict[int, Season]:
    """The season of now of each league, by the league's key."""
    current: dict[int, Season] = {}
    known = {league.pk: league for league in leagues}
    rows = Season.objects.filter(league__in=leagues).exclude(state=Season.State.DRAFT)
    for season in sorted(rows, key=lambda row: row.turn(now)):
        season.league = known[season.league_id]
        current[season.league_id] = season
    return current


def season_to_follow(league: League) -> Season | None:
    """The newest season with results, whose ratings another one can go on from."""
    newest: Season | None = (
        league.seasons.filter(last_seq__gt=0).select_related("league").order_by("-pk").first()
    )
    return newest


def overdue_seasons(league: League | None, now: datetime, at_most: int) -> QuerySet[Season]:
    """Seasons of a league, or of all, past their last day and still open; last to end first."""
    over = _seasons(league).filter(state=Season.State.OPEN, ends_at__lte=now)
    return over.select_related("league").order_by("-ends_at")[:at_most]


def closing_seasons(league: League | None, at_most: int) -> QuerySet[Season]:
    """Seasons of a league, or of all, that are closing and not sealed; newest first."""
    closing = _seasons(league).filter(state=Season.State.CLOSING)
    return closing.select_related("league").order_by("-pk")[:at_most]


def sealing_problems(seasons: Iterable[Season]) -> dict[int, str]:
    """Why seasons were not sealed when that was last tried, by the season's key."""
    sealings = sealings_of(seasons)
    return {season: sealing.problem for season, sealing in sealings.items() if sealing.problem}


def void_results(seasons: Iterable[Season]) -> dict[int, int]:
    """How many results of each season are void, by the season's key."""
    void = Match.objects.filter(season__in=list(seasons), status=VOID)
    counted = void.order_by().values_list("season").annotate(number=Count("pk"))
    return dict(counted)


def _seasons(league: League | None) -> QuerySet[Season]:
    return league.seasons.all() if league else Season.objects.all()


def has_other_seasons(board: Board) -> bool:
    """Whether the board's league has seasons besides its own that are no drafts."""
    others = Season.objects.filter(league=board.league_id).exclude(state=Season.State.DRAFT)
    return others.exclude(pk=board.season_id).exists()


def walkovers_on(boards: QuerySet[Board]) -> int:
    """How many walkovers that count as facts lie in the seasons of boards."""
    seasons = boards.order_by().values("season")
    return Match.objects.filter(
        season__in=seasons, kind=Match.Kind.WALKOVER, status=Match.Status.LIVE
    ).count()
