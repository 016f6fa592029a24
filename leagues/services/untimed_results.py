"""When a result counts that is entered without a time of its own.

It stands at the first instant of its day, before those with a time, unless something says that it
was played later: the start of its match, or the line above it. It has that time then, so that the
numbers at the start hold for it, and lines count in their order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
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
    known: Collection[str] = (),
) -> list[Draft]:
    """The drafts of entries, those that have a moment by what they follow with that as their time.

    Of one call and day none counts before an earlier one that has got such a time. Those `known`
    by their id are stored already and stay. One small query more for results without a time, and
    another where matches of the season were started.
    """
    moments = list(drafts)
    open_starts = _OpenStarts(season)
    latest: dict[date, datetime] = {}
    for index, (entry, draft) in enumerate(zip(entries, drafts, strict=True)):
        if draft is None or not draft.date_only or draft.external_id in known:
            continue
        if not FIRST_INSTANT < draft.played_at < LAST_INSTANT - _DAY:
            # It is refused for its date.
            continue
        on = day_of(draft.played_at, season.league.zone)
        bounds = (entry.follows, open_starts.take(draft, draft.mode or mode), latest.get(on))
        moment = max((at for at in bounds if at is not None), default=None)
        if moment is not None:
            latest[on] = moment
            moments[index] = replace(draft, played_at=moment, date_only=False)
    return moments


class _OpenStarts:
    """The starts of a season without a result yet, each to be taken by one result."""

    def __init__(self, season: Season) -> None:
        self.season = season
        self._is_empty: bool | None = None
        self._of_day: dict[tuple[int, datetime], list[tuple[datetime, frozenset[int]]]] = {}

    def take(self, draft: MatchDraft, mode: Mode) -> datetime | None:
        """When the match began, on the day of a result, that this result ends: the last one."""
        if self._is_empty is None:
            self._is_empty = not has_starts(season=self.season.pk)
        if self._is_empty:
            return None
        place = (mode.pk, draft.played_at)
        if place not in self._of_day:
            self._of_day[place] = self._read(*place)
        starts = self._of_day[place]
        players = frozenset(player.pk for player in players_of(draft))
        at = next((at for at, theirs in starts if theirs == players), None)
        if at is not None:
            starts.remove((at, players))
        return at

    def _read(self, mode_id: int, begin: datetime) -> list[tuple[datetime, frozenset[int]]]:
        """The starts of a mode on a day without a result, the last one first."""
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
        return [(at, frozenset(theirs)) for (at, _seq), theirs in sorted(players.items())[::-1]]
