"""What was carried over, read by rules that have changed since."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import Board, Player, Season
from leagues.pages.boards import board_address, player_address
from leagues.pages.matches import match_address
from leagues.pages.sides import compare_address
from leagues.services.carryover import carry_over, start_next_season
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.matches import record_matches
from leagues.services.rules import change_rules
from leagues.services.seasons import Step, take_step
from leagues.store import standing_columns
from leagues.store.memory import forget_all
from leagues.store.segments import unpack_states
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club, record, result, rounds, season_of

pytestmark = pytest.mark.django_db

SPRING = datetime(2026, 1, 1, tzinfo=UTC)
NAMES = ("Ana", "Bo", "Cy", "Di")
WEEKS = {"decay": 0.1, "period_days": 7}
CALENDAR = {"period": "calendar", "period_days": 7}
CASES = (
    ("zerosum", WEEKS, {"period_days": 1}),
    ("zerosum", WEEKS, {"period_days": 30}),
    ("zerosum", WEEKS, {"decay": 0.0, "anchors": True}),
    ("zerosum", {}, {"display": "fixed-range", **WEEKS}),
    ("becker", {"decay": 4.0, "period_days": 7}, {"period_days": 30}),
    ("becker", {}, {"decay": 4.0, "period_days": 7}),
    ("glicko2", CALENDAR, {"period_days": 30}),
    ("glicko2", CALENDAR, {"period": "per-match"}),
    ("glicko2", {}, CALENDAR),
    ("glicko2", {}, {"display": "points"}),
    ("glicko", {}, {"c": 90.0}),
    ("trueskill", {}, {"idle_variance": 0.2}),
    ("elo", {}, {"policy": "fide"}),
    ("ladder", {}, {"mode": "insert"}),
)


def taken(season, *steps):
    for step in steps:
        season = take_step(season, step, actor=None, now=timezone.now())
        drain()
    return Season.objects.get(pk=season.pk)


def spring_after(system, parameters, slug, carry):
    """Return a club and the board of the season after one with results by these rules."""
    club = new_club(slug)
    club.seasons.update(ends_at=SPRING)
    season = season_of(club)
    season.boards.all().delete()
    add_board(season=season, mode=mode_of(club), system=system, parameters=parameters)
    record(club, *rounds(club, NAMES, 5))
    following = start_next_season(
        taken(season, Step.CLOSE, Step.SEAL),
        days=(SPRING, None),
        carryover=carry,
        actor=None,
    )
    return club, following.boards.get()


def play(club, season):
    taken(season, Step.OPEN)
    pairs = (("Ana", "Bo"), ("Di", "Ana"), ("Cy", "Bo"), ("Eve", "Ana"), ("Cy", "Di"))
    for number, pair in enumerate(pairs, start=1):
        at = SPRING + timedelta(days=5 * number)
        record_matches(season=season, mode=mode_of(club), drafts=[result(club, *pair, at=at)])
        drain()


@pytest.mark.parametrize(("system", "old", "new"), CASES)
def test_rules_changed_after_carrying_over_are_those_of_a_board_that_had_them_before(
    client, system, old, new
):
    club, board = spring_after(system, old, "club", "keep")
    play(club, board.season)
    change_rules(board, parameters=new, effective_at=None, actor=None)
    drain()
    board.refresh_from_db()
    assert board.state == Board.State.READY
    assert check_board(board).differences == ()

    other, before = spring_after(system, old, "other", "fresh")
    change_rules(before, parameters=new, effective_at=None, actor=None)
    carry_over(before.season, carryover="keep", actor=None)
    play(other, before.season)
    before.refresh_from_db()
    assert board_digest(board) == board_digest(before)

    assert client.get(player_address(board, "ana")).status_code == 200
    for match in board.season.matches.all():
        assert bridge.match_account(board, match) is not None
        assert client.get(match_address(match, club, board.season)).status_code == 200


def test_nobody_becomes_an_anchor_by_the_number_of_a_period():
    club, board = spring_after("zerosum", WEEKS, "club", "keep")
    change_rules(board, parameters={"decay": 0.0, "anchors": True}, effective_at=None, actor=None)
    play(club, board.season)
    board.refresh_from_db()
    states = board.standings.filter(generation=board.generation).values_list("state", flat=True)
    assert unpack_states(states, 2)[:, 1].tolist() == [0.0] * 5


def test_periods_go_on_to_end_when_they_have_another_length():
    club, board = spring_after("glicko2", CALENDAR, "club", "keep")
    change_rules(board, parameters={"period_days": 30}, effective_at=None, actor=None)
    taken(board.season, Step.OPEN)
    for month in range(3):
        at = SPRING + timedelta(days=31 * month, hours=12)
        draft = result(club, "Di", "Ana", at=at)
        record_matches(season=board.season, mode=mode_of(club), drafts=[draft])
        drain()
    board.refresh_from_db()
    system = bridge.system_of(board)
    standing = board.standings.get(generation=board.generation, player__key="ana")
    (state,) = unpack_states([standing.state], len(system.columns)).tolist()
    days = (at.date() - datetime(1970, 1, 1).date()).days
    assert state[system.columns.index("period")] == days // 30


@pytest.mark.parametrize("most", [1, 10_000])
def test_what_was_carried_over_costs_no_query_beyond_the_bounds(client, monkeypatch, most):
    """Once a process has read the standings; before that, one more.

    A profile asks whether the rating was given.
    """
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", most)
    club, board = spring_after("glicko2", {}, "club", "keep")
    taken(board.season, Step.OPEN)
    draft = result(club, "Bo", "Cy", at=SPRING + timedelta(days=1))
    record_matches(season=board.season, mode=mode_of(club), drafts=[draft])
    drain()
    kim = make_user("kim")
    Player.objects.filter(key="ana").update(user=kim)
    client.force_login(kim)
    for address, bound in ((board_address(board), 6), (player_address(board, "bo"), 9)):
        forget_all()
        counts = []
        for _time in range(2):
            with CaptureQueriesContext(connection) as asked:
                assert b"+" in client.get(address).content
            queries = [row["sql"] for row in asked]
            counts.append(sum(sql.lstrip("(").startswith("SELECT") for sql in queries))
        assert counts[0] <= bound + 1, address
        assert counts[1] <= bound, address


@pytest.mark.parametrize("system", ["glicko2", "elo", "trueskill", "ladder"])
def test_whoever_carried_a_rating_over_puts_that_one_at_stake_before_the_first_match(
    client, system
):
    club, board = spring_after(system, {}, "club", "keep")
    taken(board.season, Step.OPEN)
    for one, other in (("Bo", "Cy"), ("Cy", "Di"), ("Bo", "Di")):
        draft = result(club, one, other, at=SPRING + timedelta(days=1))
        record_matches(season=board.season, mode=mode_of(club), drafts=[draft])
    drain()
    board = Board.objects.select_related("league", "season", "mode").get(pk=board.pk)
    client.cookies["me"] = "ana"
    rows = client.get(board_address(board)).context["page"].rows
    on_board = {row.name: (row.stake.win, row.stake.loss) for row in rows}
    response = client.get(compare_address(board, [["ana"], ["bo"]]))
    assert "a starting rating, not rated here yet" in response.content.decode()
    compared = response.context["page"].stakes
    foreseen = (compared[0].cells[0].change, compared[-1].cells[0].change)
    profile = client.get(player_address(board, "bo")).context["page"].stake
    assert on_board["Bo"] == (profile.win, profile.loss) == foreseen
    client.cookies["me"] = "bo"
    response = client.get(player_address(board, "ana"))
    assert "was carried over from the previous season" in response.content.decode()
    other = response.context["page"].stake
    assert (other.win, other.loss) == (compared[-1].cells[1].change, compared[0].cells[1].change)
