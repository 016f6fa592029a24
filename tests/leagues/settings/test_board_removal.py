"""Removing a board: said beforehand, gone at once, and nothing else is touched."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from leagues.jobs.queue import claim_job
from leagues.jobs.runner import drain, run_claim
from leagues.models import (
    AuditEntry,
    Board,
    BoardDay,
    Job,
    League,
    PackedStandings,
    RatingSegment,
    Season,
    Standing,
    StartingState,
    Trial,
)
from leagues.services.board_removal import remove_board
from leagues.services.carryover import carry_over, start_next_season
from leagues.services.errors import Refused
from leagues.services.history import check_league
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.ratings import enqueue_rating
from leagues.services.rules import change_rules
from leagues.services.seasons import Step, take_step
from leagues.services.trials import start_search, start_trial
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club, record, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db
COMPUTED = (Standing, RatingSegment, BoardDay, PackedStandings)


@pytest.fixture(scope="module")
def built_league(shared_rows: None) -> League:
    club = new_club(owner=make_user("boss"))
    record(club, *rounds(club, ("Ana", "Bo", "Cy"), 4))
    drain()
    return club


league = read_anew("built_league")


@pytest.fixture
def boss(league: League) -> Client:
    client = Client()
    client.force_login(league.memberships.get().user, "django.contrib.auth.backends.ModelBackend")
    return client


def address(board: Board) -> str:
    return f"/l/club/settings/boards/{board.season.slug}/{board.slug}/remove/"


def test_the_page_says_what_goes_and_the_press_does_it(boss: Client, league: League) -> None:
    first, second = league.boards.all()
    start_trial(board=second, parameters={}, actor=None)
    drain()
    digest = board_digest(first)
    assert address(second) in boss.get("/l/club/settings/boards/").content.decode()
    page = boss.get(address(second)).content.decode()
    assert "All results stay, and no other board will change." in page
    assert "with the same system and parameters, it will have the same ratings" in page
    response = boss.post(address(second), follow=True)
    assert f"“{second.name}” was removed." in response.content.decode()
    drain()
    assert list(league.boards.all()) == [first]
    for model in (*COMPUTED, Trial):
        assert not model.objects.filter(board_id=second.pk).exists(), model
    first.refresh_from_db()
    assert board_digest(first) == digest
    assert not check_league(league.pk).differences
    call_command("verify")
    entry = AuditEntry.objects.get(action="board.remove")
    assert (entry.subject, entry.before["system"]) == (second.name, second.system)
    assert "board removed" in boss.get("/l/club/changes/").content.decode()


def test_pressed_twice_it_is_removed_and_recorded_once(league: League) -> None:
    add_board(season=season_of(league), mode=mode_of(league), system="ladder")
    board = league.boards.get(system="elo")
    twice = Board.objects.get(pk=board.pk)
    remove_board(board=board, actor=None)
    remove_board(board=twice, actor=None)
    assert AuditEntry.objects.filter(action="board.remove").count() == 1
    assert not check_league(league.pk).differences


def test_a_search_under_way_ends_without_its_board(league: League) -> None:
    league.boards.update(rated_matches=100)
    board = league.boards.get(system="elo")
    start_search(board=board, actor=None)
    claim = claim_job()
    while claim.job.kind != "trial":
        run_claim(claim)
        claim = claim_job()
    remove_board(board=board, actor=None)
    drain()
    run_claim(claim)
    assert claim.job.kind == "trial" and not Trial.objects.filter(board_id=board.pk).exists()
    assert not Job.objects.filter(state=Job.State.FAILED).exists()


def test_added_again_it_has_the_same_ratings(league: League) -> None:
    board = league.boards.last()
    digest, parameters = board_digest(board), board.parameters
    remove_board(board=board, actor=None)
    again = add_board(
        season=season_of(league),
        mode=mode_of(league),
        system=board.system,
        name=board.name,
        parameters=parameters,
    )
    drain()
    again.refresh_from_db()
    assert board_digest(again) == digest


def test_a_rating_under_way_leaves_nothing_behind(league: League) -> None:
    board = league.boards.last()
    Board.objects.filter(pk=board.pk).update(rated_through_revision=0)
    enqueue_rating(board)
    claim = claim_job()
    while claim.params.get("board") != board.pk:
        run_claim(claim)
        claim = claim_job()
    remove_board(board=board, actor=None)
    run_claim(claim)
    drain()
    for model in COMPUTED:
        assert not model.objects.filter(board_id=board.pk).exists(), model


def test_the_only_board_of_a_mode_stays(boss: Client, league: League) -> None:
    first, second = league.boards.all()
    remove_board(board=second, actor=None)
    page = boss.get(address(first))
    assert "Add another one first" in page.content.decode()
    assert "Remove the board" not in page.content.decode()
    assert boss.post(address(first)).status_code == 422
    assert list(league.boards.all()) == [first]


def test_a_sealed_season_keeps_its_boards_and_the_next_one_says_what_is_lost(
    boss: Client, league: League
) -> None:
    now = timezone.now()
    take_step(season_of(league), Step.CLOSE, actor=None, now=now)
    take_step(season_of(league), Step.SEAL, actor=None, now=now)
    drain()
    sealed = league.boards.last()
    assert "so its boards can’t be changed" in boss.get(address(sealed)).content.decode()
    with pytest.raises(Refused):
        remove_board(board=sealed, actor=None)
    following = start_next_season(Season.objects.get(), actor=None)
    carry_over(following, carryover=Season.Carryover.KEEP, actor=None)
    board = following.boards.last()
    page = boss.get(address(board)).content.decode()
    assert "The ratings that 3 players carried over from the previous season will be lost" in page
    take_step(following, Step.OPEN, actor=None, now=now)
    remove_board(board=board, actor=None)
    drain()
    assert not StartingState.objects.filter(board_id=board.pk).exists()
    assert not check_league(league.pk).differences


def test_of_rules_that_changed_the_page_tells(boss: Client, league: League) -> None:
    board = league.boards.get(system="elo")
    first = league.matches.order_by("played_at").last()
    change_rules(
        board,
        parameters=board.parameters | {"k": 12.0},
        effective_at=first.played_at,
        actor=None,
        reason="slower",
    )
    drain()
    assert "Its rules changed during the season" in boss.get(address(board)).content.decode()
    assert boss.post(address(board)).status_code == 302
    assert not check_league(league.pk).differences
    assert all(not check_board(other).differences for other in league.boards.all())
