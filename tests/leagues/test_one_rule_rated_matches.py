"""What a board rates: pages, the API, files, jobs and records of players agree."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest
from django.core.cache import cache
from django.test import Client

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import Board, League, Match, Season
from leagues.selectors.board_selection import select_board
from leagues.selectors.encounters import encounters_of, rated_among
from leagues.selectors.matches import last_matches
from leagues.selectors.meetings import encounters, records
from leagues.selectors.season_facts import season_facts
from leagues.selectors.shares import score_shares
from leagues.services.inactivity_sweep import last_match_at
from leagues.services.leagues import update_league
from leagues.services.matches import void_match
from leagues.store.match_columns import read_facts, results_by_day
from tests.leagues.play import START, new_club, record, result, season_of

pytestmark = pytest.mark.django_db

Kind = Match.Kind
DAY = timedelta(days=1)
KINDS = (Kind.PLAYED, Kind.RETIREMENT, Kind.WALKOVER, Kind.UNRATED, Kind.PLAYED)
"""One match of each on days of their own; the last one is void."""

RULES = {
    "walkovers do not count": ("unrated", "", 2),
    "walkovers count": ("win", "", 3),
    "sealed while walkovers counted": ("unrated", "win", 3),
    "sealed before walkovers counted": ("win", "unrated", 2),
}


@pytest.fixture(params=RULES)
def board(request: pytest.FixtureRequest) -> tuple[Board, int]:
    """A board of Ana against Bo, and how many of their five matches it rates."""
    cache.clear()
    league = new_club()
    matches = record(
        league,
        *(
            result(league, "Ana", "Bo", at=START + number * DAY, kind=kind, scores=score)
            for number, kind in enumerate(KINDS)
            for score in ((None if kind == Kind.WALKOVER else (3, 1)),)
        ),
    )
    void_match(match=matches[-1], author=None)
    walkovers, sealed, count = RULES[request.param]
    Season.objects.update(sealed_walkovers=sealed)
    if league.walkovers != walkovers:
        update_league(league=league, changes={"walkovers": walkovers}, actor=None)
    drain()
    found = Board.objects.select_related("league", "season", "mode").get(slug="blitz-elo")
    return found, count


def ana(board: Board) -> int:
    return board.league.players.get(key="ana").pk


def bo(board: Board) -> int:
    return board.league.players.get(key="bo").pk


def row_of_csv(board: Board) -> int:
    answer = Client().get("/l/club/seasons/autumn/standings.csv?board=blitz-elo")
    text = b"".join(answer.streaming_content).decode().lstrip("\ufeff")
    return int(next(csv.DictReader(text.splitlines()))["results"])


def by_leaderboard(board: Board) -> int:
    page = Client().get("/l/club/?board=blitz-elo").context["page"]
    return int(next(row.results for row in page.rows if row.name == "Ana"))


def by_api(board: Board) -> int:
    address = "/api/v1/leagues/club/boards/autumn/blitz-elo/standings/"
    return int(Client().get(address).json()["results"][0]["games"])


def by_past_day(board: Board) -> int:
    day = (START + 9 * DAY).date().isoformat()
    address = f"/api/v1/leagues/club/boards/autumn/blitz-elo/standings/?on={day}"
    return int(Client().get(address).json()["results"][0]["won"])


def by_match_pages(board: Board) -> int:
    matches = Match.objects.select_related("league", "season", "mode")
    return sum(bool(bridge.rated_matches([board], match)) for match in matches)


WAYS: dict[str, Callable[[Board], int]] = {
    "the board": lambda board: board.rated_matches,
    "leaderboard": by_leaderboard,
    "API": by_api,
    "API, a past day": by_past_day,
    "CSV": row_of_csv,
    "match pages": by_match_pages,
    "replay": lambda board: len(read_facts(board)),
    "days": lambda board: sum(count for _day, count in results_by_day(board)),
    "season page": lambda board: sum(count for _day, count in season_facts(board).days),
    "rules page": lambda board: len(last_matches(board, 9)),
    "comparison": lambda board: len(encounters(board, [ana(board)], [bo(board)])),
    "profile": lambda board: len(rated_among(board, encounters_of(board, ana(board)))),
    "records": lambda board: records(board, [ana(board)])[ana(board), bo(board)].won,
    "query": lambda board: Match.objects.rated_on(board).count(),
    "predicate": lambda board: sum(
        match.is_rated for match in Match.objects.select_related("league", "season")
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_count_of_rated_matches_agrees(board: tuple[Board, int], way: str) -> None:
    assert WAYS[way](board[0]) == board[1]


def test_the_last_rated_match_is_the_last_one_everywhere(board: tuple[Board, int]) -> None:
    found, count = board
    last = START + (count - 1) * DAY
    assert found.last_at == last == last_match_at(found)
    selection = select_board(league=found.league, until=START + 9 * DAY)
    assert selection is not None
    assert selection.readings[found.pk].last_before == last
    assert np.array(read_facts(found).last_at) == last
    assert score_shares(found, [ana(found)])[ana(found)].results == 2


def test_an_unrated_or_void_match_keeps_no_board_moving(board: tuple[Board, int]) -> None:
    found, _count = board
    before = last_match_at(found)
    league, late = League.objects.get(), START + 300 * DAY
    record(league, result(league, "Ana", "Bo", at=late, kind=Kind.UNRATED))
    (void,) = record(league, result(league, "Ana", "Bo", at=late + DAY))
    void_match(match=void, author=None)
    assert last_match_at(found) == before
    assert season_of(league).matches.live().count() == 5
