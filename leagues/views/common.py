"""What the pages of a league share."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Set
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language

from leagues import access
from leagues.access import Action
from leagues.models import League
from leagues.pages.frame import league_frame
from leagues.selectors.board_selection import BoardSelection, LeagueRows, select_board
from leagues.selectors.standings_query import StandingsQuery

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
ROOT = Path(__file__).resolve().parents[2]
AFTER_ANSWER = "rungs.after_answer"
"""What in a request's `META` takes a call for when the answer is sent; not every server has it."""
LOOK_COOKIE = "look"
"""Light or dark, where a visitor has chosen."""
COMPUTING = "computing"
"""The id of the note that says that ratings are being computed."""
USUAL_PORT = 8000
MAX_NEXT = 2000
"""The characters of an address to which another page leads back."""


def league_context(
    request: HttpRequest, league: League, current: str, rights: Set[Action] | None = None
) -> dict[str, Any]:
    """The values that the base template needs on a page of a league; `current` names a route."""
    if rights is None:
        rights = access.rights(access.principal_of(request), league)
    return {
        "league": league,
        "frame": league_frame(league=league, rights=rights, current=current),
        "may": {action.value: True for action in rights},
    }


def look_of(
    request: HttpRequest,
    league: League,
    filters: StandingsQuery | None = None,
    rows: LeagueRows | None = None,
) -> BoardSelection:
    """The season and board that an address chooses, or 404."""
    on = filters.on if filters else None
    chosen = select_board(
        league=league,
        season=request.GET.get("season", "").replace("\x00", ""),
        board=request.GET.get("board", "").replace("\x00", ""),
        until=league.midnight(on + timedelta(days=1)) if on else None,
        with_first=filters is not None and filters.since == "season",
        read=rows,
    )
    if chosen is None:
        raise Http404
    return chosen


def takes_bodies_of(limit: int) -> Callable[[View], View]:
    """Let the web server take that many bytes for a view, instead of the usual limit."""

    def mark(view: View) -> View:
        view.body_limit = limit  # type: ignore[attr-defined]
        return view

    return mark


def wants_fragment(request: HttpRequest) -> bool:
    """Whether a part of the page is to be swapped in, and not the page shown."""
    htmx = request.htmx  # type: ignore[attr-defined]
    return bool(htmx) and not htmx.boosted and not htmx.history_restore_request


def asks_again(request: HttpRequest) -> bool:
    """Whether a page on which ratings are about to come asks for itself: `_computing.html` does."""
    htmx = request.htmx  # type: ignore[attr-defined]
    return bool(htmx) and htmx.trigger == COMPUTING


def address_here(request: HttpRequest) -> str:
    """The address of this page for others that lead back to it, without a query that is too long.

    What a stranger writes into an address would stand in the page several times.
    """
    return next(
        (here for here in (request.get_full_path(), request.path) if len(here) <= MAX_NEXT), "/"
    )


def site_address(request: HttpRequest) -> str:
    """The address at which others reach this installation, without a slash at its end."""
    site = str(settings.PUBLIC_URL) if settings.HAS_PUBLIC_URL else request.build_absolute_uri("/")
    return site.rstrip("/")


def own_port() -> str:
    """The option of `serve` that names the port of this server, where it is not the usual one."""
    return "" if settings.PORT == USUAL_PORT else f" --port {settings.PORT}"


def way_back(request: HttpRequest) -> dict[str, str]:
    """What every template knows of the way back to its page."""
    return {"address_here": address_here(request)}


def safe_address(request: HttpRequest, address: str) -> str:
    """An address of this site, the front page where it is not one (S-07)."""
    if (
        address.startswith("/")
        and len(address) <= MAX_NEXT
        and url_has_allowed_host_and_scheme(
            address, {request.get_host()}, require_https=request.is_secure()
        )
    ):
        return address
    return "/"


def read_number(text: str, most: int) -> int | None:
    """A whole number from 1 to `most` of an address; None for whatever is not one."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        return None
    return int(text) if 1 <= int(text) <= most else None


def version_of(request: HttpRequest, *parts: object) -> str:
    """The ETag of a page that shows `parts` and nothing personal, however it is compressed."""
    content = (
        *parts,
        request.get_full_path(),
        wants_fragment(request),
        request.headers.get("HX-Trigger", ""),
        request.COOKIES.get(LOOK_COOKIE, ""),
        get_language(),
        _build(),
    )
    return f'W/"{hashlib.sha256(repr(content).encode()).hexdigest()[:24]}"'


@lru_cache(maxsize=1)
def _build() -> str:
    """A hash of what pages are made of, so that a new release shows at once."""
    digest = hashlib.sha256()
    for folder in ("templates", "static", "leagues"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".html", ".css", ".js", ".py"):
                digest.update(path.read_bytes())
    return digest.hexdigest()
