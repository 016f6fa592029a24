"""What people read after logs that are worked out by hand: points, rungs, and Becker's accounts."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import Board
from leagues.services.inactivity_sweep import sweep
from tests.leagues.happenings import game
from tests.leagues.play import START, record, result
from tests.leagues.services.test_event_boards import TEN, boards_of
from tests.leagues.services.test_event_values import ELEVEN, TEAMS, club_with

pytestmark = pytest.mark.django_db

MINUS = "\N{MINUS SIGN}"
VALUES = {"damage": 0.01, "assist": 0.5, "capture": 7.0, "flag_taken": 2.0, "flag_returned": 1.0}
NAMES = (
    "Given: what losers did not have",
    "Given: captures and others without an opponent",
    "Taken: suicides and deaths by the world",
    "Taken: team kills",
    "Points of all players",
)


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))
    return words.replace(MINUS, "-")


def accounts(client: Client, board: Board) -> dict[str, int]:
    """The rows of the accounts on the page of statistics."""
    page = client.get(f"/l/club/statistics/?board={board.slug}").content.decode()
    found = re.search(r'<section id="accounts".*?</section>', page, re.DOTALL)
    if found is None:
        return {}
    rows = re.findall(r"<tr>(.*?)</tr>", found[0].replace(MINUS, "-"), re.DOTALL)[1:]
    cells = [re.sub(r"<[^>]*>", "|", row).split("|") for row in rows]
    words = [[cell.strip() for cell in row if cell.strip()] for row in cells]
    return {name: int(points) for name, points in words}


def assert_sum(told: dict[str, int]) -> None:
    *parts, held = told.values()
    assert sum(parts) == held


def test_the_ten_events_are_on_the_pages_what_they_are_by_hand(client: Client) -> None:
    """Ana has 4.0001, Cy 2.0116 and Bo none; 12.0117 were given, and 6 taken."""
    club = club_with({"becker": {}, "ladder": {}})
    (match,) = record(club, game(club, "Ana Cy Bo", TEN))
    boards = boards_of(club)
    becker, ladder = boards["becker"], boards["ladder"]
    page = text(client, f"/l/club/m/autumn/{match.seq}/?board={becker.slug}")
    changes = re.findall(r" (Ana|Cy|Bo) \d+\W+% 0 (\d+) (\+?\d+)", page)
    assert changes == [("Ana", "4", "+4"), ("Cy", "2", "+2"), ("Bo", "0", "0")]
    assert standing_of(client, becker) == {"Ana": "4", "Cy": "2", "Bo": "0"}
    assert standing_of(client, ladder) == {"Cy": "1", "Ana": "2", "Bo": "3"}
    told = accounts(client, becker)
    assert told == {NAMES[0]: 12, NAMES[2]: -6, NAMES[4]: 6}
    assert_sum(told)
    assert accounts(client, ladder) == {}


def test_the_eleven_events_of_two_teams_add_up_on_the_page(client: Client) -> None:
    """5.4768 and 20.1380 were given; 4 and 2.0287 taken; 19.5861 is what there is."""
    club = club_with({"becker": VALUES})
    record(club, game(club, TEAMS, ELEVEN))
    becker = boards_of(club)["becker"]
    assert standing_of(client, becker) == {"Dee": "13", "Bo": "6", "Ana": "1", "Cy": "0"}
    told = accounts(client, becker)
    assert_sum(told)
    assert told == dict(zip(NAMES, (6, 20, -4, -2, 20), strict=True))


def test_points_that_players_begin_with_and_lose_over_time_have_their_accounts(
    client: Client,
) -> None:
    club = club_with({"becker": {"start": 100.0, "decay": 5.0, "period_days": 7}})
    record(club, result(club, "Ana", "Bo"), result(club, "Cy", "Bo", at=START + timedelta(days=30)))
    with time_machine.travel(START + timedelta(days=40), tick=False):
        sweep(START + timedelta(days=40))
        drain()
        told = accounts(client, boards_of(club)["becker"])
    assert_sum(told)
    assert told["Had at the start"] == 300
    # Bo lost four periods of 5 before the second match, Ana five since the first one.
    assert told["Taken: points lost over time"] == -45
    assert told["Points of all players"] == 255


def test_before_the_first_result_there_are_no_accounts(client: Client) -> None:
    club = club_with({"becker": {}, "zerosum": {}})
    assert accounts(client, boards_of(club)["becker"]) == {}
    record(club, game(club, "Ana Bo", "Ana>Bo"))
    assert accounts(client, boards_of(club)["zerosum"]) == {}


def standing_of(client: Client, board: Board) -> dict[str, str]:
    """What the leaderboard of a board shows of each player."""
    page = client.get(f"/l/club/?season=autumn&board={board.slug}").content.decode()
    rows = re.findall(r'<th role="rowheader" scope="row">(.*?)</tr>', page, re.DOTALL)
    found = {}
    for row in rows:
        name, value = (
            re.search(r"<bdi>(.*?)</bdi>", row),
            re.search(r'class="rate">(.*?)</td>', row),
        )
        assert name and value
        found[name[1]] = value[1].strip()
    return found
