"""Texts of written results as tables, and what is a table and no such text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ratings.files.columns import recognise
from ratings.files.matches import Result, content_key
from ratings.files.problems import FileProblem
from ratings.files.results import read_results
from ratings.files.tables import UPLOAD_LIMITS, Table, open_table
from ratings.files.written import MAX_LENGTH, WrittenMatch
from ratings.files.written_text import MAX_LINES, WRITTEN, read_lines
from tests.ratings.files.reading import SAMPLE, TODAY, read_path, split, told
from tests.ratings.files.test_fuzz import PLAUSIBLE, as_csv
from tests.ratings.files.test_written import line_of, written
from tests.shared_data import SHARED, shared_data

EVENING = """@12.11.
19:40 ana bo 3-1
" 1-3
cy = di
"""


def opened(text: str) -> Table:
    return open_table(text.encode(), limits=UPLOAD_LIMITS, today=TODAY)


def matches(text: str, *, bad: int = 0) -> list[Result]:
    table = opened(text)
    layout = recognise(table.header, table.sample(SAMPLE))
    assert (table.compression, layout.problems) == (WRITTEN, ())
    good, refused = split(read_results(table, layout, zone="Europe/London", today=TODAY))
    assert len(refused) == bad
    return good


# Below an evening a time of the morning, or one behind twelve, is asked about.
LINES = written().filter(lambda one: one.clock is None or one.clock >= time(13))
DUELS = st.lists(LINES.filter(lambda one: len(one.sides) == 2), min_size=1, max_size=6)
PLACES = st.lists(
    LINES.filter(lambda one: one.score is None and not one.is_retired), min_size=1, max_size=6
)


@given(DUELS | PLACES)
def test_a_text_says_what_its_lines_say(found: list[WrittenMatch]) -> None:
    lines = [line_of(one) for one in found]
    assume(max(map(len, lines)) <= MAX_LENGTH)
    assert [told(one) for one in matches("\n".join(lines))] == [
        " / ".join(
            f"{'+'.join(side)} {place}"
            + (f" ({one.score[at]})" if one.score and not one.is_walkover else "")
            for at, (side, place) in enumerate(zip(one.sides, one.places, strict=True))
        )
        for one in found
    ]


def refusal(text: str) -> FileProblem:
    with pytest.raises(FileProblem) as caught:
        opened(text)
    return caught.value


def test_duels_are_a_match_a_row_and_columns_blank_throughout_are_left_out() -> None:
    table = opened(EVENING)
    assert table.header == ("date", "time", "player1", "player2", "score1", "score2", "result")
    assert list(table.rows) == [
        (2, ["2026-11-12", "19:40:00", "ana", "bo", "3", "1", "1-0"]),
        (3, ["2026-11-12", "19:40:00", "ana", "bo", "1", "3", "0-1"]),
        (4, ["2026-11-12", "19:40:00", "cy", "di", "", "", "1/2-1/2"]),
    ]
    assert opened("ana bo 3-1\n").header == ("player1", "player2", "score1", "score2")
    assert opened("ana > bo\n").header == ("player1", "player2", "result")


def test_dates_times_and_their_absence_are_those_of_any_file() -> None:
    first, second, third = matches(EVENING)
    assert (first.played.isoformat(), first.date_only) == ("2026-11-12T19:40:00+00:00", False)
    assert (second.played, second.date_only) == (first.played, False), "it was played after that"
    assert (first.order, second.order, third.order) == (0, 1, 2)
    (undated,) = matches("19:40 ana bo 3-1\n")
    assert (undated.dated, undated.played.date(), undated.date_only) == (False, TODAY, True)
    (dated,) = matches("ana bo 3-1\n@2026-11-12\nana bo 3-1\n", bad=1)
    assert dated.line == 3


@pytest.mark.parametrize(
    ("text", "days"),
    [
        (
            "@12.11.\n23:50 ana bo 3-1\n0:20 ana bo 3-1\ncy di 3-1\n22:00 ana cy 3-1",
            [12, 13, 13, 12],
        ),
        ("@12.11.\n17:59 ana bo 3-1\n0:20 ana bo 3-1\n6:00 ana bo 3-1", [12, 12, 12]),
        ("@12.11.\n18:00 ana bo 3-1\n5:59 ana bo 3-1\n6:00 am ana bo 3-1", [12, 13, 12]),
        ("@12.11.\n23:50 ana bo 3-1\n@13.11.\n0:20 ana bo 3-1", [12, 13]),
        ("@12.11.\n[23:50] Kim: ana bo 3-1\n[13.11.26, 0:20] Kim: ana bo 3-1", [12, 13]),
        ("@12.11.\n[11.11.26, 23:50] Kim: ana bo 3-1\n0:20 ana bo 3-1", [11, 12]),
    ],
)
def test_behind_an_evening_the_small_hours_are_of_the_next_day(text: str, days: list[int]) -> None:
    assert [match.played.day for match in matches(text)] == days


@pytest.mark.parametrize(
    ("line", "kind", "match", "detail"),
    [
        ("ana bo 3-1", "played", "ana 1 (3) / bo 2 (1)", ""),
        ("ana bo 1-3", "played", "ana 2 (1) / bo 1 (3)", ""),
        ("ana = bo", "played", "ana 1 / bo 1", ""),
        (
            "ana+cy bo+di 21-18 19-21 21-15",
            "played",
            "ana+cy 1 (2) / bo+di 2 (1)",
            "21-18 19-21 21-15",
        ),
        ("ana bo+cy 3-1", "played", "ana 1 (3) / bo+cy 2 (1)", ""),
        ("ana bo wo", "walkover", "ana 1 / bo 2", ""),
        ("ana bo ret 2-1", "retirement", "ana 1 (2) / bo 2 (1)", ""),
        ("ana > bo ret 1-2", "retirement", "ana 1 / bo 2", "1-2"),
        ("ana bo 6-4 2-1 ret", "retirement", "ana 1 / bo 2", "6-4 2-1"),
        ("ana bo 3-0 friendly", "unrated", "ana 1 (3) / bo 2 (0)", ""),
        ("ana, bo, cy=di, eve", "played", "ana 1 / bo 2 / cy 3 / di 3 / eve 5", ""),
        ("ana, bo, cy friendly", "unrated", "ana 1 / bo 2 / cy 3", ""),
        ("ana+bo, cy, di+eve+flo", "played", "ana+bo 1 / cy 2 / di+eve+flo 3", ""),
    ],
)
def test_each_kind_of_line_becomes_its_match(line: str, kind: str, match: str, detail: str) -> None:
    (found,) = matches(line)
    assert (found.kind, told(found), found.detail) == (kind, match, detail)
    assert found.external_id is None


@pytest.mark.parametrize("word", ["first", "second", "draw", "white", "Winner", "player1"])
def test_players_may_be_called_like_results(word: str) -> None:
    assert told(matches(f"bo > {word}\n")[0]) == f"bo 1 / {word} 2"
    assert told(matches(f"{word} < bo\n")[0]) == f"{word} 2 / bo 1"
    assert told(matches(f"{word} = bo\n")[0]) == f"{word} 1 / bo 1"
    assert told(matches(f"bo, {word}, cy\n")[0]) == f"bo 1 / {word} 2 / cy 3"


def test_a_late_line_without_a_score_is_read_like_an_early_one() -> None:
    found = matches("ana bo 3-1\n" * (SAMPLE + 1) + "ana < bo\n")
    assert told(found[-1]) == "ana 2 / bo 1"


def test_free_for_alls_are_a_participant_a_row_and_keep_no_id() -> None:
    text = "@2026-11-12\nana, bo, cy=di\nbo > ana\nana, bo, cy=di\n"
    table = opened(text)
    assert table.header == ("game_id", "date", "player", "rank")
    assert len(list(table.rows)) == 10
    found = matches(text)
    assert [(one.line, one.external_id, len(one.sides)) for one in found] == [
        (2, None, 4),
        (3, None, 2),
        (4, None, 4),
    ]
    assert content_key(found[0]) == content_key(found[2])


def test_the_fewer_of_scores_and_free_for_alls_are_named() -> None:
    duels = "ana bo 3-1\nana, bo, cy\ncy bo 3-2\nana > cy\n"
    assert [one.line for one in matches(duels, bad=1)] == [1, 3, 4]
    ((line, _, reason),) = bad_lines(duels)
    assert (line, reason.startswith("This line is a free-for-all, and others")) == (2, True)
    frays = "ana, bo, cy\nana bo 3-1\nana, cy, bo\nana > bo\n"
    assert [one.line for one in matches(frays, bad=1)] == [1, 3, 4]
    ((line, _, reason),) = bad_lines(frays)
    assert (line, reason.startswith("This line is a match with a score, and others")) == (2, True)


def bad_lines(text: str) -> list[tuple[int, str, str]]:
    return [(row.line, row.value, row.reason) for row in opened(text).bad_lines]


def test_lines_that_cannot_be_read_are_bad_rows_and_the_others_are_matches() -> None:
    text = "ana bo 3-1\nana bo\ncy di 3-1\nana bo ret 1-2\n"
    assert [one.line for one in matches(text, bad=2)] == [1, 3]
    (second, fourth) = bad_lines(text)
    assert second[:2] == (2, "ana bo")
    assert second[2].startswith("The line does not say who won; add a score")
    assert fourth[2].startswith("The line does not say who retired")


def test_a_text_of_which_no_line_can_be_read_is_refused_by_its_lines() -> None:
    one = refusal("ana ana 3-1\n")
    assert (one.line, one.reason) == (1, "“ana” is in this match twice.")
    many = refusal("ana ana 3-1\n" * 7)
    assert many.reason.count("Line ") == 5
    assert many.reason.endswith("2 more lines cannot be read.")
    assert refusal("ana ana 3-1\n" * 6).reason.endswith("1 more line cannot be read.")


def test_titles_and_greetings_are_bad_rows_of_their_own() -> None:
    text = "Hello everyone\nsee you on Tuesday\nana bo 3-1\n"
    assert [one.line for one in matches(text, bad=2)] == [3]


def test_lines_below_a_date_that_cannot_be_read_are_not_read_under_another_one() -> None:
    text = "@12.11.\nana bo 3-1\n@31.2.\ncy di 3-1\n[13.11.26, 20:15] Kim: ana bo 3-2\n"
    found = matches(text + "@14.11.\ncy di 0-3\n", bad=2)
    assert [(one.line, one.played.day) for one in found] == [(2, 12), (5, 13), (7, 14)]
    (date, below) = bad_lines(text)
    assert (date[0], "is not a date" in date[2]) == (3, True)
    assert below == (4, "cy di 3-1", "The date above it, in line 3, cannot be read.")


def test_matches_without_a_date_get_the_day_that_is_given() -> None:
    table = opened("20:15 ana bo 3-1\n")
    layout = recognise(table.header, table.sample(SAMPLE))
    day = date(2026, 11, 3)
    (one,) = read_results(table, layout, zone="UTC", today=TODAY, day=day)
    assert isinstance(one, Result)
    assert (one.played.isoformat(), one.dated) == ("2026-11-03T20:15:00+00:00", True)
    table = opened("ana bo 3-1\n@2026-11-12\nana bo 3-1\n")
    layout = recognise(table.header, table.sample(SAMPLE))
    good, bad = split(read_results(table, layout, zone="UTC", today=TODAY, day=day))
    assert ([one.played.day for one in good], bad) == ([3, 12], [])


def test_b69_a_line_of_64_kb_is_named_by_its_number() -> None:
    late = refusal("ana bo 3-1\n" * 30 + "x" * 64_000 + "\nana bo 3-1\n")
    assert (late.line, late.reason) == (31, f"The line is longer than {MAX_LENGTH} characters.")
    early = refusal("ana bo 3-1\n" + "x" * 64_000 + "\n")
    assert (early.line, early.reason) == (2, late.reason)


def test_a_text_of_very_many_lines_or_players_is_refused() -> None:
    found = refusal("ana bo 3-1\n" * (MAX_LINES + 1))
    assert (found.line, "20000 lines" in found.reason) == (MAX_LINES + 1, True)
    side = "+".join(f"p{number}x" for number in range(9))
    assert refusal(f"{side} > ana\n").reason == "A side has more than 8 players."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_text_may_be_encoded_and_end_its_lines_in_the_usual_ways(
    encoding: str, newline: str
) -> None:
    data = EVENING.replace("ana", "anaïs").replace("\n", newline).encode(encoding)
    table = open_table(data, limits=UPLOAD_LIMITS, today=TODAY)
    assert (table.compression, table.delimiter) == (WRITTEN, "")
    assert table.encoding == encoding.removesuffix("-sig")
    assert [line for line, _ in table.rows] == [2, 3, 4]


@pytest.mark.parametrize(
    "text",
    [
        "winner,loser\nAna,Bo\n",
        "winner, loser\nAna, Bo\n",
        "vinnaren,förloraren\nAna,Bo\nCy,Di\n",
        "date;match\n1.2.2025;Ana - Bo 3:1\n",
        "result,comment\nAna - Bo 3:1,well played\n",
        "Ana,Bo,3,1,2025-11-02\nCy,Di,0,3,2025-11-03\n",
        "Ana, Bo, 3, 1, 2025-11-02\nCy, Di, 0, 3, 2025-11-03\n",
        "Ana, Bo, 3-1\nCy, Di, 0-3\n",
        "Ana,Bo,3:1\nCy,Di,0:3\n",
        "Ana;Bo;3:1\nCy;Di;0:3\n",
        "Ana\tBo\t3:1\nCy\tDi\t0:3\n",
        "Ana|Bo|3:1\nCy|Di|0:3\n",
        "sep=;\nAna;Bo;3:1\n",
        "Ana 10, Bo 9, Cy 7\nBo 10, Ana 6\n",
        "@12.11.\n# nothing yet\n",
        "Ana\nBo\n",
    ],
)
def test_a_table_or_a_letter_is_no_text_of_results(text: str) -> None:
    assert opened(text).compression != WRITTEN


CELLS = st.sampled_from(("ana", "bo", "3-1", "1", "ana bo 3-1", ""))


@given(st.sampled_from(PLAUSIBLE), st.lists(st.lists(CELLS, max_size=7)), st.sampled_from(",;\t"))
def test_what_names_its_columns_is_a_table(
    header: list[str], rows: list[list[str]], delimiter: str
) -> None:
    quoted = as_csv(header, rows, delimiter)
    for data in (quoted, quoted.replace(b'"', b"")):
        assert open_table(data, limits=UPLOAD_LIMITS, today=TODAY).compression != WRITTEN


def test_no_shared_file_is_taken_for_written_results() -> None:
    shared_data("messy/catan_games.txt")
    read = 0
    for path in sorted((SHARED / "data").rglob("*")):
        if not path.is_file() or path.suffix in (".gz", ".xlsx", ".ods"):
            continue
        with path.open("rb") as stream:
            try:
                assert open_table(stream, limits=UPLOAD_LIMITS, today=TODAY).compression != WRITTEN
            except FileProblem as problem:
                assert "Line " not in problem.reason
            read += 1
    assert read > 30


def lines_of(results: Iterable[Result]) -> Iterator[str]:
    """The results as an organizer writes them, with a date where the day changes."""
    day: date | None = None
    for one in results:
        if one.played.date() != day:
            day = one.played.date()
            yield f"@{day}"
        first, second = ("+".join(person.name for person in side.players) for side in one.sides)
        scores = [side.score for side in one.sides]
        if None in scores:
            yield f"{first} {'>' if one.sides[0].rank == 1 else '<'} {second}"
        else:
            yield f"{first} {second} {scores[0]}-{scores[1]}"


@pytest.mark.parametrize("name", ["foosball_2v2", "ntnu_table_tennis"])
def test_real_results_say_the_same_when_they_are_written_out(name: str) -> None:
    results, _bad = read_path(shared_data(f"club/{name}.csv"))
    table = opened("\n".join(lines_of(results)))
    layout = recognise(table.header, table.sample(SAMPLE))
    found, refused = split(read_results(table, layout, zone="UTC", today=TODAY))
    assert refused == []
    assert [content_key(one) for one in found] == [content_key(one) for one in results]


def test_lines_without_a_time_below_one_with_a_time_are_of_then() -> None:
    text = """@2025-11-20
    a b 3-1
    23:50 a b 3-1
    c d 3-1
    00:20 b c 3-2
    " 0-3
    01:00 b d 3-2
    d b 3-1
    [20:15, 26.11.2025] Kim: a c 3-1
    b d 1-3
    @2025-11-21
    a d 3-1"""
    reads = [read for _line, read in read_lines(text.splitlines(), today=TODAY)]
    times = [(one.clock and f"{one.clock:%H:%M}", one.is_past_midnight) for one in reads]
    assert times == [
        (None, False),
        ("23:50", False),
        ("23:50", False),
        ("00:20", True),
        ("00:20", True),
        ("01:00", True),
        ("01:00", True),
        ("20:15", False),
        ("20:15", False),
        (None, False),
    ]
    days = [one.day and one.day.isoformat() for one in reads]
    assert days[-3:] == ["2025-11-26", "2025-11-26", "2025-11-21"], "a message of two lines"
    talk = "[20:15, 26.11.2025] Kim: what an evening\na b 3-1\n21:00 and on\nc d 3-1"
    said = [one for _line, one in read_lines(talk.splitlines(), today=TODAY)]
    times = [(f"{one.day} {one.clock}") for one in said if isinstance(one, WrittenMatch)]
    assert times == ["2025-11-26 20:15:00", "2025-11-26 21:00:00"]
    assert [one.is_clock_above for one in reads].count(True) == 4
