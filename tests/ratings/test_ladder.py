from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings import Side, Unanswerable, create
from ratings.log import EventKind
from tests.ratings.logs import generated_events, generated_log, match_log


def ladder(**settings):
    return create("ladder", settings)


def replayed(system, matches, order="abcdef", events=()):
    """Replay from a ladder on which `order` stand from the top; return the order after."""
    log = match_log(matches, events=events)
    start = np.array(
        [[float(order.index(key) + 1)] if key in order else [math.nan] for key in log.keys]
    )
    final = system.replay(log, start).final[:, 0]
    return "".join(sorted(log.keys, key=lambda key: final[log.keys.index(key)]))


def duel(winner, loser, ranks=(0, 1)):
    return {"sides": [[winner], [loser]], "ranks": ranks}


EVERYBODY = [duel(*pair) for pair in ("ab", "cd", "ef")]


def test_a_winner_from_below_swaps_with_the_loser():
    assert replayed(ladder(), [*EVERYBODY, duel("e", "b")]) == "aecdbf"


def test_a_winner_from_below_is_inserted_at_the_losers_rung():
    assert replayed(ladder(mode="insert"), [*EVERYBODY, duel("e", "b")]) == "aebcdf"


@pytest.mark.parametrize("mode", ["swap", "insert"])
def test_a_winner_from_above_and_a_draw_change_nothing(mode):
    matches = [*EVERYBODY, duel("b", "e"), duel("e", "b", (0, 0))]
    assert replayed(ladder(mode=mode), matches) == "abcdef"


def test_several_players_get_their_own_rungs_by_rank_and_present_rung():
    match = {"sides": [["b"], ["d"], ["f"], ["e"]], "ranks": (2, 1, 0, 1)}
    assert replayed(ladder(), [*EVERYBODY, match]) == "afcdeb"


def test_several_players_are_inserted_above_those_they_beat():
    match = {"sides": [["b"], ["d"], ["f"]], "ranks": (2, 1, 0)}
    assert replayed(ladder(mode="insert"), [*EVERYBODY, match]) == "afdbce"


def test_equals_are_inserted_in_the_order_in_which_they_stood():
    match = {"sides": [["a"], ["b"], ["c"]], "ranks": (0, 0, 1)}
    matches = [match, duel("d", "e", (0, 0))]
    assert replayed(ladder(mode="insert"), matches, order="cdbea") == "bacde"


@pytest.mark.parametrize("mode", ["swap", "insert"])
@given(data=st.data())
def test_names_have_no_part_in_where_anybody_ends(mode, data):
    rungs = dict(zip("abcdef", data.draw(st.permutations(range(1, 7))), strict=True))
    players = data.draw(st.lists(st.sampled_from("abcdef"), min_size=2, unique=True))
    ranks = [data.draw(st.integers(0, 2)) for _ in players]
    names = dict(zip("abcdef", data.draw(st.permutations("abcdef")), strict=True))

    def after(name):
        log = match_log(
            [
                {"sides": [[name[key]] for key in players], "ranks": ranks},
                *(duel(name[key], name[other], (0, 0)) for key, other in ("ab", "cd", "ef")),
            ]
        )
        stood = {name[key]: rung for key, rung in rungs.items()}
        final = ladder(mode=mode).replay(log, np.array([[float(stood[key])] for key in log.keys]))
        return {key: final.final[log.keys.index(name[key]), 0] for key in rungs}

    assert after(names) == after({key: key for key in rungs})


def test_newcomers_join_at_the_bottom_in_order_of_key_and_then_the_match_counts():
    assert replayed(ladder(), [*EVERYBODY, duel("h", "g")]) == "abcdefhg"


def test_events_exchange_pair_by_pair_in_place_of_the_result():
    events = [(3, EventKind.FRAG, "e", "b"), (3, EventKind.FRAG, "e", "a")]
    matches = [*EVERYBODY, {"sides": [["a"], ["b"], ["e"]], "ranks": (0, 1, 2)}]
    assert replayed(ladder(), matches, events=events) == "eacdbf"


def test_those_who_are_passed_are_told():
    log = match_log([*EVERYBODY, duel("e", "b")])
    start = np.array([[rung] for rung in range((1.0).__int__(), 7)], dtype=float)
    replay = ladder(mode="insert").replay(log, start)
    passed = {
        log.keys[who]: rung
        for who, (rung,) in zip(
            replay.indirect_changes.player, replay.indirect_changes.state, strict=True
        )
    }
    assert passed == {"c": 4.0, "d": 5.0}
    assert replay.indirect_changes.match.tolist() == [4, 4]


@pytest.mark.parametrize("mode", ["swap", "insert"])
@pytest.mark.parametrize("log", [generated_events(), generated_log(most_members=1)])
def test_rungs_are_always_one_to_n_and_history_holds_every_change(mode, log):
    replay = ladder(mode=mode).replay(log)
    seen = replay.final[~np.isnan(replay.final)]
    assert sorted(seen) == list(range(1, len(seen) + 1))
    assert replay.board == (len(seen),)
    last = {}
    for match, player, rung in sorted(
        [
            *zip(log.match_of() + 0.5, log.player, replay.after[:, 0], strict=True),
            *zip(
                replay.indirect_changes.match - 0.25,
                replay.indirect_changes.player,
                replay.indirect_changes.state[:, 0],
                strict=True,
            ),
        ],
        key=lambda point: point[0],
    ):
        del match
        last[int(player)] = rung
    assert all(replay.final[player, 0] == rung for player, rung in last.items())


def test_teams_are_refused_with_the_reason():
    log = match_log([duel("a", "b"), {"sides": [["a", "c"], ["b"]], "ranks": (0, 1)}])
    assert ladder().refusals(log) == [(1, "a ladder rates single players, not teams")]


def test_challenges_out_of_range_and_rematches_too_soon_are_refused_with_the_reason():
    system = ladder(challenge_range=2, rematch_days=7)
    assert "3 rungs up; the limit is 2" in system.challenge_refusal((7.0,), (4.0,))
    assert "upwards" in system.challenge_refusal((3.0,), (4.0,))
    assert system.challenge_refusal((6.0,), (4.0,)) is None
    assert "7 days" in system.rematch_refusal(6)
    assert system.rematch_refusal(7) is None


def test_a_penalty_lets_those_passed_move_up():
    states = np.array([[1.0], [2.0], [3.0], [4.0]])
    assert ladder(penalty=2).penalised(states, 1)[:, 0].tolist() == [1.0, 4.0, 2.0, 3.0]
    assert ladder(penalty=9).penalised(states, 2)[:, 0].tolist() == [1.0, 2.0, 4.0, 3.0]


@pytest.mark.parametrize(("mode", "loser"), [("swap", 7.0), ("insert", 4.0)])
def test_a_preview_says_which_rungs_change(mode, loser):
    sides = [Side(((7.0,),), ("x",)), Side(((3.0,),), ("a",))]
    win, draw, loss = ladder(mode=mode).preview(sides, at=0)
    assert win.states == (((3.0,),), ((loser,),))
    assert draw.states == loss.states == (((7.0,),), ((3.0,),))


def test_a_newcomer_is_expected_below_everybody_and_two_of_them_by_key():
    newcomer = (math.nan,)
    third = Side(((3.0,),), ("m",))
    sides = [Side((newcomer,), ("z",)), third, Side((newcomer,), ("a",))]
    assert ladder().predict(sides[:2], at=0).expected == (0.0, 1.0)
    assert ladder().predict(sides, at=0).expected == (0.0, 1.0, 0.5)


def test_a_ladder_knows_an_order_and_no_probabilities():
    sides = [Side(((7.0,),), ("x",)), Side(((3.0,),), ("a",))]
    assert ladder().predict(sides, at=0).expected == (0.0, 1.0)
    assert ladder().predict(sides, at=0).win is None
    with pytest.raises(Unanswerable):
        ladder().quality(sides, at=0)
