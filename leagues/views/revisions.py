"""A revision of results, and its undoing."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from leagues import access
from leagues.access import Action
from leagues.models import Revision
from leagues.pages.revisions import revision_address, revision_page
from leagues.services.errors import Refused
from leagues.services.matches import revert_revision
from leagues.store.snapshot import snapshot
from leagues.views.common import league_context
from leagues.views.limits import ENTRIES, limit_requests


@require_safe
@snapshot()
def revision(request: HttpRequest, slug: str, season: str, number: int) -> HttpResponse:
    """Show what one commit changed."""
    revision = access.revision(request, slug, season, number, Action.VIEW)
    return _page(request, revision)


@require_http_methods(["GET", "HEAD", "POST"])
@limit_requests(ENTRIES, method="POST")
def undo(request: HttpRequest, slug: str, season: str, number: int) -> HttpResponse:
    """Undo a commit by another one; whoever only opens the address finds the button."""
    if request.method != "POST":
        revision = access.revision(request, slug, season, number, Action.VIEW)
        return HttpResponseRedirect(revision_address(revision.league, revision.season, number))
    stored = access.revision(request, slug, season, number, Action.UNDO)
    try:
        done = revert_revision(
            revision=stored,
            author=access.signed_in(request),
            reason=request.POST.get("reason", "").strip(),
        )
    except Refused as refused:
        return _page(request, stored, tuple(problem.message for problem in refused.problems))
    return HttpResponseRedirect(revision_address(stored.league, stored.season, done.number))


def _page(request: HttpRequest, revision: Revision, problems: tuple[str, ...] = ()) -> HttpResponse:
    rights = access.rights(access.principal_of(request), revision.league, revision=revision)
    context = {
        **league_context(request, revision.league, "changes", rights),
        "revision": revision,
        "page": revision_page(revision=revision, now=timezone.now()),
        "problems": problems,
    }
    return render(request, "leagues/revision.html", context, status=422 if problems else 200)
