"""A backup as a file: its lines, its format and the digest that proves it whole."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from typing import IO, Final

from leagues.services.backup_rows import RowProblem, read_line

FORMAT: Final = 3
FIRST_PROVED: Final = 3
"""Before, nothing proved the rows but the digest of the ratings, and no request keys were kept;
and some boards were computed wrongly, which are sealed again (`services.mending`)."""
LONGEST_LINE: Final = 64 * 1024 * 1024
MOST_TIMES_PACKED: Final = 500
"""No backup is that many times as long as what it is packed into."""


class BackupProblem(Exception):
    """The file is not a backup, or cannot be restored here; nothing was changed."""


def read_lines(source: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a packed file with their numbers, from its beginning, in little memory."""
    size = source.seek(0, 2)
    source.seek(0)
    length = number = 0
    try:
        with gzip.GzipFile(fileobj=source) as file:
            while text := file.readline(LONGEST_LINE + 1):
                number += 1
                length += len(text)
                if len(text) > LONGEST_LINE or length > size * MOST_TIMES_PACKED:
                    raise BackupProblem(f"Line {number}: the file is too long to be a backup.")
                yield number, text
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        where = f" after line {number}" if number else ""
        raise BackupProblem(f"The file is damaged or is not a backup{where}: {error}") from error


def check_digest(source: IO[bytes]) -> None:
    """Compare the file with the digest in its last line; former formats have none."""
    proof = hashlib.sha256()
    format_number, last = 0, b""
    for number, text in read_lines(source):
        if number == 1:
            format_number = format_of(text)
            if format_number < FIRST_PROVED:
                return
        proof.update(last)
        last = text
    if not format_number:
        raise BackupProblem("The file is empty.")
    try:
        end = read_line(last)
    except RowProblem:
        end = {}
    if set(end) != {"sha256"}:
        raise BackupProblem("The file is incomplete: the digest in its last line is missing.")
    if end["sha256"] != proof.hexdigest():
        raise BackupProblem(
            "The file was changed or damaged: its digest does not match. Nothing was restored."
        )


def format_of(text: bytes) -> int:
    try:
        head = read_line(text)
    except RowProblem as problem:
        raise BackupProblem(f"The file is damaged or is not a backup: {problem}.") from problem
    number = head.get("rungs")
    if (
        set(head) != {"rungs"}
        or not isinstance(number, int)
        or isinstance(number, bool)
        or number < 1
    ):
        raise BackupProblem(
            "The file is damaged or is not a backup: its first line does not name a format."
        )
    if number > FORMAT:
        raise BackupProblem(
            f"The backup has format {number}, but this release can only read formats up to "
            f"{FORMAT}. Restore it with the release that wrote it, or a newer one."
        )
    return number
