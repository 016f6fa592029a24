"""The description of the API: valid, complete, and true of what is answered."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import jsonschema
import pytest
from django.test import Client
from django.urls import reverse
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema

from leagues.api.schema import api_schema
from leagues.jobs.runner import drain
from tests.leagues.api.calls import Caller, browser
from tests.leagues.people import make_user
from tests.leagues.play import new_club, record, result

pytestmark = pytest.mark.django_db


def nullable(said: Any) -> Any:
    """Return a schema of OpenAPI 3.0 as JSON Schema, which says null otherwise."""
    if isinstance(said, list):
        return [nullable(entry) for entry in said]
    if not isinstance(said, dict):
        return said
    plain = {name: nullable(value) for name, value in said.items() if name != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if said.get("nullable") is True else plain


def check_answer(path: str, method: str, response: Any) -> None:
    """Check an answer against what the schema says of its address, unknown fields too."""
    schema = nullable(api_schema())
    for component in schema["components"]["schemas"].values():
        if "properties" in component:
            component["additionalProperties"] = False
    said = schema["paths"][path][method]["responses"][str(response.status_code)]["content"]
    kind = response.headers["Content-Type"].partition(";")[0]
    found = said[kind]["schema"]
    jsonschema.validate(response.json(), {**found, "components": schema["components"]})


def test_the_schema_is_valid_and_nothing_in_it_had_to_be_guessed() -> None:
    api_schema.cache_clear()
    with GENERATOR_STATS.silence():
        GENERATOR_STATS.reset()
        schema = api_schema()
        assert not GENERATOR_STATS
    validate_schema(schema)


def test_the_schema_is_served_to_everybody_and_knows_no_league() -> None:
    new_club("hidden-club", visibility="private")
    response = Caller().get("schema/")
    assert response.status_code == 200
    assert response.json() == api_schema()
    assert "hidden-club" not in response.content.decode()


def test_what_is_answered_is_what_the_schema_says() -> None:
    organizer = make_user("organizer")
    club = new_club(owner=organizer)
    record(club, result(club, "Ana+Bo", "Cy+Dee", scores=(10, 7)), result(club, "Ana", "Bo"))
    drain()
    caller = browser(organizer)
    base = "/api/v1/leagues/{slug}/"
    board = club.boards.first()
    reads = {
        "/api/v1/leagues/": "leagues/?page_size=1",
        base: "leagues/club/",
        f"{base}rating-state/": "leagues/club/rating-state/",
        f"{base}players/": "leagues/club/players/?page_size=2",
        f"{base}players/{{key}}/": "leagues/club/players/ana/",
        f"{base}boards/{{season}}/{{board}}/standings/": (
            f"leagues/club/boards/autumn/{board.slug}/standings/"
        ),
        f"{base}matches/": "leagues/club/matches/?page_size=1",
        f"{base}matches/{{season}}/{{seq}}/": "leagues/club/matches/autumn/1/",
        f"{base}matches/{{season}}/{{seq}}/explanation/": (
            "leagues/club/matches/autumn/2/explanation/"
        ),
        f"{base}revisions/": "leagues/club/revisions/",
        f"{base}revisions/{{season}}/{{number}}/": "leagues/club/revisions/autumn/1/",
    }
    for path, address in reads.items():
        response = caller.get(address)
        assert response.status_code == 200, address
        check_answer(path, "get", response)
    match = {
        "played_on": "2025-10-02",
        "sides": [
            {"rank": 1, "score": 3, "players": [{"name": "Ana"}]},
            {"rank": 2, "score": 1, "players": [{"key": "dee", "own_score": 1}]},
        ],
    }
    change = {"version": 1, "detail": "after extra time", "reason": "misread"}
    one = f"{base}matches/{{season}}/{{seq}}/"
    writes = [
        (f"{base}matches/", "post", "leagues/club/matches/", match, 201),
        (f"{base}matches/", "post", "leagues/club/matches/", {"matches": [match]}, 201),
        (f"{base}matches/", "post", "leagues/club/matches/", {"matches": [{}]}, 400),
        (f"{base}matches/", "post", "leagues/club/matches/", {"matches": []}, 422),
        (f"{base}matches/{{season}}/{{seq}}/", "patch", "matches/autumn/3/", change, 200),
        (f"{base}matches/{{season}}/{{seq}}/", "patch", "matches/autumn/3/", change, 409),
        (f"{base}matches/{{season}}/{{seq}}/", "put", "matches/autumn/4/", match | change, 200),
        (f"{one}preview/", "post", "matches/autumn/3/preview/", change | {"version": 2}, 200),
        (f"{one}preview/", "post", "matches/autumn/3/preview/", change, 409),
        (f"{one}void/preview/", "post", "matches/autumn/3/void/preview/", {}, 200),
        (f"{one}restore/preview/", "post", "matches/autumn/3/restore/preview/", {}, 200),
        (f"{base}matches/{{season}}/{{seq}}/void/", "post", "matches/autumn/3/void/", {}, 200),
        (
            f"{base}matches/{{season}}/{{seq}}/restore/",
            "post",
            "matches/autumn/3/restore/",
            {},
            200,
        ),
        (f"{base}players/", "post", "leagues/club/players/", {"name": "Eve"}, 201),
        (f"{base}players/", "post", "leagues/club/players/", {"name": "Eve"}, 200),
        (
            f"{base}revisions/{{season}}/{{number}}/undo/",
            "post",
            "leagues/club/revisions/autumn/3/undo/",
            {},
            201,
        ),
        (
            f"{base}revisions/{{season}}/{{number}}/undo/preview/",
            "post",
            "leagues/club/revisions/autumn/3/undo/preview/",
            {},
            409,
        ),
        (
            f"{base}revisions/{{season}}/{{number}}/undo/",
            "post",
            "leagues/club/revisions/autumn/3/undo/",
            {},
            409,
        ),
    ]
    for path, method, address, body, status in writes:
        whole = address if address.startswith("leagues/") else f"leagues/club/{address}"
        response = caller.send(whole, body, method.upper())
        assert response.status_code == status, (address, response.content)
        check_answer(path, method, response)


class Links(HTMLParser):
    """Collects the ids of a page and what it links to and loads."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.inline: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if tag == "a" and str(found.get("href", "")).startswith("#"):
            self.targets.append(str(found["href"])[1:])
        if tag == "script" and not found.get("src"):
            self.inline.append(tag)
        self.inline += [name for name in found if name == "style" or name.startswith("on")]
        if tag in ("script", "link", "img"):
            self.sources.append(str(found.get("src") or found.get("href")))


def test_the_page_of_the_schema_needs_nothing_inline_and_nothing_from_elsewhere() -> None:
    response = Client().get(reverse("api:docs"))
    page = Links()
    page.feed(response.content.decode())
    assert response.status_code == 200
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert page.inline == []
    assert [source for source in page.sources if not source.startswith("/")] == []
    assert len(page.ids) == len(set(page.ids))
    assert set(page.targets) <= set(page.ids)


def test_the_page_of_the_schema_names_every_address() -> None:
    text = Client().get(reverse("api:docs")).content.decode().replace("<wbr>", "")
    for path, methods in api_schema()["paths"].items():
        for method in methods:
            assert re.search(f"<code>{method.upper()} {re.escape(path)}</code>", text), path
