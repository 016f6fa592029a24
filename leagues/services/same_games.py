"""Games of logs that say the same as another result: the same game, or a part of it.

A log that was split in the middle of a game has its final scores in the later part, but neither
what its players did before nor always the map.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from leagues.models import Mode, Season
from leagues.services.drafts import MatchDraft
from leagues.services.entry_warnings import contents_of
from leagues.services.near_results import SAME_WITHIN, read_near_results
from leagues.services.result_contents import ResultContent, content_of_draft

_Outline = tuple[Any, ...]


def count_same_results(drafts: Sequence[MatchDraft], *, season: Season, mode: Mode | None) -> int:
    """How many games have the sides, scores and time of a stored result or of one before them.

    `mode` is None where it is new. Games without a time are not counted.
    """
    timed = sorted(
        (draft for draft in drafts if not draft.date_only), key=lambda draft: draft.played_at
    )
    known = _Games()
    if timed and mode:
        stored = [one for one in read_near_results(timed, season, mode) if not one.date_only]
        contents = contents_of(stored, {})
        for result in stored:
            known.add(contents[result.match_id], result.played_at)
    count = 0
    for draft in timed:
        content = content_of_draft(draft)
        count += known.has_near(content, draft.played_at)
        known.add(content, draft.played_at)
    return count


class _Games:
    """When results were played, by their sides and scores, and by their map beside those."""

    def __init__(self) -> None:
        self._of_outline: defaultdict[_Outline, list[datetime]] = defaultdict(list)
        self._of_map: defaultdict[tuple[_Outline, str], list[datetime]] = defaultdict(list)

    def add(self, content: ResultContent, moment: datetime) -> None:
        outline, detail = _outline_and_map(content)
        insort(self._of_outline[outline], moment)
        insort(self._of_map[outline, detail], moment)

    def has_near(self, content: ResultContent, moment: datetime) -> bool:
        """Whether one of the same map, or of one that is not known, is within two hours."""
        outline, detail = _outline_and_map(content)
        if not detail:
            return _has_near(self._of_outline[outline], moment)
        return any(_has_near(self._of_map[outline, one], moment) for one in (detail, ""))


def _outline_and_map(content: ResultContent) -> tuple[_Outline, str]:
    """What a part of a game says as the whole does, and the map; not what each player scored."""
    kind, weight, detail, sets, sides, handicaps = content
    people = tuple(
        (rank, score, tuple((key, share) for key, _own_score, share in members))
        for rank, score, members in sides
    )
    return (kind, weight, sets, people, handicaps), detail


def _has_near(moments: Sequence[datetime], moment: datetime) -> bool:
    after = bisect_left(moments, moment - SAME_WITHIN)
    return after < len(moments) and moments[after] <= moment + SAME_WITHIN
