"""The first page after a change shows the standings before it, and says so."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leagues.jobs.runner import drain
from leagues.models import Board, Match
from leagues.selectors import held_standings, standings
from leagues.services.leagues import update_league
from leagues.services.matches import void_match
from leagues.store import standing_columns
from leagues.views.common import AFTER_ANSWER
from tests.leagues.play import LATER, new_club, record, result, rounds

pytestmark = pytest.mark.django_db
PAGE = "/l/club/"
RESULTS, DAY = "New results have been rated.", "A new day has begun."


@pytest.fixture(autouse=True, params=["small", "large"])
def _board_of_any_size(request, monkeypatch):
    monkeypatch.setattr(held_standings, "LEAST_PLAYERS", 1)
    if request.param == "large":
        monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 10)
    with time_machine.travel(LATER, tick=True):
        yield


@pytest.fixture
def club():
    league = new_club()
    record(league, *rounds(league, ["Ana", "Bo", "Cy"], 8))
    drain()
    return league


class Server:
    """Asks for pages as the shipped server does, which can do something once they are sent."""

    def __init__(self, client):
        self.client, self.later = client, []

    def get(self, address=PAGE, **words):
        response = self.client.get(address, **{AFTER_ANSWER: self.later.append}, **words)
        assert response.status_code == 200
        return response

    def page(self, address=PAGE):
        return self.get(address).content.decode()

    def finish(self):
        """Do what was left to do."""
        for task in self.later:
            task()
        self.later.clear()


@pytest.fixture
def server(client):
    return Server(client)


def add_result(league):
    record(league, result(league, "Zoe", "Ana", at=LATER - timedelta(hours=1)))
    drain()


def test_a_page_after_a_result_is_that_before_it_until_the_next_is_worked_out(server, club):
    server.page()
    assert server.later == []
    add_result(club)
    former = server.get()
    assert RESULTS in former.content.decode()
    assert "<bdi>Zoe</bdi>" not in former.content.decode()
    assert not former.has_header("ETag")
    server.finish()
    present = server.page()
    assert RESULTS not in present
    assert "<bdi>Zoe</bdi>" in present
    assert server.later == []


def test_it_is_read_no_more_than_any_other(server, club):
    server.page()
    server.page(f"{PAGE}?nothing=1")
    add_result(club)
    with CaptureQueriesContext(connection) as first:
        server.page()
    server.finish()
    server.page()
    with CaptureQueriesContext(connection) as other:
        server.page(f"{PAGE}?nothing=2")
    assert len(first) <= len(other)


def test_the_part_that_asks_again_soon_gets_the_new_standings(server, club):
    server.page()
    add_result(club)
    words = {"headers": {"HX-Request": "true"}}
    assert "every 500ms" in server.get(**words).content.decode()
    server.finish()
    part = server.get(**words).content.decode()
    assert "every 500ms" not in part
    assert "<bdi>Zoe</bdi>" in part


def test_a_page_after_midnight_is_that_of_the_day_before_and_says_so(server, club):
    update_league(league=club, changes={"active_days": 30}, actor=None)
    body = server.page()
    with time_machine.travel(LATER + timedelta(days=31), tick=True):
        former = server.page()
        assert DAY in former
        assert former.count('class="rank"') == body.count('class="rank"')
        server.finish()
        assert DAY not in server.page()


def test_a_server_that_does_nothing_afterwards_shows_the_new_standings_at_once(client, club):
    Server(client).page()
    add_result(club)
    body = client.get(PAGE).content.decode()
    assert RESULTS not in body
    assert "<bdi>Zoe</bdi>" in body


def test_nothing_stands_in_for_what_a_correction_or_a_rule_has_changed(server, club):
    server.page()
    void_match(match=Match.objects.earliest("seq"), author=None)
    drain()
    body = server.page()
    assert RESULTS not in body
    assert body == server.page()
    update_league(league=club, changes={"ranked_after": 500}, actor=None)
    assert "No one is ranked yet" in server.page()


@pytest.mark.usefixtures("sparse_corrections")
def test_nothing_stands_in_after_a_correction_of_the_generation_that_is_shown(server, club):
    record(club, *rounds(club, ["Dee", "Eve"], 8))
    drain()
    server.page()
    generation = Board.objects.earliest("pk").generation
    void_match(match=Match.objects.latest("played_at", "seq"), author=None)
    drain()
    assert Board.objects.earliest("pk").generation == generation
    assert RESULTS not in server.page()


def test_standings_of_a_day_and_the_api_are_never_those_before(server, client, club):
    server.page()
    add_result(club)
    assert RESULTS not in server.page(f"{PAGE}?on={(LATER - timedelta(days=1)).date()}")
    answer = client.get("/api/v1/leagues/club/standings/", **{AFTER_ANSWER: server.later.append})
    assert "Zoe" in answer.content.decode()


def test_nobody_reads_a_whole_board_that_a_job_prepares(server, club, monkeypatch):
    server.page()
    add_result(club)
    server.page()
    monkeypatch.setattr(standings, "are_tables_prepared", lambda _board: False)
    with CaptureQueriesContext(connection) as asked:
        server.finish()
    assert not [row for row in asked if "leagues_standing" in row["sql"]]
    assert RESULTS in server.page()


def test_a_board_that_is_gone_is_left_alone(club):
    standings.bring_up_to_date(Board.objects.latest("pk").pk + 1)
