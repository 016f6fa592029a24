"""Undoing what files said of players: the later file first, and nothing of closed seasons."""

from __future__ import annotations

import csv
import html
import json
from io import StringIO

import pytest
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import Board, Player, Revision, Season
from leagues.services.errors import Refused
from leagues.services.history import check_league
from leagues.services.matches import revert_revision
from leagues.services.player_groups import set_groups
from leagues.services.players import ensure_player
from leagues.services.seasons import Step, take_step
from leagues.services.starts import Start, set_start, start_of
from tests.leagues.imports.sender import Sender
from tests.leagues.page_texts import words_of
from tests.leagues.play import record, result, season_of

pytestmark = pytest.mark.django_db


def imported(kim: Sender, content: str, **fields: str) -> Revision:
    """The revision of a file of players that is checked and imported."""
    kim.written(kim.checked(content, **fields))
    return kim.league.revisions.filter(kind="players").latest("number")


def undo(revision: Revision) -> Revision:
    return revert_revision(revision=revision, author=None)


def club(kim: Sender) -> str:
    return kim.league.players.get(name="Ana").groups.values_list("name", flat=True).first() or ""


@pytest.fixture
def ana(kim: Sender) -> Player:
    record(kim.league, result(kim.league, "Ana", "Cy"))
    player = kim.league.players.get(name="Ana")
    set_groups(player=player, groups={"club": "First"}, actor=None)
    return player


@pytest.mark.usefixtures("ana")
def test_the_later_of_two_files_is_undone_first(kim: Sender) -> None:
    second = imported(kim, "player,club\nAna,Second\n")
    third = imported(kim, "player,club\nAna,Third\n")
    with pytest.raises(Refused, match=f"Undo change {third.number} first"):
        undo(second)
    back = undo(third)
    assert club(kim) == "Second"
    undo(back)
    with pytest.raises(Refused, match=f"Undo change {back.number + 1} first"):
        undo(second)
    undo(kim.league.revisions.latest("number"))
    done = undo(second)
    assert club(kim) == "First"
    page = html.unescape(kim.page(f"/l/{kim.league.slug}/r/autumn/{done.number}/"))
    assert "results do not count" not in page
    assert check_league(kim.league.pk).differences == 0


def test_what_a_person_changed_between_two_files_stays(kim: Sender, ana: Player) -> None:
    second = imported(kim, "player,club\nAna,Second\n")
    set_groups(player=ana, groups={"club": "By hand"}, actor=None)
    third = imported(kim, "player,club\nAna,Third\n")
    with pytest.raises(Refused):
        undo(second)
    undo(third)
    assert club(kim) == "By hand"
    undo(second)
    assert club(kim) == "By hand"


@pytest.mark.usefixtures("ana")
def test_files_about_other_facts_are_undone_in_any_order(kim: Sender) -> None:
    first = imported(kim, "player,club,born\nAna,Second,\nBo,,1990\n")
    imported(kim, "player,country,club\nAna,ESP,\nBo,CHN,Nord\n")
    undo(first)
    assert club(kim) == "First"


@pytest.mark.usefixtures("ana")
def test_the_page_says_which_file_is_undone_first(kim: Sender) -> None:
    second = imported(kim, "player,club\nAna,Second\n")
    third = imported(kim, "player,club\nAna,Third\n")
    response = kim.client.post(f"/l/{kim.league.slug}/r/autumn/{second.number}/undo/")
    assert response.status_code == 422
    assert f"Undo change {third.number} first." in words_of(response)
    assert club(kim) == "Third"


def elo_of(kim: Sender) -> Board:
    return season_of(kim.league).boards.select_related("season", "league").get(system="elo")


def starts_file(board: Board, rating: int) -> str:
    season = board.season.slug
    start = {"season": season, "board": board.slug, "rating": rating, "source": "FIDE list"}
    lines = StringIO()
    rows = csv.writer(lines)
    rows.writerows([("player", "starting_ratings"), ("Ana", json.dumps([start]))])
    return lines.getvalue()


def seal(season: Season) -> None:
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season=season, step=step, actor=None, now=timezone.now())
    drain()


def test_starting_ratings_are_undone_the_later_file_first(kim: Sender, ana: Player) -> None:
    board = elo_of(kim)
    first = imported(kim, starts_file(board, 1600))
    second = imported(kim, starts_file(board, 1700))
    assert start_of(board, ana) == Start(1700.0, None, "FIDE list")
    with pytest.raises(Refused, match="was changed by a later one"):
        undo(first)
    undo(second)
    undo(first)
    assert start_of(board, ana) is None


def test_a_start_of_a_closed_season_stays_and_is_named(kim: Sender, ana: Player) -> None:
    board = elo_of(kim)
    kim.league.seasons.create(name="Next", slug="next", state="open")
    brought = imported(kim, starts_file(board, 1600), season="next")
    seal(board.season)
    address = f"/l/{kim.league.slug}/r/next/{brought.number}/undo/"
    response = kim.client.post(address, follow=True)
    page = html.unescape(response.content.decode())
    assert start_of(board, ana) == Start(1600.0, None, "FIDE list")
    assert "1 starting rating stays as it is: its season is closed." in page


def test_a_file_whose_starts_are_left_out_is_not_called_known(kim: Sender) -> None:
    board = elo_of(kim)
    ensure_player(league=kim.league, name="Ana")
    seal(board.season)
    kim.league.seasons.create(name="Next", slug="next", state="open")
    page = html.unescape(kim.page(kim.checked(starts_file(board, 1600), season="next")))
    assert "Starting ratings are left out" in page
    assert "The rest of what this file says of players is already known." in page


def test_a_start_given_by_hand_on_top_stays(kim: Sender, ana: Player) -> None:
    board = elo_of(kim)
    brought = imported(kim, starts_file(board, 1600))
    was = start_of(board, ana)
    by_hand = Start(1650.0, None, "by hand")
    set_start(board=board, player=ana, start=by_hand, actor=None, was=was)
    undo(brought)
    assert start_of(board, ana) == by_hand
