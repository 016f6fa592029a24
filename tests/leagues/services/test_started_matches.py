"""Started matches: whatever becomes of them, boards and hashes are what a replay finds."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from pytest import approx

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import Board, League, Match, Standing
from leagues.services.entry import Enterer
from leagues.services.entry_drafts import Answers, MatchEntry, PlayerEntry, SideEntry
from leagues.services.errors import Conflict, Refused
from leagues.services.history import check_league
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.matches import revert_revision, void_match
from leagues.services.seasons import Step, take_step
from leagues.services.started_matches import (
    SideResult,
    Started,
    call_off,
    finish_match,
    lose_overdue,
    start_match,
)
from leagues.store.match_columns import read_facts
from ratings import create
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.services.test_backups import changed, refused, restored, written

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
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
FIRST_WON = (SideResult(1), SideResult(2))


def club_of(*systems: str, slug: str = "club") -> League:
    """A club with a board of each of these systems, or of every one."""
    club = new_club(slug)
    season_of(club).boards.all().delete()
    for system in systems or BOARDS:
        add_board(
            season=season_of(club), mode=mode_of(club), system=system, parameters=BOARDS[system]
        )
    return club


def start(club: League, one: str, other: str, *, at: datetime = START, **fields: Any) -> Started:
    """Start a match between two players, or between teams whose names are joined by +."""
    sides = tuple(
        SideEntry(1, None, tuple(PlayerEntry(name=name) for name in side.split("+")))
        for side in (one, other)
    )
    return start_match(
        season=season_of(club),
        mode=mode_of(club),
        entry=MatchEntry(played_at=at, sides=sides, **fields),
        enterer=PROGRAM,
        answers=Answers(creates_players=True),
    )


def boards_of(club: League) -> dict[str, Board]:
    boards = club.boards.select_related("league", "season", "mode")
    return {board.system: board for board in boards}


def assert_sound(club: League) -> None:
    drain()
    for system, board in boards_of(club).items():
        report = check_board(board)
        assert (report.is_behind, report.differences) == (False, ()), system
    report = check_league(club.pk)
    assert report.differences == 0, report


def shown(board: Board) -> dict[str, float]:
    rows = Standing.objects.current(board).values_list("player__name", "shown")
    return dict(rows)


def left_by(match: Match) -> dict[str, bool | None]:
    rows = match.participants.values_list("player__name", "has_left")
    return dict(rows)


def test_an_open_match_is_a_fact_that_moves_nobody() -> None:
    club = club_of()
    record(club, result(club, "Ana", "Bo"))
    before = {system: board_digest(board) for system, board in boards_of(club).items()}
    started = start(club, "Ana", "Bo", at=START + HOUR)
    assert_sound(club)
    assert {system: board_digest(board) for system, board in boards_of(club).items()} == before
    match = Match.objects.get(pk=started.match.pk)
    assert (match.kind, match.is_rated) == (Match.Kind.STARTED, False)
    assert match.started_at == match.played_at == START + HOUR


def test_its_result_is_rated_as_if_nobody_had_started_it() -> None:
    club, other = club_of(), club_of(slug="other")
    started = start(club, "Ana", "Bo").match
    finish_match(
        match=started,
        version=1,
        results=FIRST_WON,
        enterer=PROGRAM,
        played_at=START + HOUR,
    )
    record(other, result(other, "Ana", "Bo", at=START + HOUR))
    assert_sound(club)
    for system, board in boards_of(club).items():
        assert shown(board) == shown(boards_of(other)[system])


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
    assert left_by(match) == {"Ana": True, "Bo": False}
    assert shown(boards_of(club)["elo"]) == {"Ana": 1480.0}
    assert Match.objects.get(pk=second.match.pk).kind == Match.Kind.STARTED
    (row,) = Standing.objects.current(boards_of(club)["elo"])
    assert (row.games, row.lost, row.form) == (1, 1, "L")


def test_the_numbers_are_those_of_the_start() -> None:
    """Bo beats Cy while the match is open: Ana still loses to the Bo of before."""
    club = club_of("elo", "glicko2")
    start(club, "Ana", "Bo")
    record(club, result(club, "Bo", "Cy", at=START + HOUR))
    lose_overdue(START + timedelta(days=2))
    drain()
    assert shown(boards_of(club)["elo"])["Ana"] == 1480.0
    # The example of S3: two new players; the second line of it by hand in tests/ratings.
    system = create("glicko2", boards_of(club)["glicko2"].parameters)
    stand_in = system.new_player()
    lost = system.forfeited(system.new_player(), stand_in, 0).states[0]
    assert shown(boards_of(club)["glicko2"])["Ana"] == approx(system.display(lost).value)
    assert_sound(club)


def test_the_time_limit_lets_everyone_lose_who_was_not_let_go() -> None:
    club = club_of("elo")
    match = start(club, "Ana+Bo", "Cy+Dee").match
    call_off(match=match, version=1, author=None, left_by={key_of(club, "Ana")})
    assert lose_overdue(START + 23 * HOUR) == 0
    assert lose_overdue(START + timedelta(days=30)) == 1
    assert lose_overdue(START + timedelta(days=31)) == 0
    assert_sound(club)
    match.refresh_from_db()
    assert match.played_at == START + 24 * HOUR
    assert left_by(match) == {"Ana": True, "Bo": False, "Cy": False, "Dee": False}
    assert shown(boards_of(club)["elo"]) == {"Ana": 1480.0}


def test_without_any_word_both_sides_lose_at_the_deadline() -> None:
    club = club_of("elo")
    start(club, "Ana", "Bo")
    lose_overdue(START + timedelta(days=2))
    assert_sound(club)
    assert shown(boards_of(club)["elo"]) == {"Ana": 1480.0, "Bo": 1480.0}


def test_called_off_it_gives_nobody_anything() -> None:
    club = club_of("elo")
    match = start(club, "Ana", "Bo").match
    call_off(match=match, version=1, author=None, reason="The server went down")
    start(club, "Ana", "Cy", at=START + HOUR)
    lose_overdue(START + 24 * HOUR)
    assert_sound(club)
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    assert shown(boards_of(club)["elo"]) == {}


def test_both_sides_say_that_the_other_left() -> None:
    club = club_of("elo")
    match = start(club, "Ana", "Bo").match
    call_off(match=match, version=1, author=None, left_by={key_of(club, "Ana")})
    call_off(match=match, version=2, author=None, left_by={key_of(club, "Bo")})
    match.refresh_from_db()
    assert match.status == Match.Status.VOID


def test_a_late_result_corrects_the_loss_and_undoing_it_brings_that_back() -> None:
    club = club_of()
    match = start(club, "Ana", "Bo").match
    start(club, "Ana", "Cy", at=START + HOUR)
    drain()
    lost = {system: board_digest(board) for system, board in boards_of(club).items()}
    match.refresh_from_db()
    revision = finish_match(match=match, version=2, results=FIRST_WON, enterer=PROGRAM)
    assert_sound(club)
    match.refresh_from_db()
    assert (match.kind, match.played_at) == (Match.Kind.PLAYED, START + HOUR)
    assert left_by(match) == {"Ana": None, "Bo": None}
    assert shown(boards_of(club)["elo"]) == {"Ana": 1520.0, "Bo": 1480.0}
    revert_revision(revision=revision, author=None)
    assert_sound(club)
    assert {system: board_digest(board) for system, board in boards_of(club).items()} == lost
    match.refresh_from_db()
    assert left_by(match) == {"Ana": True, "Bo": False}


def test_undoing_a_start_opens_the_match_again_that_was_left_for_it() -> None:
    club = club_of("elo")
    first = start(club, "Ana", "Bo").match
    second = start(club, "Ana", "Cy", at=START + HOUR).match
    revert_revision(revision=second.revision, author=None)
    assert_sound(club)
    first.refresh_from_db()
    assert (first.kind, first.played_at) == (Match.Kind.STARTED, START)
    assert shown(boards_of(club)["elo"]) == {}


def test_an_older_result_corrects_the_numbers_of_the_start() -> None:
    """Bo's win before the start, entered later, makes him a harder opponent to lose to."""
    club = club_of("elo")
    start(club, "Ana", "Bo")
    lose_overdue(START + timedelta(days=2))
    record(club, result(club, "Bo", "Cy", at=START - HOUR))
    assert_sound(club)
    expected = 1.0 / (1.0 + 10.0 ** (20.0 / 400.0))
    assert shown(boards_of(club)["elo"])["Ana"] == approx(1500.0 - 40.0 * expected)


def test_boards_without_such_a_loss_say_why() -> None:
    club = club_of("becker", "static")
    start(club, "Ana", "Bo")
    lose_overdue(START + timedelta(days=2))
    assert_sound(club)
    for board in boards_of(club).values():
        ((_seq, reason),) = bridge.compute(board, read_facts(board)).refused
        assert "left" in reason
        assert board.refused_matches == 1


def test_who_leaves_falls_on_a_ladder_by_the_rule_of_the_mode() -> None:
    club = club_of("ladder")
    record(club, result(club, "Ana", "Bo"), result(club, "Cy", "Dee"))
    mode = mode_of(club)
    mode.start_rungs = 2
    mode.save()
    start(club, "Ana", "Bo", at=START + HOUR)
    start(club, "Ana", "Cy", at=START + 2 * HOUR)
    mode.start_rungs = 7
    mode.save()
    assert_sound(club)
    assert shown(boards_of(club)["ladder"]) == {"Bo": 1.0, "Cy": 2.0, "Ana": 3.0, "Dee": 4.0}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda club: start(club, "Ana", "Ana"), "twice"),
        (lambda club: start(club, "Ana", "Bo", at=START - timedelta(days=90_000)), "1800"),
        (lambda club: start(club, "Ana", "Bo", at=START + timedelta(days=9_000)), "future"),
        (lambda club: start(club, "Ana", "Dee", at=START - HOUR), "started another one since"),
        (lambda club: void_of(club, left_by={"nobody"}), "not in this match"),
        (lambda club: finished(club, results=FIRST_WON[:1]), "each side"),
        (lambda club: finished(club, results=(SideResult(2), SideResult(2))), "Ranks"),
        (lambda club: finished(club, played_at=START - HOUR), "after it starts"),
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


def test_a_match_with_a_result_is_neither_finished_nor_called_off() -> None:
    club = club_of("elo")
    (match,) = record(club, result(club, "Ana", "Bo"))
    with pytest.raises(Refused):
        finish_match(match=match, version=1, results=FIRST_WON, enterer=PROGRAM)
    with pytest.raises(Refused):
        call_off(match=match, version=1, author=None)
    started = start(club, "Ana", "Bo", at=START + HOUR).match
    with pytest.raises(Conflict):
        finish_match(match=started, version=7, results=FIRST_WON, enterer=PROGRAM)


def test_the_same_start_sent_again_is_one_match() -> None:
    club = club_of("elo")
    first = start(club, "Ana", "Bo", external_id="game-1")
    again = start(club, "Ana", "Bo", external_id="game-1")
    assert (again.match.pk, again.is_new) == (first.match.pk, False)
    assert Match.objects.count() == 1


def test_a_sealed_season_lets_nobody_lose() -> None:
    club = club_of("elo")
    start(club, "Ana", "Bo")
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season=season_of(club), step=step, actor=None, now=START + HOUR)
    drain()
    assert lose_overdue(START + timedelta(days=2)) == 0
    assert check_league(club.pk).differences == 0


def test_a_match_that_was_never_started_keeps_its_hash() -> None:
    club = club_of("elo")
    record(club, result(club, "Ana", "Bo"))
    assert check_league(club.pk).differences == 0
    with connection.cursor() as cursor:
        cursor.execute("UPDATE leagues_participant SET has_left = %s", [False])
    assert check_league(club.pk).differences > 0


def key_of(club: League, name: str) -> str:
    return club.players.get(name=name).key


def void_of(club: League, **fields: Any) -> Any:
    match = Match.objects.started().get(league=club)
    return call_off(match=match, version=1, author=None, **fields)


def finished(club: League, results: Any = FIRST_WON, **fields: Any) -> Any:
    match = Match.objects.started().get(league=club)
    return finish_match(match=match, version=1, results=results, enterer=PROGRAM, **fields)


NAMES = ("Ana", "Bo", "Cy", "Dee")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ("start", "start", "start", "played", "finish", "off", "quit", "limit", "void", "back")
        ),
        st.permutations(NAMES),
        st.integers(0, 60),
        st.integers(0, 5),
    ),
    min_size=3,
    max_size=9,
)


class TestSequences(TestCase):
    """Start, result, second start, time limit, quit, cancellation, late result, in any order."""

    @settings(max_examples=25, deadline=None)
    @given(steps=STEPS)
    def test_every_order_leaves_what_a_replay_finds(self, steps: list[Any]) -> None:
        club = club_of()
        for step, names, hours, which in steps:
            try:
                take(club, step, names, START + hours * HOUR, which)
            except Refused as refused:
                assert all(problem.message for problem in refused.problems)
            if which % 2:
                drain()
        assert_sound(club)


def take(club: League, step: str, names: Any, at: datetime, which: int) -> None:
    matches = list(Match.objects.filter(league=club).order_by("seq"))
    one = matches[which % len(matches)] if matches else None
    if step == "start":
        start(club, names[0], names[1], at=at)
    elif step == "played":
        record(club, result(club, names[0], names[1], at=at))
    elif step == "limit":
        lose_overdue(at)
    elif one is None:
        return
    elif step == "finish":
        finish_match(
            match=one,
            version=None,
            results=FIRST_WON,
            enterer=PROGRAM,
            played_at=max(at, one.started_at or at),
        )
    elif step == "off":
        call_off(match=one, version=None, author=None)
    elif step == "quit":
        call_off(
            match=one, version=None, author=None, left_by={one.participants.first().player.key}
        )  # type: ignore[union-attr]
    elif step == "void":
        void_match(match=one, author=None)
    else:
        revert_revision(revision=one.revision, author=None)


def test_open_and_left_matches_come_back_from_a_backup() -> None:
    with transaction.atomic():
        club = club_of("elo", "ladder")
        start(club, "Ana", "Bo")
        start(club, "Ana", "Cy", at=START + HOUR)
        late = Match.objects.get(kind=Match.Kind.LEFT)
        finish_match(match=late, version=None, results=FIRST_WON, enterer=PROGRAM)
        start(club, "Cy", "Dee", at=START + 2 * HOUR)
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
        start_again = Match.objects.get()
        call_off(match=start_again, version=1, author=None, left_by={"ana"})
        content = written()
        transaction.set_rollback(True)

    def without_start(row: dict[str, Any]) -> None:
        del row["fields"]["content"]["started"]

    refused(changed(content, "leagues.matchversion", without_start), "started")
