"""Rungs from a game session on pages and in the API: chosen, previewed, named and undone."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from leagues.jobs.runner import drain
from leagues.models import League, Match, StartingState
from leagues.services.matches import record_matches
from tests.leagues.happenings import game
from tests.leagues.people import make_user
from tests.leagues.play import START, season_of
from tests.leagues.services.test_session_rungs import (
    club_with_session,
    drawn,
    duel,
    ladder_of,
)
from tests.leagues.shared_rows import read_anew
from tests.leagues.views.test_openings import page_of, seen_in, send

pytestmark = pytest.mark.django_db

PAGE = "/l/club/settings/boards/autumn/duels-ladder/start/"
ROWS = re.compile(r"<bdi>(\w+)</bdi></th><td class=\"num\"><b>([^<]*)</b>")


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = club_with_session()
    boss = make_user("kim", is_staff=True, is_superuser=True)
    league.memberships.create(user=boss, role="organizer")
    return league


club = read_anew("built_club")


@pytest.fixture
def kim(client: Client, club: League) -> Client:
    client.force_login(club.memberships.get().user)
    return client


def test_a_session_is_chosen_previewed_and_taken(kim: Client, club: League) -> None:
    assert f'<a href="{PAGE}"> Rungs from a game session<' in page_of(
        kim, "/l/club/settings/boards/"
    )
    assert "Autumn, match 1</option>" in page_of(kim, PAGE)
    match = Match.objects.get()
    club.players.filter(key="bo").update(left_at=START)
    status, page = send(kim, PAGE, session=str(match.pk))
    assert status == 200 and not StartingState.objects.exists()
    assert ROWS.findall(page) == [("Cy", "1"), ("Di", "2"), ("Ana", "3")]
    assert "Not placed, as they do not play in the league now: Bo." in page
    assert "Place them so" in page and ">Drawn<" not in page
    club.players.filter(key="bo").update(left_at=None)
    # Since then somebody has come back: that is another order.
    status, page = send(kim, PAGE, session=str(match.pk), seen=seen_in(page))
    assert status == 422 and "This is not what the preview has shown" in page
    assert ROWS.findall(page) == [("Cy", "1"), ("Bo", "2"), ("Di", "3"), ("Ana", "4")]
    assert send(kim, PAGE, session=str(match.pk), seen=seen_in(page))[0] == 302
    assert drawn(ladder_of(club)) == {"cy": 1.0, "bo": 2.0, "di": 3.0, "ana": 4.0}
    assert "Undo the rungs" in page_of(kim, PAGE)
    assert send(kim, PAGE, undo="on")[0] == 302
    assert not StartingState.objects.exists()


def test_it_is_named_wherever_starts_are(kim: Client, club: League) -> None:
    match = Match.objects.get()
    page = send(kim, PAGE, session=str(match.pk))[1]
    send(kim, PAGE, session=str(match.pk), seen=seen_in(page))
    origin = "The order of a game session: Autumn, match 1."
    board = "?board=duels-ladder"
    assert origin in page_of(kim, f"/l/club/{board}")
    rules = page_of(kim, f"/l/club/rules/{board}")
    assert "4 players began on their rungs by the order of a game session" in rules
    assert "Bo: rung 2." in rules
    words = "Began on rung 2, by the order of a game session (Autumn, match 1)."
    assert words in page_of(kim, f"/l/club/p/bo/{board}")
    duel(club, "Ana", "Bo", 1)
    assert words in page_of(kim, f"/l/club/p/bo/{board}")
    (start,) = kim.get("/api/v1/leagues/club/players/bo/").json()["starts"]
    assert start == {
        "season": "autumn",
        "board": "duels-ladder",
        "rating": 2.0,
        "deviation": None,
        "source": "game session: Autumn, match 1",
        "is_anchor": False,
        "seed": None,
    }
    log = page_of(kim, "/l/club/changes/")
    assert "Rungs taken from a game session" in log
    assert 'game session:</span> <ins><bdi dir="ltr">Autumn, match 1</bdi>' in log
    assert 'placed:</span> <ins><bdi dir="ltr">4 players</bdi>' in log


def test_an_evening_is_a_session_too(kim: Client, club: League) -> None:
    draft = game(club, "Ana Cy", "Ana>Cy Ana>Cy Ana>Cy Ana>Cy", at=START.replace(minute=40))
    record_matches(
        season=season_of(club),
        mode=club.modes.get(name="Blitz"),
        drafts=[draft],
        author=None,
        source="test",
    )
    drain()
    first = Match.objects.get(seq=1)
    page = page_of(kim, PAGE)
    assert "Autumn, 2 games from match 1 on</option>" in page
    page = send(kim, PAGE, session=f"{first.pk}-all")[1]
    evening = ROWS.findall(page)
    assert len(evening) == 4 and evening != ROWS.findall(send(kim, PAGE, session=str(first.pk))[1])


def test_what_cannot_be_chosen_says_so(kim: Client, club: League) -> None:
    for session in ("", "x", "0", "1-all-all"):
        assert send(kim, PAGE, session=session)[0] == 422
    club.players.update(left_at=START)
    status, page = send(kim, PAGE, session=str(Match.objects.get().pk))
    assert status == 422 and "No player of this session plays in the league." in page
    duel(club, "Ana", "Bo", 1)
    assert "has matches in “Autumn” already, so it is too late." in page_of(kim, PAGE)


def test_the_admin_does_the_same(kim: Client, club: League) -> None:
    address = reverse("admin:leagues_board_opening", args=[ladder_of(club).pk])
    page = send(kim, address, session=str(Match.objects.get().pk))[1]
    assert len(ROWS.findall(page)) == 4
    assert send(kim, address, session=str(Match.objects.get().pk), seen=seen_in(page))[0] == 302
    assert StartingState.objects.count() == 4
