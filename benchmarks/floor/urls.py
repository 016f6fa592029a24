"""The addresses of an installation and of the floors, and a clock that can be put forward."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.utils import timezone

from benchmarks.floor import results
from leagues.models import Board, Standing

ROWS = 50
real_now = timezone.now


def query(request: HttpRequest, slug: str) -> HttpResponse:
    """Read the rows of a board's first page and show them as they are."""
    board = Board.objects.filter(league__slug=slug).earliest("pk")
    rows = (
        Standing.objects.current(board)
        .best_first()
        .values_list(
            *("player__key", "player__name", "place_value", "state", "games"),
            *("won", "drawn", "lost", "form", "last_played_at"),
        )
    )
    return HttpResponse(repr(list(rows[:ROWS])), content_type="text/plain")


def next_day(request: HttpRequest) -> HttpResponse:
    """Let the next day begin in this process."""
    ahead = timezone.now() - real_now() + timedelta(days=1)

    def now() -> datetime:
        return real_now() + ahead

    timezone.now = now
    return HttpResponse(now().isoformat(), content_type="text/plain")


urlpatterns = [
    path("floor/next-day/", next_day),
    path("floor/results/", results.store),
    path("floor/<slug:slug>/", query),
    path("", include("config.urls")),
]

handler400 = "leagues.views.errors.bad_request"
handler403 = "leagues.views.errors.permission_denied"
handler404 = "leagues.views.errors.page_not_found"
handler500 = "leagues.views.errors.server_error"
