"""Lines of a night sheet that say in what the lines below are recorded, such as `Cricket:`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from typing import Final, NamedTuple

from leagues.models import League, Mode
from ratings.files.emoji import without_emoji
from ratings.files.names import fold_kind
from ratings.files.problems import LineProblem
from ratings.files.written_leads import without_lead

MARK: Final = ":"
"""What ends a heading; no line of a match ends so."""
_BARE: Final = re.compile(r"[\w .'’]+")
"""Words without anything that stands between two sides: such a line is no match."""
_NO_MATCH: Final = ("@", "#")
"""What lines begin with that are a day or a comment."""


class Headings:
    """The modes that the lines of a sheet can name, by their folded names."""

    def __init__(self, modes: Iterable[Mode]) -> None:
        self._modes = {_folded(mode.name): mode for mode in modes}

    @property
    def modes(self) -> Collection[Mode]:
        """All of them."""
        return self._modes.values()

    def mode_of(self, line: str) -> Mode | None:
        """The mode that a line names for those below it; None of any other line."""
        # “1. Liga:” may be a name, too.
        names = _name_of(without_emoji(line)), name_in(line)
        return next(
            (self._modes[_folded(one)] for one in names if _folded(one) in self._modes), None
        )


def _folded(name: str) -> str:
    """A name by which a mode is found, whatever emoji stand around it."""
    return fold_kind(without_emoji(name) or name)


def name_in(line: str) -> str:
    """What a line names if it is a heading, with the mark or without; empty where it is none.

    A number, a time or the mark of a chat before it says nothing of the lines below.
    """
    text = without_emoji(line)
    try:
        # Which day the mark of a chat says does not matter here.
        return _name_of(without_emoji(without_lead(text, date.max)[0])) if text else ""
    except LineProblem:
        return ""


def _name_of(text: str) -> str:
    if text.endswith(MARK):
        return without_emoji(text.removesuffix(MARK))
    return text if _BARE.fullmatch(text) else ""


def headings_of(text: str, league: League) -> Headings:
    """The headings that a text may have; no query where no line can be one."""
    has_any = any(map(name_in, text.split("\n")))
    return Headings(league.modes.all() if has_any else ())


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
    while lines and headings.mode_of(lines[-1]):
        lines.pop()
    if not _has_matches(lines, headings):
        return HeadedText(_joined(lines))
    above = _heading_above(lines, before, headings)
    named = filter(None, map(headings.mode_of, reversed(lines)))
    if next(named, before) != after:
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
