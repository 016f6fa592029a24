"""Started matches: whatever becomes of them, boards and hashes are what a replay finds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from pytest import approx

from leagues.bridge.leaving import open_losses
from leagues.bridge.match_effects import refusal_of
from leagues.jobs.runner import drain
from leagues.models import Board, Job, League, Match, Participant, Revision, Season, Standing
from leagues.services import start_verdicts, tail_states
from leagues.services.change_checks import check_changes
from leagues.services.entry import Correction, Entered, Enterer, correct_result
from leagues.services.entry_drafts import Answers, MatchEntry, PlayerEntry, SideEntry
from leagues.services.errors import Conflict, Refused
from leagues.services.history import check_league
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import start_import
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board, create_season
from leagues.services.matches import (
    record_matches,
    restore_match,
    revert_revision,
    void_match,
)
from leagues.services.player_merging import merge_players
from leagues.services.preview_jobs import request_preview
from leagues.services.rules import change_rules
from leagues.services.seasons import Step, dry_run, take_step
from leagues.services.started_matches import (
    SideResult,
    Started,
    finish_match,
    lose_overdue,
    release_players,
    start_match,
)
from leagues.services.tried_changes import try_change
from ratings import create
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.services.test_backups import changed, refused, restored, written

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LATE = START + 40 * DAY
"""When every time limit of these tests has passed."""
BOARDS: dict[str, dict[str, Any]] = {
    "elo": {},
    "glicko": {},
    "glicko2": {},
    "trueskill": {},
    "wenglin": {},
    "zerosum": {"decay": 0.1, "period_days": 1},
    "ladder": {},
    "becker": {},
    "static": {"least_events": 0, "least_opponents": 0},
}
PROGRAM = Enterer("token:game", None, may_backdate=True, may_be_late=True)
SCORER = Enterer("token:scorer", None, may_backdate=True, may_be_late=False)
FIRST_WON = (SideResult(1), SideResult(2))
LEFT, STAYED, RELEASED = (
    Participant.Leaving.LEFT,
    Participant.Leaving.STAYED,
    Participant.Leaving.RELEASED,
)


def club_of(*systems: str, slug: str = "club") -> League:
    """A club with a board of each of these systems, or of every one."""
    club = new_club(slug)
    season_of(club).boards.all().delete()
    for system in systems or BOARDS:
        add_board(
            season=season_of(club), mode=mode_of(club), system=system, parameters=BOARDS[system]
        )
    return club


def start(
    club: League,
    one: str,
    other: str,
    *,
    at: datetime = START,
    sent: datetime | None = None,
    enterer: Enterer = PROGRAM,
    is_dated: bool = True,
    handicaps: tuple[int, int] = (0, 0),
    **fields: Any,
) -> Started:
    """Start a match between two players, or teams with + between names; told when it begins."""
    sides = tuple(
        SideEntry(1, None, tuple(PlayerEntry(name=name) for name in side.split("+")), handicap)
        for side, handicap in zip((one, other), handicaps, strict=True)
    )
    with time_machine.travel(sent or at, tick=False):
        return start_match(
            season=season_of(club),
            mode=mode_of(club),
            entry=MatchEntry(played_at=at, sides=sides, **fields),
            enterer=enterer,
            answers=Answers(creates_players=True),
            is_dated=is_dated,
        )


def finish(
    club: League,
    match: Match,
    *,
    sent: datetime,
    results: Sequence[SideResult] = FIRST_WON,
    enterer: Enterer = PROGRAM,
    **fields: Any,
) -> Entered:
    with time_machine.travel(sent, tick=False):
        return finish_match(
            match=match, results=results, enterer=enterer, kind=Revision.Kind.API, **fields
        )


def release(
    club: League, match: Match, *names: str, sent: datetime = START, is_organizer: bool = True
) -> Revision | None:
    with time_machine.travel(sent, tick=False):
        return release_players(
            match=match,
            released={key_of(club, name) for name in names},
            version=None,
            author=None,
            is_organizer=is_organizer,
        )


def played(
    club: League, one: str, other: str, *, at: datetime, sent: datetime | None = None, **more: Any
) -> Match:
    """A result that comes by an ordinary way, with the right to correct."""
    with time_machine.travel(sent or at, tick=False):
        (match,) = record_matches(
            season=season_of(club),
            mode=mode_of(club),
            drafts=[result(club, one, other, at=at, **more)],
            late=True,
        ).matches
    return match


def boards_of(club: League) -> dict[str, Board]:
    boards = club.boards.select_related("league", "season", "mode")
    return {board.system: board for board in boards}


def assert_sound(club: League) -> None:
    drain()
    for system, board in boards_of(club).items():
        changes = check_changes(board)
        assert changes is None or (changes.differences, changes.findings) == ((), ()), system
        assert board.differences == 0, system
        report = check_board(board)
        assert (report.is_behind, report.differences) == (False, ()), system
    report = check_league(club.pk)
    assert report.differences == 0, report


def shown(board: Board) -> dict[str, float]:
    rows = Standing.objects.current(board).values_list("player__name", "shown")
    return dict(rows)


def everything_shown(club: League) -> dict[str, dict[str, float]]:
    return {system: shown(board) for system, board in boards_of(club).items()}


def digests(club: League) -> dict[str, str]:
    return {system: board_digest(board) for system, board in boards_of(club).items()}


def handicaps_of(match: Match) -> dict[str, int]:
    return dict(match.participants.values_list("player__name", "handicap"))


def leaving(match: Match) -> dict[str, int | None]:
    rows = match.participants.values_list("player__name", "leaving")
    return dict(rows)


def kind_of(match: Match) -> str:
    match.refresh_from_db()
    return match.kind


def key_of(club: League, name: str) -> str:
    return club.players.get(name=name).key


def test_a_start_without_a_moment_that_waited_for_a_result_begins_after_it() -> None:
    """Ana and Bo are done before Ana starts with Cy, though that was sent before they were."""
    club = club_of("elo")
    first = start(club, "Ana", "Bo").match
    finish(club, first, sent=START + 2 * HOUR)
    sent, came_through = START + HOUR, START + 3 * HOUR
    second = start(club, "Ana", "Cy", at=sent, sent=came_through, is_dated=False)
    assert second.left == ()
    assert second.match.started_at == came_through
    first.refresh_from_db()
    assert first.kind == Match.Kind.ENDED


def test_an_open_match_is_a_fact_that_moves_nobody() -> None:
    club = club_of()
    record(club, result(club, "Ana", "Bo"))
    before = digests(club)
    started = start(club, "Ana", "Bo", at=START + HOUR)
    assert_sound(club)
    assert digests(club) == before
    match = Match.objects.get(pk=started.match.pk)
    assert (match.kind, match.is_rated) == (Match.Kind.STARTED, False)
    assert match.started_at == match.played_at == START + HOUR
    assert match.deadline_at == START + 25 * HOUR


def test_its_result_is_an_ordinary_match_and_rated_as_one() -> None:
    club, other = club_of(), club_of(slug="other")
    started = start(club, "Ana", "Bo").match
    drain()
    entered = finish(club, started, sent=START + HOUR)
    record(other, result(other, "Ana", "Bo", at=START + HOUR))
    assert_sound(club)
    assert everything_shown(club) == everything_shown(other)
    assert kind_of(started) == Match.Kind.ENDED
    (match,) = entered.matches
    assert (match.kind, match.version, match.played_at) == ("played", 1, START + HOUR)
    lose_overdue(LATE)
    assert_sound(club)
    assert everything_shown(club) == everything_shown(other)


def test_a_result_by_any_other_way_ends_the_start() -> None:
    club = club_of("elo", "becker")
    first = start(club, "Ana", "Bo").match
    played(club, "Bo", "Ana", at=START + HOUR)
    second = start(club, "Ana", "Bo", at=START + DAY).match
    content = b"date,winner,loser\n2025-10-02,Ana,Bo\n"
    with time_machine.travel(START + DAY + HOUR):
        options = ImportOptions(dates="dmy")
        start_import(
            season=season_of(club),
            mode=mode_of(club),
            name="a.csv",
            content=content,
            options=options,
        )
    drain()
    lose_overdue(LATE)
    assert_sound(club)
    assert (kind_of(first), kind_of(second)) == (Match.Kind.ENDED, Match.Kind.ENDED)
    assert shown(boards_of(club)["elo"])["Ana"] != 1480.0
    assert not Match.objects.filter(kind=Match.Kind.LEFT).exists()


@pytest.mark.parametrize(
    ("players", "hours"), [(("Ana", "Cy"), 1), (("Ana", "Bo"), 25), (("Ana", "Bo"), -1)]
)
def test_other_players_and_other_times_end_nothing(players: tuple[str, str], hours: int) -> None:
    club = club_of("elo")
    match = start(club, "Ana", "Bo").match
    played(club, *players, at=START + hours * HOUR)
    assert kind_of(match) == (Match.Kind.STARTED if hours < 24 else Match.Kind.LEFT)
    lose_overdue(LATE)
    assert kind_of(match) == Match.Kind.LEFT
    assert_sound(club)


def test_another_start_makes_the_first_a_loss_of_who_left_it() -> None:
    """Elo by hand: K 40, equal ratings, so half of it; Bo and Cy are not moved."""
    club = club_of()
    first = start(club, "Ana", "Bo")
    second = start(club, "Ana", "Cy", at=START + HOUR)
    assert_sound(club)
    assert [match.pk for match in second.left] == [first.match.pk]
    match = Match.objects.get(pk=first.match.pk)
    assert (match.kind, match.played_at) == (Match.Kind.LEFT, START + HOUR)
    assert (match.started_at, match.rungs_lost) == (START, 1)
    assert leaving(match) == {"Ana": LEFT, "Bo": STAYED}
    assert shown(boards_of(club)["elo"]) == {"Ana": 1480.0}
    assert Match.objects.get(pk=second.match.pk).kind == Match.Kind.STARTED
    (row,) = Standing.objects.current(boards_of(club)["elo"])
    assert (row.games, row.lost, row.form) == (1, 1, "L")


def test_the_check_of_what_has_changed_knows_starts(monkeypatch: Any) -> None:
    monkeypatch.setattr(tail_states, "MIN_RATED", 0)
    club = club_of("elo", "glicko2", "becker")
    for number in range(30):
        sides = ("Ana", "Bo") if number % 2 else ("Cy", "Dee")
        played(club, *sides, at=START + number * HOUR)
    played(club, "Ana", "Cy", at=START + 30 * HOUR)
    assert_sound(club)

    def checked() -> set[str]:
        """The boards of which the last change alone was checked; it has to be as recorded."""
        drain()
        systems = set()
        for system, board in boards_of(club).items():
            before = board.season.last_revision - 1
            Board.objects.filter(pk=board.pk).update(verified_through_revision=before)
            report = check_changes(board)
            if report is not None:
                assert (report.differences, report.findings) == ((), ()), system
                assert report.matches > 0
                systems.add(system)
        assert_sound(club)
        return systems

    first = start(club, "Ana", "Bo", at=START + 40 * HOUR).match
    assert checked() == {"elo", "glicko2"}
    release(club, first, "Ana", sent=START + 41 * HOUR)
    assert checked() == {"elo", "glicko2"}
    start(club, "Bo", "Cy", at=START + 42 * HOUR)
    # A loss needs what stood at its start: the whole board is checked.
    assert checked() == set()
    finish(club, first, sent=START + 43 * HOUR)
    assert checked() == {"elo", "glicko2"}


def test_losses_of_one_moment_come_in_the_order_of_their_starts() -> None:
    """Ana and Cy leave two matches by one start: on a ladder it matters who falls first."""
    orders = []
    for number, arrival in enumerate(((0, 1, 2), (1, 0, 2), (2, 1, 0))):
        club = club_of("ladder", slug=f"club-{number}")
        record(club, result(club, "Ana", "Cy"), result(club, "Bo", "Dee"))
        told = [("Ana", "Bo"), ("Cy", "Dee"), ("Ana", "Cy")]
        for place in arrival:
            start(club, *told[place], at=START + (1 + place) * HOUR, sent=LATE - DAY)
        assert_sound(club)
        orders.append(shown(boards_of(club)["ladder"]))
    assert orders[0] == orders[1] == orders[2]


def test_the_numbers_are_those_of_the_start() -> None:
    """Bo beats Cy while the match is open: Ana still loses to the Bo of before."""
    club = club_of("elo", "glicko2")
    start(club, "Ana", "Bo")
    played(club, "Bo", "Cy", at=START + HOUR)
    lose_overdue(LATE)
    drain()
    assert shown(boards_of(club)["elo"])["Ana"] == 1480.0
    # The example of S3: two new players; the second line of it by hand in tests/ratings.
    system = create("glicko2", boards_of(club)["glicko2"].parameters)
    stand_in = system.new_player()
    lost = system.forfeited(system.new_player(), stand_in, 0).states[0]
    assert shown(boards_of(club)["glicko2"])["Ana"] == approx(system.display(lost).value)
    assert_sound(club)


def test_a_handicap_of_the_start_is_part_of_the_loss_and_holds_for_the_result() -> None:
    """By hand: of equals at K 40, 40 · 0.5911 = 23.64 with 64 points, 40 · 0.4089 = 16.36."""
    club = club_of()
    lost = start(club, "Ana", "Bo", handicaps=(64, 0)).match
    start(club, "Cy", "Dee", handicaps=(0, -64))
    assert lose_overdue(LATE) == 2
    drain()
    points = {"Ana": 1476.357, "Bo": 1483.643, "Cy": 1476.357, "Dee": 1483.643}
    assert shown(boards_of(club)["elo"]) == approx(points, abs=0.001)
    assert_sound(club)
    entered = finish(club, lost, sent=LATE)
    (match,) = entered.matches
    assert handicaps_of(match) == {"Ana": 64, "Bo": 0}
    assert_sound(club)
    assert shown(boards_of(club)["elo"]) != approx(points, abs=1)
    assert finish(club, lost, sent=LATE).already_there == 1
    others = (SideResult(1, handicap=0), SideResult(2))
    with pytest.raises(Refused, match="another result already"):
        finish(club, lost, sent=LATE, results=others)
    again = start(club, "Eve", "Fay", at=LATE, handicaps=(10, 0)).match
    (match,) = finish(
        club, again, sent=LATE, results=(SideResult(1, None, -5), SideResult(2))
    ).matches
    assert handicaps_of(match) == {"Eve": -5, "Fay": 0}
    assert_sound(club)


def test_a_loss_is_in_the_units_of_the_rules_of_its_start() -> None:
    """Other rules from the deadline on change nothing of who was put aside at the start."""
    club, plain = (new_club(slug) for slug in ("club", "plain"))
    for one in (club, plain):
        season_of(one).boards.all().delete()
        settings = {"temperature": 1.0, "max_gain": 0.2}
        add_board(season=season_of(one), mode=mode_of(one), system="zerosum", parameters=settings)
        played(one, "Cy", "Dee", at=START - DAY)
        start(one, "Ana", "Bo", handicaps=(200, 0) if one is club else (0, 0))
        played(one, "Cy", "Dee", at=START + HOUR)
        (board,) = boards_of(one).values()
        changed_at = START + 2 * HOUR
        parameters = {**board.parameters, "temperature": 2.0}
        change_rules(board=board, parameters=parameters, effective_at=changed_at, actor=None)
        lose_overdue(LATE)
        assert_sound(one)

    def lost(one: League) -> float:
        (board,) = boards_of(one).values()
        values = Standing.objects.current(board).values_list("player__name", "shown")
        return 1500 - dict(values)["Ana"]

    # 200 points were 1.1513 at a temperature of 1, the stand-in is as far; at one of 2 it counts.
    expected = 1 / (1 + math.exp(-1.1513 / 2))
    assert lost(plain) == approx(174 * 0.2 * 0.5, abs=0.01)
    assert lost(club) == approx(174 * 0.2 * expected, abs=0.01)


def test_a_board_that_cannot_take_the_handicap_of_a_start_says_so() -> None:
    club = club_of("wenglin", "elo")
    match = start(club, "Ana", "Bo", handicaps=(2500, 0)).match
    board = boards_of(club)["wenglin"]
    assert "2456 points of Elo" in refusal_of(board, match)
    assert open_losses(board, [match], START + HOUR) == []
    lose_overdue(LATE)
    assert_sound(club)
    assert shown(boards_of(club)["wenglin"]) == {}
    assert set(shown(boards_of(club)["elo"])) == {"Ana", "Bo"}


def test_the_time_limit_lets_everyone_lose_who_was_not_let_go() -> None:
    club = club_of("elo")
    match = start(club, "Ana+Bo", "Cy+Dee").match
    release(club, match, "Bo", "Cy", "Dee")
    assert lose_overdue(START + 23 * HOUR) == 0
    assert lose_overdue(START + 30 * DAY) == 1
    assert lose_overdue(START + 31 * DAY) == 0
    assert_sound(club)
    match.refresh_from_db()
    assert match.played_at == START + 24 * HOUR
    assert leaving(match) == {"Ana": LEFT, "Bo": RELEASED, "Cy": RELEASED, "Dee": RELEASED}
    assert shown(boards_of(club)["elo"]) == {"Ana": 1480.0}


def test_without_any_word_both_sides_lose_at_the_deadline() -> None:
    club = club_of("elo")
    start(club, "Ana", "Bo")
    lose_overdue(LATE)
    assert_sound(club)
    assert shown(boards_of(club)["elo"]) == {"Ana": 1480.0, "Bo": 1480.0}


def test_called_off_it_gives_nobody_anything() -> None:
    club = club_of("elo")
    match = start(club, "Ana", "Bo").match
    release(club, match, "Ana", "Bo")
    start(club, "Ana", "Cy", at=START + HOUR)
    lose_overdue(START + 24 * HOUR)
    assert_sound(club)
    assert kind_of(match) == Match.Kind.ENDED
    assert shown(boards_of(club)["elo"]) == {}


def test_a_late_result_corrects_the_loss_and_undoing_it_brings_that_back() -> None:
    club = club_of()
    match = start(club, "Ana", "Bo").match
    start(club, "Ana", "Cy", at=START + HOUR)
    drain()
    lost = digests(club)
    entered = finish(club, match, sent=START + 2 * HOUR)
    assert_sound(club)
    assert kind_of(match) == Match.Kind.ENDED
    assert START < entered.matches[0].played_at < START + HOUR
    assert shown(boards_of(club)["elo"]) == {"Ana": 1520.0, "Bo": 1480.0}
    with time_machine.travel(START + 3 * HOUR, tick=False):
        tried = try_change(
            season_of(club), lambda: revert_revision(revision=entered.revision, author=None)
        )
        assert tried is not None
        preview = request_preview(tried, season=season_of(club)).preview
        assert preview is not None
        revert_revision(revision=entered.revision, author=None)
    assert_sound(club)
    assert digests(club) == lost
    assert leaving(match) == {"Ana": LEFT, "Bo": STAYED}
    for effect in preview.boards:
        board = club.boards.get(slug=effect.board)
        now = shown(board)
        for mover in effect.movers:
            assert mover.after == now.get(mover.name), effect.board


def test_undoing_a_start_opens_the_match_again_that_was_left_for_it() -> None:
    club = club_of("elo")
    first = start(club, "Ana", "Bo").match
    second = start(club, "Ana", "Cy", at=START + HOUR).match
    with time_machine.travel(START + 2 * HOUR, tick=False):
        revert_revision(revision=second.revision, author=None)
    assert_sound(club)
    first.refresh_from_db()
    assert (first.kind, first.played_at) == (Match.Kind.STARTED, START)
    assert leaving(first) == {"Ana": None, "Bo": None}
    assert shown(boards_of(club)["elo"]) == {}


@pytest.mark.parametrize("change", [void_match, None])
def test_a_result_that_counts_no_more_opens_its_start_again(change: Any) -> None:
    """So too a moved one: what it has cost or brought is taken back, and the limit counts."""
    club = club_of("elo", "ladder")
    season = season_of(club)
    match = start(club, "Ana", "Bo").match
    (there,) = finish(club, match, sent=START + HOUR).matches
    drain()
    there = Match.objects.select_related("season__league", "mode").get(pk=there.pk)
    with time_machine.travel(START + 2 * HOUR, tick=False):
        if change is not None:
            change(match=there, author=None)
        else:
            other = create_season(league=club, name="Other", state=Season.State.OPEN)
            correct_result(
                match=there,
                version=1,
                correction=Correction(None, {}, season=other),
                enterer=PROGRAM,
                answers=Answers(),
            )
    assert kind_of(match) == Match.Kind.STARTED
    assert_sound(club)
    assert shown(season.boards.get(system="elo")) == {}
    lose_overdue(LATE)
    assert_sound(club)
    assert kind_of(match) == Match.Kind.LEFT
    restore = Match.objects.filter(status=Match.Status.VOID).first()
    if change is not None and restore is not None:
        restore_match(match=restore, author=None)
        assert kind_of(match) == Match.Kind.ENDED
        assert_sound(club)


def test_a_void_start_is_no_loss_and_lets_nobody_leave_another() -> None:
    club = club_of("elo")
    first = start(club, "Ana", "Bo").match
    second = start(club, "Ana", "Cy", at=START + HOUR).match
    drain()
    assert shown(boards_of(club)["elo"]) == {"Ana": 1480.0}
    with time_machine.travel(START + 2 * HOUR, tick=False):
        void_match(match=second, author=None)
    assert kind_of(first) == Match.Kind.STARTED
    lose_overdue(LATE)
    drain()
    assert shown(boards_of(club)["elo"]) == {"Ana": 1480.0, "Bo": 1480.0}
    void_match(match=first, author=None)
    assert_sound(club)
    assert shown(boards_of(club)["elo"]) == {}
    restore_match(match=first, author=None)
    assert_sound(club)
    assert shown(boards_of(club)["elo"]) == {"Ana": 1480.0, "Bo": 1480.0}


def test_a_start_that_is_void_long_after_its_deadline_opens_another_as_it_was_then() -> None:
    club = club_of("elo")
    first = start(club, "Ana", "Bo").match
    second = start(club, "Ana", "Cy", at=START + 13 * HOUR).match
    lose_overdue(LATE)
    void_match(match=second, author=None)
    first.refresh_from_db()
    assert (first.kind, first.played_at) == (Match.Kind.LEFT, START + DAY)
    assert leaving(first) == {"Ana": LEFT, "Bo": LEFT}
    assert_sound(club)


def test_an_older_result_corrects_the_numbers_of_the_start() -> None:
    """Bo's win before the start, entered later, makes him a harder opponent to lose to."""
    club = club_of("elo")
    start(club, "Ana", "Bo")
    lose_overdue(LATE)
    record(club, result(club, "Bo", "Cy", at=START - HOUR))
    assert_sound(club)
    expected = 1.0 / (1.0 + 10.0 ** (20.0 / 400.0))
    assert shown(boards_of(club)["elo"])["Ana"] == approx(1500.0 - 40.0 * expected)


def test_boards_without_such_a_loss_are_not_replayed_for_one() -> None:
    club = club_of("becker", "static", "elo")
    record(club, result(club, "Ana", "Bo"))
    before = {system: board.generation for system, board in boards_of(club).items()}
    start(club, "Ana", "Bo", at=START + HOUR)
    lose_overdue(LATE)
    assert_sound(club)
    after = {system: board.generation for system, board in boards_of(club).items()}
    assert (after["becker"], after["static"]) == (before["becker"], before["static"])
    assert after["elo"] > before["elo"]
    assert all(not board.refused_matches for board in boards_of(club).values())


def test_who_leaves_falls_on_a_ladder_by_the_rule_that_held_at_the_start() -> None:
    club = club_of("ladder")
    record(club, result(club, "Ana", "Bo"), result(club, "Cy", "Dee"))
    mode = mode_of(club)
    mode.start_rungs = 2
    mode.save()
    start(club, "Ana", "Bo", at=START + HOUR)
    mode.start_rungs = 7
    mode.save()
    start(club, "Ana", "Cy", at=START + 2 * HOUR)
    assert_sound(club)
    assert shown(boards_of(club)["ladder"]) == {"Bo": 1.0, "Cy": 2.0, "Ana": 3.0, "Dee": 4.0}


def test_another_time_limit_holds_for_matches_that_start_from_now_on() -> None:
    club = club_of("elo")
    match = start(club, "Ana", "Bo").match
    mode = mode_of(club)
    mode.start_hours = 720
    mode.save()
    lose_overdue(START + 25 * HOUR)
    match.refresh_from_db()
    assert (match.kind, match.played_at) == (Match.Kind.LEFT, START + 24 * HOUR)


def test_only_organizers_take_back_a_loss() -> None:
    club = club_of("elo")
    match = start(club, "Ana", "Bo").match
    for lose in (lambda: None, lambda: lose_overdue(LATE)):
        lose()
        for call in (
            lambda: finish(club, match, sent=LATE, enterer=SCORER),
            lambda: release(club, match, "Ana", sent=LATE, is_organizer=False),
        ):
            with pytest.raises(Refused) as refused:
                call()
            words = " ".join(problem.message for problem in refused.value.problems)
            assert "organizers can" in words
    assert Match.objects.count() == 1
    finish(club, match, sent=LATE)
    assert kind_of(match) == Match.Kind.ENDED


def test_the_checks_of_entering_hold_for_the_result_of_a_start() -> None:
    club = club_of("elo")
    match = start(club, "Ana", "Bo").match
    someone = Enterer("token:new", None, may_backdate=False, may_be_late=True)
    with pytest.raises(Refused) as refused:
        finish(club, match, sent=START + 30 * DAY, enterer=someone)
    assert "older than yesterday" in str(refused.value)
    with pytest.raises(Refused):
        finish(club, match, sent=START + HOUR, results=(SideResult(2), SideResult(2)))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda club: start(club, "Ana", "Ana", sent=LATE), "twice"),
        (lambda club: start(club, "Ana", "Bo", at=START - 90_000 * DAY, sent=LATE), "1800"),
        (lambda club: start(club, "Ana", "Bo", at=START + DAY, sent=START), "future"),
        (lambda club: start(club, "Ana", "Dee"), "at the same moment"),
        (lambda club: start(club, "Ana", "Bo", external_id="x" * 125), "at most"),
        (lambda club: only(club, release_players, released={"nobody"}), "not in this match"),
        (lambda club: finish(club, open_of(club), sent=START, results=FIRST_WON[:1]), "each side"),
        (lambda club: finish(club, open_of(club), sent=LATE, played_at=START - HOUR), "is open"),
        (lambda club: finish(club, open_of(club), sent=LATE, played_at=LATE), "is open"),
    ],
)
def test_what_cannot_be_is_refused_in_words(call: Any, words: str) -> None:
    club = club_of("elo")
    start(club, "Ana", "Bo")
    before = list(Match.objects.values_list("pk", "version"))
    with pytest.raises(Refused) as refused:
        call(club)
    assert words in " ".join(problem.message for problem in refused.value.problems)
    assert list(Match.objects.values_list("pk", "version")) == before


def test_a_result_is_neither_finished_nor_called_off_and_a_start_not_corrected() -> None:
    club = club_of("elo")
    (match,) = record(club, result(club, "Ana", "Bo"))
    with pytest.raises(Refused):
        finish(club, match, sent=START)
    with pytest.raises(Refused):
        release(club, match, "Ana")
    started = start(club, "Ana", "Bo", at=START + HOUR).match
    with pytest.raises(Conflict):
        finish(club, started, sent=START + HOUR, version=7)
    started = Match.objects.select_related("season__league", "mode").get(pk=started.pk)
    with pytest.raises(Refused, match="Enter its result"):
        correct_result(
            match=started,
            version=1,
            correction=Correction(None, {"kind": "played"}),
            enterer=PROGRAM,
            answers=Answers(),
        )


def test_what_is_sent_again_is_one_match() -> None:
    club = club_of("elo")
    first = start(club, "Ana", "Bo", external_id="game-1", is_dated=False)
    again = start(club, "Ana", "Bo", at=START + HOUR, external_id="game-1", is_dated=False)
    same_moment = start(club, "Bo", "Ana")
    assert (again.match.pk, again.is_new) == (first.match.pk, False)
    assert (same_moment.match.pk, same_moment.is_new) == (first.match.pk, False)
    with pytest.raises(Refused, match="belongs to another match"):
        start(club, "Ana", "Cy", at=START + HOUR, external_id="game-1")
    with pytest.raises(Refused, match="belongs to another match"):
        start(club, "Ana", "Bo", external_id="game-1", handicaps=(64, 0))
    with pytest.raises(Refused, match="at the same moment"):
        start(club, "Bo", "Ana", handicaps=(64, 0))
    one = finish(club, first.match, sent=START + HOUR)
    two = finish(club, first.match, sent=START + 2 * HOUR, version=1)
    assert (one.already_there, two.already_there) == (0, 1)
    assert one.matches[0].pk == two.matches[0].pk
    with pytest.raises(Refused, match="another result already"):
        finish(club, first.match, sent=START + 2 * HOUR, results=(SideResult(2), SideResult(1)))
    assert Match.objects.count() == 2
    # The result may have the id of its start.
    played(club, "Ana", "Bo", at=START + 30 * HOUR, external_id="game-1")
    assert_sound(club)


def test_a_season_with_an_open_match_is_not_sealed() -> None:
    club = club_of("elo")
    with time_machine.travel(START + HOUR):
        start(club, "Ana", "Bo")
        for step in (Step.CLOSE, Step.SEAL):
            told = dry_run(season_of(club), step, START + HOUR).lines
            assert any("1 started match is still open." in one for one in told)
            take_step(season=season_of(club), step=step, actor=None, now=START + HOUR)
        drain()
        assert season_of(club).state == Season.State.CLOSING
    for step in (Step.RESUME, Step.CLOSE, Step.SEAL):
        take_step(season=season_of(club), step=step, actor=None, now=LATE)
    drain()
    assert Match.objects.get().kind == Match.Kind.LEFT
    # It waits for the board that has to take in the loss.
    Job.objects.filter(kind="seal_season").update(run_after=START)
    drain()
    assert season_of(club).state == Season.State.CLOSED
    assert shown(boards_of(club)["elo"]) == {"Ana": 1480.0, "Bo": 1480.0}
    assert lose_overdue(LATE) == 0
    assert check_league(club.pk).differences == 0


def test_one_season_that_refuses_keeps_no_other_from_its_losses(monkeypatch: Any) -> None:
    clubs = [club_of("elo", slug=slug) for slug in ("one", "two")]
    for club in clubs:
        start(club, "Ana", "Bo")
    Season.objects.filter(league=clubs[0]).update(state=Season.State.CLOSED)
    assert lose_overdue(LATE) == 1
    assert Match.objects.get(league=clubs[1]).kind == Match.Kind.LEFT


def test_a_match_that_was_never_started_keeps_its_hash() -> None:
    club = club_of("elo")
    record(club, result(club, "Ana", "Bo"))
    assert check_league(club.pk).differences == 0
    with connection.cursor() as cursor:
        cursor.execute("UPDATE leagues_participant SET leaving = 2")
    assert check_league(club.pk).differences > 0


def test_merged_players_have_their_starts_settled_anew() -> None:
    """Ana and Anna are one, so who started again has left the first match."""
    club = club_of("elo")
    first = start(club, "Ana", "Bo").match
    start(club, "Anna", "Cy", at=START + HOUR)
    with time_machine.travel(START + 2 * HOUR, tick=False):
        revision = merge_players(
            league=club,
            keep=club.players.get(name="Ana"),
            drop=club.players.get(name="Anna"),
            author=None,
        )
        assert kind_of(first) == Match.Kind.LEFT
        assert_sound(club)
        revert_revision(revision=revision, author=None)
    assert kind_of(first) == Match.Kind.STARTED
    assert_sound(club)


def test_starts_are_looked_up_by_an_index_of_starts() -> None:
    """With each result it is asked whether its season has any: no other match is read for that."""
    board = boards_of(club_of("elo"))["elo"]
    starts = Match.objects.starts_or_void().order_by()
    for rows in (
        starts.filter(season=board.season_id),
        starts.filter(season=board.season_id, mode=board.mode_id),
        Match.objects.started().filter(deadline_at__lte=LATE).order_by(),
        Match.objects.rated_on(board).lost().order_by(),
    ):
        with connection.cursor() as cursor:
            if connection.vendor != "sqlite":
                # It takes every other index for so few rows.
                cursor.execute("SET LOCAL enable_seqscan = off")
        plan = rows.explain()
        assert "match_started" in plan or "match_open" in plan, plan


def test_starts_beyond_what_is_read_at_once_are_settled(monkeypatch: Any) -> None:
    """As those of a long file are: of more players everyone's starts and results are read."""
    monkeypatch.setattr(start_verdicts, "BATCH", 2)
    club = club_of("elo")
    for number, (one, other) in enumerate((("Ana", "Bo"), ("Cy", "Dee"), ("Eve", "Fay"))):
        start(club, one, other, at=START + number * HOUR)
    content = b"date,winner,loser\n2025-10-01 21:30,Bo,Ana\n2025-10-01 21:30,Gus,Hal\n"
    with time_machine.travel(START + 5 * HOUR, tick=False):
        start_import(
            season=season_of(club),
            mode=mode_of(club),
            name="a.csv",
            content=content,
            options=ImportOptions(dates="dmy"),
        )
        drain()
    assert lose_overdue(LATE) == 2
    kinds = Match.objects.starts().order_by("seq").values_list("kind", flat=True)
    assert list(kinds) == [Match.Kind.ENDED, Match.Kind.LEFT, Match.Kind.LEFT]
    assert_sound(club)
    assert set(shown(boards_of(club)["elo"])) == {
        *("Ana", "Bo", "Cy", "Dee", "Eve", "Fay"),
        *("Gus", "Hal"),
    }


def only(club: League, call: Any, **fields: Any) -> Any:
    return call(match=open_of(club), version=1, author=None, is_organizer=True, **fields)


def open_of(club: League) -> Match:
    return Match.objects.started().get(league=club)


NAMES = ("Ana", "Bo", "Cy", "Dee")
FACTS = st.lists(
    st.tuples(
        st.sampled_from(("start", "start", "start", "result", "result", "release", "void")),
        st.permutations(NAMES),
        st.integers(0, 70),
        st.integers(0, 5),
    ),
    min_size=3,
    max_size=8,
    # No deadline falls on the moment of another fact: of these the first one entered goes first.
    unique_by=lambda fact: fact[2] % 24,
)


class TestSequences(TestCase):
    """Start, result, second start, time limit, quit, cancellation, late result, in any order."""

    @settings(max_examples=15, deadline=None, phases=(Phase.reuse, Phase.generate))
    @given(facts=FACTS, data=st.data())
    def test_any_order_of_arrival_gives_what_a_replay_gives(self, facts: Any, data: Any) -> None:
        in_time, late = club_of(slug="in-time"), club_of(slug="late")
        ordered = sorted(facts, key=lambda fact: int(fact[2]))
        for number, fact in enumerate(ordered):
            at = START + fact[2] * HOUR
            add(in_time, fact, sent=at)
            if number % 2:
                lose_overdue(at)
                drain()
        lose_overdue(LATE)
        assert_sound(in_time)
        for number, fact in enumerate(data.draw(st.permutations(ordered))):
            add(late, fact, sent=LATE)
            if number % 3 == 0:
                drain()
        for fact in ordered:
            add_about_start(late, fact, sent=LATE)
        assert_sound(late)
        assert everything_shown(late) == everything_shown(in_time)


def add(club: League, fact: Any, *, sent: datetime) -> None:
    """Tell the club a fact, as it happens or later."""
    what, names, hours, which = fact
    at = START + hours * HOUR
    if what == "start":
        start(club, names[0], names[1], at=at, sent=sent, handicaps=(0, 40 * which))
    elif what == "result":
        played(club, names[0], names[1], at=at, sent=sent)
    elif sent == at:
        add_about_start(club, fact, sent=sent)


def add_about_start(club: League, fact: Any, *, sent: datetime) -> None:
    """Let players of an earlier start go, or let it be void; as an organizer can at any time."""
    what, _names, hours, which = fact
    earlier = Match.objects.filter(league=club, started_at__lt=START + hours * HOUR)
    match = earlier.order_by("-started_at").first()
    if match is None or match.status == Match.Status.VOID:
        return
    if what == "void":
        with time_machine.travel(sent, tick=False):
            void_match(match=match, author=None)
    if what == "release" and match.kind != Match.Kind.ENDED:
        people = sorted(match.participants.values_list("player__name", flat=True))
        release(club, match, *(people[: 1 + which % 2]), sent=sent)


def test_open_and_left_matches_come_back_from_a_backup() -> None:
    with transaction.atomic():
        club = club_of("elo", "ladder")
        start(club, "Ana", "Bo")
        start(club, "Ana", "Cy", at=START + HOUR)
        late = Match.objects.get(kind=Match.Kind.LEFT)
        finish(club, late, sent=START + HOUR)
        start(club, "Cy", "Dee", at=START + 2 * HOUR, handicaps=(64, -5))
        start(club, "Cy", "Eve", at=START + 3 * HOUR, handicaps=(0, 30))
        drain()
        before = {system: board_digest(board) for system, board in boards_of(club).items()}
        content = written()
        transaction.set_rollback(True)
    restored(content)
    club = League.objects.get()
    assert_sound(club)
    assert {system: board_digest(board) for system, board in boards_of(club).items()} == before
    assert written() == content


def test_a_backup_with_a_start_that_cannot_be_is_refused() -> None:
    with transaction.atomic():
        start(club_of("elo"), "Ana", "Bo")
        release(League.objects.get(), Match.objects.get(), "Ana")
        content = written()
        transaction.set_rollback(True)

    def without_start(row: dict[str, Any]) -> None:
        del row["fields"]["content"]["started"]

    refused(changed(content, "leagues.matchversion", without_start), "started")
