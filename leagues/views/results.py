"""Results: the list, one match, and what may be done with it."""

from __future__ import annotations

from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from leagues import access
from leagues.access import Action
from leagues.forms.fields import focus_first_error
from leagues.forms.results import CorrectionForm
from leagues.models import Match, Revision
from leagues.pages.boards import season_choices
from leagues.pages.match import match_page
from leagues.pages.matches import match_address, meeting_of, results_page
from leagues.pages.revisions import revision_address
from leagues.selectors.matches import PLAYERS_BY_RANK
from leagues.services.errors import Conflict, Refused
from leagues.services.matches import restore_match, void_match
from leagues.store.snapshot import snapshot
from leagues.views.boards import look_of
from leagues.views.common import league_context, wants_fragment
from leagues.views.limits import ENTRIES, SEARCHES, limit_requests
from leagues.views.me import viewer_of


@require_safe
@limit_requests(SEARCHES, parameter="q")
@snapshot()
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """List the results of a season, newest first."""
    league = access.league(request, slug, Action.VIEW)
    look = look_of(request, league)
    context = {
        **league_context(request, league, "results"),
        "look": look,
        "seasons": season_choices(look),
    }
    if look.season:
        context["page"] = results_page(
            league=league,
            season=look.season,
            board=look.board,
            address_words=request.GET.dict(),
            now=timezone.now(),
        )
    fragment = wants_fragment(request)
    return render(
        request, "leagues/results.html#list" if fragment else "leagues/results.html", context
    )


@require_safe
@snapshot()
def match(request: HttpRequest, slug: str, season: str, seq: int) -> HttpResponse:
    """Show a match with what it did; the page asks for itself until it is rated."""
    match = access.match(request, slug, season, seq, Action.VIEW)
    match.season.league = match.league
    rights = access.rights(access.principal_of(request), match.league, match=match)
    prefetch_related_objects([match], PLAYERS_BY_RANK)
    context = {
        **league_context(request, match.league, "results", rights),
        "match": match,
        "page": match_page(
            match=match,
            now=timezone.now(),
            words=request.GET.dict(),
            me=viewer_of(request).among(row.player for row in match.participants.all()),
        ),
    }
    part = "#account" if wants_fragment(request) else ""
    return render(request, f"leagues/match.html{part}", context)


@require_http_methods(["GET", "HEAD", "POST"])
@limit_requests(ENTRIES, method="POST")
def void(request: HttpRequest, slug: str, season: str, seq: int) -> HttpResponse:
    """Ask, then take a match out of the ratings."""
    return _set_status(request, access.match(request, slug, season, seq, Action.VOID), is_void=True)


@require_http_methods(["GET", "HEAD", "POST"])
@limit_requests(ENTRIES, method="POST")
def restore(request: HttpRequest, slug: str, season: str, seq: int) -> HttpResponse:
    """Ask, then let a void match count again."""
    match = access.match(request, slug, season, seq, Action.RESTORE)
    return _set_status(request, match, is_void=False)


def _set_status(request: HttpRequest, match: Match, *, is_void: bool) -> HttpResponse:
    form = CorrectionForm(initial={"version": match.version})
    status = 200
    if request.method == "POST":
        form = CorrectionForm(request.POST)
        status = 422
        if form.is_valid():
            try:
                revision = (void_match if is_void else restore_match)(
                    match=match,
                    author=access.signed_in(request),
                    expected_version=form.cleaned_data["version"],
                    reason=form.cleaned_data["reason"],
                )
                return HttpResponseRedirect(address_after(match, revision))
            except Refused as refused:
                form.add_error(None, [problem.message for problem in refused.problems])
            except Conflict as stored:
                match, status = stored.match, 409
                form = form.for_version(match.version)
        focus_first_error(form)
    context = {
        **league_context(request, match.league, "results"),
        "match": match,
        "title": meeting_of(match),
        "is_void": is_void,
        "form": form,
        "conflict": status == 409,
        "back": match_address(match, match.league, match.season),
    }
    return render(request, "leagues/void.html", context, status=status)


def address_after(match: Match, revision: Revision | None) -> str:
    """The address after a change: its revision, or back where nothing changed."""
    if revision is None:
        return match_address(match, match.league, match.season)
    return revision_address(match.league, match.season, revision.number)
