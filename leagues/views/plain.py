"""Answers that need no database: what the server refuses before or without looking anything up."""

from __future__ import annotations

from enum import Enum
from http import HTTPStatus

from django.http import HttpResponse, JsonResponse
from django.template import TemplateDoesNotExist, loader
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from leagues.api.problems import CONTENT_TYPE, problem_body
from leagues.store.outages import RETRY_SECONDS

API = "/api/"
LAST_RESORT = (
    "<!doctype html><html lang=en><title>{status}</title><h1>{title}</h1><p>{text} {number}"
)


class Refusal(Enum):
    """Why a request is not answered: status, code, heading and words."""

    BAD_REQUEST = (
        400,
        "bad_request",
        _("This request could not be read"),
        _("The data sent is not valid. Nothing was saved."),
    )
    NOT_FOUND = (
        404,
        "not_found",
        _("Not found"),
        _("There is nothing at this address."),
    )
    TOO_SLOW = (
        408,
        "too_slow",
        _("The request took too long"),
        _("What you sent did not arrive in time. Nothing was saved; try again."),
    )
    TOO_LARGE = (
        413,
        "too_large",
        _("The request is too large"),
        _("This is too large for this address. Nothing was saved."),
    )
    NOT_UTF_8 = (
        415,
        "unsupported_media_type",
        _("This request could not be read"),
        _("The data sent is not in UTF-8. Nothing was saved."),
    )
    HEADERS_TOO_LARGE = (
        431,
        "headers_too_large",
        _("This request could not be read"),
        _("The request has too many headers. Nothing was saved."),
    )
    SERVER_ERROR = (
        500,
        "server_error",
        _("Something went wrong"),
        _("Nothing was saved. If it happens again, send this number to the organizer:"),
    )
    BUSY = (
        503,
        "busy",
        _("Too busy right now"),
        _("The database is busy. Nothing was saved; try again."),
    )
    UNAVAILABLE = (
        503,
        "unavailable",
        _("Not available right now"),
        _(
            "The database is not responding. Try again in a moment; if you were saving "
            "something, check first whether it was saved."
        ),
    )

    def __init__(self, status: int, code: str, title: Promise, text: Promise) -> None:
        self.status = status
        self.code = code
        self.title = title
        self.text = text


def refuse(path: str, refusal: Refusal, *, number: str = "") -> HttpResponse:
    """Answer a page, or under the API's addresses a problem object."""
    response = _problem(refusal, number) if path.startswith(API) else _page(refusal, number, path)
    response.headers["Cache-Control"] = "no-store"
    if refusal.status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _problem(refusal: Refusal, number: str) -> HttpResponse:
    detail = f"{refusal.text} {number}".rstrip()
    body = problem_body(refusal.status, refusal.code, detail)
    return JsonResponse(body, status=refusal.status, content_type=CONTENT_TYPE)


def _page(refusal: Refusal, number: str, path: str) -> HttpResponse:
    is_of_form = refusal is Refusal.TOO_LARGE and not path.startswith("//")
    words = {
        "back": path if is_of_form else "",
        "status": refusal.status,
        "title": refusal.title,
        "text": refusal.text,
        "number": number,
    }
    try:
        page = loader.get_template("plain.html").render(words)
    except (TemplateDoesNotExist, ValueError, OSError):
        page = LAST_RESORT.format(**words)
    return HttpResponse(page, status=refusal.status)
