"""Work that comes to its end between two reads of a page that waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import League, Trial
from leagues.services.trials import request_backtest, start_trial
from tests.leagues.imports.files import EVENING
from tests.leagues.imports.sender import Sender, plain
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club, record, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

API = "/api/v1/leagues/club"


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 12))
    return league


club = read_anew("built_club")


@pytest.fixture
def kim(client: Client, club: League) -> Sender:
    client.force_login(club.memberships.get().user)
    return Sender(client, club)


@contextmanager
def all_done_after_reading(table: str) -> Iterator[None]:
    """Let the queue run dry as soon as something was read from a table, before anything else is."""
    is_read = is_done = False

    def overtake(execute: Any, sql: str, *rest: Any) -> Any:
        nonlocal is_read, is_done
        if is_read and not is_done:
            is_done = True
            drain()
        found = execute(sql, *rest)
        is_read |= f'FROM "{table}"' in sql
        return found

    with connection.execute_wrapper(overtake):
        yield
    assert is_done


def test_a_check_that_ends_meanwhile_has_not_stopped(kim: Sender) -> None:
    address = kim.send(EVENING)["Location"]
    with all_done_after_reading("leagues_upload"):
        page = kim.page(address)
    assert "has stopped" not in page
    assert "Import 3 results" in page


def test_who_waits_for_a_check_gets_its_end(kim: Sender) -> None:
    address = kim.send(EVENING)["Location"]
    with all_done_after_reading("leagues_upload"):
        answer = kim.client.get(f"{address}state/?was=checking")
    assert answer.status_code == 286
    assert "Import 3 results" in plain(answer)


def test_results_that_are_written_meanwhile_are_not_offered_again(kim: Sender) -> None:
    address = kim.checked(EVENING)
    assert kim.answer(address, "write").status_code == 302
    with all_done_after_reading("leagues_upload"):
        page = kim.page(address)
    assert "3 results imported" in page
    assert "Something has changed" not in page


def test_the_list_of_imports_knows_what_ended_meanwhile(kim: Sender) -> None:
    kim.send(EVENING)
    with all_done_after_reading("leagues_upload"):
        page = kim.page(kim.home)
    assert "checked, not imported" in page


@pytest.fixture
def compared(kim: Sender) -> None:
    drain()
    Trial.objects.all().delete()
    request_backtest(season=season_of(kim.league), mode=mode_of(kim.league))


@pytest.mark.usefixtures("compared")
def test_a_comparison_that_ends_meanwhile_is_shown(kim: Sender) -> None:
    with all_done_after_reading("leagues_trial"):
        part = plain(kim.client.get("/l/club/systems/backtest/", headers={"HX-Request": "true"}))
    assert "hx-trigger" not in part
    assert "predicts best" in part


@pytest.mark.usefixtures("compared")
def test_who_asks_for_a_comparison_that_ends_meanwhile_gets_it(kim: Sender) -> None:
    with all_done_after_reading("leagues_trial"):
        told = kim.client.get(f"{API}/backtests/autumn/blitz/").json()
    assert told["state"] == "done"
    assert told["results"] == 36


@pytest.mark.parametrize("address", ["/l/club/systems/trials/{}/", API + "/trials/{}/"])
def test_a_trial_that_ends_meanwhile_has_not_stopped(kim: Sender, address: str) -> None:
    board = kim.league.boards.get(slug="blitz-elo")
    trial = start_trial(board=board, parameters={"k": 60}, actor=None)
    with all_done_after_reading("leagues_trial"):
        page = kim.page(address.format(trial.pk))
    assert "has stopped" not in page
    assert "36 results" in page or '"state":"done"' in page
