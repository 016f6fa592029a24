"""Started matches that were left: who left loses to the numbers of the start, nobody else moves."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from pytest import approx

from ratings import MatchLog, create
from ratings.engine import numba_is_installed
from ratings.evaluation import predictions_of
from ratings.log import DAY, Forfeit
from ratings.system import Reach
from ratings.tally import tally
from tests.ratings.logs import same_bits
from tests.ratings.test_engines import BOARDS, board_name

RATED = [board for board in BOARDS if create(*board).forfeit_refusal is None]
REFUSED = [board for board in BOARDS if create(*board).forfeit_refusal is not None]

every_system = pytest.mark.parametrize("board", RATED, ids=board_name)


def log_of(*rows, weight=None):
    """Build a log of rows (at, sides, ranks), or (at, leavers, Forfeit by keys)."""
    keys = sorted({key for row in rows for side in row[1] for key in side} | _started(rows))
    number = {key: index for index, key in enumerate(keys)}
    columns = {name: [] for name in ("match", "side", "rank", "player")}
    forfeits = {}
    for match, (_at, sides, ranks) in enumerate(rows):
        if isinstance(ranks, Forfeit):
            one, other = (tuple(number[key] for key in side) for side in ranks.sides)
            forfeits[match] = replace(ranks, sides=(one, other))
        for side, members in enumerate(sides):
            for key in members:
                columns["match"].append(match)
                columns["side"].append(side)
                columns["rank"].append(1 if match in forfeits else ranks[side])
                columns["player"].append(number[key])
    at = [row[0] for row in rows]
    return MatchLog.build(keys=keys, at=at, forfeits=forfeits, weight=weight, **columns)[0]


def _started(rows):
    named = [row[2] for row in rows if isinstance(row[2], Forfeit)]
    return {key for forfeit in named for side in forfeit.sides for key in side}


def started(at, one, other, rungs=0, handicaps=(0.0, 0.0)):
    return Forfeit(at=at, day=at // DAY, sides=(one, other), rungs=rungs, handicaps=handicaps)


def duel(at, one, other):
    return (at, [one, other], (0, 1))


def generated(seed, teams=2, matches=60):
    """Build a log in which every fourth match was started some matches ago, and left."""
    source = random.Random(seed)
    people = [f"player-{index}" for index in range(9)]
    at, rows = 0, []
    for _ in range(matches):
        at += source.choice((0, 3_600_000_000, DAY, 30 * DAY))
        size = source.randint(1, teams)
        drawn = source.sample(people, 2 * size)
        sides = [drawn[:size], drawn[size:]]
        if source.random() < 0.25:
            begun = at - source.choice((0, 3_600_000_000, 2 * DAY, 40 * DAY))
            leavers = source.sample(drawn, source.randint(1, len(drawn)))
            handicaps = (source.choice((0.0, 0.5)), source.choice((0.0, -0.25)))
            forfeit = started(begun, *sides, source.randint(0, 3), handicaps)
            rows.append((at, [leavers], forfeit))
        else:
            rows.append((at, sides, source.choice([(0, 1), (0, 0)])))
    return log_of(*rows)


def teams_of(system):
    return 1 if system.teams_refusal else 2


def states_by_key(replay):
    return dict(zip(replay.log.keys, replay.final.tolist(), strict=True))


def test_a_loss_is_to_the_opponent_of_the_start_and_moves_nobody_else():
    """Elo by hand: K 20 (constant), 1500 each.

    A beats B: 1510 and 1490. A and C (1500) start; then B beats C, who falls under 1500 + 10. A
    leaves: E = 1/(1 + 10^((1500 - 1510)/400)) = 0.514388, and A loses 20 E = 10.2877.
    """
    system = create("elo", {"policy": "constant", "k": 20})
    log = log_of(
        duel(0, "a", "b"),
        duel(2, "b", "c"),
        (3, ["a"], started(1, ("a",), ("c",))),
    )
    after = states_by_key(system.replay(log))
    without = states_by_key(system.replay(log.part(0, 2)))
    assert after["a"][0] == approx(1510.0 - 10.287744, abs=1e-6)
    assert after["b"] == without["b"]
    assert after["c"] == without["c"] != [1500.0]


def test_the_example_of_inversus_by_hand():
    """S3: two new players (0, 2.015, 0.06) start, and one lets the time limit pass.

    g = 1/sqrt(1 + 3 * 2.015^2 / pi^2) = 0.669026, E = 1/2, 1/v = g^2/4 = 0.111899, so with the
    volatility all but unchanged phi* = sqrt(2.015^2 + 0.06^2) = 2.015893, phi' =
    1/sqrt(1/phi*^2 + 1/v) = 1.671380 and mu' = -phi'^2 g/2 = -0.934465.
    """
    system = create("glicko2")
    log = log_of((DAY // 2, ["a"], started(0, ("a",), ("b",))))
    replay = system.replay(log)
    mean, deviation, volatility, last_at = states_by_key(replay)["a"]
    reduction = 1.0 / math.sqrt(1.0 + 3.0 * 2.015**2 / math.pi**2)
    spread = 1.0 / math.sqrt(1.0 / (2.015**2 + volatility**2) + reduction**2 / 4.0)
    assert reduction == approx(0.669026, abs=1e-6)
    assert deviation == approx(spread) == approx(1.671380, abs=1e-4)
    assert mean == approx(-(spread**2) * reduction / 2.0) == approx(-0.934465, abs=1e-4)
    assert last_at == DAY // 2
    assert np.isnan(states_by_key(replay)["b"]).all()


def test_what_was_agreed_at_the_start_is_part_of_what_is_lost():
    """By hand: K 20, equals, 64 points for A: E = 1/(1 + 10^(-64/400)) = 0.591076 is expected of
    A, who loses 20 E = 11.82151; of C 1 - E, so 8.17849.
    """
    system = create("elo", {"policy": "constant", "k": 20})
    forfeit = started(1, ("a",), ("c",), handicaps=(64.0, 0.0))
    after = states_by_key(system.replay(log_of((3, [["a", "c"]], forfeit))))
    assert after["a"][0] == approx(1500.0 - 11.82151, abs=1e-4)
    assert after["c"][0] == approx(1500.0 - 8.17849, abs=1e-4)


def test_a_start_with_a_handicap_beyond_the_bounds_is_refused():
    system = create("trueskill")
    most = system.max_handicap
    for handicap, refused in ((most, []), (most * 1.001, [0])):
        forfeit = started(0, ("a",), ("b",), handicaps=(0.0, handicap))
        log = log_of((1, [["a"]], forfeit))
        assert [match for match, _reason in system.refusals(log)] == refused


def test_what_is_lost_is_taken_from_the_mean_of_a_zero_sum_board():
    system = create("zerosum", {"max_gain": 0.2})
    replay = system.replay(log_of(duel(0, "a", "b"), (2, ["b"], started(1, ("a",), ("b",)))))
    pq = {key: state[0] for key, state in states_by_key(replay).items()}
    lost = 0.2 / (1.0 + math.exp(0.2))
    assert pq == {"a": 0.1, "b": approx(-0.1 - lost)}
    assert replay.board[:2] == (approx(-lost / 2.0), 2.0)
    newcomer = system.replay(log_of(duel(3, "c", "d")), board=replay.board)
    assert math.fsum(state[0] for state in newcomer.final.tolist()) == approx(-lost)


@pytest.mark.parametrize(("rungs", "order"), [(0, "abcd"), (1, "acbd"), (2, "acdb"), (9, "acdb")])
def test_who_leaves_falls_on_a_ladder_and_those_passed_move_up(rungs, order):
    ladder = create("ladder")
    log = log_of(
        duel(0, "a", "b"),
        duel(0, "c", "d"),
        (2, ["b"], started(1, ("b",), ("a",), rungs=rungs)),
    )
    replay = ladder.replay(log)
    rungs_by_key = {key: state[0] for key, state in states_by_key(replay).items()}
    assert "".join(sorted(rungs_by_key, key=rungs_by_key.__getitem__)) == order
    moved = [log.keys[who] for who in replay.indirect_changes.player.tolist()]
    assert moved == ["c", "d"][: min(rungs, 2)]
    assert set(replay.indirect_changes.match.tolist()) <= {3}


def test_who_was_never_on_the_ladder_joins_it_at_its_end():
    replay = create("ladder").replay(
        log_of(duel(0, "a", "b"), (2, ["c"], started(1, ("a",), ("c",), rungs=1)))
    )
    assert states_by_key(replay) == {"a": [1.0], "b": [2.0], "c": [3.0]}
    assert replay.board == (3.0,)


@every_system
def test_in_parts_a_log_with_forfeits_gives_the_same_bits(board):
    system = create(*board)
    log = generated(3, teams_of(system))
    whole = system.replay(log, engine="plain")
    for size in (1, 7):
        state, shared, known, after = None, None, {}, []
        for first in range(0, len(log), size):
            part = system.replay(
                log.part(first, min(first + size, len(log)), known),
                state,
                engine="plain",
                board=shared,
            )
            known |= {first + match: stood for match, stood in part.stand_ins.items()}
            after.append(part.after)
            state, shared = part.final, part.board
        assert same_bits(np.concatenate(after), whole.after)
        assert same_bits(state, whole.final)
        assert shared == whole.board


@every_system
@pytest.mark.skipif(not numba_is_installed(), reason="needs Numba")
def test_compiled_a_log_with_forfeits_gives_the_same_bits(board):
    system = create(*board)
    log = generated(4, teams_of(system))
    plain, fast = (system.replay(log, engine=engine) for engine in ("plain", "compiled"))
    assert same_bits(plain.after, fast.after)
    assert same_bits(plain.final, fast.final)
    assert plain.board == fast.board
    assert same_bits(plain.indirect_changes.state, fast.indirect_changes.state)
    assert plain.indirect_changes.match.tolist() == fast.indirect_changes.match.tolist()


@every_system
def test_only_those_who_left_are_moved(board):
    system = create(*board)
    log = generated(5, teams_of(system))
    replay = system.replay(log)
    for match in log.lost():
        before = system.replay(log.part(0, match))
        through = system.replay(log.part(0, match + 1))
        moved = {
            who
            for who in range(len(log.keys))
            if not np.array_equal(before.final[who], through.final[who], equal_nan=True)
        }
        passed = through.indirect_changes.player.tolist()
        assert moved <= {*log.forfeits[match].leavers, *passed}
        if system.reach is Reach.PARTICIPANTS:
            assert not passed
    assert replay.stand_ins.keys() == log.forfeits.keys()


@pytest.mark.parametrize("board", REFUSED, ids=board_name)
def test_systems_without_a_one_sided_loss_refuse_the_match_with_the_reason(board):
    system = create(*board)
    log = generated(6, 1)
    assert dict(system.refusals(log)) == dict.fromkeys(log.lost(), system.forfeit_refusal)
    rest, kept = log.without(log.lost())
    assert not rest.forfeits
    assert len(system.replay(rest).after) == len(rest.player)
    assert len(kept) == len(log) - len(log.lost())


def test_a_ladder_refuses_teams_who_left_too():
    log = log_of((1, ["ab"], started(0, ("a", "b"), ("c", "d"))))
    assert [match for match, _reason in create("ladder").refusals(log)] == [0]
    log = log_of((1, [["a"]], started(0, ("a",), ("c",))))
    assert create("ladder").refusals(log) == []


def test_a_forfeit_counts_as_a_loss_and_is_no_prediction():
    log = log_of(duel(0, "a", "b"), (2, ["a"], started(1, ("a",), ("b",))))
    counts = tally(log)
    assert counts.games.tolist() == [2, 1]
    assert counts.lost.tolist() == [1, 1]
    assert counts.form == ("WL", "L")
    system = create("elo")
    assert predictions_of(system, system.replay(log)).match.tolist() == [0]


def test_a_start_before_the_beginning_stays_there_when_matches_are_left_out():
    log = log_of(
        duel(0, "a", "b"),
        duel(1, "a", "b"),
        duel(2, "c", "d"),
        (3, ["a"], started(0, ("a",), ("b",))),
    )
    rest, _kept = log.part(1, 4).without([1])
    assert rest.forfeits[1].place < 0
    with pytest.raises(ValueError, match="begins after the start of match 1"):
        create("elo").replay(rest)


def test_other_matches_may_be_left_out_around_a_forfeit():
    log = log_of(
        duel(0, "a", "b"),
        duel(1, "c", "d"),
        (3, ["a"], started(2, ("a",), ("b",))),
        duel(4, "c", "d"),
    )
    rest, _kept = log.without([1])
    assert rest.lost() == [1]
    assert rest.forfeits[1].place == 1
    small, _present = rest.part(0, 2).compact()
    assert small.keys == ("a", "b")
    assert small.forfeits[1].sides == ((0,), (1,))
    system = create("elo")
    assert same_bits(system.replay(small).final, system.replay(log).final[:2])


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([(0, ["a"], started(1, ("a",), ("b",)))], "before it is started"),
        ([(1, ["c"], started(0, ("a",), ("b",)))], "did not start"),
        ([(1, ["a"], started(0, ("a",), ()))], "two sides"),
        ([(1, ["a", "b"], started(0, ("a",), ("b",)))], "one side"),
        ([(1, ["a"], started(0, ("a",), ("b",), handicaps=(math.nan, 0.0)))], "handicap"),
        ([(1, ["a"], started(0, ("a",), ("b",), handicaps=(0.0, 1e9)))], "handicap"),
        ([(1, ["a"], (0,))], "at least two sides"),
    ],
)
def test_forfeits_that_cannot_be_are_refused(rows, reason):
    with pytest.raises(ValueError, match=reason):
        log_of(*rows)


def test_a_part_without_the_start_needs_the_numbers_of_the_start():
    log = log_of(duel(1, "a", "b"), (2, ["a"], started(0, ("a",), ("b",))))
    with pytest.raises(ValueError, match="after the start"):
        create("elo").replay(log.part(1, 2))
