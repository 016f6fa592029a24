"""The command line import: what it says, what it makes, and how it ends."""

from __future__ import annotations

import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models.functions import Now

from leagues.models import Board, Job, League, Match
from leagues.store.match_columns import is_behind

pytestmark = pytest.mark.django_db

GOOD = "date,winner,loser\n2026-01-05,Ana,Bo\n2026-01-05,Cy,Bo\n"
BAD = GOOD + "2026-01-06,Ana,Ana\n"


@pytest.fixture
def run(tmp_path: Path):
    """Import a text and return the exit code and what was printed."""

    def run(text: str | bytes, *words: str, league: str = "cup") -> tuple[int, str]:
        file = tmp_path / "results.csv"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        out = io.StringIO()
        code = 0
        try:
            call_command("import_matches", str(file), "--league", league, *words, stdout=out)
        except SystemExit as end:
            code = int(end.code or 0)
        return code, out.getvalue()

    return run


def test_the_summary_as_json_has_the_promised_keys(run):
    code, out = run(BAD, "--create", "--skip-bad", "--json")
    assert code == 0
    assert json.loads(out) == {
        "imported": 2,
        "skipped": 1,
        "already_there": 0,
        "players_created": 3,
        "errors": [
            {
                "line": 4,
                "column": "loser",
                "value": "Ana",
                "reason": "A player cannot be on both sides.",
            }
        ],
    }


def test_results_written_one_per_line_are_imported(run):
    text = '@2026-01-05\nana bo 3-1\n" 1-3\n'
    assert run(text, "--create")[0] == 0
    assert list(Match.objects.values_list("played_at__date", flat=True)) == [date(2026, 1, 5)] * 2
    code, out = run(text + "ana bo\n")
    assert (code, "line 4: “ana bo” The line does not say who won" in out) == (1, True)


@pytest.mark.parametrize("words", [("--create",), ("--create", "--dry-run")])
def test_a_refused_file_makes_neither_matches_nor_a_league(run, words):
    code, out = run(BAD, *words)
    assert code == 1
    assert "line 4, loser: “Ana” A player cannot be on both sides." in out
    assert "1 bad row." in out
    assert not League.objects.exists()


def test_a_dry_run_of_a_good_file_says_what_would_be_and_makes_nothing(run):
    code, out = run(GOOD, "--create", "--dry-run")
    assert (code, out.strip()) == (0, "Dry run: 2 new results, 0 already here, 3 new players.")
    assert not League.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_file_for_a_league_to_be_made_is_checked_without_holding_up_who_writes(run):
    in_transactions = []

    def look(execute: Any, sql: str, *words: Any) -> Any:
        if sql.startswith("SELECT") and 'FROM "leagues_player"' in sql:
            in_transactions.append(connection.in_atomic_block)
        return execute(sql, *words)

    with connection.execute_wrapper(look):
        assert "Dry run: 2 new results" in run(GOOD, "--create", "--dry-run")[1]
    assert in_transactions and not any(in_transactions)


def test_a_league_that_is_created_has_the_name_and_the_zone_that_are_given(run):
    run(GOOD, "--create", "--name", "NTNU Chess", "--zone", "Europe/Oslo")
    assert League.objects.values_list("name", "time_zone").get() == ("NTNU Chess", "Europe/Oslo")


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("--zone", "Oslo"), "--zone: There is no time zone “Oslo”"),
        (("--league", "table_tennis"), "--league: 3 to 40 of a–z"),
        (("--name", "\x07"), "--name: "),
        (("--mode", "x" * 65), "--mode: "),
    ],
)
def test_what_cannot_be_is_refused_at_its_option_and_creates_nothing(run, words, refusal):
    with pytest.raises(CommandError) as refused:
        run(GOOD, "--create", *words)
    assert str(refused.value).startswith(refusal)
    assert not League.objects.exists()


def test_a_new_mode_is_refused_at_its_option(run):
    run(GOOD, "--create")
    with pytest.raises(CommandError, match=r"\A--mode: "):
        run(GOOD, "--mode", "\x07")


def test_a_refused_file_makes_no_mode(run):
    run(GOOD, "--create")
    assert run(BAD, "--mode", "Doubles")[0] == 1
    assert list(League.objects.get().modes.values_list("name", flat=True)) == ["Matches"]


def test_a_second_mode_is_rated_beside_the_first_and_the_command_returns(run):
    run(GOOD, "--create")
    code, _out = run("date,winner,loser\n2026-02-01,Ana,Bo\n", "--mode", "Doubles")
    assert code == 0
    out = io.StringIO()
    call_command("verify", stdout=out)
    assert out.getvalue().splitlines()[-1] == "0 differences on 4 boards"


def test_checks_are_left_to_others(run):
    """Of the boards and the record: they are for later, however long the import takes."""
    assert run(GOOD, "--create")[0] == 0
    waiting = Job.objects.filter(state=Job.State.QUEUED)
    assert waiting.filter(kind="verify_board").count() == 2
    waiting.update(run_after=Now())
    assert run("date,winner,loser\n2026-02-01,Ana,Bo\n")[0] == 0
    assert waiting.filter(kind="verify_board").count() == 2
    assert not any(map(is_behind, Board.objects.all()))


def test_a_league_that_is_not_there_is_not_made_without_being_asked(run):
    with pytest.raises(CommandError, match="no league"):
        run(GOOD)


def test_verify_ends_with_an_error_where_something_differs(run):
    from leagues.models import Standing

    run(GOOD, "--create")
    Standing.objects.filter(player__key="ana").update(won=7)
    out = io.StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("verify", "--json", stdout=out)
    assert end.value.code == 1
    assert json.loads(out.getvalue())["differences"] == 2


def test_a_file_of_two_encodings_is_refused_and_another_encoding_is_named(run):
    rows = "date,winner,loser\n2026-01-05,José,Bo\n"
    with pytest.raises(CommandError, match="mixes"):
        run(rows.encode() + "2026-01-06,José,Bo\n".encode("cp1252"), "--create")
    assert not League.objects.exists()
    code, out = run(rows.encode("cp1252"), "--create")
    assert code == 0
    assert "it was read as Western European (Windows-1252)." in out
    assert Match.objects.get().participants.filter(player__name="José").exists()
