"""Tell from the first bytes what a file is, and from all bytes how its text is encoded."""

from __future__ import annotations

import codecs
import re
from typing import BinaryIO, Final

from ratings.files.exported import refuse_exported_standings
from ratings.files.problems import FileProblem
from ratings.files.startgg import refuse_other_startgg
from ratings.files.unpacking import OTHER_PACKINGS

HEAD_LENGTH = 4096

_CSV_PLEASE = "save the table as CSV and use that file"
_REFUSED: Final[tuple[tuple[bytes, str], ...]] = (
    (b"MZ", "This is a Windows program, not a table"),
    (b"\x7fELF", "This is a program, not a table"),
    (b"%PDF", f"This is a PDF document; {_CSV_PLEASE}"),
    (b"\xd0\xcf\x11\xe0", f"This is an old Excel or Word file; {_CSV_PLEASE}, or as .xlsx"),
    (b"{\\rtf", f"This is an RTF document; {_CSV_PLEASE}"),
    *OTHER_PACKINGS,
    (b"PK\x05\x06", "This is an empty zip archive, not a table"),
    (b"SQLite format 3", "This is an SQLite database, not a table"),
    (b"\x89PNG", "This is a picture, not a table"),
    (b"\xff\xd8\xff", "This is a picture, not a table"),
    (b"GIF8", "This is a picture, not a table"),
)
_MARKUP = re.compile(rb"\s*<(?:!doctype|html|head|body|table|\?xml|!--|svg)", re.IGNORECASE)
_JSON = re.compile(rb'\s*(?:\{\s*["}]|\[\s*[\[{])')
_RESULTS_PLEASE = "export its results as CSV, a match per line, and use that file"
_PGN = re.compile(rb"\s*\[Event ")
_TRF = re.compile(rb"(?:[^\r\n]*\r?\n){0,3}(?:0[1-9]2 \S|001 +\d)")
_EGF = re.compile(rb"(?:;[^\r\n]*\r?\n)*; ?(?:TC|CL|EV|PC)\[")
_BLOCK = 1 << 20
_TWO_BYTES = re.compile(rb"[\xc3-\xc5][\x80-\xbf]")
"""A Latin letter with a mark in UTF-8; as Windows-1252 it would be two characters of no word."""


def refuse_other_content(head: bytes) -> None:
    """Raise FileProblem where the first bytes show something that is not a text table (B-70)."""
    for signature, words in _REFUSED:
        if head.startswith(signature):
            raise FileProblem(f"{words}.")
    if _MARKUP.match(head.removeprefix(codecs.BOM_UTF8)):
        raise FileProblem(f"This is a web page or XML, not a table; {_CSV_PLEASE}.")
    if _JSON.match(head.removeprefix(codecs.BOM_UTF8)):
        refuse_other_startgg(head.removeprefix(codecs.BOM_UTF8))
        refuse_exported_standings(head.removeprefix(codecs.BOM_UTF8))
        raise FileProblem(
            "This is JSON. Only the results of a season and the matches of a start.gg event can be "
            "imported as JSON; convert other files to CSV."
        )
    _refuse_tournaments(head.removeprefix(codecs.BOM_UTF8))


def _refuse_tournaments(head: bytes) -> None:
    if _PGN.match(head):
        raise FileProblem(f"These are chess games (PGN), not a table; {_RESULTS_PLEASE}.")
    if _TRF.match(head):
        raise FileProblem(f"This is a tournament report of FIDE (TRF); {_RESULTS_PLEASE}.")
    if _EGF.match(head):
        raise FileProblem(f"This is a Go tournament (EGF), not a table; {_RESULTS_PLEASE}.")


def encoding_and_lines(stream: BinaryIO) -> tuple[str, int]:
    """Read the stream to its end and return the encoding its bytes allow, and its line feeds.

    UTF-8 wins wherever it is possible; UTF-16 needs its mark; anything else is taken for
    Windows-1252, which callers show for confirmation.
    """
    block = stream.read(_BLOCK)
    if block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16", _decode_to_the_end(stream, block, "utf-16")
    encoding = "utf-8-sig" if block.startswith(codecs.BOM_UTF8) else "utf-8"
    decoders = {name: codecs.getincrementaldecoder(name)() for name in ("utf-8", "cp1252")}
    line = 1
    has_utf8 = False
    while block:
        has_utf8 = has_utf8 or _TWO_BYTES.search(block) is not None
        if b"\0" in block:
            raise FileProblem(
                "This is not a text file: it contains null bytes.",
                line=line + block[: block.index(b"\0")].count(b"\n"),
            )
        for name in tuple(decoders):
            try:
                decoders[name].decode(block)
            except UnicodeDecodeError:
                del decoders[name]
        if not decoders:
            raise FileProblem(
                "The text is neither UTF-8 nor Windows-1252; save it as UTF-8.", line=line
            )
        line += block.count(b"\n")
        block = stream.read(_BLOCK)
    if "utf-8" in decoders:
        try:
            decoders["utf-8"].decode(b"", final=True)
        except UnicodeDecodeError:
            del decoders["utf-8"]
    if "utf-8" in decoders:
        return encoding, line - 1
    if "cp1252" in decoders and has_utf8:
        raise FileProblem(
            "The file mixes UTF-8 and Windows-1252, so some names would be garbled; save "
            "it again as UTF-8."
        )
    if "cp1252" in decoders:
        return "cp1252", line - 1
    raise FileProblem("The text ends in the middle of a character.", line=line)


def _decode_to_the_end(stream: BinaryIO, block: bytes, encoding: str) -> int:
    """Return the line feeds of the text."""
    decoder = codecs.getincrementaldecoder(encoding)()
    feeds = 0
    try:
        while block:
            feeds += decoder.decode(block).count("\n")
            block = stream.read(_BLOCK)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise FileProblem("The text says it is UTF-16 but is not.") from None
    return feeds
