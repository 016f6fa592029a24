from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import Board, Season
from leagues.pages.boards import selection_waiting
from leagues.pages.integrity import integrity_line
from leagues.selectors.board_selection import select_board
from leagues.services.integrity import check_board, note_report
from leagues.services.leagues import add_board, create_season, update_league
from leagues.services.matches import record_matches, void_match
from leagues.services.seasons import Step, take_step
from tests.leagues.people import make_league
from tests.leagues.play import START, mode_of, new_club, record, result, season_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def test_the_newest_season_that_takes_results_is_shown_first():
    league = new_club()
    closed = create_season(league=league, name="Winter")
    closed.state = closed.State.CLOSED
    closed.save()
    create_season(league=league, name="Plans", state=closed.State.DRAFT)
    look = select_board(league=league)
    assert look is not None
    assert look.season.name == "Autumn"
    assert [season.name for season in look.seasons] == ["Autumn", "Winter"]
    assert select_board(league=league, season="winter").season == closed
    assert select_board(league=league, season="plans") is None
    assert select_board(league=league, board="nope") is None


def test_one_query_reads_all_seasons_and_boards_in_their_order(django_assert_num_queries):
    league = new_club()
    for number in range(3):
        add_board(season=season_of(league), mode=mode_of(league), system="elo", name=f"E{number}")
    with django_assert_num_queries(1):
        look = select_board(league=league, board="e1")
        assert [board.name for board in look.boards] == [
            *("Blitz, Glicko-2", "Blitz, Elo", "E0", "E1", "E2")
        ]
        assert (look.board.name, look.board.mode.name) == ("E1", "Blitz")
        assert (look.board.season, look.board.league) == (look.season, league)
        assert selection_waiting(look) is None


def test_a_sealed_season_keeps_the_walkovers_of_its_time():
    league = new_club(walkovers="win")
    day = timedelta(days=1)
    record(
        league,
        result(league, "Ana", "Bo", kind="walkover"),
        result(league, "Ana", "Bo", at=START + day),
        result(league, "Ana", "Bo", kind="walkover", at=START + 2 * day),
    )

    def told():
        look = select_board(league=league, until=START + 3 * day, with_first=True)
        return look.reading.first_at, look.reading.last_before

    whole = START, START + 2 * day
    assert told() == whole
    league.walkovers = "unrated"
    assert told() == (START + day, START + day)
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season_of(league), step, actor=None, now=timezone.now())
        drain()
    league = update_league(league=league, changes={"walkovers": "unrated"}, actor=None)
    assert told() == whole


def test_a_season_without_boards_is_there_all_the_same():
    look = select_board(league=make_league())
    assert (look.season.name, look.board, look.boards) == ("First", None, ())


def test_a_board_waits_while_its_job_has_not_run():
    league = new_club()
    record(league, result(league, "Ana", "Bo"))
    assert selection_waiting(select_board(league=league)) is None
    drafts = [result(league, "Bo", "Ana")]
    record_matches(season=season_of(league), mode=mode_of(league), drafts=drafts)
    assert selection_waiting(select_board(league=league)) is not None


def test_the_line_of_the_last_check_counts_what_it_covered_and_what_came_since():
    league = new_club()
    record(league, result(league, "Ana", "Bo"), result(league, "Bo", "Cy", at=START + DAY))
    board = season_of(league).boards.get(system="elo")

    def line() -> str:
        board.refresh_from_db()
        return integrity_line(board, timezone.now()).text

    assert line() == ""
    note_report(check_board(board))
    assert re.match("Ratings checked .*: computed again from 2 results, no difference$", line())
    matches = record(league, result(league, "Cy", "Ana", at=START + 2 * DAY))
    assert re.match("Ratings checked .*, before the newest changes$", line())
    note_report(check_board(board))
    void_match(match=matches[0], author=None)
    assert line().endswith(", before the newest changes")
    drain()
    note_report(check_board(board))
    Board.objects.update(changes_verified_at=timezone.now())
    assert re.match(
        "Ratings checked .*: newest changes computed again, no difference; "
        "all 2 results on .*, ..:..$",
        line(),
    )
    Season.objects.update(differences=3)
    assert line() == "A check found 3 differences from what was recorded"
