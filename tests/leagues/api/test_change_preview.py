"""Previews of changes by the API: what saving would do, and nothing stored."""

from __future__ import annotations

from datetime import timedelta

import pytest

from leagues.jobs.runner import drain
from leagues.models import League, Revision
from leagues.services import preview_jobs
from leagues.services.integrity import league_digest
from leagues.services.seasons import Step, take_step
from tests.leagues.api.calls import Caller, browser
from tests.leagues.people import make_user
from tests.leagues.play import START, new_club, record, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db
AT = "leagues/club/matches/autumn/1/"
TURNED = {
    "version": 1,
    "sides": [
        {"rank": 1, "score": 3, "players": [{"key": "bo"}]},
        {"rank": 2, "score": 1, "players": [{"key": "ana"}]},
    ],
}


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    record(league, *rounds(league, ("Ana", "Bo", "Cy", "Dee"), 3))
    return league


club = read_anew("built_club")


@pytest.fixture
def kim(club: League) -> Caller:
    return browser(club.memberships.get().user)


def ratings(kim: Caller, board: str) -> dict[str, tuple[float, int]]:
    rows = kim.get(f"leagues/club/boards/autumn/{board}/standings/").json()["results"]
    return {row["player"]["key"]: (row["rating"]["value"], row["rank"]) for row in rows}


def test_a_preview_says_what_the_correction_does_to_the_last_bit(kim: Caller, club: League) -> None:
    digest = league_digest(club)
    preview = kim.send(f"{AT}preview/", TURNED).json()
    assert (preview["state"], preview["changes"], preview["based_on"]) == ("done", True, 1)
    assert league_digest(club) == digest
    assert kim.send(AT, TURNED, "PATCH").status_code == 200
    drain()
    for effect in preview["boards"]:
        after = ratings(kim, effect["board"])
        moved = {row["key"]: (row["after"], row["rank_after"]) for row in effect["movers"]}
        assert {key: after[key] for key in moved} == moved
        assert effect["ratings"] == len(moved)


def test_void_and_restore_are_previewed_and_change_nothing(kim: Caller, club: League) -> None:
    voided = kim.send(f"{AT}void/preview/", {}).json()
    assert all(effect["ratings"] for effect in voided["boards"])
    restored = kim.send(f"{AT}restore/preview/", {}).json()
    assert (restored["changes"], restored["boards"]) == (False, [])
    assert Revision.objects.count() == 1


def test_a_late_result_is_previewed_to_the_last_bit(kim: Caller, club: League) -> None:
    late = {
        "played_at": (START + timedelta(days=1)).isoformat(),
        "sides": [
            {"rank": 2, "players": [{"name": "Ana"}]},
            {"rank": 1, "players": [{"name": "Zoe"}]},
        ],
        "create_players": True,
    }
    digest, players = league_digest(club), club.players.count()
    preview = kim.send("leagues/club/matches/preview/", late).json()
    assert (preview["state"], preview["changes"], preview["based_on"]) == ("done", True, 1)
    assert (league_digest(club), club.players.count()) == (digest, players)
    assert Revision.objects.count() == 1
    assert kim.send("leagues/club/matches/", late).status_code == 201
    drain()
    for effect in preview["boards"]:
        after = ratings(kim, effect["board"])
        moved = {row["name"]: (row["after"], row["rank_after"]) for row in effect["movers"]}
        assert moved.keys() >= {"Ana", "Zoe"}
        assert moved["Ana"] == after["ana"]
        assert moved["Zoe"] == after["zoe"]
    refused = late | {"sides": late["sides"][:1]}
    previewed, sent = (
        kim.send(f"leagues/club/matches/{path}", refused) for path in ("preview/", "")
    )
    assert previewed.status_code == sent.status_code >= 400
    assert previewed.json() == sent.json()


def test_results_that_were_sent_before_would_change_nothing(kim: Caller, club: League) -> None:
    known = {
        "external_id": "a",
        "played_at": START.isoformat(),
        "sides": [
            {"rank": 1, "players": [{"name": "Ana"}]},
            {"rank": 2, "players": [{"name": "Bo"}]},
        ],
    }
    assert kim.send("leagues/club/matches/", known).status_code == 201
    drain()
    preview = kim.send("leagues/club/matches/preview/", known).json()
    assert (preview["changes"], preview["boards"]) == (False, [])


def test_an_undo_is_previewed_to_the_last_bit(kim: Caller, club: League) -> None:
    before = {board.slug: ratings(kim, board.slug) for board in club.boards.all()}
    assert kim.send(AT, TURNED, "PATCH").status_code == 200
    drain()
    undo, digest = "leagues/club/revisions/autumn/2/undo/", league_digest(club)
    preview = kim.send(f"{undo}preview/", {}).json()
    assert (preview["state"], preview["changes"], preview["based_on"]) == ("done", True, 2)
    assert league_digest(club) == digest
    for effect in preview["boards"]:
        assert effect["movers"]
        for row in effect["movers"]:
            assert (row["after"], row["rank_after"]) == before[effect["board"]][row["key"]]
    assert kim.send(undo, {}).status_code == 201
    previewed, undone = kim.send(f"{undo}preview/", {}), kim.send(undo, {})
    assert (previewed.status_code, previewed.json()) == (undone.status_code, undone.json())


@pytest.mark.parametrize(
    "fields",
    [
        {"version": 9},
        {"weight": 0.0},
        {"played_at": "2999-01-01T00:00:00Z"},
        {"played_at": "1700-01-01T00:00:00Z"},
        {"played_at": "2025-10-01T19:00:00"},
        {"sides": []},
        {"sides": [TURNED["sides"][0]]},
        {"sides": [TURNED["sides"][0]] * 2},
        {"sides": [{"rank": 1, "players": [{"name": "Nobody"}]}, TURNED["sides"][1]]},
        {"sides": [{"rank": 3, "players": [{"key": "bo"}]}, TURNED["sides"][1]]},
        {"sides": [{"rank": 1, "score": True, "players": [{"key": "bo"}]}]},
        {"nonsense": 1},
    ],
)
def test_a_preview_is_refused_as_the_correction_is(kim: Caller, club: League, fields) -> None:
    previewed = kim.send(f"{AT}preview/", TURNED | fields)
    saved = kim.send(AT, TURNED | fields, "PATCH")
    assert previewed.status_code == saved.status_code >= 400
    assert previewed.json() == saved.json()


def test_a_large_league_is_previewed_by_a_job(kim: Caller, club: League, monkeypatch) -> None:
    at_once = kim.send(f"{AT}preview/", TURNED).json()
    monkeypatch.setattr(preview_jobs, "MAX_RATED_AT_ONCE", 0)
    first = kim.send(f"{AT}preview/", TURNED)
    assert (first.status_code, first.json()["state"]) == (202, "pending")
    assert first.headers["Retry-After"]
    drain()
    assert kim.send(f"{AT}preview/", TURNED).json() == at_once


def test_a_sealed_season_refuses_alike_and_says_who_can_reopen_it(
    kim: Caller, club: League
) -> None:
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season_of(club), step, actor=None, now=START + timedelta(days=30))
        drain()
    for path, method in ((f"{AT}preview/", "POST"), (AT, "PATCH")):
        answer = kim.send(path, TURNED, method)
        assert answer.status_code == 403
        assert "A site admin can reopen it" in answer.json()["detail"]
