"""As of when uncertainty is shown: every page, the API, the files and the filters agree."""

from __future__ import annotations

import csv
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial

import pytest
import time_machine
from django.test import Client

from leagues import bridge, wording
from leagues.domain.absence import resting_since
from leagues.domain.civil_days import day_of
from leagues.jobs.runner import drain
from leagues.models import Board, League, Standing
from leagues.services.leagues import add_board
from leagues.services.matches import record_matches
from leagues.services.seasons import Step, take_step
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

Halves = dict[str, str]
BOARD = "blitz-glicko-2"
LAST = START + timedelta(days=50)
"""The last results; Eve and Fay played on the first day alone."""
DURING, AFTERWARDS = LAST + timedelta(days=20), LAST + timedelta(days=8000)
SENTENCE = "shown as of 20 Nov 2025, the last day with results"
NAMES = {"Ana", "Bo", "Cy", "Eve", "Fay"}


@pytest.fixture(scope="module")
def built_league(shared_rows: None) -> League:
    league = new_club()
    record(league, *rounds(league, ["Ana", "Bo", "Cy"], 4), result(league, "Eve", "Fay"))
    record(league, result(league, "Ana", "Bo", at=LAST), result(league, "Bo", "Cy", at=LAST))
    return league


league = read_anew("built_league")


def seal(league: League) -> None:
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season_of(league), step, actor=None, now=LAST + timedelta(days=1))
        drain()


@pytest.fixture(params=["while it is played", "while it rests", "once it is sealed"])
def case(request: pytest.FixtureRequest, league: League) -> Iterator[Halves]:
    """What everything has to show, at the moment of each case."""
    is_played = request.param == "while it is played"
    if request.param == "once it is sealed":
        seal(league)
    with time_machine.travel(DURING if is_played else AFTERWARDS, tick=False):
        yield halves_at(league, DURING if is_played else LAST + timedelta(days=1))


def board_of(league: League) -> Board:
    return league.boards.select_related("league", "season", "mode").get(slug=BOARD)


def halves_at(league: League, moment: datetime) -> Halves:
    """The range of everybody as of the midnight that begins a day."""
    board = board_of(league)
    standings = list(Standing.objects.current(board).select_related("player"))
    midnight = league.midnight(day_of(moment, league.zone))
    values = bridge.shown_now(board, standings, midnight)
    return {
        row.player.name: str(wording.plus_minus(value.half))
        for row, value in zip(standings, values, strict=True)
    }


def seen_by(key: str = "") -> Client:
    client = Client()
    if key:
        client.cookies["me"] = key
    return client


def page(address: str, key: str = "") -> object:
    return seen_by(key).get(address).context["page"]


def half(low: float, high: float) -> str:
    return str(wording.plus_minus((float(high) - float(low)) / 2.0))


def by_page(league: League) -> Halves:
    board = page(f"/l/club/?board={BOARD}")
    rows = (*board.rows, *board.inactive.rows)
    return {row.name: row.rating.plus_minus for row in rows}


def by_filter(league: League) -> Halves:
    """The least limit by which the filter lets each through."""

    def passes(name: str, limit: int) -> bool:
        return any(
            row["player"]["name"] == name
            for listed in ("ranked", "inactive")
            for row in Client().get(f"{address}&list={listed}&most={limit}").json()["results"]
        )

    address = f"/api/v1/leagues/club/standings/?board={BOARD}"
    limits = range(1000)
    least = {name: bisect_left(limits, True, key=partial(passes, name)) for name in NAMES}
    return {name: str(wording.plus_minus(limit)) for name, limit in least.items()}


def by_profiles(league: League) -> Halves:
    return {
        player.name: page(f"/l/club/p/{player.key}/?board={BOARD}").rating.plus_minus
        for player in league.players.all()
    }


def by_charts(league: League) -> Halves:
    return {
        player.name: page(f"/l/club/p/{player.key}/?board={BOARD}").chart.wide.end_range
        for player in league.players.all()
    }


def by_other_boards(league: League) -> Halves:
    halves = {}
    for player in league.players.all():
        others = page(f"/l/club/p/{player.key}/?board=blitz-elo").others
        halves[player.name] = next(row.rating.plus_minus for row in others if "Glicko" in row.name)
    return halves


def by_comparisons(league: League) -> Halves:
    seats = page(f"/l/club/compare/?board={BOARD}&a=Ana+%2B+Bo&b=Cy+%2B+Eve&c=Fay").seats
    return {seat.name: seat.rating.plus_minus for seat in seats}


def by_season_page(league: League) -> Halves:
    rows = page(f"/l/club/seasons/autumn/?board={BOARD}").rows
    return {row.name: row.rating.plus_minus for row in rows}


def by_opponents(league: League) -> Halves:
    rows = page(f"/l/club/opponents/?board={BOARD}&player=Ana").rows
    return {row.name: row.rating.plus_minus for row in rows}


def by_home(league: League) -> Halves:
    body = Client().get("/").content.decode()
    return {"Ana": re.findall(r"±\s*[0-9]+", body)[0]}


def by_api(league: League) -> Halves:
    halves = {}
    for listed in ("ranked", "inactive"):
        address = f"/api/v1/leagues/club/standings/?board={BOARD}&list={listed}"
        for row in Client().get(address).json()["results"]:
            halves[row["player"]["name"]] = half(row["rating"]["low"], row["rating"]["high"])
    return halves


def by_api_of_players(league: League) -> Halves:
    halves = {}
    for player in league.players.all():
        answer = Client().get(f"/api/v1/leagues/club/players/{player.key}/").json()
        row = next(row for row in answer["standings"] if row["board"] == BOARD)
        halves[player.name] = half(row["rating"]["low"], row["rating"]["high"])
    return halves


def by_api_of_comparisons(league: League) -> Halves:
    address = f"/api/v1/leagues/club/comparison/?board={BOARD}&a=ana,bo&b=cy,eve,fay"
    sides = Client().get(address).json()["sides"]
    return {
        row["name"]: half(row["rating"]["low"], row["rating"]["high"])
        for side in sides
        for row in side["players"]
    }


def file_of(name: str) -> str:
    answer = Client().get(f"/l/club/seasons/autumn/{name}?board={BOARD}")
    return b"".join(answer.streaming_content).decode().lstrip("\ufeff")


def by_csv(league: League) -> Halves:
    rows = csv.DictReader(file_of("standings.csv").splitlines())
    return {row["player"]: half(row["low"], row["high"]) for row in rows}


def by_json(league: League) -> Halves:
    rows = json.loads(file_of("standings.json"))["results"]
    return {row["player"]: half(row["low"], row["high"]) for row in rows}


WAYS: dict[str, Callable[[League], Halves]] = {
    "leaderboard": by_page,
    "filter": by_filter,
    "profiles": by_profiles,
    "charts": by_charts,
    "other boards": by_other_boards,
    "compare": by_comparisons,
    "season page": by_season_page,
    "opponents": by_opponents,
    "home": by_home,
    "API": by_api,
    "API, players": by_api_of_players,
    "API, comparison": by_api_of_comparisons,
    "CSV": by_csv,
    "JSON": by_json,
}


def is_near(one: str, other: str) -> bool:
    """Whether two ranges are equal, but for ends that a file rounds before they are subtracted."""
    numbers = [int(re.sub(r"[^0-9]", "", text)) for text in (one, other)]
    return abs(numbers[0] - numbers[1]) <= 1


@pytest.mark.parametrize("way", WAYS)
def test_everything_that_shows_a_range_agrees(league: League, case: Halves, way: str) -> None:
    halves = WAYS[way](league)
    assert halves
    for name, text in halves.items():
        assert is_near(text, case[name]) if way in ("CSV", "JSON", "filter") else text == case[name]
    if way not in ("season page", "opponents", "home"):
        assert set(halves) == NAMES


def test_ranges_stay_while_a_league_rests(league: League) -> None:
    fresh = halves_at(league, LAST + timedelta(days=1))
    assert halves_at(league, AFTERWARDS) != fresh
    with time_machine.travel(AFTERWARDS, tick=False):
        assert by_page(league) == fresh


@pytest.mark.parametrize("ending", ["rest", "seal"])
def test_pages_say_in_a_sentence_of_what_day_their_ranges_are(league: League, ending: str) -> None:
    addresses = (
        f"/l/club/?board={BOARD}",
        f"/l/club/p/ana/?board={BOARD}",
        f"/l/club/compare/?board={BOARD}&a=Ana&b=Cy",
        f"/l/club/opponents/?board={BOARD}&player=Ana",
        f"/l/club/seasons/autumn/?board={BOARD}",
    )
    with time_machine.travel(DURING, tick=False):
        for address in addresses:
            assert SENTENCE not in Client().get(address).content.decode()
    if ending == "seal":
        seal(league)
    with time_machine.travel(AFTERWARDS, tick=False):
        for address in addresses:
            assert Client().get(address).content.decode().count(SENTENCE) == 1
        assert "shown as of" not in Client().get("/l/club/?board=blitz-elo").content.decode()


def stakes_shown() -> list[str]:
    """What a win against Cy brings Ana, wherever it is told."""
    rows = page(f"/l/club/?board={BOARD}", "ana").rows
    compared = page(f"/l/club/compare/?board={BOARD}&a=Ana&b=Cy").stakes
    worth = page(f"/l/club/opponents/?board={BOARD}&player=Ana").rows
    met = page(f"/l/club/p/ana/?board={BOARD}&tab=opponents").opponents
    address = f"/api/v1/leagues/club/preview/?board={BOARD}&a=ana&b=cy"
    outcome = Client().get(address).json()["outcomes"][0]
    ana = next(row for row in outcome["players"] if row["key"] == "ana")
    return [
        next(row.stake.win for row in rows if row.name == "Cy"),
        page(f"/l/club/p/cy/?board={BOARD}", "ana").stake.win,
        next(row.cells[0].change for row in compared if row.label == "Ana wins"),
        next(row.win for row in worth if row.name == "Cy"),
        next(row.next for row in met if row.name == "Cy").split(" / ")[0],
        wording.change(ana["before"], ana["after"]),
    ]


@pytest.mark.parametrize("now", [DURING, AFTERWARDS])
def test_stakes_are_those_of_the_match_that_the_page_speaks_of(
    league: League, now: datetime
) -> None:
    is_resting = now == AFTERWARDS
    with time_machine.travel(now, tick=False):
        shown = stakes_shown()
        assert len(set(shown)) == 1
        body = seen_by("ana").get(f"/l/club/?board={BOARD}").content.decode()
        assert ("a match played today can move ratings more" in body) == is_resting
        for sides in ("a=Ana&b=Cy", "a=Ana+%2B+Bo&b=Cy+%2B+Eve"):
            body = Client().get(f"/l/club/compare/?board={BOARD}&{sides}").content.decode()
            assert ("After one rated match played today." in body) != is_resting
    at = LAST + timedelta(days=1) if is_resting else now
    at = league.midnight(day_of(at, league.zone)) if is_resting else at
    (match,) = record_matches(
        season=season_of(league), mode=mode_of(league), drafts=[result(league, "Ana", "Cy", at=at)]
    ).matches
    drain()
    account = bridge.match_account(board_of(league), match)
    ana = next(row for row in account.accounts if row.player_id == league.players.get(key="ana").pk)
    assert shown[0] == wording.change(ana.before.value, ana.after.value)


def test_an_earlier_day_is_shown_with_the_ranges_of_then(league: League) -> None:
    """As of a day on which the league was played, also when it rests today."""
    with time_machine.travel(AFTERWARDS, tick=False):
        address = f"/api/v1/leagues/club/standings/?board={BOARD}&on=2025-10-20"
        answer = Client().get(address)
        if answer.status_code == 503:
            drain()
            answer = Client().get(address)
    assert answer.json()["as_of"].startswith("2025-10-19T23:00")


def test_a_board_whose_ranking_absence_moves_is_shown_as_far_as_it_was_moved(
    league: League,
) -> None:
    board = add_board(
        season=season_of(league),
        mode=mode_of(league),
        system="trueskill",
        parameters={"idle_variance": 0.01},
    )
    drain()
    moved = league.midnight(day_of(LAST + timedelta(days=200), league.zone))
    Board.objects.filter(pk=board.pk).update(decayed_until=moved)
    board.refresh_from_db()
    assert resting_since(board, board.last_at, AFTERWARDS) == day_of(LAST, league.zone)
    assert bridge.display_moment(board, AFTERWARDS) == moved
    assert bridge.uncertainty_day(board, board.last_at, AFTERWARDS) is None
