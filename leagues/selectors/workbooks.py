"""XLSX files of one sheet, written piece by piece, as spreadsheet programs open them.

Texts stand in their cells as texts, so that nothing is computed and no key becomes a number.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from typing import Final
from xml.sax.saxutils import escape

from leagues.selectors.spreadsheets import Value, guard_cell

_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_TYPES: Final = "application/vnd.openxmlformats"
_SHEET_TYPE: Final = "-officedocument.spreadsheetml"
_PARTS: Final = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{_TYPES}-package.relationships+xml"/>'
        '<Override PartName="/xl/workbook.xml" '
        f'ContentType="{_TYPES}{_SHEET_TYPE}.sheet.main+xml"/>'
        '<Override PartName="/xl/worksheets/sheet1.xml" '
        f'ContentType="{_TYPES}{_SHEET_TYPE}.worksheet+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        '<sheet name="Results" sheetId="1" r:id="rId1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'
    ),
}
_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_ESCAPED: Final = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
"""What a program would take for the number of a character."""
_LARGE: Final = 10**15
"""From here on programs round numbers, so they are written as text."""


def workbook(head: Iterable[str], rows: Iterable[Iterable[Value]]) -> Iterator[bytes]:
    """Yield the bytes of a workbook with these rows below their names."""
    pieces = _Pieces()
    with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, text in _PARTS.items():
            archive.writestr(name, _DECLARATION + text)
        with archive.open("xl/worksheets/sheet1.xml", "w") as sheet:
            sheet.write(f'{_DECLARATION}<worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            sheet.write(_row(head))
            for row in rows:
                sheet.write(_row(row))
                yield pieces.taken()
            sheet.write(b"</sheetData></worksheet>")
    yield pieces.taken()


def _row(values: Iterable[Value]) -> bytes:
    return f"<row>{''.join(map(_cell, values))}</row>".encode()


def _cell(value: Value) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, int) and abs(value) >= _LARGE:
        value = str(value)
    if isinstance(value, str):
        text = escape(_ESCAPED.sub("_x005F_", str(guard_cell(value))))
        return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    return f"<c><v>{value!r}</v></c>"


class _Pieces:
    """A file that can only be written to, and whose content is taken from it."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Nothing is open."""

    def taken(self) -> bytes:
        whole = b"".join(self._pieces)
        self._pieces.clear()
        return whole
