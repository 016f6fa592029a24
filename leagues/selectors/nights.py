"""Nights: the days of a season with results, on to the small hours, and what was played on each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta

from leagues.domain.civil_days import day_of
from leagues.domain.nights import (
    after_night,
    before_night,
    evening,
    is_in_small_hours,
    nights_of_moments,
    of_night,
)
from leagues.models import League, Match, Participant, Season
from leagues.models.match import MatchQuerySet
from leagues.selectors.matches import with_players

MOST_NIGHTS = 50
MOST_READ = 2000
"""Results that are read to find the nights of a page."""
_NEWEST_FIRST = ("-played_at", "-same_time_order", "-seq")


@dataclass(frozen=True, slots=True)
class Night:
    """A day with results, in the time zone of the league; its evening may go past midnight."""

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
    last_day: date
    """The civil day on which it ended."""
    previous: date | None
    following: date | None


def nights_of(season: Season, *, before: date | None = None) -> Nights:
    """The newest nights of a season, or those before a day."""
    league, played = season.league, _played(season)
    if before is not None:
        played = played.filter(before_night(league, before, _played(season)))
    newest = played.order_by(*_NEWEST_FIRST).values_list("played_at", "date_only")
    moments = list(newest[: MOST_READ + 1])
    counts = Counter(nights_of_moments(moments, league.zone))
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
    """What was played on a night; its matches come with their players."""
    league, played, on_day = season.league, _played(season), _on(season, on)
    matches = with_players(on_day.select_related("mode"))
    first = list(matches.order_by("played_at", "same_time_order", "seq")[: at_most + 1])
    for match in first:
        match.league, match.season = league, season
    before = played.filter(before_night(league, on, played)).order_by("-played_at").first()
    after = played.filter(after_night(league, on, played)).order_by("played_at").first()
    return PlayedNight(
        matches=tuple(first[:at_most]),
        count=len(first) if len(first) <= at_most else on_day.count(),
        last_day=day_of(first[-1].played_at, league.zone) if first else on,
        previous=night_of(before, season) if before else None,
        following=night_of(after, season) if after else None,
    )


def night_of(match: Match, season: Season) -> date:
    """The night of a result of a season, by its first day."""
    on = day_of(match.played_at, season.league.zone)
    if not is_in_small_hours(match.played_at, match.date_only, season.league.zone):
        return on
    before = on - timedelta(days=1)
    return before if _played(season).filter(evening(season.league, before)).exists() else on


def night_past_midnight(season: Season, on: date) -> date | None:
    """The night that went on into a day, if it did."""
    before = on - timedelta(days=1)
    late = _on(season, before).filter(played_at__gte=season.league.midnight(on))
    return before if late.exists() else None


def newcomers_on(league: League, on: date, players: Collection[int]) -> frozenset[int]:
    """Those of some players of a night who had no result in the league before."""
    results = Match.objects.filter(league=league).live().results()
    known = Participant.objects.filter(
        before_night(league, on, results, "match__"),
        player__in=players,
        match__status=Match.Status.LIVE,
    )
    return frozenset(players) - frozenset(known.values_list("player_id", flat=True).distinct())


def _played(season: Season) -> MatchQuerySet:
    return Match.objects.filter(season=season).live().results()


def _on(season: Season, on: date) -> MatchQuerySet:
    played = _played(season)
    return played.filter(of_night(season.league, on, played))
