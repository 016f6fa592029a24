"""Who is ranked at which rank: every page, the API, the files, the jobs and the admin agree."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from leagues.jobs.runner import drain
from leagues.models import Board, Job, League, Match, Standing
from leagues.services.matches import void_match
from leagues.services.recalculation import recalculate_board
from leagues.services.trials import start_trial
from tests.leagues.people import make_user
from tests.leagues.play import START, new_club, record, result
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

Ranks = dict[str, int]
AFTER = START + timedelta(days=200)
EXPECTED = {"Ana": 1, "Bo": 1, "Hal": 3, "Cy": 4, "Dee": 4}
"""With ties; Eve and Fay are inactive, Gus has too few results, the others none that is rated."""


@pytest.fixture(scope="module")
def built_league(shared_rows: None) -> League:
    league = new_club(owner=make_user("boss"), ranked_after=2)
    long_ago = [
        result(league, "Eve", "Fay", at=START + timedelta(minutes=number)) for number in range(9)
    ]
    lately = [
        result(league, one, two, ranks=ranks, at=AFTER + timedelta(minutes=number))
        for number in range(3)
        for one, two, ranks in (("Ana", "Cy", (1, 2)), ("Bo", "Dee", (1, 2)))
    ]
    others = [
        result(league, "Hal", "Gus", ranks=(1, 1), at=AFTER),
        result(league, "Hal", "Lou", ranks=(1, 1), at=AFTER),
        *(result(league, "Ina", "Jon", at=AFTER, kind=Match.Kind.WALKOVER) for _ in range(3)),
        *(result(league, "Kay", "Lee", at=AFTER, kind=Match.Kind.UNRATED) for _ in range(3)),
    ]
    record(league, *long_ago, *lately, *others)
    for void in record(league, *(result(league, "Moe", "Ned", at=AFTER) for _ in range(3))):
        void_match(match=void, author=None, expected_version=1, reason="a jest")
    drain()
    return league


league = read_anew("built_league")


def board_of(league: League) -> Board:
    return league.boards.get(slug="blitz-elo")


def boss() -> Client:
    user = make_user("admin", is_superuser=True, is_staff=True)
    client = Client()
    client.force_login(user)
    return client


def by_page(league: League) -> Ranks:
    rows = Client().get("/l/club/?board=blitz-elo").context["page"].rows
    return {row.name: int(row.rank.rstrip("=")) for row in rows if row.rank}


def by_profiles(league: League) -> Ranks:
    ranks = {}
    for player in league.players.all():
        text = Client().get(f"/l/club/p/{player.key}/?board=blitz-elo").context["page"].place
        if " of " in text:
            ranks[player.name] = int(
                "".join(sign for sign in text.split(" of ")[0] if sign.isdigit())
            )
    return ranks


def by_season_page(league: League) -> Ranks:
    rows = Client().get("/l/club/seasons/autumn/?board=blitz-elo").context["page"].rows
    return {row.name: int(row.rank.rstrip("=")) for row in rows}


def by_api(league: League) -> Ranks:
    address = "/api/v1/leagues/club/boards/autumn/blitz-elo/standings/"
    rows = Client().get(address).json()["results"]
    return {row["player"]["name"]: row["rank"] for row in rows}


def by_api_of_players(league: League) -> Ranks:
    ranks = {}
    for player in league.players.all():
        answer = Client().get(f"/api/v1/leagues/club/players/{player.key}/").json()
        for row in answer["standings"]:
            if row["board"] == "blitz-elo" and row["rank"] is not None:
                ranks[player.name] = row["rank"]
    return ranks


def by_api_of_systems(league: League) -> Ranks:
    address = "/api/v1/leagues/club/systems/autumn/blitz/?board=blitz-elo"
    rows = Client().get(address).json()["results"]
    return {row["name"]: row["ranks"]["blitz-elo"] for row in rows}


def file_of(name: str) -> str:
    answer = Client().get(f"/l/club/seasons/autumn/{name}?board=blitz-elo")
    return b"".join(answer.streaming_content).decode().lstrip("\ufeff")


def by_csv(league: League) -> Ranks:
    rows = csv.DictReader(file_of("standings.csv").splitlines())
    return {row["player"]: int(row["rank"]) for row in rows if row["rank"]}


def by_json(league: League) -> Ranks:
    rows = json.loads(file_of("standings.json"))["results"]
    return {row["player"]: row["rank"] for row in rows if row["rank"]}


WAYS: dict[str, Callable[[League], Ranks]] = {
    "leaderboard": by_page,
    "profiles": by_profiles,
    "season page": by_season_page,
    "API": by_api,
    "API, players": by_api_of_players,
    "API, systems": by_api_of_systems,
    "CSV": by_csv,
    "JSON": by_json,
}


@pytest.mark.parametrize("way", WAYS)
def test_everything_that_ranks_agrees(league: League, way: str) -> None:
    assert WAYS[way](league) == EXPECTED


@pytest.mark.parametrize("way", WAYS)
def test_a_generation_that_is_being_computed_ranks_nobody(league: League, way: str) -> None:
    board = board_of(league)
    coming = list(Standing.objects.current(board))
    for row in coming:
        row.pk, row.generation, row.place_value = None, board.generation + 1, -row.place_value
    Standing.objects.bulk_create(coming)
    assert WAYS[way](league) == EXPECTED


def test_the_overviews_name_who_is_first(league: League) -> None:
    Board.objects.exclude(slug="blitz-elo").delete()
    (row,) = Client().get("/").context["leagues"].rows
    assert row.leader == "Ana"
    (row,) = Client().get("/l/club/seasons/").context["list"].rows
    assert row.first == "Ana"


def test_a_recalculation_tells_the_ranks_of_the_board(league: League) -> None:
    board = board_of(league)
    for row in Standing.objects.current(board):
        Standing.objects.filter(pk=row.pk).update(place_value=-row.place_value)
    cache.clear()
    job = recalculate_board(board=board, actor=None)
    wrong = by_api_of_players(league)
    drain()
    report = Job.objects.get(pk=job).result
    assert {row["name"]: row["before"] for row in report["movers"]}.items() <= wrong.items()
    moved = {row["name"]: row["after"] for row in report["movers"]}
    assert moved == {name: rank for name, rank in EXPECTED.items() if wrong[name] != rank}
    assert report["players"] == len(EXPECTED) and moved
    assert by_page(league) == EXPECTED
    address = reverse("admin:leagues_board_change", args=[board.pk])
    moves = boss().get(address).context["recalculated"].moves
    assert {move.name: int(move.after[:-2]) for move in moves} == moved


def test_a_trial_ranks_whom_the_board_ranks(league: League) -> None:
    board = board_of(league)
    trial = start_trial(
        board=board, parameters=board.parameters, effective_at=None, actor=make_user("kim")
    )
    drain()
    trial.refresh_from_db()
    assert trial.report is not None
    assert (trial.report["players"], trial.report["moved"]) == (len(EXPECTED), 0)
