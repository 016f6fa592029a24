"""Moving a match to another season by the API: a correction that names the season."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from leagues.jobs.runner import drain
from leagues.models import League, Season
from leagues.services.integrity import league_digest
from leagues.services.leagues import add_board
from tests.leagues.api.calls import Caller, browser
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club, record, rounds

pytestmark = pytest.mark.django_db

AT = "leagues/club/matches/autumn/1/"
NOVEMBER = datetime(2025, 11, 1, tzinfo=UTC)
MOVED = {"version": 1, "season": "winter", "played_on": "2025-11-05", "reason": "wrong season"}


@pytest.fixture
def club() -> League:
    league = new_club(owner=make_user("kim"))
    record(league, *rounds(league, ("Ana", "Bo", "Cy", "Dee"), 3))
    Season.objects.update(ends_at=NOVEMBER)
    winter = Season.objects.create(league=league, slug="winter", name="Winter", starts_at=NOVEMBER)
    add_board(season=winter, mode=mode_of(league), system="elo", name="Elo")
    drain()
    return league


@pytest.fixture
def kim(club: League) -> Caller:
    return browser(club.memberships.get().user)


def of_season(kim: Caller, season: str, board: str) -> dict[str, tuple[float, int]]:
    rows = kim.get(f"leagues/club/boards/{season}/{board}/standings/").json()["results"]
    return {row["player"]["key"]: (row["rating"]["value"], row["rank"]) for row in rows}


def test_a_match_is_moved_as_previewed_and_comes_back(kim: Caller, club: League) -> None:
    digest = league_digest(club)
    preview = kim.send(f"{AT}preview/", MOVED).json()
    assert (preview["season"], preview["state"], preview["changes"]) == ("autumn", "done", True)
    (other,) = preview["other_seasons"]
    assert (other["season"], other["changes"], other["based_on"]) == ("winter", True, 0)
    assert league_digest(club) == digest
    answer = kim.send(AT, MOVED, "PATCH")
    assert answer.status_code == 200
    body = answer.json()
    assert (body["season"], body["seq"], body["status"]) == ("winter", 1, "live")
    assert (body["played_on"], body["version"], body["revision"]) == ("2025-11-05", 1, 1)
    drain()
    for season in (preview, other):
        for effect in season["boards"]:
            after = of_season(kim, season["season"], effect["board"])
            moved = {row["key"]: (row["after"], row["rank_after"]) for row in effect["movers"]}
            assert {key: after[key] for key in moved} == moved
            assert moved
    old = kim.get(AT).json()
    assert (old["status"], old["moved_to"]) == ("void", {"season": "winter", "seq": 1})
    assert kim.get("leagues/club/matches/winter/1/").json()["moved_to"] is None
    undo = "leagues/club/revisions/winter/1/undo/"
    undone = kim.send(f"{undo}preview/", {}).json()
    assert [one["season"] for one in undone["other_seasons"]] == ["autumn"]
    assert kim.send(undo, {}).status_code in (200, 201)
    drain()
    assert league_digest(club) == digest
    assert kim.get(AT).json()["moved_to"] is None


@pytest.mark.parametrize("path", ["", "preview/"])
@pytest.mark.parametrize(
    ("fields", "state", "status", "code"),
    [
        ({}, "closed", 409, "season_closed"),
        ({}, "draft", 409, "season_closed"),
        ({"season": "nowhere"}, "open", 400, "unknown_season"),
        ({"season": ""}, "open", 400, "blank"),
        ({"season": 7}, "open", 400, "invalid"),
        ({"played_on": "2025-10-05"}, "open", 422, "outside_season"),
        ({"season": "autumn"}, "open", 422, "outside_season"),
    ],
)
def test_a_move_and_its_preview_are_refused_alike(
    kim: Caller, club: League, path: str, fields: dict, state: str, status: int, code: str
) -> None:
    Season.objects.filter(slug="winter").update(state=state)
    digest = league_digest(club)
    answer = kim.send(f"{AT}{path}", MOVED | fields, "POST" if path else "PATCH")
    body = answer.json()
    said = {body["code"], *(error["code"] for error in body.get("errors", ()))}
    assert code in said, body
    assert answer.status_code == status
    assert league_digest(club) == digest


def test_naming_its_own_season_moves_nothing(kim: Caller, club: League) -> None:
    answer = kim.send(AT, {"version": 1, "season": "autumn", "weight": 2.0}, "PATCH").json()
    assert (answer["season"], answer["seq"], answer["version"]) == ("autumn", 1, 2)
