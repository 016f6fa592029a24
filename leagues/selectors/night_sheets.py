"""Night sheets: whose lines they are, and what completes them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import QuerySet

from leagues.domain.civil_days import day_of
from leagues.domain.leaving import left_among, players_who_left
from leagues.domain.nights import nights_of_moments, of_night
from leagues.domain.score_rules import ScoreRule, usual_finals
from leagues.models import League, Match, NightSheet, Participant, RequestKey
from leagues.selectors.names import known_names
from leagues.selectors.people import without_results
from ratings.files.written_text import read_lines

MAX_RECENT = 200
"""The newest places in matches whose players are offered first."""

MIN_NIGHT = 3
"""Players who make a day with results a night: two may have met on any day."""

MAX_SCORES = 10


def usual_scores(league: League, rule: ScoreRule) -> list[tuple[int, int]]:
    """The commonest scores of the newest matches of two sides, the winner's first.

    Of a mode with a rule only those that it knows, filled up with others that it knows. In the
    order of their points, draws last, so that a score is where it was on the last night.
    """
    newest = _newest_places(league).filter(score__isnull=False)
    sides: dict[int, dict[int, tuple[int, int]]] = {}
    for match, side, rank, score in newest.values_list("match_id", "side", "rank", "score")[
        :MAX_RECENT
    ]:
        sides.setdefault(match, {})[side] = (rank, score or 0)
    counts: Counter[tuple[int, int]] = Counter()
    for reached in sides.values():
        if len(reached) == 2:
            (_first, one), (_second, other) = sorted(reached.values())
            counts[one, other] += 1
    common = [score for score, _count in counts.most_common() if rule.is_final(*score)]
    usual = list(dict.fromkeys([*common, *usual_finals(rule, MAX_SCORES)]))[:MAX_SCORES]
    return sorted(usual, key=lambda score: (score[0] == score[1], score))


def sheet_of(league: League, author: User) -> NightSheet | None:
    """The sheet that somebody is typing in a league."""
    return NightSheet.objects.select_related("mode").filter(league=league, author=author).first()


def open_sheets(author: User, league: League | None = None) -> list[tuple[League, int]]:
    """The leagues in which somebody has typed lines that are not entered, and how many lines.

    Of one league, or of all; the sheet that was typed last comes first.
    """
    sheets = NightSheet.objects.filter(author=author).exclude(text="").order_by("-updated_at")
    if league is not None:
        sheets = sheets.filter(league=league)
    counts = [(sheet.league, _count_lines(sheet)) for sheet in sheets.select_related("league")]
    return [(of, count) for of, count in counts if count]


def _count_lines(sheet: NightSheet) -> int:
    """How many lines of a sheet are results, or try to be."""
    today = day_of(sheet.updated_at, sheet.league.zone)
    return sum(1 for _line in read_lines(sheet.text.split("\n"), today=today))


def request_of_sheet(league: League, source: str, key: UUID | None) -> RequestKey | None:
    """The request by which a sheet was entered, with its revision, if it was."""
    if key is None:
        return None
    known = RequestKey.objects.filter(league=league, source=source, key=str(key))
    return known.select_related("revision__season").first()


def _newest_places(league: League) -> QuerySet[Participant]:
    """The places in matches that count, those of the newest match first."""
    live = Participant.objects.filter(match__league=league, match__status=Match.Status.LIVE)
    return live.order_by("-match__played_at", "-match__pk")


@dataclass(frozen=True, slots=True)
class NightNames:
    """Names for a night sheet: who played last, newest first, who was there last night, all.

    `without_results` are those of the players added last who have not played, newest first.
    """

    recent: tuple[str, ...] = ()
    without_results: tuple[str, ...] = ()
    last_night: tuple[str, ...] = ()
    last_day: date | None = None
    to_complete: tuple[str, ...] = ()
    """Those of `recent`, those without results, then those of the league."""


def night_names(league: League) -> NightNames:
    """Names for a night sheet of a league, without those who left."""
    left = players_who_left(league.pk).values("pk")
    newest = _newest_places(league).filter(player__is_listed=True).exclude(player__in=left)
    columns = ("player__name", "match__played_at", "match__date_only")
    rows = list(newest.values_list(*columns)[:MAX_RECENT])
    names = tuple(dict.fromkeys(name for name, *_moment in rows))
    nights = nights_of_moments([(at, date_only) for _name, at, date_only in rows], league.zone)
    days: dict[date, set[str]] = {}
    for (name, *_moment), night in zip(rows, nights, strict=True):
        days.setdefault(night, set()).add(name)
    last_day = next((day for day, there in days.items() if len(there) >= MIN_NIGHT), None)
    last_night: tuple[str, ...] = ()
    if last_day is not None:
        # All of it: a long night has more places than the newest ones.
        live = Match.objects.filter(league=league).live()
        played = newest.filter(of_night(league, last_day, live, "match__"))
        last_night = tuple(dict.fromkeys(played.values_list("player__name", flat=True)))
    waiting = without_results(league)
    gone = left_among(waiting)
    without = tuple(player.name for player in waiting if player.pk not in gone)
    return NightNames(
        recent=names,
        without_results=without,
        last_night=last_night,
        last_day=last_day,
        to_complete=tuple(dict.fromkeys([*names, *without, *known_names(league)])),
    )
