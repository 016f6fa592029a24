"""Sides side by side: their matches, whom everybody has met, ratings over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, charts, wording
from leagues.bridge import History, HistoryPoint, ShownValue
from leagues.facts import micros, moment
from leagues.models import Board, Player, Standing
from leagues.selectors.boards import player_address
from leagues.selectors.meetings import (
    Encounter,
    Record,
    added,
    common_opponents,
    encounters,
    record_of,
)
from leagues.selectors.ratings import rating
from leagues.selectors.seats import Seat, is_me_alone, moved, side_name, within
from leagues.selectors.timelines import drawn_until

MOST_MATCHES = 8
MOST_RIVALS = 10
MOST_DAYS = 60


@dataclass(frozen=True, slots=True)
class DuelMatch:
    """One match of the two sides, as the first saw it."""

    url: str
    day: str
    result: str
    score: str
    expected: str
    change: str


@dataclass(frozen=True, slots=True)
class HeadToHead:
    heading: str
    sentence: str
    taken: str
    """The sentence without what ratings expected."""
    rows: tuple[DuelMatch, ...]
    more: str

    @property
    def has_scores(self) -> bool:
        return any(row.score for row in self.rows)

    @property
    def has_expectations(self) -> bool:
        return any(row.expected for row in self.rows)

    @property
    def has_changes(self) -> bool:
        return any(row.change for row in self.rows)


@dataclass(frozen=True, slots=True)
class Rival:
    """Somebody whom all have met, and what each won, drew and lost there."""

    name: str
    url: str
    records: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rivals:
    sentence: str
    rows: tuple[Rival, ...]
    more: str
    """How many others there are."""


@dataclass(frozen=True, slots=True)
class PastDay:
    """A day on which one of them played, and the ratings at its end."""

    day: str
    ratings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Ratings over time, and the same as a table, newest first."""

    drawn: charts.ComparedChart
    label: str
    names: tuple[str, ...]
    days: tuple[PastDay, ...]
    is_cut: bool
    """The pause since the last match is longer than drawn."""


def head_to_head(
    board: Board, sides: Sequence[Sequence[Seat]], pasts: Mapping[int, History], today: date
) -> HeadToHead:
    """Return the matches of two sides against each other, newest first.

    Changes are told of single players only: in a team each has another one.
    """
    one, other = sides
    met = encounters(board, *([seat.player.pk for seat in side] for side in sides))
    steps = _played(pasts.get(one[0].player.pk))
    zone = board.league.zone
    rows = tuple(
        DuelMatch(
            url=reverse("leagues:match", args=[board.league.slug, board.season.slug, match.seq]),
            day=wording.day(match.played_at.astimezone(zone).date(), today),
            result=_result(match, one, other),
            score=_score(match),
            expected=_expected(match, steps.get(match.seq)),
            change=_change(board, steps.get(match.seq)) if len(one) == 1 else "",
        )
        for match in met[:MOST_MATCHES]
    )
    record = record_of(met)
    hidden = len(met) - len(rows)
    return HeadToHead(
        heading=_heading(record, one, other),
        sentence=_points_sentence(met, record, steps, one),
        taken=_points_sentence(met, record, {}, one),
        rows=rows,
        more=_and_before(hidden) if hidden > 0 else "",
    )


def _and_before(count: int) -> str:
    words = ngettext("and %(count)s match before", "and %(count)s matches before", count)
    return words % {"count": wording.count(count)}


def _heading(record: Record, one: Sequence[Seat], other: Sequence[Seat]) -> str:
    if not record.games:
        return _("You have not met yet") if is_me_alone(one) else _("They have not met yet")
    if record.won == record.lost:
        return _("So far: level")
    leader, won, lost = (
        (one, record.won, record.lost)
        if record.won > record.lost
        else (other, record.lost, record.won)
    )
    words = {"name": side_name(leader), "won": won, "lost": lost}
    if is_me_alone(leader):
        return _("So far: you lead %(won)d to %(lost)d") % words
    if len(leader) > 1:
        return _("So far: %(name)s lead %(won)d to %(lost)d") % words
    return _("So far: %(name)s leads %(won)d to %(lost)d") % words


def _points_sentence(
    met: Sequence[Encounter],
    record: Record,
    steps: Mapping[int, tuple[ShownValue, HistoryPoint]],
    one: Sequence[Seat],
) -> str:
    """Say how many points the first took, and how many the ratings of each day expected."""
    if not met:
        return ""
    expected = [
        steps[match.seq][1].expected for match in met if match.is_pair and match.seq in steps
    ]
    known = [value for value in expected if value is not None]
    words = {
        "name": within(one),
        "points": points(record.points),
        "matches": wording.count(record.games),
        "tally": wording.tally(record.won, record.drawn, record.lost),
        "expected": wording.number(sum(known), 1),
    }
    if len(known) < len(met):
        text = ngettext(
            "%(tally)s won, drawn, lost: %(name)s took %(points)s of %(matches)s point.",
            "%(tally)s won, drawn, lost: %(name)s took %(points)s of %(matches)s points.",
            record.games,
        )
    else:
        text = ngettext(
            "%(tally)s won, drawn, lost: %(name)s took %(points)s of %(matches)s point; the "
            "ratings of the day expected %(expected)s.",
            "%(tally)s won, drawn, lost: %(name)s took %(points)s of %(matches)s points; the "
            "ratings of each day expected %(expected)s.",
            record.games,
        )
    return text % words


def points(value: float) -> str:
    """Return points, of which a draw gives half of one."""
    whole = int(value)
    half = "½" if value - whole else ""
    return f"{whole}{half}" if whole or not half else half


def _result(match: Encounter, one: Sequence[Seat], other: Sequence[Seat]) -> str:
    if match.rank == match.other_rank:
        return _("drawn")
    winner = one if match.rank < match.other_rank else other
    if is_me_alone(one):
        return _("You won") if winner is one else _("You lost")
    return _("%(name)s won") % {"name": side_name(winner)}


def _score(match: Encounter) -> str:
    if match.score is None or match.other_score is None:
        return ""
    return wording.tally(match.score, match.other_score)


def _played(past: History | None) -> dict[int, tuple[ShownValue, HistoryPoint]]:
    """Return the rating before each match, and the point after it, by the match's number."""
    if past is None:
        return {}
    played, before = {}, past.start
    for point in past.points:
        if point.seq:
            played[point.seq] = (before, point)
        before = point.shown
    return played


def _expected(match: Encounter, step: tuple[ShownValue, HistoryPoint] | None) -> str:
    if step is None or step[1].expected is None or not match.is_pair:
        return ""
    return wording.percent(step[1].expected)


def _change(board: Board, step: tuple[ShownValue, HistoryPoint] | None) -> str:
    if step is None:
        return ""
    before, point = step
    return moved(board, before.value, point.shown.value, point.shown.decimals)


def rivals_of(
    board: Board, seats: Sequence[Seat], found: Mapping[tuple[int, int], Record]
) -> Rivals | None:
    """Return whom all players have met, and who did better against them; None without any."""
    common = common_opponents(found, [seat.player.pk for seat in seats])
    if not common:
        return None
    shown = common[:MOST_RIVALS]
    players = Player.objects.in_bulk([rival for rival, _records in shown])
    return Rivals(
        sentence=_rivals_sentence(common, seats),
        rows=tuple(
            Rival(
                name=players[rival].name,
                url=player_address(board, players[rival].key),
                records=tuple(wording.tally(row.won, row.drawn, row.lost) for row in records),
            )
            for rival, records in shown
        ),
        more=_and_others(len(common) - len(shown)),
    )


def _and_others(count: int) -> str:
    if not count:
        return ""
    words = ngettext("and %(count)s other player", "and %(count)s other players", count)
    return words % {"count": wording.count(count)}


def _rivals_sentence(common: Sequence[tuple[int, Sequence[Record]]], seats: Sequence[Seat]) -> str:
    totals = [added([records[index] for _rival, records in common]) for index in range(len(seats))]
    took = [wording.of_hundred(total.points / total.games) for total in totals]
    count = {"count": wording.count(len(common))}
    if len(seats) == 2:
        first = ngettext(
            "Both have met %(count)s other player.",
            "Both have met %(count)s other players.",
            len(common),
        )
        second = _("Against them %(one)s took %(mine)s points of 100, %(other)s %(theirs)s.") % {
            "one": within(seats[:1]),
            "other": within(seats[1:]),
            "mine": took[0],
            "theirs": took[1],
        }
    else:
        first = ngettext(
            "All have met %(count)s other player.",
            "All have met %(count)s other players.",
            len(common),
        )
        each = [
            _("%(name)s %(points)s") % {"name": within([seat]), "points": points_taken}
            for seat, points_taken in zip(seats, took, strict=True)
        ]
        second = _("Points of 100 against them: %(each)s.") % {"each": wording.listing(each)}
    return f"{first % count} {second}"


def chart_of(
    board: Board,
    seats: Sequence[Seat],
    pasts: Mapping[int, History],
    standings: Mapping[tuple[int, int], Standing],
    now: datetime,
) -> Chart | None:
    """Draw the ratings of those who have some over time on one scale; None until two have."""
    seats = [seat for seat in seats if (past := pasts.get(seat.player.pk)) and past.points]
    played = [pasts[seat.player.pk].points for seat in seats]
    if len(seats) < 2:
        return None
    longest = moment(
        drawn_until(
            min(micros(points[0].at) for points in played),
            max(micros(points[-1].at) for points in played),
        )
    )
    until = min(now, longest)
    own = [standings[board.pk, seat.player.pk] for seat in seats]
    # As it was at the end of each day, so that a night is one step.
    zone = board.league.zone
    nights = [{point.at.astimezone(zone).date(): point for point in points} for points in played]
    series = []
    for seat, ends, shown in zip(seats, nights, bridge.shown_now(board, own, until), strict=True):
        line = [
            charts.Point(point.at, point.shown.value, point.shown.low, point.shown.high)
            for point in ends.values()
        ]
        if until > line[-1].at:
            line.append(charts.Point(until, shown.value, shown.low, shown.high, is_played=False))
        label = wording.number(shown.value, shown.decimals)
        series.append(charts.Series(seat.name, label, line, is_mine=seat.is_me))
    drawn = charts.compared_chart(series, decimals=seats[0].shown.decimals)
    if drawn is None:
        return None
    return Chart(
        drawn=drawn,
        label=_("Ratings of %(names)s over time")
        % {"names": wording.listing(seat.player.name for seat in seats)},
        names=tuple(seat.name for seat in seats),
        days=_days(nights),
        is_cut=now > longest,
    )


def _days(nights: Sequence[Mapping[date, HistoryPoint]]) -> tuple[PastDay, ...]:
    days = sorted({on for ends in nights for on in ends}, reverse=True)[:MOST_DAYS]
    return tuple(
        PastDay(
            wording.day(on),
            tuple(rating(ends[on].shown).value if on in ends else "" for ends in nights),
        )
        for on in days
    )
