"""The rows of a results file on their way into a league, each with the id that it is known by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from leagues.models import Player
from leagues.services.drafts import MatchDraft, players_of
from leagues.services.import_ids import Known, SeenRows
from leagues.services.player_reading import is_unknown
from leagues.services.stored_contents import FileRow
from ratings.files.problems import BadRow, FileProblem
from ratings.files.results import Person, Result, content_key

ROWS_AT_ONCE = 1000
"""Rows whose ids are looked for in one query."""


class Row(NamedTuple):
    """A good row: the draft, and the stored match it is, if any."""

    line: int
    draft: MatchDraft
    content: str
    """The hash of what the row says, as the file says it."""
    known: Known | None
    source: str
    """Under which its id is that of no other match."""
    is_repeat: bool
    """Whether an earlier row of the file has the same id and content."""
    mode: str
    """The mode that the file names, whatever it is imported into."""
    people: tuple[tuple[Person, Player], ...]
    """Whom the row means, where the file says more of players than their results."""
    has_number: bool
    """Whether an id or a number of the file tells the row from all others."""

    @property
    def is_there(self) -> bool:
        return self.is_repeat or (self.known is not None and not self.known.was_undone)


def people_of(result: Result, draft: MatchDraft) -> tuple[tuple[Person, Player], ...]:
    """The players of a row of whom it says more than their result."""
    people = [person for side in result.sides for person in side.players]
    if True not in [person.is_described for person in people]:
        return ()
    pairs = zip(people, players_of(draft), strict=True)
    return tuple(
        (person, player)
        for person, player in pairs
        if person.is_described and not is_unknown(player)
    )


def parts_of(results: Iterable[Result | BadRow]) -> Iterator[list[Result | BadRow]]:
    """Yield some rows at a time; what breaks the file off is raised after those before it."""
    part: list[Result | BadRow] = []
    try:
        for row in results:
            part.append(row)
            if len(part) == ROWS_AT_ONCE:
                yield part
                part = []
    except FileProblem:
        yield part
        raise
    yield part


class NamedResult(NamedTuple):
    """A match of the file with its id, its own or one made from its content."""

    result: Result
    id: str
    content: str
    is_repeat: bool | None
    """Whether it says what an earlier row of this id says; None where there is none."""

    def is_stored(self, known: Known | None) -> bool:
        """Whether the match of its id was imported from a row that says the same."""
        return known is not None and known.payload_hash == self.content

    def is_there(self, known: Known | None) -> bool:
        """Whether that match counts, or ceased to for itself: what was undone may be another."""
        return known is not None and self.is_stored(known) and not known.was_undone

    def as_new(self, known: Known | None) -> FileRow:
        """What is looked for where it is not; one of its id that cannot be it counts as none.

        That is one of another season, and one that said the same until its import was undone:
        meanwhile the result may have been entered in another way.
        """
        if known is None or known.is_elsewhere or (known.was_undone and self.is_stored(known)):
            return FileRow(self.result, None)
        return FileRow(self.result, known.match_id)


def named_result(result: Result, seen: SeenRows) -> NamedResult:
    content = content_key(result)
    external_id = result.external_id or seen.id_of(content)
    is_given = bool(result.external_id)
    is_repeat = seen.is_repeat(external_id, content, is_given=is_given)
    return NamedResult(result, external_id, content, is_repeat)


def reading_of(row: Row) -> dict[str, Any]:
    """What a line says, as plain data."""
    draft = row.draft
    return {
        "line": row.line,
        "sides": [
            [side.rank, side.score, [member.player.name for member in side.members]]
            for side in draft.sides
        ],
        "kind": draft.kind,
        "detail": draft.detail,
        "sets": draft.sets,
        "played_at": draft.played_at.isoformat(),
        "date_only": draft.date_only,
        "is_there": row.is_there,
    }
