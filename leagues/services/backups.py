"""Backups: every fact and account as lines of JSON, independent of the database engine.

What is computed is left out and computed again after a restore; the digest of all boards, written
at the end of the backup, must come out the same. The same two commands move an installation from
SQLite to PostgreSQL.
"""

from __future__ import annotations

import copy
import gzip
import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from django.contrib.auth import get_user_model
from django.core import serializers
from django.core.management.color import no_style
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connection, models, transaction

from leagues.models import (
    ApiToken,
    AuditEntry,
    Board,
    BoardRules,
    League,
    LedgerEntry,
    Match,
    MatchEvent,
    MatchVersion,
    Membership,
    Mode,
    Participant,
    Player,
    PlayerAlias,
    Revision,
    Season,
    StartingState,
)
from leagues.services.batches import batches
from leagues.services.integrity import site_digest
from leagues.services.ratings import enqueue_rating
from leagues.services.sealing import request_sealing
from leagues.snapshot import snapshot

FORMAT = 2
READABLE = (1, FORMAT)
"""Before the second, there were no seals and no rules from a date; digests said less."""
BATCH = 500

KEPT: tuple[type[models.Model], ...] = (
    get_user_model(),
    League,
    Membership,
    Mode,
    Season,
    Revision,
    Player,
    PlayerAlias,
    Match,
    Participant,
    MatchEvent,
    MatchVersion,
    LedgerEntry,
    AuditEntry,
    ApiToken,
    Board,
    BoardRules,
    StartingState,
)
"""In an order in which every row comes after those it points at."""

BOARD_START: dict[str, Any] = {
    "generation": 0,
    "last_generation": 0,
    "frontier": 0,
    "last_at": None,
    "last_hint": None,
    "last_seq": None,
    "rated_matches": 0,
    "refused_matches": 0,
    "board_state": b"",
    "rated_rules": [],
    "computed_at": None,
    "math_fingerprint": "",
    "verified_at": None,
    "verified_frontier": None,
    "differences": 0,
    "state": Board.State.READY,
    "problem": "",
}
"""A board that has computed nothing yet."""


DAMAGE = (OSError, EOFError, ValueError, KeyError, DatabaseError)


class BackupProblem(Exception):
    """The file is no backup, or cannot be restored here; nothing was changed."""


def write_backup(target: BinaryIO) -> str:
    """Write everything that was said to `target` and return the digest of what it computes to."""
    with snapshot(), gzip.GzipFile(fileobj=target, mode="wb", mtime=0) as packed:
        digest = site_digest()
        counts: dict[str, int] = {}
        packed.write(_line({"rungs": FORMAT}))
        for model in KEPT:
            count = 0
            for row in _rows(model):
                packed.write(_line(row))
                count += 1
            counts[model._meta.label_lower] = count
        packed.write(_line({"digest": digest, "counts": counts}))
    return digest


def restore_backup(source: BinaryIO) -> str | None:
    """Read a backup into an empty database and queue its ratings; returns the digest to expect.

    None is expected of a backup of an older format: ratings hold more now.

    All or nothing: a damaged file leaves the database as it was.
    """
    if League.objects.exists() or get_user_model().objects.exists():
        raise BackupProblem("This installation is not empty; restore into a new one.")
    try:
        with transaction.atomic():
            end, sealed = _read(source)
            _reset_sequences()
            for board in Board.objects.order_by("pk"):
                enqueue_rating(board)
            for season in sealed:
                _seal_again(season)
    except (
        OSError,
        EOFError,
        ValueError,
        KeyError,
        serializers.base.DeserializationError,
    ) as error:
        raise BackupProblem(f"The file is damaged or no backup: {error}") from error
    digest: str = end["digest"]
    return digest if end["format"] == FORMAT else None


def _rows(model: type[models.Model]) -> Iterator[dict[str, Any]]:
    rows = model._default_manager.order_by("pk")
    if model is Match:
        rows = rows.exclude(status=Match.Status.STAGED)
    elif model is Participant:
        rows = rows.exclude(match__status=Match.Status.STAGED)
    elif model is Revision:
        rows = rows.filter(state=Revision.State.APPLIED)
    elif model is Player:
        rows = rows.exclude(revision__state=Revision.State.STAGED)
    for row in rows.iterator(chunk_size=2000):
        if isinstance(row, Board):
            for name, value in BOARD_START.items():
                setattr(row, name, value)
        (plain,) = serializers.serialize("python", [row])
        yield plain


def _read(source: BinaryIO) -> tuple[dict[str, Any], list[Season]]:
    """Read every row; returns the end of the file, and the seasons that are sealed by it.

    Those are stored as closing: what they show has to be computed before they can be sealed.
    """
    sealed: list[Season] = []
    with gzip.GzipFile(fileobj=source) as packed:
        lines = iter(packed)
        head = json.loads(next(lines, b"{}"))
        if head.get("rungs") not in READABLE:
            raise BackupProblem("The file is no backup of this version.")
        end: dict[str, Any] = {}
        for batch in batches(lines, BATCH):
            rows = [json.loads(line) for line in batch]
            if "digest" in rows[-1]:
                end = rows.pop()
            by_model: dict[type[models.Model], list[models.Model]] = {}
            for item in serializers.deserialize("python", rows):
                row = item.object
                if isinstance(row, Season) and row.is_sealed:
                    sealed.append(copy.copy(row))
                    row.state = Season.State.CLOSING
                by_model.setdefault(type(row), []).append(row)
            for model, instances in by_model.items():
                model._default_manager.bulk_create(instances)
    if not end:
        raise BackupProblem("The file ends too early.")
    _check_counts(end["counts"])
    return end | {"format": head["rungs"]}, sealed


def _seal_again(season: Season) -> None:
    """Let a season get back its seal, once its boards are computed and show what was sealed."""
    request_sealing(
        season,
        None,
        state=season.state,
        sealed_at=season.sealed_at,
        expected=season.sealed_digest,
    )


def _check_counts(counts: dict[str, int]) -> None:
    for model in KEPT:
        stored = model._default_manager.count()
        if stored != counts.get(model._meta.label_lower, 0):
            raise BackupProblem(f"{model._meta.verbose_name_plural}: some rows are missing.")


def _reset_sequences() -> None:
    statements = connection.ops.sequence_reset_sql(no_style(), list(KEPT))
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, cls=DjangoJSONEncoder, allow_nan=False).encode() + b"\n"
