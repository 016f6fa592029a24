"""What holds for every page: no inline code, one heading, labels, nothing changed by looking."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.test import Client, RequestFactory

from leagues.models import Match
from leagues.views.errors import server_error
from tests.leagues.people import make_user
from tests.leagues.play import new_club, record, result, rounds

pytestmark = pytest.mark.django_db

PAGES = [
    "/",
    "/l/club/",
    "/l/club/?sure=sure",
    "/l/club/?season=autumn&board=blitz-elo",
    "/l/club/p/ana/",
    "/l/club/results/",
    "/l/club/enter/",
    "/l/club/enter/?shape=list",
    "/l/club/m/autumn/1/",
    "/l/club/m/autumn/1/correct/",
    "/l/club/m/autumn/1/void/",
    "/l/club/changes/",
    "/l/club/r/autumn/1/",
    "/l/empty/",
    "/nowhere/",
]


class Page(HTMLParser):
    """Collects what a page must not have, and what it must have once."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.labelled: set[str] = set()
        self.fields: list[dict[str, str | None]] = []
        self.depth: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append(tag)
        self.inline += [
            f"{tag} {name}" for name in given if name == "style" or name.startswith(("on", "hx-on"))
        ]
        if tag == "style" or (tag == "script" and not given.get("src")):
            self.inline.append(tag)
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "label":
            self.labelled.add(str(given.get("for")))
            self.depth.append(tag)
        if tag in ("input", "select", "textarea") and given.get("type") != "hidden":
            self.fields.append({**given, "within": "label" if self.depth else None})

    def handle_endtag(self, tag: str) -> None:
        if tag == "label":
            self.depth.pop()


@pytest.fixture
def organizer(client):
    kim = make_user("kim")
    club = new_club(owner=kim)
    new_club("empty", owner=kim)
    record(club, *rounds(club, ["Ana", "Bo", "Cy"], 6), by=kim)
    record(club, result(club, "Ana", "Bo", "Cy", ranks=(1, 2, 2)), by=kim)
    client.force_login(kim)
    return client


@pytest.mark.parametrize("address", PAGES)
def test_a_page_has_no_inline_code_one_heading_and_names_for_its_fields(organizer, address):
    page = Page(organizer.get(address).content.decode())
    assert page.inline == []
    assert page.tags.count("h1") == 1
    assert page.tags.count("main") == 1
    assert len(page.ids) == len(set(page.ids))
    for field in page.fields:
        named = field["within"] or field.get("aria-label") or field.get("id") in page.labelled
        assert named, field


@pytest.mark.parametrize("address", PAGES)
def test_looking_changes_nothing(organizer, address):
    before = list(Match.objects.order_by("pk").values())
    organizer.get(address)
    organizer.head(address)
    assert list(Match.objects.order_by("pk").values()) == before


def test_an_error_of_ours_has_a_number_and_needs_nothing_that_may_be_broken(
    client, caplog, settings
):

    response = server_error(RequestFactory().get("/"))
    body = response.content.decode()
    assert response.status_code == 500
    assert Page(body).inline == []
    number = body.partition('class="mono">')[2].partition("<")[0]
    assert number and number in caplog.text


def test_a_page_that_may_not_be_seen_is_word_for_word_one_that_is_not_there(client):
    new_club("secret", visibility="private")
    private = client.get("/l/secret/").content.decode()
    missing = client.get("/l/never/").content.decode()
    assert private.replace("secret", "x") == missing.replace("never", "x")


@pytest.mark.parametrize("path", ["/", "/account/", "/l/club/", "/nowhere/"])
def test_a_page_does_not_repeat_a_long_address(client: Client, path: str) -> None:
    new_club()
    long = client.get(f"{path}?{'&'.join(f'evil{number}=1' for number in range(400))}")
    assert b"evil" not in long.content
    short = client.get(f"{path}?evil=1")
    assert b"evil" in short.content


def test_a_query_of_very_many_fields_is_refused_in_few_words(client: Client) -> None:
    new_club()
    answer = client.get(f"/l/club/?{'&'.join(f'evil{number}=1' for number in range(5000))}")
    assert answer.status_code == 400
    assert b"evil" not in answer.content
