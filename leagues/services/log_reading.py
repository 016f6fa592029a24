"""Reading the logs of game servers: the games they hold, whatever the league they go into."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO, Final

from django.utils.translation import gettext as _

from leagues.services.log_games import LeftOut, LoggedGame, game_of, key_of
from ratings.files.problems import FileProblem
from ratings.files.unpacking import (
    GZIP,
    OTHER_PACKINGS,
    PACKED_TWICE,
    UNPACK_ARCHIVE,
    ZIP,
    gzip_copy,
    open_gzip,
)
from ratings.gamelogs.reading import HEAD, read_sessions, recognise
from ratings.gamelogs.sessions import GameSession, LogFormat, Problems

FORMATS: Final = tuple(log_format.value for log_format in LogFormat)


class LogProblem(Exception):
    """A log that cannot be read at all; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class LogOptions:
    """How logs are read, whatever the league their games go into."""

    log_format: str = ""
    with_bots: bool = False
    with_broken_off: bool = False


UNPACKED_BYTES: Final = 1_000_000_000
"""What a compressed log may hold when it is unpacked, unless the caller allows less."""
MAX_REASONS: Final = 50
"""Reasons that are told apart by whom they are about: one log can hold thousands of names."""


@dataclass(slots=True)
class LogContents:
    """What logs hold, whatever the league they go into."""

    files: list[tuple[str, str]] = field(default_factory=list)
    """Names and formats."""
    sessions: int = 0
    players: set[str] = field(default_factory=set)
    events: Counter[str] = field(default_factory=Counter)
    games: list[LoggedGame] = field(default_factory=list)
    left_out: Counter[LeftOut] = field(default_factory=Counter)
    events_left_out: Counter[LeftOut] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    """Lines that were not understood, by reason."""


def read_logs(files: Sequence[Path], options: LogOptions) -> LogContents:
    """Read logs; raises LogProblem, with the name of the file, for what is none."""
    contents = LogContents()
    for path in files:
        try:
            with path.open("rb") as stream:
                read_log_into(contents, path.name, stream, options)
        except OSError as error:
            words = _("%(file)s cannot be read: %(reason)s")
            raise LogProblem(words % {"file": path.name, "reason": error.strerror}) from error
        except LogProblem as problem:
            raise LogProblem(f"{path.name}: {problem}") from problem
    return contents


def read_log_into(
    contents: LogContents,
    name: str,
    stream: BinaryIO,
    options: LogOptions,
    *,
    most_bytes: int = UNPACKED_BYTES,
) -> None:
    """Add what a log holds to contents; raises LogProblem for what is none.

    `most_bytes` is what a compressed log may hold.
    """
    try:
        opened, head = _opened(stream, most_bytes)
    except FileProblem as problem:
        raise LogProblem(problem.reason) from problem
    log_format = _format_of(head, options)
    problems = Problems()
    _take(contents, read_sessions(opened, log_format, problems), options)
    contents.files.append((name, log_format.value))
    contents.problems.update(problems.by_reason)


def is_log(content: bytes) -> bool:
    """Whether some bytes are a game log of a known format, as it is or packed by gzip."""
    head = content[:HEAD]
    if head.startswith(GZIP):
        try:
            head = open_gzip(io.BytesIO(content), UNPACKED_BYTES).read(HEAD)
        except FileProblem:
            return False
    return recognise(head) is not None


def _opened(stream: BinaryIO, most_bytes: int) -> tuple[BinaryIO, bytes]:
    """A log as a stream that can seek, and its head."""
    head = stream.read(HEAD)
    stream.seek(0)
    if head.startswith(GZIP):
        stream = gzip_copy(stream, most_bytes)
        head = stream.read(HEAD)
        stream.seek(0)
        if head.startswith(GZIP):
            raise FileProblem(PACKED_TWICE)
    for signature, words in OTHER_PACKINGS:
        if head.startswith(signature):
            raise FileProblem(f"{words}.")
    if head.startswith(ZIP):
        raise FileProblem(UNPACK_ARCHIVE)
    return stream, head


def _format_of(head: bytes, options: LogOptions) -> LogFormat:
    if options.log_format:
        return LogFormat(options.log_format)
    if not head:
        raise LogProblem(_("The file is empty."))
    log_format = recognise(head)
    if log_format is None:
        words = _(
            "This is not a game log of a known format. If it is one that begins with other lines, "
            "or in the middle of a game, name its format with --format."
        )
        raise LogProblem(words)
    return log_format


def _take(contents: LogContents, sessions: Iterable[GameSession], options: LogOptions) -> None:
    for number, session in enumerate(sessions):
        contents.sessions += 1
        contents.events.update(event.kind.value for event in session.events)
        contents.players.update(
            key_of(session, player) or player.identity or player.name
            for player in session.players
            if not player.is_spectator
        )
        game = game_of(
            session,
            number,
            with_bots=options.with_bots,
            with_broken_off=options.with_broken_off,
        )
        if isinstance(game, LeftOut):
            is_listed = game in contents.left_out or len(contents.left_out) < MAX_REASONS
            contents.left_out[game if is_listed else replace(game, name="")] += 1
            continue
        contents.games.append(game)
        contents.events_left_out.update(game.events_left_out)
