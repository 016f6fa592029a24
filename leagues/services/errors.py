"""How a service says no."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

CHANGED: Final = "changed"
"""The code of a problem: somebody else has changed the value since it was shown."""

if TYPE_CHECKING:
    from leagues.models import Match, Revision


@dataclass(frozen=True, slots=True)
class Candidate:
    """A player who may be meant by a name."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason, at one field; `index` is the position of the match in a call.

    Of a `name` that means nobody, or several, the `candidates` are those who may be meant. What
    stands in the way of an undo are the `revisions` to be undone first. `value` is what is wrong,
    where it was read from a cell of a file.
    """

    field: str
    code: str
    message: str
    index: int | None = None
    name: str = ""
    candidates: tuple[Candidate, ...] = ()
    revisions: tuple[Revision, ...] = ()
    value: str = ""


class Refused(Exception):
    """Nothing was written, for these reasons."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(str(problem.message) for problem in self.problems))

    @property
    def codes(self) -> frozenset[str]:
        return frozenset(problem.code for problem in self.problems)


def changed_problem(field: str, now: str) -> Problem:
    """The problem of a value that somebody else has changed since it was shown, as it is now."""
    words = _("Someone else removed this in the meantime. Save again to replace that.")
    if now:
        words = _(
            "Someone else changed this to “%(now)s” in the meantime. Save again to replace it."
        ) % {"now": now}
    return Problem(field, CHANGED, words)


def refuse(problems: Collection[Problem]) -> None:
    """Raise Refused where there are problems."""
    if problems:
        raise Refused(problems)


class Conflict(Exception):
    """Somebody changed the match in the meantime; `match` is what is stored now."""

    def __init__(self, match: Match) -> None:
        self.match = match
        super().__init__(f"{match} is at version {match.version}")
