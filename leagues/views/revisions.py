"""A revision of results, and its undoing."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from leagues import access
from leagues.access import Action
from leagues.domain.linked_revisions import is_league_wide, seasons_of_undo
from leagues.models import Revision
from leagues.pages.correction_preview import PreviewPage
from leagues.pages.night_report import night_report
from leagues.pages.revisions import revision_address, revision_page, undone_change
from leagues.pages.saved import undo_notice
from leagues.pages.undoing import lines_back, refusals_of
from leagues.selectors.revisions import is_revision_being_rated
from leagues.services.errors import Problem, Refused
from leagues.services.matches import revert_revision
from leagues.services.tried_changes import matches_of_undo
from leagues.store.planned import restartable_snapshot
from leagues.views.common import asks_again, league_context, site_address, wants_fragment
from leagues.views.limits import ENTRIES, limit_requests
from leagues.views.previews import preview_in_seasons, wants_preview


@require_safe
@restartable_snapshot
def revision(request: HttpRequest, slug: str, season: str, number: int) -> HttpResponse:
    """Show what one commit changed."""
    revision = access.revision(request, slug, season, number, Action.VIEW)
    if asks_again(request) and is_revision_being_rated(revision):
        return HttpResponse(status=204)
    is_report = wants_fragment(request) and not asks_again(request)
    return _page(request, revision, part="#report" if is_report else "")


@require_http_methods(["GET", "HEAD", "POST"])
@limit_requests(ENTRIES, method="POST")
def undo(request: HttpRequest, slug: str, season: str, number: int) -> HttpResponse:
    """Undo a commit by another one, or show what that would do.

    Whoever only opens the address finds the buttons.
    """
    if request.method != "POST":
        revision = access.revision(request, slug, season, number, Action.VIEW)
        return HttpResponseRedirect(revision_address(revision.league, revision.season, number))
    stored = access.revision(request, slug, season, number, Action.UNDO)

    def change() -> Revision:
        return revert_revision(
            revision=stored,
            author=access.signed_in(request),
            reason=request.POST.get("reason", "").strip(),
        )

    try:
        if wants_preview(request):
            part = "#preview" if wants_fragment(request) else ""
            return _page(request, stored, preview=_preview(request, stored, change), part=part)
        done = change()
    except Refused as refused:
        return _page(request, stored, refused.problems)
    messages.success(request, undo_notice(done))
    return HttpResponseRedirect(revision_address(stored.league, stored.season, done.number))


def _preview(
    request: HttpRequest, revision: Revision, change: Callable[[], Revision]
) -> PreviewPage:
    return preview_in_seasons(
        request,
        seasons_of_undo(revision),
        change,
        matches=matches_of_undo(revision),
        is_league_wide=is_league_wide(revision),
    )


def _page(
    request: HttpRequest,
    revision: Revision,
    problems: tuple[Problem, ...] = (),
    preview: PreviewPage | None = None,
    part: str = "",
) -> HttpResponse:
    principal, change = access.principal_of(request), undone_change(revision)[0]
    rights = access.rights(principal, revision.league, revision=revision)
    # The lines are those of the entry, which is older than its undo.
    of_change = access.rights(principal, revision.league, revision=change)
    context = {
        **league_context(request, revision.league, "changes", rights),
        "revision": revision,
        "page": revision_page(
            revision=revision, now=timezone.now(), names_accounts=Action.AUDIT in rights
        ),
        "is_computing": is_revision_being_rated(revision),
        "report": night_report(revision=revision, site=site_address(request), now=timezone.now()),
        "revision_url": revision_address(revision.league, revision.season, revision.number),
        "refusals": refusals_of(problems, revision.league),
        "lines_back": lines_back(change, of_change, request.user.pk),
        "preview": preview,
    }
    status = 422 if problems else 200
    return render(request, f"leagues/revision.html{part}", context, status=status)
