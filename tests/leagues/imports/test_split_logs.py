"""Logs that were split in the middle of a game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from leagues.models import Match
from tests.leagues.commands.test_import_log import run, said
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db

PEOPLE = {"Ana": "CT", "Bo": "CT", "Cy": "TERRORIST", "Di": "TERRORIST"}
TWICE = "1 game has the players, scores and time of another result. It will count twice"


OTHER_SIDE = {"CT": "TERRORIST", "TERRORIST": "CT"}


def player(name: str, *, is_swapped: bool = False) -> str:
    number = list(PEOPLE).index(name) + 2
    team = OTHER_SIDE[PEOPLE[name]] if is_swapped else PEOPLE[name]
    return f'"{name}<{number}><STEAM_1:0:{number + 10}><{team}>"'


def kill(killer: str, victim: str, *, is_swapped: bool = False) -> str:
    one, other = (player(name, is_swapped=is_swapped) for name in (killer, victim))
    return f'{one} killed {other} with "ak47"'


def switch(name: str) -> str:
    who = player(name).rpartition("<")[0]
    return f'{who}" switched from team <{PEOPLE[name]}> to <{OTHER_SIDE[PEOPLE[name]]}>'


def won(team: str, ct: int, terrorists: int) -> str:
    return f'Team "{team}" triggered "SFUI_Notice_Win" (CT "{ct}") (T "{terrorists}")'


def stamped(*lines: tuple[str, str]) -> list[str]:
    return [f"L {moment}: {line}" for moment, line in lines]


def halves(game_map: str = "de_dust2") -> tuple[list[str], list[str]]:
    """The lines of a match that begins at 23:52, and ends 1:2 behind midnight."""
    first = stamped(
        ("01/02/2026 - 23:52:00", f'Started map "{game_map}" (CRC "1")'),
        ("01/02/2026 - 23:52:01", f'World triggered "Match_Start" on "{game_map}"'),
        ("01/02/2026 - 23:53:00", kill("Ana", "Cy")),
        ("01/02/2026 - 23:54:00", kill("Ana", "Di")),
        ("01/02/2026 - 23:55:00", kill("Cy", "Bo")),
        ("01/02/2026 - 23:56:00", won("CT", 1, 0)),
    )
    score = f"Game Over: competitive mg_active {game_map} score 2:1 after 9 min"
    second = stamped(
        *(("01/02/2026 - 23:59:00", switch(name)) for name in PEOPLE),
        ("01/03/2026 - 00:00:00", kill("Cy", "Ana", is_swapped=True)),
        ("01/03/2026 - 00:00:10", kill("Ana", "Di", is_swapped=True)),
        ("01/03/2026 - 00:00:20", won("CT", 1, 1)),
        ("01/03/2026 - 00:01:00", kill("Di", "Bo", is_swapped=True)),
        ("01/03/2026 - 00:01:10", kill("Bo", "Cy", is_swapped=True)),
        ("01/03/2026 - 00:01:20", won("CT", 2, 1)),
        ("01/03/2026 - 00:01:30", score),
    )
    return first, second


def log(path: Path, *parts: Sequence[str]) -> Path:
    path.write_text("\n".join(line for part in parts for line in part) + "\n")
    return path


def test_the_later_part_of_a_game_that_is_there_is_reported(tmp_path: Path) -> None:
    new_club()
    first, second = halves()
    whole = run(log(tmp_path / "whole.log", first, second))
    assert (whole["imported"], whole["same_results"]) == (1, 0)
    part = log(tmp_path / "part.log", second)
    assert TWICE in said(part, "--dry-run").splitlines()
    report = run(part)
    assert (report["imported"], report["same_results"]) == (1, 1)
    one, other = Match.objects.order_by("seq")
    scores = [
        sorted(match.participants.values_list("player__name", "rank", "score"))
        for match in (one, other)
    ]
    assert scores[0] == scores[1]
    assert run(part)["same_results"] == 0


def test_the_same_score_on_another_map_is_another_game(tmp_path: Path) -> None:
    new_club()
    run(log(tmp_path / "one.log", *halves()))
    report = run(log(tmp_path / "other.log", *halves("de_inferno")))
    assert (report["imported"], report["same_results"]) == (1, 0)


def test_a_game_that_goes_on_in_another_file_is_imported_once_they_are_joined(
    tmp_path: Path,
) -> None:
    new_club()
    first = log(tmp_path / "first.log", halves()[0])
    advice = "not over at the end of the log; if the log was split, join its files into one"
    assert f"1 game left out: {advice}" in said(first).splitlines()
    joined = tmp_path / "joined.log"
    joined.write_text(first.read_text() + log(tmp_path / "second.log", halves()[1]).read_text())
    assert run(joined)["imported"] == 1
