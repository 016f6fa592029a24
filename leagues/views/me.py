"""Who looks at a league as one of its players, and what that person wants to see.

Whoever is signed in and has claimed a player is that player. Anybody else may say "I am ...",
which a cookie of this league keeps; it proves nothing and opens nothing.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from leagues import access
from leagues.access import Action
from leagues.models import League, Player
from leagues.selectors.people import Viewer, player_of, search_people
from leagues.store.planned import restartable_snapshot
from leagues.views.common import address_here, league_context, safe_address
from leagues.views.limits import SEARCHES, limit_requests

COOKIE = "me"
HIDE_COOKIE = "plain"
YEAR = 365 * 24 * 60 * 60
LONGEST_KEY = 128


def me(request: HttpRequest, league: League) -> Player | None:
    """The player of this league who looks; asked of the database once per request."""
    viewers = _viewers(request)
    if league.pk not in viewers:
        viewers[league.pk] = player_of(league=league, viewer=viewer_of(request))
    return viewers[league.pk]


def viewer_of(request: HttpRequest) -> Viewer:
    """The possible viewer, for a page that finds the player among others it reads."""
    key = request.COOKIES.get(COOKIE, "")
    return Viewer(
        user_id=request.user.pk if request.user.is_authenticated else None,
        key="" if "\x00" in key or len(key) > LONGEST_KEY else key,
    )


def remember_me(request: HttpRequest, league: League, player: Player | None) -> None:
    """Keep the player found among others, so that nobody asks again in this request."""
    _viewers(request)[league.pk] = player


def hides_ratings(request: HttpRequest) -> bool:
    """Whether the visitor wants neither ratings nor stakes in standings and comparisons.

    A page about one rating, one match or one season goes on to tell it: that is what it is for.
    """
    return request.COOKIES.get(HIDE_COOKIE) == "yes"


def looks_as(request: HttpRequest) -> tuple[str, bool]:
    """The visitor's cookies, for the ETag of a page."""
    return viewer_of(request).key, hides_ratings(request)


@require_safe
@limit_requests(SEARCHES, parameter="q")
@restartable_snapshot
def choose_me(request: HttpRequest, slug: str) -> HttpResponse:
    """Find oneself among the players, and keep the choice in a cookie; also what to leave out."""
    league = access.league(request, slug, Action.VIEW)
    back = safe_address(request, request.GET.get("next", ""))
    if back == "/":
        back = reverse("leagues:board", args=[league.slug])
    if request.GET.get("hide") in ("yes", "no"):
        return _store_cookie(
            request, back, HIDE_COOKIE, "yes" if request.GET["hide"] == "yes" else "", "/"
        )
    place = reverse("leagues:board", args=[league.slug])
    if request.GET.get("forget"):
        return _store_cookie(request, back, COOKIE, "", place)
    if request.GET.get("player"):
        player = access.player(request, slug, request.GET["player"], Action.VIEW)
        return _store_cookie(request, back, COOKIE, player.key, place)
    query = request.GET.get("q", "").replace("\x00", "").strip()[:64]
    context = {
        **league_context(request, league, "board"),
        "query": query,
        "back": back,
        "people": search_people(league=league, query=query),
        "own": me(request, league),
    }
    return render(request, "leagues/me.html", context)


def picker(request: HttpRequest, league: League) -> dict[str, object]:
    """The values for `leagues/_me.html`: who looks, and where to change that."""
    own = me(request, league)
    hidden = hides_ratings(request)
    base = reverse("leagues:me", args=[league.slug])
    here = address_here(request)
    turned = urlencode({"hide": "no" if hidden else "yes", "next": here})
    return {
        "url": base,
        "here": here,
        "name": own.name if own else "",
        "is_claimed": bool(own and own.user_id and own.user_id == request.user.pk),
        "forget": f"{base}?{urlencode({'forget': 'yes', 'next': here})}",
        "hides": hidden,
        "hide": f"{base}?{turned}",
        "hide_word": _("Show ratings and stakes") if hidden else _("Hide ratings and stakes"),
    }


def _viewers(request: HttpRequest) -> dict[int, Player | None]:
    viewers: dict[int, Player | None] = request.__dict__.setdefault("players_who_look", {})
    return viewers


def _store_cookie(
    request: HttpRequest, back: str, cookie: str, value: str, path: str
) -> HttpResponse:
    response = HttpResponseRedirect(back)
    if value:
        response.set_cookie(
            cookie,
            value,
            max_age=YEAR,
            path=path,
            samesite="Lax",
            secure=request.is_secure(),
            httponly=True,
        )
    else:
        response.delete_cookie(cookie, path=path, samesite="Lax")
    return response
