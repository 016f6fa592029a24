from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest

from ratings import ParameterError, create
from ratings.registry import list_systems
from ratings.simulation import PAIRINGS, Population, cloud_svg, simulate
from ratings.system import Reach, Unanswerable

RATING = [info.name for info in list_systems() if info.reach is not Reach.BATCH]


@pytest.mark.parametrize("name", RATING)
def test_ratings_approach_the_truth(name):
    population = Population.drawn(40, seed=3)
    course = simulate(create(name), population, rounds=40, seed=4)
    first, last = course.rounds[0], course.rounds[-1]
    assert last.correlation > max(first.correlation, 0.5)
    assert last.mean_squared_error < first.mean_squared_error
    assert last.rank_error < first.rank_error


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_a_seed_gives_the_same_course_again(pairing):
    population = Population.drawn(21, seed=1, skew=0.5)
    one, other = (
        simulate(create("elo"), population, rounds=4, pairing=pairing, draws=0.3, seed=9)
        for _ in range(2)
    )
    assert one == other


def test_a_skew_draws_out_the_upper_tail():
    skills = Population.drawn(2000, seed=1, skew=0.8).skills
    mean, middle = sum(skills) / len(skills), sorted(skills)[1000]
    assert mean > middle + 50


def test_the_cloud_is_a_picture_of_every_player():
    course = simulate(create("elo"), Population.drawn(12, seed=1), rounds=2)
    picture = ElementTree.fromstring(cloud_svg(course))  # noqa: S314
    assert len(picture.findall(".//{*}circle")) == 12


def test_a_batch_system_is_refused():
    with pytest.raises(Unanswerable):
        simulate(create("static"), Population.drawn(4), rounds=1)


def test_the_shown_values_of_every_round_end_in_the_cloud():
    course = simulate(create("elo"), Population.drawn(10, seed=1), rounds=4)
    assert len(course.shown) == len(course.rounds) == 4
    assert course.shown[-1] == tuple(value for _skill, value in course.cloud)
    assert course.shown[0] != course.shown[-1]


def test_who_has_not_played_yet_stands_below_those_on_the_ladder():
    course = simulate(create("ladder"), Population.drawn(5, seed=1), rounds=2)
    assert sorted(course.shown[0]) == [-5.0, -4.0, -3.0, -2.0, -1.0]


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        ({"players": 1}, "players: must be at least 2"),
        ({"players": -3}, "players: must be at least 2"),
        ({"players": 9, "skew": 1e9}, "skew: must be from -5 to 5"),
        ({"players": 9, "skew": math.nan}, "skew: must be"),
        ({"players": 9, "spread": 0.0}, "spread: must be over 0"),
        ({"players": 9, "spread": math.inf}, "spread: must be over 0"),
    ],
)
def test_a_population_that_makes_no_sense_is_refused_in_words(drawn, words):
    with pytest.raises(ParameterError, match=words):
        Population.drawn(**drawn)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rounds": 0}, "rounds: must be at least 1"),
        ({"rounds": 2, "draws": 1.0}, "draws: must be at least 0 and under 1"),
        ({"rounds": 2, "draws": math.nan}, "draws: must be"),
        ({"rounds": 2, "pairing": "odd"}, "pairing: must be one of random, nearest, quality"),
    ],
)
def test_a_simulation_that_makes_no_sense_is_refused_in_words(arguments, words):
    with pytest.raises(ParameterError, match=words):
        simulate(create("elo"), Population.drawn(4), **arguments)


@pytest.mark.parametrize("skew", [-5.0, 5.0])
@pytest.mark.parametrize("name", RATING)
def test_the_longest_tails_leave_every_figure_finite(name, skew):
    population = Population.drawn(60, seed=2, skew=skew)
    course = simulate(create(name), population, rounds=3, draws=0.999)
    for measured in course.rounds:
        assert math.isfinite(measured.mean_squared_error)
        assert -1.0 <= measured.correlation <= 1.0
