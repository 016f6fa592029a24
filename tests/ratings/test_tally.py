from __future__ import annotations

from dataclasses import fields

from ratings.tally import NEVER_PLAYED, Tally, outcomes, tally
from tests.ratings.logs import duel_log, generated_log, match_log


def test_a_duel_is_won_lost_or_drawn():
    log = duel_log([("a", "b", 1.0), ("a", "b", 0.5)])
    assert outcomes(log).tolist() == [1, -1, 0, 0]


def test_of_several_sides_the_first_alone_wins_and_the_rest_lose():
    log = match_log(
        [
            {"sides": [["a"], ["b"], ["c"]], "ranks": (0, 1, 1)},
            {"sides": [["a"], ["b"], ["c"]], "ranks": (1, 0, 0)},
        ]
    )
    assert outcomes(log).tolist() == [1, -1, -1, 0, 0, -1]


def test_form_holds_the_last_ten_and_a_draw_ends_a_streak():
    scores = [1.0, 0.5, *[1.0] * 9]
    counted = tally(duel_log([("a", "b", score) for score in scores]))
    assert counted.form == ("DWWWWWWWWW", "DLLLLLLLLL")
    assert counted.streak.tolist() == [9, -9]
    assert tally(duel_log([("a", "b", 1.0), ("a", "b", 0.5)])).streak.tolist() == [0, 0]


def test_a_player_without_a_match_has_an_empty_record():
    counted = tally(duel_log([("a", "b", 1.0), ("c", "d", 1.0)]).part(0, 1))
    assert counted.games.tolist() == [1, 1, 0, 0]
    assert counted.form[2:] == ("", "")
    assert counted.last_at.tolist()[2:] == [NEVER_PLAYED] * 2


def test_counting_on_gives_what_counting_at_once_gives():
    log = generated_log(matches=200, players=15)
    counted = None
    for first in range(0, 200, 23):
        counted = tally(log.part(first, min(first + 23, 200)), counted)
    at_once = tally(log)
    for column in (field.name for field in fields(Tally)):
        assert list(getattr(counted, column)) == list(getattr(at_once, column)), column
    assert (at_once.won + at_once.drawn + at_once.lost == at_once.games).all()
