"""Whatever the bytes are, only FileProblem comes out, and every row is a match or a bad row."""

from __future__ import annotations

import gzip
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from ratings.files.columns import Layout, Meaning, recognise
from ratings.files.names import NAME_LENGTH, NameProblem, clean_name, fold_name
from ratings.files.problems import SHOWN_LENGTH, BadRow, FileProblem, shown
from ratings.files.results import Result, content_key, read_results
from ratings.files.tables import UPLOAD_LIMITS, open_table
from tests.ratings.files.reading import TODAY

HEADERS = (
    "date", "time", "home", "away", "home_score", "away_score", "winner", "loser", "player1",
    "player2", "score", "result", "game_id", "player", "team", "points", "rank", "star", "flag",
    "rated", "weight", "order", "id", "satz1", "dq", "winner_id", "loser_id", "WO", "WD", "LO",
    "LD", "T1P1", "T2P2", "comment", "x", "", "winner_score",
)  # fmt: skip
CELLS = st.one_of(
    st.sampled_from(
        ("", "1", "0", "2", "-1", "3:1", "6-4 3-6 6-1", "RET", "W/O", "2026-01-02", "01/02/2026",
         "12.11.2026 19:30", "2026-03-29T01:30", "46054", "ana", "Ana ", "bo", "draw", "H", "½",
         "1/0", "99999999999999999999", "'=1", '"', "\u202e", "NaN", "1E+12", "-1-2", "7", "=2",
         "2026-02-30", "24:61", "\u0663", "1_0", "9999-12-31", "0001-01-01T00:00+14:00")
    ),
    st.text(max_size=12),
)  # fmt: skip
PLAUSIBLE = (
    ["date", "player1", "player2", "winner"],
    ["date", "home", "away", "home_score", "away_score", "result"],
    ["date", "time", "winner", "loser", "score", "flag"],
    ["id", "played_at", "T1P1", "T1P2", "T2P1", "T2P2", "result", "weight", "rated"],
    ["game_id", "date", "team", "player", "points", "rank"],
    ["game_id", "player", "player_id", "score", "star", "order"],
    ["date", "player1", "player2", "player3", "score1", "score2", "score3"],
)
RANDOM_HEADERS = st.lists(st.sampled_from(HEADERS), min_size=1, max_size=9)
TABLES = (st.sampled_from(PLAUSIBLE) | RANDOM_HEADERS).flatmap(
    lambda header: st.tuples(
        st.just(header),
        st.lists(
            st.lists(CELLS, min_size=max(1, len(header) - 1), max_size=len(header) + 1),
            max_size=8,
        ),
        st.sampled_from(",;\t"),
    )
)


def walk(data: bytes) -> None:
    try:
        table = open_table(data, limits=UPLOAD_LIMITS)
        layout = recognise(table.header, table.sample())
        assert Layout.from_json(layout.to_json()) == layout
        rows = list(read_results(table, layout, zone="Europe/London", dates="dmy", today=TODAY))
    except FileProblem as problem:
        assert problem.reason
        assert len(problem.value) <= SHOWN_LENGTH
        return
    for row in rows:
        check(row)


def check(row: Result | BadRow) -> None:
    if isinstance(row, BadRow):
        assert row.reason
        assert len(row.value) <= SHOWN_LENGTH
        assert row.value.isprintable()
        return
    ranks = sorted(side.rank for side in row.sides)
    assert len(row.sides) >= 2
    assert ranks == [1 + sum(1 for other in ranks if other < rank) for rank in ranks]
    identities = [person.identity for side in row.sides for person in side.players]
    assert len(set(identities)) == len(identities) >= len(row.sides)
    assert len({side.score is None for side in row.sides}) == 1
    assert 1799 <= row.played.year <= TODAY.year
    assert len(content_key(row)) == 64


def as_csv(header: list[str], rows: list[list[str]], delimiter: str) -> bytes:
    def line(cells: list[str]) -> str:
        return delimiter.join('"' + cell.replace('"', '""') + '"' for cell in cells)

    text = "\r\n".join([line(header), *map(line, rows)])
    return text.encode("utf-8", "replace")


@given(st.binary(max_size=400))
@example(b"\x1f\x8b\x08")
@example(b"PK\x03\x04")
@example(b"\xff\xfe\x00")
@example(b'a,b\n"')
@example(b"\xef\xbb\xbf")
def test_any_bytes_end_in_matches_or_a_file_problem(data: bytes) -> None:
    walk(data)


@given(st.binary(max_size=400))
def test_any_bytes_in_gzip_end_in_matches_or_a_file_problem(data: bytes) -> None:
    walk(gzip.compress(data))


@given(TABLES)
@example((["player", "team"], [["ana", "b"]], ","))
def test_any_table_ends_in_matches_and_bad_rows(
    table: tuple[list[str], list[list[str]], str],
) -> None:
    walk(as_csv(*table))


@given(TABLES, st.dictionaries(st.integers(0, 9), st.sampled_from(list(Meaning)), max_size=6))
def test_any_correction_of_the_meanings_ends_in_matches_and_bad_rows(
    table: tuple[list[str], list[list[str]], str], meanings: dict[int, Meaning]
) -> None:
    try:
        opened = open_table(as_csv(*table), limits=UPLOAD_LIMITS)
        layout = recognise(opened.header, opened.sample()).with_meanings(meanings)
        assert Layout.from_json(layout.to_json()) == layout
        rows = read_results(opened, layout, zone="Asia/Tokyo", dates="mdy", today=TODAY)
        for row in rows:
            check(row)
    except FileProblem:
        pass


@given(st.text(max_size=80))
@example("i\u0307")
@example("ŉ")
@example("ﬁ\u0301")
@example("\U0001f468\u200d\U0001f469\u200d\U0001f467")
def test_a_cleaned_name_is_clean_and_folding_is_stable(text: str) -> None:
    try:
        name = clean_name(text)
    except NameProblem as problem:
        assert problem.reason
        return
    assert clean_name(name) == name
    assert 1 <= len(name) <= NAME_LENGTH
    assert unicodedata.is_normalized("NFC", name)
    assert fold_name(fold_name(name)) == fold_name(name)


@given(st.text(max_size=300))
def test_what_is_shown_is_one_short_printable_line(text: str) -> None:
    assert shown(text).isprintable()
    assert len(shown(text)) <= SHOWN_LENGTH
