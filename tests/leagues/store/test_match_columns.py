"""Facts in columns are those of the rows, and civil days those of the zone, one by one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from django.db import connection

from leagues.models import Board, League, Match, Participant
from leagues.services.drafts import MatchDraft
from leagues.store.match_columns import (
    DAY,
    EPOCH,
    Facts,
    civil_days,
    micros,
    moment,
    positions_in,
    read_facts,
    results_by_day,
)
from tests.leagues.happenings import game
from tests.leagues.play import START, new_club, record, result

ZONES = ("America/St_Johns", "Africa/Monrovia", "Asia/Gaza", "America/Goose_Bay", "Pacific/Apia")


@pytest.mark.parametrize("name", ZONES)
def test_days_are_right_also_where_clocks_change_between_quarters_of_an_hour(name):
    zone = ZoneInfo(name)
    changes = clock_changes(zone)
    assert len(changes)
    at = np.unique(
        [change + offset for change in changes for offset in range(-(10**9), 10**9, 10**8)]
    )
    alone = [
        (moment(instant).astimezone(zone).date() - EPOCH.date()).days for instant in at.tolist()
    ]
    assert civil_days(at, zone).tolist() == alone
    assert civil_days(at[:0], zone).tolist() == []


def clock_changes(zone: ZoneInfo) -> list[int]:
    """Return the instants, to the second, around which the zone's offset changed since 1960."""

    def offset(at: int):
        return moment(at).astimezone(zone).utcoffset()

    first = micros(EPOCH) - 10 * 365 * DAY
    found = []
    for day in range(60 * 365):
        low, high = first + day * DAY, first + (day + 1) * DAY
        if offset(low) == offset(high):
            continue
        while high - low > 1_000_000:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(middle) == offset(low) else (low, middle)
        found.append(high)
    return found


@pytest.mark.django_db
def test_facts_are_what_the_rows_say():
    club = new_club()
    record(club, *drafts_of(club))
    (board, *_) = club.boards.select_related("league", "season", "mode")
    assert rows_of(read_facts(board)) == rows_in_database(board)
    assert sum(count for _day, count in results_by_day(board)) == 5
    (last,) = read_facts(board, since=START + timedelta(days=2)).seq.tolist()
    assert rows_of(read_facts(board, before=START + timedelta(days=2))) == [
        row for row in rows_in_database(board) if row[0] != last
    ]


@pytest.mark.django_db
def test_facts_are_read_from_among_those_of_other_leagues():
    others, club = [new_club(slug) for slug in ("one", "two", "three", "four", "five")], new_club()
    for draft in drafts_of(club):
        for other in others:
            record(other, result(other, "Ana", "Bo"))
        record(club, draft)
    (board, *_) = club.boards.select_related("league", "season", "mode")
    ids = np.array(club.matches.order_by("pk").values_list("pk", flat=True))
    assert ids[-1] - ids[0] > 4 * len(ids)
    assert rows_of(read_facts(board)) == rows_in_database(board)
    one = others[0].boards.select_related("league", "season", "mode").first()
    assert rows_of(read_facts(one)) == rows_in_database(one)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "statement", ["m.weight <> 1.0", "p.playing_share <> 1.0", "SELECT e.match_id"]
)
@pytest.mark.parametrize("is_among_many", [False, True])
def test_of_a_match_stored_between_two_reads_nothing_is_read(
    statement: str, is_among_many: bool
) -> None:
    club = new_club()
    club.modes.update(rated_by="events")
    others = new_club("others")
    record(club, game(club, "Ana Bo", "Ana>Bo Bo>Ana"))
    if is_among_many:
        record(others, *[result(others, "Ana", "Bo")] * 30)
    record(club, *drafts_of(club))
    (board, *_) = club.boards.select_related("league", "season", "mode")
    before = read_facts(board)
    late = [
        replace(draft, weight=7.0, events=game(club, "Ana Bo", "Ana>Bo").events)
        for draft in drafts_of(club)[:1]
    ]
    reads: list[str] = []

    def store_before(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if statement in sql and not reads:
            reads.append(sql)
            record(club, *late)
        return execute(sql, *rest)

    with connection.execute_wrapper(store_before):
        facts = read_facts(board)
    assert len(reads) == 1
    assert rows_of(facts) == rows_of(before)
    assert [facts.event_match.tolist(), facts.event_player.tolist()] == [
        before.event_match.tolist(),
        before.event_player.tolist(),
    ]


@pytest.mark.django_db
def test_a_board_without_results_has_no_facts():
    board = new_club().boards.select_related("league", "season", "mode").first()
    facts = read_facts(board)
    assert (len(facts), len(facts.match), results_by_day(board)) == (0, 0, ())


@pytest.mark.parametrize("ids", [[5, 3, 4], [5, -(10**15), 4], []])
def test_positions_are_those_of_the_ids_and_minus_one_elsewhere(ids):
    wanted = [4, 5, 3, 2, 6, 10**16, -(10**16), 0]
    assert positions_in(np.array(ids, np.int64), np.array(wanted)).tolist() == [
        ids.index(each) if each in ids else -1 for each in wanted
    ]


def drafts_of(league: League) -> list[MatchDraft]:
    """Results in which everything is said that a replay reads."""
    five = [
        result(league, "Ana+Bo", "Cy+Dee", scores=(3, -2), weight=1 / 3, same_time_order=7),
        result(
            *(league, "Cy", "Ana"),
            at=START - timedelta(microseconds=1),
            same_time_order=-5,
            handicaps=(-64, 0),
        ),
        result(league, "Bo", "Dee", scores=(0, 0), ranks=(1, 1), at=START + timedelta(days=1)),
        result(
            *(league, "Dee", "Ana", "Bo"),
            at=START + timedelta(days=2, microseconds=123456),
            handicaps=(0, -4000, 1),
        ),
        result(league, "Ana+Cy", "Bo", at=START, same_time_order=1 << 40),
    ]
    side = five[0].sides[0]
    partly = [
        replace(member, playing_share=share)
        for member, share in zip(side.members, (0.1, 0.7), strict=True)
    ]
    weaker = replace(five[0].sides[1], handicap=4000)
    five[0] = replace(five[0], sides=(replace(side, members=tuple(partly)), weaker))
    side = five[4].sides[0]
    partly = [side.members[0], replace(side.members[1], playing_share=2 / 3)]
    five[4] = replace(five[4], sides=(replace(side, members=tuple(partly)), five[4].sides[1]))
    return five


def rows_of(facts: Facts) -> list[tuple[object, ...]]:
    heads = list(
        zip(
            *(facts.match_id, facts.seq, facts.at, facts.hint, facts.day, facts.weight),
            strict=True,
        )
    )
    order = [(at, hint, seq) for _id, seq, at, hint, _day, _weight in heads]
    assert order == sorted(order)
    participants = zip(
        facts.match.tolist(),
        *(facts.player_id, facts.side, facts.rank, facts.score, facts.handicap, facts.share),
        strict=True,
    )
    return sorted(
        (
            *(int(head[1]), int(head[0]), int(head[2]), int(head[3]), int(head[4]), head[5]),
            *(
                int(player),
                int(side),
                int(rank),
                None if np.isnan(score) else score,
                handicap,
                share,
            ),
        )
        for match, player, side, rank, score, handicap, share in participants
        for head in [heads[match]]
    )


def rows_in_database(board: Board) -> list[tuple[object, ...]]:
    zone = board.league.zone
    matches = {match.pk: match for match in Match.objects.rated_on(board)}
    return sorted(
        (
            *(match.seq, match.pk, micros(match.played_at), match.same_time_order),
            *((match.played_at.astimezone(zone).date() - EPOCH.date()).days, match.weight),
            *(row.player_id, row.side, row.rank, row.score, row.handicap, row.playing_share),
        )
        for row in Participant.objects.filter(match__in=matches)
        for match in [matches[row.match_id]]
    )
