"""What of a result may be a mistake, although nothing stands against storing it.

A person is asked, and says that it is none; a program is told with the answer, for two real
results can be equal.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Q, QuerySet

from leagues.models import Match, Mode, Season
from leagues.services.drafts import MatchDraft, content_of, payload_hash
from leagues.services.stored_drafts import drafts_of

SAME_WITHIN = timedelta(hours=2)
"""How long the same result stays one that was perhaps entered twice."""

FAR_BEFORE = timedelta(days=366)
MARK_LENGTH = 16
MAX_COMPARED = 2000
"""Stored results that the results of one call are compared with."""


class WarningKind(StrEnum):
    """What may be wrong with a result.

    A new kind needs its words in `pages/entry_warnings.py`, its code in `api/entered.py` and, where
    it holds for files too, its line in `import_reading.py`.
    """

    SAME_RESULT = "again"
    EARLY_DATE = "old"


@dataclass(frozen=True, slots=True)
class EntryWarning:
    """Something that may be wrong with one of the results entered, and what it is judged by.

    `code` belongs to this result: who confirms it confirms no other. `same` is the stored result
    that says the same, `first_at` when the season's first result was played.
    """

    kind: WarningKind
    code: str
    index: int
    draft: MatchDraft
    same: Match | None = None
    first_at: datetime | None = None


class NeedsConfirmation(Exception):
    """Nothing was written: results may be mistakes, and nobody said yet that they are none."""

    def __init__(self, warnings: Sequence[EntryWarning]) -> None:
        self.warnings = tuple(warnings)
        super().__init__(", ".join(warning.code for warning in warnings))


def entry_warnings(
    drafts: Sequence[MatchDraft],
    *,
    season: Season,
    mode: Mode,
    now: datetime,
    stored_ids: Collection[str] = (),
) -> list[EntryWarning]:
    """The warnings about new results; none about those whose ids are stored already."""
    same = StoredResults(_near(drafts, season, mode) if drafts else [], now)
    first_at = _first_match_at(season)
    warnings = []
    for index, draft in enumerate(drafts):
        if draft.external_id in stored_ids:
            continue
        mark = payload_hash(draft)[:MARK_LENGTH]
        alike = same.find(draft)
        if alike is not None:
            kind = WarningKind.SAME_RESULT
            warnings.append(EntryWarning(kind, f"{kind}-{mark}", index, draft, same=alike))
        if draft.played_at < (first_at or now) - FAR_BEFORE:
            kind = WarningKind.EARLY_DATE
            warnings.append(EntryWarning(kind, f"{kind}-{mark}", index, draft, first_at=first_at))
    return warnings


def require_confirmation(warnings: Sequence[EntryWarning], confirmed: Collection[str]) -> None:
    """Raise NeedsConfirmation unless everything was confirmed."""
    if any(warning.code not in confirmed for warning in warnings):
        raise NeedsConfirmation(warnings)


class StoredResults:
    """Stored results, the newest first, by what they say beside their time."""

    def __init__(self, matches: Sequence[Match], now: datetime) -> None:
        self.now = now
        self.by_content: dict[str, list[Match]] = {}
        for match, draft in zip(matches, drafts_of(matches), strict=True):
            self.by_content.setdefault(_content(draft), []).append(match)

    @classmethod
    def of_others(cls, season: Season, mode: Mode, source: str, now: datetime) -> StoredResults:
        """Read the newest results of a season and mode that came another way than from a source."""
        matches = Match.objects.filter(season_id=season.pk, mode_id=mode.pk)
        matches = matches.filter(status=Match.Status.LIVE).exclude(source=source)
        return cls(list(matches.order_by("-recorded_at", "-pk")[:MAX_COMPARED]), now)

    def find(self, draft: MatchDraft) -> Match | None:
        """The newest result that says the same within two hours."""
        if not self.by_content:
            return None
        alike = self.by_content.get(_content(draft), ())
        return next((match for match in alike if self._is_near(draft, match)), None)

    def _is_near(self, draft: MatchDraft, match: Match) -> bool:
        """Whether two results may be one: of those without a time, whether they came so."""
        if draft.date_only or match.date_only:
            is_same_day = draft.date_only and draft.played_at == match.played_at
            return is_same_day and match.recorded_at > self.now - SAME_WITHIN
        return abs(draft.played_at - match.played_at) <= SAME_WITHIN


def _near(drafts: Sequence[MatchDraft], season: Season, mode: Mode) -> list[Match]:
    times = [draft.played_at for draft in drafts]
    players = {
        side.members[0].player.pk for draft in drafts for side in draft.sides[:1] if side.members
    }
    matches: QuerySet[Match] = Match.objects.filter(
        Q(participants__player__in=players),
        season=season,
        mode=mode,
        status=Match.Status.LIVE,
        played_at__gte=min(times) - SAME_WITHIN,
        played_at__lte=max(times) + SAME_WITHIN,
    )
    return list(matches.order_by("-recorded_at", "-pk").distinct()[:MAX_COMPARED])


def _content(draft: MatchDraft) -> str:
    """The content of a result beside its time, in one form."""
    content = content_of(draft)
    return repr([content[name] for name in ("kind", "weight", "detail", "sides")])


def _first_match_at(season: Season) -> datetime | None:
    played: datetime | None = (
        Match.objects.filter(season=season, status=Match.Status.LIVE)
        .order_by("played_at", "same_time_order", "seq")
        .values_list("played_at", flat=True)
        .first()
    )
    return played
