"""Results that an undo would bring back, and that count again by what was entered meanwhile.

They are known by what they say, whatever became of their lines: these may have been cut and pasted,
typed anew, or given to somebody else.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import Any, Final

from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform

from leagues.models import Match, MatchVersion, Participant, Revision
from leagues.services.drafts import MatchDraft
from leagues.services.entry_warnings import contents_of
from leagues.services.near_results import RESULT_COLUMNS, StoredResult, is_near
from leagues.services.result_contents import ResultContent, content_of_draft
from leagues.services.stored_drafts import drafts_of

_AROUND: Final = timedelta(days=2)
"""Results that are further from all others in time are of no night of theirs."""


def counted_again(revision: Revision, source: str, match: Match | None = None) -> Revision | None:
    """The last change of a source by which a result counts that undoing a revision would bring too.

    With `match` it is asked of that one alone, among those that the revision made void.

    That is one with the sides and the score of another, of the same night or within two hours, in
    any season of the league, which did not count yet when the revision made the other one void:
    two equal results that both counted then are two.
    """
    voided = MatchVersion.objects.filter(revision=revision, content__status=Match.Status.LIVE)
    coming = Match.objects.results().filter(pk__in=voided.values("match"))
    if match is not None:
        coming = coming.filter(pk=match.pk)
    drafts = drafts_of(list(coming))
    if not drafts:
        return None
    since = _counting_since(revision).filter(source=source).exclude(pk__in=voided.values("match"))
    results = [StoredResult(*row) for row in _near(since, coming, drafts)]
    contents = contents_of(results, {})
    alike: defaultdict[tuple[Any, ...], list[StoredResult]] = defaultdict(list)
    for result in results:
        alike[_outline(contents[result.match_id])].append(result)
    zone = revision.league.zone
    same = {
        result.match_id
        for draft in drafts
        for result in alike.get(_outline(content_of_draft(draft)), ())
        if is_near(draft, result, zone)
    }
    brought_by = Match.objects.filter(pk__in=same).values("revision")
    return Revision.objects.filter(pk__in=brought_by).select_related("season").last()


def _counting_since(revision: Revision) -> QuerySet[Match]:
    """The results of a league that count, and did not when a revision was made."""
    later = MatchVersion.objects.filter(match=OuterRef("pk"), revision__gt=revision.pk)
    status = KeyTextTransform("status", "content", output_field=CharField())
    then = Subquery(later.order_by("version").annotate(was=status).values("was")[:1])
    live = Match.objects.live().filter(league=revision.league_id).annotate(then=then)
    return live.filter(Q(revision__gt=revision.pk) | Q(then=Match.Status.VOID))


def _near(
    matches: QuerySet[Match], coming: QuerySet[Match], drafts: list[MatchDraft]
) -> QuerySet[Match, tuple[Any, ...]]:
    """Those of some matches that others may be near to, of any of the same players, as columns."""
    times = [draft.played_at for draft in drafts]
    span = min(times) - _AROUND, max(times) + _AROUND
    players = Participant.objects.filter(match__in=coming.values("pk")).values("player")
    shared = Participant.objects.filter(match=OuterRef("pk"), player__in=players)
    near = matches.filter(Exists(shared), played_at__range=span)
    return near.order_by("pk").values_list(*RESULT_COLUMNS)


def _outline(content: ResultContent) -> tuple[Any, ...]:
    """Who played on which side, and how it ended."""
    sides = content[4]
    return tuple(
        (rank, score, tuple(key for key, _own_score, _share in members))
        for rank, score, members in sides
    )
