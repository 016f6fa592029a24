"""The ways into a log: which format it has, and its sessions."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import BinaryIO, Final

from ratings.gamelogs.building import LineReader
from ratings.gamelogs.call_of_duty import CallOfDutyReader, is_call_of_duty
from ratings.gamelogs.half_life import HalfLifeReader, is_half_life
from ratings.gamelogs.json_lines import JsonLinesReader, is_json_lines
from ratings.gamelogs.lines import head_lines, numbered_lines
from ratings.gamelogs.quake3 import Quake3Reader, is_quake3
from ratings.gamelogs.quakeworld import is_quakeworld, quakeworld_sessions
from ratings.gamelogs.sessions import GameSession, LogFormat, LogReport, Problems
from ratings.gamelogs.teeworlds import TeeworldsReader, is_teeworlds
from ratings.gamelogs.unreal import UnrealReader, is_unreal
from ratings.gamelogs.xonotic import XonoticReader, is_xonotic

HEAD: Final = 1 << 16
"""Bytes of a file's beginning that decide its format."""

MAX_DOCUMENT: Final = 1 << 23
"""Bytes of a log that is one JSON document."""

_READERS: Final[dict[LogFormat, type[LineReader]]] = {
    LogFormat.QUAKE3: Quake3Reader,
    LogFormat.HALF_LIFE: HalfLifeReader,
    LogFormat.CALL_OF_DUTY: CallOfDutyReader,
    LogFormat.XONOTIC: XonoticReader,
    LogFormat.UNREAL: UnrealReader,
    LogFormat.TEEWORLDS: TeeworldsReader,
    LogFormat.JSON_LINES: JsonLinesReader,
}
_SIGNS: Final[tuple[tuple[LogFormat, Callable[[list[str]], bool]], ...]] = (
    (LogFormat.JSON_LINES, is_json_lines),
    (LogFormat.QUAKEWORLD, is_quakeworld),
    (LogFormat.CALL_OF_DUTY, is_call_of_duty),
    (LogFormat.QUAKE3, is_quake3),
    (LogFormat.XONOTIC, is_xonotic),
    (LogFormat.UNREAL, is_unreal),
    (LogFormat.TEEWORLDS, is_teeworlds),
    (LogFormat.HALF_LIFE, is_half_life),
)


class NoGameLog(ValueError):
    """The file is no log of a format that is known; the only exception of this package."""


def recognise(head: bytes) -> LogFormat | None:
    """The format of a log that begins so; None where it is none that is known."""
    lines = head_lines(head[:HEAD])
    return next((log_format for log_format, is_it in _SIGNS if is_it(lines)), None)


def read_sessions(
    stream: BinaryIO, log_format: LogFormat, problems: Problems
) -> Iterator[GameSession]:
    """Yield each session as soon as it has ended; memory grows with the longest only."""
    if log_format == LogFormat.QUAKEWORLD:
        return quakeworld_sessions(stream.read(MAX_DOCUMENT), problems)
    return _READERS[log_format](problems).sessions(numbered_lines(stream, problems))


def read_log(data: bytes) -> LogReport:
    """Everything in a log; raises NoGameLog where its format is not known."""
    log_format = recognise(data[:HEAD])
    if log_format is None:
        raise NoGameLog("This is not a game log of a known format.")
    problems = Problems()
    sessions = tuple(read_sessions(io.BytesIO(data), log_format, problems))
    return LogReport(log_format, sessions, problems)
