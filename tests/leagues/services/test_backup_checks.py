"""What a restore refuses although its columns could hold it: nothing that no service writes."""

from __future__ import annotations

import base64
import json
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from leagues.management.commands import restore
from leagues.models import League
from leagues.services.backup_rows import MAX_PARTS
from tests.leagues.services.test_backups import (
    changed,
    kept_site,
    lines_of,
    proved,
    refused,
    with_fields,
)

pytestmark = pytest.mark.django_db

Forgery = Callable[[bytes], bytes]
OTHER = 1000
"""What is added to the keys of copied rows."""


@pytest.fixture
def backup() -> bytes:
    return kept_site()[0]


def first_of(content: bytes, model: str) -> dict[str, Any]:
    rows = map(json.loads, lines_of(content))
    return next(row for row in rows if row.get("model") == model)


def with_copies(*models: str, **fields: Any) -> Forgery:
    """Return what adds a copy of the first row of each model; `fields` are those of the last."""

    def add(content: bytes) -> bytes:
        for model in models:
            row: dict[str, Any] = first_of(content, model)
            row["pk"] += OTHER
            row["fields"] |= OWN.get(model, {})
            row["fields"] |= fields if model == models[-1] else {}
            lines = lines_of(content)
            places = [at for at, text in enumerate(lines) if json.loads(text).get("model") == model]
            end = json.loads(lines[-2])
            end["counts"][model] += 1
            lines[-2] = json.dumps(end).encode() + b"\n"
            lines.insert(places[-1] + 1, json.dumps(row).encode() + b"\n")
            content = proved(lines)
        return content

    return add


OWN: dict[str, dict[str, Any]] = {
    "leagues.league": {"slug": "other", "name": "Other"},
    "leagues.season": {"slug": "other", "name": "Other", "follows": None},
    "leagues.mode": {"slug": "other", "name": "Other"},
    "leagues.player": {"key": "other", "name": "Other", "folded": "other"},
}
"""What a copied row may not have in common with the first one."""


def moved(model: str, name: str, *others: str, **fields: Any) -> Forgery:
    """Return what lets the first row of a model point at a copied row instead."""

    def move(content: bytes) -> bytes:
        wanted = first_of(content, others[-1])["pk"] + OTHER
        content = with_copies(*others, **fields)(content)
        return changed(content, model, lambda row: row["fields"].update({name: wanted}))

    return move


def following_each_other(content: bytes) -> bytes:
    first = first_of(content, "leagues.season")["pk"]
    content = with_copies("leagues.season", follows=first)(content)
    return with_fields("leagues.season", follows=first + OTHER)(content)


def merged_into_each_other(content: bytes) -> bytes:
    first = first_of(content, "leagues.player")["pk"]
    gone = {"is_listed": False}
    content = with_copies("leagues.player", merged_into=first, **gone)(content)
    return with_fields("leagues.player", merged_into=first + OTHER, **gone)(content)


def of_another_league(model: str, name: str, target: str) -> Forgery:
    """Return what lets a row point at a copy that belongs to a copy of the league."""

    def move(content: bytes) -> bytes:
        league = first_of(content, "leagues.league")["pk"] + OTHER
        content = with_copies("leagues.league")(content)
        return moved(model, name, target, league=league)(content)

    return move


def nested(levels: int) -> Forgery:
    """Return what nests the summary of the first revision."""

    def nest(content: bytes) -> bytes:
        content = with_fields("leagues.revision", summary="here")(content)
        text = b'{"a":' * levels + b"1" + b"}" * levels
        return proved([line.replace(b'"here"', text) for line in lines_of(content)])

    return nest


def on_board(system: str, **fields: Any) -> Forgery:
    """Return what changes the first board of a system."""

    def change(content: bytes) -> bytes:
        lines = lines_of(content)
        for number, text in enumerate(lines):
            row = json.loads(text)
            if row.get("model") == "leagues.board" and row["fields"]["system"] == system:
                row["fields"] |= fields
                lines[number] = json.dumps(row).encode() + b"\n"
        return proved(lines)

    return change


def packed_numbers(*values: float) -> str:
    return base64.b64encode(struct.pack(f"<{len(values)}d", *values)).decode()


MERGE = {
    "player": "ana",
    "into": "bo",
    "parts": [[1, 1]],
    "has_passed_account": False,
    "is_undone": False,
}
MOVE = {"origin": [1, 1], "target": [1, 2], "parts": [[1, 1], [1, 2]], "is_undone": False}
CASES: dict[str, tuple[Forgery, str]] = {
    "players merged into each other": (
        merged_into_each_other,
        r"leagues\.player \d+: merged_into: the players are merged into each other in a circle",
    ),
    "a player merged into one of another league": (
        lambda content: with_fields("leagues.player", is_listed=False)(
            of_another_league("leagues.player", "merged_into", "leagues.player")(content)
        ),
        r"leagues\.player \d+: merged_into: is a player of another league",
    ),
    "a merge of nobody": (
        with_fields("leagues.revision", summary={"merge": {**MERGE, "into": "nobody"}}),
        r"leagues\.revision \d+: summary: merge: names what is not there",
    ),
    "a merge in a season that there is not": (
        with_fields("leagues.revision", summary={"merge": {**MERGE, "parts": [[9999, 1]]}}),
        r"leagues\.revision \d+: summary: merge: names what is not there",
    ),
    **{
        f"a merge that is {words}": (
            with_fields("leagues.revision", summary={"merge": merge}),
            r"leagues\.revision \d+\): summary: merge: is not a merge of players",
        )
        for words, merge in {
            "a list": [],
            "of a number": {**MERGE, "player": 7},
            "without parts": {**MERGE, "parts": []},
            "of halves": {**MERGE, "parts": [[1]]},
            "perhaps undone": {**MERGE, "is_undone": "no"},
            "of more": {**MERGE, "more": 1},
        }.items()
    },
    "a move of a match that there is not": (
        with_fields("leagues.revision", summary={"move": {**MOVE, "target": [9999, 1]}}),
        r"leagues\.revision \d+: summary: move: names what is not there",
    ),
    **{
        f"a move that is {words}": (
            with_fields("leagues.revision", summary={"move": move}),
            r"leagues\.revision \d+\): summary: move: is not a move of a result",
        )
        for words, move in {
            "a list": [],
            "from nowhere": {**MOVE, "origin": None},
            "of one part": {**MOVE, "parts": [[1, 1]]},
            "perhaps undone": {**MOVE, "is_undone": 1},
            "of more": {**MOVE, "more": 1},
        }.items()
    },
    "a time zone on Mars": (
        with_fields("leagues.league", time_zone="Mars/Base"),
        r"leagues\.league \d+\): time_zone: There is no time zone “Mars/Base”",
    ),
    "a league's address that is a path": (
        with_fields("leagues.league", slug="../x y"),
        r"leagues\.league \d+\): slug: 3 to 40",
    ),
    "an address that the site has": (
        with_fields("leagues.league", slug="admin"),
        "slug: This address is reserved",
    ),
    "a season's address that is a path": (
        with_fields("leagues.season", slug="x/y"),
        r"leagues\.season \d+\): slug: Enter a valid",
    ),
    "a mode's address that is a path": (
        with_fields("leagues.mode", slug="x/y"),
        r"leagues\.mode \d+\): slug: Enter a valid",
    ),
    "a board's address that is a path": (
        with_fields("leagues.board", slug="x/y"),
        r"leagues\.board \d+\): slug: Enter a valid",
    ),
    "no name": (with_fields("leagues.season", name=""), "name: must not be empty"),
    "a player's key that is an address": (
        with_fields("leagues.player", key="a/b?c"),
        r"leagues\.player \d+\): key: is not a valid player key",
    ),
    "an account of no letters": (
        with_fields("auth.user", username="a b/c"),
        r"auth\.user \d+\): username: Enter a valid",
    ),
    "too many days": (with_fields("leagues.league", active_days=4000), "active_days: Ensure"),
    "a rule of a seal": (
        with_fields("leagues.season", sealed_walkovers="maybe"),
        "sealed_walkovers: Value 'maybe' is not a valid choice",
    ),
    "a system that there is not": (
        with_fields("leagues.board", system="nonsense"),
        r"leagues\.board \d+\): system: is not a known rating system",
    ),
    "parameters that there are not": (
        with_fields("leagues.board", parameters={"preset": "x"}),
        r"leagues\.board \d+\): parameters: preset: must be",
    ),
    "a parameter as text": (
        on_board("elo", parameters={"k": "11"}),
        r"leagues\.board \d+\): parameters: k: does not have the form in which it is stored",
    ),
    "parameters in a list": (with_fields("leagues.board", parameters=[1]), "is not an object"),
    "former parameters that there are not": (
        with_fields("leagues.boardrules", parameters={"preset": "x"}),
        r"leagues\.boardrules \d+: parameters: preset: there is no such parameter",
    ),
    "parameters of a start": (
        with_fields("leagues.board", start_parameters={"x": 1}),
        "start_parameters: x: there is no such parameter",
    ),
    "a start of three bytes": (
        with_fields("leagues.board", start_board_state="AAAA"),
        r"leagues\.board \d+\): start_board_state: is not a state of",
    ),
    "a start of a system that keeps none": (
        on_board("elo", start_board_state=packed_numbers(1.0)),
        "start_board_state: is not a state of elo",
    ),
    "something computed": (
        with_fields("leagues.board", rated_rules=[[None, {}]]),
        r"leagues\.board \d+\): rated_rules: must have its initial value",
    ),
    "a revision of the year 1": (
        with_fields("leagues.revision", created_at="0001-01-02T00:00:00+00:00"),
        r"leagues\.revision \d+\): created_at: is not within the years 1800 to 2199",
    ),
    "a summary of one word": (
        with_fields("leagues.revision", summary="x"),
        r"leagues\.revision \d+\): summary: is not an object",
    ),
    "a summary that counts in words": (
        with_fields("leagues.revision", summary={"matches": "many"}),
        "summary: matches: is not a count",
    ),
    "a summary of other errors": (
        with_fields("leagues.revision", summary={"errors": ["x"]}),
        "summary: errors: is not a list of rows",
    ),
    "a summary of 30 levels": (
        nested(30),
        r"leagues\.revision \d+\): summary: is nested too deeply",
    ),
    "a summary of 960 levels": (
        nested(960),
        r"leagues\.revision \d+\): (summary: is nested too deeply|it is not JSON)",
    ),
    "a summary of 100,000 levels": (
        nested(99_000),
        r"leagues\.revision \d+\): (summary: is nested too deeply|it is not JSON)",
    ),
    "an endless number in a document": (
        with_fields("leagues.revision", summary={"matches": 10**4000}),
        "summary: contains a number that is too large",
    ),
    "a list before a change": (
        with_fields("leagues.auditentry", before=[1, 2]),
        r"leagues\.auditentry \d+\): before: is not an object",
    ),
    "a word after a change": (
        with_fields("leagues.auditentry", after="x"),
        r"leagues\.auditentry \d+\): after: is not an object",
    ),
    "a former version without a status": (
        with_fields("leagues.matchversion", content={}),
        r"leagues\.matchversion \d+\): content: status",
    ),
    "a former version of nobody": (
        with_fields(
            "leagues.matchversion",
            content={"status": "live", "sides": [], "played_at": "2026-01-01T00:00:00+00:00"},
        ),
        r"leagues\.matchversion \d+\): content: sides",
    ),
    "a log of less than nothing": (
        with_fields("leagues.loghead", entries=-5),
        r"leagues\.loghead \d+\): entries: is not a count",
    ),
    "a log shorter than its entries": (
        lambda content: changed(
            with_fields("leagues.loghead", entries=0)(content),
            "leagues.loghead",
            lambda row: row["fields"].update(entries=0) if row["pk"] == 0 else None,
        ),
        r"leagues\.loghead \d+: entries: an entry has number",
    ),
    "a log of no league": (
        with_copies("leagues.loghead"),
        r"leagues\.loghead \d+: scope: there is no such league",
    ),
    "more versions than there are": (
        with_fields("leagues.match", version=2**31 - 1),
        r"leagues\.match \d+: version: former versions are missing",
    ),
    "a version behind the present one": (
        with_fields("leagues.matchversion", version=7),
        r"leagues\.matchversion \d+: version: is not a former version of its match",
    ),
    "fewer places than results": (
        with_fields("leagues.season", last_seq=1),
        r"leagues\.season \d+: last_seq: number \d+ is already in use",
    ),
    "a season that follows itself": (
        lambda content: with_fields(
            "leagues.season", follows=first_of(content, "leagues.season")["pk"]
        )(content),
        r"leagues\.season \d+: follows: the seasons follow each other",
    ),
    "seasons that follow each other": (
        following_each_other,
        r"leagues\.season \d+: follows: the seasons follow each other",
    ),
    "a revision that takes itself back": (
        lambda content: with_fields(
            "leagues.revision", reverts=first_of(content, "leagues.revision")["pk"]
        )(content),
        r"leagues\.revision \d+: reverts: is not an earlier revision",
    ),
    "a player of another league": (
        of_another_league("leagues.participant", "player", "leagues.player"),
        r"leagues\.participant \d+\): player: leagues.player \d+ belongs to another league",
    ),
    "a board of another league's mode": (
        of_another_league("leagues.board", "mode", "leagues.mode"),
        r"leagues\.board \d+\): mode: leagues.mode \d+ belongs to another league",
    ),
    "a board of another league's season": (
        of_another_league("leagues.board", "season", "leagues.season"),
        r"leagues\.board \d+\): season: leagues.season \d+ belongs to another league",
    ),
    "a season after another league's": (
        of_another_league("leagues.season", "follows", "leagues.season"),
        "follows: is a season of another league",
    ),
    "a result of another season's revision": (
        lambda content: changed(
            with_copies("leagues.season")(content),
            "leagues.revision",
            lambda row: row["fields"].update(season=row["fields"]["season"] + OTHER),
        ),
        r"leagues\.match \d+\): revision: leagues.revision \d+ belongs to another season",
    ),
    "a result against nobody": (
        with_fields("leagues.participant", side=1),
        r"leagues\.match \d+: participants: a match needs at least two sides",
    ),
    "a side of two ranks": (
        lambda content: with_copies(
            "leagues.player",
            "leagues.participant",
            rank=2,
            player=first_of(content, "leagues.player")["pk"] + OTHER,
        )(content),
        r"leagues\.match \d+: participants: the players of side 0 have different results",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_row_that_no_service_writes_is_refused_by_its_name_and_column(
    backup: bytes, case: str
) -> None:
    forge, words = CASES[case]
    refused(forge(backup), words)


def test_a_line_of_more_values_than_any_row_has_is_refused_before_they_are_made(
    backup: bytes,
) -> None:
    lines = lines_of(backup)
    row = b'{"model":"leagues.revision","pk":1,"fields":{"summary":[' + b"[]," * MAX_PARTS
    refused(
        proved([lines[0], row + b"0]}}\n", *lines[1:]]), r"Line 2 .*: it contains more than 100,000"
    )


def test_a_pipe_is_refused_in_words(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(
        CommandError, match=r"pipe is not a regular file\. Save the backup to a file first\."
    ):
        call_command("restore", str(pipe))


def test_what_fails_after_the_rows_are_stored_is_told_in_words(
    backup: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "backup.gz"
    file.write_bytes(backup)

    def fails() -> str:
        raise ValueError("nobody foresaw this")

    monkeypatch.setattr(restore, "site_digest", fails)
    with pytest.raises(CommandError, match=r"data was restored, but .*nobody foresaw this"):
        call_command("restore", str(file))
    assert League.objects.exists()
