"""Pages for what went wrong, each with the one thing to do next."""

from __future__ import annotations

import logging
import secrets
import sys

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import requires_csrf_token

from leagues.access import AccountWanted, SeasonClosed
from leagues.services.validation import season_problem
from leagues.store.outages import is_busy, is_outage, was_cut
from leagues.views.plain import API, Refusal, refuse

logger = logging.getLogger(__name__)


@requires_csrf_token
def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer what cannot be read, and a session that the database could not take."""
    if is_outage(exception):
        return outage(request, exception)
    if request.path.startswith(API):
        return refuse(request.path, Refusal.BAD_REQUEST)
    return render(request, "400.html", status=400)


@requires_csrf_token
def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Explain what is not allowed and why; visitors are offered to sign in."""
    context: dict[str, object] = {"needs_account": isinstance(exception, AccountWanted)}
    if isinstance(exception, SeasonClosed):
        problem = season_problem(exception.season)
        context["closed"] = problem.message if problem else ""
        context["season"] = exception.season
        context["may_reopen"] = exception.may_reopen
    return render(request, "403.html", context, status=403)


@requires_csrf_token
def page_not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer alike for what is not there and what may not be seen."""
    if request.path.startswith(API):
        return refuse(request.path, Refusal.NOT_FOUND)
    return render(request, "404.html", status=404)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Explain a refused form: the session changed under it."""
    return render(request, "403_csrf.html", status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an error that nobody foresaw, wherever in the handling of a request it was raised.

    A database that is away for a while is none of ours: 503. Of an error of ours the page says so,
    with a number that the log knows, whatever else is broken.
    """
    error = sys.exc_info()[1]
    if is_outage(error):
        return outage(request, error)
    number = f"e-{secrets.token_hex(2)}-{secrets.token_hex(1)}"
    logger.error("incident %s: this request failed", number)
    return refuse(request.path, Refusal.SERVER_ERROR, number=number)


def outage(request: HttpRequest, error: BaseException | None) -> HttpResponse:
    """Ask to come back in a moment; `was_cut` tells the middleware that another try may do."""
    response = refuse(request.path, Refusal.BUSY if is_busy(error) else Refusal.UNAVAILABLE)
    response.was_cut = was_cut(error)  # type: ignore[attr-defined]
    return response
