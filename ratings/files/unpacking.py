"""What a file is packed with, and what gzip packed: never more of it than a limit."""

from __future__ import annotations

import gzip
import io
import shutil
import tempfile
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO, Final

from ratings.files.problems import FileProblem

GZIP: Final = b"\x1f\x8b"
ZIP: Final = b"PK\x03\x04"
OTHER_PACKINGS: Final[tuple[tuple[bytes, str], ...]] = (
    (b"BZh", "This file is compressed with bzip2; decompress it first"),
    (b"\xfd7zXZ", "This file is compressed with xz; decompress it first"),
    (b"7z\xbc\xaf", "This is a 7-Zip archive; unpack it first"),
    (b"Rar!", "This is a RAR archive; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "This file is compressed with zstd; decompress it first"),
)
"""How files of packings begin that are not read, and what to do with them."""
UNPACK_ARCHIVE: Final = "This is a zip archive; unpack it and use the files in it."
PACKED_TWICE: Final = "This file is compressed twice; decompress it first."
_IN_MEMORY: Final = 1 << 22


class Bounded(io.RawIOBase):
    """A reader that stops with a FileProblem after so many bytes, or where the packing breaks."""

    def __init__(self, read: Callable[[int], bytes], limit: int) -> None:
        self._read = read
        self._left = limit
        self._limit = limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            block = self._read(len(buffer))
        except (OSError, EOFError, zlib.error):
            raise FileProblem("The compressed file is damaged or cut off.") from None
        self._left -= len(block)
        if self._left < 0:
            raise FileProblem(
                f"The file is larger than {self._limit // 1_000_000} MB when decompressed."
            )
        buffer[: len(block)] = block
        return len(block)


def open_gzip(stream: BinaryIO, limit: int) -> io.BufferedReader:
    """What gzip packed in a stream, up to a limit; it cannot seek."""
    return io.BufferedReader(Bounded(gzip.GzipFile(fileobj=stream).read, limit))


def gzip_copy(stream: BinaryIO, limit: int) -> Any:
    """What gzip packed in a stream as a temporary file, which can seek."""
    copy = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
    shutil.copyfileobj(open_gzip(stream, limit), copy)
    copy.seek(0)
    return copy


def unpacked_size(data: bytes, limit: int) -> int:
    """How many bytes a file has once it is decompressed; raises FileProblem as reading it does."""
    if not data.startswith(GZIP):
        return len(data)
    return sum(map(len, iter(partial(open_gzip(io.BytesIO(data), limit).read, 1 << 20), b"")))
