"""Backups: every fact and account as lines of JSON, independent of the database engine.

What is computed is left out and computed again after a restore; the digest of all boards, written
at the end of the backup, must come out the same. The same two commands move an installation from
SQLite to PostgreSQL.

The last line is the SHA-256 of every byte before it, looked at before anything is stored: a file
that was damaged or changed by hand is refused. It is no signature; whoever can write the file can
write another digest too, so every row is read as if a stranger had sent it.
"""

from __future__ import annotations

import copy
import gzip
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

from django.contrib.auth import get_user_model
from django.core.management.color import no_style
from django.db import DatabaseError, connection, models, transaction

from leagues import bridge
from leagues.jobs.faults import faultpoint
from leagues.models import (
    ApiToken,
    AuditEntry,
    Board,
    BoardRules,
    Imprint,
    League,
    LedgerEntry,
    LogHead,
    Match,
    MatchEvent,
    MatchVersion,
    Membership,
    Mode,
    Participant,
    Player,
    PlayerAlias,
    PlayerGroup,
    RequestKey,
    Revision,
    Season,
    StartingState,
)
from leagues.services.backup_checks import check_row, check_together, shared_columns
from leagues.services.backup_files import (
    FIRST_PROVED,
    FORMAT,
    BackupProblem,
    check_digest,
    format_of,
    read_lines,
)
from leagues.services.backup_rows import RowProblem, instance_of, line, pack_row, read_line
from leagues.services.baseline import ask_for_baseline, lay_baseline
from leagues.services.batches import batches
from leagues.services.integrity import site_digest
from leagues.services.ratings import enqueue_rating
from leagues.services.sealing import request_sealing
from leagues.store.name_words import words_of
from leagues.store.snapshot import snapshot

FIRST_WITH_SEALS: Final = 2
"""Before, there were no seals and no rules from a date; digests said less."""
MENDED_SYSTEMS: Final = ("ladder",)
"""Systems whose digests came out wrong in what wrote those formats (`services.mending`)."""
BATCH = 500

BACKUP_MODELS: tuple[type[models.Model], ...] = (
    get_user_model(),
    League,
    Membership,
    Mode,
    Season,
    Revision,
    Player,
    PlayerAlias,
    PlayerGroup,
    Match,
    Participant,
    MatchEvent,
    MatchVersion,
    LedgerEntry,
    AuditEntry,
    ApiToken,
    RequestKey,
    Board,
    BoardRules,
    StartingState,
    LogHead,
    Imprint,
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
    "verified_at": None,
    "verified_frontier": None,
    "verified_matches": None,
    "changes_verified_at": None,
    "differences": 0,
    "state": Board.State.READY,
    "problem": "",
}
"""A board that has computed nothing yet, in the words of backups."""

_UNCHECKED: Final[dict[str, Any]] = {"checked_at": None, "differences": 0}
_STARTS: Final[Mapping[type[models.Model], dict[str, Any]]] = {
    Board: BOARD_START,
    Season: _UNCHECKED,
    League: _UNCHECKED,
    Player: {"words": ""},
}

LEFT_OUT: Final[Mapping[str, str]] = {
    "leagues.standing": "computed again",
    "leagues.ratingsegment": "computed again",
    "leagues.revisedrating": "computed again",
    "leagues.boardday": "prepared again when requested",
    "leagues.packedstandings": "prepared again when requested",
    "leagues.limituse": "counts of the last minutes",
    "leagues.trial": "trials change nothing and can be run again",
    "leagues.job": "work of the old installation",
    "leagues.nightsheet": "results being typed; once entered, they are in the backup",
    "leagues.upload": "files being imported; once imported, their results are in the backup",
    "leagues.setuplink": "opens the old installation",
    "leagues.invitation": "opens the old installation",
    "auth.group": "Rungs does not use Django's groups",
    "auth.permission": "created by migrations",
    "contenttypes.contenttype": "created by migrations",
    "sessions.session": "everyone signs in again",
    "admin.logentry": "the log of the league and its revisions record it",
    "axes.accessattempt": "failed sign-ins, kept for a while",
    "axes.accessattemptexpiration": "failed sign-ins, kept for a while",
    "axes.accessfailurelog": "failed sign-ins, kept for a while",
    "axes.accesslog": "sign-ins, kept for a while",
}
"""Every other table, and why it is in no backup."""


_ROW_START = re.compile(rb'\{"model": ?"([a-z.]{1,64})", ?"pk": ?(-?[0-9]{1,20})[,}]')
_BY_LABEL: Final = {model._meta.label_lower: model for model in BACKUP_MODELS}


@dataclass(frozen=True, slots=True)
class Restored:
    """What a backup was, and the digest of the ratings it was written with.

    The digest is None where the format is so old that ratings hold more now.
    """

    format: int
    rows: int
    digest: str | None
    other_math: tuple[str, ...]
    """The boards that were computed where, or when, last bits came out otherwise than here."""

    @property
    def is_proved(self) -> bool:
        """Whether every byte was compared with a digest."""
        return self.format >= FIRST_PROVED


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    instance: models.Model

    def __str__(self) -> str:
        return f"Line {self.line} ({self.instance._meta.label_lower} {self.instance.pk})"


@dataclass(slots=True)
class _Contents:
    """What was found in a file on the way through it."""

    format: int = 0
    rows: int = 0
    end: dict[str, Any] | None = None


def write_backup(target: IO[bytes]) -> str:
    """Write everything that was said to `target` and return the digest of what it computes to."""
    with snapshot(), gzip.GzipFile(fileobj=target, mode="wb", mtime=0) as file:
        proof = hashlib.sha256()

        def write(text: bytes) -> None:
            proof.update(text)
            file.write(text)

        digest = site_digest()
        counts: dict[str, int] = {}
        write(line({"rungs": FORMAT}))
        for model in BACKUP_MODELS:
            count = 0
            for row in _rows(model):
                write(pack_row(row, _STARTS.get(model, {})))
                count += 1
            counts[model._meta.label_lower] = count
        write(line({"digest": digest, "counts": counts}))
        file.write(line({"sha256": proof.hexdigest()}))
    return digest


def restore_backup(source: IO[bytes]) -> Restored:
    """Read a backup into an empty database and queue its ratings.

    All or nothing: a damaged file, or a process that is killed, leaves the database as it was.
    """
    if League.objects.exists() or get_user_model().objects.exists():
        raise BackupProblem("This installation is not empty. Restore the backup into a new one.")
    check_digest(source)
    with transaction.atomic():
        contents = _Contents()
        sealed: list[Season] = []
        for batch in batches(_file_rows(source, contents), BATCH):
            for season in _store(batch):
                sealed.append(season)
            faultpoint("restored_rows")
        _check_end(contents)
        _check_own_references()
        try:
            check_together()
        except RowProblem as problem:
            raise BackupProblem(f"{problem}.") from problem
        _reset_sequences()
        if LogHead._meta.label_lower not in (contents.end or {})["counts"]:
            # It was written before there were hashes of what it holds.
            ask_for_baseline()
            lay_baseline()
        boards = list(Board.objects.select_related("league", "season").order_by("pk"))
        for board in boards:
            enqueue_rating(board)
        for season in sealed:
            _seal_again(season, contents.format)
        faultpoint("before_restore_commit")
    digest = (contents.end or {}).get("digest")
    return Restored(
        contents.format,
        contents.rows,
        digest if contents.format >= FIRST_WITH_SEALS else None,
        tuple(f"{board.season}: {board}" for board in boards if _had_other_math(board)),
    )


def _rows(model: type[models.Model]) -> Iterator[models.Model]:
    rows = model._default_manager.order_by("pk")
    if model is Match:
        rows = rows.exclude(status=Match.Status.STAGED)
    elif model in (Participant, MatchEvent):
        rows = rows.exclude(match__status=Match.Status.STAGED)
    elif model is Revision:
        rows = rows.filter(state=Revision.State.APPLIED)
    elif model is Player:
        rows = rows.exclude(revision__state=Revision.State.STAGED)
    yield from rows.iterator(chunk_size=2000)


def _file_rows(source: IO[bytes], contents: _Contents) -> Iterator[_Row]:
    """Yield the rows of a file, and note in `found` what it says of itself."""
    for number, text in read_lines(source):
        if number == 1:
            contents.format = format_of(text)
            continue
        try:
            row = read_line(text)
            if set(row) == {"sha256"} and contents.format >= FIRST_PROVED:
                continue
            if contents.end is not None:
                raise RowProblem("there is something after the end")
            if "digest" in row:
                contents.end = _end_of(row)
                continue
            label = _short(row.get("model"))
            model = _BY_LABEL.get(label)
            if model is None:
                raise RowProblem(f"backups have no rows of {label!r}")
            instance = instance_of(model, row, _STARTS.get(model, {}))
            check_row(instance)
            if isinstance(instance, Player):
                instance.words = words_of(instance.name)
            yield _Row(number, instance)
        except RowProblem as problem:
            raise BackupProblem(f"Line {number}{_row_name(text)}: {problem}.") from problem
        contents.rows += 1


def _row_name(text: bytes) -> str:
    """Which row a line is, as far as it can be read."""
    start = _ROW_START.match(text)
    return f" ({start[1].decode()} {start[2].decode()})" if start else ""


def _short(value: Any) -> str:
    """What stands for a model or a key, in few letters, whatever was written in its place."""
    return "…" if isinstance(value, list | dict) else str(value)[:64]


def _end_of(row: dict[str, Any]) -> dict[str, Any]:
    counts = row.get("counts")
    if set(row) != {"digest", "counts"} or not isinstance(row["digest"], str):
        raise RowProblem("the end must have a digest and counts, and nothing else")
    if not isinstance(counts, dict) or not set(counts) <= set(_BY_LABEL):
        raise RowProblem("the end counts rows that backups do not have")
    if not all(isinstance(count, int) for count in counts.values()):
        raise RowProblem("the counts at the end must be whole numbers")
    return row


def _store(batch: Sequence[_Row]) -> Iterator[Season]:
    """Insert rows; yield the seasons that were sealed.

    Those are stored as closing: what they show has to be computed before they can be sealed.
    """
    by_model: dict[type[models.Model], list[_Row]] = {}
    for row in batch:
        if isinstance(row.instance, Season) and row.instance.is_sealed:
            yield copy.copy(row.instance)
            row.instance.state = Season.State.CLOSING
        by_model.setdefault(type(row.instance), []).append(row)
    for model, rows in by_model.items():
        _check_references(model, rows)
        _insert(model, rows)


def _check_references(model: type[models.Model], rows: Sequence[_Row]) -> None:
    """Refuse rows that point at what is not there, not there yet, or another league's."""
    for field in _references(model):
        if field.related_model is model:
            continue
        wanted = {key for row in rows if (key := getattr(row.instance, field.attname)) is not None}
        if not wanted:
            continue
        label, shared = field.related_model._meta.label_lower, shared_columns(field)
        there = field.related_model._default_manager.filter(pk__in=wanted)
        known = {key: others for key, *others in there.values_list("pk", *shared)}
        for row in rows:
            key = getattr(row.instance, field.attname)
            if key is None:
                continue
            if key not in known:
                raise BackupProblem(f"{row}: {field.name}: there is no {label} {key}.")
            for name, other in zip(shared, known[key], strict=True):
                if getattr(row.instance, name) != other:
                    words = f"{label} {key} belongs to another {name.removesuffix('_id')}"
                    raise BackupProblem(f"{row}: {field.name}: {words}.")


def _references(model: type[models.Model]) -> list[models.ForeignKey[Any, Any]]:
    fields = model._meta.concrete_fields
    return [field for field in fields if isinstance(field, models.ForeignKey)]


def _check_own_references() -> None:
    """Refuse rows that point at rows of their own kind which are not there."""
    for model in BACKUP_MODELS:
        for field in _references(model):
            if field.related_model is not model:
                continue
            name, rows = field.attname, model._default_manager
            lost = rows.filter(**{f"{name}__isnull": False}).exclude(
                **{f"{name}__in": rows.values("pk")}
            )
            if (row := lost.first()) is not None:
                label = model._meta.label_lower
                raise BackupProblem(
                    f"{label} {row.pk}: {field.name}: there is no {label} {getattr(row, name)}."
                )


def _insert(model: type[models.Model], rows: Sequence[_Row]) -> None:
    """Insert rows of a model; where the database refuses them, find the first it does not take."""
    # Past managers that would add to rows: these bring along what they had.
    manager = model._base_manager
    try:
        with transaction.atomic():
            manager.bulk_create([row.instance for row in rows])
    except DatabaseError as refusal:
        for row in rows:
            try:
                with transaction.atomic():
                    manager.bulk_create([row.instance])
            except DatabaseError as error:
                raise BackupProblem(f"{row}: the database refused it: {_words(error)}") from error
        raise BackupProblem(f"The database refused the rows: {_words(refusal)}") from refusal


def _words(error: DatabaseError) -> str:
    return str(error).partition("\n")[0]


def _check_end(contents: _Contents) -> None:
    if contents.end is None:
        raise BackupProblem("The file is incomplete.")
    for model in BACKUP_MODELS:
        stored = model._default_manager.count()
        written = contents.end["counts"].get(model._meta.label_lower, 0)
        if stored != written:
            name = model._meta.verbose_name_plural
            raise BackupProblem(f"{name}: {written} rows were written, but the file has {stored}.")


def _seal_again(season: Season, backup_format: int) -> None:
    """Let a season get back its seal, once its boards are computed and show what was sealed.

    Some come out otherwise here: those a former release computed wrongly, and those that were
    computed under other mathematics, or by another release in other steps.
    """
    mended = MENDED_SYSTEMS if backup_format < FIRST_PROVED else ()
    otherwise = [
        board.pk
        for board in season.boards.order_by("pk")
        if board.system in mended or _had_other_math(board)
    ]
    request_sealing(
        season,
        None,
        state=season.state,
        sealed_at=season.sealed_at,
        expected=season.sealed_digest,
        otherwise=otherwise,
    )


def _had_other_math(board: Board) -> bool:
    """Whether last bits of a board in a backup came out otherwise than they do here."""
    # Where a backup does not tell, it was made by the first steps.
    was = board.math_fingerprint or bridge.math_fingerprint()
    return was != bridge.math_fingerprint(board.system)


def _reset_sequences() -> None:
    statements = connection.ops.sequence_reset_sql(no_style(), list(BACKUP_MODELS))
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
