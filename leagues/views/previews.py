"""What a change of results would do, shown on the page that makes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.http import HttpRequest

from leagues import access
from leagues.models import Revision, Season
from leagues.pages.correction_preview import (
    PreviewPage,
    joined_preview,
    nothing_to_preview,
    preview_page,
)
from leagues.services.preview_jobs import request_preview
from leagues.services.tried_changes import try_change


def wants_preview(request: HttpRequest) -> bool:
    """Whether a form asks for what it would do, and not to do it."""
    return bool(request.POST.get("preview"))


def preview_of(
    request: HttpRequest,
    season: Season,
    change: Callable[[], Revision | None],
    *,
    matches: int = 1,
    is_league_wide: bool = False,
) -> PreviewPage:
    """What a change of so many matches would do; it raises what `try_change` raises."""
    tried = try_change(season, change, matches=matches, is_league_wide=is_league_wide)
    if tried is None:
        return nothing_to_preview()
    return preview_page(request_preview(tried, season=season, actor=access.signed_in(request)))


def preview_in_seasons(
    request: HttpRequest,
    seasons: Sequence[Season],
    change: Callable[[], Revision | None],
    *,
    matches: int,
    is_league_wide: bool,
) -> PreviewPage:
    """What a change that reaches these seasons of a league would do in all of them."""
    pages = {
        season.name: preview_of(
            request, season, change, matches=matches, is_league_wide=is_league_wide
        )
        for season in seasons
    }
    return joined_preview(pages)
