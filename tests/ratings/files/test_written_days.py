"""Days and times as people write them above and in front of their results."""

from __future__ import annotations

from datetime import date, time, timedelta

import pytest

from ratings.files.problems import LineProblem
from ratings.files.written import WrittenMatch, read_line
from ratings.files.written_sides import known_names
from ratings.files.written_text import read_lines
from ratings.files.written_words import KnowsName
from tests.ratings.files.reading import TODAY
from tests.ratings.files.test_written import ABOVE, problem, read


@pytest.mark.parametrize(
    "line",
    [
        "Mittwoch, 26. November 2025",
        "Wednesday, 26 November 2025",
        "Mercredi, 26 novembre 2025",
        "Mittwoch, den 26. November 2025:",
        "26 novembre 2025",
        "26 de noviembre de 2025",
        "November 26th, 2025",
        "the 26th of November 2025",
        "@26 Nov 2025",
        "Ergebnisse vom 26.11.2025",
        "26/11/2025",
        "Wed 26/11",
        "Results of Wednesday, 26 November 2025:",
    ],
)
def test_a_date_may_have_the_name_of_its_month(line: str) -> None:
    assert read_line(line, today=TODAY) == date(2025, 11, 26)


@pytest.mark.parametrize("line", ["@22.11.", "@26/11", "11/26", "26. November", "26.11."])
def test_a_day_without_a_year_that_is_still_to_come_is_asked_about(line: str) -> None:
    found = problem(line)
    assert found.code == "day"
    assert "is still to come; write the year, like @2025-11-2" in found.reason


@pytest.mark.parametrize("line", ["26. Juillet", "le 26 juillet", "@July 26", "Sun July 26"])
def test_a_date_with_a_month_and_no_year_is_the_newest_such_day(line: str) -> None:
    year = TODAY.year if date(TODAY.year, 7, 26) <= TODAY else TODAY.year - 1
    assert read_line(line, today=TODAY) == date(year, 7, 26)


def test_a_month_that_may_be_a_player_is_none() -> None:
    assert problem("April 3").code == "numbers"
    assert problem("31. November").code == "day"


@pytest.mark.parametrize(
    ("line", "days_ago"),
    [
        ("Gestern:", 1),
        ("gestern", 1),
        ("Yesterday:", 1),
        ("Ergebnisse von gestern:", 1),
        ("résultats d'hier", 1),
        ("resultados de ayer", 1),
        ("i går", 1),
        ("@hier", 1),
        ("Heute:", 0),
        ("Hoy", 0),
    ],
)
def test_words_for_yesterday_and_today_are_days(line: str, days_ago: int) -> None:
    assert read_line(line, today=TODAY) == TODAY - timedelta(days_ago)


def test_yesterday_in_a_message_is_the_day_before_that() -> None:
    assert read_line("[12.11.25, 10:15] Kim: Gestern:", today=TODAY) == date(2025, 11, 11)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Sonntag, 26. November 2025", "2025-11-26 is no “Sonntag”; correct one of the two."),
        ("Fri 26.11.2025", "2025-11-26 is no “Fri”; correct one of the two."),
        ("3/11", "The order of day and month is not clear"),
    ],
)
def test_a_date_that_says_two_things_is_asked_about(line: str, reason: str) -> None:
    found = problem(line)
    assert found.code == "day"
    assert reason in found.reason


def test_a_weekday_is_its_newest_one() -> None:
    assert read_line("@monday", today=TODAY) == date(2026, 11, 16)
    assert read_line("Samstag:", today=TODAY) == TODAY
    assert problem("Samstag").code == "sides"


def test_a_time_behind_twelve_below_an_evening_may_be_of_noon_or_midnight() -> None:
    lines = ["11:50 pm ana - bo 3-1", "12:15 cy - di 3-0"]
    *_, (number, found) = read_lines(lines, today=TODAY)
    assert number == 2 and isinstance(found, LineProblem)
    assert "write 0:15 for after midnight, or 12:15 pm for noon" in found.reason
    for said, clock in (
        ("0:15", time(0, 15)),
        ("12:15 am", time(0, 15)),
        ("12:15 pm", time(12, 15)),
    ):
        match = read_line(f"{said} cy - di 3-0", is_evening=True)
        assert isinstance(match, WrittenMatch) and match.clock == clock
        assert match.is_past_midnight == (clock.hour == 0)
    assert isinstance(read_line("12:15 cy - di 3-0"), WrittenMatch)


@pytest.mark.parametrize("clock", ["8:15", "10:30"])
def test_a_time_of_the_morning_below_an_evening_is_asked_about(clock: str) -> None:
    with pytest.raises(LineProblem, match="am for the morning"):
        read_line(f"{clock} ana - bo 3-1", is_evening=True)
    match = read_line(f"{clock} am ana - bo 3-1", is_evening=True)
    assert isinstance(match, WrittenMatch)
    assert match.clock == time.fromisoformat(clock.zfill(5))


def test_a_time_stands_in_front() -> None:
    assert problem("ana - bo 3:1 20:15").code == "time_behind"
    assert read("ana - bo 6:4 3:6 13:11").score == (2, 1)
    assert read("ana - bo 10:8 15:13").score == (2, 0)
    assert read("(20:15) ana - bo 3-1").clock == time(20, 15)
    assert "Write 20:15" in problem("20.15 ana - bo 3-1").reason


def test_hier_alone_may_be_german_and_is_no_day() -> None:
    assert problem("hier").code == "sides"


@pytest.mark.parametrize(
    "line",
    [
        "Ergebnisse:",
        "Results",
        "Runde 1:",
        "1. Runde",
        "Round 2",
        "Tisch 1, Gruppe A",
        "2 Tische, 4 Spieler",
        "Hallo Leute, hier die Ergebnisse:",
        "[12.11.25, 20:15] Kim: Hallo Leute, hier die Ergebnisse:",
        "[12.11.25, 20:15] Kim: wer spielt noch?",
    ],
)
def test_words_around_results_are_none(line: str) -> None:
    found = problem(line)
    assert found.code == "chatter"
    assert found.reason == "This line says no result; delete it, or put # in front of it."


@pytest.mark.parametrize(
    ("front", "clock"),
    [
        ("20h15", time(20, 15)),
        ("20h", time(20)),
        ("20:15h", time(20, 15)),
        ("20:15 h", time(20, 15)),
        ("20:15 Uhr", time(20, 15)),
        ("19.30 Uhr", time(19, 30)),
        ("20 Uhr", time(20)),
        ("20:15:", time(20, 15)),
        ("7:45 pm", time(19, 45)),
        ("7:45pm", time(19, 45)),
        ("7:45 p.m.", time(19, 45)),
        ("8pm", time(20)),
        ("8 AM", time(8)),
    ],
)
def test_a_time_is_read_as_people_write_it(front: str, clock: time) -> None:
    match = read(f"{front} ana - bo 3-1")
    assert (match.sides, match.clock) == (ABOVE, clock)


@pytest.mark.parametrize(
    "mark",
    [
        "[8:15 PM, 11/26/25] Kim:",
        "[11/26/25, 8:15:00\u202fPM] Kim:",
        "11/26/25, 8:15\u202fPM - Kim:",
        "26/11/2025, 8:15 pm - Kim:",
    ],
)
def test_the_mark_of_a_chat_may_have_a_clock_of_twelve_hours(mark: str) -> None:
    match = read(f"{mark} ana - bo 3-1")
    assert (match.sides, match.clock, match.day) == (ABOVE, time(20, 15), date(2025, 11, 26))


def test_a_known_name_is_no_time() -> None:
    assert read("8 Uhrmacher - bo 3-1").sides == (("8 Uhrmacher",), ("bo",))
    assert read("20:15 H Uhl - bo 3-1").sides == (("H Uhl",), ("bo",))
    knows = known_names(["8 pm", "bo"])
    assert read("8 pm - bo 3-1", knows=knows).sides == (("8 pm",), ("bo",))


@pytest.mark.parametrize(
    ("text", "moments"),
    [
        (
            "[26.11.25, 21:10] Chloé: Chloé - Luis 3-2\n22:05 Jan - Chloé 3-2\nJan - Luis 3-1\n"
            "0:20 Jan - Luis 3-1\n@25.11.2025\n20:00 a - b 3-1",
            [
                (26, "21:10", False),
                (26, "22:05", False),
                (26, "22:05", False),
                (26, "00:20", True),
                (25, "20:00", False),
            ],
        ),
        (
            "[26.11.25, 23:10] Kim: 19:00 Åsa - Jan 3-1\n19:20 Jan - Eve 3-0",
            [(26, "19:00", False), (26, "19:20", False)],
        ),
        (
            "Kim Lee, [26.11.2025 23:10]\nJan - Eve 3-0\n\nBo, [27.11.2025 00:05]\nBo - Eve 3-1",
            [(26, "23:10", False), (27, "00:05", False)],
        ),
        (
            "kim \u2014 26/11/2025, 11:10 PM\nJan - Eve 3-0\nBo - Eve 3-1",
            [(26, "23:10", False), (26, "23:10", False)],
        ),
        (
            "[26.11.25, 23:10] Kim: what a night\n19:20 Jan - Eve 3-0",
            [(26, "19:20", False)],
        ),
    ],
)
def test_the_day_of_a_message_is_that_of_all_its_lines(
    text: str, moments: list[tuple[int, str, bool]]
) -> None:
    reads = [one for _line, one in read_lines(text.split("\n"), today=TODAY)]
    found = [
        (one.day and one.day.day, f"{one.clock:%H:%M}", one.is_past_midnight)
        for one in reads
        if isinstance(one, WrittenMatch)
    ]
    assert found == moments
    assert all(not isinstance(one, LineProblem) for one in reads[1:])


@pytest.mark.parametrize(
    "lead",
    [
        "17.11.2026 ",
        "17.11.26, ",
        "17.11. ",
        "2026-11-17 ",
        "17/11/2026 ",
        "Tue 17.11. ",
        "Di., 17.11.2026, ",
        "1. 17.11.2026 ",
        "2026-11-17\t",
    ],
)
def test_a_day_in_front_of_a_match_is_its_own(lead: str) -> None:
    match = read(f"{lead}ana - bo 3-1")
    assert (match.sides, match.day) == ((("ana",), ("bo",)), date(2026, 11, 17))
    timed = read(f"{lead}20:10:00 ana - bo 3-1")
    assert (timed.sides, timed.clock) == ((("ana",), ("bo",)), time(20, 10))


def test_a_day_in_front_holds_for_the_lines_below_it() -> None:
    text = "17.11. 20:10 a - b 3-1\nc - d 3-1\n18.11. a - c 3-1\nb - d 3-1\n@13.11.\na - d 3-1"
    found = [
        (one.day and one.day.day, one.clock and one.clock.hour)
        for _line, one in read_lines(text.split("\n"), today=TODAY)
        if isinstance(one, WrittenMatch)
    ]
    assert found == [(17, 20), (17, 20), (18, None), (18, None), (13, None)]


@pytest.mark.parametrize(
    ("lead", "reason"),
    [
        ("31.13.2026", "is not a date"),
        ("03/04/2026", "order of day and month"),
        ("Thu 17.11.", "2026-11-17 is no “Thu”"),
        ("1.2.", "Write 2026-02-01 if “1.2.” is that day"),
    ],
)
def test_a_day_in_front_that_is_none_is_not_that_of_the_line_above(lead: str, reason: str) -> None:
    text = f"16.11.2026 a - b 3-1\n{lead} ana - bo 3-1\nc - d 3-1"
    _above, bad, below = (one for _line, one in read_lines(text.split("\n"), today=TODAY))
    assert isinstance(bad, LineProblem)
    assert reason in bad.reason
    assert isinstance(below, LineProblem)
    assert "in line 2" in below.reason


def test_a_name_may_begin_as_a_day_does() -> None:
    knows = known_names(["17.11.2026 ana", "bo"])
    assert read("17.11.2026 ana - bo 3-1", knows=knows).day is None


@pytest.mark.parametrize(
    "line",
    [
        "2026-11-17T20:15 ana - bo 3-1",
        "17 Nov 2026 20:15 ana - bo 3-1",
        "17. November 2026, 20:15 Uhr: ana - bo 3-1",
        "Nov 17, 2026 20:15 ana - bo 3-1",
        "17.11.2026 um 20:15 ana - bo 3-1",
        "Di 17.11.2026: 20:15 ana - bo 3-1",
    ],
)
def test_a_day_in_front_is_written_in_many_ways(line: str) -> None:
    match = read(line)
    assert (match.sides, match.day) == ((("ana",), ("bo",)), date(2026, 11, 17))
    assert match.clock == time(20, 15)


@pytest.mark.parametrize(
    "line",
    [
        "18.11.2026 Spieltag 5",
        "18.11.2026 Ergebnisse:",
        "18.11.2026 ana bo cy what",
        "18.11.2026 25:15 ana - bo 3-1",
        "18 Nov 2026 what a night",
    ],
)
def test_the_day_of_a_line_that_is_no_match_holds_below_it(line: str) -> None:
    text = f"17.11.2026 20:00 a - b 3-1\n{line}\nc - d 3-1"
    _first, bad, below = (one for _line, one in read_lines(text.split("\n"), today=TODAY))
    assert isinstance(bad, LineProblem)
    assert isinstance(below, WrittenMatch)
    assert (below.day, below.clock) == (date(2026, 11, 18), None)


@pytest.mark.parametrize(
    "line",
    [
        "kim \u2014 05/06/2026 20:15",
        "Kim, [31.02.2026 20:15]",
        "Kim, [16.11.2026 25:15]",
        "[31.02.26, 20:15] Kim: hello",
        "05/06/26, 20:15 - Kim: hello",
        "[Yesterday 20:15] Kim: hello",
    ],
)
def test_a_mark_that_cannot_be_read_does_not_leave_the_day_above(line: str) -> None:
    text = f"Kim, [17.11.2026 20:15]\na - b 3-1\n{line}\nc - d 3-1"
    _first, bad, below = (one for _line, one in read_lines(text.split("\n"), today=TODAY))
    assert isinstance(bad, LineProblem) and bad.code == "day"
    assert isinstance(below, LineProblem) and "in line 3" in below.reason


@pytest.mark.parametrize(
    ("mark", "day"),
    [
        ("kim \u2014 Today at 8:58 PM", TODAY),
        ("kim \u2014 Heute um 20:58 Uhr", TODAY),
        ("kim \u2014 gestern um 20:58", TODAY - timedelta(1)),
    ],
)
def test_a_mark_may_say_today(mark: str, day: date) -> None:
    [(_line, match)] = read_lines([mark, "a - b 3-1"], today=TODAY)
    assert isinstance(match, WrittenMatch)
    assert (match.day, match.clock) == (day, time(20, 58))


@pytest.mark.parametrize(
    "line",
    [
        "ana > bo \u2014 01.10.2025 20:15",
        "ana 3:1 bo \u2013 16.11.2026 20:15",
        "ana beat bo \u2013 16.11.2026, 20:15",
        "ana - bo 3-1, [16.11.2026 20:15]",
        "ana -  bo, [16.11.2026 20:15]",
        "ana - bo remis \u2014 16.11.2026 20:15",
        "ana hat bo geschlagen \u2014 16.11.2026 20:15",
        "ana 3 bo 1 \u2014 16.11.2026 20:15",
        "ana - bo wo \u2014 gestern um 20:15",
        "ana - bo w/o, [16.11.2026 20:15]",
        "🥇 ana 🥈 bo \u2014 16.11.2026 20:15",
    ],
)
def test_a_date_behind_a_result_is_no_mark(line: str) -> None:
    [(_line, found)] = read_lines([line], today=TODAY)
    assert isinstance(found, LineProblem)


@pytest.mark.parametrize(
    "text",
    [
        "16.11.26, 21:15 - kim: a - b 3-1\n17.11.26, 0:16 - kim: 23:50 c - d 3-0\n0:05 a - d 3-1",
        "eva, [17.11.2026 0:20]\n23:50 c - d 3-0\n0:05 a - d 3-1",
    ],
)
def test_a_message_after_midnight_tells_of_the_evening_before(text: str) -> None:
    matches = [one for _line, one in read_lines(text.split("\n"), today=TODAY)][-2:]
    assert all(isinstance(one, WrittenMatch) and one.day == date(2026, 11, 16) for one in matches)
    assert [isinstance(one, WrittenMatch) and one.is_past_midnight for one in matches] == [
        False,
        True,
    ]


@pytest.mark.parametrize("words", ["<Media omitted>", "Diese Nachricht wurde gelöscht."])
def test_a_message_that_says_nothing_says_its_day(words: str) -> None:
    text = f"16.11.2026, 20:15 - kim: a - b 3-1\n17.11.2026, 10:16 - kim: {words}\nc - d 3-0"
    _first, (_line, below) = read_lines(text.split("\n"), today=TODAY)
    assert isinstance(below, WrittenMatch)
    assert below.day == date(2026, 11, 17)


def test_a_mark_with_a_time_alone_is_of_the_day_above() -> None:
    text = "kim, [16.11.2026 20:15]\na - b 3-1\nkim, [20:25]\nc - d 3-1"
    _first, (_line, below) = read_lines(text.split("\n"), today=TODAY)
    assert isinstance(below, WrittenMatch)
    assert (below.day, below.clock) == (date(2026, 11, 16), time(20, 25))


@pytest.mark.parametrize(
    "lead",
    ["Tuesday ", "Dienstag: ", "17. November ", "am 17.11. ", "- Tue 17 Nov, ", "den 17.11., "],
)
def test_a_day_in_words_holds_before_a_known_name(lead: str) -> None:
    knows = known_names(["ana", "bo", "cy"])
    text = f"{lead}ana - bo 3-1\nbo - cy 3-1\n{lead}20:15 cy - ana 3-1"
    reads = [one for _line, one in read_lines(text.split("\n"), today=TODAY, knows=knows)]
    found = [
        (one.sides, one.day, one.clock and one.clock.hour)
        for one in reads
        if isinstance(one, WrittenMatch)
    ]
    day = date(2026, 11, 17)
    assert found == [
        ((("ana",), ("bo",)), day, None),
        ((("bo",), ("cy",)), day, None),
        ((("cy",), ("ana",)), day, 20),
    ]


@pytest.mark.parametrize("name", ["Tuesday Ana", "May Ana", "Freitag Ana"])
def test_a_known_name_may_begin_with_a_word_for_a_day(name: str) -> None:
    match = read(f"{name} - bo 3-1", knows=known_names([name, "ana", "bo"]))
    assert (match.sides, match.day) == (((name,), ("bo",)), None)


def test_without_a_known_name_behind_it_a_word_for_a_day_is_a_name() -> None:
    match = read("Sunday Mia - bo 3-1", knows=known_names(["ana", "bo"]))
    assert (match.sides, match.day) == ((("Sunday Mia",), ("bo",)), None)


def test_a_day_in_a_message_counts_from_when_that_was_written() -> None:
    match = read("[20:15, 12.11.26] Kim: gestern ana bo 3-1", knows=known_names(["ana", "bo"]))
    assert (match.day, match.clock) == (date(2026, 11, 11), None)


def test_the_mark_of_a_chat_is_no_day_in_front() -> None:
    match = read("12.11.26, 20:15 - Kim: ana bo 3-1", knows=known_names(["ana", "bo", "kim"]))
    assert (match.day, match.clock) == (date(2026, 11, 12), time(20, 15))


@pytest.mark.parametrize("first", ["ana - bo 3-1", "👍", "19:30 ana - bo 3-1"])
@pytest.mark.parametrize("mark", ["[12.11.26, 00:30] Kim: ", "12.11.26, 00:30 - Kim: "])
def test_an_evening_in_a_message_after_midnight_is_the_day_before(mark: str, first: str) -> None:
    lines = [mark + first, "20:30 ana - cy 3-1", f"12.11.26 00:30 {first}", "20:30 ana - di 3-1"]
    days = {
        one.sides[1]: one.day and one.day.day
        for _line, one in read_lines(lines, today=TODAY)
        if isinstance(one, WrittenMatch)
    }
    assert (days["cy",], days["di",]) == (11, 12)


def test_a_day_and_month_long_ago_may_be_a_number_and_a_name() -> None:
    with pytest.raises(LineProblem, match="2026-05-01 if “1"):
        read("1. May ana - bo 3-1", knows=known_names(["ana", "bo"]))


@pytest.mark.parametrize(
    "mark", ["Kim — 20:15", "Kim Bauer — 8:15 PM", "—\n8:15 PM", " - \nToday at 20:15"]
)
def test_a_time_behind_who_wrote_a_message_is_its_mark(mark: str) -> None:
    lines = [*mark.split("\n"), "ana - bo 3-1"]
    (match,) = (one for _line, one in read_lines(lines, today=TODAY))
    assert isinstance(match, WrittenMatch)
    assert match.clock == time(20, 15)


@pytest.mark.parametrize("known", [["ana", "bo"], ["ana"], []])
@pytest.mark.parametrize("dash", "–—")
def test_a_score_behind_a_dash_and_two_names_is_no_time(dash: str, known: list[str]) -> None:
    match = read(f"Ana Bo {dash} 20:15", knows=known_names(known))
    assert (match.sides, match.score) == ((("Ana",), ("Bo",)), (20, 15))


def test_a_time_behind_a_known_name_of_two_words_is_a_mark() -> None:
    assert read_line("Kim Bauer — 20:15", today=TODAY, knows=known_names(["Kim Bauer"])) is None
    # No score has the half of a day, or a date.
    knows = known_names(["Kim", "Bauer"])
    for stamp in ("8:15 PM", "12.11.2026, 20:15"):
        assert read_line(f"Kim Bauer — {stamp}", today=TODAY, knows=knows) is None


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("2. Jan Peter - Bo 3-1", ["Jan Peter", "Peter", "Bo"]),
        ("2. Jan Bo 3-1", ["Jan", "Bo"]),
        ("1. Mai - Bo 3-1", ["Mai", "Bo"]),
    ],
)
def test_a_number_before_a_known_name_counts_a_list(line: str, names: list[str]) -> None:
    match = read(line, knows=known_names(names))
    assert (match.sides, match.day) == (((names[0],), ("Bo",)), None)


@pytest.mark.parametrize("line", ["Sunday Ana 3-1", "Domingo, Ana > Bo", "Sunday, Ana, Bo"])
def test_a_word_for_a_day_may_be_one_of_the_sides(line: str) -> None:
    assert read(line, knows=known_names(["Ana", "Bo"])).day is None


@pytest.mark.parametrize(
    "lead", ["Kim — 11.11.2026, 20:15\n", "[11.11.26, 20:15] Kim: Ana - Mia 3-1\n"]
)
def test_days_in_words_count_from_the_message_above(lead: str) -> None:
    knows = known_names(["Ana", "Bo", "Mia", "Kim"])
    lines = f"{lead}gestern Ana - Bo 3-1\n@13.11.\ngestern Ana - Bo 3-1".split("\n")
    *_others, match, below = (
        one
        for _line, one in read_lines(lines, today=TODAY, knows=knows)
        if isinstance(one, WrittenMatch)
    )
    assert match.day == date(2026, 11, 10)
    assert below.day == TODAY - timedelta(1)


def test_the_time_of_a_message_after_midnight_follows_that_of_the_evening() -> None:
    lines = ["Kim — 20:15", "ana - bo 3-1", "Jan — 00:15", "ana - cy 3-1"]
    evening, night = (one for _line, one in read_lines(lines, today=TODAY))
    assert isinstance(evening, WrittenMatch) and isinstance(night, WrittenMatch)
    assert (evening.is_past_midnight, night.is_past_midnight) == (False, True)


def test_a_set_on_a_line_of_its_own_is_no_time() -> None:
    with pytest.raises(LineProblem):
        read_line("21:19", today=TODAY)


@pytest.mark.parametrize(
    ("lead", "days_ago"),
    [
        ("Heute", 0),
        ("Gestern", 1),
        ("Yesterday", 1),
        ("vorgestern", 2),
        ("Day before yesterday", 2),
    ],
)
def test_a_colon_behind_a_word_for_a_day_needs_no_known_name(lead: str, days_ago: int) -> None:
    day = TODAY - timedelta(days_ago)
    for knows in (None, known_names(["Mia"])):
        match = read(f"{lead}: Anna 3:1 Ben", knows=knows)
        assert (match.own_day, match.sides) == (day, (("Anna",), ("Ben",)))
    assert read_line(lead, today=TODAY) == day


def test_a_colon_before_points_is_no_day() -> None:
    knows = known_names(["Heute", "Bo"])
    assert read("Heute: 31, Bo: 24, Cy: 8", knows=knows).own_day is None
    assert read("Heute: 31, Bo: 24, Cy: 8").own_day is None


@pytest.mark.parametrize("line", ["Gestern Anna 3:1 Ben", "Ayer Ana > Bo", "Ieri Ana - Bo 3:1"])
def test_a_word_for_a_day_without_a_colon_is_named(line: str) -> None:
    refused = problem(line)
    word = line.split(" ", maxsplit=1)[0]
    assert refused.code == "word_before"
    assert f"“{word}” stands before a name; put a colon behind it if it is" in refused.reason


@pytest.mark.parametrize(
    "line",
    [
        "Vereinsabend Thursday 12.11. 🏓",
        "Vereinsabend Donnerstag 12.11. 🏓",
        "🏓 Vereinsabend am Donnerstag, 12.11.:",
        "Vereinsabend - Do 12.11.2026",
        "Club night: Thursday, 12 November 2026",
        "TT-Club e.V. vom 12.11.",
        "Do 12.11. 🏓🏓",
        "🏓 12.11.",
        "League night Thu 12.11.",
        "Soirée du club le 12.11.",
        "Kegelabend: Do 12.11.",
        "Kegelabend am 12.11.:",
    ],
)
def test_an_occasion_and_emoji_may_stand_around_a_day(line: str) -> None:
    assert read_line(line, today=date(2026, 11, 29)) == date(2026, 11, 12)


@pytest.mark.parametrize(
    "line",
    [
        "Anna Ben am 12.11.",
        "anna - cy Do 12.11.",
        "Cy schlägt Di am 12.11.",
        "Cy Di remis am 12.11.",
        "Cy 3:1 Di am 12.11.",
        "Cy > Di Do 12.11.",
    ],
)
def test_what_may_be_a_match_is_no_occasion(line: str) -> None:
    assert problem(line, knows=known_names(["Anna", "Ben"])).code != "day"


@pytest.mark.parametrize(
    "line",
    [
        "Anna Bea Do 12.11.",
        "Ana Bo am 12.11.",
        "Anna on 12.11.",
        "Ana Bo am Donnerstag, 12.11.",
        "Ana Bo Do 12.11. 🏆",
        "Anna Feierabend am 12.11.",
        "Training Ana Bo am 12.11.",
    ],
)
@pytest.mark.parametrize("knows", [None, known_names(["Mia"])])
def test_two_names_before_a_day_are_no_occasion(line: str, knows: KnowsName | None) -> None:
    with pytest.raises(LineProblem):
        read_line(line, today=date(2026, 11, 29), knows=knows)


def test_the_weekday_behind_an_occasion_has_to_be_right() -> None:
    assert problem("Vereinsabend Mittwoch 12.11.2026").code == "day"
