"""The form of a result takes another shape at one press, and keeps what was typed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from leagues.domain.named_weights import NamedWeight
from leagues.domain.who_plays import EntryShape
from leagues.forms.reshaping import reshaped_values
from leagues.models import League, Match, Mode
from leagues.services.leagues import add_mode
from leagues.services.modes import change_named_weights, change_played_by
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club, record, result

pytestmark = pytest.mark.django_db

ENTER = "/l/club/enter/"
HTMX = {"HX-Request": "true"}
TYPED = {
    **{"one_1": "Ana", "two_1": "Bo", "score_one": "3", "score_two": "1", "outcome": "score"},
    **{"played_on": "2025-10-03", "played_time": "19:30", "kind": "walkover", "detail": "late"},
    **{"mode": "blitz", "shape": "pair"},
}


@pytest.fixture
def club(client: Client) -> League:
    """A league of singles, doubles and something for any number."""
    kim = make_user("kim")
    league = new_club(owner=kim)
    record(league, result(league, "Zoe", "Yuri"))
    change_played_by(mode=mode_of(league), played_by=Mode.PlayedBy.TWO_PLAYERS, actor=None)
    add_mode(league=league, name="Doubles", actor=None, played_by=Mode.PlayedBy.TWO_TEAMS)
    add_mode(league=league, name="Hearts", actor=None, played_by=Mode.PlayedBy.SEVERAL)
    client.force_login(kim)
    return league


def reshaped(client: Client, *, part: bool = False, **sent: Any) -> dict[str, str]:
    """The fields of the form as it comes back, by name."""
    response = client.post(ENTER, TYPED | sent, headers=HTMX if part else {})
    assert response.status_code == 200
    page = response.content.decode()
    assert page.lstrip().startswith("<form" if part else "<!doctype")
    assert Match.objects.count() == 1
    fields = {}
    for tag in re.findall(r"<input[^>]*>", page):
        name, value = (re.search(f' {word}="([^"]*)"', tag) for word in ("name", "value"))
        if name and ('type="radio"' not in tag or "checked" in tag):
            fields[name[1]] = value[1] if value else ""
    for name, text in re.findall(r'<textarea[^>]*name="([^"]*)"[^>]*>\s*([^<]*)', page):
        fields[name] = text
    return fields


@pytest.mark.parametrize("part", [False, True])
def test_another_mode_has_its_own_shape_at_once_and_nothing_is_lost(
    client: Client, club: League, part: bool
) -> None:
    page = client.get(ENTER).content.decode()
    assert re.search(r'name="to_mode" value="doubles"\s+aria-pressed="false"', page)
    fields = reshaped(client, part=part, to_mode="doubles")
    assert (fields["mode"], fields["shape"]) == ("doubles", "teams")
    assert {"one_2", "two_2"} <= fields.keys()
    kept = ("one_1", "two_1", "score_one", "score_two", "played_on", "played_time", "detail")
    assert {name: fields[name] for name in kept} == {name: TYPED[name] for name in kept}


def test_what_comes_back_is_recorded_in_that_mode(client: Client, club: League) -> None:
    fields = reshaped(client, to_mode="doubles")
    del fields["csrfmiddlewaretoken"]
    sent = fields | {"kind": "played", "one_2": "Cy", "two_2": "Dee"}
    response = client.post(ENTER, sent)
    assert response.status_code == 302, response.context["form"].errors
    match = Match.objects.latest("pk")
    assert match.mode.slug == "doubles" and match.participants.count() == 4


def test_the_key_enter_records_and_asks_for_no_other_fields(client: Client, club: League) -> None:
    form = client.get(ENTER).content.decode().partition('id="change"')[2]
    assert re.findall(r'<button[^>]*name="(\w+)"', form)[:2] == ["another", "to_mode"]


def test_another_shape_leads_to_the_only_mode_that_is_for_it(client: Client, club: League) -> None:
    fields = reshaped(client, to_shape="list")
    assert (fields["mode"], fields["shape"]) == ("hearts", "list")
    assert fields["places"] == "Ana: 3\nBo: 1"
    back = reshaped(client, to_mode="blitz", **fields)
    assert (back["one_1"], back["two_1"], back["score_one"]) == ("Ana", "Bo", "3")


def test_a_kind_of_match_stays_where_the_other_mode_has_it(client: Client, club: League) -> None:
    for mode in club.modes.all():
        weights = [NamedWeight("League", 1.0), NamedWeight("Cup", 1.5)]
        change_named_weights(mode=mode, weights=weights, actor=None)
    assert reshaped(client, to_mode="doubles", match_kind="1.5 Cup")["match_kind"] == "1.5 Cup"
    assert reshaped(client, to_mode="doubles", match_kind="9.0 Fun")["match_kind"] == "1.0 League"


def test_words_that_name_no_mode_and_no_shape_do_no_harm(client: Client, club: League) -> None:
    assert reshaped(client, to_mode="chess")["mode"] == "blitz"
    response = client.post(ENTER, TYPED | {"to_shape": "\x00", "kind": "played"})
    assert response.status_code == 302


def values(shape: EntryShape, **sent: str) -> dict[str, Any]:
    data = QueryDict(mutable=True)
    data.update(sent)
    return reshaped_values(data.dict(), shape)


@pytest.mark.parametrize(
    ("places", "outcome"),
    [("Ana\nBo", "one"), ("Ana: 1\nBo: 3", None), ("Ana = Bo", "draw"), ("Ana", None)],
)
def test_the_first_of_two_places_without_scores_has_won(places: str, outcome: str | None) -> None:
    assert values(EntryShape.PAIR, places=places).get("outcome") == outcome


@pytest.mark.parametrize(
    ("typed", "places"),
    [
        ({"one_1": "Ana", "two_1": "Bo"}, "Ana\nBo"),
        ({"one_1": "Ana", "two_1": "Bo", "outcome": "two"}, "Bo\nAna"),
        ({"one_1": "Ana", "two_1": "Bo", "outcome": "draw"}, "Ana = Bo"),
        ({"one_1": "Ana", "two_1": "Bo", "score_one": "1", "score_two": "3"}, "Bo: 3\nAna: 1"),
        ({"one_1": "Ana", "two_1": "Bo", "score_one": "2", "score_two": "2"}, "Ana = Bo: 2"),
        ({"one_1": "Ana", "score_one": "x", "score_two": "2"}, "Ana: x\n: 2"),
        ({"one_1": "Ana", "one_3": "Cy", "two_2": "A+B"}, 'Ana + Cy\n"A+B"'),
        ({}, ""),
    ],
)
def test_two_sides_become_places_the_best_first(typed: dict[str, str], places: str) -> None:
    assert values(EntryShape.LIST, **{"outcome": "score"} | typed)["places"] == places


@pytest.mark.parametrize(
    "places", ["Ana: 31\nBo = Cy: 24\nDina: 8", "Ana = Bo\nCy", "Ana +", "a + b + c + d + e\nf"]
)
def test_places_come_back_as_they_were_typed(places: str) -> None:
    pair = values(EntryShape.PAIR, places=places)
    del pair["places"]
    assert values(EntryShape.LIST, **pair)["places"] == places


def test_places_below_the_first_two_stay_below_what_was_typed_meanwhile() -> None:
    pair = values(EntryShape.TEAMS, places="Ana: 31\nBo: 24\nDina: 8")
    assert (pair["one_1"], pair["score_two"]) == ("Ana", "24")
    del pair["places"]
    back = values(EntryShape.LIST, **pair | {"one_1": "Zoe"})
    assert back["places"] == "Zoe: 31\nBo: 24\nDina: 8"
