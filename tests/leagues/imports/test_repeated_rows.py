"""Results that one file has more than once, as where each player wrote down their own."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from leagues.models import Match
from leagues.services import import_repeats
from tests.leagues.imports.sender import Sender
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db

MIRRORED = "This file seems to be written from each player’s view: every result is in it twice"
BY_PLAYER = (
    "Date,Name,Opponent,Result\n"
    "2026-01-05,Ana,Bo,W\n2026-01-05,Bo,Ana,L\n2026-01-06,Cy,Bo,L\n2026-01-06,Bo,Cy,W\n"
)
TICK = 'name="may_repeat"'


def test_a_file_from_each_players_view_is_asked_about(kim: Sender) -> None:
    """Before, every match counted twice without a word."""
    address = kim.checked(BY_PLAYER)
    page = kim.page(address)
    assert f"{MIRRORED}, once for each side. All 4 will count" in page
    assert TICK in page
    assert "says the same" not in page
    assert kim.answer(address, "write").status_code == 422
    assert not Match.objects.exists()
    kim.pressed(address, may_repeat="on")
    assert Match.objects.live().count() == 4
    # The same file again asks nothing: it is stored as it was agreed to.
    again = kim.page(kim.checked(BY_PLAYER, name="again.csv"))
    assert "Every result in this file is already recorded." in again
    assert TICK not in again


@pytest.mark.parametrize(
    "table",
    [
        "Date;Player;Opponent;Score\n2026-01-05;Ana;Bo;3-1\n2026-01-05;Bo;Ana;1-3\n",
        "Date;Player;Opponent;Score\n2026-01-05;Ana;Bo;2-2\n2026-01-05;Bo;Ana;2-2\n",
        "Date;Player;Opponent;Score\n2026-01-05;Ana;Bo;6-4 6-3\n2026-01-05;Bo;Ana;4-6 3-6\n",
        "id;Date;Player;Opponent;Score\n1;2026-01-05;Ana;Bo;3-1\n2;2026-01-05;Bo;Ana;1-3\n",
        "Date;Player;Opponent;Score\n2026-01-05 20:00;Ana;Bo;3-1\n2026-01-05 20:00;Bo;Ana;1-3\n",
    ],
)
def test_so_is_one_with_scores_sets_ids_or_times(kim: Sender, table: str) -> None:
    assert MIRRORED in kim.page(kim.checked(table))


def test_lines_that_repeat_others_are_named(kim: Sender) -> None:
    text = "@2026-01-05\nana bo 3-1\nana bo 3-1\nbo ana 1-3\ncy bo 3-0\n"
    address = kim.checked("", paste=text)
    page = kim.page(address)
    assert "2 results say the same as earlier lines of this file: lines 3, 4." in page
    assert TICK in page
    kim.pressed(address, may_repeat="on")
    assert Match.objects.live().count() == 4


@pytest.mark.parametrize(
    "rows",
    [
        "2026-01-05;Ana;Bo;3-1\n2026-01-06;Ana;Bo;3-1\n",
        "2026-01-05;Ana;Bo;3-1\n2026-01-05;Bo;Ana;3-1\n",
        "2026-01-05;Ana;Bo;3-1\n2026-01-05;Ana;Bo;3-0\n",
        "2026-01-05 20:00;Ana;Bo;3-1\n2026-01-05 20:30;Ana;Bo;3-1\n",
        "2026-01-05;Ana;Bo;6-4 6-3\n2026-01-05;Ana;Bo;6-4 6-2\n",
    ],
)
def test_results_that_differ_are_no_repeats(kim: Sender, rows: str) -> None:
    page = kim.page(kim.checked(f"Date;Player;Opponent;Score\n{rows}"))
    assert "Import 2 results" in page
    assert TICK not in page


def test_results_that_the_file_numbers_are_told_apart(kim: Sender) -> None:
    rows = "id,date,winner,loser\n7,2026-01-05,Ana,Bo\n8,2026-01-05,Ana,Bo\n"
    assert TICK not in kim.page(kim.checked(rows))


def test_a_line_that_repeats_one_that_is_stored_is_named(kim: Sender) -> None:
    header = "date,player,opponent,result\n"
    kim.written(kim.checked(f"{header}2026-01-05,Ana,Bo,W\n"))
    page = kim.page(kim.checked(BY_PLAYER.partition("2026-01-06")[0], name="views.csv"))
    assert "1 result says the same as an earlier line of this file: line 3." in page


def test_the_command_line_imports_and_says_so(tmp_path, capsys) -> None:
    new_club()
    file = tmp_path / "results.csv"
    file.write_text(BY_PLAYER, encoding="utf-8")
    call_command("import_matches", str(file), league="club", mode="Singles")
    assert MIRRORED in capsys.readouterr().out
    assert Match.objects.live().count() == 4


def test_of_a_very_long_file_rows_far_apart_are_not_compared(
    kim: Sender, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a file of a million rows says would not fit into the memory of an import."""
    monkeypatch.setattr(import_repeats, "MOST_SEEN", 2)
    text = "@2026-01-05\nana bo 3-1\ncy bo 3-0\ncy bo 3-0\ndi bo 3-0\nana bo 3-1\n"
    page = kim.page(kim.checked("", paste=text))
    assert "1 result says the same as an earlier line of this file: line 4." in page
