"""How often somebody may ask (reliability S-12), as counted by `leagues.limits.throttle`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, Throttled
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from leagues.limits.lines import MEMBERS, VISITORS
from leagues.limits.throttle import Limit, Share, by_address, use_all
from leagues.models import ApiToken
from leagues.store.outages import RETRY_SECONDS
from leagues.views.limits import SEARCHES, SLOW_PAGES

READING = Limit("api-read", uses=1200, seconds=60)
INVALID_TOKENS = Limit("api-invalid-token", uses=60, seconds=60)
SENDING = {
    "token": Limit("api-send-token", uses=6000, seconds=60),
    "user": Limit("api-send-user", uses=60, seconds=60),
    "address": Limit("api-send-address", uses=60, seconds=60),
}


class Throttle(BaseThrottle):
    """Count requests by token, account or address: those that read and those that send apart."""

    left = 0

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the request and say whether it may go on."""
        is_reading = request.method in ("GET", "HEAD")
        limits = [READING if is_reading else SENDING[_kind(request)]]
        if is_reading and request.query_params.get("q"):
            limits.append(SEARCHES)
        self.left = use_all(*(share for limit in limits for share in _shares(request, limit)))
        return self.left == 0

    def wait(self) -> float:
        """The seconds until the next try makes sense."""
        return self.left


class Busy(APIException):
    """Many ask for what is slow to compute."""

    status_code = 503
    default_code = "busy"
    wait = RETRY_SECONDS

    def __init__(self) -> None:
        super().__init__(_("Many people are asking for this right now. Try again in a moment."))


Handler = Callable[..., Response]


def slow(handler: Handler) -> Handler:
    """Let what is slow to compute be computed by few at once, as pages do."""

    @wraps(handler)
    def in_line(view: APIView, request: Request, *args: Any, **words: Any) -> Response:
        shares = _shares(request, SLOW_PAGES)
        wait = use_all(*shares)
        if wait:
            raise Throttled(wait)
        turn = (VISITORS if _kind(request) == "address" else MEMBERS).enter(shares[0][1])
        if turn is None:
            raise Busy
        try:
            return handler(view, request, *args, **words)
        finally:
            turn.end()

    return in_line


def count_invalid_token(request: Request) -> None:
    """Count what is no token; too many of them from one address have to wait.

    Valid ones of the same address are not looked at less, for they may be of another program.
    """
    wait = use_all(*by_address(INVALID_TOKENS, _address(request)))
    if wait:
        raise Throttled(wait)


def _kind(request: Request) -> str:
    if isinstance(request.auth, ApiToken):
        return "token"
    return "user" if request.user.is_authenticated else "address"


def _shares(request: Request, limit: Limit) -> tuple[Share, ...]:
    """What counts: a token, an account or an address."""
    if isinstance(request.auth, ApiToken):
        return ((limit, f"token:{request.auth.public_id}"),)
    if request.user.is_authenticated:
        return ((limit, f"user:{request.user.pk}"),)
    return by_address(limit, _address(request))


def _address(request: Request) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))
