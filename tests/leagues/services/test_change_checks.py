"""A check of changes finds what a whole check finds, in all that the changes reach."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection

from leagues.jobs.queue import claim_job, start_now
from leagues.jobs.runner import drain, run_claim
from leagues.models import Board, Job, League, Match, Season
from leagues.services import board_corrections, tail_states, verification
from leagues.services.change_checks import check_changes, note_changes
from leagues.services.integrity import check_board, note_report
from leagues.services.leagues import add_board, restart_board
from leagues.services.matches import correct_match, record_matches, restore_match, void_match
from leagues.services.stored_drafts import draft_of
from leagues.services.upkeep import verify_now
from leagues.store import segments
from tests.leagues.play import START, mode_of, record, result, rounds, season_of
from tests.leagues.services.test_appends import SYSTEMS, board_now, club_of, play

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sparse_corrections")]

DAY = timedelta(days=1)
FIRST, SECOND = ("Ana", "Bo", "Cy"), ("Dee", "Eve", "Flo")
"""Two circles whose players never meet."""
CHECKS = ("verify_board", "verify_changes", "check_record")


@pytest.fixture
def club() -> League:
    """A league whose one board is wholly checked, and in which two more have played since."""
    league, _board = club_of("glicko2", {})
    later = [
        replace(draft, played_at=draft.played_at + timedelta(hours=1))
        for draft in rounds(league, SECOND, 4)
    ]
    record(league, *rounds(league, FIRST, 4), *later)
    run_checks()
    assert the_board().verified_matches == 24
    append(league, "Ana", "Bo")
    return league


def append(league: League, *names: str, days: int = 30) -> Match:
    return record(league, result(league, *names, at=START + days * DAY))[0]


def the_board() -> Board:
    return Board.objects.select_related("league", "season", "mode").get()


def run_checks() -> list[tuple[str, object]]:
    """Run the checks that wait for their time, once; what they were and what came out."""
    waiting = Job.objects.filter(kind__in=CHECKS, state=Job.State.QUEUED).order_by("pk")
    ran = []
    for job_id in list(waiting.values_list("pk", flat=True)):
        start_now(job_id)
        claim = claim_job(only=job_id)
        assert claim is not None
        assert run_claim(claim)
        ran.append(Job.objects.values_list("kind", "result").get(pk=job_id))
    return ran


def run(sql: str, *params: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        assert cursor.rowcount == 1, sql


def number_of(name: str) -> int:
    return the_board().league.players.get(name=name).pk


def damage(table: str, name: str, change: str, which: str = "") -> None:
    """Change a row of a player past the application."""
    run(f"UPDATE leagues_{table} SET {change} WHERE player_id = %s {which}", number_of(name))


def test_after_an_append_only_what_it_reaches_is_checked(club: League) -> None:
    whole = the_board().verified_at
    assert run_checks() == [("verify_changes", {"differences": 0, "record": 0})]
    board = the_board()
    assert (board.verified_at, board.verified_matches) == (whole, 24)
    assert board.changes_verified_at is not None
    assert board.verified_through_revision == season_of(club).last_revision
    assert check_changes(board).matches == 0


BYTES = "x'0badc0de'" if connection.vendor == "sqlite" else "'\\x0badc0de'::bytea"
STANDING = {
    "state": BYTES,
    "shown": "77.0",
    "place_value": "77",
    "low": "77.0",
    "high": "77.0",
    "games": "77",
    "won": "77",
    "drawn": "77",
    "lost": "77",
    "form": "'forged'",
    "streak": "77",
    "last_played_at": "'2020-01-01 05:00:00'",
    "fairly_sure_until": "'2020-01-01 05:00:00'",
    "sure_until": "'2020-01-01 05:00:00'",
}
SEGMENT = {"number": "number + 1", "count": "count + 1", "data": BYTES, "expected": BYTES}
STORED = [
    *(("standing", f"{column} = {value}") for column, value in STANDING.items()),
    *(("ratingsegment", f"{column} = {value}") for column, value in SEGMENT.items()),
    *(("standing", f"{column} = {column} + 50") for column in ("board_id", "generation")),
    *(("ratingsegment", f"{column} = {column} + 50") for column in ("board_id", "generation")),
]
"""What each column of what is computed is set to, behind the application's back."""


@pytest.mark.parametrize(("table", "change"), STORED)
def test_damage_to_whom_a_change_reaches_is_found_at_once(
    club: League, table: str, change: str
) -> None:
    damage(table, "Ana", change)
    ran = dict(run_checks())
    if ran["verify_changes"] == {"whole": True}:
        # What contradicts itself is for the whole check, which comes next.
        ran = dict(run_checks())
        assert ran["verify_board"]["differences"] > 0
    else:
        assert ran["verify_changes"]["differences"] > 0
    assert the_board().differences > 0
    assert not run_checks() or the_board().differences > 0


@pytest.mark.parametrize(("table", "change"), STORED)
def test_damage_to_others_is_found_by_the_next_whole_check(
    club: League, table: str, change: str
) -> None:
    damage(table, "Eve", change)
    assert dict(run_checks()) == {"verify_changes": {"differences": 0, "record": 0}}
    assert the_board().differences == 0
    verify_now(board=the_board())
    assert dict(run_checks())["verify_board"]["differences"] > 0


@pytest.mark.parametrize(
    "change",
    [
        "rated_matches = 77",
        "refused_matches = 77",
        "last_at = '2026-01-01 05:00:00'",
        "last_seq = 77",
        "last_same_time_order = 77",
        f"board_state = {BYTES}",
        "rated_rules = '[[null, {\"tau\": 77}]]'",
        "rated_through_revision = rated_through_revision + 50",
        "generation = generation + 1",
    ],
)
def test_what_the_board_says_of_itself_is_compared(club: League, change: str) -> None:
    run(f"UPDATE leagues_board SET {change}")
    run_checks()
    run_checks()
    assert the_board().differences > 0


@pytest.mark.parametrize(
    "change",
    ["detail = 'forged'", "weight = 3.0", "source = 'forged'", "version = version + 1"],
)
def test_a_changed_match_is_compared_with_its_hash(club: League, change: str) -> None:
    run(f"UPDATE leagues_match SET {change} WHERE seq = %s", season_of(club).last_seq)
    assert dict(run_checks())["verify_changes"]["record"] > 0
    assert "check_record" in dict(run_checks())
    assert season_of(club).differences > 0


def test_a_forged_result_is_found_in_what_was_rated_from_it_too(club: League) -> None:
    match = club.matches.latest("seq")
    run("UPDATE leagues_participant SET rank = 3 - rank WHERE match_id = %s AND rank = 2", match.pk)
    found = dict(run_checks())["verify_changes"]
    assert found["differences"] > 0
    assert found["record"] > 0


def test_a_result_that_is_taken_away_is_found(club: League) -> None:
    match = club.matches.latest("seq")
    match.participants.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM leagues_match WHERE id = %s", [match.pk])
    append(club, "Ana", "Cy", days=31)
    run_checks()
    run_checks()
    assert the_board().differences > 0


def reversed_draft(match: Match):
    draft = draft_of(match)
    one, other = draft.sides
    return replace(draft, sides=(replace(one, rank=other.rank), replace(other, rank=one.rank)))


def in_order(league: League, number: int) -> Match:
    return league.matches.order_by("played_at", "same_time_order", "seq")[number]


CORRECTIONS: dict[str, Callable[[League], object]] = {
    "correct": lambda club: correct_match(
        match=in_order(club, 6),
        draft=reversed_draft(in_order(club, 6)),
        expected_version=1,
        author=None,
    ),
    "void": lambda club: void_match(match=in_order(club, 0), author=None),
    "late": lambda club: record(club, result(club, "Cy", "Ana", at=START + DAY / 2)),
    "move": lambda club: correct_match(
        match=in_order(club, 7),
        draft=replace(draft_of(in_order(club, 7)), played_at=START + 9 * DAY),
        expected_version=1,
        author=None,
    ),
}


@pytest.mark.parametrize("change", CORRECTIONS)
def test_a_correction_before_the_last_check_is_checked_with_whom_it_reaches(
    club: League, change: str
) -> None:
    run_checks()
    generation, whole = the_board().generation, the_board().verified_at
    CORRECTIONS[change](club)
    drain()
    assert the_board().generation == generation
    damage("ratingsegment", "Eve", f"expected = {BYTES}")
    assert dict(run_checks())["verify_changes"] == {"differences": 0, "record": 0}
    assert the_board().verified_at == whole
    CORRECTIONS["late"](club)
    damage("standing", "Cy", "shown = shown + 1")
    assert dict(run_checks())["verify_changes"]["differences"] == 1


def test_who_has_no_result_left_has_no_standing(club: League) -> None:
    match = append(club, "Pia", "Quin", days=31)
    run_checks()
    void_match(match=match, author=None)
    drain()
    assert dict(run_checks())["verify_changes"]["differences"] == 0
    restore_match(match=match, author=None)
    drain()
    void_match(match=match, author=None)
    # What the rating would throw away stays.
    run("UPDATE leagues_board SET rated_through_revision = rated_through_revision + 1")
    found = check_changes(the_board())
    assert {"standing", "history 0", "rated matches"} <= {each.what for each in found.differences}


@pytest.mark.parametrize(("system", "settings"), SYSTEMS)
@pytest.mark.parametrize("seed", range(2))
def test_what_is_right_is_found_right_after_every_step(system, settings, seed) -> None:
    club, board = club_of(system, settings)
    source, last, told = random.Random(seed), START, 0
    for _step in range(12):
        last = play(club, source, last)
        report = check_changes(board)
        if report is None:
            whole = check_board(board_now(board))
            assert whole.differences == ()
            note_report(whole)
            continue
        assert (report.differences, report.findings) == ((), ())
        note_changes(report)
        told += 1
    assert bool(told) != (system in ("ladder", "zerosum", "becker", "static"))


def test_histories_of_several_segments_are_compared_from_the_change_on(
    club: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segments, "SIZE", 4)
    restart_board(the_board())
    drain()
    run_checks()
    for day in range(31, 36):
        append(club, "Ana", "Cy", days=day)
    damage("ratingsegment", "Ana", f"expected = {BYTES}", "AND number = 0")
    assert dict(run_checks())["verify_changes"] == {"differences": 0, "record": 0}
    for day in range(40, 43):
        append(club, "Ana", "Bo", days=day)
    damage("ratingsegment", "Ana", f"expected = {BYTES}", "AND number = 4")
    assert dict(run_checks())["verify_changes"]["differences"] == 1


def test_a_rating_meanwhile_is_left_to_the_next_check(club: League) -> None:
    report = check_changes(the_board())
    append(club, "Cy", "Bo", days=31)
    assert note_changes(report)
    assert the_board().verified_through_revision == season_of(club).last_revision - 1
    assert check_changes(the_board()).matches == 1
    assert check_changes(the_board()).differences == ()


def test_a_rating_during_a_whole_check_is_checked_after_it(club: League) -> None:
    board = the_board()
    report = check_board(board)
    append(club, "Cy", "Bo", days=31)
    note_report(report)
    assert the_board().verified_through_revision == season_of(club).last_revision - 1
    assert check_changes(the_board()).matches == 1


def test_a_check_says_nothing_of_a_generation_that_came_meanwhile(club: League) -> None:
    changes, whole = check_changes(the_board()), check_board(the_board())
    restart_board(the_board())
    drain()
    before = the_board().verified_at
    assert not note_changes(changes)
    note_report(whole)
    board = the_board()
    assert (board.verified_at, board.verified_through_revision) == (before, None)
    assert check_changes(board) is None


def test_a_board_that_is_behind_is_checked_after_its_rating(club: League) -> None:
    draft = result(club, "Cy", "Bo", at=START + 31 * DAY)
    record_matches(season=season_of(club), mode=mode_of(club), drafts=[draft])
    assert dict(run_checks())["verify_changes"] == {"behind": True}
    drain()
    assert dict(run_checks())["verify_changes"] == {"differences": 0, "record": 0}
    assert the_board().verified_through_revision == season_of(club).last_revision


class Died(Exception):
    """What stands for the end of a process."""


def test_a_check_that_dies_is_made_again(club: League, monkeypatch: pytest.MonkeyPatch) -> None:
    damage("standing", "Ana", "won = 77")
    before = the_board().verified_through_revision
    job = Job.objects.get(kind="verify_changes", state=Job.State.QUEUED)

    def die(_name: str) -> None:
        raise Died

    with monkeypatch.context() as patch:
        patch.setattr(verification, "faultpoint", die)
        start_now(job.pk)
        claim = claim_job(only=job.pk)
        assert claim is not None
        assert not run_claim(claim)
    board = the_board()
    assert (board.verified_through_revision, board.differences) == (before, 0)
    assert ("verify_changes", {"differences": 1, "record": 0}) in run_checks()
    assert the_board().differences == 1


@pytest.mark.parametrize(
    ("module", "limit", "most"),
    [
        (tail_states, "MIN_RATED", 10_000),
        (tail_states, "MOST_CHANGED", 0),
        (board_corrections, "MAX_SHARE_REACHED", 0.1),
    ],
)
def test_where_changes_reach_too_much_the_whole_board_is_checked(
    club: League, monkeypatch: pytest.MonkeyPatch, module: object, limit: str, most: float
) -> None:
    monkeypatch.setattr(module, limit, most)
    assert run_checks() == [("verify_changes", {"whole": True})]
    assert run_checks() == [("verify_board", {"differences": 0})]
    assert the_board().verified_matches == 25


@pytest.mark.parametrize("system", ["ladder", "becker", "zerosum", "static"])
def test_boards_that_share_something_are_checked_whole(club: League, system: str) -> None:
    board = add_board(season=season_of(club), mode=mode_of(club), system=system)
    drain()
    run_checks()
    run_checks()
    append(club, "Ana", "Bo", days=31)
    waiting = Job.objects.filter(state=Job.State.QUEUED, params__board=board.pk)
    assert list(waiting.values_list("kind", flat=True)) == ["verify_board"]


def test_what_was_found_stands_until_the_whole_board_is_right(club: League) -> None:
    damage("standing", "Eve", "won = 77")
    verify_now(board=the_board())
    run_checks()
    append(club, "Ana", "Bo", days=31)
    assert "verify_changes" not in dict(run_checks())
    assert the_board().differences == 1
    restart_board(the_board())
    drain()
    run_checks()
    assert the_board().differences == 0


def test_a_sealed_board_is_checked_whole(club: League) -> None:
    run_checks()
    Season.objects.update(state="archived")
    assert check_changes(the_board()) is None
