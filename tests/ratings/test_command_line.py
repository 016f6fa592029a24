from __future__ import annotations

import json
import os
import subprocess

import pytest

from ratings.__main__ import main
from tests.installed import PYTHON


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "results.csv"
    rows = [
        f"2024-01-{1 + n % 28:02},{'Ann' if n % 3 else 'Bob'},{'Bob' if n % 3 else 'Ann'}"
        for n in range(60)
    ]
    path.write_text("date,winner,loser\n" + "\n".join(rows) + "\n")
    return path


def test_the_command_line_evaluates_a_file(results, capsys):
    assert (
        main(
            [
                "evaluate",
                str(results),
                "--system",
                "elo",
                "--set",
                "k=24",
                "policy=constant",
                "--json",
            ]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert set(told) >= {
        "matches", "log_loss", "brier", "accuracy", "prediction_error",
        "prediction_error_strict", "calibration", "matches_per_second", "parameters",
    }  # fmt: skip
    assert told["matches"] == 60 and told["parameters"]["k"] == 24


def test_the_command_line_fits_and_says_what_was_held_out(results, capsys):
    assert (
        main(
            [
                "fit",
                str(results),
                "--system",
                "elo",
                "--over",
                "k",
                "--before",
                "2024-01-20",
                "--json",
            ]
        )
        == 0
    )
    told = json.loads(capsys.readouterr().out)
    assert told["fitted_on"] + told["held_out"] == 60


def test_the_command_line_refuses_in_words(results, capsys):
    assert main(["evaluate", str(results), "--system", "elo", "--set", "k=-1"]) == 2
    assert "k: must be over 0" in capsys.readouterr().err
    assert main(["evaluate", str(results), "--system", "static"]) == 2
    assert main(["evaluate", str(results), "--preset", "herbrich2006", "--system", "glicko2"]) == 2
    assert main(["evaluate", str(results.with_name("none.csv"))]) == 2


def test_the_command_line_simulates(tmp_path, capsys):
    picture = tmp_path / "cloud.svg"
    arguments = ["simulate", "--system", "elo", "--players", "10", "--rounds", "3", "--json"]
    assert main([*arguments, "--svg", str(picture)]) == 0
    assert len(json.loads(capsys.readouterr().out)["rounds"]) == 3
    assert picture.read_text().startswith("<svg")


@pytest.fixture
def draws(tmp_path):
    path = tmp_path / "draws.csv"
    rows = [f"2024-01-{1 + n:02},Ann,Bob,2,2" for n in range(20)]
    path.write_text("date,player 1,player 2,score 1,score 2\n" + "\n".join(rows) + "\n")
    return path


REFUSED = [
    # command, what is said
    ("evaluate FILE --system elo --set k=-1", "k: must be over 0"),
    ("evaluate FILE --system elo --set k=nan", "k: must be a number"),
    ("evaluate FILE --system elo --set k", "k: must have the form NAME=VALUE"),
    ("evaluate FILE --system elo --set nonsense=1", "nonsense: there is no such parameter"),
    ("evaluate FILE --system static", "cannot predict them"),
    ("evaluate FILE --system glicko2 --preset herbrich2006", "has no parameters for glicko2"),
    ("evaluate FILE --system elo --score-from 2030-01-01", "no decided matches to evaluate"),
    ("evaluate FILE --system elo --zone Nowhere/Land", "Nowhere/Land"),
    ("evaluate none.csv --system elo", "none.csv"),
    ("evaluate . --system elo", "directory"),
    ("evaluate DRAWS --system ladder", "no decided matches to evaluate"),
    ("fit FILE --system elo --over nonsense", "nonsense: there is no such parameter"),
    ("fit FILE --system elo --over curve", "curve: is not a number, so it cannot be fitted"),
    ("fit FILE --system elo --over k,", "over: there is no such parameter"),
    ("fit FILE --system elo --over k,k", "k: is listed twice"),
    ("fit FILE --system elo --over floor", "floor: has no value"),
    ("fit FILE --system elo --before 1999-01-01", "none of the 0 matches to fit to"),
    ("fit DRAWS --system elo", "none of the 13 matches to fit to had a winner"),
    ("fit FILE --system ladder", "over: Ladder has no parameters to fit"),
    ("fit FILE --system static", "over: Static has no parameters to fit"),
    ("fit FILE --system ladder --over penalty", "gives no probabilities"),
    ("simulate --players 1", "players: must be at least 2"),
    ("simulate --players 0 --svg x.svg", "players: must be at least 2"),
    ("simulate --players -3", "players: must be at least 2"),
    ("simulate --rounds 0", "rounds: must be at least 1"),
    ("simulate --rounds -1", "rounds: must be at least 1"),
    ("simulate --draws 1", "draws: must be at least 0 and under 1"),
    ("simulate --draws 1.5", "draws: must be at least 0 and under 1"),
    ("simulate --draws nan", "draws: must be at least 0 and under 1"),
    ("simulate --skew 1e9", "skew: must be from -5 to 5"),
    ("simulate --skew nan", "skew: must be from -5 to 5"),
    ("simulate --system static", "does not rate match by match"),
    ("simulate --system ladder --pairing quality", "cannot say how even"),
    ("simulate --svg nowhere/x.svg --players 4 --rounds 1", "nowhere/x.svg"),
]


@pytest.mark.parametrize(("command", "words"), REFUSED)
def test_what_makes_no_sense_is_refused_in_words(
    command, words, results, draws, capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    places = {"FILE": str(results), "DRAWS": str(draws)}
    assert main([places.get(word, word) for word in command.split()]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines()[-1].startswith("ratings: ") and words in told.err


def test_a_system_that_finds_no_answer_is_reported_in_words(results, capsys):
    bounds = ["tau=1e300", "sigma=1e300"]
    assert main(["evaluate", str(results), "--system", "trueskill", "--set", *bounds]) == 2
    assert capsys.readouterr().err.startswith("ratings: ")


def test_what_there_is_nothing_to_say_of_is_a_dash_or_null(draws, results, capsys):
    assert main(["evaluate", str(draws), "--system", "elo"]) == 0
    assert "log_loss: –" in capsys.readouterr().out
    assert main(["evaluate", str(results), "--system", "ladder", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["log_loss"] is None and told["calibration"] == []
    assert 0.0 < told["prediction_error"] < 1.0


def test_the_parameters_of_the_table_of_tennis_can_be_fitted(results, capsys):
    over = ["--preset", "glickman", "--over", "deviation,volatility,match_periods"]
    assert main(["fit", str(results), "--system", "glicko2", *over, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["log_loss_after"] <= told["log_loss_before"]


def test_a_reader_who_has_seen_enough_is_no_error():
    reading, writing = os.pipe()
    os.close(reading)
    command = [PYTHON, "-m", "ratings", "parameters", "elo"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
