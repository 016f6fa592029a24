"""What results say beside their time, in one form, by which equal ones are found."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import QuerySet

from leagues.domain.set_scores import sets_and_words, sets_in_order
from leagues.models import Participant
from leagues.services.drafts import MatchDraft, handicaps_of, sides_of
from leagues.store.hashes import Side
from leagues.store.prepared import prepare
from ratings.files.scores import split_score, split_sets

MEMBER_COLUMNS = ("player__key", "own_score", "playing_share")
ResultContent = tuple[str, float, str, str, tuple[tuple[Any, ...], ...], tuple[int, ...]]
GivenSide = tuple[Side, int]
"""A side and its handicap."""


def sides_by_match(matches: list[int]) -> dict[int, dict[int, GivenSide]]:
    """The sides of matches, by their number."""
    sides: dict[int, dict[int, GivenSide]] = {}
    for match, number, rank, score, given, *member in _members(matches=matches):
        (_rank, _score, members), _given = sides.setdefault(match, {}).get(
            number, ((rank, score, ()), given)
        )
        sides[match][number] = (rank, score, (*members, tuple(member))), given
    return sides


@prepare
def _members(*, matches: list[int]) -> QuerySet[Participant, tuple[Any, ...]]:
    rows = Participant.objects.filter(match__pk__in=matches)
    return rows.values_list("match_id", "side", "rank", "score", "handicap", *MEMBER_COLUMNS)


def in_order(sides: Mapping[int, GivenSide]) -> list[GivenSide]:
    """Sides in the order of their numbers, which is that of the sets."""
    return [sides[number] for number in sorted(sides)]


def result_content(
    kind: str, weight: float, detail: str, sets: str, sides: Iterable[GivenSide]
) -> ResultContent:
    """What a result says beside its time, in one form whatever the order of sides and members.

    Of handicaps only differences count.
    """
    stored = [
        ((rank, score, tuple(sorted(members))), given) for (rank, score, members), given in sides
    ]
    ordered = sorted(stored, key=lambda one: (one[0][0], one[0][2]))
    if not sets and len(stored) == 2:
        sets, detail = _sets_in_details(detail)
    sets = sets_in_order(sets, is_turned=ordered[:1] != stored[:1])
    least = min((given for _side, given in ordered), default=0)
    handicaps = tuple(given - least for _side, given in ordered)
    return kind, weight, detail, sets, tuple(side for side, _given in ordered), handicaps


def _sets_in_details(detail: str) -> tuple[str, str]:
    """The sets and the words of a result from before there were sets, as they are stored now."""
    if not detail:
        return "", ""
    pairs, _flag = split_score(detail)
    return split_sets(detail) if pairs else sets_and_words(detail, None)


def content_of_draft(draft: MatchDraft) -> ResultContent:
    """What a draft says beside its time."""
    sides = zip(sides_of(draft), handicaps_of(draft), strict=True)
    return result_content(draft.kind, draft.weight, draft.detail, draft.sets, sides)
