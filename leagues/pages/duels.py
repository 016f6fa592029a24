"""What compared sides have played: each other, whom all have met, and ratings over time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, charts, wording
from leagues.bridge import Series
from leagues.domain.civil_days import day_of
from leagues.models import Board, Standing
from leagues.pages.boards import player_address
from leagues.pages.matches import explained_match, match_of_point
from leagues.pages.ratings import rating
from leagues.pages.seats import MatchPlayer, format_change, is_me_alone, side_name, within
from leagues.pages.tallies import TallyStyle
from leagues.pages.timelines import drawn_until, point_of
from leagues.selectors.meetings import (
    HeadToHeadMatch,
    Record,
    common_opponents,
    encounters,
    record_of,
    sum_records,
)
from leagues.selectors.people import players_by_id
from leagues.selectors.seasons import has_other_seasons
from leagues.store.match_columns import EPOCH, moment

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
    points_sentence: str
    """The sentence without what ratings expected."""
    note: str
    """Where ratings come from, of those who have not met."""
    rows: tuple[DuelMatch, ...]
    more: str
    more_url: str

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
    has_ranges: bool
    is_cut: bool
    """The pause since the last match is longer than drawn."""


def head_to_head(
    board: Board, sides: Sequence[Sequence[MatchPlayer]], pasts: Mapping[int, Series], today: date
) -> HeadToHead:
    """The matches of two sides against each other, newest first.

    Changes are told of single players only: in a team each has another one.
    """
    one, other = sides
    met = encounters(board, *([seat.player.pk for seat in side] for side in sides))
    past = pasts.get(one[0].player.pk)
    expected = _expected_scores(met, past)
    changes = _changes(board, met, past) if len(one) == 1 else {}
    zone = board.league.zone
    rows = tuple(
        DuelMatch(
            url=explained_match(match.seq, board),
            day=wording.day(day_of(match.played_at, zone), today),
            result=_result(match, one, other),
            score=_score(match, is_me=is_me_alone(one)),
            expected=wording.percent(expected[match.seq]) if match.seq in expected else "",
            change=changes.get(match.seq, ""),
        )
        for match in met[:MOST_MATCHES]
    )
    record = record_of(met)
    hidden = len(met) - len(rows)
    return HeadToHead(
        heading=_heading(record, one, other) if met else _no_meeting_sentence(board, sides),
        sentence=_points_sentence(met, record, expected, one),
        points_sentence=_points_sentence(met, record, {}, one),
        note="" if met else _rated_elsewhere(sides),
        rows=rows,
        more=_and_before(hidden) if hidden > 0 else "",
        more_url=_matches_address(one, other),
    )


def _matches_address(one: Sequence[MatchPlayer], other: Sequence[MatchPlayer]) -> str:
    """Where all matches of two players are listed; of teams there is no such list."""
    if len(one) > 1 or len(other) > 1:
        return ""
    return f"{one[0].url}&{urlencode({'q': other[0].player.name})}#matches"


def _and_before(count: int) -> str:
    words = ngettext("and %(count)s match before", "and %(count)s matches before", count)
    return words % {"count": wording.count(count)}


def _no_meeting_sentence(board: Board, sides: Sequence[Sequence[MatchPlayer]]) -> str:
    """The sentence for two sides that have not met; of several seasons, in which one."""
    is_mine = any(is_me_alone(side) for side in sides)
    if not has_other_seasons(board):
        return _("You have not met yet") if is_mine else _("They have not met yet")
    text = (
        _("You have not met in %(season)s")
        if is_mine
        else _("They have not played each other in %(season)s")
    )
    return text % {"season": board.season.name}


def _rated_elsewhere(sides: Sequence[Sequence[MatchPlayer]]) -> str:
    rated = [seat.is_rated for side in sides for seat in side]
    is_mine = any(is_me_alone(side) for side in sides)
    if all(rated):
        if is_mine:
            return _("Your ratings come from matches against others.")
        return _("Their ratings come from matches against others.")
    if any(rated):
        return ""
    return _("None of you has a rating yet.") if is_mine else _("None of them has a rating yet.")


def _heading(record: Record, one: Sequence[MatchPlayer], other: Sequence[MatchPlayer]) -> str:
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
    matches: Sequence[HeadToHeadMatch],
    record: Record,
    expected: Mapping[int, float],
    one: Sequence[MatchPlayer],
) -> str:
    """How many points the first took, and how many were expected from the ratings at the time."""
    if not matches:
        return ""
    style = TallyStyle.of_records([record])
    words = {
        "name": within(one),
        "points": points(record.points),
        "matches": wording.count(record.games),
        "record": f"{style.record(record)} {style.legend}",
        "expected": wording.number(math.fsum(expected.values()), 1),
    }
    if not record.drawn:
        return _won_sentence(record.games, words, is_foretold=len(expected) == len(matches))
    if len(expected) < len(matches):
        text = ngettext(
            "%(record)s: %(name)s scored %(points)s of %(matches)s match point.",
            "%(record)s: %(name)s scored %(points)s of %(matches)s match points.",
            record.games,
        )
    else:
        text = ngettext(
            "%(record)s: %(name)s scored %(points)s of %(matches)s match point; the ratings "
            "at the time predicted %(expected)s.",
            "%(record)s: %(name)s scored %(points)s of %(matches)s match points; the ratings "
            "at the time predicted %(expected)s.",
            record.games,
        )
    return text % words


def _won_sentence(games: int, words: Mapping[str, str], *, is_foretold: bool) -> str:
    """The same of matches without a draw, whose points are wins."""
    if is_foretold:
        text = ngettext(
            "%(record)s: %(name)s won %(points)s of %(matches)s match; the ratings at the time "
            "predicted %(expected)s.",
            "%(record)s: %(name)s won %(points)s of %(matches)s matches; the ratings at the time "
            "predicted %(expected)s.",
            games,
        )
    else:
        text = ngettext(
            "%(record)s: %(name)s won %(points)s of %(matches)s match.",
            "%(record)s: %(name)s won %(points)s of %(matches)s matches.",
            games,
        )
    return text % words


def points(value: float) -> str:
    """Points, of which a draw gives half of one."""
    whole = int(value)
    half = "½" if value - whole else ""
    return f"{whole}{half}" if whole or not half else half


def _result(
    match: HeadToHeadMatch, one: Sequence[MatchPlayer], other: Sequence[MatchPlayer]
) -> str:
    if match.rank == match.other_rank:
        return _("drawn")
    winner = one if match.rank < match.other_rank else other
    if is_me_alone(one):
        return _("You won") if winner is one else _("You lost")
    return _("%(name)s won") % {"name": side_name(winner)}


def _score(match: HeadToHeadMatch, *, is_me: bool) -> str:
    if match.score is None or match.other_score is None:
        return ""
    if match.rank > match.other_rank and not is_me:
        # Beside "Bo won" stands Bo's score first; beside "You lost" one's own.
        return wording.tally(match.other_score, match.score)
    return wording.tally(match.score, match.other_score)


def _expected_scores(matches: Sequence[HeadToHeadMatch], past: Series | None) -> dict[int, float]:
    """The score that was expected of a side in matches without others, by their number."""
    known = past.expectations() if past else {}
    return {
        match.seq: value
        for match in matches
        if match.is_pair and (value := known.get(match.seq)) is not None
    }


def _changes(
    board: Board, matches: Sequence[HeadToHeadMatch], past: Series | None
) -> dict[int, str]:
    """The effects of the newest matches on a rating, by their number."""
    if past is None:
        return {}
    changes = {}
    for seq, index in past.of_matches([match.seq for match in matches[:MOST_MATCHES]]).items():
        before, after = past.before(index), past.at(index)
        changes[seq] = format_change(board, before.value, after.value, after.decimals)
    return changes


def rivals_of(
    board: Board, seats: Sequence[MatchPlayer], all_records: Mapping[tuple[int, int], Record]
) -> Rivals | None:
    """The opponents whom all players have met, and who did better; None without any."""
    common = common_opponents(all_records, [seat.player.pk for seat in seats])
    if not common:
        return None
    rivals = common[:MOST_RIVALS]
    players = players_by_id([rival for rival, _records in rivals])
    style = TallyStyle.of_records(row for _rival, records in rivals for row in records)
    return Rivals(
        sentence=_rivals_sentence(common, seats),
        rows=tuple(
            Rival(
                name=players[rival].name,
                url=player_address(board, players[rival].key),
                records=tuple(style.record(row) for row in records),
            )
            for rival, records in rivals
        ),
        more=_and_others(len(common) - len(rivals)),
    )


def _and_others(count: int) -> str:
    if not count:
        return ""
    words = ngettext("and %(count)s other player", "and %(count)s other players", count)
    return words % {"count": wording.count(count)}


def _points_of(total: Record) -> str:
    decimals = 0 if total.points == int(total.points) else 1
    return _("%(points)s of %(games)s") % {
        "points": wording.number(total.points, decimals),
        "games": wording.count(total.games),
    }


def _rivals_sentence(
    common: Sequence[tuple[int, Sequence[Record]]], seats: Sequence[MatchPlayer]
) -> str:
    totals = [
        sum_records([records[index] for _rival, records in common]) for index in range(len(seats))
    ]
    took = [_points_of(total) for total in totals]
    count = {"count": wording.count(len(common))}
    if len(seats) == 2:
        first = ngettext(
            "Both have played against %(count)s other player.",
            "Both have played against %(count)s other players.",
            len(common),
        )
        text = (
            _(
                "Against them %(one)s won %(mine)s matches and %(other)s %(theirs)s, a draw "
                "counting as half a win."
            )
            if any(total.drawn for total in totals)
            else _("Against them %(one)s won %(mine)s matches and %(other)s %(theirs)s.")
        )
        second = text % {
            "one": within(seats[:1]),
            "other": within(seats[1:]),
            "mine": took[0],
            "theirs": took[1],
        }
    else:
        first = ngettext(
            "All have played against %(count)s other player.",
            "All have played against %(count)s other players.",
            len(common),
        )
        each = [
            _("%(name)s %(points)s") % {"name": within([seat]), "points": points_taken}
            for seat, points_taken in zip(seats, took, strict=True)
        ]
        text = (
            _("Matches won against them, a draw counting as half: %(each)s.")
            if any(total.drawn for total in totals)
            else _("Matches won against them: %(each)s.")
        )
        second = text % {"each": wording.listing(each)}
    return f"{first % count} {second}"


def chart_of(
    board: Board,
    seats: Sequence[MatchPlayer],
    pasts: Mapping[int, Series],
    standings: Mapping[tuple[int, int], Standing],
    now: datetime,
) -> Chart | None:
    """Draw the ratings of those who have some over time on one scale; None until two have."""
    seats = [seat for seat in seats if seat.player.pk in pasts]
    played = [pasts[seat.player.pk] for seat in seats]
    if len(seats) < 2:
        return None
    longest = moment(
        drawn_until(
            min(int(past.points.at[0]) for past in played),
            max(int(past.points.at[-1]) for past in played),
        )
    )
    until = min(now, longest)
    today = day_of(now, board.league.zone)
    own = [standings[board.pk, seat.player.pk] for seat in seats]
    series = []
    for seat, past, value in zip(seats, played, bridge.shown_now(board, own, until), strict=True):
        address = partial(match_of_point, key=seat.player.key)
        # As it was at the end of each day, so that a night is one step.
        line = [
            _named(seat.name, point_of(past, index, address, today))
            for index in past.ends_of_days().tolist()
        ]
        if until > line[-1].at:
            line.append(charts.Point(until, value.value, value.low, value.high, is_played=False))
        label = wording.number(value.value, value.decimals)
        series.append(charts.Series(seat.name, label, line, is_mine=seat.is_me))
    drawn = charts.compared_chart(series, decimals=seats[0].value.decimals)
    if drawn is None:
        return None
    return Chart(
        drawn=drawn,
        label=_("Ratings of %(names)s over time")
        % {"names": wording.listing(seat.player.name for seat in seats)},
        names=tuple(seat.name for seat in seats),
        days=_days(played),
        has_ranges=seats[0].value.half is not None,
        is_cut=now > longest,
    )


def _named(name: str, point: charts.Point) -> charts.Point:
    """A point that says whose it is: lines of several players cross."""
    return replace(point, title=_("%(name)s, %(point)s") % {"name": name, "point": point.title})


def _days(played: Sequence[Series]) -> tuple[PastDay, ...]:
    ends = []
    for past in played:
        last = past.ends_of_days()[-MOST_DAYS:]
        ends.append(dict(zip(past.days()[last].tolist(), last.tolist(), strict=True)))
    days = sorted({day for each in ends for day in each}, reverse=True)[:MOST_DAYS]
    return tuple(
        PastDay(
            wording.day((EPOCH + timedelta(days=day)).date()),
            tuple(
                rating(past.at(each[day])).value if day in each else ""
                for past, each in zip(played, ends, strict=True)
            ),
        )
        for day in days
    )
