"""What of a typed result may be a mistake although nothing stands against storing it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from leagues import wording
from leagues.models import Match, Mode, Season
from leagues.services.drafts import MatchDraft, content_of, payload_hash
from leagues.services.matches import draft_of

SAME_WITHIN = timedelta(hours=2)
"""How long the same result stays one that was perhaps entered twice (reliability B-41)."""

MARK_LENGTH = 16
FAR_BEFORE = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question to whoever entered a result.

    `code` belongs to this result: what is answered holds for no other. `answer` is what the button
    says that settles it, and `leave` what the link says that drops the result, where there is one.
    """

    code: str
    question: str
    answer: str
    leave: str = ""


def doubts_about(
    draft: MatchDraft, *, season: Season, mode: Mode, now: datetime
) -> tuple[Doubt, ...]:
    """Return what to ask before a new result is stored; nothing of one that is stored already."""
    same = _same_result(draft, season, mode, now)
    if same is not None and same.external_id == draft.external_id:
        return ()
    found = []
    mark = payload_hash(draft)[:MARK_LENGTH]
    zone = season.league.zone
    if same is not None:
        at = wording.clock(same.recorded_at.astimezone(zone))
        found.append(
            Doubt(
                f"again-{mark}",
                _("This was already entered at %(time)s: enter it once more?") % {"time": at},
                _("Enter it once more"),
                _("Leave it out"),
            )
        )
    first = _first_played(season) or now
    if draft.played_at < first - FAR_BEFORE:
        words = _("%(day)s is more than a year before the first result of “%(season)s”.")
        if first == now:
            words = _("%(day)s is more than a year ago.")
        day = wording.day(draft.played_at.astimezone(zone).date())
        found.append(
            Doubt(
                f"old-{mark}",
                words % {"day": day, "season": season.name} + " " + _("Is that the right date?"),
                _("The date is right, record it"),
            )
        )
    return tuple(found)


def _same_result(draft: MatchDraft, season: Season, mode: Mode, now: datetime) -> Match | None:
    entered = Match.objects.filter(
        season=season,
        mode=mode,
        played_at=draft.played_at,
        status=Match.Status.LIVE,
        payload_hash=payload_hash(draft),
        recorded_at__gt=now - SAME_WITHIN,
    ).order_by("-recorded_at")
    said = content_of(draft)
    # What was corrected says something else than when it was entered.
    return next((match for match in entered if content_of(draft_of(match)) == said), None)


def _first_played(season: Season) -> datetime | None:
    played: datetime | None = (
        Match.objects.filter(season=season, status=Match.Status.LIVE)
        .order_by("played_at", "order_hint", "seq")
        .values_list("played_at", flat=True)
        .first()
    )
    return played
