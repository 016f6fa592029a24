"""Results: the list, and one match."""

from __future__ import annotations

from typing import Any

from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.domain.started_matches import is_lost
from leagues.forms.started import names_to_release, release_form
from leagues.models import Match
from leagues.models.match import LOSABLE_KINDS
from leagues.pages.boards import season_choices
from leagues.pages.match import match_page
from leagues.pages.matches import results_page
from leagues.selectors.matches import PLAYERS_BY_RANK
from leagues.store.planned import restartable_snapshot
from leagues.views.common import asks_again, league_context, look_of, wants_fragment
from leagues.views.limits import SEARCHES, limit_requests
from leagues.views.me import viewer_of


@require_safe
@limit_requests(SEARCHES, parameter="q")
@restartable_snapshot
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
            boards=[look.board, *look.boards] if look.board else [],
            address_words=request.GET.dict(),
            now=timezone.now(),
        )
    fragment = wants_fragment(request)
    return render(
        request, "leagues/results.html#list" if fragment else "leagues/results.html", context
    )


@require_safe
@restartable_snapshot
def match(request: HttpRequest, slug: str, season: str, seq: int) -> HttpResponse:
    """Show a match with what it did; the page asks for itself until it is rated."""
    match = access.match(request, slug, season, seq, Action.VIEW)
    match.season.league = match.league
    rights = access.rights(access.principal_of(request), match.league, match=match)
    prefetch_related_objects([match], PLAYERS_BY_RANK)
    page = match_page(
        match=match,
        now=timezone.now(),
        words=request.GET.dict(),
        names_accounts=Action.AUDIT in rights,
        reader=request.user.pk,
        me=viewer_of(request).among(row.player for row in match.participants.all()),
    )
    is_computing = page.account is not None and page.account.is_waiting
    if is_computing and asks_again(request):
        return HttpResponse(status=204)
    context = {
        **league_context(request, match.league, "results", rights),
        "match": match,
        "page": page,
        "is_computing": is_computing,
        "release": _release(request, match),
    }
    part = "#account" if wants_fragment(request) else ""
    return render(request, f"leagues/match.html{part}", context)


def _release(request: HttpRequest, match: Match) -> dict[str, Any]:
    """How the reader may let players of a started match go; nothing where that cannot be."""
    if match.kind not in LOSABLE_KINDS or match.status != Match.Status.LIVE:
        return {}
    principal = access.principal_of(request)
    keys = access.releasable(principal, match)
    is_organizer = Action.CORRECT in access.rights(principal, match.league)
    form = release_form(match, keys)
    if not form.keys or (is_lost(match, timezone.now()) and not is_organizer):
        return {}
    return {"form": form, "names": names_to_release(form, match)}
