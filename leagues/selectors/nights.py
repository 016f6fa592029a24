"""Nights: the days of a season on which results were played, and what was played on one of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import QuerySet

from leagues.domain.civil_days import day_of
from leagues.models import League, Match, Participant, Season
from leagues.selectors.matches import with_players

MOST_NIGHTS = 50
MOST_READ = 2000
"""Results that are read to find the nights of a page."""
_NEWEST_FIRST = ("-played_at", "-same_time_order", "-seq")


@dataclass(frozen=True, slots=True)
class Night:
    """A day with results, in the time zone of the league."""

    on: date
    results: int


@dataclass(frozen=True, slots=True)
class Nights:
    """Nights of a season, the newest first; before `has_older_than` are more of them."""

    rows: tuple[Night, ...]
    has_older_than: date | None


@dataclass(frozen=True, slots=True)
class PlayedNight:
    """The results of a day in the order of play, and the nights around it."""

    matches: tuple[Match, ...]
    count: int
    """Of all results; more than `matches` has where there are very many."""
    previous: date | None
    following: date | None


def nights_of(season: Season, *, before: date | None = None) -> Nights:
    """The newest nights of a season, or those before a day."""
    league, played = season.league, _played(season)
    if before is not None:
        played = played.filter(played_at__lt=league.midnight(before))
    newest = played.order_by(*_NEWEST_FIRST).values_list("played_at", flat=True)
    moments = list(newest[: MOST_READ + 1])
    counts = Counter(day_of(at, league.zone) for at in moments)
    days = list(counts)
    if len(moments) > MOST_READ:
        # Of the last day there may be more than was read.
        if len(days) > 1:
            del days[-1]
        else:
            counts[days[0]] = _on(season, days[0]).count()
    has_older = len(days) > MOST_NIGHTS or len(moments) > MOST_READ
    rows = tuple(Night(day, counts[day]) for day in days[:MOST_NIGHTS])
    return Nights(rows, rows[-1].on if has_older else None)


def played_night(season: Season, on: date, *, at_most: int) -> PlayedNight:
    """What was played on a day; its matches come with their players."""
    league, played, on_day = season.league, _played(season), _on(season, on)
    matches = with_players(on_day.select_related("mode"))
    first = list(matches.order_by("played_at", "same_time_order", "seq")[: at_most + 1])
    for match in first:
        match.league, match.season = league, season
    before = played.filter(played_at__lt=league.midnight(on)).order_by("-played_at").first()
    after = played.filter(played_at__gte=_end(league, on)).order_by("played_at").first()
    return PlayedNight(
        matches=tuple(first[:at_most]),
        count=len(first) if len(first) <= at_most else on_day.count(),
        previous=day_of(before.played_at, league.zone) if before else None,
        following=day_of(after.played_at, league.zone) if after else None,
    )


def newcomers_on(league: League, on: date, players: Collection[int]) -> frozenset[int]:
    """Those of some players of a day who had no result in the league before."""
    known = Participant.objects.filter(
        player__in=players,
        match__status=Match.Status.LIVE,
        match__played_at__lt=league.midnight(on),
    )
    return frozenset(players) - frozenset(known.values_list("player_id", flat=True).distinct())


def _played(season: Season) -> QuerySet[Match]:
    return Match.objects.filter(season=season).live().results()


def _on(season: Season, on: date) -> QuerySet[Match]:
    league = season.league
    return _played(season).filter(
        played_at__gte=league.midnight(on), played_at__lt=_end(league, on)
    )


def _end(league: League, on: date) -> datetime:
    return league.midnight(on + timedelta(days=1))
