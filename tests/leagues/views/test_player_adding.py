"""The page that adds a player, with what is known of the player, in one step."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, League, Player, StartingState
from leagues.services.history import check_league
from leagues.services.integrity import check_board
from leagues.services.leagues import add_board
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

PAGE = "/l/club/players/add/"


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    add_board(season=season_of(league), mode=mode_of(league), system="ladder")
    record(league, result(league, "Ana Ruiz", "Bo"))
    return league


club = read_anew("built_club")


@pytest.fixture
def kim(client: Client, club: League) -> Client:
    client.force_login(club.memberships.get().user)
    return client


def send(client: Client, **words: str) -> tuple[int, str]:
    answer = client.post(PAGE, words, follow=True)
    return answer.status_code, html.unescape(answer.content.decode())


def test_the_page_lists_who_has_no_result_yet(kim: Client, club: League) -> None:
    assert "Players without results" not in kim.get(PAGE).content.decode()
    send(kim, name="Cy Diaz")
    send(kim, name="Di Ek")
    page = kim.get(PAGE).content.decode()
    listed = page.partition("Players without results")[2].partition("</ul>")[0]
    assert re.findall(r'href="/l/club/p/([\w-]+)/"', listed) == ["di-ek", "cy-diaz"]
    record(club, result(club, "Di Ek", "Bo"))
    assert "di-ek" not in kim.get(PAGE).content.decode()


def elo() -> Board:
    return Board.objects.select_related("league", "season", "mode").get(system="elo")


def test_a_player_is_added_with_all_that_is_known(kim: Client, club: League) -> None:
    assert f'href="{PAGE}"' in kim.get("/l/club/").content.decode()
    page = html.unescape(kim.get(PAGE).content.decode())
    assert "Begins on the board" in page
    assert "Ladder" not in page.partition("Begins on the board")[2].partition("</select>")[0]
    status, page = send(
        kim,
        name=" Cy  Diaz ",
        birth_year="1990",
        club="SV Nord",
        country="ESP",
        board=str(elo().pk),
        rating="1850",
        source="FIDE list November 2026",
    )
    assert status == 200
    assert "Cy Diaz was added." in page
    cy = club.players.get(name="Cy Diaz")
    assert (cy.birth_year, cy.is_listed, cy.revision) == (1990, True, None)
    assert dict(cy.groups.values_list("kind", "name")) == {"club": "SV Nord", "country": "ESP"}
    start = StartingState.objects.get(player=cy)
    assert (start.rating, start.source) == (1850.0, "FIDE list November 2026")
    record(club, result(club, "Cy Diaz", "Bo"))
    drain()
    assert check_board(elo()).differences == ()
    assert check_league(club.pk).differences == 0
    actions = AuditEntry.objects.filter(player=cy).order_by("number")
    assert list(actions.values_list("action", flat=True)) == [
        *("player.add", "player.groups", "player.start"),
    ]
    assert "player added" in kim.get("/l/club/changes/").content.decode()


def test_a_name_alone_is_enough(kim: Client, club: League) -> None:
    assert send(kim, name="Cy")[0] == 200
    assert club.players.get(name="Cy").birth_year is None
    assert not StartingState.objects.exists()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "bo"}, "“bo” already means Bo."),
        ({"name": "Cy", "birth_year": "2999"}, "The year of birth must be from 1800 to this year."),
        ({"name": "Cy", "club": "a\u202eb"}, "invisible"),
        ({"name": "Cy", "source": "FIDE"}, "Enter the rating, or clear the other fields"),
        ({"name": "Cy", "rating": "1850"}, "Say where the rating comes from"),
        ({"name": "Cy", "rating": "1e99", "source": "FIDE"}, "The rating"),
        ({"name": "Cy", "rating": "x", "source": "FIDE"}, "Enter a number, such as 1850."),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_stored(
    kim: Client, words: dict[str, str], problem: str
) -> None:
    entries = AuditEntry.objects.count()
    status, page = send(kim, board=str(elo().pk), **words)
    assert status == 422
    assert problem in page
    assert set(Player.objects.values_list("name", flat=True)) == {"Ana Ruiz", "Bo"}
    assert AuditEntry.objects.count() == entries


def test_a_name_like_another_is_asked_about_once(kim: Client, club: League) -> None:
    status, page = send(kim, name="Anna Ruiz", club="SV Nord")
    assert status == 422
    assert "This name is like that of Ana Ruiz: tick below if it is another player." in page
    assert 'type="checkbox" name="is_another"' in page
    assert send(kim, name="Anna Ruiz", club="SV Nord", is_another="on")[0] == 200
    assert club.players.filter(name="Anna Ruiz").exists()


def test_players_who_left_come_last_where_a_name_is_asked_about(kim: Client, club: League) -> None:
    for name in ("Per Lind", "Per Lund", "Per Lynd"):
        send(kim, name=name, is_another="on")
    kim.post("/l/club/p/per-lind/left/", {"do": "now"})
    status, page = send(kim, name="Per Lnd")
    assert status == 422
    assert "This name is like that of Per Lynd, Per Lund and Per Lind:" in page


def test_without_a_board_that_takes_starts_none_is_asked_for(kim: Client, club: League) -> None:
    club.boards.exclude(system="ladder").delete()
    assert "Starting rating" not in kim.get(PAGE).content.decode()
    assert send(kim, name="Cy")[0] == 200


def is_unfolded(page: str) -> bool:
    """Whether the part of the form after the name is open."""
    (state,) = re.findall(r'<details class="more"( open)?>\s*<summary>More about the player', page)
    return bool(state)


def test_only_the_name_is_asked_at_first(kim: Client) -> None:
    page = html.unescape(kim.get(PAGE).content.decode())
    assert "Only the name is needed." in page
    assert not is_unfolded(page)
    shown, _summary, folded = page.partition("More about the player")
    assert 'name="name"' in shown
    assert 'name="birth_year"' in folded
    # A browser sends the first board too: that says nothing.
    (board,) = re.findall(r'name="board".*?<option value="(\d+)"', page, re.DOTALL)
    _status, page = send(kim, name="", board=board)
    assert not is_unfolded(page)
    _status, page = send(kim, name="Ana Ruis", board=board)
    shown, _summary, folded = page.partition("More about the player")
    assert not is_unfolded(page)
    assert 'type="checkbox" name="is_another"' in shown
    assert "is_another" not in folded


@pytest.mark.parametrize("more", [{"club": "SV Nord"}, {"birth_year": "12"}, {"source": "a list"}])
def test_what_was_filled_in_or_is_wrong_is_not_folded_away(
    kim: Client, more: dict[str, str]
) -> None:
    _status, page = send(kim, name="Ana Ruis", **more)
    assert is_unfolded(page)
