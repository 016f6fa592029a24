from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree

import pytest

from ratings import create
from ratings.__main__ import main
from ratings.registry import systems
from ratings.simulation import PAIRINGS, Population, cloud_svg, simulate
from ratings.system import Reach, Unanswerable

RATING = [info.name for info in systems() if info.reach is not Reach.BATCH]


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


def test_the_command_line_simulates(tmp_path, capsys):
    picture = tmp_path / "cloud.svg"
    arguments = ["simulate", "--system", "elo", "--players", "10", "--rounds", "3", "--json"]
    assert main([*arguments, "--svg", str(picture)]) == 0
    assert len(json.loads(capsys.readouterr().out)["rounds"]) == 3
    assert picture.read_text().startswith("<svg")


def test_the_shown_values_of_every_round_end_in_the_cloud():
    course = simulate(create("elo"), Population.drawn(10, seed=1), rounds=4)
    assert len(course.shown) == len(course.rounds) == 4
    assert course.shown[-1] == tuple(value for _skill, value in course.cloud)
    assert course.shown[0] != course.shown[-1]
