"""Files as tables: separators, encodings, packing, limits, and what is refused by its content."""

from __future__ import annotations

import gzip
import io
import random
import zipfile

import pytest

from ratings.files.problems import FileProblem
from ratings.files.tables import UPLOAD_LIMITS, Limits, Table, open_table

PLAIN = "date,winner,loser\n2025-11-02,Ana,Bo\n2025-11-03,Cy,Dé\n"


def rows_of(data: bytes, limits: Limits = UPLOAD_LIMITS) -> list[tuple[int, list[str]]]:
    return list(open_table(data, limits=limits).rows)


def opened(text: str, encoding: str = "utf-8") -> Table:
    return open_table(text.encode(encoding), limits=Limits())


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_separator_is_found(delimiter: str) -> None:
    table = opened(PLAIN.replace(",", delimiter))
    assert table.delimiter == delimiter
    assert table.header == ("date", "winner", "loser")
    assert list(table.rows)[1] == (3, ["2025-11-03", "Cy", "Dé"])


def test_a_comma_in_the_text_does_not_hide_the_semicolons() -> None:
    table = opened(
        "Datum;Heim;Gast;Ergebnis\n1.2.2025;Ana, R.;Bo, L.;3:1\n2.2.2025;Cy, X;Di, Y;0:3\n"
    )
    assert table.delimiter == ";"


def test_excels_own_line_about_the_separator_is_obeyed() -> None:
    table = opened("sep=;\nwinner;loser\nAna,1;Bo\n")
    assert table.header == ("winner", "loser")
    assert list(table.rows) == [(3, ["Ana,1", "Bo"])]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_of_the_usual_ways(newline: str) -> None:
    assert [line for line, _ in opened(PLAIN.replace("\n", newline)).rows] == [2, 3]


@pytest.mark.parametrize(
    ("encoding", "told"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("utf-16", "utf-16"), ("cp1252", "cp1252")],
)
def test_the_encoding_is_found_and_told(encoding: str, told: str) -> None:
    table = opened(PLAIN, encoding)
    assert table.encoding == told
    assert table.header[0] == "date"
    assert list(table.rows)[1][1][2] == "Dé"


def test_gzip_is_known_by_content_whatever_the_name() -> None:
    table = open_table(gzip.compress(PLAIN.encode()), name="results.csv", limits=Limits())
    assert table.compression == "gzip"
    assert len(list(table.rows)) == 2


def test_a_stream_that_cannot_seek_is_read_as_well() -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    assert len(list(open_table(Pipe(PLAIN.encode()), limits=Limits()).rows)) == 2


def test_a_sample_takes_nothing_away() -> None:
    table = opened(PLAIN)
    assert table.sample(1) == [["2025-11-02", "Ana", "Bo"]]
    assert len(list(table.rows)) == 2


def test_blank_lines_are_passed_over_and_still_counted() -> None:
    assert [line for line, _ in opened(PLAIN.replace("\n", "\n\n,,\n")).rows] == [4, 7]


def test_a_record_over_several_lines_is_numbered_by_its_first() -> None:
    table = opened('winner,loser,comment\nAna,Bo,"one\ntwo"\nCy,Di,\n')
    assert list(table.rows) == [(2, ["Ana", "Bo", "one\ntwo"]), (4, ["Cy", "Di", ""])]


def test_titles_above_the_header_are_passed_over() -> None:
    table = opened("Club results,,\n,,\nPlayer 1,Player 2,Winner\nAna,Bo,Ana\n")
    assert table.preamble == 1
    assert table.header == ("Player 1", "Player 2", "Winner")


def test_without_a_header_the_columns_are_numbered_and_no_row_is_lost() -> None:
    table = opened("Ana,Bo,3,1,2025-11-02\nCy,Di,0,3,2025-11-03\n")
    assert not table.has_header
    assert table.header == ("Column 1", "Column 2", "Column 3", "Column 4", "Column 5")
    assert len(list(table.rows)) == 2


def test_a_blank_column_name_is_numbered() -> None:
    assert opened("winner,,loser\nAna,,Bo\n").header == ("winner", "Column 2", "loser")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"\n\n , ,\n", "empty"),
        (b"MZ\x90\x00", "Windows program"),
        (b"\x7fELF\x02", "program"),
        (b"%PDF-1.7", "PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "old Excel"),
        (b"<!DOCTYPE html><html>", "web page"),
        (b"\xef\xbb\xbf <?xml version='1.0'?>", "web page or XML"),
        (b'{"matches": []}', "JSON"),
        (b'[\n {"a": 1}]', "JSON"),
        (b"BZh91AY", "bzip2"),
        (b"\x89PNG\r\n", "picture"),
        (b"winner,loser\nAna,\x00Bo\n", "null bytes"),
        (b"winner,loser\nAna,\x81\x8dBo\n", "neither UTF-8 nor Windows-1252"),
        (b"\xff\xfea", "UTF-16"),
        (b'winner,loser\nAna,"Bo\nCy,Di\n', "opened here but never closed"),
        (b'winner,loser\nAna,"Bo"x\n', "quotation mark"),
        (gzip.compress(b"winner,loser\nAna,Bo\n", mtime=0)[:-9], "damaged or cut off"),
        (gzip.compress(gzip.compress(b"winner,loser\n", mtime=0), mtime=0), "compressed twice"),
    ],
)
def test_what_is_no_table_is_refused_in_words(data: bytes, words: str) -> None:
    with pytest.raises(FileProblem, match=words):
        rows_of(data, Limits())


def test_an_open_quotation_mark_is_named_by_the_line_where_it_stands() -> None:
    text = "winner,loser\nAna,Bo\n" + 'Cy,"Di\n' + "Eve,Flo\n" * 5000
    with pytest.raises(FileProblem, match="never closed") as caught:
        rows_of(text.encode())
    assert caught.value.line == 3


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"winner,loser\nAna," + b"x" * 5000 + b"\n", 2, "cell is longer than 4096"),
        (b"winner,loser\nAna," + b"x" * 200_000 + b"\n", 2, "line is longer than 8192"),
        (b"winner,loser\n" + b"x" * 10_000_000, 2, "line is longer than 8192"),
        (b"x" * 10_000_000, 1, "line is longer than 8192"),
    ],
)
def test_long_cells_and_lines_are_refused_with_their_line(
    data: bytes, line: int, words: str
) -> None:
    with pytest.raises(FileProblem, match=words) as caught:
        rows_of(data)
    assert caught.value.line == line


def test_too_many_columns_are_refused() -> None:
    with pytest.raises(FileProblem, match="more than 500 columns"):
        rows_of(b"winner,loser" + b",x" * 500 + b"\n")


def test_too_many_rows_are_refused() -> None:
    data = b"winner,loser\n" + b"Ana,Bo\n" * 11
    assert len(rows_of(data, Limits(rows=11))) == 11
    with pytest.raises(FileProblem, match="more than 10 rows"):
        rows_of(data, Limits(rows=10))


def test_too_many_blank_lines_are_refused() -> None:
    with pytest.raises(FileProblem, match="more than 30 lines"):
        rows_of(b"winner,loser\n" + b"\n" * 40 + b"Ana,Bo\n", Limits(rows=10))


def test_a_small_file_that_unpacks_to_a_large_one_is_refused_before_any_row() -> None:
    bomb = gzip.compress(b"winner,loser\n" + b"\n" * 3_000_000)
    with pytest.raises(FileProblem, match="larger than 2 MB when decompressed"):
        open_table(bomb, limits=Limits(unpacked_bytes=2_000_000))


def test_other_zip_files_are_named() -> None:
    for member, words in (("word/document.xml", "Word document"), ("a.csv", "zip archive")):
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(member, "x")
        with pytest.raises(FileProblem, match=words):
            open_table(packed.getvalue(), limits=UPLOAD_LIMITS)


def test_a_damaged_zip_file_is_refused() -> None:
    with pytest.raises(FileProblem, match="damaged zip"):
        open_table(b"PK\x03\x04" + random.Random(1).randbytes(200), limits=UPLOAD_LIMITS)
