"""Handicaps through the API: sent, read, corrected, given with the result of a started match."""

from __future__ import annotations

from typing import Any

import pytest

from leagues.jobs.runner import drain
from leagues.models import League
from leagues.services.leagues import add_board
from tests.leagues.api.calls import Caller, browser
from tests.leagues.people import make_user
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

MATCHES = "leagues/club/matches/"


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    record(league, result(league, "Ana", "Bo", "Cy", at=START))
    return league


club = read_anew("built_club")


@pytest.fixture
def kim(club: League) -> Caller:
    return browser(club.memberships.get(role="organizer").user)


def match(*handicaps: int | None, **fields: Any) -> dict[str, Any]:
    """A match of Ana, Bo and so on, best first; None says nothing of a side."""
    sides = [
        {
            **{"rank": rank, "players": [{"key": key}]},
            **({} if handicap is None else {"handicap": handicap}),
        }
        for rank, (key, handicap) in enumerate(zip(("ana", "bo", "cy"), handicaps, strict=False), 1)
    ]
    return {"played_on": "2025-10-05", "sides": sides, **fields}


def handicaps_of(shape: dict[str, Any]) -> list[int]:
    return [side["handicap"] for side in shape["sides"]]


def test_a_handicap_is_sent_and_read(kim: Caller) -> None:
    sent = kim.send(MATCHES, match(64, None)).json()
    assert handicaps_of(sent["matches"][0]) == [64, 0]
    assert handicaps_of(kim.get(f"{MATCHES}autumn/2/").json()) == [64, 0]
    listed = kim.get(MATCHES).json()["results"]
    assert [64, 0] in [handicaps_of(one) for one in listed]


def test_three_sides_can_have_one_each(kim: Caller) -> None:
    (shape,) = kim.send(MATCHES, match(0, -4000, 4000)).json()["matches"]
    assert handicaps_of(shape) == [0, -4000, 4000]


def test_the_same_match_with_another_handicap_is_another_content(kim: Caller) -> None:
    kim.send(MATCHES, match(64, 0, external_id="g1"))
    again = kim.send(MATCHES, match(64, None, external_id="g1"))
    assert (again.status_code, again.json()["already_there"]) == (200, 1)
    other = kim.send(MATCHES, match(65, 0, external_id="g1"))
    assert other.status_code == 422
    assert other.json()["errors"][0]["code"] == "id_reused"


def test_a_correction_replaces_what_it_names(kim: Caller) -> None:
    kim.send(MATCHES, match(64, 0))
    address = f"{MATCHES}autumn/2/"
    kept = kim.send(address, {"version": 1, "detail": "rain"}, method="PATCH").json()
    assert handicaps_of(kept) == [64, 0]
    sides = match(None, 32)["sides"]
    changed = kim.send(address, {"version": 2, "sides": sides}, method="PATCH").json()
    assert handicaps_of(changed) == [0, 32]


def test_a_started_match_has_one_that_holds_for_its_result(kim: Caller) -> None:
    """By hand: of equals Ana loses 40 · 0.5911 with 64 points; she is ahead, so even more."""
    players = [{"players": [{"key": key}]} for key in ("ana", "bo")]
    for bad in (4001, "64", True, 1.0, None):
        refused = kim.send(
            f"{MATCHES}started/", {"sides": [{**players[0], "handicap": bad}, players[1]]}
        )
        assert refused.status_code in (400, 422), bad
    sides = [{**players[0], "handicap": 64}, players[1]]
    answer = kim.send(f"{MATCHES}started/", {"sides": sides}).json()
    started = answer["match"]
    assert handicaps_of(started) == [64, 0]
    losses = {
        one["player"]: one["before"] - one["after"]
        for one in answer["losses"]
        if one["board"] == "blitz-elo"
    }
    assert sum(losses.values()) == pytest.approx(40.0)
    assert losses["ana"] - losses["bo"] > 40 * (2 * 0.5911 - 1)
    address = f"{MATCHES}{started['id']}/result/"
    result_shape = kim.send(address, {"sides": [{"rank": 1}, {"rank": 2}]}).json()
    assert handicaps_of(result_shape) == [64, 0]
    drain()
    again = kim.send(address, {"sides": [{"rank": 1, "handicap": 64}, {"rank": 2}]})
    assert again.status_code == 200
    other = kim.send(address, {"sides": [{"rank": 1, "handicap": 0}, {"rank": 2}]})
    assert other.json()["errors"][0]["code"] == "has_result"


def test_a_preview_says_with_what_handicap_a_match_would_be_even(club: League, kim: Caller) -> None:
    """By hand: at 1520 and 1480, 40 points for the weaker one; a ladder has no use for any."""
    club.boards.all().delete()
    for system in ("elo", "ladder"):
        add_board(season=season_of(club), mode=mode_of(club), system=system)
    drain()
    for sides, points in (("a=ana&b=cy", -40), ("a=cy&b=ana", 40), ("a=ana&b=bo&c=cy", None)):
        answer = kim.get(f"leagues/club/preview/?board=blitz-elo&{sides}").json()
        assert answer["even_handicap"] == points, sides
    answer = kim.get("leagues/club/preview/?board=blitz-ladder&a=ana&b=cy").json()
    assert answer["even_handicap"] is None
