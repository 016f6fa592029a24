from __future__ import annotations

import json
from itertools import combinations

import pytest
from pytest import approx

from ratings import Elo, ParameterError, Side
from ratings.curves import elo_expected
from ratings.log import DAY
from ratings.system import Level
from ratings.systems.elo import k_factor, year_of
from tests.ratings.logs import GOLDEN, duel_log, match_log

BASIC = json.loads((GOLDEN / "elo_basic.json").read_text())
FIDE = json.loads((GOLDEN / "elo_fide.json").read_text())

NEVER_SEEN = None


def cases(vectors, kind):
    return [case for case in vectors["cases"] if case["kind"] == kind]


def rated(elo, one, other, score):
    match = duel_log([("one", "other", score)])
    games = (0.0,) * (len(elo.columns) - 1)
    states = {"one": (one, *games), "other": (other, *games)}
    after = elo.rate(match, [states[key] for key in match.keys]).states
    return {key: state[0] for key, state in zip(match.keys, after, strict=True)}


@pytest.mark.parametrize("case", cases(BASIC, "1v1"))
def test_one_match_agrees_with_the_vector(case):
    given = case["in"]
    after = rated(Elo(policy="constant", k=given["k"]), given["a"], given["b"], given["score"])
    assert after["one"] == approx(case["out"]["a"], abs=case["tol"])
    assert after["other"] == approx(case["out"]["b"], abs=case["tol"])


@pytest.mark.parametrize("case", cases(BASIC, "tournament"))
def test_a_tournament_agrees_with_the_worked_example(case):
    """Wikipedia's example: every change is from the rating before the tournament."""
    given, tolerance = case["in"], case["tol"]
    elo = Elo(policy="constant", k=given["k"])
    expected = [elo.expected(given["rating"] - opponent) for opponent in given["opponents"]]
    assert expected == approx(case["out"]["expected"], abs=tolerance["expected"])
    moved = sum(
        rated(elo, given["rating"], opponent, score)["one"] - given["rating"]
        for opponent, score in zip(given["opponents"], map(float, given["scores"]), strict=True)
    )
    assert given["rating"] + moved == approx(case["out"]["new"], abs=tolerance["new"])


@pytest.mark.parametrize("case", cases(BASIC, "multi"))
def test_several_sides_agree_pair_by_pair(case):
    """The vector rounds every pair's change and sums them; ours is the mean of the pairs."""
    given = case["in"]
    ratings, places = given["ratings"], given["places"]
    elo = Elo(policy="constant", k=given["k"])
    summed = list(ratings)
    for one, other in combinations(range(len(ratings)), 2):
        score = 0.5 if places[one] == places[other] else float(places[one] < places[other])
        after = rated(elo, ratings[one], ratings[other], score)
        summed[one] += round(after["one"] - ratings[one])
        summed[other] += round(after["other"] - ratings[other])
    assert summed == case["out"]["ratings"]


@pytest.mark.parametrize("case", cases(FIDE, "expected"))
def test_the_fide_curve_is_the_printed_table(case):
    difference = case["in"]["diff_own_minus_opp"]
    assert Elo(curve="fide").expected(difference) == approx(case["out"]["p"], abs=case["tol"])


def test_the_fide_curve_agrees_with_every_line_of_the_table():
    for low, high, expected in FIDE["table_expected_for_higher_rated"]:
        for difference in (low, high if high is not None else 5000):
            assert elo_expected(difference, 2) == approx(expected, abs=1e-12)
            assert elo_expected(-difference, 2) == approx(1 - expected, abs=1e-12)


@pytest.mark.parametrize("case", cases(FIDE, "k"))
def test_fides_k_agrees_with_the_vector(case):
    given = case["in"]
    k = k_factor(
        2,
        0.0,
        0,
        0.0,
        float(given["rating"]),
        float(given["games"]),
        given["ever_2400"],
        given["age"] <= 18,
    )
    assert k == case["out"]["k"]


def test_having_reached_2400_lowers_k_for_good():
    elo = Elo(policy="fide", start=2395.0)
    results = [("one", f"other-{index:02}", 1.0) for index in range(31)]
    replay = elo.replay(duel_log(results))
    assert replay.final[replay.log.player[0], 1] == 1.0
    fallen = (2300.0, 1.0, 40.0)
    match = duel_log([("one", "other", 1.0)])
    after = elo.rate(match, [fallen, (2300.0, 0.0, 40.0)]).states
    assert after[0][0] - 2300.0 == approx(5.0)
    assert after[1][0] - 2300.0 == approx(-10.0)


def test_the_junior_k_ends_with_the_year_of_the_eighteenth_birthday():
    elo = Elo(policy="fide")
    last_day = 20_453  # 2025-12-31
    for day, k in ((last_day, 40.0), (last_day + 1, 20.0)):
        match = match_log(
            [{"at": day * DAY, "sides": [["junior"], ["other"]], "ranks": (0, 1)}],
            {"junior": 2007},
        )
        after = elo.rate(match, [(1500.0, 0.0, 50.0)] * 2).states
        assert after[0][0] == approx(1500.0 + k / 2)
        assert after[1][0] == approx(1490.0)


@pytest.mark.parametrize(
    ("day", "year"), [(0, 1970), (-1, 1969), (20_453, 2025), (20_454, 2026), (-62_091, 1800)]
)
def test_the_year_of_a_day_is_gregorian(day, year):
    assert year_of(day) == year


def test_the_first_matches_have_their_own_k():
    elo = Elo(k0=40, games=1, k=20)
    replay = elo.replay(duel_log([("one", "other", 0.5), ("one", "third", 1.0)]))
    assert replay.final[0].tolist() == approx([1510.0, 2.0])
    assert replay.final[2].tolist() == approx([1480.0, 1.0])


def test_the_gaussian_curve_is_the_normal_distribution_of_the_difference():
    assert Elo(curve="gaussian").expected(200.0 * 2**0.5) == approx(0.8413447460685429, abs=1e-12)


def test_a_difference_over_400_counts_as_400():
    assert rated(Elo(policy="constant", k=10, cap_400=True), 2000.0, 1000.0, 1.0)[
        "one"
    ] - 2000.0 == approx(10 * (1 - 10 / 11))


def test_the_400_point_rule_spares_ratings_from_2650_on_since_october_2025():
    elo = Elo(policy="constant", k=10, cap_400=True)
    for day, gain in ((20_361, 10 / 11), (20_362, 10 / (1 + 10**2.5))):
        match = match_log([{"at": day * DAY, "sides": [["one"], ["other"]], "ranks": (0, 1)}])
        after = elo.rate(match, [(2700.0,), (1700.0,)]).states
        assert after[0][0] - 2700.0 == approx(gain, abs=1e-9)
        assert after[1][0] - 1700.0 == approx(-10 / 11, abs=1e-9)


def test_no_rating_falls_below_the_floor():
    after = rated(Elo(floor=1490.0), 1500.0, 1500.0, 0.0)
    assert after == {"one": 1490.0, "other": 1520.0}


def test_sides_are_compared_by_the_mean_of_their_members():
    elo = Elo(policy="constant", k=20)
    match = match_log([{"sides": [["a", "b"], ["c"]], "ranks": (0, 1)}])
    after = elo.rate(match, [(1400.0,), (1600.0,), (1500.0,)]).states
    assert [state[0] for state in after] == approx([1410.0, 1610.0, 1490.0])


def test_a_side_that_duels_takes_the_mean_over_its_opponents():
    elo = Elo(policy="constant", k=20, teams="duel")
    match = match_log([{"sides": [["a"], ["b", "c"]], "ranks": (0, 1)}])
    after = elo.rate(match, [(1500.0,), (1300.0,), (1700.0,)]).states
    gains = [1 - elo.expected(200.0), 1 - elo.expected(-200.0)]
    assert after[0][0] - 1500.0 == approx(20 * sum(gains) / 2)
    assert after[1][0] - 1300.0 == approx(-20 * gains[0])


def test_handicap_and_size_shift_the_strength_of_a_side():
    elo = Elo(policy="constant", k=20, size_advantage=50.0)
    match = match_log([{"sides": [["a", "b"], ["c"]], "ranks": (0, 1), "handicaps": (-50.0, 0.0)}])
    assert elo.rate(match, [None, None, None]).states[0][0] == approx(1510.0)


def test_weight_and_share_multiply_the_change():
    elo = Elo(policy="constant", k=20)
    match = match_log([{"sides": [[("a", 0.5)], ["b"]], "ranks": (0, 1), "weight": 3.0}])
    after = elo.rate(match, [NEVER_SEEN, NEVER_SEEN]).states
    assert [state[0] for state in after] == approx([1515.0, 1470.0])


def test_a_prediction_of_two_sides_is_the_expectation():
    side = Side(((1700.0, 30.0),), ("one",))
    prediction = Elo().predict([side, Side(((1500.0, 30.0),), ("other",))], at=0)
    assert prediction.expected == approx((Elo().expected(200.0), Elo().expected(-200.0)))
    assert prediction.win == prediction.expected[0]


def test_a_prediction_of_several_sides_is_plackett_and_luces():
    ratings = {"a": 1600.0, "b": 1500.0, "c": 1350.0}
    sides = [Side(((rating, 30.0),), (key,)) for key, rating in ratings.items()]
    worth = [10 ** (rating / 400) for rating in ratings.values()]
    assert Elo().predict(sides, at=0).first == approx([w / sum(worth) for w in worth], abs=1e-12)


def test_a_preview_holds_every_outcome_of_a_duel_and_is_what_rating_gives():
    one, other = Side(((1600.0, 3.0),), ("one",)), Side((Elo().new_player(),), ("other",))
    previews = {seen.ranks: seen.states for seen in Elo().preview([one, other], at=0)}
    for score, ranks in ((1.0, (0, 1)), (0.5, (0, 0)), (0.0, (1, 0))):
        match = duel_log([("one", "other", score)], at=0)
        assert previews[ranks] == tuple(
            (state,) for state in Elo().rate(match, [(1600.0, 3.0), None]).states
        )


def test_a_preview_of_several_sides_holds_every_place_of_each():
    sides = [Side(((1500.0 + 50 * n, 9.0),), (key,)) for n, key in enumerate("abc")]
    previews = Elo().preview(sides, at=0)
    assert {(seen.side, seen.place) for seen in previews} == {
        (side, place) for side in range(3) for place in range(3)
    }
    assert next(s.ranks for s in previews if (s.side, s.place) == (0, 0)) == (0, 2, 1)


def test_quality_is_highest_between_equals():
    equal = [Side(((1500.0, 1.0),), (key,)) for key in "ab"]
    assert Elo().quality(equal, at=0) == 1.0
    assert Elo().quality([equal[0], Side(((1900.0, 1.0),), ("b",))], at=0) == approx(40 / 121)


def test_confidence_comes_with_matches():
    elo = Elo()
    levels = [elo.confidence(elo.new_player(), games).level for games in (9, 10, 29, 30)]
    assert levels == [Level.UNSURE, Level.FAIRLY_SURE, Level.FAIRLY_SURE, Level.SURE]


def test_a_rating_shows_as_a_whole_number_without_an_interval():
    shown = Elo().display((1512.4, 3.0))
    assert (shown.value, shown.decimals, shown.low, shown.high) == (1512.4, 0, None, None)


def test_a_floor_above_the_start_is_refused():
    with pytest.raises(ParameterError, match="must not be higher than the start"):
        Elo(floor=1600)
