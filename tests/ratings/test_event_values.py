"""A value for each kind of event on boards of zero-sum, static strengths and ladders."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pytest import approx

from ratings import create
from ratings.log import EventKind
from ratings.own_words import MAX_TEXT, MAX_WORDS, write_values
from tests.ratings.logs import every_kind_of_event, generated_events, match_log, same_bits

FRAG, CAPTURE, SUICIDE, TEAM_KILL, DAMAGE, ASSIST, FLAG_TAKEN, FLAG_RETURNED, OWN = EventKind
VALUES = {
    **{"damage": 0.5, "assist": 0.25, "capture": 7.0},
    **{"flag_taken": 2.0, "flag_returned": 1.0, "own": 3.0},
}
NO_VALUES = dict.fromkeys(VALUES, 0.0)
EVERYONE = {"least_events": 0, "least_opponents": 0}
TEAMS = {"sides": [["a", "b"], ["c", "d"]], "ranks": (0, 1)}


@pytest.mark.parametrize("log", [every_kind_of_event(), generated_events()])
@pytest.mark.parametrize("name", ["zerosum", "static"])
def test_without_values_frags_alone_count_as_they_always_did(name, log):
    given = EVERYONE if name == "static" else {}
    rated = create(name, given).replay(log)
    assert same_bits(rated.final, create(name, {**given, **NO_VALUES}).replay(log).final)
    kinds = np.where(log.event_kind == FRAG, FRAG, TEAM_KILL)
    frags = type(log)(
        **{name: getattr(log, name) for name in log.__slots__} | {"event_kind": kinds}
    )
    if name == "zerosum":
        assert same_bits(rated.final, create(name, given).replay(frags).final)


@pytest.mark.parametrize(
    "settings", [VALUES, {"frag": 0.0, "damage": 3.0}, {**VALUES, "decay": 0.1}]
)
def test_whatever_has_a_value_the_sum_over_a_zero_sum_board_is_kept(settings):
    final = create("zerosum", settings).replay(every_kind_of_event()).final[:, 0]
    assert abs(math.fsum(final)) <= 1e-9 * len(final)
    assert len(set(final.tolist())) == len(final)


def test_the_opposing_players_pay_for_a_capture_by_how_much_they_played():
    system = create("zerosum", {"frag_gain": 0.1, "capture": 6.0})
    match = {"sides": [["a", "b"], ["c", ("d", 0.5)]], "ranks": (0, 1)}
    log = match_log([match], events=[(0, CAPTURE, "a", None)])
    before = [(0.0,), (0.5,), (0.3,), (0.6,)]
    moved = 0.6 / (1 + math.exp(-0.4))
    after = [state[0] for state in system.rate(log, before).states]
    assert after == approx([moved, 0.5, 0.3 - moved * 2 / 3, 0.6 - moved / 3])


def test_an_anchor_pays_nothing_for_a_capture_and_the_mean_follows():
    system = create("zerosum", {"anchors": True, "frag_gain": 0.1, "capture": 1.0})
    log = match_log([TEAMS], events=[(0, CAPTURE, "a", None)])
    start = np.full((4, 2), np.nan)
    start[3] = system.anchor(0.0)
    replay = system.replay(log, start)
    assert replay.final[:, 0] == approx([0.05, 0.0, -0.025, 0.0])
    assert replay.board[0] == approx(0.025 / 3)


@pytest.mark.parametrize("name", ["zerosum", "static", "becker"])
def test_a_match_in_which_nothing_has_a_value_counts_by_its_result(name):
    given = EVERYONE if name == "static" else {}
    silent = create(name, given).replay(match_log([TEAMS]))
    for kind, target in ((DAMAGE, "c"), (ASSIST, "c"), (FLAG_TAKEN, None)):
        log = match_log([TEAMS], events=[(0, kind, "a", target)])
        assert same_bits(create(name, given).replay(log).final, silent.final)
        assert not create(name, given).rates_event(kind, has_target=target is not None)


def test_a_static_board_counts_each_event_by_its_value():
    events = [
        *((0, kind, "a", "c") for kind in (FRAG, DAMAGE, ASSIST)),
        (0, CAPTURE, "d", None),
        (0, SUICIDE, "b", None),
        (0, TEAM_KILL, "a", "b"),
    ]
    found = create("static", {**EVERYONE, **VALUES}).encounters(match_log([TEAMS], events=events))
    won = found.won.toarray()
    assert won.tolist() == [[0, 0, 1.75, 0], [0] * 4, [0] * 4, [3.5, 3.5, 0, 0]]
    assert found.suicides.tolist() == [0, 1, 0, 0]


def test_without_a_value_for_frags_damage_alone_counts():
    log = match_log([TEAMS], events=[(0, FRAG, "a", "c"), (0, DAMAGE, "c", "a")])
    static = create("static", {**EVERYONE, "frag": 0.0, "damage": 1.0})
    assert static.encounters(log).won.toarray().sum() == 1.0
    after = create("zerosum", {"frag": 0.0, "damage": 1.0}).replay(log).final[:, 0]
    assert after == approx([-0.015, 0.0, 0.015, 0.0])


@pytest.mark.parametrize(
    ("chosen", "rungs"),
    [
        ({}, [1, 2, 3]),
        ({"damage": True}, [2, 1, 3]),
        ({"assist": True}, [3, 2, 1]),
        ({"damage": True, "assist": True}, [2, 3, 1]),
        ({"damage": True, "frag": False}, [2, 1, 3]),
    ],
)
def test_on_a_ladder_a_kind_of_event_is_a_win_or_nothing(chosen, rungs):
    match = {"sides": [["a"], ["b"], ["c"]], "ranks": (0, 1, 2)}
    events = [(0, FRAG, "a", "b"), (0, DAMAGE, "b", "a"), (0, ASSIST, "c", "b")]
    if "assist" in chosen and "damage" not in chosen:
        events[2] = (0, ASSIST, "c", "a")
    final = create("ladder", chosen).replay(match_log([match], events=events)).final
    assert final[:, 0].tolist() == rungs
    assert create("ladder", chosen).rates_event(DAMAGE, has_target=True) == ("damage" in chosen)


@pytest.mark.parametrize("name", ["zerosum", "static"])
def test_a_value_has_its_limits(name):
    for value, reason in ((-1, "at least 0"), (101, "at most 100"), (math.inf, "finite")):
        with pytest.raises(ValueError, match=reason):
            create(name, {"damage": value})


@pytest.mark.parametrize("name", ["zerosum", "becker"])
def test_an_event_of_a_games_own_kind_is_a_frag_of_its_value_or_a_capture(name):
    own = create(name, {"own": 2.0})
    for target, other in (("c", FRAG), (None, CAPTURE)):
        log, same = (match_log([TEAMS], events=[(0, kind, "a", target)]) for kind in (OWN, other))
        field = "frag" if other == FRAG else "capture"
        assert same_bits(own.replay(log).final, create(name, {field: 2.0}).replay(same).final)


WORDED = [(0, "goal", "a", None), (0, "steal", "c", "a"), (0, "tag", "b", "d"), (0, FRAG, "d", "a")]


@pytest.mark.parametrize("engine", ["plain", "compiled"])
@pytest.mark.parametrize("name", ["zerosum", "becker", "static"])
def test_each_word_of_the_game_has_a_value_of_its_own(name, engine):
    given = EVERYONE if name == "static" else {}
    system = create(name, {**given, "own": 0.5, "own_words": "goal 7, steal 0"})
    log = match_log([TEAMS], events=WORDED)
    kinds = [CAPTURE, TEAM_KILL, DAMAGE, FRAG]
    if name == "becker":
        kinds[1] = ASSIST
    same = match_log(
        [TEAMS],
        events=[(0, kind, *who) for kind, (_, _, *who) in zip(kinds, WORDED, strict=True)],
    )
    other = create(name, {**given, "capture": 7.0, "damage": 0.5})
    assert same_bits(system.replay(log, engine=engine).final, other.replay(same).final)
    assert [system.event_value(OWN, word) for word in ("goal", "steal", "tag")] == [7.0, 0.0, 0.5]
    assert system.rates_event(OWN, has_target=False, word="goal")
    assert not system.rates_event(OWN, has_target=True, word="steal")


@pytest.mark.parametrize("name", ["zerosum", "becker", "static"])
def test_words_without_a_value_count_as_all_own_kinds_do(name):
    given = {**(EVERYONE if name == "static" else {}), "own": 2.0}
    kinds = [(0, OWN if isinstance(kind, str) else kind, *who) for _, kind, *who in WORDED]
    worded, plain = (match_log([TEAMS], events=events) for events in (WORDED, kinds))
    system = create(name, given)
    assert same_bits(system.replay(worded).final, system.replay(plain).final)
    listed = create(name, {**given, "own_words": "throw 5"})
    assert same_bits(listed.replay(worded).final, system.replay(plain).final)


def test_a_match_whose_words_all_count_for_nothing_counts_by_its_result():
    system = create("zerosum", {"own": 1.0, "own_words": "goal 0"})
    log = match_log([TEAMS], events=[(0, "goal", "a", None)])
    assert same_bits(system.replay(log).final, system.replay(match_log([TEAMS])).final)


def test_parts_of_a_log_keep_the_meaning_of_words():
    matches = [TEAMS, {**TEAMS, "ranks": (1, 0)}, TEAMS]
    events = [(0, "tag", "a", "c"), (1, "goal", "a", None), (2, "steal", "c", "a")]
    system = create("becker", {"own_words": "goal 7, steal 2"})
    log = match_log(matches, events=events)
    whole = system.replay(log)
    first = system.replay(log.part(0, 2))
    rest = system.replay(log.part(2, 3), start=first.final, board=first.board)
    assert same_bits(rest.final, whole.final)
    assert log.match(1).own_words == ("goal", "steal", "tag")
    kept, _ = log.without([0])
    assert (
        system.replay(kept).final.tolist()
        == system.replay(
            match_log(matches[1:], events=[(n - 1, *event) for n, *event in events[1:]])
        ).final.tolist()
    )


def test_on_a_ladder_a_word_is_a_win_or_nothing():
    match = {"sides": [["a"], ["b"], ["c"]], "ranks": (0, 1, 2)}
    log = match_log([match], events=[(0, "steal", "b", "a"), (0, "tag", "c", "a")])
    rungs = {"": [1, 2, 3], "steal 1": [2, 1, 3], "tag 1": [3, 2, 1], "steal 1, tag 1": [3, 1, 2]}
    for own_words, expected in rungs.items():
        final = create("ladder", {"own_words": own_words}).replay(log).final
        assert final[:, 0].tolist() == expected, own_words
    final = create("ladder", {"own": True, "own_words": "tag 0"}).replay(log).final
    assert final[:, 0].tolist() == [2, 1, 3]
    with pytest.raises(ValueError, match="1 for a win, or 0 for none"):
        create("ladder", {"own_words": "steal 0.5"})


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("", ""),
        ("steal 0.50; goal=7", "goal 7, steal 0.5"),
        ("own:goal: 7\n steal   .5,", "goal 7, steal 0.5"),
        ("goal\t7\r\nsteal\t0.5", "goal 7, steal 0.5"),
        ("tag 0.00001", "tag 0.00001"),
        ("tag 0", "tag 0"),
    ],
)
def test_a_list_of_values_is_stored_in_one_way(typed, stored):
    system = create("becker", {"own_words": typed})
    assert system.parameters.own_words == stored
    assert create("becker", {"own_words": stored}).parameters == system.parameters


def test_the_longest_list_can_be_read_as_it_is_stored():
    typed = ",".join(f"{number:028d} .{number:017d}" for number in range(MAX_WORDS))
    system = create("becker", {"own_words": typed})
    stored = system.parameters.own_words
    assert len(typed) < len(stored)
    assert create("becker", {"own_words": stored}).parameters == system.parameters
    longest = {"x" * 26 + f"{number:02d}": 123456789012345.0 + 1 / 64 for number in range(50)}
    assert len(write_values(longest)) < MAX_TEXT


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("goal", "such as goal 7, steal 0.5"),
        ("Goal 7", "such as goal 7, steal 0.5"),
        ("goal 0,5", "such as goal 7, steal 0.5"),
        ("goal 1, own:goal 2", "two values for goal"),
        ("goal 101", "give goal a value of at least 0, at most 100"),
        (", ".join(f"w{number} 1" for number in range(51)), "at most 50 words"),
        ("x" * 4_001, "at most 4000 characters"),
        (7, "words with their values"),
    ],
)
def test_what_is_no_list_of_values_is_refused(typed, reason):
    with pytest.raises(ValueError, match=reason):
        create("zerosum", {"own_words": typed})
