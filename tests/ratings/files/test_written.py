"""The small language of results, line by line."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from ratings.files.matches import competition_ranks
from ratings.files.names import NAME_LENGTH, NameProblem, clean_name, fold_name
from ratings.files.problems import LineProblem
from ratings.files.scores import sets_won
from ratings.files.written import MAX_LENGTH, WrittenMatch, can_name_kind, read_line
from ratings.files.written_extras import refuse_extras
from ratings.files.written_scores import seems_total
from ratings.files.written_sides import known_names
from ratings.files.written_text import read_lines
from ratings.files.written_words import has_verb, is_between, word_before
from tests.ratings.files.reading import TODAY

ROOT = Path(__file__).resolve().parents[3]
ABOVE = (("ana",), ("bo",))
DOUBLES = (("ana", "cy"), ("bo", "di"))
SETS = ((21, 18), (19, 21), (21, 15))


def read(line: str, **known: Any) -> WrittenMatch:
    match = read_line(line, today=TODAY, **known)
    assert isinstance(match, WrittenMatch)
    return match


def problem(line: str, **known: Any) -> LineProblem:
    with pytest.raises(LineProblem) as caught:
        read_line(line, today=TODAY, **known)
    return caught.value


def duel(places: tuple[int, ...] = (1, 2), *, sides: Any = ABOVE, **fields: Any) -> WrittenMatch:
    return WrittenMatch(sides, places, **fields)


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("ana bo 3-1", duel(score=(3, 1))),
        ("ana > bo", duel()),
        ("ana = bo", duel((1, 1))),
        (
            "ana+cy bo+di 21-18 19-21 21-15",
            duel(sides=DOUBLES, score=(2, 1), sets=SETS, detail="21-18 19-21 21-15"),
        ),
        (
            "ana, bo, cy=di, eve",
            duel((1, 2, 3, 3, 5), sides=(("ana",), ("bo",), ("cy",), ("di",), ("eve",))),
        ),
        ("ana/cy bo/di 3-1", duel(sides=DOUBLES, score=(3, 1))),
        ("ana bo wo", duel(is_walkover=True)),
        ("ana bo ret 2-1", duel(score=(2, 1), is_retired=True)),
        ("ana bo 3-0 friendly", duel(score=(3, 0), is_friendly=True)),
        ("19:40 ana bo 3-1", duel(score=(3, 1), clock=time(19, 40))),
        ('" 3-1', duel(score=(3, 1))),
    ],
)
def test_what_the_language_is_for(line: str, match: WrittenMatch) -> None:
    assert read(line, above=ABOVE) == match


def test_the_examples_of_the_documentation_are_read() -> None:
    text = (ROOT / "docs" / "import.md").read_text(encoding="utf-8")
    _, _, section = text.partition("| you type | it means |")
    table, _, rest = section.partition("```")
    rows = [row.split("|") for row in table.splitlines() if row.startswith("| `")]
    assert len(rows) == 14
    for _begin, typed, meant, _end in rows:
        for line in re.findall("`([^`]+)`", typed + meant):
            if line not in ("# …", ">"):
                assert read_line(line, today=TODAY, above=ABOVE) is not None
    found = list(read_lines(rest.partition("```")[0].splitlines(), today=TODAY))
    assert [type(one) for _, one in found] == [WrittenMatch] * 3


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ("ana bo 1-3", duel((2, 1), score=(1, 3))),
        ("ana bo 2:2", duel((1, 1), score=(2, 2))),
        ("ana bo 0-0", duel((1, 1), score=(0, 0))),
        ("ana < bo", duel((2, 1))),
        ("ana > bo 3-1", duel(score=(3, 1))),
        ("ana < bo 1-3", duel((2, 1), score=(1, 3))),
        ("ana v Bo 3-1", duel(sides=(("ana",), ("Bo",)), score=(3, 1))),
        ("Ana Ruiz - Bo Li 3:1", duel(sides=(("Ana Ruiz",), ("Bo Li",)), score=(3, 1))),
        ("Ana Ruiz – Bo Li: 3:1", duel(sides=(("Ana Ruiz",), ("Bo Li",)), score=(3, 1))),
        ("ana vs. bo 3-1", duel(score=(3, 1))),
        ("ana beat bo 3-1", duel(score=(3, 1))),
        ("ana beat bo", duel()),
        ("ana lost to bo", duel((2, 1))),
        ("ana drew with bo", duel((1, 1))),
        ("ana bo 3–1", duel(score=(3, 1))),
        ("ana bo 3 - 1", duel(score=(3, 1))),
        ("ana bo 3-1.", duel(score=(3, 1))),
        ("ana bo (3-1)", duel(score=(3, 1))),
        ("ana 3-1 bo", duel(score=(3, 1))),
        ("ana+cy 3-1 bo+di", duel(sides=DOUBLES, score=(3, 1))),
        ("ana & cy - bo & di 3-1", duel(sides=DOUBLES, score=(3, 1))),
        ("ana bo+cy 3-1", duel(sides=(("ana",), ("bo", "cy")), score=(3, 1))),
        ("Ana Ruiz Bo Li 3-1", duel(sides=(("Ana Ruiz",), ("Bo Li",)), score=(3, 1))),
        (
            "Ana Ruiz+Cy Diaz Bo Li+Di Ek 3-1",
            duel(sides=(("Ana Ruiz", "Cy Diaz"), ("Bo Li", "Di Ek")), score=(3, 1)),
        ),
        (
            "ana bo 21-18, 19-21; 21-15,",
            duel(score=(2, 1), sets=SETS, detail="21-18 19-21 21-15"),
        ),
        ("ana bo 21-18,19-21,21-15", duel(score=(2, 1), sets=SETS, detail="21-18 19-21 21-15")),
        (
            "ana bo 2-1 (21-18 19-21 21-15)",
            duel(score=(2, 1), sets=SETS, detail="21-18 19-21 21-15"),
        ),
        ("ana bo 2-1 21-18 19-21 21-15", duel(score=(2, 1), sets=SETS, detail="21-18 19-21 21-15")),
        (
            "ana bo 0-2, 4-6, 6-7(4)",
            duel((2, 1), score=(0, 2), sets=((4, 6), (6, 7)), detail="4-6 6-7(4)"),
        ),
        # Of one set nothing tells whether it was all, and of others the first is one of them.
        ("ana bo 1-0 11-7", duel(score=(2, 0), sets=((1, 0), (11, 7)), detail="1-0 11-7")),
        ("ana bo 7-6(4) 6-3", duel(score=(2, 0), sets=((7, 6), (6, 3)), detail="7-6(4) 6-3")),
        ("ana bo wo 0-3", duel((2, 1), score=(0, 3), is_walkover=True)),
        ("ana bo W/O", duel(is_walkover=True)),
        ("ana bo ret", duel(is_retired=True)),
        ("ana > bo ret 1-2", duel(score=(1, 2), is_retired=True)),
        ("ana bo 6-4 2-1 ret.", duel(sets=((6, 4), (2, 1)), detail="6-4 2-1", is_retired=True)),
        ("ana bo ret friendly", duel(is_retired=True, is_friendly=True)),
        ("1. ana bo 3-1", duel(score=(3, 1))),
        ("12) ana bo 3-1", duel(score=(3, 1))),
        ("- ana bo 3-1", duel(score=(3, 1))),
        ("• 2. ana bo 3-1", duel(score=(3, 1))),
        ("19:40 - ana bo 3-1", duel(score=(3, 1), clock=time(19, 40))),
        ("[20:15] ana bo 3-1", duel(score=(3, 1), clock=time(20, 15))),
        ("[20:15] Kim: ana bo 3-1", duel(score=(3, 1), clock=time(20, 15))),
        ("[20:15] Kim Ek: 19:40 ana bo 3-1", duel(score=(3, 1), clock=time(19, 40))),
        (
            "\u200e[12.11.26, 20:15:33] Kim: \u200eana bo 3-1",
            duel(
                score=(3, 1),
                clock=time(20, 15, 33),
                day=date(2026, 11, 12),
                own_day=date(2026, 11, 12),
            ),
        ),
        ('" 1-3', duel((2, 1), score=(1, 3))),
        ("“ =", duel((1, 1))),
        ('" > wo', duel(is_walkover=True)),
        ("ana wo 3-1", duel(sides=(("ana",), ("wo",)), score=(3, 1))),
        ("ana > wo", duel(sides=(("ana",), ("wo",)))),
        ("ana>bo>cy=di", duel((1, 2, 3, 3), sides=(("ana",), ("bo",), ("cy",), ("di",)))),
        ("ana+bo, cy, di", duel((1, 2, 3), sides=(("ana", "bo"), ("cy",), ("di",)))),
        (
            "ana = bo = cy friendly",
            duel((1, 1, 1), sides=(("ana",), ("bo",), ("cy",)), is_friendly=True),
        ),
        (
            "1. FC Quay - 1. FC Hill 3:1",
            duel(sides=(("1. FC Quay",), ("1. FC Hill",)), score=(3, 1)),
        ),
        ("player 1 player 2 3-1", duel(sides=(("player 1",), ("player 2",)), score=(3, 1))),
        ("player 1 - 2fast 3-1", duel(sides=(("player 1",), ("2fast",)), score=(3, 1))),
        ("@ana > @bo", duel(sides=(("@ana",), ("@bo",)))),
        ("ana bo 999999-0", duel(score=(999_999, 0))),
        # Who is said to have won has won; the score beside it is kept.
        ("ana > bo 1-3", duel(score=(1, 3))),
        ("ana = bo 3-1", duel((1, 1), score=(3, 1))),
        ("ana > bo 2-2", duel(score=(2, 2))),
        (
            "ana beat bo 19-21 18-21",
            duel(score=(0, 2), sets=((19, 21), (18, 21)), detail="19-21 18-21"),
        ),
    ],
)  # fmt: skip
def test_what_people_write(line: str, match: WrittenMatch) -> None:
    assert read(line, above=ABOVE) == match


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        ("ana bo", "no_result", "does not say who won"),
        ("ana vs. bo friendly", "no_result", "add a score such as 3-1"),
        ("ana = bo wo", "no_winner", "A walkover has a winner"),
        ("ana bo ret 1-2", "no_winner", "who retired"),
        ("ana bo ret 1-1", "no_winner", "who retired"),
        ("ana bo cy 3-1", "undivided", "put > or - between the names"),
        ("ana ruiz+bo cy+di 3-1", "undivided", "put > or - between the names"),
        ("ana - bo - cy 3-1", "marks", "in more than one way"),
        ("ana v bo v cy 3-1", "marks", "in more than one way"),
        ("ana < bo < cy", "marks", "in more than one way"),
        ("ana <> bo 3-1", "marks", "in more than one way"),
        ("ana, bo 3-1", "list_ending", "places of a free-for-all"),
        ("ana > bo > cy 3-1", "list_ending", "without a score"),
        ("ana, bo, cy wo", "list_ending", "places of a free-for-all"),
        ("ana", "sides", "names one side"),
        ("3-1", "sides", "names one side"),
        ("19:40", "sides", "names one side"),
        ("ana, , bo", "name", "The name is empty."),
        ("ana > ", "name", "The name is empty."),
        ("ana + > bo", "name", "The name is empty."),
        ("ana Ana 3-1", "player_twice", "“ana” is in this match twice."),
        ("ana+bo cy+ANA 3-1", "player_twice", "“ana” is in this match twice."),
        ("ana 3 bo 1", "numbers", "at the end, like 3-1"),
        ("ana bo 3", "numbers", "at the end, like 3-1"),
        ("jess 10, mic 9, alex 7", "numbers", "behind colons, best first"),
        ("ana bo 1234567-1", "score_range", "whole number of at most 999999"),
        ("ana - bo -1:3", "score", "“-1:3” is neither a name nor a score"),
        ("ana bo 1234-1 1-2", "score", "“1234-1 1-2” is not a score"),
        ("ana, 3, bo", "score", "“3” is neither a name nor a score"),
        ("2026-01-05, ana, bo", "two_in_list", "A comma between two names"),
        ("ana ruiz 3-1 well played", "score_within", "behind both names"),
        ("ana > 3-1 bo", "score_within", "behind both names"),
        ("ana bo 3-1, cy di 2-0", "score_within", "Write one match per line"),
        ("ana bo 3-1 cy di 2-0", "score_within", "Write one match per line"),
        ("player 1 - 2 fast 3-1", "score_within", "Write one match per line"),
        ("ana bo 2-1 (21-18 19-21)", "sets", "do not give the score before them"),
        ("ana bo 3-1 3-2 1-3 3-0 3-1", "sets", "that of the match or a set; write the sets in"),
        ("ana bo 2-0 (21-18 21-19", "sets", "opened and not closed"),
        ("ana and cy beat bo", "joint", "Put + between the players"),
        ("Ana;Bo;3:1", "sides", "names one side"),
        ("Ana; > Bo 3:1", "mark", "“Ana;” cannot be a name here"),
        ("Ana | Bo > Cy", "mark", "it has ; or | or * or a dash"),
        ("Kim: ana bo 3-1", "prefix", "who wrote it"),
        ("20:15 - Kim: ana bo 3-1", "prefix", "who wrote it"),
        ("[20:15] Kim: Lou: ana bo 3-1", "prefix", "who wrote it"),
        ("[yesterday] ana bo 3-1", "time", "not a time of day"),
        ("[11/12/26, 20:15] Kim: ana bo 3-1", "day", "order of day and month"),
        ("[8:15 PM CET, 11/12/26] Kim: ana bo 3-1", "day", "leave it out"),
        ("25:10 ana bo 3-1", "time", "time of day does not exist"),
        ("17:40 pm ana > bo", "time", "time of day does not exist"),
        ("ana, bo", "two_in_list", "A comma between two names says no result"),
        ("Sorry, Max", "two_in_list", "put # in front of it"),
        ("@12/11/2026", "day", "order of day and month"),
        ("@31.2.", "day", "“31.2.” is not a date"),
        ("@12.11. ana bo 3-1", "day", "above the matches of that day"),
        ("@2026-13-01", "day", "is not a date"),
        ("31.02.2026", "day", "is not a date"),
        ('" cy 3-1', "same_sides", "stands for both names"),
        ("ana\x00 bo 3-1", "control", "U+0000"),
        ("ana\x0bbo 3-1", "control", "U+000B"),
        ("ana\truiz\tbo\tli\t3-1", "cells", "put > between the sides"),
        ("ana\tbo\t3\t1\t2", "numbers", "like 3-1"),
        ("Finale Ana - Bo 3-1", "word_before", "“Finale” stands before a name; delete it."),
        ("2x Ana - Bo 3-1", "word_before", "“2x” stands before a name"),
        ("ana - bo 3-1 lol", "score_within", "“lol” behind the score is not understood"),
        ("ana > bo remis", "draw", "a draw and who won"),
        ("Ana-Bo 3:1", "dash", "Put spaces around the dash"),
        ("-Bo 3:1", "sides", "names one side"),
        ("1. Ana", "place_alone", "Write the places of one match on one line"),
        ("2nd Ana Ruiz", "place_alone", "like 1. Ana 2. Bo 3. Cy"),
        ("ana bo 3-1\u2028cy di 3-1", "control", "U+2028"),
        ("ana \u202ebo 3-1", "name", "direction of writing (U+202E)"),
        ("ana \u3164 3-1", "name", "invisible character"),
        ("ana \ud800bo 3-1", "name", "without a standard meaning"),
        ("ana > " + "b" * (NAME_LENGTH + 1), "name", "longer than 64 characters"),
        ("x" * (MAX_LENGTH + 1), "long", "longer than 500 characters"),
        ("# " + "x" * 64_000, "long", "longer than 500 characters"),
        ("ana bo " + "9" * 400 + "-1", "score_range", "whole number of at most 999999"),
    ],
)
def test_b49_b52_what_is_refused_and_why(line: str, code: str, words: str) -> None:
    found = problem(line, above=ABOVE)
    assert (found.code, words in found.reason) == (code, True), found.reason
    assert found.reason.isprintable()
    assert len(found.reason) < 200


@pytest.mark.parametrize("above", [(), (("ana",), ("bo",), ("cy",))])
def test_the_same_again_needs_two_sides_above(above: tuple[tuple[str, ...], ...]) -> None:
    assert problem('" 3-1', above=above).code == "nothing_above"


@pytest.mark.parametrize("line", ["", "  ", "# Tuesday", "\ufeff", "\n"])
def test_blank_lines_and_comments_are_nothing(line: str) -> None:
    assert read_line(line) is None


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("@12.11.", date(2026, 11, 12)),
        ("@21.11.", date(2026, 11, 21)),
        ("@30.12.", date(2025, 12, 30)),
        ("@3.1", date(2026, 1, 3)),
        ("@29.2.", date(2024, 2, 29)),
        ("@12.11.2024", date(2024, 11, 12)),
        ("@12.11.24", date(2024, 11, 12)),
        ("@2026-11-12", date(2026, 11, 12)),
        ("@ 2026/11/12", date(2026, 11, 12)),
        ("@12 Nov 2026", date(2026, 11, 12)),
        ("12.11.2026", date(2026, 11, 12)),
        ("2026-11-12:", date(2026, 11, 12)),
    ],
)
def test_a_line_of_its_own_is_the_date_of_those_below(line: str, day: date) -> None:
    assert read_line(line, today=TODAY) == day


def test_a_date_without_a_year_needs_to_know_today() -> None:
    with pytest.raises(LineProblem, match="The date has no year"):
        read_line("@12.11.")


def test_names_of_the_league_divide_what_no_mark_divides() -> None:
    knows = known_names(["Ana Ruiz", "José María Gil", "Bo", "Ana", "Ruiz Bo", "AC/DC", "Agent 47"])
    assert read("ANA RUIZ jose maria gil 3-1", knows=knows).sides == (
        ("ANA RUIZ",),
        ("jose maria gil",),
    )
    assert read("bo+ana ruiz jose maria gil+ruiz bo 3-1", knows=knows).sides == (
        ("bo", "ana ruiz"),
        ("jose maria gil", "ruiz bo"),
    )
    assert problem("ana ruiz bo 3-1", knows=knows).code == "ambiguous"
    assert read("zoe yan 3-1", knows=knows).sides == (("zoe",), ("yan",))
    assert problem("ana zoe yan 3-1", knows=knows).code == "undivided"
    assert read("jose maria gil zoe 3-1", knows=knows).sides == (("jose maria gil",), ("zoe",))
    assert read("zoe jose maria gil 3-1", knows=knows).sides == (("zoe",), ("jose maria gil",))
    assert read("ana > ac/dc", knows=knows).sides == (("ana",), ("ac/dc",))
    assert read("agent 47, ana, bo", knows=knows).places == (1, 2, 3)
    assert read("Jose María Gil 3-1 Bo", knows=knows).score == (3, 1)


def test_a_text_has_dates_above_and_sides_to_take_again() -> None:
    lines = ["ana bo 3-1", "@12.11.", "", '" 1-3', "# later", "oops", '" 3-1', "ana > cy"]
    found = list(read_lines(lines, today=TODAY))
    matches = {number: one for number, one in found if isinstance(one, WrittenMatch)}
    assert {number: one.day for number, one in matches.items()} == {
        1: None,
        4: date(2026, 11, 12),
        8: date(2026, 11, 12),
    }
    assert matches[4].sides == ABOVE
    codes = {number: one.code for number, one in found if isinstance(one, LineProblem)}
    assert codes == {6: "sides", 7: "nothing_above"}


_LETTERS = st.characters(categories=("Lu", "Ll", "Lt", "Lo"), include_characters="'’.-")
# Letter by letter: `st.text` also draws the strings of our code, the words of the language itself.
WORDS = (
    st.lists(_LETTERS, min_size=1, max_size=9)
    .map("".join)
    .filter(
        lambda word: (
            word[0].isalpha()
            and word[-1].isalpha()
            and not is_between(word)
            and not has_verb([word])
            and not word_before([word, "Ana"])
            and word.casefold() not in ("wo", "ff", "ret", "am", "pm", "casual", "forfeit")
            and word.casefold() not in ("h", "uhr", "hat", "haben", "aufgabe", "aufgegeben")
            and word.casefold() not in ("unrated", "friendly", "retired", "w.o", "walkover")
        )
    )
)


def has_no_extra(name: str) -> bool:
    try:
        refuse_extras(name, None)
    except LineProblem:
        return False
    return True


PLAYERS = (
    st.lists(WORDS, min_size=1, max_size=2)
    .map(" ".join)
    .filter(lambda name: unicodedata.is_normalized("NFC", name) and has_no_extra(name))
)
SCORES = st.tuples(st.integers(0, 999_999), st.integers(0, 999_999))
SET_LISTS = st.lists(st.tuples(st.integers(0, 999), st.integers(0, 999)), min_size=2, max_size=7)
CLOCKS = st.none() | st.times().map(lambda at: at.replace(second=0, microsecond=0))


@st.composite
def written(draw: st.DrawFn) -> WrittenMatch:
    count = draw(st.just(2) | st.integers(3, 6))
    players = st.lists(PLAYERS, min_size=1, max_size=3)
    sides = tuple(tuple(draw(players)) for _ in range(count))
    names = [name for side in sides for name in side]
    assume(len({fold_name(name) for name in names}) == len(names))
    try:
        assume([clean_name(name) for name in names] == names)
    except NameProblem:
        assume(False)
    common: dict[str, Any] = {"clock": draw(CLOCKS), "is_friendly": draw(st.booleans())}
    if count > 2:
        steps = sorted(draw(st.lists(st.integers(0, 4), min_size=count, max_size=count)))
        return WrittenMatch(sides, tuple(competition_ranks([(step,) for step in steps])), **common)
    score: tuple[int, int] | None = draw(st.none() | SCORES)
    sets = tuple(draw(SET_LISTS)) if score is None and draw(st.booleans()) else ()
    score = sets_won(list(sets)) if sets else score
    places = draw(st.sampled_from([(1, 2), (2, 1), (1, 1)]))
    if score is not None:
        places = tuple(competition_ranks([(-one,) for one in score]))
    if places != (1, 1) and not sets:
        common |= draw(st.sampled_from([{}, {"is_walkover": True}, {"is_retired": True}]))
    detail = " ".join(f"{one}-{two}" for one, two in sets)
    return WrittenMatch(sides, places, score=score, sets=sets, detail=detail, **common)


def may_be_else(score: tuple[int, int], sets: tuple[tuple[int, int], ...]) -> bool:
    """Whether a set could be the score of the others beside it, or each set a game."""
    are_games = score[0] == score[1] or all(max(points) < 2 for points in sets)
    others = (sets[0], sets[1:]), (sets[-1], sets[:-1])
    return are_games or any(
        one == sets_won(list(rest)) or seems_total(one, rest) for one, rest in others
    )


def line_of(match: WrittenMatch) -> str:
    """The match as a careful person writes it."""
    parts = [" + ".join(side) for side in match.sides]
    mark = {(1, 2): " > ", (2, 1): " < ", (1, 1): " = "}
    line = "" if match.clock is None else f"{match.clock:%H:%M} "
    if len(parts) == 2:
        line += mark[match.places[0], match.places[1]].join(parts)
    else:
        line += parts[0]
        for part, before, place in zip(parts[1:], match.places[:-1], match.places[1:], strict=True):
            line += f"{'=' if before == place else ', '}{part}"
    score = match.detail or ("-".join(map(str, match.score)) if match.score else "")
    if match.score and match.sets and may_be_else(match.score, match.sets):
        score = "{}-{} ({})".format(*match.score, score)
    words = (score, match.is_walkover and "wo", match.is_retired and "ret")
    return " ".join([line, *filter(None, (*words, match.is_friendly and "friendly"))])


@given(written())
def test_what_is_written_is_read_back(match: WrittenMatch) -> None:
    line = line_of(match)
    assume(len(line) <= MAX_LENGTH)
    assert read(line) == match


@given(
    st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            [
                *("ana", "bo", "3-1", "21-18,", "+", ">", "=", "<", "-", "v", '"', "@", "[", "]"),
                *("wo", "ret", "1.", "19:40", "Kim:", "(3-1", "4)", "12.11.", ",", "lost", "to"),
                *("&", "#"),
            ]
        ),
        max_size=9,
    ).map(" ".join)
)
@example("[")
@example('"')
@example("@")
@example("<")
@example("( 3-1 )")
@example("ana bo (3-1) (3-1)")
def test_any_line_is_a_match_a_date_nothing_or_a_problem(line: str) -> None:
    try:
        found = read_line(line, today=TODAY, above=ABOVE, knows=known_names(["ana", "bo v"]))
    except LineProblem as refused:
        assert refused.reason
        return
    if isinstance(found, WrittenMatch):
        assert len(found.sides) == len(found.places) >= 2
        names = [fold_name(name) for side in found.sides for name in side]
        assert len(set(names)) == len(names) > 1
        assert sorted(found.places)[0] == 1
        for side in found.sides:
            assert [clean_name(name) for name in side] == list(side)


KINDS = ("Cup", "Cup final", "Liga B")


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("ana bo 3-1 cup", "Cup"),
        ("ana bo 3-1 CUP.", "Cup"),
        ("ana bo 3-1 cup final", "Cup final"),
        ("ana bo 11-7 9-11 11-5 liga b", "Liga B"),
        ("ana bo wo cup", "Cup"),
        ("ana bo ret 2-1 (cup)", "Cup"),
        ("ana > bo (cup final)", "Cup final"),
        ("ana, bo, cy (Cup)", "Cup"),
        ("ana - bo 3-1 cup", "Cup"),
        ("Ana 3-1 Bo (cup)", "Cup"),
        ("ana bo 3-1", ""),
    ],
)
def test_a_line_may_end_with_a_kind_of_match(line: str, kind: str) -> None:
    match = read(line, match_kinds=KINDS)
    assert match.match_kind == kind
    assert [name.casefold() for side in match.sides for name in side][:2] == ["ana", "bo"]


def test_a_name_is_never_taken_for_a_kind_of_match() -> None:
    assert read("Ana 3-1 Cup", match_kinds=KINDS).sides == (("Ana",), ("Cup",))
    assert read("cup bo 3-1", match_kinds=KINDS).sides == (("cup",), ("bo",))
    knows = known_names(["Cup", "Bo Cup", "Ana"])
    assert read("Ana > Cup", knows=knows, match_kinds=KINDS).sides == (("Ana",), ("Cup",))
    assert read("Ana > Bo Cup", knows=knows, match_kinds=KINDS).sides == (("Ana",), ("Bo Cup",))
    assert problem("ana > bo cup", match_kinds=KINDS).code == "match_kind"
    assert read("ana > bo cup").sides == (("ana",), ("bo cup",))


def test_the_two_above_may_play_another_kind_of_match() -> None:
    match = read('" 3-2 cup', above=ABOVE, match_kinds=KINDS)
    assert (match.sides, match.match_kind) == (ABOVE, "Cup")


@pytest.mark.parametrize(
    "name", ["Cup", "Cup final", "Liga 2", "Ligue A", "Play-off", "Coupe d’été"]
)
def test_usual_names_can_name_a_kind_of_match(name: str) -> None:
    assert can_name_kind(name)


@pytest.mark.parametrize(
    "name",
    ["", "wo", "Friendly", "cup ret", "3-1", "12", "2 cup", "a > b", "a, b", "v", "(cup)", '"'],
)
def test_words_with_another_meaning_cannot_name_a_kind_of_match(name: str) -> None:
    assert not can_name_kind(name)


def test_a_kind_that_is_called_as_a_player_stands_in_brackets() -> None:
    knows = {"Ana", "Cy"}.__contains__
    with pytest.raises(LineProblem):
        read_line("Bo Lee 3-1 Ana", knows=knows, match_kinds=["Ana"])
    read = read_line("Cy Bo 3-1 (Ana)", knows=knows, match_kinds=["Ana"])
    assert isinstance(read, WrittenMatch)
    assert read.match_kind == "Ana"
