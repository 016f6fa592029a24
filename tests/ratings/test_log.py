from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ratings.arranging import MOST_COMPARED, order_by, sorted_keys_of
from ratings.log import DAY, EventKind, Events, MatchLog
from tests.ratings.logs import generated_log, match_log, same_bits


def test_sides_stand_by_rank_and_members_by_key():
    log = match_log([{"sides": [["d", "b"], ["a", "e"], ["c"]], "ranks": (1, 1, 0)}])
    names = [log.keys[index] for index in log.player]
    assert names == ["c", "a", "e", "b", "d"]
    assert log.rank.tolist() == [0, 1, 1]
    assert log.member_start.tolist() == [0, 1, 3, 5]


@given(st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(source: random.Random):
    log = generated_log(matches=12)
    rows = list(range(len(log.player)))
    source.shuffle(rows)
    labels = [side * 37 - 500 for side in range(len(log.rank))]
    source.shuffle(labels)
    side = log.side_of()[rows]
    shuffled, order = MatchLog.build(
        keys=log.keys,
        at=log.at,
        day=log.day,
        weight=log.weight,
        match=log.match_of()[rows],
        side=[labels[index] for index in side.tolist()],
        rank=log.rank[side],
        score=log.score[side],
        handicap=log.handicap[side],
        player=log.player[rows],
        share=log.share[rows],
        birth_year=log.birth_year,
    )
    for one, other in zip(log.columns(), shuffled.columns(), strict=True):
        assert same_bits(one, other)
    assert np.array(rows)[order].tolist() == list(range(len(rows)))


@given(st.lists(st.text("\0ab\x7fé", max_size=3), unique=True, max_size=6), st.booleans())
@example(["1", "10"], False)
@example(["a\0b", "c"], False)
@example(["\0", "\1"], False)
def test_keys_of_any_letters_and_widths_are_put_in_their_order(keys: list[str], is_sorted: bool):
    given_keys = sorted(keys) if is_sorted else keys
    ascending, position = sorted_keys_of(given_keys)
    assert list(ascending) == sorted(keys)
    assert (position is None) == (given_keys == sorted(keys))
    assert position is None or [ascending[place] for place in position] == given_keys


def test_keys_in_any_order_are_sorted_and_players_follow():
    log, order = MatchLog.build(
        keys=["zoe", "amy", "kim"],
        at=[0],
        match=[0, 0, 0],
        side=[7, 7, 3],
        rank=[0, 0, 1],
        player=[0, 2, 1],
        birth_year=[1990, 1980, 1970],
    )
    assert log.keys == ("amy", "kim", "zoe")
    assert [log.keys[index] for index in log.player] == ["kim", "zoe", "amy"]
    assert log.birth_year.tolist() == [1980, 1970, 1990]
    assert order.tolist() == [1, 0, 2]


def test_two_equal_keys_are_refused():
    with pytest.raises(ValueError, match="occurs twice"):
        MatchLog.build(keys=["a", "a"], at=[], match=[], side=[], rank=[], player=[])


def test_a_match_of_one_side_is_refused():
    with pytest.raises(ValueError, match="two sides"):
        MatchLog.build(
            keys=["a", "b"], at=[0], match=[0, 0], side=[1, 1], rank=[0, 0], player=[0, 1]
        )


def test_values_too_wide_for_one_key_are_sorted_all_the_same():
    wide = 1 << 62
    log, _ = MatchLog.build(
        keys=["a", "b", "c"],
        at=[0, 1],
        match=[1, 0, 1, 0],
        side=[wide, -wide, -wide, wide],
        rank=[0, 1, 0, 0],
        player=[2, 0, 1, 1],
    )
    assert log.player.tolist() == [1, 0, 1, 2]


@pytest.mark.parametrize("sides", [2, 5, MOST_COMPARED, MOST_COMPARED + 1])
def test_whoever_takes_part_twice_is_named_however_wide_the_match(sides: int):
    rows = {
        "keys": [f"p{number:03d}" for number in range(2 * sides)],
        "at": [0, 0],
        "match": [0] * sides + [1] * sides,
        "side": list(range(sides)) * 2,
        "rank": list(range(sides)) * 2,
    }
    players = list(range(2 * sides))
    MatchLog.build(**rows, player=players)
    players[-1] = players[sides]
    with pytest.raises(ValueError, match=rf"^match 1 of the log: 'p{sides:03d}' takes part twice"):
        MatchLog.build(**rows, player=players)


def test_an_empty_log_is_a_log():
    log, order = MatchLog.build(keys=["a"], at=[], match=[], side=[], rank=[], player=[])
    assert len(log) == 0 and len(order) == 0 and log.side_start.tolist() == [0]


def test_days_are_those_of_utc_unless_given():
    log = match_log([{"at": -1, "day": -1, "sides": [["a"], ["b"]], "ranks": (0, 1)}])
    assert log.day.tolist() == [-1]
    built, _ = MatchLog.build(
        keys=["a", "b"], at=[-1, DAY], match=[0, 0, 1, 1], side=[0, 1, 0, 1], rank=[0, 1, 0, 1],
        player=[0, 1, 0, 1],
    )  # fmt: skip
    assert built.day.tolist() == [-1, 1]


def test_leaving_matches_out_keeps_the_others_as_they_are():
    log = generated_log(matches=20)
    kept, indices = log.without([0, 7, 19])
    assert indices.tolist() == [i for i in range(20) if i not in (0, 7, 19)]
    for new, old in enumerate(indices.tolist()):
        one, other = kept.match(new), log.match(old)
        assert one.keys == other.keys
        assert all(same_bits(a, b) for a, b in zip(one.columns(), other.columns(), strict=True))


def test_events_follow_their_match_and_their_players():
    log, _ = MatchLog.build(
        keys=["zoe", "amy"],
        at=[0, 1],
        match=[0, 0, 1, 1],
        side=[0, 1, 0, 1],
        rank=[0, 1, 0, 1],
        player=[0, 1, 0, 1],
        events=Events(
            match=[0, 1, 1],
            kind=[EventKind.FRAG, EventKind.SUICIDE, EventKind.CAPTURE],
            actor=[0, 1, 0],
            target=[1, -1, -1],
        ),
    )
    assert log.event_start.tolist() == [0, 1, 3]
    assert log.event_actor.tolist() == [1, 0, 1]
    assert log.event_target.tolist() == [0, -1, -1]
    second = log.match(1)
    assert second.event_kind.tolist() == [EventKind.SUICIDE, EventKind.CAPTURE]
    assert second.event_value.tolist() == [1.0, 1.0]


DUEL = {"keys": ["a", "b", "c"], "at": [0, 1], "match": [0, 0, 1, 1], "side": [0, 1, 0, 1]}
DUEL |= {"rank": [0, 1, 0, 1], "player": [0, 1, 1, 2]}
FRAG = {"match": [1], "kind": [EventKind.FRAG], "actor": [1], "target": [2]}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"weight": [1.0, float("nan")]}, "match 1 of the log: nan is not a valid weight"),
        ({"weight": [1.0, -5.0]}, "match 1 of the log: -5.0 is not a valid weight"),
        ({"weight": [0.0, 1.0]}, "match 0 of the log: 0.0 is not a valid weight"),
        ({"weight": [1.0, 10.5]}, "at most 10"),
        ({"share": [1.0, 1.0, 7.0, 1.0]}, "match 1 of the log: 7.0 is not a valid share"),
        ({"share": [1.0, 0.0, 1.0, 1.0]}, "match 0 of the log: 0.0 is not a valid share"),
        ({"share": [5e-324, 1.0, 1.0, 1.0]}, "match 0 of the log: 5e-324 is not a valid share"),
        ({"score": [1.0, 0.0, float("inf"), 0.0]}, "match 1 of the log: inf is not a valid score"),
        (
            {"handicap": [0.0, 0.0, float("nan"), 0.0]},
            "match 1 of the log: nan is not a valid hand",
        ),
        ({"rank": [0, 0.2, 0, 1]}, "0.2 is not a whole number"),
        ({"rank": [0, float("nan"), 0, 1]}, "nan is not a whole number"),
        ({"at": [1, 0]}, "match 1 of the log is earlier"),
        ({"player": [0, 1, 2, 2]}, "match 1 of the log: 'c' takes part twice"),
        ({"player": [0, 1, 1, 3]}, "who does not exist"),
        ({"events": FRAG | {"kind": [9]}}, "match 1 of the log: 9 is not a valid kind"),
        ({"events": FRAG | {"actor": [-1]}}, "match 1 of the log: -1 is not a valid actor"),
        ({"events": FRAG | {"actor": [3]}}, "match 1 of the log: 3 is not a valid actor"),
        ({"events": FRAG | {"target": [-2]}}, "match 1 of the log: -2 is not a valid target"),
        ({"events": FRAG | {"actor": [0]}}, "match 1 of the log: the actor of an event does not"),
        ({"events": FRAG | {"target": [0]}}, "match 1 of the log: the target of an event does not"),
        (
            {"events": FRAG | {"value": [float("nan")]}},
            "match 1 of the log: nan is not a valid value",
        ),
        ({"events": FRAG | {"value": [-1.0]}}, "match 1 of the log: -1.0 is not a valid value"),
    ],
    ids=lambda value: value if isinstance(value, str) else next(iter(value)),
)
def test_what_no_log_can_hold_is_refused_with_the_match(changed, reason):
    columns = DUEL | changed
    if "events" in changed:
        columns["events"] = Events(**changed["events"])
    with pytest.raises(ValueError, match=reason):
        MatchLog.build(**columns)


def test_scores_that_are_not_known_and_events_on_nobody_are_no_problem():
    events = Events(match=[1], kind=[EventKind.SUICIDE], actor=[2], target=[-1], value=[0.5])
    log, _ = MatchLog.build(**DUEL, score=[float("nan")] * 4, events=events)
    assert np.isnan(log.score).all()
    assert log.event_actor.tolist() == [2]


@given(st.data())
def test_rows_are_ordered_alike_whether_matches_are_equally_wide_or_not(data):
    width = data.draw(st.sampled_from([0, 1, 2, 3, 8, MOST_COMPARED + 1]))
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    first = data.draw(st.integers(-3, 3))
    major = first + np.repeat(np.arange(len(sizes)), width or sizes)
    numbers = st.integers(0, data.draw(st.sampled_from([2, 1 << 40])))
    middle, minor = (
        np.array(data.draw(st.lists(numbers, min_size=len(major), max_size=len(major))))
        for _ in range(2)
    )
    order = order_by(major, middle, minor)
    expected = np.lexsort((minor, middle, major))
    if order is None:
        order = np.arange(len(major))
    assert order.tolist() == expected.tolist()
