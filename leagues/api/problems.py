"""Saying no: every refusal is one `application/problem+json` object (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response

from leagues.access import SeasonClosed
from leagues.api.match_shapes import match_shape
from leagues.services.errors import Conflict, Problem, Refused
from leagues.services.validation import season_problem
from leagues.store.outages import RETRY_SECONDS, is_outage

logger = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
MOST_ERRORS = 1000
CONFLICTS = frozenset(
    {
        *{"season_closed", "season_step", "touched_later", "all_void", "undone"},
        *{"entered_again", "on_sheet"},
    }
)
FORBIDDEN = frozenset({"backdated"})


class Invalid(exceptions.ValidationError):
    """A part of a request that is not a body: an address parameter or a header."""

    def __init__(self, name: str, message: str, code: str = "invalid") -> None:
        super().__init__({name: [message]}, code)


class Unready(exceptions.APIException):
    """What is asked for is being prepared and will be there shortly."""

    status_code = 503
    default_code = "preparing"
    wait = RETRY_SECONDS


class CredentialsRequired(exceptions.NotAuthenticated):
    """A request without a token or a session; `auth_header` says how a token is sent."""

    def __init__(self, detail: str, auth_header: str | None) -> None:
        super().__init__(detail)
        self.auth_header = auth_header


def problem(
    status: int,
    code: str,
    detail: str,
    errors: Iterable[dict[str, Any]] = (),
    *,
    headers: dict[str, str] | None = None,
    **more: Any,
) -> Response:
    """A refusal; `code` is stable, `detail` a sentence."""
    body = problem_body(status, code, detail, errors, **more)
    return Response(body, status, headers=headers, content_type=CONTENT_TYPE)


def problem_body(
    status: int, code: str, detail: str, errors: Iterable[dict[str, Any]] = (), **more: Any
) -> dict[str, Any]:
    """What a refusal says."""
    return {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        "errors": list(errors)[:MOST_ERRORS],
        **more,
    }


def answer_to(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turn whatever a view raised into a refusal; nothing of our insides is told (S-17).

    A database that is away is raised on: `leagues.views.errors` answers that for every address.
    """
    if is_outage(error):
        return None
    request = context["request"]
    if isinstance(error, Refused):
        return _refused(error)
    if isinstance(error, Conflict):
        return _conflict(error, request)
    if isinstance(error, Http404):
        error = exceptions.NotFound(_("There is nothing at this address."))
    elif isinstance(error, SeasonClosed):
        error = exceptions.PermissionDenied(_closed_sentence(error))
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied(_("You may not do this."))
        if request.auth is None and not request.user.is_authenticated:
            error = CredentialsRequired(
                _("You need a token or a session for this."),
                context["view"].get_authenticate_header(request),
            )
    elif isinstance(error, RequestDataTooBig):
        return problem(413, "too_large", _("The body is too large."))
    elif isinstance(error, SuspiciousOperation):
        return problem(400, "bad_request", _("The request cannot be read."))
    if isinstance(error, exceptions.APIException):
        return _expected(error)
    logger.error("the API failed at %s", request.path, exc_info=error)
    return problem(500, "server_error", _("Something went wrong on our side. Nothing was saved."))


def _closed_sentence(error: SeasonClosed) -> str:
    closed = season_problem(error.season)
    sentence = str(closed.message) if closed else _("You may not do this.")
    if not error.season.is_sealed:
        return sentence
    reopen = _("Its standings are sealed. A site admin can reopen it, with a reason.")
    return f"{sentence} {reopen}"


def _refused(error: Refused) -> Response:
    codes = error.codes
    status = 409 if codes & CONFLICTS else 403 if codes <= FORBIDDEN else 422
    code = next(iter(codes)) if len(codes) == 1 else "refused"
    return problem(status, code, _sentence(error.problems), map(_entry, error.problems))


def _sentence(problems: tuple[Problem, ...]) -> str:
    first = str(problems[0].message)
    if len(problems) == 1:
        return first
    return _("%(first)s (And %(more)d more.)") % {"first": first, "more": len(problems) - 1}


def _entry(found: Problem) -> dict[str, Any]:
    entry = {
        "index": found.index,
        "field": found.field,
        "code": found.code,
        "message": str(found.message),
    }
    if not found.name:
        return entry
    candidates = [{"key": player.key, "name": player.name} for player in found.candidates]
    return {**entry, "name": found.name, "candidates": candidates}


def _conflict(error: Conflict, request: Any) -> Response:
    return problem(
        409,
        "changed_meanwhile",
        _("The result was changed in the meantime; its version is now %(version)d.")
        % {"version": error.match.version},
        stored=match_shape(error.match, request),
    )


def _expected(error: exceptions.APIException) -> Response:
    headers = {}
    if auth_header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = auth_header
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    if isinstance(error, exceptions.ValidationError):
        found = list(_flat(error.get_full_details(), ()))
        return problem(
            error.status_code, "invalid", _("The request is not valid."), found, headers=headers
        )
    return problem(error.status_code, str(error.get_codes()), str(error.detail), headers=headers)


def _flat(details: Any, path: tuple[str | int, ...]) -> Iterator[dict[str, Any]]:
    """Yield the leaves of nested details, each with its place in the request."""
    if _is_leaf(details):
        index, path = _without_index(path)
        yield {
            "index": index,
            "field": ".".join(str(step) for step in path if step != "non_field_errors"),
            "code": details["code"],
            "message": str(details["message"]),
        }
    elif isinstance(details, dict):
        for name, inner in details.items():
            yield from _flat(inner, (*path, name))
    else:
        for position, inner in enumerate(details):
            yield from _flat(inner, path if _is_leaf(inner) else (*path, position))


def _is_leaf(details: Any) -> bool:
    return isinstance(details, dict) and isinstance(details.get("code"), str)


def _without_index(path: tuple[str | int, ...]) -> tuple[int | None, tuple[str | int, ...]]:
    if len(path) > 1 and path[0] == "matches" and isinstance(path[1], int):
        return path[1], path[2:]
    return None, path
