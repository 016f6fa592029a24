"""The ids that matches have at their source, by which what was sent before is known again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from leagues.domain.civil_days import day_of
from leagues.models import Match, Mode, Player
from leagues.services.drafts import MatchDraft, payload_hash, with_players
from leagues.services.errors import Problem, refuse
from leagues.services.stored_drafts import draft_from_content, draft_of
from leagues.store.prepared import prepare


def known_matches(
    league_id: int, source: str, external_ids: Iterable[str | None]
) -> dict[str, Match]:
    """The matches that a source sent before under these ids of its own, by the id."""
    ids = [external_id for external_id in external_ids if external_id is not None]
    rows = _matches_by_id(league=league_id, source=source, ids=ids)
    return {str(match.external_id): match for match in rows}


@prepare
def _matches_by_id(*, league: int, source: str, ids: list[str]) -> QuerySet[Match, Match]:
    return (
        Match.objects.filter(league=league, source=source, external_id__in=ids)
        .exclude(status=Match.Status.STAGED)
        .select_related("revision", "season", "mode")
    )


def refuse_reused_ids(drafts: Iterable[MatchDraft], known: Mapping[str, Match], mode: Mode) -> None:
    """Refuse ids under which something else is stored, be it the same result in another mode."""
    refuse(
        [
            Problem(
                "external_id",
                "id_reused",
                _("The id “%(id)s” belongs to another result.") % {"id": draft.external_id},
                index,
            )
            for index, draft in enumerate(drafts)
            if (match := known.get(draft.external_id or ""))
            and (match.mode_id != (draft.mode or mode).pk or not _is_sent_again(match, draft))
        ]
    )


def _is_sent_again(match: Match, draft: MatchDraft) -> bool:
    """Whether a draft says what was first said of a match, be its players merged since or not.

    Without a time it says so too where the match got one on that day (`untimed_results`).
    """
    if match.payload_hash == payload_hash(draft):
        return True
    contents = match.versions.filter(content__sides__isnull=False).order_by("version")
    first = contents.values_list("content", flat=True).first()
    said = draft_of(match) if first is None else draft_from_content(match, first)
    zone = match.season.league.zone
    if draft.date_only and day_of(said.played_at, zone) == day_of(draft.played_at, zone):
        said = replace(said, played_at=draft.played_at, date_only=True)
    return payload_hash(with_players(said, Player.survivor)) == payload_hash(draft)
