"""Backups: what is in them, that they come back byte by byte, and what a restore refuses."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import models, transaction

from leagues.jobs.runner import drain
from leagues.models import Job, League, Match, RequestKey
from leagues.services.backup_files import BackupProblem
from leagues.services.backup_rows import LEFT_OUT_FIELDS, fields_of
from leagues.services.backups import (
    BACKUP_MODELS,
    BOARD_START,
    LEFT_OUT,
    restore_backup,
    write_backup,
)
from leagues.services.matches import correct_match, void_match
from leagues.services.players import rename_player
from leagues.services.rules import change_rules
from leagues.services.seasons import Step, take_step
from leagues.services.stored_drafts import draft_of
from leagues.services.tidying import tidy_job
from leagues.services.tokens import create_token
from tests.leagues.api.calls import Caller
from tests.leagues.play import LATER, START, new_club, record, result, season_of

pytestmark = pytest.mark.django_db

PATH = "leagues/club/matches/"
SENT = {
    "played_at": (START + timedelta(days=9, microseconds=7)).isoformat(),
    "sides": [
        {"rank": rank, "players": [{"name": name}]} for rank, name in ((1, "Ana"), (2, "Bo"))
    ],
}
BATCH = {"matches": [SENT | {"detail": f"game {number}"} for number in range(3)]}
_made: list[tuple[bytes, str]] = []


def makekept_site() -> str:
    """Make a club with a bit of everything; return the token of its program."""
    owner = User.objects.create_user("olga", "olga@example.org", "correct-horse-battery")
    club = new_club(owner=owner)
    matches = record(
        club,
        *(
            result(
                club, "Ana", "Bo", scores=(3, day), at=START + timedelta(days=day, microseconds=1)
            )
            for day in range(3)
        ),
        by=owner,
    )
    said = draft_of(matches[0])
    correct_match(
        match=matches[0],
        draft=said.__class__(
            played_at=said.played_at, sides=said.sides, detail="6–4", sets="6-4 7-6(5)"
        ),
        expected_version=1,
        author=owner,
    )
    void_match(match=matches[1], author=owner, reason="twice")
    rename_player(player=matches[0].participants.first().player, name="Ana Ruiz", actor=owner)
    rename_player(player=matches[0].participants.first().player, name="Ana", actor=owner)
    board = season_of(club).boards.get(system="elo")
    change_rules(board, parameters={"k": 11.0}, effective_at=START + timedelta(days=1), actor=owner)
    _token, plain = create_token(league=club, name="Bot", scope="results", actor=owner)
    drain()
    bot = Caller(headers={"Authorization": f"Bearer {plain}"})
    assert bot.send(PATH, SENT, Idempotency_Key="one").status_code == 201
    assert bot.send(PATH, BATCH, Idempotency_Key="many").status_code == 201
    drain()
    take_step(season_of(club), Step.CLOSE, actor=owner, now=LATER)
    drain()
    return plain


@pytest.fixture
def backup() -> bytes:
    """A backup of a site that is no longer there; made once."""
    return kept_site()[0]


@pytest.fixture
def token() -> str:
    return kept_site()[1]


def kept_site() -> tuple[bytes, str]:
    """A backup and the token of its program; made once."""
    if not _made:
        cache.clear()
        with transaction.atomic():
            plain = makekept_site()
            _made.append((written(), plain))
            transaction.set_rollback(True)
    return _made[0]


def written() -> bytes:
    file = io.BytesIO()
    write_backup(file)
    return file.getvalue()


def restored(content: bytes) -> None:
    with transaction.atomic():
        restore_backup(io.BytesIO(content))
    drain()


def lines_of(content: bytes) -> list[bytes]:
    return gzip.decompress(content).splitlines(keepends=True)


def packed(lines: list[bytes]) -> bytes:
    """Return the file with these lines, its digest as it was."""
    return gzip.compress(b"".join(lines))


def proved(lines: list[bytes]) -> bytes:
    """Return the file as somebody forges it who knows how its digest is made."""
    body = lines[:-1]
    digest = hashlib.sha256(b"".join(body)).hexdigest()
    return packed([*body, json.dumps({"sha256": digest}).encode() + b"\n"])


def changed(content: bytes, model: str, change: Callable[[dict[str, Any]], Any]) -> bytes:
    """Return a forged file whose first row of a model was changed."""
    lines = lines_of(content)
    for number, text in enumerate(lines):
        row = json.loads(text)
        if row.get("model") == model:
            change(row)
            lines[number] = json.dumps(row).encode() + b"\n"
            return proved(lines)
    raise AssertionError(f"no {model}")


def with_fields(model: str, **fields: Any) -> Callable[[bytes], bytes]:
    return lambda content: changed(content, model, lambda row: row["fields"].update(fields))


def with_line(text: bytes, at: int = 2) -> Callable[[bytes], bytes]:
    def add(content: bytes) -> bytes:
        lines = lines_of(content)
        return proved([*lines[:at], text, *lines[at:]])

    return add


def without(model: str) -> Callable[[bytes], bytes]:
    label = f'"model":"{model}"'.encode()
    return lambda content: proved([text for text in lines_of(content) if label not in text])


def test_every_model_is_in_a_backup_or_left_out_for_a_reason() -> None:
    kept = {model._meta.label_lower for model in BACKUP_MODELS}
    known = {model._meta.label_lower for model in apps.get_models(include_auto_created=False)}
    assert kept | set(LEFT_OUT) == known
    assert not kept & set(LEFT_OUT)


def test_every_column_is_in_a_backup_or_left_out_for_a_reason(backup: bytes) -> None:
    seen: dict[str, set[str]] = {}
    for text in lines_of(backup)[1:-2]:
        row = json.loads(text)
        seen.setdefault(row["model"], set()).update(row["fields"])
    assert seen
    for model in BACKUP_MODELS:
        label = model._meta.label_lower
        assert seen.get(label, set(fields_of(model))) == set(fields_of(model))
        many = {field.name for field in model._meta.many_to_many}
        assert many == set(LEFT_OUT_FIELDS.get(label, {}))


def test_columns_that_start_anew_are_those_of_what_is_computed() -> None:
    board = next(model for model in BACKUP_MODELS if model.__name__ == "Board")
    assert set(BOARD_START) <= set(fields_of(board))


def test_a_restored_site_writes_the_same_backup_byte_by_byte(backup: bytes) -> None:
    restored(backup)
    assert lines_of(written()) == lines_of(backup)


def test_microseconds_of_results_and_of_the_log_come_back(backup: bytes) -> None:
    restored(backup)
    assert Match.objects.get(seq=2).played_at == START + timedelta(days=1, microseconds=1)


@pytest.mark.parametrize(("key", "body"), [("one", SENT), ("many", BATCH)])
def test_a_request_sent_again_after_a_restore_and_after_months_counts_once(
    backup: bytes, token: str, key: str, body: dict[str, Any]
) -> None:
    restored(backup)
    cache.clear()
    count = Match.objects.count()
    bot = Caller(headers={"Authorization": f"Bearer {token}"})
    with time_machine.travel(START + timedelta(days=300), tick=False):
        tidy_job(None)  # type: ignore[arg-type]
        again = bot.send(PATH, body, Idempotency_Key=key)
        other = bot.send(PATH, body | {"create_players": True}, Idempotency_Key=key)
    assert again.status_code == 200, again.content
    assert len(again.json()["matches"]) == again.json()["already_there"]
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    assert Match.objects.count() == count
    brought = RequestKey.objects.get(key=key).revision.matches
    assert [match["seq"] for match in again.json()["matches"]] == list(
        brought.order_by("seq").values_list("seq", flat=True)
    )


def test_a_changed_score_is_refused_whatever_it_makes_of_the_ratings(backup: bytes) -> None:
    lines = lines_of(backup)
    (number,) = [n for n, text in enumerate(lines) if b'"detail":"6' in text]
    lines[number] = lines[number].replace("6–4".encode(), "6–3".encode())
    refused(packed(lines), "its digest does not match")


SESSION = (
    b'{"model":"sessions.session","pk":"forged","fields":{"session_data":"x",'
    b'"expire_date":"2030-01-01T00:00:00+00:00"}}\n'
)
HOSTILE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "nothing": (lambda _: b"", "empty|damaged or is not a backup"),
    "an empty archive": (lambda _: gzip.compress(b""), "empty"),
    "no archive": (lambda _: b"date,winner,loser\n", "damaged or is not a backup"),
    "an archive cut short": (
        lambda content: content[: len(content) // 2],
        "damaged or is not a backup",
    ),
    "a flipped byte": (
        lambda content: content[:900] + bytes([content[900] ^ 64]) + content[901:],
        "damaged or is not a backup|does not match|is incomplete",
    ),
    "something behind the archive": (
        lambda content: content + b"more",
        "damaged or is not a backup",
    ),
    "not JSON": (
        lambda _: gzip.compress(b"\x89PNG\n"),
        "damaged or is not a backup: it is not UTF-8",
    ),
    "another JSON": (lambda _: gzip.compress(b'{"a": 1}\n'), "does not name a format"),
    "a list": (lambda _: gzip.compress(b"[]\n"), "it is not a row"),
    "deep brackets": (lambda _: gzip.compress(b"[" * 5_000 + b"\n"), "not JSON"),
    "a newer format": (lambda _: gzip.compress(b'{"rungs": 99}\n'), "format 99, but this release"),
    "a format that is true": (
        lambda _: gzip.compress(b'{"rungs": true}\n'),
        "does not name a format",
    ),
    "no digest": (lambda content: packed(lines_of(content)[:-1]), "digest in its last line"),
    "no end": (lambda content: proved([*lines_of(content)[:-2], b"x"]), "is incomplete"),
    "the digest of another file": (
        lambda content: packed(
            [*lines_of(content)[:-1], json.dumps({"sha256": "0" * 64}).encode() + b"\n"]
        ),
        "its digest does not match",
    ),
    "a zip bomb": (
        lambda _: gzip.compress(b'{"rungs": 3}\n' + b'{"model": 0}\n' * 2_000_000),
        "too long to be a backup",
    ),
    "a zip bomb of one line": (
        lambda _: gzip.compress(b'{"rungs": 3}\n' + b" " * 80_000_000),
        "too long to be a backup",
    ),
    "a forged session": (with_line(SESSION), "backups have no rows of 'sessions.session'"),
    "a row without a model": (with_line(b'{"pk": 1}\n'), "backups have no rows of 'None'"),
    "a row with more": (
        with_line(b'{"model":"auth.user","pk":9,"fields":{},"more":1}\n'),
        "and nothing else",
    ),
    "an unknown column": (with_fields("leagues.league", owner="x"), "no column 'owner'"),
    "a name twice": (
        with_line(b'{"model":"auth.user","pk":9,"pk":8,"fields":{}}\n'),
        "the same name twice",
    ),
    "NaN": (with_fields("leagues.match", weight=float("nan")), "NaN is not a number"),
    "a number beyond all": (
        with_line(b'{"model":"leagues.match","pk":1e999,"fields":{}}\n'),
        "id: is not a whole number",
    ),
    "an endless number": (
        with_line(b'{"model":"leagues.match","pk":' + b"9" * 9000 + b',"fields":{}}\n'),
        "not JSON that Rungs writes",
    ),
    "a large number": (with_fields("leagues.match", seq=2**63), "seq: is a number out of range"),
    "a number that is true": (with_fields("leagues.match", seq=True), "seq: is not a whole number"),
    "a number as text": (with_fields("leagues.match", seq="7"), "seq: is not a whole number"),
    "a text as number": (with_fields("leagues.league", name=7), "name: is not a string"),
    "a NUL": (with_fields("leagues.league", name="a\0b"), "a character that cannot be stored"),
    "half a letter": (
        with_fields("leagues.league", name="\ud800"),
        "a character that cannot be stored",
    ),
    "a NUL in a document": (
        with_fields("leagues.revision", summary={"a": ["\0"]}),
        "summary: contains a character",
    ),
    "a long name": (with_fields("leagues.league", name="a" * 65), "longer than 64"),
    "nothing for a name": (with_fields("leagues.league", name=None), "name: must not be empty"),
    "not a time": (with_fields("leagues.match", played_at="soon"), "played_at: is not a time"),
    "an instant of nowhere": (
        with_fields("leagues.match", played_at="2026-01-01T00:00:00"),
        "played_at: is not a time",
    ),
    "an instant before time": (
        with_fields("leagues.match", played_at="0001-01-01T00:00:00+23:00"),
        "played_at: is not a time",
    ),
    "no truth": (with_fields("leagues.match", date_only=1), "must be true or false"),
    "not base64": (with_fields("leagues.board", start_board_state="*"), "not base64"),
    "a reference to nothing": (
        with_fields("leagues.participant", player=4711),
        r"leagues\.participant \d+\): player: there is no leagues.player 4711",
    ),
    "a reference to nothing of its own kind": (
        with_fields("leagues.season", follows=4711),
        "follows: there is no leagues.season 4711",
    ),
    "an unknown word": (
        with_fields("leagues.match", status="won"),
        r"leagues\.match \d+\): status: must be one of",
    ),
    "a key twice": (
        lambda content: proved([*lines_of(content)[:2], *lines_of(content)[1:]]),
        r"Line 3 \(auth\.user \d+\): the database refused it",
    ),
    "a model less": (without("leagues.auditentry"), "rows were written, but the file has 0"),
    "a column less": (
        lambda content: changed(content, "leagues.league", lambda row: row["fields"].pop("slug")),
        "slug: is missing",
    ),
    "rows behind the end": (
        lambda content: proved([*lines_of(content)[:-1], lines_of(content)[1], b"x"]),
        "something after the end",
    ),
    "counts of something else": (
        lambda content: proved(
            [*lines_of(content)[:-2], b'{"digest":"x","counts":{"sessions.session":1}}\n', b"x"]
        ),
        "counts rows that backups do not have",
    ),
}


def refused(content: bytes, words: str) -> None:
    """Check that a file is refused in these words, and that nothing of it stays."""
    with pytest.raises(BackupProblem, match=words) as problem:
        restore_backup(io.BytesIO(content))
    assert "\n" not in str(problem.value)
    for model in (*BACKUP_MODELS, Job):
        assert not model._default_manager.exists()


@pytest.mark.parametrize("damage", HOSTILE)
def test_a_file_that_nobody_wrote_is_refused_in_words(backup: bytes, damage: str) -> None:
    make, words = HOSTILE[damage]
    refused(make(backup), words)


def test_a_backup_of_the_second_format_is_read_with_the_same_care(backup: bytes) -> None:
    """It has no digest of its own, so that its rows are all that can be looked at."""
    older = [b'{"rungs": 2}\n', SESSION, *lines_of(backup)[1:-1]]
    refused(packed(older), "backups have no rows of 'sessions.session'")
    del older[1]
    restore_backup(io.BytesIO(packed(older)))
    assert League.objects.exists()


def test_the_kinds_of_columns_that_there_are_can_be_read() -> None:
    kinds = (models.BooleanField, models.IntegerField, models.FloatField, models.CharField)
    kinds += (models.TextField, models.DateTimeField, models.BinaryField, models.JSONField)
    for model in BACKUP_MODELS:
        for field in fields_of(model).values():
            assert isinstance(field, (*kinds, models.ForeignKey)), field
