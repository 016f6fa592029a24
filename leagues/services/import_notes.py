"""What a file is warned of and imported anyway, in sentences that name its lines."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

MAX_LINES_NAMED: Final = 10
MAX_MODES_NAMED: Final = 5

NOT_UTF8: Final = gettext_lazy(
    "The file is not in UTF-8, so it was read as Western European (Windows-1252). "
    "If names look wrong, save the file as UTF-8 and try again."
)
"""Of a file whose letters may be others."""
AGAIN: Final = ngettext_lazy(
    "%(count)d result seems to have been entered already: line %(lines)s. It will count twice.",
    "%(count)d results seem to have been entered already: lines %(lines)s. They will count twice.",
    "count",
)
"""Of results that seem to be stored."""
TWICE: Final = ngettext_lazy(
    "%(count)d result says the same as an earlier line of this file: line %(lines)s. "
    "It will count once more.",
    "%(count)d results say the same as earlier lines of this file: lines %(lines)s. "
    "They will count once more.",
    "count",
)
"""Of results that the file has more than once."""
MIRRORED: Final = gettext_lazy(
    "This file seems to be written from each player’s view: every result is in it twice, once "
    "for each side. All %(count)d will count unless you remove one line of each result."
)
"""Of a file that has each result from both sides."""
LADDER: Final = ngettext_lazy(
    "%(count)d result breaks the rules of the ladder and will be imported anyway: "
    "line %(lines)s. %(reason)s",
    "%(count)d results break the rules of the ladder and will be imported anyway: "
    "lines %(lines)s. %(reason)s",
    "count",
)
"""Of results that a ladder would refuse."""
SCORE: Final = ngettext_lazy(
    "%(count)d score isn’t possible by the score rule and will be imported anyway: "
    "line %(lines)s. %(reason)s",
    "%(count)d scores aren’t possible by the score rule and will be imported anyway: "
    "lines %(lines)s. The first: %(reason)s",
    "count",
)
"""Of scores that the mode's rule does not know, with the reason of the first."""
CONTRADICTION: Final = ngettext_lazy(
    "%(count)d score contradicts the winner or the ranks beside it, which decide: "
    "line %(lines)s. %(reason)s",
    "%(count)d scores contradict the winner or the ranks beside them, which decide: "
    "lines %(lines)s. The first: %(reason)s",
    "count",
)
"""Of scores that are not what the winner or the ranks say, with the reason of the first."""
UNEVEN: Final = ngettext_lazy(
    "%(count)d result has more players on one side than on the other: line %(lines)s. %(reason)s",
    "%(count)d results have more players on one side than on the other: lines %(lines)s. "
    "The first: %(reason)s",
    "count",
)
"""Of two teams of which one has more players, with how many the first have."""
WRONG_MODE: Final = ngettext_lazy(
    "%(count)d result isn’t of the kind that “%(mode)s” is for and will be imported into "
    "it anyway: line %(lines)s. %(reason)s",
    "%(count)d results aren’t of the kind that “%(mode)s” is for and will be imported into "
    "it anyway: lines %(lines)s. The first: %(reason)s",
    "count",
)
"""Of results with other sides than the mode is for, with the reason of the first."""


def lines_note(words: Promise, lines: Sequence[int], **others: str) -> Iterator[str]:
    """A warning about some lines, if there are any, with what else its words say."""
    if lines:
        yield words % {"count": len(lines), "lines": _first_lines(lines), **others}


def modes_note(modes: Collection[str]) -> Iterator[str]:
    """Of a file that names several modes."""
    if len(modes) > 1:
        words = _(
            "The file has results of several modes (%(modes)s). All are imported into the one "
            "chosen here; to keep them apart, import a file for each."
        )
        yield words % {"modes": ", ".join(sorted(modes)[:MAX_MODES_NAMED])}


def _first_lines(lines: Sequence[int]) -> str:
    numbers = ", ".join(str(line) for line in lines[:MAX_LINES_NAMED])
    return numbers + (" …" if len(lines) > MAX_LINES_NAMED else "")
