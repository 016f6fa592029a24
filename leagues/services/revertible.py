"""Whether a revision can be undone as a whole: nothing later stands in what it changed.

Results that it brought are void then, whatever corrections have made of them, and come back with
those if that is undone.
"""

from __future__ import annotations

from django.db.models import CharField, Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.utils.translation import gettext as _

from leagues.models import Match, MatchVersion, Revision
from leagues.services.drafts import content_of
from leagues.services.entered_again import require_not_again
from leagues.services.errors import Problem, Refused
from leagues.services.moved_matches import moved_away
from leagues.services.stored_drafts import draft_of

MAX_COMPARED = 1000
"""Matches that were rewritten since, each of which is read to see whether that was undone."""


def require_revertible(revision: Revision) -> None:
    """Raise Refused where a revision cannot be undone: as a whole, or since later changes stand."""
    if revision.state != Revision.State.APPLIED:
        raise Refused(
            [
                Problem(
                    "revision",
                    "not_applied",
                    _("This change was never applied, so there is nothing to undo."),
                )
            ]
        )
    if revision.kind == Revision.Kind.LEFT:
        words = _(
            "The time limit decides this. Enter the result of the match, call it off, or make it "
            "void instead."
        )
        raise Refused([Problem("revision", "time_limit", words)])
    if Revision.objects.filter(reverts=revision).exists():
        raise Refused([Problem("revision", "undone", _("This has already been undone."))])
    require_not_again(revision)
    brought = Match.objects.filter(revision=revision)
    if moved := moved_away(brought, revision.season_id):
        halves = Match.objects.filter(pk__in=[one.pk for one in moved])
        raise Refused([_touched_later(halves, revision.season_id)])
    is_void = brought.exists() and not brought.live().exists()
    if is_void and not revision.replaced.exists():
        raise Refused(
            [
                Problem(
                    "revision",
                    "all_void",
                    _("All these results are void already, so there is nothing to undo."),
                )
            ]
        )
    touched_later = Match.objects.filter(pk__in=revision.replaced.values("match_id")).exclude(
        touched_in_revision=revision.number
    )
    later = MatchVersion.objects.filter(
        match=OuterRef("pk"), revision__number__gt=revision.number
    ).order_by("version")
    rewritten = touched_later.filter(Exists(later.filter(content__sides__isnull=False)))
    # Of the others only whether they count has changed, which the database compares: there may be
    # any number of them.
    flipped = touched_later.exclude(Exists(later.filter(content__sides__isnull=False)))
    status = KeyTextTransform("status", "content", output_field=CharField())
    then = Subquery(later.annotate(was=status).values("was")[:1])
    is_flipped = flipped.annotate(then=then).exclude(then=F("status")).exists()
    if (
        is_flipped
        or rewritten.count() > MAX_COMPARED
        or any(not _is_as_left_by(match, revision) for match in rewritten)
    ):
        raise Refused([_touched_later(touched_later, revision.season_id)])


def _touched_later(matches: QuerySet[Match], season_id: int) -> Problem:
    """Why a revision stays whose matches a later one changed."""
    words = _("Some of these results were changed afterwards. Undo that first: %(later)s.")
    later = _later_changes(matches, season_id)
    names = [_("change %(number)d") % {"number": one.number} for one in later]
    return Problem(
        "revision", "touched_later", words % {"later": ", ".join(names)}, revisions=later
    )


def _later_changes(matches: QuerySet[Match], season_id: int) -> tuple[Revision, ...]:
    """The newest change of each of some matches of a season, the last one first, three at most."""
    numbers = matches.order_by("-touched_in_revision").values_list("touched_in_revision", flat=True)
    newest = Revision.objects.filter(season=season_id, number__in=list(numbers.distinct()[:3]))
    return tuple(newest.select_related("season").order_by("-number"))


def _is_as_left_by(match: Match, revision: Revision) -> bool:
    """Whether later changes of a match were undone, so that it is as `revision` left it."""
    later = list(
        match.versions.filter(revision__number__gt=revision.number).values_list(
            "content", flat=True
        )
    )
    now = {"status": match.status, **content_of(draft_of(match))}
    then = next((content for content in later if "sides" in content), now)
    return now == {**then, "status": later[0]["status"]}
