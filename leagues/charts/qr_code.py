"""A QR code of an address, as one path of an SVG."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Final

import segno

QUIET: Final = 4
"""Modules of white around the code, by which cameras find it."""


@dataclass(frozen=True, slots=True)
class QrCode:
    """The dark modules as a path within a square of so many modules, the quiet zone included."""

    size: int
    path: str


def qr_code(text: str) -> QrCode:
    """The code of a text, which a fold or a stain does not make unreadable."""
    # Micro codes are left out: many phones do not read them.
    rows = segno.make(text, error="m", micro=False).matrix
    return QrCode(len(rows) + 2 * QUIET, "".join(map(_row, range(len(rows)), rows)))


def _row(number: int, modules: bytearray) -> str:
    """The runs of dark modules of a row."""
    parts, at = [], QUIET
    for is_dark, run in groupby(modules):
        length = len(list(run))
        if is_dark:
            parts.append(f"M{at} {number + QUIET}h{length}v1h-{length}z")
        at += length
    return "".join(parts)
