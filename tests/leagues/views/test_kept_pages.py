"""Pages that visitors see alike are kept; whatever is of one visitor alone is not."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leagues.models import League, Player
from leagues.services.players import rename_player
from tests.leagues.people import join, make_user
from tests.leagues.play import LATER, new_club, record, result, rounds

pytestmark = pytest.mark.django_db
PAGE = "/l/club/"
KEPT = 2
"""The league, and its seasons with their boards: from these follows which page it is."""


@pytest.fixture(autouse=True)
def _later():
    with time_machine.travel(LATER, tick=False):
        yield


@pytest.fixture
def club():
    league = new_club()
    record(league, *rounds(league, ["Ana", "Bo", "Cy"], 8))
    return league


def reads(client, path=PAGE, **words):
    """How many queries a page takes."""
    with CaptureQueriesContext(connection) as asked:
        client.get(path, **words)
    return len([row for row in asked if row["sql"].lstrip("(").startswith("SELECT")])


def page(client, path=PAGE, **words):
    response = client.get(path, **words)
    assert response.status_code == 200
    return response.content.decode()


def test_the_next_visitor_gets_the_page_without_its_standings_being_read(club):
    assert reads(Client()) > KEPT
    assert reads(Client()) == KEPT


def test_who_has_the_page_is_told_so_by_the_same_two_reads(client, club):
    etag = client.get(PAGE)["ETag"]
    headers = {"If-None-Match": etag}
    assert client.get(PAGE, headers=headers).status_code == 304
    assert reads(client, headers=headers) == KEPT


def test_who_has_an_older_page_gets_the_kept_one_by_the_same_two_reads(client, club):
    headers = {"If-None-Match": client.get(PAGE)["ETag"]}
    record(club, result(club, "Ana", "Bo"))
    newer = page(Client())
    assert page(client, headers=headers) == newer
    assert reads(client, headers=headers) == KEPT


@pytest.mark.django_db(transaction=True)
def test_a_page_is_made_by_one_thread_and_the_others_wait_for_it(club):
    makes, waits = threading.Event(), threading.Event()
    found: dict[str, tuple[int, bytes]] = {}

    def visit(name: str, hold: Callable[[int], None]) -> None:
        selects = 0

        def count(execute, sql, *rest):
            nonlocal selects
            if sql.startswith("SELECT"):
                selects += 1
                hold(selects)
            return execute(sql, *rest)

        try:
            with connection.execute_wrapper(count):
                content = Client().get(PAGE).content
            found[name] = selects, content
        finally:
            connection.close()

    def first_reads(number: int) -> None:
        if number == KEPT + 1:
            makes.set()
            assert waits.wait(20)

    def second_reads(number: int) -> None:
        if number == KEPT:
            waits.set()

    first = threading.Thread(target=visit, args=["first", first_reads])
    second = threading.Thread(target=visit, args=["second", second_reads])
    first.start()
    assert makes.wait(20)
    second.start()
    first.join()
    second.join()
    assert found["first"][0] > KEPT
    assert found["second"] == (KEPT, found["first"][1])


def test_a_kept_page_is_the_page(club):
    first = Client().get(PAGE)
    second = Client().get(PAGE)
    compressed = Client().get(PAGE, headers={"Accept-Encoding": "gzip"})
    assert second.content == first.content == gzip.decompress(compressed.content)
    for name in ("ETag", "Cache-Control", "Vary", "Content-Type", "Content-Security-Policy"):
        assert second[name] == first[name] == compressed[name]


def test_a_kept_fragment_brings_the_address_that_it_is_shown_at(club):
    words = {"headers": {"HX-Request": "true"}}
    first = Client().get(f"{PAGE}?sure=any&q=", **words)
    assert reads(Client(), f"{PAGE}?sure=any&q=", **words) == KEPT
    second = Client().get(f"{PAGE}?sure=any&q=", **words)
    assert second["HX-Push-Url"] == first["HX-Push-Url"]
    assert "<html" not in page(Client(), f"{PAGE}?sure=any&q=", **words)


def test_a_result_a_name_and_a_day_give_another_page(club):
    before = page(Client())
    record(club, result(club, "Cy", "Ana", at=LATER.replace(hour=1)))
    after = page(Client())
    assert after != before
    rename_player(player=Player.objects.get(key="bo"), name="Boris", actor=None)
    assert "<bdi>Boris</bdi>" in page(Client())
    with time_machine.travel(LATER + timedelta(days=2), tick=False):
        assert page(Client()) != after


def test_each_answer_has_its_own_id_and_notes_its_own_visit(club):
    answers = [Client().get(PAGE) for _ in range(3)]
    assert len({answer["X-Request-ID"] for answer in answers}) == 3
    assert all("visits" in answer.cookies for answer in answers)


@pytest.mark.parametrize(
    ("cookie", "value"),
    [("me", "bo"), ("plain", "yes"), ("look", "dark"), ("visits", ".2020-01-02")],
)
def test_nothing_is_kept_of_a_page_that_shows_something_of_its_visitor(club, cookie, value):
    visitor = Client()
    visitor.cookies[cookie] = value
    theirs = page(visitor)
    assert reads(visitor) > KEPT
    everyones = page(Client())
    assert everyones != theirs
    assert page(visitor) == theirs
    assert page(Client()) == everyones


def test_somebody_signed_in_neither_leaves_a_page_nor_gets_a_kept_one(client, club):
    page(Client())
    client.force_login(make_user("mira"))
    assert "mira" in page(client)
    assert reads(client) > KEPT
    assert "mira" not in page(Client())


def test_a_league_that_became_private_is_not_there_for_strangers_at_once(client, club):
    member = make_user("mira")
    join(club, member, "player")
    page(Client())
    League.objects.update(visibility=League.Visibility.PRIVATE)
    assert Client().get(PAGE).status_code == 404
    client.force_login(member)
    page(client)
    assert Client().get(PAGE).status_code == 404


@pytest.mark.parametrize("kind", ["HX-Boosted", "HX-History-Restore-Request"])
@pytest.mark.parametrize("whole_first", [True, False])
def test_a_whole_page_is_never_kept_for_a_part_of_it(club, kind, whole_first):
    part = {"HX-Request": "true", "HX-Trigger": "standings"}
    whole = {**part, kind: "true"}
    for headers in (whole, part) if whole_first else (part, whole):
        assert ("<html" in page(Client(), headers=headers)) is (headers is whole)
