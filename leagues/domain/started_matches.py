"""What becomes of matches that have begun: a result, a loss of who left them, or nothing yet.

It follows from the facts and the clock alone: from the starts, the results between the same
players, and who was let go. So the order in which these arrive makes no difference, nor when it is
asked once a deadline has passed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from leagues.models import Match, Mode, Season

TICK = timedelta(microseconds=1)
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class StartFact:
    """A start as far as verdicts need it; its players by id."""

    match_id: int
    seq: int
    at: datetime
    deadline: datetime
    players: frozenset[int]
    released: frozenset[int]
    """Who was let go."""
    is_past: bool = False
    """Whether its deadline is known to have passed, whatever the clock says now."""

    @property
    def place(self) -> tuple[datetime, int]:
        """Its place among the starts."""
        return self.at, self.seq

    @property
    def bound(self) -> frozenset[int]:
        """Who loses it by leaving."""
        return self.players - self.released


@dataclass(frozen=True, slots=True)
class ResultFact:
    """A result as far as verdicts need it; one without a time was at any time of its day.

    That can be of no match that began after it was entered. Nor can one at a whole minute, which
    people type for any moment of that minute.
    """

    match_id: int
    seq: int
    first: datetime
    last: datetime
    entered: datetime
    players: frozenset[int]

    @property
    def has_moment(self) -> bool:
        return self.first == self.last


@dataclass(frozen=True, slots=True)
class Verdict:
    """What has become of a start: at which moment, who left it, and with which result."""

    kind: str
    at: datetime
    leavers: frozenset[int] = frozenset()
    result: int | None = None


@dataclass(frozen=True, slots=True)
class _Departure:
    """The first start for which players leave an earlier one."""

    at: datetime
    leavers: frozenset[int]


def deadline_for(started_at: datetime, mode: Mode, season: Season) -> datetime:
    """When a match that starts now counts as lost: by its mode's rule, within its season."""
    deadline = started_at + timedelta(hours=mode.start_hours)
    if season.ends_at is None:
        return deadline
    return min(deadline, max(season.ends_at - TICK, started_at))


def is_lost(match: Match, now: datetime) -> bool:
    """Whether a start counts as lost, be its loss stored yet or not."""
    is_overdue = match.deadline_at is not None and match.deadline_at <= now
    return match.kind == Match.Kind.LEFT or (match.kind == Match.Kind.STARTED and is_overdue)


def verdicts_of(
    starts: Sequence[StartFact], results: Iterable[ResultFact], now: datetime
) -> dict[int, Verdict]:
    """What has become of starts of one mode, by match; all that bear on them are to be there."""
    departures = departures_of(starts)
    by_result = _match_results(starts, results, departures)
    verdicts = {}
    for start in starts:
        departure = departures.get(start.match_id)
        if (result := by_result.get(start.match_id)) is not None:
            verdict = Verdict(Match.Kind.ENDED.value, start.at, result=result)
        elif not start.bound:
            verdict = Verdict(Match.Kind.ENDED.value, start.at)
        elif departure is not None:
            verdict = Verdict(Match.Kind.LEFT.value, departure.at, departure.leavers)
        elif start.is_past or start.deadline <= now:
            verdict = Verdict(Match.Kind.LEFT.value, start.deadline, start.bound)
        else:
            verdict = Verdict(Match.Kind.STARTED.value, start.at)
        verdicts[start.match_id] = verdict
    return verdicts


def departures_of(starts: Sequence[StartFact]) -> Mapping[int, _Departure]:
    """Of each start that players left for another one in time: when, and who did."""
    of_player: dict[int, list[tuple[datetime, int]]] = defaultdict(list)
    for start in sorted(starts, key=lambda one: one.place):
        for player in start.players:
            of_player[player].append(start.place)
    departures = {}
    for start in starts:
        following = {}
        for player in start.bound:
            places = of_player[player]
            index = bisect_right(places, start.place)
            if index < len(places) and places[index][0] <= start.deadline:
                following[player] = places[index][0]
        if following:
            first = min(following.values())
            leavers = frozenset(player for player, at in following.items() if at == first)
            departures[start.match_id] = _Departure(first, leavers)
    return departures


def _match_results(
    starts: Sequence[StartFact],
    results: Iterable[ResultFact],
    departures: Mapping[int, _Departure],
) -> dict[int, int]:
    """The result that ends each start: one between exactly its players, while it was open.

    The earliest result takes first, and of several starts the latest. Results that are left then
    take the starts that are left in their minute.
    """
    of_group: dict[frozenset[int], list[StartFact]] = defaultdict(list)
    for start in sorted(starts, key=lambda one: one.place):
        of_group[start.players].append(start)
    ended: dict[int, int] = {}
    left = []
    for result in sorted(results, key=lambda one: (one.last, one.first, one.seq)):
        group = of_group.get(result.players, [])
        places = [start.at for start in group]
        for start in reversed(group[: bisect_right(places, result.last)]):
            departure = departures.get(start.match_id)
            if start.match_id not in ended and _is_open_at(start, departure, result):
                ended[start.match_id] = result.match_id
                break
        else:
            left.append(result)
    for result in left:
        for start in reversed(of_group.get(result.players, [])):
            is_free = start.match_id not in ended and start.at <= result.entered
            if is_free and result.has_moment and moment_in(start.at, result.first) == start.at:
                ended[start.match_id] = result.match_id
                break
    return ended


def moment_in(started_at: datetime, at: datetime) -> datetime:
    """The moment of a result of a start: that of the start for a time that says its minute only.

    A start has seconds, and people type minutes.
    """
    says_minute = at.second == 0 and at.microsecond == 0
    return started_at if says_minute and at <= started_at < at + MINUTE else at


def _is_open_at(start: StartFact, departure: _Departure | None, result: ResultFact) -> bool:
    """Whether a start was open when a result was played, or at some time of its day."""
    if not result.has_moment and result.entered < start.at:
        return False
    if departure is None:
        return start.deadline >= result.first
    if result.has_moment:
        # What is left at the instant of its start was open at that instant all the same.
        return departure.at > result.first or start.at == result.first
    return departure.at >= result.first
