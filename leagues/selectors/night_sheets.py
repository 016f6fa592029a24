"""Night sheets: whose lines they are, and what completes them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from django.contrib.auth.models import User

from leagues.domain.civil_days import day_of
from leagues.domain.score_rules import ScoreRule, usual_finals
from leagues.models import League, NightSheet, Participant, RequestKey
from leagues.selectors.names import known_names

MAX_RECENT = 200
"""The newest places in matches whose players are offered first."""

MIN_NIGHT = 3
"""Players who make a day with results a night: two may have met on any day."""

MAX_SCORES = 10


def usual_scores(league: League, rule: ScoreRule) -> list[tuple[int, int]]:
    """The commonest scores of the newest matches of two sides, the winner's first.

    Of a mode with a rule only those that it knows, and behind them others that it knows.
    """
    rows = Participant.objects.filter(match__league=league, score__isnull=False)
    newest = rows.order_by("-match__played_at", "-match__pk")
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
    return list(dict.fromkeys([*common, *usual_finals(rule, MAX_SCORES)]))[:MAX_SCORES]


def sheet_of(league: League, author: User) -> NightSheet | None:
    """The sheet that somebody is typing in a league."""
    return NightSheet.objects.select_related("mode").filter(league=league, author=author).first()


def request_of_sheet(league: League, source: str, key: UUID | None) -> RequestKey | None:
    """The request by which a sheet was entered, with its revision, if it was."""
    if key is None:
        return None
    known = RequestKey.objects.filter(league=league, source=source, key=str(key))
    return known.select_related("revision__season").first()


@dataclass(frozen=True, slots=True)
class NightNames:
    """Names for a night sheet: who played last, newest first, who was there last night, all."""

    recent: tuple[str, ...] = ()
    last_night: tuple[str, ...] = ()
    last_day: date | None = None
    to_complete: tuple[str, ...] = ()
    """Those of `recent`, then those of the league."""


def night_names(league: League) -> NightNames:
    """Names for a night sheet of a league."""
    recent = Participant.objects.filter(match__league=league, player__is_listed=True)
    newest = recent.order_by("-match__played_at", "-match__pk")
    rows = list(newest.values_list("player__name", "match__played_at")[:MAX_RECENT])
    names = tuple(dict.fromkeys(name for name, _at in rows))
    nights: dict[date, dict[str, None]] = {}
    for name, at in rows:
        nights.setdefault(day_of(at, league.zone), {})[name] = None
    last_day = next((day for day, there in nights.items() if len(there) >= MIN_NIGHT), None)
    return NightNames(
        recent=names,
        last_night=tuple(nights[last_day]) if last_day else (),
        last_day=last_day,
        to_complete=tuple(dict.fromkeys([*names, *known_names(league)])),
    )
