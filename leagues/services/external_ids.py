"""The ids that matches have at their source, by which what was sent before is known again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from leagues.models import Match, Mode
from leagues.services.drafts import MatchDraft, payload_hash
from leagues.services.errors import Problem, refuse
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
            and (match.mode_id != mode.pk or match.payload_hash != payload_hash(draft))
        ]
    )
