"""The small language of results: one line, such as “ana bo 3-1”, is a match.

A line has names, then how it ended; `docs/import.md` has the table. Nothing is guessed: a line
that may be read in two ways is a problem that says what to write.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from typing import Final

from ratings.files.emoji import without_emoji, without_emoji_behind
from ratings.files.names import fold_kind
from ratings.files.problems import LineProblem
from ratings.files.scores import sets_won
from ratings.files.written_cells import without_tabs
from ratings.files.written_chatter import refuse_chatter, without_remark, without_words_of_chat
from ratings.files.written_days import read_day_line
from ratings.files.written_endings import (
    DRAW,
    ENDINGS,
    FRIENDLY,
    RETIRED,
    SCORE,
    WALKOVER,
    bare,
    has_marks,
    plain,
)
from ratings.files.written_games import refuse_games
from ratings.files.written_gaps import without_gaps
from ratings.files.written_headings import is_heading
from ratings.files.written_labels import refuse_other_label, with_day_first, without_label
from ratings.files.written_leads import MORNING, UNSEEN, without_lead
from ratings.files.written_order import refuse_other_signs, with_places_in_order
from ratings.files.written_places import refuse_place_alone, with_places_marked
from ratings.files.written_points import without_points
from ratings.files.written_scores import outer_and_inner, pairs_of, score_and_sets
from ratings.files.written_sides import (
    Sides,
    is_one_side,
    read_sides,
    refuse_score_within,
    stands_between,
)
from ratings.files.written_spellings import with_usual_spelling
from ratings.files.written_times import TimeSaid, mark_alone, refuse_time_behind
from ratings.files.written_turned import refuse_turned
from ratings.files.written_words import (
    DRAWN,
    FIRST_WON,
    SECOND_WON,
    KnowsName,
    Places,
    begins_with_name,
    between_sides,
    ends_with_name,
)

MAX_LENGTH = 500
_DASHES: Final = frozenset("-\u2013\u2014")
"""What stands alone between who wrote a message and when, as some chats are copied."""
SAME_SIDES = frozenset('"“”„″〃')

_ENDS_WITH_POINTS = re.compile(r"(?:: ?| )\d{1,6}(?= ?(?:[,>=]|$))", re.ASCII)
_NUMBER_SIGN: Final = re.compile(r"#([0-9]{1,3}) ([^\W\d_].*)")
_PLACE_MARKS: Final = re.compile("[<>=]")
_BEFORE_SCORE: Final = frozenset(("by", "mit", "por", "par", "con", "med", "met"))


@dataclass(frozen=True, slots=True)
class WrittenMatch:
    """A match as a line writes it: names as typed, sides in the order of the line.

    `places` has one for each side, as competition ranks from 1, and so have the `points` of a
    free-for-all and the `handicaps`, if it has any. `score` is that of both sides, the
    sets they won where `sets` has several; a retirement within the sets leaves it None. `detail`
    has the sets as typed. `match_kind` is the name of the kind of match that the line ends with.
    """

    sides: tuple[tuple[str, ...], ...]
    places: tuple[int, ...]
    score: tuple[int, int] | None = None
    points: tuple[int, ...] = ()
    sets: tuple[tuple[int, int], ...] = ()
    detail: str = ""
    is_walkover: bool = False
    is_retired: bool = False
    is_friendly: bool = False
    match_kind: str = ""
    clock: time | None = None
    day: date | None = None
    handicaps: tuple[int, ...] = ()
    is_past_midnight: bool = False
    """Whether its time is one of the night after that day, whose evening a line above has."""
    is_clock_above: bool = False
    """Whether its time, and its day, are those of a line above it: it says none itself."""
    own_day: date | None = None
    """The day that the line itself says, or the mark of a chat on it, for those below it too."""

    @property
    def time_said(self) -> TimeSaid | None:
        """What it says of its time, which holds for lines without one below it."""
        if self.clock is None:
            return None
        return TimeSaid(self.clock, self.day, self.is_past_midnight)

    def below(self, said: TimeSaid | None) -> WrittenMatch:
        """This match below a line with a time: without one of its own it was played after that."""
        if self.clock is not None or said is None:
            return self
        if self.own_day is not None and (said.day != self.own_day or said.is_past_midnight):
            return self
        return replace(
            self,
            clock=said.clock,
            day=said.day,
            is_past_midnight=said.is_past_midnight,
            is_clock_above=True,
        )

    @property
    def sides_below(self) -> tuple[tuple[str, ...], ...]:
        """The sides for which a quotation mark below stands; it would not tell of handicaps."""
        return () if self.handicaps else self.sides

    def played_on(self, evening: date) -> date:
        """The day on which it was played, where the lines are those of an evening."""
        if not self.is_past_midnight or evening == date.max:
            return evening
        return evening + timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Ending:
    """What stands behind the names: scores, and words for how it ended."""

    score: tuple[int, int] | None
    sets: tuple[tuple[int, int], ...]
    detail: str
    words: frozenset[str]

    def has(self, words: Sequence[str]) -> bool:
        return not self.words.isdisjoint(words)


def read_line(
    text: str,
    *,
    today: date | None = None,
    day: date | None = None,
    above: Sequence[tuple[str, ...]] = (),
    is_evening: bool = False,
    written_on: date | None = None,
    knows: KnowsName | None = None,
    match_kinds: Collection[str] = (),
) -> WrittenMatch | date | None:
    """Read one line: a match, the date of the lines below it, or None for what says nothing.

    That are blank lines, comments, headings of a table, and what a chat says. `day` and `above` are
    the date and the sides of lines above. Where `is_evening`, one of them has a time in its
    evening. Words such as “yesterday” count from `written_on`, the day of a message above. A date
    without a year is the newest one up to `today`. `knows` tells names of the league, by which
    words without a mark are divided. A line may end with one of `match_kinds`. Raises LineProblem.
    """
    line = _told_by(text, today, knows)
    if not line:
        return None
    if (found := read_day_line(line, today, knows)) is not None:
        return found
    numbered = line = with_day_first(line, knows)
    lead = without_lead(line, today, knows, is_evening=is_evening, written_on=written_on)
    line, own_day, clock = lead
    if own_day and line and (found := read_day_line(line, own_day, knows)) is not None:
        return found
    if line and not (line := without_words_of_chat(line)):
        return None
    line, label = without_label(line, knows)
    refuse_chatter(line, knows)
    refuse_place_alone(numbered, knows)
    line = with_usual_spelling(line, knows)
    words = _without_emoji(with_places_marked(without_gaps(line, knows)).split(" "))
    words, match_kind = _without_match_kind(words, match_kinds, knows)
    named, words = _split_ending(words, knows)
    ending = _read_ending(words)
    names, points = without_points(with_places_in_order(named, knows), knows)
    sides = _same_sides(names, above) or _sides(names, ending, knows, label)
    places = _places(sides, ending, has_mark=bool(_PLACE_MARKS.search(numbered)))
    refuse_other_signs(numbered, named, sides.names, places)
    return WrittenMatch(
        sides=sides.names,
        places=places,
        score=None if ending.sets and ending.has(RETIRED) else ending.score,
        points=points,
        sets=ending.sets,
        detail=ending.detail,
        is_walkover=ending.has(WALKOVER),
        is_retired=ending.has(RETIRED),
        is_friendly=ending.has(FRIENDLY),
        match_kind=match_kind,
        handicaps=sides.handicaps,
        clock=clock,
        day=own_day or day,
        own_day=own_day,
        is_past_midnight=bool(is_evening and clock and clock < MORNING and not own_day),
    )


def _told_by(text: str, today: date | None, knows: KnowsName | None) -> str:
    """What a line says, its words with one space between them; nothing of what says nothing."""
    line = text.strip().strip(UNSEEN).strip()
    if len(line) <= MAX_LENGTH and (is_heading(line, knows) or mark_alone(line, today, knows)):
        return ""
    if line in _DASHES:
        return ""
    line = without_tabs(line)
    if len(line) > MAX_LENGTH:
        raise LineProblem("long", f"The line is longer than {MAX_LENGTH} characters.")
    if line.startswith("#") and not begins_with_name(line.split(" "), knows):
        _refuse_number_of_result(line)
        return ""
    _refuse_controls(line)
    return " ".join(without_remark(line, knows).split())


def _refuse_number_of_result(line: str) -> None:
    """Raise LineProblem for “#1 Ana Bo 3-1”: # numbers the result, or leaves it out."""
    found = _NUMBER_SIGN.match(line)
    if found is not None and has_result(found[2]):
        raise LineProblem(
            "number_sign",
            f"Write {found[1]}. without # if this result counts, or a space behind # to leave it "
            "out.",
        )


def has_result(text: str) -> bool:
    """Whether a line tries to say a result: a score behind a word, or a mark between words."""
    words = without_gaps(" ".join(text.split()), None).split(" ")
    if ": " in text:
        return False
    return any(SCORE.fullmatch(bare(word)) for word in words[1:]) or any(
        mark in words[1:-1] for mark in "<>="
    )


def _without_emoji(words: list[str]) -> list[str]:
    """The words of a line without the emoji behind how the match ended.

    Elsewhere one may belong to a name (`read_sides`).
    """
    known = without_emoji_behind(" ".join(words)).split()
    return known if known and _is_ending(known, len(known) - 1) else words


def _refuse_controls(line: str) -> None:
    if line.isprintable():
        return
    for char in line:
        if unicodedata.category(char) in ("Cc", "Zl", "Zp"):
            raise LineProblem("control", f"The line has a control character (U+{ord(char):04X}).")


def can_name_kind(name: str) -> bool:
    """Whether a line can end with a name of a kind of match, and with nothing else by it."""
    words = name.split(" ")
    if not name or not all(char.isalnum() or char in " -'\u2019." for char in name):
        return False
    if any(plain(word) in ENDINGS or SCORE.fullmatch(bare(word)) for word in words):
        return False
    if words[0].isdigit() or not any(char.isalpha() for char in name):
        return False
    if any(stands_between(word) for word in words):
        return False
    try:
        read = read_line(f"a b 2-1 {name}", match_kinds=[name])
    except LineProblem:
        return False
    return isinstance(read, WrittenMatch) and read.match_kind == name


def _without_match_kind(
    words: list[str], match_kinds: Collection[str], knows: KnowsName | None
) -> tuple[list[str], str]:
    """Take the name of a kind of match away from the end of a line.

    It stands behind how the match ended, or in brackets: elsewhere it could be a player's name.
    """
    kinds = {fold_kind(name): name for name in match_kinds}
    for at in range(1, len(words)) if kinds else ():
        text = without_emoji(" ".join(words[at:]))
        kind = kinds.get(fold_kind(bare(text).removeprefix("(").removesuffix(")")))
        if kind is None:
            continue
        is_behind_ending = _is_ending(words, at - 1)
        is_alone = knows is None or not knows(text)
        if text.startswith("(") or (
            is_behind_ending and is_alone and _has_both_sides(words[:at], knows)
        ):
            return words[:at], kind
        if is_behind_ending or ends_with_name(words, knows, least=len(words) - at):
            return words, ""
        raise LineProblem(
            "match_kind",
            f"Write ({kind}) in brackets: without a score before it, it may be a name.",
        )
    return words, ""


def _has_both_sides(words: Sequence[str], knows: KnowsName | None) -> bool:
    """Whether words that end with a score miss no name, as “Ana 3-1” does."""
    names, _ending = _split_ending(words, knows)
    text = " ".join(names)
    if not names or names[0] in SAME_SIDES or has_marks(text):
        return bool(names)
    return len(names) > 1 and not (knows is not None and knows(text))


def _split_ending(words: Sequence[str], knows: KnowsName | None) -> tuple[list[str], list[str]]:
    """Divide a line into the words of its names and those of its ending.

    A score may stand between two names instead, as in “Ana 3-1 Bo” and “Ana won 3-1 against Bo”.
    """
    end = len(words)
    while end and _is_ending(words, end - 1) and not _ends_name(words[:end], knows):
        end -= 1
    names, ending = list(words[:end]), list(words[end:])
    first = next((word for word in ending if SCORE.fullmatch(bare(word))), "")
    at = next((at for at, word in enumerate(names) if SCORE.fullmatch(word)), 0)
    # Only sets may stand behind a score between the names, in brackets.
    if first and not (at and first.startswith("(")):
        return names, ending
    others = [*names[:at], *names[at + 1 :]]
    if at and any(one.begin <= at <= one.end for one in between_sides(others, knows)):
        return others, [names[at], *ending]
    if at and not is_one_side(without_emoji(" ".join(names[:at])), knows):
        refuse_score_within(names[:at], names[at + 1 :])
    if at:
        ending.insert(0, names[at])
        names[at] = "-"
    return names, ending


def _is_ending(words: Sequence[str], at: int) -> bool:
    """Whether a word says how a match ended; a name that must follow here may look like that."""
    if SCORE.fullmatch(bare(words[at])):
        return True
    if plain(words[at]) not in ENDINGS or at == 0:
        return False
    if words[0] in SAME_SIDES:
        return True
    is_second_name = at == 1 and not has_marks(words[0])
    return not is_second_name and not stands_between(words[at - 1])


def _ends_name(words: Sequence[str], knows: KnowsName | None) -> bool:
    """Whether the last word is no ending: it ends a longer known name, or is one in a list."""
    is_in_list = len(words) > 1 and words[-2][-1] == ","
    return ends_with_name(words, knows, least=1 if is_in_list else 2)


def _read_ending(words: Sequence[str]) -> _Ending:
    said = frozenset(plain(word) for word in words) & ENDINGS
    outer, inner = outer_and_inner([text for word in words if SCORE.fullmatch(text := bare(word))])
    if not inner:
        refuse_time_behind(outer)
        outer, inner = score_and_sets(outer, is_retired=not said.isdisjoint(RETIRED))
    pairs, inner_pairs = pairs_of(outer), pairs_of(inner)
    score = sets_won(list(pairs)) if len(pairs) > 1 else next(iter(pairs), None)
    if inner and (len(pairs) != 1 or sets_won(list(inner_pairs)) != score):
        of_time = "" if len(inner_pairs) > 1 else " Write a time in front, like 20:15 Ana - Bo 3-1."
        raise LineProblem(
            "sets", f"The sets in brackets do not give the score before them.{of_time}"
        )
    sets = inner_pairs or (pairs if len(pairs) > 1 else ())
    if sets and not inner and said.isdisjoint(RETIRED):
        refuse_games(sets, outer)
    return _Ending(score, sets, (inner or outer) if sets else "", said)


def _same_sides(names: Sequence[str], above: Sequence[tuple[str, ...]]) -> Sides | None:
    """The sides of the match above, where a quotation mark stands for them."""
    if not names or names[0] not in SAME_SIDES:
        return None
    marks: dict[str, Places | None] = {"": None, ">": FIRST_WON, "<": SECOND_WON, "=": DRAWN}
    mark = " ".join(names[1:])
    if mark not in marks:
        raise LineProblem("same_sides", "A quotation mark stands for both names; write no others.")
    if len(above) != 2:
        raise LineProblem(
            "nothing_above",
            "The line above has no two sides to take again, or has a handicap; write the names.",
        )
    return Sides(tuple(above), marks[mark])


def _sides(names: Sequence[str], ending: _Ending, knows: KnowsName | None, label: str) -> Sides:
    text = " ".join(names).rstrip(" ,;:-\u2013\u2014")
    is_before_score = len(names) > 2 and names[-1] in _BEFORE_SCORE
    if ending.score is not None and is_before_score and not stands_between(names[-2]):
        # As in “ana beat bo by 3-1”.
        text = " ".join(names[:-1])
    if ending.score is None and not has_marks(text) and _ends_with_number(text, knows):
        raise _loose_numbers()
    sides = read_sides(text, knows)
    refuse_other_label(label, sides.names)
    if ending.score is None and all(
        _ends_with_number(name, knows) for side in sides.names for name in side
    ):
        raise _loose_numbers()
    return sides


def _ends_with_number(text: str, knows: KnowsName | None) -> bool:
    """Whether a number ends a text that is not the one of a known name."""
    words = text.split(" ")
    return words[-1].isdigit() and not ends_with_name(words, knows)


def _loose_numbers() -> LineProblem:
    return LineProblem(
        "numbers",
        "Write the score of two sides at the end, like 3-1, and the points of a free-for-all "
        "behind colons, best first, like Ana: 31, Bo: 24, Cy: 8.",
    )


def _places(sides: Sides, ending: _Ending, *, has_mark: bool) -> Places:
    """Who won, from the marks or words between the names, or else from the ending.

    Against the score a mark is believed, and words are refused.
    """
    places = _places_said(sides, ending)
    if not (has_mark or ending.has((*RETIRED, *WALKOVER)) or sides.handicaps):
        refuse_turned(sides.names, places, ending.score, ending.detail)
    return places


def _places_said(sides: Sides, ending: _Ending) -> Places:
    if len(sides.names) > 2 or sides.is_list:
        if ending.score is not None or ending.has(WALKOVER) or ending.has(RETIRED):
            raise LineProblem(
                "list_ending",
                "Names with commas are the places of a free-for-all, without a score; "
                "put > or - between two sides.",
            )
        if len(sides.names) == 2 and sides.is_list:
            raise LineProblem(
                "two_in_list",
                "A comma between two names says no result; write it as Ana > Bo or Ana - Bo 3-1. "
                "Delete the line, or put # in front of it, if it is not a result.",
            )
        return sides.places or ()
    said = sides.places
    scored = None if ending.score is None else _scored(*ending.score)
    if ending.has(RETIRED):
        return _retired(said, scored)
    if ending.has(DRAW) and {said, scored} - {None, DRAWN}:
        raise LineProblem("draw", "The line says a draw and who won; delete one of the two.")
    places = said or scored or _unscored(ending)
    if places is None:
        raise LineProblem(
            "no_result",
            "The line does not say who won; add a score such as 3-1, or put > between, = for a "
            "draw.",
        )
    if ending.has(WALKOVER) and places == DRAWN:
        raise LineProblem("no_winner", "A walkover has a winner; put > after the name.")
    return places


def _unscored(ending: _Ending) -> Places | None:
    if ending.has(DRAW):
        return DRAWN
    return FIRST_WON if ending.has(WALKOVER) else None


def _retired(said: Places | None, scored: Places | None) -> Places:
    """The first side won unless a mark says otherwise; a score against it leaves that open."""
    places = said or (scored if scored is not None else FIRST_WON)
    if places == DRAWN or (said is None and places == SECOND_WON):
        raise LineProblem(
            "no_winner", "The line does not say who retired; put > after the winner's name."
        )
    return places


def _scored(first: int, second: int) -> Places:
    if first == second:
        return DRAWN
    return FIRST_WON if first > second else SECOND_WON
