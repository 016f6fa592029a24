"""When a result counts that is entered without a time of its own.

It stands at the first instant of its day, before those with a time, unless something says that it
was played later: the start of its match, or the line above it. It has that time then, so that the
numbers at the start hold for it, and lines count in their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Final, TypeVar

from leagues.domain.civil_days import day_of, start_of_day
from leagues.models import Match, Mode, Participant, Season
from leagues.models.checks import FIRST_INSTANT, LAST_INSTANT
from leagues.services.drafts import MatchDraft, players_of
from leagues.services.entry_drafts import MatchEntry
from leagues.services.start_verdicts import has_starts

_DAY: Final = timedelta(days=1)
Draft = TypeVar("Draft", MatchDraft, MatchDraft | None)


def with_moments(
    entries: Sequence[MatchEntry],
    drafts: Sequence[Draft],
    *,
    season: Season,
    mode: Mode,
    known: Mapping[str, Match] = MappingProxyType({}),
) -> list[Draft]:
    """The drafts of entries, those that have a moment by what they follow with that as their time.

    Of one call and day none counts before an earlier one that has got such a time, now or when it
    was sent before: those `known` by their id stay as they are. One small query more for results
    without a time, and another where matches of the season were started.
    """
    moments = list(drafts)
    zone = season.league.zone
    untimed = {
        index: draft
        for index, draft in enumerate(drafts)
        # One out of these bounds is refused for its date.
        if draft is not None
        and draft.date_only
        and FIRST_INSTANT < draft.played_at < LAST_INSTANT - _DAY
    }
    new = [draft for draft in untimed.values() if draft.external_id not in known]
    open_starts = _OpenStarts(season, Counter(_place(draft, mode) for draft in new))
    latest: dict[date, datetime] = {}
    for index, draft in untimed.items():
        on = day_of(draft.played_at, zone)
        if stored := known.get(draft.external_id or ""):
            if not stored.date_only and day_of(stored.played_at, zone) == on:
                latest[on] = max(stored.played_at, latest.get(on, stored.played_at))
            continue
        bounds = (entries[index].follows, open_starts.take(_place(draft, mode)), latest.get(on))
        moment = max((at for at in bounds if at is not None), default=None)
        if moment is not None:
            latest[on] = moment
            moments[index] = replace(draft, played_at=moment, date_only=False, is_after=True)
    return moments


_Place = tuple[int, datetime, frozenset[int]]
"""A mode, the beginning of a day, and players."""


def _place(draft: MatchDraft, mode: Mode) -> _Place:
    players = frozenset(player.pk for player in players_of(draft))
    return (draft.mode or mode).pk, draft.played_at, players


class _OpenStarts:
    """The starts of a season without a result yet, each to be taken by one result.

    Of several matches of the same players on a day, so many results end the last ones, in order.
    """

    def __init__(self, season: Season, results: Counter[_Place]) -> None:
        self.season = season
        self._results = results
        self._is_empty: bool | None = None
        self._of_day: dict[tuple[int, datetime], dict[frozenset[int], list[datetime]]] = {}

    def take(self, place: _Place) -> datetime | None:
        """When the match began, on the day of a result, that this result ends."""
        if self._is_empty is None:
            self._is_empty = not has_starts(season=self.season.pk)
        if self._is_empty:
            return None
        mode_id, begin, players = place
        if (mode_id, begin) not in self._of_day:
            self._of_day[mode_id, begin] = self._read(mode_id, begin)
        starts = self._of_day[mode_id, begin].get(players)
        if not starts:
            return None
        at = starts[-min(self._results[place], len(starts))]
        self._results[place] -= 1
        starts.remove(at)
        return at

    def _read(self, mode_id: int, begin: datetime) -> dict[frozenset[int], list[datetime]]:
        """When matches of a mode began on a day that have no result, by their players, in order."""
        zone = self.season.league.zone
        end = start_of_day(day_of(begin, zone) + _DAY, zone)
        rows = Participant.objects.filter(
            match__in=Match.objects.starts()
            .filter(season=self.season.pk, mode=mode_id, started_at__gte=begin, started_at__lt=end)
            .exclude(kind=Match.Kind.ENDED)
            .order_by()
            .values("pk")
        ).values_list("match__started_at", "match__seq", "player")
        players: dict[tuple[datetime, int], set[int]] = {}
        for at, seq, player_id in rows:
            if at is not None and seq is not None:
                players.setdefault((at, seq), set()).add(player_id)
        starts: dict[frozenset[int], list[datetime]] = {}
        for (at, _seq), theirs in sorted(players.items()):
            starts.setdefault(frozenset(theirs), []).append(at)
        return starts
