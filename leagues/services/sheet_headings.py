"""Lines of a night sheet that say in what the lines below are recorded, such as `Cricket:`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from leagues.domain.who_plays import EntryShape
from leagues.models import League, Mode
from ratings.files.emoji import without_emoji
from ratings.files.names import fold_kind
from ratings.files.problems import LineProblem
from ratings.files.written import WrittenMatch, read_line
from ratings.files.written_chatter import is_chatter
from ratings.files.written_labels import SINGLES_WORDS, TEAMS_WORDS
from ratings.files.written_leads import without_lead
from ratings.files.written_words import KnowsName

MARK: Final = ":"
"""What ends a heading; no line of a match ends so."""
ANSWER: Final = "named:"
"""Begins the key of an answer about a heading among those about the shapes of lines."""
_SHAPE_WORDS: Final = {
    EntryShape.PAIR: SINGLES_WORDS,
    EntryShape.TEAMS: TEAMS_WORDS,
}
"""Words for who plays, as people write them above their results."""
_LABEL: Final = f"{MARK} "
_BARE: Final = re.compile(r"[\w .'’]+")
"""Words without anything that stands between two sides: such a line is no match."""
_ANY_DAY: Final = date(2000, 12, 31)
_NO_MATCH: Final = ("@", "#")
"""What lines begin with that are a day or a comment."""


class NamedMode(NamedTuple):
    """The mode that a line names, and the match behind the name; without one it is a heading.

    `lead` is what else a heading says: its day or time, or the mark of a chat.
    """

    mode: Mode
    match: str = ""
    lead: str = ""

    @property
    def text(self) -> str:
        """What the line says without the name."""
        return self.match or self.lead


class Headings:
    """The modes that the lines of a sheet can name, by their folded names.

    `answers` has the addresses of those that were chosen for a heading that can mean several, as
    the sheet keeps them.
    """

    def __init__(self, modes: Iterable[Mode], answers: Mapping[str, str] | None = None) -> None:
        self._modes = {_folded(mode.name): mode for mode in modes}
        self._answers = answers or {}

    @property
    def modes(self) -> Collection[Mode]:
        """All of them."""
        return self._modes.values()

    def mode_of(self, line: str) -> Mode | None:
        """The mode that a line names for those below it; None of any other line."""
        named = self.named_by(line)
        return None if named is None or named.match else named.mode

    def _named_alone(self, line: str) -> Mode | None:
        """The mode that a line names without anything behind it."""
        # “1. Liga:” may be a name, too.
        names = _name_of(without_emoji(line)), name_in(line)
        whole = next((one for one in names if _folded(one) in self._modes), None)
        if whole is not None:
            return self._modes[_folded(whole)]
        meant = self.meant_by(line)
        answer = self._answers.get(answer_key(name_in(line))) if len(meant) > 1 else None
        return meant[0] if len(meant) == 1 else find_mode(meant, answer)

    def meant_by(self, line: str) -> tuple[Mode, ...]:
        """The modes that a heading can be short for: of that name, else of what it is a word for.

        As “Doubles:” is for “501 doubles”, or for whatever two teams play.
        """
        name = _folded(_marked_name_in(line))
        if not name or name in self._modes:
            return ()
        words = _words(name)
        named = [mode for whole, mode in self._modes.items() if words and words <= _words(whole)]
        shape = next((one for one, names in _SHAPE_WORDS.items() if name in names), None)
        return tuple(named or [one for one in self.modes if shape and one.shape is shape])

    def named_by(self, line: str) -> NamedMode | None:
        """The mode that a line names, for those below it or in front of its match.

        As in `Cricket: ana bo 3-1`; numbers, times and marks of chats before the name stay. Where
        no match is behind it, as in `Cricket: yesterday`, it is that of those below.
        """
        whole = line.strip()
        if mode := self._named_alone(line):
            return NamedMode(mode, lead=whole.removesuffix(_without_lead(whole)))
        for text in (whole, _without_lead(whole)):
            name, mark, match = text.partition(MARK)
            named = self._in_front(name.strip()) if mark and match.strip() else None
            if named is not None:
                said = whole.removesuffix(text) + match.strip()
                is_match = _may_be_match(said)
                return NamedMode(named, said) if is_match else NamedMode(named, lead=said)
        return None

    def _in_front(self, name: str) -> Mode | None:
        """The mode that a name before a match means; a part of a name could be who wrote it."""
        folded = _folded(name)
        if any(folded in words for words in _SHAPE_WORDS.values()):
            return self._named_alone(f"{name}{MARK}")
        return self._modes.get(folded)


def day_said_by(text: str, today: date, knows: KnowsName) -> date | None:
    """The day that a line says, for those below it; None of others, whatever they say."""
    try:
        read = read_line(text, today=today, knows=knows)
    except LineProblem:
        return None
    return read if isinstance(read, date) else None


def _may_be_match(text: str) -> bool:
    """Whether a text is a match, or tries to be: no day, comment or headings of a table."""
    try:
        # Which day it says does not matter here.
        return isinstance(read_line(text, today=_ANY_DAY), WrittenMatch)
    except LineProblem:
        return True


def _words(name: str) -> set[str]:
    return set(re.findall(r"\w+", name))


def find_mode(modes: Iterable[Mode], slug: str | None) -> Mode | None:
    """The one of some modes that has an address, if one has."""
    return next((mode for mode in modes if mode.slug == slug), None)


def answer_key(name: str) -> str:
    """Under what a sheet keeps the mode that was chosen for a heading."""
    return f"{ANSWER}{_folded(name)}"


def _folded(name: str) -> str:
    """A name by which a mode is found, whatever emoji stand around it."""
    return fold_kind(without_emoji(name) or name)


def name_in(line: str) -> str:
    """What a line names if it is a heading, with the mark or without; empty where it is none.

    A number, a time or the mark of a chat before it says nothing of the lines below.
    """
    text = without_emoji(line)
    return _name_of(_without_stars(without_emoji(_without_lead(text)))) if text else ""


def unknown_name_in(line: str) -> str:
    """What a line names that no mode is called, if it is plainly a heading: with the mark.

    “Results:” and the like name nothing that could be played.
    """
    name = _marked_name_in(line)
    return "" if is_chatter(f"{name}{MARK}") else name


def _marked_name_in(line: str) -> str:
    return name_in(line) if without_emoji(line).endswith(MARK) else ""


def _without_lead(text: str) -> str:
    """A line without number, time and mark of a chat; empty where these cannot be read."""
    try:
        # Which day the mark of a chat says does not matter here.
        return without_lead(text, date.max)[0]
    except LineProblem:
        return ""


def _without_stars(text: str) -> str:
    """A name without the stars by which chats make it bold."""
    inner = text.strip("*")
    return inner if text in (f"*{inner}*", f"*{inner}*{MARK}") else text


def _name_of(text: str) -> str:
    if text.endswith(MARK):
        return without_emoji(text.removesuffix(MARK))
    return text if _BARE.fullmatch(text) else ""


def headings_of(text: str, league: League, answers: Mapping[str, str] | None = None) -> Headings:
    """The headings that a text may have; no query where no line can be one."""
    has_any = any(name_in(line) or _LABEL in line for line in text.split("\n"))
    return Headings(league.modes.all() if has_any else (), answers)


def heading(mode: Mode) -> str:
    """The line that names a mode for the lines below it."""
    return f"{mode.name}{MARK}"


def has_like_modes(modes: Iterable[Mode]) -> bool:
    """Whether the same line can be recorded in several of these modes."""
    shapes = [mode.shape for mode in modes]
    return len(shapes) > 1 and (None in shapes or len(set(shapes)) < len(shapes))


class HeadedText(NamedTuple):
    """The lines of a sheet whose mode was changed, and the heading that was put above them."""

    text: str
    above: str = ""


def keep_modes(text: str, before: Mode, after: Mode, modes: Collection[Mode]) -> HeadedText:
    """The lines of a sheet, each still of its mode where that of the sheet was changed.

    Those above the first heading are headed by the mode from before, and those that follow are of
    the other one.
    """
    if before == after or not has_like_modes(modes):
        return HeadedText(text)
    headings = Headings(modes)
    lines = text.rstrip().split("\n")
    # One that says a day, too, holds for the lines that follow.
    while lines and (named := headings.named_by(lines[-1])) and not (named.match or named.lead):
        lines.pop()
    if not _has_matches(lines, headings):
        return HeadedText(_joined(lines))
    above = _heading_above(lines, before, headings)
    modes_named = filter(None, map(headings.mode_of, reversed(lines)))
    if next(modes_named, before) != after:
        lines.append(heading(after))
    return HeadedText(_joined([above, *lines] if above else lines), above)


def headed(text: str, mode: Mode, headings: Headings) -> str:
    """The lines of a sheet with the heading of its mode above those that none names."""
    above = _heading_above(text.split("\n"), mode, headings)
    return f"{above}\n{text}" if above else text


def _heading_above(lines: Sequence[str], mode: Mode, headings: Headings) -> str:
    """The heading that lines of a mode need; empty where others name the modes of all matches."""
    first = next((at for at, line in enumerate(lines) if headings.mode_of(line)), len(lines))
    return heading(mode) if _has_matches(lines[:first], headings) else ""


def _has_matches(lines: Sequence[str], headings: Headings) -> bool:
    """Whether some lines are matches, or try to be."""
    texts = (line.strip() for line in lines if not headings.mode_of(line))
    return any(text and not text.startswith(_NO_MATCH) for text in texts)


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines) if any(lines) else ""
