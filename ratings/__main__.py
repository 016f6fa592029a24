"""Evaluate, fit and simulate rating systems from the command line: `python -m ratings --help`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from ratings.evaluation import evaluate
from ratings.files.problems import FileProblem
from ratings.fitting import fit
from ratings.loading import load
from ratings.log import MatchLog
from ratings.parameter_table import parameter_table
from ratings.parameters import ParameterError
from ratings.registry import create, info, list_systems
from ratings.simulation import PAIRINGS, Population, cloud_svg, simulate
from ratings.system import System, Unanswerable

PRESETS: dict[str, dict[str, dict[str, object]]] = {
    "herbrich2006": {
        "elo": {"policy": "constant", "k": 24, "teams": "duel", "curve": "gaussian"},
        "trueskill": {},
    },
    "glickman": {"glicko2": {"preset": "glickman"}},
    "inversus": {"glicko2": {"preset": "inversus"}},
}
"""Parameters of published evaluations. `herbrich2006` takes TrueSkill's draw rate from the data."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 0, or 2 where the input was refused."""
    options = _parser().parse_args(arguments)
    if options.run is None:
        _print(parameter_table(options.system))
        return 0
    try:
        words: dict[str, Any] = options.run(options)
    except (FileProblem, ParameterError, Unanswerable, ArithmeticError, OSError) as problem:
        print(f"ratings: {problem}", file=sys.stderr)
        return 2
    _print(json.dumps(words, indent=2, allow_nan=False) if options.json else _plain(words))
    return 0


def _print(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # Who reads has seen enough; what is left to flush at the end has to go somewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ratings", description=__doc__)
    commands = parser.add_subparsers(required=True)

    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--system", default="glicko2", choices=[s.name for s in list_systems()])
    shared.add_argument("--preset", choices=sorted(PRESETS))
    shared.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE", action="extend")
    shared.add_argument("--json", action="store_true", help="print JSON")

    of_file = argparse.ArgumentParser(add_help=False)
    of_file.add_argument("file", type=Path)
    of_file.add_argument("--dates", choices=["dmy", "mdy"], help="how to read ambiguous dates")
    of_file.add_argument("--zone", default="UTC", help="time zone of the file's times")

    command = commands.add_parser(
        "evaluate", parents=[shared, of_file], help="predict each match before it is rated"
    )
    command.add_argument("--score-from", type=date.fromisoformat, metavar="DATE")
    command.set_defaults(run=_evaluate)

    command = commands.add_parser(
        "fit", parents=[shared, of_file], help="fit parameters to the earlier matches"
    )
    command.add_argument("--over", help="names of the parameters, separated by commas")
    command.add_argument("--before", type=date.fromisoformat, metavar="DATE")
    command.set_defaults(run=_fit)

    command = commands.add_parser(
        "simulate", parents=[shared], help="simulate players whose true skills are known"
    )
    command.add_argument("--players", type=int, default=100)
    command.add_argument("--rounds", type=int, default=50)
    command.add_argument("--pairing", choices=PAIRINGS, default="random")
    command.add_argument("--skew", type=float, default=0.0, help="0 for normal skills")
    command.add_argument(
        "--draws",
        type=float,
        default=0.0,
        help="share of matches between equals that end in a draw",
    )
    command.add_argument("--seed", type=int, default=0)
    command.add_argument(
        "--svg", type=Path, help="write the scatter plot of skills and ratings to this file"
    )
    command.set_defaults(run=_simulate)

    command = commands.add_parser("parameters", help="print a system's parameters as a table")
    command.add_argument("system", choices=[s.name for s in list_systems()])
    command.set_defaults(run=None)
    return parser


def _settings(options: argparse.Namespace, log: MatchLog | None = None) -> dict[str, object]:
    settings: dict[str, object] = {}
    if options.preset:
        of_system = PRESETS[options.preset].get(options.system)
        if of_system is None:
            raise ParameterError(
                [
                    (
                        "preset",
                        options.preset,
                        f"{options.preset} has no parameters for {options.system}",
                    )
                ]
            )
        settings |= of_system
        if options.preset == "herbrich2006" and options.system == "trueskill" and log is not None:
            settings["draw_probability"] = _draw_rate(log)
    for assignment in options.set:
        name, equals, value = assignment.partition("=")
        if not equals:
            raise ParameterError([(name, assignment, "must have the form NAME=VALUE")])
        settings[name] = value
    return settings


def _draw_rate(log: MatchLog) -> float:
    first = log.side_start[:-1]
    return float(np.mean(log.rank[first] == log.rank[first + 1]))


def _loaded(options: argparse.Namespace) -> MatchLog:
    loaded = load(options.file, zone=options.zone, dates=options.dates, today=date.today())
    if loaded.bad:
        print(f"ratings: skipped {len(loaded.bad)} rows that cannot be read", file=sys.stderr)
    return loaded.log


def _rateable(system: System, log: MatchLog) -> MatchLog:
    refused = system.refusals(log)
    if refused:
        print(
            f"ratings: skipped {len(refused)} matches that cannot be rated: {refused[0][1]}",
            file=sys.stderr,
        )
    return log.without([match for match, _ in refused])[0]


def _position(log: MatchLog, day: date | None) -> int | None:
    """Return the position of the first match from that day on."""
    if day is None:
        return None
    return int(np.searchsorted(log.day, (day - date(1970, 1, 1)).days))


def _evaluate(options: argparse.Namespace) -> dict[str, Any]:
    log = _loaded(options)
    system = create(options.system, _settings(options, log))
    log = _rateable(system, log)
    found = evaluate(system, log, score_from=_position(log, options.score_from) or 0)
    if found.accuracy is None and found.log_loss_3 is None:
        raise Unanswerable("there are no decided matches to evaluate")
    # Timed last, when whatever is compiled has been.
    began = time.perf_counter()
    system.replay(log)
    seconds = time.perf_counter() - began
    return asdict(found) | {
        "matches_per_second": round(len(log) / seconds) if seconds else 0,
        "parameters": {"system": system.name} | asdict(system.parameters),  # type: ignore[call-overload]
    }


def _fit(options: argparse.Namespace) -> dict[str, Any]:
    log = _loaded(options)
    settings = _settings(options, log)
    log = _rateable(create(options.system, settings), log)
    over = options.over.split(",") if options.over else info(options.system).fitted
    found = fit(
        options.system,
        log,
        over=over,
        parameters=settings,
        first_held_out=_position(log, options.before),
    )
    return {
        "parameters": {"system": options.system} | dict(found.parameters),
        "fitted_on": found.fitted_on,
        "log_loss_before": found.log_loss_before,
        "log_loss_after": found.log_loss_after,
        "held_out": found.held_out,
        "held_out_before": asdict(found.held_out_before),
        "held_out_after": asdict(found.held_out_after),
    }


def _simulate(options: argparse.Namespace) -> dict[str, Any]:
    system = create(options.system, _settings(options))
    population = Population.drawn(options.players, seed=options.seed, skew=options.skew)
    course = simulate(
        system,
        population,
        rounds=options.rounds,
        pairing=options.pairing,
        draws=options.draws,
        seed=options.seed,
    )
    if options.svg:
        options.svg.write_text(cloud_svg(course), encoding="utf-8")
    return {"system": options.system, "rounds": [asdict(measured) for measured in course.rounds]}


def _plain(words: dict[str, Any], indent: str = "") -> str:
    lines = []
    for name, value in words.items():
        if isinstance(value, dict):
            lines.append(f"{indent}{name}:\n{_plain(value, indent + '  ')}")
        elif isinstance(value, list | tuple):
            lines.append(f"{indent}{name}:")
            lines.extend(
                indent + "  " + "  ".join(f"{key} {_figure(item)}" for key, item in row.items())
                for row in value
            )
        else:
            lines.append(f"{indent}{name}: {_figure(value)}")
    return "\n".join(lines)


def _figure(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.5g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main())
