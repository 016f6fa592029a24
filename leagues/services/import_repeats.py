"""Results that a file has more than once, which may be one that two players wrote down."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leagues.domain.set_scores import sets_in_order
from leagues.services.drafts import MatchDraft
from leagues.services.import_notes import MIRRORED, TWICE, lines_note
from leagues.services.import_rows import Row

MOST_SEEN: Final = 100_000
"""Rows that are remembered before all are forgotten: equal ones are of one day, and seldom far."""


class RepeatedRows:
    """What the rows of one file say, whichever side they name first: a number for each result.

    Rows that the file itself tells apart, by ids or numbers, are no repeats of each other.
    """

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._lines: list[int] = []
        self._new = 0
        self._balance = 0
        """The sum of what new rows say, minus those with the sides the other way round.

        It is nothing only where each result stands in the file as often this way as that.
        """

    def take(self, row: Row) -> None:
        """Note what the next row says; one that is stored already is itself no question."""
        content, is_turned = _content_of(row.draft, row.mode)
        if not row.is_there:
            self._new += 1
            self._balance += -content if is_turned else content
        if row.has_number:
            return
        if content in self._seen and not row.is_there:
            self._lines.append(row.line)
        if len(self._seen) >= MOST_SEEN:
            self._seen.clear()
        self._seen.add(content)

    def notes(self) -> Iterator[str]:
        """The sentence about the rows that repeat others, if any do."""
        if self._new and not self._balance:
            yield str(MIRRORED) % {"count": self._new}
        else:
            yield from lines_note(TWICE, self._lines)


def _content_of(draft: MatchDraft, mode: str) -> tuple[int, bool]:
    """The hash of what a draft says, and whether its two sides stand in the other order.

    Other remarks do not enter: a score among them is another from the other side.
    """
    teams = [
        (sorted([member.player.key for member in side.members]), side.rank, side.score)
        for side in draft.sides
    ]
    is_turned = len(teams) == 2 and teams[1][0] < teams[0][0]
    sets = draft.sets and sets_in_order(draft.sets, is_turned=is_turned)
    sides = frozenset([(*names, rank, score) for names, rank, score in teams])
    said = (mode, draft.played_at, draft.date_only, draft.kind, draft.weight, sets, sides)
    return hash(said), is_turned
