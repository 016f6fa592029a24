"""Workbooks: read in a process of their own, so that no file can take this one with it."""

from __future__ import annotations

import io
import zipfile

import pytest

from ratings.files.problems import FileProblem
from ratings.files.tables import UPLOAD_LIMITS, Limits, open_table
from tests.ratings.files.reading import read, told

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
SPREAD = "application/vnd.openxmlformats-officedocument.spreadsheetml"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OASIS = "urn:oasis:names:tc:opendocument:xmlns"


def packed(members: dict[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return file.getvalue()


def xlsx(**sheets: str) -> bytes:
    """Return a workbook with these sheets, each given as its rows in XML."""
    numbered = list(enumerate(sheets.items(), start=1))
    return packed(
        {
            "[Content_Types].xml": f'<Types xmlns="{TYPES}">'
            '<Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{SPREAD}.sheet.main+xml"/>'
            "</Types>",
            "_rels/.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="r0" '
            f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
            + "".join(
                f'<sheet name="{name}" sheetId="{number}" r:id="r{number}"/>'
                for number, (name, _) in numbered
            )
            + "</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}">'
            + "".join(
                f'<Relationship Id="r{number}" Type="{OFFICE}/worksheet" '
                f'Target="worksheets/sheet{number}.xml"/>'
                for number, _ in numbered
            )
            + "</Relationships>",
        }
        | {
            f"xl/worksheets/sheet{number}.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{rows}'
            "</sheetData></worksheet>"
            for number, (_, rows) in numbered
        }
    )


def text_cell(place: str, text: str) -> str:
    return f'<c r="{place}" t="inlineStr"><is><t>{text}</t></is></c>'


def table_rows(*rows: tuple[str, ...]) -> str:
    return "".join(
        f'<row r="{line}">'
        + "".join(text_cell(f"{'ABCDEF'[at]}{line}", text) for at, text in enumerate(row))
        + "</row>"
        for line, row in enumerate(rows, start=1)
    )


def ods(rows: str) -> bytes:
    return packed(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f'<m:manifest xmlns:m="{OASIS}:manifest:1.0"/>',
            "content.xml": f'<office:document-content xmlns:office="{OASIS}:office:1.0" '
            f'xmlns:table="{OASIS}:table:1.0" xmlns:text="{OASIS}:text:1.0"><office:body>'
            f'<office:spreadsheet><table:table table:name="S">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        }
    )


def ods_row(*texts: str, attributes: str = "") -> str:
    return (
        f"<table:table-row{attributes}>"
        + "".join(
            '<table:table-cell office:value-type="string"><text:p>'
            f"{text}</text:p></table:table-cell>"
            for text in texts
        )
        + "</table:table-row>"
    )


RESULTS = table_rows(("winner", "loser", "score"), ("Ana", "Bo", "3:1"), ("Cy", "Di", "3:2"))


def test_the_first_sheet_that_is_not_empty_is_read() -> None:
    table = open_table(xlsx(Cover="", Results=RESULTS), limits=UPLOAD_LIMITS)
    assert (table.compression, table.sheet, table.sheets) == (
        "xlsx",
        "Results",
        ("Cover", "Results"),
    )
    assert list(table.rows) == [(2, ["Ana", "Bo", "3:1"]), (3, ["Cy", "Di", "3:2"])]


def test_another_sheet_is_read_where_it_is_named() -> None:
    book = xlsx(One=RESULTS, Two=table_rows(("winner", "loser"), ("Eve", "Flo")))
    assert len(list(open_table(book, limits=UPLOAD_LIMITS, sheet="Two").rows)) == 1
    with pytest.raises(FileProblem, match=r"no sheet “Three”\. The file has: One, Two"):
        open_table(book, limits=UPLOAD_LIMITS, sheet="Three")


def test_numbers_and_truths_are_read_as_a_csv_file_would_have_them() -> None:
    cells = (
        '<row r="1">' + text_cell("A1", "winner") + text_cell("B1", "loser")
        + text_cell("C1", "winner_score") + text_cell("D1", "loser_score")
        + text_cell("E1", "rated") + "</row>"
        '<row r="2">' + text_cell("A2", "Ana") + text_cell("B2", "Bo")
        + '<c r="C2"><v>10</v></c><c r="D2"><v>7.0</v></c><c r="E2" t="b"><v>0</v></c></row>'
    )  # fmt: skip
    good, bad = read(xlsx(S=cells))
    assert bad == []
    assert [told(result) for result in good] == ["Ana 1 (10) / Bo 2 (7)"]
    assert good[0].kind == "unrated"


def test_an_opendocument_sheet_is_read_and_its_endless_blank_rows_are_not() -> None:
    blank = (
        '<table:table-row table:number-rows-repeated="1048000">'
        '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
    )
    good, bad = read(ods(ods_row("winner", "loser") + ods_row("Ana", "Bo") + blank))
    assert bad == []
    assert [told(result) for result in good] == ["Ana 1 / Bo 2"]


FAR = table_rows(("winner", "loser")) + f'<row r="1048576">{text_cell("XFD1048576", "x")}</row>'
WIDE_ODS = (
    '<table:table-row><table:table-cell table:number-columns-repeated="16000"/>'
    '<table:table-cell office:value-type="string"><text:p>x</text:p></table:table-cell>'
    "</table:table-row>"
)


@pytest.mark.parametrize("book", [xlsx(S=FAR), ods(WIDE_ODS * 16000)], ids=["xlsx", "ods"])
def test_a_small_file_that_asks_for_all_memory_is_refused(book: bytes) -> None:
    with pytest.raises(FileProblem, match="cannot be read"):
        list(open_table(book, limits=UPLOAD_LIMITS).rows)


def test_a_row_repeated_without_end_is_refused_by_the_limit() -> None:
    book = ods(
        ods_row("winner", "loser")
        + ods_row("Ana", "Bo", attributes=' table:number-rows-repeated="99999999"')
    )
    with pytest.raises(FileProblem, match="more than 50 rows"):
        list(open_table(book, limits=Limits(rows=50)).rows)


def test_a_long_cell_in_a_sheet_is_refused() -> None:
    book = xlsx(S=table_rows(("winner", "loser"), ("Ana", "x" * 5000)))
    with pytest.raises(FileProblem, match="cell is longer than 4096"):
        open_table(book, limits=UPLOAD_LIMITS)


def test_a_damaged_workbook_is_refused() -> None:
    with pytest.raises(FileProblem, match="cannot be read"):
        open_table(packed({"xl/workbook.xml": "nonsense"}), limits=UPLOAD_LIMITS)


def test_sheets_may_be_forbidden() -> None:
    with pytest.raises(FileProblem, match="save it as CSV"):
        open_table(xlsx(S=RESULTS), limits=Limits(allow_sheets=False))


def test_a_table_that_is_not_read_to_its_end_leaves_no_process_behind() -> None:
    book = ods(
        ods_row("winner", "loser")
        + ods_row("Ana", "Bo", attributes=' table:number-rows-repeated="90000"')
    )
    table = open_table(book, limits=UPLOAD_LIMITS)
    assert table.sample(5)
    del table
