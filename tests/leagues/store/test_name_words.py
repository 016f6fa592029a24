"""In a league of very many players a search finds beginnings of words, which indexes tell."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import League, Player
from leagues.models.player import name_condition
from leagues.selectors.people import listed_players, search, search_people
from leagues.services.likeness import similar_players
from leagues.services.players import rename_player
from leagues.services.rosters import insert_players, new_player
from leagues.store.memory import forget_all
from leagues.store.name_words import MAX_WORDS_LENGTH, words_of
from leagues.store.search import listed_numbers
from tests.leagues.play import new_club, record, result

pytestmark = pytest.mark.django_db

NAMES = (
    *("Emil Novák", "Nora Novak", "Jørgen Strøm", "Œnone Ærø", "Nguyễn Thị Minh", "김민수"),
    *("Jean-Luc O'Neil", "Juan Carlos de la Cruz", "xXx.Leffen", "100% Ana_Ruiz", "???"),
)
MANY = 3_000


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch) -> Iterator[League]:
    """Where no name is looked through, as if there were very many."""
    monkeypatch.setattr("leagues.models.player.MAX_LOOKED_THROUGH", 1)
    league = new_club()
    insert_players([new_player(league=league, name=name) for name in NAMES])
    yield league
    forget_all()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Emil Novák", "emil novak"),
        ("Jean-Luc  O'Neil", "jean luc o neil"),
        ("100% Ana_Ruiz", "100 ana ruiz"),
        ("김민수", "김 민 수"),
        ("हिन्दी भाषा", "हिन्दी भाषा"),
        ("???", "???"),
        ("가" * 150, ("가 " * 150)[:MAX_WORDS_LENGTH]),
    ],
)
def test_words_are_plain_and_apart(name: str, words: str) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("NOV", {"Emil Novák", "Nora Novak"}),
        ("nora nov", {"Nora Novak"}),
        ("ovak", set()),
        ("strom", {"Jørgen Strøm"}),
        ("aero", {"Œnone Ærø"}),
        ("thi m", {"Nguyễn Thị Minh"}),
        ("minh", {"Nguyễn Thị Minh"}),
        ("민수", {"김민수"}),
        ("jean luc", {"Jean-Luc O'Neil"}),
        ("o'neil", {"Jean-Luc O'Neil"}),
        ("de la", {"Juan Carlos de la Cruz"}),
        ("cruz", {"Juan Carlos de la Cruz"}),
        ("leffen", {"xXx.Leffen"}),
        ("ana_r", {"100% Ana_Ruiz"}),
        ("%", set()),
        ("?", {"???"}),
        ("zz", set()),
    ],
)
def test_beginnings_of_words_are_found(club: League, typed: str, found: set[str]) -> None:
    people = search_people(league=club, query=typed).rows
    assert {person.name for person in people} == found
    assert [person.key for person in people] == list(
        Player.objects.filter(name__in=found)
        .order_by("folded", "key")
        .values_list("key", flat=True)
    )
    listed = listed_players(league=club, query=typed, after="", now=timezone.now()).rows
    assert {row.name for row in listed} == found
    numbers = [row["found"] for row in search(league=club, query=typed)]
    ids = listed_numbers(numbers[0]).tolist() if numbers else []
    assert {player.name for player in Player.objects.filter(pk__in=ids)} == found
    assert len(ids) == len(found)


def test_pages_and_the_api_find_them(client: Client, club: League) -> None:
    record(club, result(club, "Emil Novák", "Jørgen Strøm"))
    drain()
    page = client.get("/l/club/", {"q": "nov"}).context["page"]
    assert [row.name for row in page.rows] == ["Emil Novák"]
    assert len(client.get("/l/club/results/", {"q": "str"}).context["page"].rows) == 1
    told = client.get("/api/v1/leagues/club/players/", {"q": "nov"}).json()["results"]
    assert [row["name"] for row in told] == ["Emil Novák", "Nora Novak"]


def test_a_small_league_is_looked_through(club: League, monkeypatch: pytest.MonkeyPatch) -> None:
    forget_all()
    monkeypatch.setattr("leagues.models.player.MAX_LOOKED_THROUGH", len(NAMES))
    assert [one.name for one in search_people(league=club, query="ovak").rows] == [
        "Emil Novák",
        "Nora Novak",
    ]


def test_another_name_is_found_by_its_own_words(club: League) -> None:
    rename_player(player=Player.objects.get(name="???"), name="Zoë Quinn", actor=None)
    assert [one.name for one in search_people(league=club, query="qui").rows] == ["Zoë Quinn"]
    assert not search_people(league=club, query="?").rows


def test_names_that_may_be_meant_begin_alike(club: League, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leagues.services.likeness.MOST_COMPARED", 1)
    assert [one.name for one in similar_players(club, ["Emil Novac"])["Emil Novac"]] == [
        "Emil Novák"
    ]
    assert [one.name for one in similar_players(club, ["Minh"])["Minh"]] == ["Nguyễn Thị Minh"]


def test_no_search_reads_all_names(club: League) -> None:
    players = [new_player(league=club, name=f"Player {number:04d}") for number in range(MANY)]
    insert_players(players)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE leagues_player")
    listed = club.players.listed()
    for typed in ("0123", "nobody at all", "player 01"):
        for rows in (
            search(league=club, query=typed),
            listed.filter(name_condition(club, typed)).order_by().values("pk"),
            listed.named(typed, club).order_by("folded", "key")[:21],
        ):
            plan = str(rows.explain())
            assert "Seq Scan" not in plan, plan
            assert "SCAN leagues_player" not in plan, plan
            assert "SCAN U0" not in plan, plan
            for index in ("words", "second_word", "third_word", "last_word"):
                assert f"player_by_{index}" in plan, plan
