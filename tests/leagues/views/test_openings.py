"""Ratings drawn at random on pages and in the API: previewed, confirmed, named and undone."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, League, StartingState
from leagues.services.leagues import add_board
from leagues.services.players import ensure_player
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

PAGE = "/l/club/settings/boards/autumn/blitz-zero-sum/start/"
NAMES = ("Ana", "Bo", "Cy", "Di", "Eve")
ROWS = re.compile(r"<bdi>(\w+)</bdi></th><td class=\"num\">([^<]*)</td>")


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim", is_staff=True, is_superuser=True))
    season_of(league).boards.all().delete()
    for system, parameters in (("zerosum", {"spread": 0.5}), ("elo", {})):
        add_board(
            season=season_of(league), mode=mode_of(league), system=system, parameters=parameters
        )
    for name in NAMES:
        ensure_player(league=league, name=name)
    drain()
    return league


club = read_anew("built_club")


@pytest.fixture
def kim(client: Client, club: League) -> Client:
    client.force_login(club.memberships.get().user)
    return client


def plain(content: bytes) -> str:
    return " ".join(html.unescape(content.decode()).split())


def page_of(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return plain(answer.content)


def send(client: Client, address: str = PAGE, **words: str) -> tuple[int, str]:
    answer = client.post(address, words)
    drain()
    return answer.status_code, plain(answer.content)


def seen_in(page: str) -> str:
    found = re.search(r'name="seen" value="(\w+)"', page)
    assert found is not None
    return found[1]


def drawn(client: Client, address: str = PAGE, seed: str = "7") -> None:
    status, page = send(client, address, seed=seed)
    assert status == 200 and not StartingState.objects.exists()
    assert send(client, address, seed=seed, seen=seen_in(page))[0] == 302
    assert StartingState.objects.count() == len(NAMES)


def test_who_gets_what_is_shown_before_it_is_confirmed(kim: Client) -> None:
    assert f'href="{PAGE}"' in page_of(kim, "/l/club/settings/boards/")
    assert f'href="{PAGE}"' in page_of(kim, "/l/club/settings/seasons/autumn/")
    page = page_of(kim, PAGE)
    assert "at most 0.5 on the internal scale" in page
    assert re.search(r'name="seed" value="\d{1,4}"', page) and "Show who gets what" in page
    status, page = send(kim, seed="7")
    assert status == 200 and not StartingState.objects.exists()
    # 174 points a unit: -0.17618, and -0.34921.
    assert ROWS.findall(page) == [
        ("Ana", "−31"),
        ("Bo", "+31"),
        ("Cy", "−61"),
        ("Di", "+61"),
        ("Eve", "0"),
    ]
    assert "Draw these ratings" in page
    # Another seed is another preview first.
    status, other = send(kim, seed="8", seen=seen_in(page))
    assert status == 422 and "This is not what the preview has shown" in other
    assert ROWS.findall(other) != ROWS.findall(page) and not StartingState.objects.exists()
    status, again = send(kim, seed="7", seen=seen_in(other), preview="yes")
    assert status == 200 and seen_in(again) == seen_in(page)
    assert send(kim, seed="7", seen=seen_in(page))[0] == 302
    assert "Starting ratings saved for 5 players." in page_of(kim, "/l/club/")
    # Sent twice, it is done once; anything else is refused, and undoes nothing.
    assert send(kim, seed="7", seen=seen_in(again))[0] == 302
    for words in ({"seed": "8", "seen": seen_in(other)}, {"seed": "7"}):
        status, page = send(kim, **words)
        assert status == 422 and "is chosen already" in page
    assert StartingState.objects.count() == 5


def test_what_was_drawn_is_named_wherever_starts_are(kim: Client, club: League) -> None:
    drawn(kim)
    origin = "Drawn at random: at most 0.5 above or below the mean, by seed 7."
    board = "/l/club/?board=blitz-zero-sum"
    assert origin in page_of(kim, board)
    assert origin in page_of(kim, "/l/club/seasons/autumn/?board=blitz-zero-sum")
    assert origin in page_of(kim, "/l/club/settings/seasons/autumn/")
    rules = page_of(kim, "/l/club/rules/?board=blitz-zero-sum")
    assert "5 players, registered before the first match, began with ratings" in rules
    assert "(seed 7). Players added later begin at the mean." in rules
    assert "Di, drawn at the start: +61." in rules
    profile = page_of(kim, "/l/club/p/di/?board=blitz-zero-sum")
    assert "Drawn at the start: +61 (seed 7)." in profile
    assert "Drawn at the start" not in page_of(kim, "/l/club/p/di/?board=blitz-elo")
    record(club, result(club, "Di", "Flo"))
    assert "Drawn at the start: +61 (seed 7)." in page_of(kim, "/l/club/p/di/?board=blitz-zero-sum")
    assert "Drawn at the start" not in page_of(kim, "/l/club/p/flo/?board=blitz-zero-sum")
    (start,) = kim.get("/api/v1/leagues/club/players/di/").json()["starts"]
    assert start == {
        "season": "autumn",
        "board": "blitz-zero-sum",
        "rating": pytest.approx(0.3492, abs=1e-4),
        "deviation": None,
        "source": "drawn at random at the start",
        "is_anchor": False,
        "seed": 7,
    }
    assert kim.get("/api/v1/leagues/club/players/flo/").json()["starts"] == []
    log = page_of(kim, "/l/club/changes/")
    assert "Starting ratings drawn at random" in log
    assert 'drawn for:</span> <ins><bdi dir="ltr">5 players</bdi>' in log
    assert 'Seed:</span> <ins><bdi dir="ltr">7</bdi>' in log


def test_it_can_be_undone_before_the_first_match_only(kim: Client, club: League) -> None:
    drawn(kim)
    page = page_of(kim, PAGE)
    assert "Undo the random start" in page and 'name="undo"' in page
    assert send(kim, undo="on")[0] == 302
    assert not StartingState.objects.exists()
    status, page = send(kim, undo="on")
    assert status == 422 and "begin as newcomers" in page
    assert "Random start or rungs undone" in page_of(kim, "/l/club/changes/")
    drawn(kim)
    record(club, result(club, "Ana", "Bo"))
    status, page = send(kim, undo="on")
    assert status == 422 and "has matches in “Autumn” already, so it is too late." in page
    assert StartingState.objects.count() == 5
    assert f'href="{PAGE}"' not in page_of(kim, "/l/club/settings/boards/")


def test_what_cannot_be_drawn_says_why(kim: Client, club: League) -> None:
    elo = PAGE.replace("zero-sum", "elo")
    assert "is no zero-sum board" in page_of(kim, elo)
    assert elo not in page_of(kim, "/l/club/settings/boards/")
    status, page = send(kim, elo, seed="7")
    assert status == 422 and "is no zero-sum board" in page
    for seed in ("", "-1", "x", "2147483648", "1.5"):
        status, page = send(kim, seed=seed)
        assert status == 422 and 'aria-invalid="true"' in page, seed
    for seen in ("x" * 65, "\0", "ü"):
        assert send(kim, seed="7", seen=seen)[0] == 422
    assert not StartingState.objects.exists() and not AuditEntry.objects.filter(
        action="board.random_start"
    )


def test_the_admin_does_the_same(kim: Client) -> None:
    board = Board.objects.get(system="zerosum")
    address = reverse("admin:leagues_board_opening", args=[board.pk])
    assert address in page_of(kim, reverse("admin:leagues_board_change", args=[board.pk]))
    assert "Show who gets what" in page_of(kim, address)
    drawn(kim, address)
    assert "Undo the random start" in page_of(kim, address)
    assert send(kim, address, undo="on")[0] == 302
    assert not StartingState.objects.exists()


def test_the_spread_is_a_rule_of_the_board(kim: Client) -> None:
    assert 'name="try-x_spread"' in page_of(kim, "/l/club/settings/boards/autumn/blitz-zero-sum/")
    assert 'name="try-x_seed"' not in page_of(kim, "/l/club/settings/boards/autumn/blitz-zero-sum/")
