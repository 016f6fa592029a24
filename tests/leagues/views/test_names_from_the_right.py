"""Names that are written from the right turn round no score and no other name beside them."""

from __future__ import annotations

import html

import pytest
from django.test import Client

from leagues import wording
from leagues.jobs.runner import drain
from leagues.models import League, Match, NightSheet, Revision
from tests.leagues.page_texts import words_of
from tests.leagues.views.desk import Desk, singles_club

pytestmark = pytest.mark.django_db

SARA, DAVID = "שרה כהן", "דוד לוי"
LINES = f"{SARA} - Dan Weiß 2:3\n{SARA} - {DAVID} 1:3\n"


def apart(name: str) -> str:
    """A name within the two characters that keep its direction to itself."""
    return f"\u2068{name}\u2069"


@pytest.fixture
def club() -> League:
    return singles_club()


@pytest.fixture
def kim(client: Client, club: League) -> Desk:
    client.force_login(club.memberships.get().user)
    return Desk(client, club)


def test_only_names_from_the_right_are_set_apart() -> None:
    assert wording.isolated("Ana") == "Ana"
    assert wording.isolated("Jürgen Ørn 李") == "Jürgen Ørn 李"
    assert wording.isolated(SARA) == wording.isolated(apart(SARA)) == apart(SARA)
    assert wording.isolated("علي 2") == apart("علي 2")
    assert wording.listing(["Ana", SARA]) == f"Ana and {apart(SARA)}"
    assert wording.team([SARA, "Bo"], 3) == f"{apart(SARA)} + Bo"


def test_the_review_the_chat_and_the_change_keep_the_order(kim: Desk, club: League) -> None:
    page = words_of(kim.check(LINES))
    assert f"Dan Weiß beat {apart(SARA)} 3–2" in page
    assert f"{apart(DAVID)} beat {apart(SARA)} 3–1" in page
    done = kim.enter(LINES)
    assert "2 results recorded" in done.content.decode(), words_of(done.content.decode())
    drain()
    revision = Revision.objects.latest("pk")
    page = html.unescape(kim.client.get(f"/l/club/r/autumn/{revision.number}/").content.decode())
    chat = page.partition("<textarea")[2].partition("</textarea>")[0]
    first, second = f"Dan Weiß 3–2 {apart(SARA)}", f"{apart(DAVID)} 3–1 {apart(SARA)}"
    assert f"\n{first}\n{second}\n" in chat
    table = words_of(page.partition("What it changed about")[0].rpartition("<table")[2])
    assert first in table
    assert second in table
    # What was copied from there is read as it was typed.
    kim.check(f"{first}\n{second}\n")
    assert NightSheet.objects.get().text == f"Dan Weiß 3–2 {SARA}\n{DAVID} 3–1 {SARA}\n"
    assert Match.objects.count() == 4


def test_the_notice_of_one_result_ends_with_one_dot(kim: Desk, club: League) -> None:
    kim.check(LINES)
    kim.enter(LINES)
    fields = {
        "mode": club.modes.get().slug,
        **{"shape": "pair", "one_1": "Dan Weiß", "two_1": "Max B.", "outcome": "one"},
        **{"played_on": "2025-10-01", "kind": "played"},
    }
    page = kim.client.post("/l/club/enter/", {**fields, "another": "yes"}, follow=True)
    assert "Dan Weiß beat Max B.</bdi></a> " in page.content.decode()
