"""The page of starting ratings: previewed, saved, explained, undone in the changes."""

from __future__ import annotations

import html
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client

from leagues.bridge import entrants_of
from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, League, Season, StartingState
from leagues.services.integrity import board_digest
from leagues.services.leagues import add_board
from leagues.services.players import ensure_player
from leagues.store import guards
from leagues.wording import plus_minus
from tests.leagues.people import make_user
from tests.leagues.play import START, mode_of, new_club, record, result, season_of

pytestmark = pytest.mark.django_db

PAGE = "/l/club/p/ana/starts/"


@pytest.fixture
def club() -> League:
    league = new_club(owner=make_user("kim"))
    for name in ("trueskill", "ladder", "static"):
        add_board(season=season_of(league), mode=mode_of(league), system=name)
    record(
        league,
        *(result(league, "Ana", "Bo", at=START + timedelta(days=day)) for day in range(5)),
        *(result(league, "Bo", "Cy", at=START + timedelta(days=day)) for day in range(5)),
    )
    return league


def board(system: str = "elo") -> Board:
    return Board.objects.select_related("league", "season", "mode").get(system=system)


def page_of(client: Client, address: str) -> str:
    return html.unescape(client.get(address).content.decode())


def send(client: Client, system: str = "elo", **words: str) -> tuple[int, str]:
    sent = {"board": str(board(system).pk), "rating": "", "source": "", **words}
    answer = client.post(PAGE, sent, follow=True)
    return answer.status_code, html.unescape(answer.content.decode())


def test_the_page_lists_boards_with_what_newcomers_have_and_others_with_the_reason(
    organizer: Client,
) -> None:
    assert PAGE in page_of(organizer, "/l/club/p/ana/edit/")
    page = page_of(organizer, PAGE)
    assert "Newcomers begin at 1500." in page
    assert "from 3.5 to 350." in page
    assert "newcomers have 25 and are shown with 0.0" in page
    assert "players hold places on this board" in page
    assert "rates all results at once" in page
    assert page.count('name="board"') == 3


def test_a_start_is_previewed_saved_explained_and_undone(organizer: Client) -> None:
    before = board_digest(board())
    words = {"rating": "1850", "source": "FIDE list November 2026"}
    status, page = send(organizer, **words, preview="yes")
    assert status == 200 and "ratings would change" in page and 'value="1850"' in page
    assert not StartingState.objects.exists()
    status, page = send(organizer, **words)
    assert status == 200 and "Saved." in page and 'name="was_rating" value="1850"' in page
    drain()
    assert board_digest(board()) != before
    said = "Began at 1850: FIDE list November 2026."
    assert said in page_of(organizer, f"/l/club/p/ana/?board={board().slug}")
    rules = page_of(organizer, f"/l/club/rules/?board={board().slug}")
    assert "Ana began at 1850: FIDE list November 2026." in rules
    api = organizer.get("/api/v1/leagues/club/players/ana/").json()
    assert api["starts"] == [
        {
            "season": season_of(board().league).slug,
            "board": board().slug,
            "rating": 1850.0,
            "deviation": None,
            "source": "FIDE list November 2026",
            "is_anchor": False,
            "seed": None,
        }
    ]
    log = organizer.get("/l/club/changes/").context["page"]
    (row,) = [row for group in log.days for row in group.rows if row.undo_words]
    assert "starting rating" in row.what
    answer = organizer.post(row.undo_url, row.undo_words, follow=True)
    assert "Undone. The ratings of" in html.unescape(answer.content.decode())
    drain()
    assert board_digest(board()) == before
    assert not StartingState.objects.exists()
    assert organizer.get("/api/v1/leagues/club/players/ana/").json()["starts"] == []
    log = organizer.get("/l/club/changes/").context["page"]
    (row,) = [row for group in log.days for row in group.rows if row.undo_words]
    organizer.post(row.undo_url, row.undo_words)
    assert StartingState.objects.get().source == "FIDE list November 2026"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"rating": "1850,5", "source": "list"}, "Write a decimal point, not a comma"),
        ({"rating": "nan", "source": "list"}, "Enter a number"),
        ({"rating": "inf", "source": "list"}, "Enter a number"),
        ({"rating": "1e308", "source": "list"}, "The rating must be"),
        (
            {"rating": "99999999", "source": "list"},
            "The rating must be at least −1\u202f000\u202f000, at most 1\u202f000\u202f000.",
        ),
        ({"rating": "9e999", "source": "list"}, "Enter a number"),
        ({"rating": "1850"}, "Say where the rating comes from"),
        ({"rating": "1850", "source": "x" * 81}, "at most 80 characters"),
        ({"rating": "", "source": "list"}, "Enter the rating, or clear the other fields"),
        ({"rating": "1850", "source": "list", "was_rating": "x"}, "This page is too old"),
        ({"rating": "1" * 40, "source": "list"}, "at most 32 characters"),
    ],
)
def test_what_cannot_be_saved_is_said_at_its_field(
    organizer: Client, words: dict[str, str], said: str
) -> None:
    for preview in ({}, {"preview": "yes"}):
        status, page = send(organizer, **words, **preview)
        assert status == 422 and said in page
    assert not StartingState.objects.exists()
    assert not AuditEntry.objects.filter(action="player.start").exists()


def test_a_deviation_is_refused_out_of_its_range(organizer: Client) -> None:
    for wrong in ("-3", "0", "351", "1e300"):
        words = {"rating": "1850", "source": "list", "deviation": wrong}
        status, page = send(organizer, "glicko2", **words)
        assert status == 422 and "The uncertainty must be from 3.5 to 350." in page
    status, page = send(organizer, "glicko2", rating="1850", source="list", deviation="60.5")
    assert status == 200
    assert StartingState.objects.get().deviation == 60.5


def test_a_board_of_another_league_or_none_is_not_found(organizer: Client) -> None:
    other = new_club("other").boards.first()
    for word in (str(other.pk), "", "x", "0", "\x00"):
        assert (
            organizer.post(PAGE, {"board": word, "rating": "1", "source": "s"}).status_code == 404
        )


def test_a_start_of_somebody_without_results_is_shown_as_one(
    organizer: Client, club: League
) -> None:
    eve = ensure_player(league=club, name="Eve")
    type(eve).objects.filter(pk=eve.pk).update(is_listed=True)
    words = {"board": str(board().pk), "rating": "1850", "source": "the club’s list"}
    assert organizer.post("/l/club/p/eve/starts/", words).status_code == 302
    page = page_of(organizer, f"/l/club/p/eve/?board={board().slug}")
    assert "Began at 1850: the club’s list." in page
    assert entrants_of(board(), [eve], {})[eve.pk].state[0] == 1850.0
    assert "previous season" not in page


def test_boards_of_closed_seasons_are_not_offered(organizer: Client) -> None:
    guards.remove(connection)
    Season.objects.update(state=Season.State.CLOSED)
    assert "No board of a season that is still open" in page_of(organizer, PAGE)
    assert organizer.post(PAGE, {"board": str(board().pk)}).status_code == 404


def test_the_bounds_of_an_uncertainty_are_short(organizer: Client) -> None:
    page = page_of(organizer, PAGE)
    assert "As a standard deviation, from 0.0834 to 8.33." in page
    assert "Empty: that of a newcomer, 8.33," in page
    shown = plus_minus(686)
    assert f"from 3.5 to 350. Pages show nearly twice as much: 350 is shown as {shown}." in page


def test_lists_of_starting_ratings_say_which_were_given(organizer: Client, club: League) -> None:
    send(organizer, rating="1850", source="FIDE list November 2026")
    drain()
    page = page_of(organizer, f"/l/club/seasons/autumn/?board={board().slug}")
    assert "given: <bdi>FIDE list November 2026</bdi>" in page
