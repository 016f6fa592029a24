"""Results that were moved to another season, in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues.models import Match, Revision
from leagues.pages.matches import match_address
from leagues.selectors.seasons import season_names
from leagues.services.moved_matches import Move, counting_half


@dataclass(frozen=True, slots=True)
class MoveNote:
    """Where a void result counts since it was moved."""

    text: str
    url: str


def note_of_move(match: Match) -> MoveNote | None:
    """Where the result of a void match counts; None where it counts nowhere."""
    if match.status != Match.Status.VOID:
        return None
    other = counting_half(match)
    if other is None:
        return None
    words = _("It counts in “%(season)s”, as match %(number)d.")
    return MoveNote(
        words % {"season": other.season.name, "number": other.seq},
        match_address(other, match.league, other.season),
    )


def move_sentences(revisions: Sequence[Revision]) -> dict[int, str]:
    """What each of some revisions moved to another season or back, by their ids."""
    moves = _moves_of(revisions)
    names = _season_names(moves.values())
    return {pk: _sentence(move, names) for pk, move in moves.items()}


def moved_words(
    revision: Revision, sentences: tuple[str, str], words: Mapping[str, str | int]
) -> str:
    """The season that a revision moved a result to, or from, in a sentence of its own season.

    `sentences` are about a result that left and one that came; empty where none was moved, or
    where that was undone.
    """
    move = Move.of(revision)
    if move is None or move.is_undone:
        return ""
    left, came = sentences
    if move.target[0] == revision.season_id:
        sentence, other = came, move.origin[0]
    else:
        sentence, other = left, move.target[0]
    return sentence % {**words, "season": _season_names([move])[other]}


def _moves_of(revisions: Iterable[Revision]) -> dict[int, Move]:
    return {row.pk: move for row in revisions if (move := Move.of(row)) is not None}


def _season_names(moves: Iterable[Move]) -> dict[int, str]:
    return season_names({season for move in moves for season, _number in move.parts})


def _sentence(move: Move, names: Mapping[int, str]) -> str:
    words = (
        _("Match %(to)d of “%(new)s” is back in “%(old)s”, as match %(from)d")
        if move.is_undone
        else _("Match %(from)d of “%(old)s” was moved to “%(new)s”, where it is match %(to)d")
    )

    (old, origin), (new, target) = move.origin, move.target
    return words % {"old": names[old], "from": origin, "new": names[new], "to": target}
