"""The starts of matches in files of results."""

from __future__ import annotations

from dataclasses import replace

from leagues.models import Match, Participant
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft, StartDraft, with_members
from ratings.files.matches import MatchStart, Result

Leaving = Participant.Leaving


def start_draft(
    result: Result, start: MatchStart, sides: tuple[SideDraft, ...], external_id: str
) -> MatchDraft:
    """The draft of a start; what has become of it follows when it is stored."""
    released = frozenset(start.released)

    def with_leaving(member: MemberDraft) -> MemberDraft:
        is_released = member.player.key in released
        return replace(member, leaving=int(Leaving.RELEASED) if is_released else None)

    draft = MatchDraft(
        played_at=start.at,
        sides=sides,
        kind=Match.Kind.STARTED.value,
        weight=result.weight,
        external_id=external_id,
        start=StartDraft(start.at, start.deadline, start.rungs),
    )
    return with_members(draft, with_leaving)
