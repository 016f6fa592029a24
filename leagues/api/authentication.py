"""Who calls: a program by its league token, or a browser by its session."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from leagues.api.throttles import count_invalid_token
from leagues.models import ApiToken
from leagues.services.tokens import find_token

SCHEME = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """Take `Authorization: Bearer rungs_…`; a header that is no valid token is never ignored."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, ApiToken] | None:
        """The token as `request.auth`; None where no such header was sent."""
        header = request.META.get("HTTP_AUTHORIZATION")
        if header is None:
            return None
        scheme, _space, plain = header.partition(" ")
        token = find_token(plain) if scheme.lower() == SCHEME.lower() else None
        if token is None:
            count_invalid_token(request)
            raise AuthenticationFailed(_("This is not a valid token."), code="token_invalid")
        return AnonymousUser(), token

    def authenticate_header(self, request: Request) -> str:
        """What a 401 answer asks for."""
        return f'{SCHEME} realm="rungs"'


AUTHENTICATION = (TokenAuthentication, SessionAuthentication)
