"""The lines of a log, one at a time, whatever they are encoded in."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO, Final

from ratings.gamelogs.sessions import Problems

MAX_LINE: Final = 1 << 16
"""Bytes of a line at most; a longer one is left out."""

TOO_LONG: Final = "The line is longer than 64 kB."
_UTF16_MARK: Final = b"\xff\xfe"
_UTF8_MARK: Final = "\ufeff"


def numbered_lines(stream: BinaryIO, problems: Problems) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers from 1, without their ends; never raises."""
    reader: BinaryIO | io.TextIOWrapper = stream
    head = stream.read(4)
    stream.seek(-len(head), io.SEEK_CUR)
    is_utf16 = head[:2] == _UTF16_MARK or (len(head) == 4 and head[1] == head[3] == 0 < head[0])
    if is_utf16:
        reader = io.TextIOWrapper(stream, "utf-16-le", errors="replace", newline="\n")
    number = 0
    while line := reader.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            problems.add(number, TOO_LONG)
            while line and line[-1:] not in (b"\n", "\n"):
                line = reader.readline(MAX_LINE + 1)
            continue
        text = line if isinstance(line, str) else decoded(line)
        yield number, (text.lstrip(_UTF8_MARK) if number == 1 else text).rstrip("\r\n")
    if isinstance(reader, io.TextIOWrapper):
        reader.detach()


def decoded(line: bytes) -> str:
    """The text of a line: UTF-8, else what Western Windows writes."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        # 0x81 and four others mean nothing there; Latin-1 knows every byte.
        try:
            return line.decode("cp1252")
        except UnicodeDecodeError:
            return line.decode("latin-1")


def head_lines(head: bytes) -> list[str]:
    """The lines that a file begins with, for recognising it."""
    return [text for _, text in numbered_lines(io.BytesIO(head), Problems())]
