"""Names are found by their plain letters, and alike on every database."""

from __future__ import annotations

import pytest

from leagues.jobs.runner import drain
from leagues.models import Player
from leagues.store import standing_columns
from leagues.store.memory import forget_all
from leagues.store.search import finder, named_like
from tests.leagues.play import new_club, record, result

pytestmark = pytest.mark.django_db

NAMES = (
    *("Emil Novák", "Nora Novak", "Jørgen Strøm", "Łukasz Żółć", "Œnone Ærø", "İpek Işık"),
    *("Nguyễn Thị Minh", "Dvořák & Co", "김민수", "がく", "かく", "100% Ana_Ruiz"),
)


@pytest.fixture
def club():
    league = new_club()
    names = iter(NAMES)
    record(league, *(result(league, one, other) for one, other in zip(names, names, strict=True)))
    drain()
    return league


@pytest.mark.usefixtures("club")
@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("novák emil", {"Emil Novák"}),
        ("stroem", {"Jørgen Strøm"}),
        ("joergen  stroem", {"Jørgen Strøm"}),
        ("noera", set()),
        ("nora emil", set()),
    ],
)
def test_words_come_in_any_order_and_umlauts_spelled_out(typed, found):
    assert {row.name for row in Player.objects.filter(named_like(typed))} == found
    assert set(filter(finder(typed), NAMES)) == found


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("novak", {"Emil Novák", "Nora Novak"}),
        ("NOVÁK", {"Emil Novák", "Nora Novak"}),
        ("jorgen strom", {"Jørgen Strøm"}),
        ("lukasz zolc", {"Łukasz Żółć"}),
        ("oenone aero", {"Œnone Ærø"}),
        ("ipek isik", {"İpek Işık"}),
        ("nguyen thi", {"Nguyễn Thị Minh"}),
        ("dvorak &", {"Dvořák & Co"}),
        ("민수", {"김민수"}),
        ("か", {"かく"}),
        ("%", {"100% Ana_Ruiz"}),
        ("_", {"100% Ana_Ruiz"}),
        ("novack", set()),
    ],
)
def test_accents_make_no_difference_to_who_is_found(client, club, monkeypatch, typed, found):
    assert {row.name for row in Player.objects.filter(named_like(typed))} == found
    assert set(filter(finder(typed), NAMES)) == found

    def shown():
        page = client.get("/l/club/", {"q": typed}).context["page"]
        return {row.name for row in page.rows}

    assert shown() == found
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 1)
    forget_all()
    assert client.get("/l/club/").status_code == 200
    drain()
    # Once with the standings at hand, once where both are read.
    assert shown() == found
    forget_all()
    assert shown() == found
    ranked = client.get("/api/v1/leagues/club/standings/", {"q": typed}).json()["results"]
    assert {row["player"]["name"] for row in ranked} == found
    people = client.get("/l/club/me/", {"q": typed}).context["people"]
    assert {row.name for row in people.rows} == found
    rows = client.get("/l/club/results/", {"q": typed}).context["page"].rows
    assert len(rows) == len({NAMES.index(name) // 2 for name in found})
    told = client.get("/api/v1/leagues/club/players/", {"q": typed}).json()["results"]
    assert {row["name"] for row in told} == found
