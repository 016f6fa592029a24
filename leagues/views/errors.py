"""Pages for what went wrong, each with the one thing to do next."""

from __future__ import annotations

import logging
import secrets

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import TemplateDoesNotExist, loader
from django.views.decorators.csrf import requires_csrf_token

from leagues.access import SeasonClosed
from leagues.services.validation import season_problem

logger = logging.getLogger(__name__)

LAST_RESORT = (
    "<!doctype html><html lang=en><title>500</title><h1>That is our fault</h1>"
    "<p>Nothing was saved. If it happens again, send this number to the organizer: {number}"
)


@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer what cannot be read."""
    return render(request, "400.html", status=400)


@requires_csrf_token
def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Say what is not allowed and why; visitors are offered to sign in."""
    closed = ""
    if isinstance(exception, SeasonClosed):
        problem = season_problem(exception.season)
        closed = problem.message if problem else ""
    return render(request, "403.html", {"closed": closed}, status=403)


@requires_csrf_token
def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer alike for what is not there and what may not be seen."""
    return render(request, "404.html", status=404)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Explain a refused form: the session changed under it."""
    return render(request, "403_csrf.html", status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Own up with a number that the log knows, whatever else is broken."""
    number = f"e-{secrets.token_hex(2)}-{secrets.token_hex(1)}"
    logger.error("incident %s is the error of this request", number)
    try:
        page = loader.get_template("500.html").render({"number": number})
    except (TemplateDoesNotExist, ValueError, OSError):
        page = LAST_RESORT.format(number=number)
    return HttpResponse(page, status=500)
