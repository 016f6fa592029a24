"""The matches of start.gg events, as JSON."""

from __future__ import annotations

import json

import pytest

from ratings.files.problems import FileProblem
from ratings.files.scores import NOT_FINISHED, read_rank
from tests.ratings.files.reading import opened, read, told

SET = {"winner_id": 7, "loser_id": 9, "winner_score": 3, "loser_score": 1, "state": 3}


def event(*matches: object) -> str:
    return json.dumps({"data": list(matches), "version": "1.0"})


def test_a_match_has_the_ids_of_its_players_and_its_games() -> None:
    (good,), bad = read(event(SET | {"dq": False, "details": [{"game_id": 1}]}))
    assert (told(good), good.sides[0].players[0].key, bad) == ("7 1 (3) / 9 2 (1)", "7", [])


@pytest.mark.parametrize("more", [{"dq": True}, {"loser_score": -1}])
def test_a_disqualification_is_a_walkover_without_a_score(more: dict[str, object]) -> None:
    (_played, good), bad = read(event(SET, SET | more))
    assert (good.kind, told(good), bad) == ("walkover", "7 1 / 9 2", [])


@pytest.mark.parametrize("more", [{"cancel": True}, {"state": 1}])
def test_a_match_that_was_not_played_is_a_bad_row(more: dict[str, object]) -> None:
    (_good,), (bad,) = read(event(SET, SET | more))
    assert (bad.line, bad.reason) == (3, "This match has not been played.")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (event(SET)[:-20], "damaged or cut off"),
        (event(SET)[:-1] + ', "data": 7}', "no list of matches"),
        (event(SET)[:-1] + ', "x": ' + "[" * 20_000, "damaged or cut off"),
        (event(SET, 7), "This is not a match."),
        (event({"placement": 1, "user_id": 7}), "the final placings of an event"),
        (event({"seed_num": 1, "user_id": 7}), "the seeding of an event"),
        ('{"event_id": 7}', "describes an event"),
        ('[{"match": {}}]', "Only the results of a season and the matches of a start.gg"),
    ],
)
def test_other_and_damaged_files_are_refused(text: str, words: str) -> None:
    with pytest.raises(FileProblem, match=words):
        list(opened(text).rows)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[Event "Rapid"]\n', "chess games"),
        ("012 Club open\n042 2026/01/05\n", "report of FIDE"),
        ("; TC[x]\n; CL[y]\n", "Go tournament"),
    ],
)
def test_tournament_files_that_are_not_read_say_what_they_are(text: str, words: str) -> None:
    with pytest.raises(FileProblem, match=words):
        opened(text)


def test_who_did_not_finish_is_behind_everybody() -> None:
    rows = "g,p,rank\n1,Ana,2\n1,Bo,1\n1,Cy,DNF\n1,Di,dnf\n"
    (good,), bad = read(rows.replace("g,p", "game_id,player"))
    assert (told(good), bad) == ("Ana 2 / Bo 1 / Cy 3 / Di 3", [])
    assert read_rank("DSQ") == NOT_FINISHED
    _none, (missing,) = read("game_id,player,rank\n1,Ana,1\n1,Bo,DNS\n")
    assert missing.reason == "This player did not start; remove the row."


@pytest.mark.parametrize(("won", "lost"), [("Sieg", "Niederlage"), ("gagné", "perdu")])
def test_won_and_lost_may_be_words_of_other_languages(won: str, lost: str) -> None:
    (first, second), bad = read(f"player,opponent,result\nAna,Bo,{won}\nAna,Cy,{lost}\n")
    assert (told(first), told(second), bad) == ("Ana 1 / Bo 2", "Ana 2 / Cy 1", [])
