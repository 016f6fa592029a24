"""Read a text of written results, a match a line, as a table: a match or a participant a row.

A line that cannot be read is a bad row, and so are the lines below a date that cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from ratings.files.handicap_cells import COLUMN as HANDICAPS
from ratings.files.meanings import SIDES
from ratings.files.problems import BadRow, FileProblem, LineProblem, shown
from ratings.files.written import WrittenMatch, has_result, read_line
from ratings.files.written_chatter import without_remark
from ratings.files.written_days import DAY_LINE
from ratings.files.written_leads import EVENING, MORNING, day_in_front_of, is_message
from ratings.files.written_shapes import of_one_shape
from ratings.files.written_times import TimeSaid, mark_alone, time_said_by
from ratings.files.written_words import DRAWN, FIRST_WON, SECOND_WON, KnowsName

WRITTEN = "lines"
DAY_ABOVE: Final = "day_above"
MAX_LINES = 20_000
MAX_NAMED = 5
RESULTS: Final[dict[tuple[int, ...], str]] = {FIRST_WON: "1-0", SECOND_WON: "0-1", DRAWN: "1/2-1/2"}
"""How a table says who won; a word such as “first” could be the name of a player."""
_TIGHT_COMMA = re.compile(r",[^\s\d]")
_CELL_ENDS = re.compile(r"[,;\t|]")
Row = tuple[int, list[str]]


def is_written(lines: Sequence[str], today: date | None) -> bool:
    """Whether a text begins with written results; half of its lines at least are readable.

    A comma with a letter behind it, without a space, is taken for a cell's end. A text without
    anything between cells is no table: there one such line is enough, or that all lines try to be.
    """
    filled = [
        without_remark(line) for line in lines if line.strip() and not line.lstrip().startswith("#")
    ]
    matches = problems = 0
    for number, read in read_lines(filled, today=today):
        # Cells with tabs between them can be read as a line, but are those of a table.
        is_match = isinstance(read, WrittenMatch) and "\t" not in filled[number - 1]
        matches += is_match
        problems += not is_match and not (isinstance(read, LineProblem) and read.code == DAY_ABOVE)
    if not any(_CELL_ENDS.search(line) for line in filled):
        return matches > 0 or (problems > 0 and all(has_result(line) for line in filled))
    tight = sum(1 for line in filled if _TIGHT_COMMA.search(line))
    return matches > 0 and not tight and 2 * problems <= len(filled)


def read_lines(
    lines: Iterable[str],
    *,
    today: date | None,
    knows: KnowsName | None = None,
    match_kinds: Collection[str] = (),
) -> Iterator[tuple[int, WrittenMatch | LineProblem]]:
    """Yield every match and every problem of a text, with the number of its line.

    Matches below a date that cannot be read are problems too: the date above it is not theirs.
    Those without a time below one that has one were played after it: they have its day and time.
    The day that a line says in front of its match is that of the lines below it, too.
    """
    course = _Course()
    for number, text in enumerate(lines, start=1):
        try:
            read = read_line(
                text,
                today=today,
                day=course.own_day or course.day,
                above=course.above,
                is_evening=course.is_evening,
                written_on=course.written_on,
                knows=knows,
                match_kinds=match_kinds,
            )
        except LineProblem as problem:
            course.go_on_behind(problem, text, number, today)
            yield number, problem
            continue
        if isinstance(read, date):
            course.begin_day(read)
        elif read is not None:
            read = course.go_on(read, is_message=is_message(text))
            is_below_bad = course.bad_day and read.day is None
            yield number, _below(course.bad_day) if is_below_bad else read
        elif (said := course.message(text, today, knows)) is not None:
            course.begin_message(said)


@dataclass(slots=True)
class _Course:
    """What the lines above have said: their day and time, and the sides of the last match."""

    timed: TimeSaid | None = None
    day: date | None = None
    own_day: date | None = None
    """The day of a line above that said it in front, or of the mark of a chat."""
    written_on: date | None = None
    """The day of the message that lines belong to."""
    bad_day: int = 0
    """The number of a line above whose day cannot be read, until another says one."""
    above: tuple[tuple[str, ...], ...] = ()
    is_evening: bool = False
    is_late: bool = False
    """Whether the message to which a line belongs was written after midnight."""

    def begin_day(self, day: date | None, bad_day: int = 0) -> None:
        self.day, self.bad_day = day, bad_day
        self.timed = self.own_day = self.written_on = None
        self.is_evening = self.is_late = False

    def message(self, text: str, today: date | None, knows: KnowsName | None) -> TimeSaid | None:
        """The mark of a message that says nothing else, such as one of a picture."""
        if (said := mark_alone(text, today, knows)) is not None:
            return said
        said = time_said_by(text, today=today, day=self.day, is_evening=False)
        return None if said is None or said.own_day is None else said

    def begin_message(self, said: TimeSaid) -> None:
        own_day, written_on = said.own_day or self.own_day, said.own_day or self.written_on
        is_past = self.is_evening and said.clock < MORNING and said.own_day is None
        self.begin_day(self.day, self.bad_day)
        self.own_day, self.written_on = own_day, written_on
        self.timed = replace(said, day=own_day or self.day, is_past_midnight=is_past)
        self.is_evening = is_past or said.clock >= EVENING
        self.is_late = said.clock < MORNING and said.own_day is not None
        self.above = ()

    def go_on(self, read: WrittenMatch, *, is_message: bool) -> WrittenMatch:
        """A match, with the time of the lines above where it has none itself."""
        if read.own_day is not None:
            self.own_day, self.is_evening = read.own_day, False
            self.written_on = read.own_day if is_message else self.written_on
            self.is_late = is_message and bool(read.clock and read.clock < MORNING)
        elif self.is_late and self.own_day and read.clock and read.clock >= EVENING:
            # A message cannot tell of a match after it: the evening is that of the day before.
            self.own_day, self.is_late = self.own_day - timedelta(1), False
            read = replace(read, day=self.own_day)
        read = read.below(self.timed)
        self.timed, self.above = read.time_said, read.sides_below
        if read.clock and read.clock >= EVENING:
            self.is_evening = True
        return read

    def go_on_behind(
        self, problem: LineProblem, text: str, number: int, today: date | None
    ) -> None:
        """A line that is no match: the day and the time that it says hold all the same."""
        self.above = ()
        if problem.code == DAY_LINE:
            self.begin_day(None, number)
            return
        if (own_day := day_in_front_of(text, today)) is not None:
            self.own_day, self.timed, self.is_evening = own_day, None, False
        day, is_evening = self.own_day or self.day, self.is_evening
        said = time_said_by(text, today=today, day=day, is_evening=is_evening)
        self.timed = said or self.timed
        if said is not None and said.own_day is not None:
            self.own_day = said.own_day
            self.written_on = said.own_day if is_message(text) else self.written_on
            self.is_evening = said.clock >= EVENING
            self.is_late = is_message(text) and said.clock < MORNING


def _below(bad_day: int) -> LineProblem:
    return LineProblem(DAY_ABOVE, f"The date above it, in line {bad_day}, cannot be read.")


def written_rows(
    lines: Iterable[str], *, today: date | None
) -> tuple[Iterator[Row], tuple[BadRow, ...]]:
    """The header and the rows of a text, and its lines that cannot be read.

    Raises FileProblem where no line can be read.
    """
    texts = list(_limited(lines))
    matches, problems = _matches(texts, today)
    if not matches and problems:
        raise _unreadable([(number, one.reason) for number, one in problems])
    matches, odd = of_one_shape(matches)
    problems = sorted([*problems, *odd], key=lambda problem: problem[0])
    is_long = any(len(match.sides) > 2 for _, match in matches)
    rows = _long_rows(matches) if is_long else _wide_rows(matches)
    columns = [at for at in range(len(rows[0][1])) if any(row[at] for _, row in rows[1:])]
    bad = tuple(
        BadRow(number, "", shown(texts[number - 1].strip()), one.reason, code=one.code)
        for number, one in problems
    )
    return ((number, [row[at] for at in columns]) for number, row in rows), bad


def _matches(
    lines: Iterable[str], today: date | None
) -> tuple[list[tuple[int, WrittenMatch]], list[tuple[int, LineProblem]]]:
    matches: list[tuple[int, WrittenMatch]] = []
    problems: list[tuple[int, LineProblem]] = []
    for number, read in read_lines(lines, today=today):
        if isinstance(read, LineProblem):
            if read.code == "long":
                # What is cut from its end would be numbered as lines.
                raise FileProblem(read.reason, line=number)
            problems.append((number, read))
        elif len(read.sides) == 2 and max(map(len, read.sides)) > SIDES:
            many = f"A side has more than {SIDES} players."
            problems.append((number, LineProblem("players", many)))
        else:
            matches.append((number, read))
    return matches, problems


def _unreadable(problems: Sequence[tuple[int, str]]) -> FileProblem:
    if len(problems) == 1:
        return FileProblem(problems[0][1], line=problems[0][0])
    return FileProblem(_told(problems))


def _limited(lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        if number > MAX_LINES:
            raise FileProblem(
                f"The text has more than {MAX_LINES} lines of results; split it, or send a table.",
                line=number,
            )
        yield line


def _told(problems: Sequence[tuple[int, str]]) -> str:
    words = " ".join(f"Line {number}: {reason}" for number, reason in problems[:MAX_NAMED])
    more = len(problems) - MAX_NAMED
    if more < 1:
        return words
    return f"{words} {more} more {'line' if more == 1 else 'lines'} cannot be read."


def _moment(match: WrittenMatch) -> list[str]:
    day = "" if match.day is None else match.played_on(match.day).isoformat()
    return [day, "" if match.clock is None else match.clock.isoformat()]


def _handicaps(match: WrittenMatch) -> list[str]:
    """The cell of the handicap of each side."""
    return [str(points or "") for points in match.handicaps] or [""] * len(match.sides)


def _flag(match: WrittenMatch) -> str:
    """The one word that the vocabulary of files has for how a match ended."""
    if match.is_walkover:
        return "walkover"
    if match.is_friendly:
        return "friendly"
    return "retired" if match.is_retired else ""


def _wide_rows(matches: Sequence[tuple[int, WrittenMatch]]) -> list[Row]:
    """Duels and matches of two teams, a match a row."""
    sizes = [max(len(match.sides[side]) for _, match in matches) for side in (0, 1)]
    names = [["player1"], ["player2"]]
    if max(sizes) > 1:
        names = [
            [f"team{side} player{seat}" for seat in range(1, size + 1)]
            for side, size in enumerate(sizes, start=1)
        ]
    # A column of the result that is blank where the score says it would be read as names.
    says_result = any(not _score_decides(match) for _, match in matches)
    header = ["date", "time", *names[0], *names[1], "score1", "score2", "result", "details", "flag"]
    header += [f"{HANDICAPS}1", f"{HANDICAPS}2"]
    rows = [(1, header)]
    for number, match in matches:
        members = [
            name
            for side, size in zip(match.sides, sizes, strict=True)
            for name in (*side, *[""] * (size - len(side)))
        ]
        scores = [str(score) for score in match.score or ()] if _score_decides(match) else ["", ""]
        result = RESULTS[match.places] if says_result else ""
        row = [*_moment(match), *members, *scores, result, _details(match), _flag(match)]
        row += _handicaps(match)
        rows.append((number, row))
    return rows


def _score_decides(match: WrittenMatch) -> bool:
    """Whether the score says who won; that of a retirement may not."""
    if match.score is None:
        return False
    first, second = match.score
    return match.places == (1 + (first < second), 1 + (second < first))


def _details(match: WrittenMatch) -> str:
    if match.detail or match.score is None or _score_decides(match):
        return match.detail
    return "-".join(map(str, match.score))


def _long_rows(matches: Sequence[tuple[int, WrittenMatch]]) -> list[Row]:
    """Free-for-alls, a participant a row. No id is kept that has a space in it."""
    has_teams = any(len(side) > 1 for _, match in matches for side in match.sides)
    header = ["game_id", "date", "time", "player", "team", "rank", "score", "flag", HANDICAPS]
    rows = [(1, header)]
    for number, match in matches:
        points = [str(one) for one in match.points] or [""] * len(match.sides)
        sides = zip(match.sides, match.places, points, _handicaps(match), strict=True)
        for team, (side, place, score, handicap) in enumerate(sides, start=1):
            of_team = str(team) if has_teams else ""
            cells = [of_team, str(place), score, _flag(match), handicap]
            rows += [(number, [f"line {number}", *_moment(match), name, *cells]) for name in side]
    return rows
