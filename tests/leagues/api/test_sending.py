"""Sending results: one or many, once, by key or by name, and what becomes of them."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from leagues.domain.score_rules import read_rule
from leagues.jobs.runner import drain
from leagues.models import League, Match, Player, RequestKey, Revision
from leagues.services.leagues import add_mode
from leagues.services.modes import change_score_rule
from leagues.services.players import ensure_player, rename_player
from tests.leagues.api.calls import Caller, browser, program
from tests.leagues.people import join, make_user
from tests.leagues.play import new_club, record, result

pytestmark = pytest.mark.django_db

PATH = "leagues/club/matches/"


@pytest.fixture
def club() -> League:
    cache.clear()
    league = new_club()
    for name in ("Ana", "Bo", "Cy"):
        ensure_player(league=league, name=name)
    return league


@pytest.fixture
def bot(club: League) -> Caller:
    return program(club)


def won(winner: str, loser: str, **more: Any) -> dict[str, Any]:
    """Return a result of now, its players by name."""
    sides = [
        {"rank": rank, "players": [{"name": name}]} for rank, name in enumerate((winner, loser), 1)
    ]
    return {"played_at": timezone.now().isoformat(), "sides": sides} | more


def test_one_match_is_stored_and_waits_to_be_rated(bot: Caller, club: League) -> None:
    sent = bot.send(PATH, won("Ana", "Bo", same_time_order=7, weight=0.5, detail="6–4 6–2"))
    assert sent.status_code == 201, sent.content
    answer = sent.json()
    (match,) = answer["matches"]
    assert (answer["revision"], answer["rating"], answer["already_there"]) == (1, "pending", 0)
    assert (match["id"], match["same_time_order"], match["weight"]) == ("autumn/1", 7, 0.5)
    assert [side["players"][0]["key"] for side in match["sides"]] == ["ana", "bo"]
    revision = club.revisions.get()
    assert (revision.kind, revision.source, revision.author) == ("api", "token:bot", None)
    drain()
    state = bot.get("leagues/club/rating-state/").json()["results"]
    assert {board["behind"] for board in state} == {False}
    shown = bot.get(match["url"]).json()
    assert {change["player"] for change in shown["ratings"]} == {"ana", "bo"}


def test_many_matches_are_one_revision_in_the_order_sent(bot: Caller, club: League) -> None:
    sent = bot.send(PATH, {"matches": [won("Ana", "Bo"), won("Bo", "Cy"), won("Cy", "Ana")]})
    assert [match["seq"] for match in sent.json()["matches"]] == [1, 2, 3]
    assert club.revisions.get().summary == {"matches": 3}


def test_b65_one_bad_match_refuses_the_whole_call_and_is_named(bot: Caller, club: League) -> None:
    bad = won("Ana", "Bo", weight=99)
    sent = bot.send(PATH, {"matches": [won("Ana", "Bo"), bad, won("Ana", "Ana")]})
    assert sent.status_code == 422
    errors = sent.json()["errors"]
    assert [(error["index"], error["code"]) for error in errors] == [
        (1, "weight"),
        (2, "player_twice"),
    ]
    assert not club.matches.exists()


def test_a_walkover_without_a_winner_is_refused(bot: Caller, club: League) -> None:
    body = won("Ana", "Bo", kind="walkover")
    body["sides"][1]["rank"] = 1
    (error,) = bot.send(PATH, body).json()["errors"]
    assert (error["index"], error["field"], error["code"]) == (0, "rank", "walkover_draw")


def test_b66_an_id_twice_in_one_call_is_refused(bot: Caller, club: League) -> None:
    sent = bot.send(
        PATH, {"matches": [won("Ana", "Bo", external_id="g1"), won("Bo", "Ana", external_id="g1")]}
    )
    assert (sent.status_code, sent.json()["code"]) == (422, "id_twice")
    assert not club.matches.exists()


def test_b39_a_request_sent_again_under_its_key_does_nothing(bot: Caller, club: League) -> None:
    body = {"matches": [won("Ana", "Bo"), won("Bo", "Cy", external_id="g2"), won("Cy", "Ana")]}
    first = bot.send(PATH, body, Idempotency_Key="night-1")
    again = bot.send(PATH, body, Idempotency_Key="night-1")
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["matches"] == again.json()["matches"]
    assert again.json()["already_there"] == 3
    assert club.matches.count() == 3 and club.revisions.count() == 1


def test_b40_a_key_with_other_content_is_refused(bot: Caller, club: League) -> None:
    bot.send(PATH, won("Ana", "Bo"), Idempotency_Key="night-1")
    other = bot.send(PATH, won("Bo", "Ana"), Idempotency_Key="night-1")
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    assert club.matches.count() == 1


def test_i17_a_new_token_of_the_name_knows_the_old_keys_and_another_name_does_not(
    club: League,
) -> None:
    body = won("Ana", "Bo", external_id="g1")
    answers = [
        program(club, name=name).send(PATH, body, Idempotency_Key="k").status_code
        for name in ("Bot", "Bot", "Other")
    ]
    assert answers == [201, 200, 201]
    assert club.matches.count() == 2


@pytest.mark.parametrize("key", ["", "a" * 300, "with space", "tab\there", "ключ"])
def test_b42_a_key_that_is_none_is_refused(key: str, bot: Caller, club: League) -> None:
    sent = bot.send(PATH, won("Ana", "Bo"), Idempotency_Key=key)
    assert sent.status_code == 400
    assert not club.matches.exists()


def test_b42_keys_differ_by_case(bot: Caller, club: League) -> None:
    for key in ("night", "Night"):
        assert bot.send(PATH, won("Ana", "Bo"), Idempotency_Key=key).status_code == 201


def test_an_id_sent_again_is_there_already_and_the_rest_is_new(bot: Caller, club: League) -> None:
    first = won("Ana", "Bo", external_id="g1")
    bot.send(PATH, first)
    longer = bot.send(PATH, {"matches": [won("Bo", "Cy", external_id="g2"), first]})
    assert (longer.status_code, longer.json()["already_there"]) == (201, 1)
    assert [match["seq"] for match in longer.json()["matches"]] == [2, 1]
    whole = bot.send(PATH, {"matches": [first]})
    assert (whole.status_code, whole.json()["already_there"]) == (200, 1)
    assert club.revisions.count() == 2


def test_an_id_with_other_content_is_refused(bot: Caller, club: League) -> None:
    bot.send(PATH, won("Ana", "Bo", external_id="g1"))
    other = bot.send(PATH, won("Bo", "Ana", external_id="g1"))
    assert (other.status_code, other.json()["code"]) == (422, "id_reused")


def test_an_id_sent_to_another_mode_is_refused(bot: Caller, club: League) -> None:
    rapid = add_mode(league=club, name="Rapid", actor=None)
    one = won("Ana", "Bo", external_id="g1") | {"mode": "blitz"}
    assert bot.send(PATH, one).status_code == 201
    other = bot.send(PATH, one | {"mode": rapid.slug})
    assert (other.status_code, other.json()["code"]) == (422, "id_reused")
    assert club.revisions.count() == 1


def test_b30_unknown_names_are_refused_unless_they_may_be_made(bot: Caller, club: League) -> None:
    body = {"matches": [won("Ana", "Newman"), won("newman", "Newman Junior")]}
    refused = bot.send(PATH, body)
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_player")
    assert [error["index"] for error in refused.json()["errors"]] == [0, 1, 1]
    assert club.players.count() == 3
    body["matches"][1]["sides"][0]["players"] = [{"key": "n-2", "name": "Newman"}]
    assert bot.send(PATH, body | {"create_players": True}).status_code == 201
    made = club.players.filter(name__startswith="Newman").order_by("key")
    assert [(player.key, player.name) for player in made] == [
        ("n-2", "Newman"),
        ("newman", "Newman"),
        ("newman-junior", "Newman Junior"),
    ]


def test_unclear_names_come_with_who_may_be_meant(bot: Caller, club: League) -> None:
    ensure_player(league=club, name="Ana", key="ana-2")
    ensure_player(league=club, name="Bartholomew")
    refused = bot.send(PATH, won("Ana", "Bartolomew")).json()
    assert refused["errors"] == [
        {
            "index": 0,
            "field": "sides.0.players.0",
            "code": "name_shared",
            "message": "Several players are called “Ana”. Use the key of the right one.",
            "name": "Ana",
            "candidates": [{"key": "ana", "name": "Ana"}, {"key": "ana-2", "name": "Ana"}],
        },
        {
            "index": 0,
            "field": "sides.1.players.0",
            "code": "unknown_player",
            "message": "This league has no player called “Bartolomew”.",
            "name": "Bartolomew",
            "candidates": [{"key": "bartholomew", "name": "Bartholomew"}],
        },
    ]


def test_a_correction_with_unclear_names_says_who_may_be_meant(bot: Caller, club: League) -> None:
    bot.send(PATH, won("Ana", "Bo"))
    ensure_player(league=club, name="Cy", key="cy-2")
    change = {"version": 1, "sides": won("Ana", "Cy")["sides"]}
    (error,) = bot.send(f"{PATH}autumn/1/", change, "PATCH").json()["errors"]
    assert (error["index"], error["field"], error["code"]) == (
        0,
        "sides.1.players.0",
        "name_shared",
    )
    assert [player["key"] for player in error["candidates"]] == ["cy", "cy-2"]


def test_b41_the_same_result_again_is_stored_with_a_warning(bot: Caller, club: League) -> None:
    at = timezone.now() - timedelta(hours=3)
    first = bot.send(PATH, won("Ana", "Bo", played_at=at.isoformat(), external_id="g1"))
    assert first.json()["warnings"] == []
    soon, later = (at + timedelta(minutes=minutes) for minutes in (119, 121))
    body = [
        won("Bo", "Ana", played_at=soon.isoformat()),
        won("Ana", "Bo", played_at=soon.isoformat(), external_id="g2"),
        won("Ana", "Bo", played_at=later.isoformat(), external_id="g3"),
        won("Ana", "Bo", played_at="2019-01-01T12:00:00Z"),
    ]
    sent = bot.send(PATH, {"matches": body})
    assert (sent.status_code, len(sent.json()["matches"])) == (201, 4)
    warnings = sent.json()["warnings"]
    assert [(one["index"], one["code"]) for one in warnings] == [
        (1, "same_result"),
        (2, "repeated_result"),
        (3, "early_date"),
    ]
    assert "was already entered at" in warnings[0]["message"]


def test_an_impossible_score_is_stored_with_a_warning_that_says_why(
    bot: Caller, club: League
) -> None:
    change_score_rule(mode=club.modes.get(), rule=read_rule("sets 5"), actor=None)
    (mode,) = bot.get("leagues/club/").json()["modes"]
    assert mode["score_rule"] == "sets 5"
    body = [won("Ana", "Bo"), won("Ana", "Cy", external_id="g1"), won("Bo", "Cy")]
    for match, scores in zip(body, ((3, 1), (4, 1), (2, 3)), strict=True):
        for side, score in zip(match["sides"], scores, strict=True):
            side["score"] = score
    sent = bot.send(PATH, {"matches": body})
    assert sent.status_code == 201
    assert sent.json()["warnings"] == [
        {
            "index": 1,
            "code": "impossible_score",
            "message": "4–1 is not possible: a best of 5 ends when a side has 3 sets.",
        },
        {
            "index": 2,
            "code": "contradiction",
            "message": "With 2–3, the other side won.",
        },
    ]
    assert bot.send(PATH, body[1]).json()["warnings"] == []


def test_a_correction_to_an_impossible_score_is_stored_with_a_warning(
    bot: Caller, club: League
) -> None:
    change_score_rule(mode=club.modes.get(), rule=read_rule("sets 5"), actor=None)
    body = won("Ana", "Bo")
    assert bot.send(PATH, body).json()["warnings"] == []
    sides = [side | {"score": score} for side, score in zip(body["sides"], (2, 1), strict=True)]
    at = f"{PATH}autumn/1/"
    (warning,) = bot.send(at, {"version": 1, "sides": sides}, "PATCH").json()["warnings"]
    assert warning == {
        "index": 0,
        "code": "impossible_score",
        "message": "2–1 leaves a best of 5 open: it takes 3 sets to win.",
    }
    others = {"version": 2, "weight": 0.5, "detail": "in the hall"}
    assert bot.send(at, others, "PATCH").json()["warnings"] == []
    assert bot.send(f"{at}void/", {"version": 3}).json()["warnings"] == []


def test_sets_are_sent_read_and_corrected_as_numbers(bot: Caller, club: League) -> None:
    sets = [[6, 4], [6, 7, 5], [10, 8]]
    (match,) = bot.send(PATH, won("Ana", "Bo", sets=sets, detail="in the hall")).json()["matches"]
    assert (match["sets"], match["detail"]) == (sets, "in the hall")
    assert club.matches.get().sets == "6-4 6-7(5) 10-8"
    at = f"{PATH}autumn/1/"
    assert bot.get(at).json()["sets"] == sets
    assert bot.send(at, {"version": 1, "detail": ""}, "PATCH").json()["sets"] == sets
    changed = bot.send(at, {"version": 2, "sets": [[6, 4], [6, 3]]}, "PATCH").json()
    assert (changed["sets"], changed["version"]) == ([[6, 4], [6, 3]], 3)
    assert bot.send(at, {"version": 3, "sets": []}, "PATCH").json()["sets"] == []


@pytest.mark.parametrize(
    "sets",
    [
        *("6-4", [6, 4], [[6]], [[6, 4, 5, 3]], [[6, -1]], [[6, 1000]], [[6, 4.0]], [["6", 4]]),
        *([[6, True]], [[1, 2]] * 51, {"a": [6, 4]}, None, [[999, 999, 999]] * 20),
    ],
)
def test_other_sets_are_refused(bot: Caller, club: League, sets: Any) -> None:
    sent = bot.send(PATH, won("Ana", "Bo", sets=sets))
    assert sent.status_code in (400, 422)
    assert {error["field"].split(".")[0] for error in sent.json()["errors"]} == {"sets"}
    assert not Match.objects.exists()


def test_sets_are_turned_with_their_sides_and_go_where_a_third_comes(
    bot: Caller, club: League
) -> None:
    body = won("Ana", "Bo", sets=[[6, 4], [6, 7, 5], [10, 8]])
    assert bot.send(PATH, body).status_code == 201
    ana, bo = body["sides"]
    at = f"{PATH}autumn/1/"
    turned = bot.send(at, {"version": 1, "sides": [bo, ana], "weight": 0.5}, "PATCH").json()
    assert turned["sets"] == [[4, 6], [7, 6, 5], [8, 10]]
    other = {"rank": 1, "players": [{"name": "Cy"}]}
    changed = {"version": 2, "sides": [bo, other], "create_players": True}
    assert bot.send(at, changed, "PATCH").json()["sets"] == turned["sets"]
    third = {"rank": 3, "players": [{"name": "Dee"}]}
    changed = {"version": 3, "sides": [bo, other, third], "create_players": True}
    assert bot.send(at, changed, "PATCH").json()["sets"] == []


def test_sets_are_those_of_two_sides(bot: Caller, club: League) -> None:
    body = won("Ana", "Bo", sets=[[6, 4]])
    body["sides"].append({"rank": 3, "players": [{"name": "Cy"}]})
    (error,) = bot.send(PATH, body).json()["errors"]
    assert (error["field"], error["code"]) == ("sets", "sets")
    assert error["message"] == "Only a match of two sides can have sets."


def test_too_many_sets_are_refused_with_the_limit(bot: Caller, club: League) -> None:
    (error,) = bot.send(PATH, won("Ana", "Bo", sets=[[11, 9]] * 50)).json()["errors"]
    assert (error["field"], error["code"]) == ("sets", "sets")
    assert error["message"] == (
        "Written like 11-9 8-11 11-6, the sets can have at most 200 characters."
    )
    assert bot.send(PATH, won("Ana", "Bo", sets=[[11, 9]] * 40)).status_code == 201


def test_organizers_enter_results_of_a_season_that_is_closing(club: League) -> None:
    """As in the form; before, the API refused them."""
    organizer, scorer = make_user("organizer"), make_user("scorer")
    join(club, organizer, "organizer")
    join(club, scorer, "scorer")
    club.seasons.update(state="closing")
    assert browser(scorer).send(PATH, won("Ana", "Bo")).status_code == 409
    assert browser(organizer).send(PATH, won("Ana", "Bo")).status_code == 201


def test_players_made_for_a_refused_call_are_not_there(bot: Caller, club: League) -> None:
    body = won("Ana", "Newman", weight=0) | {"create_players": True}
    assert bot.send(PATH, body).status_code == 422
    assert club.players.count() == 3


def test_a_name_that_two_bear_needs_the_key(bot: Caller, club: League) -> None:
    ensure_player(league=club, name="Ana", key="ana-2")
    sent = bot.send(PATH, won("Ana", "Bo"))
    assert (sent.status_code, sent.json()["code"]) == (422, "name_shared")
    body = won("Ana", "Bo")
    body["sides"][0]["players"] = [{"key": "ana-2"}]
    assert bot.send(PATH, body).status_code == 201


def test_b23_an_alias_is_the_player_it_means(bot: Caller, club: League) -> None:
    rename_player(player=club.players.get(key="ana"), name="Anastasia", actor=None)
    sent = bot.send(PATH, won("ANA", "Bo"))
    assert sent.json()["matches"][0]["sides"][0]["players"][0]["name"] == "Anastasia"
    twice = bot.send(PATH, won("Ana", "Anastasia"))
    assert (twice.status_code, twice.json()["code"]) == (422, "player_twice")


def test_b29_players_of_another_league_are_unknown_here(bot: Caller, club: League) -> None:
    ensure_player(league=new_club("other", name="Other"), name="Zoe", key="zoe-1")
    body = won("Ana", "Bo")
    body["sides"][0]["players"] = [{"key": "zoe-1"}]
    assert bot.send(PATH, body).json()["code"] == "unknown_player"


def test_a_newcomer_does_not_become_whoever_has_the_key_of_the_name(
    bot: Caller, club: League
) -> None:
    ensure_player(league=club, name="Somebody Else", key="dee")
    sent = bot.send(PATH, won("Ana", "Dee") | {"create_players": True})
    assert sent.json()["matches"][0]["sides"][1]["players"][0]["key"] == "dee-2"


def test_no_scorer_and_no_token_for_recent_results_backdates(club: League) -> None:
    scorer = make_user("scorer")
    join(club, scorer, "scorer")
    old = (timezone.now() - timedelta(days=40)).isoformat()
    for caller in (program(club, recent_only=True), browser(scorer)):
        sent = caller.send(PATH, {"matches": [won("Ana", "Bo"), won("Ana", "Bo", played_at=old)]})
        assert (sent.status_code, sent.json()["code"]) == (403, "backdated")
        assert [error["index"] for error in sent.json()["errors"]] == [1]
    assert not club.matches.exists()
    organizer = make_user("organizer")
    join(club, organizer, "organizer")
    for caller in (program(club, name="Archive"), browser(organizer)):
        assert caller.send(PATH, won("Ana", "Bo", played_at=old)).status_code == 201


def test_what_was_sent_in_time_may_be_sent_again_when_it_is_old(club: League) -> None:
    bot = program(club, recent_only=True)
    body = won("Ana", "Bo", external_id="g1")
    bot.send(PATH, body)
    with time_machine.travel(timezone.now() + timedelta(days=40)):
        again = bot.send(PATH, {"matches": [body, won("Bo", "Ana", external_id="g2")]})
        late = bot.send(PATH, body | {"external_id": "g3"})
    assert (again.status_code, again.json()["already_there"]) == (201, 1)
    assert (late.status_code, late.json()["code"]) == (403, "backdated")


def test_b36_a_closed_season_takes_nothing(bot: Caller, club: League) -> None:
    club.seasons.update(state="closed")
    sent = bot.send(PATH, won("Ana", "Bo"))
    assert (sent.status_code, sent.json()["code"]) == (409, "season_closed")


def test_season_and_mode_can_be_named(bot: Caller, club: League) -> None:
    for mode in ("blitz", "Blitz"):
        sent = bot.send(PATH, won("Ana", "Bo") | {"season": "autumn", "mode": mode})
        assert sent.status_code == 201
    for name in ("season", "mode"):
        refused = bot.send(PATH, won("Ana", "Bo") | {name: "winter"})
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, name)


def test_a_correction_keeps_the_place_and_what_was_not_sent(bot: Caller, club: League) -> None:
    bot.send(PATH, won("Ana", "Bo", detail="2:1", external_id="g1"))
    at = f"{PATH}autumn/1/"
    sides = [{"rank": 1, "players": [{"key": "bo"}]}, {"rank": 2, "players": [{"key": "ana"}]}]
    changed = bot.send(at, {"version": 1, "sides": sides, "reason": "misread"}, "PATCH").json()
    assert (changed["version"], changed["detail"], changed["seq"]) == (2, "2:1", 1)
    assert (changed["rating"], changed["revision"]) == ("pending", 2)
    assert changed["sides"][0]["players"][0]["key"] == "bo"
    whole = bot.send(at, won("Ana", "Bo") | {"version": 2}, "PUT").json()
    assert (whole["version"], whole["detail"], whole["external_id"]) == (3, "", "g1")
    assert club.matches.get().versions.count() == 2


def test_b44_an_old_version_is_refused_with_the_stored_one(bot: Caller, club: League) -> None:
    bot.send(PATH, won("Ana", "Bo"))
    at = f"{PATH}autumn/1/"
    bot.send(at, {"version": 1, "detail": "first"}, "PATCH")
    refused = bot.send(at, {"version": 1, "detail": "second"}, "PATCH")
    assert (refused.status_code, refused.json()["code"]) == (409, "changed_meanwhile")
    assert (refused.json()["stored"]["version"], refused.json()["stored"]["detail"]) == (2, "first")
    assert bot.send(f"{at}void/", {"version": 1}).status_code == 409


def test_b46_a_correction_that_changes_nothing_leaves_no_trace(bot: Caller, club: League) -> None:
    bot.send(PATH, won("Ana", "Bo", detail="2:1"))
    same = bot.send(f"{PATH}autumn/1/", {"version": 1, "detail": "2:1"}, "PATCH")
    assert (same.status_code, same.json()["revision"], same.json()["version"]) == (200, None, 1)
    assert club.revisions.count() == 1


def test_b45_void_and_restore_twice_change_nothing_more(bot: Caller, club: League) -> None:
    bot.send(PATH, won("Ana", "Bo"))
    said = []
    for word in ("void", "void", "restore", "restore"):
        answer = bot.send(f"{PATH}autumn/1/{word}/", {"reason": word})
        assert answer.status_code == 200
        said.append((answer.json()["status"], answer.json()["revision"]))
    assert said == [("void", 2), ("void", None), ("live", 3), ("live", None)]


def test_a_program_changes_its_own_results_only_and_only_for_a_day(
    bot: Caller, club: League
) -> None:
    record(club, result(club, "Ana", "Bo"))
    bot.send(PATH, won("Ana", "Bo"))
    change = {"version": 1, "detail": "x"}
    assert bot.send(f"{PATH}autumn/1/", change, "PATCH").status_code == 403
    assert bot.send(f"{PATH}autumn/2/", change, "PATCH").status_code == 200
    Match.objects.update(recorded_at=timezone.now() - timedelta(hours=25))
    assert bot.send(f"{PATH}autumn/2/void/", {}).status_code == 403


def test_a_program_does_not_date_its_results_back_by_a_correction(club: League) -> None:
    bot = program(club, recent_only=True)
    bot.send(PATH, won("Ana", "Bo"))
    sent = bot.send(f"{PATH}autumn/1/", {"version": 1, "played_on": "2020-01-01"}, "PATCH")
    assert (sent.status_code, sent.json()["code"]) == (403, "backdated")


def test_a_revision_is_undone_once(club: League) -> None:
    organizer = make_user("organizer")
    join(club, organizer, "organizer")
    caller = browser(organizer)
    caller.send(PATH, {"matches": [won("Ana", "Bo"), won("Bo", "Cy")]})
    undone = caller.send("leagues/club/revisions/autumn/1/undo/", {"reason": "wrong league"})
    assert (undone.status_code, undone.json()["kind"], undone.json()["reverts"]) == (
        201,
        "revert",
        1,
    )
    assert set(club.matches.values_list("status", flat=True)) == {"void"}
    again = caller.send("leagues/club/revisions/autumn/1/undo/", {})
    assert (again.status_code, again.json()["code"]) == (409, "undone")
    assert caller.get("leagues/club/revisions/autumn/1/").json()["reverted_by"] == 2


def test_players_are_made_once(bot: Caller, club: League) -> None:
    path = "leagues/club/players/"
    answers = [
        bot.send(path, body).status_code
        for body in (
            {"name": "Dee"},
            {"name": " dee"},
            {"name": "Dee", "key": "dee-2"},
            {"name": "Dee", "key": "dee-2"},
            {"name": "Eve", "key": "dee-2"},
            {"name": "\u202eeve"},
            {"name": "Eve", "key": "no spaces"},
        )
    ]
    assert answers == [201, 200, 201, 200, 422, 422, 422]
    assert club.players.filter(name="Dee").count() == 2


@pytest.mark.django_db(transaction=True)
def test_i17_a_request_sent_at_once_by_several_is_done_once() -> None:
    cache.clear()
    club = new_club()
    bot = program(club)
    body = {"matches": [won("Ana", "Bo"), won("Bo", "Cy")], "create_players": True}
    barrier = threading.Barrier(4)
    answers: list[int] = []

    def send() -> None:
        try:
            barrier.wait()
            answers.append(
                Caller(headers=bot.headers).send(PATH, body, Idempotency_Key="k").status_code
            )
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 200, 200, 201]
    assert Match.objects.count() == 2 and Player.objects.count() == 3
    assert Revision.objects.count() == RequestKey.objects.count() == 1
