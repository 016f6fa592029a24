"""How often somebody may ask (reliability S-12); the counts are kept in `leagues.throttle`."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from leagues.models import ApiToken
from leagues.throttle import Limit

READING = Limit("api-read", uses=1200, seconds=60)
SENDING = {
    "token": Limit("api-send-token", uses=600, seconds=60),
    "user": Limit("api-send-user", uses=60, seconds=60),
    "address": Limit("api-send-address", uses=60, seconds=60),
}


class Throttle(BaseThrottle):
    """Count requests by token, account or address: those that read and those that send apart."""

    left = 0

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the request and say whether it may go on."""
        kind, caller = _caller(request)
        limit = READING if request.method in ("GET", "HEAD") else SENDING[kind]
        self.left = limit.use(f"{kind}:{caller}")
        return self.left == 0

    def wait(self) -> float:
        """Return the seconds until the next try makes sense."""
        return self.left


def _caller(request: Request) -> tuple[str, str]:
    if isinstance(request.auth, ApiToken):
        return "token", request.auth.public_id
    if request.user.is_authenticated:
        return "user", str(request.user.pk)
    return "address", str(request.META.get("REMOTE_ADDR", ""))
