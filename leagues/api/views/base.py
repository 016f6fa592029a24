"""What all views of the API share."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterable
from typing import Any

from django.contrib.auth.models import User
from django.http import Http404, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from leagues import access
from leagues.api.authentication import AUTHENTICATION
from leagues.api.parsers import BODY_LIMIT, StrictJSONParser
from leagues.api.plain_bodies import NotPlain, reader_of
from leagues.api.problems import Invalid, answer_to
from leagues.api.schema import ApiSchema
from leagues.api.throttles import Throttle
from leagues.models import ApiToken, League, Mode, Season
from leagues.selectors.leagues import modes_of
from leagues.services.leagues import current_season

QUERY_LIMIT = 8192


class AlwaysJson(DefaultContentNegotiation):
    """Answer in the one way there is; the usual choice would read an address parameter."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The only renderer."""
        (renderer,) = renderers
        return renderer, str(renderer.media_type)


class ApiView(APIView):
    """Refuse what no view knows; who may do what is for `leagues.access` to say, per object."""

    authentication_classes = AUTHENTICATION
    permission_classes = (AllowAny,)
    parser_classes = (StrictJSONParser,)
    renderer_classes = (JSONRenderer,)
    content_negotiation_class = AlwaysJson
    throttle_classes = (Throttle,)
    schema = ApiSchema()
    body_limit = BODY_LIMIT
    """What the web server lets through to the parser."""
    http_method_names = ("get", "head", "post", "put", "patch")
    query: tuple[OpenApiParameter, ...] = ()
    """The address parameters of GET; any other is refused."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate and count the call, then look at its address parameters."""
        super().initial(request, *args, **kwargs)
        if len(request.META.get("QUERY_STRING", "")) > QUERY_LIMIT:
            raise Invalid("", _("The address is too long."))
        known = {parameter.name for parameter in self.query}
        for name, values in request.query_params.lists():
            if name not in known or request.method not in ("GET", "HEAD"):
                raise Invalid(name, _("There is no such parameter."), "unknown_parameter")
            if len(values) > 1:
                raise Invalid(name, _("This parameter is given twice."))
            if any(unicodedata.category(letter) == "Cc" for letter in values[0]):
                raise Invalid(name, _("This contains control characters."))

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        """Answer every refusal in one shape."""
        return answer_to

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Set who may keep the answer, and give what was read its ETag."""
        response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(response, ("Authorization", "Cookie"))
        if request.auth is not None or request.user.is_authenticated:
            patch_cache_control(response, private=True, no_store=True)
        elif "Cache-Control" not in response.headers:
            patch_cache_control(response, no_cache=True)
        if response.status_code == 200 and request.method in ("GET", "HEAD"):
            response.add_post_render_callback(_tagged(request))
        return response


def read(request: Request, kind: type[Serializer[Any]]) -> Any:
    """The checked body of a request; a serializer words what is refused."""
    try:
        return reader_of(kind)(request.data)
    except (NotPlain, ValidationError):
        body = kind(data=request.data)
        body.is_valid(raise_exception=True)
        return body.validated_data


def parameter(request: Request, name: str, *, longest: int = 128) -> str:
    """An address parameter, empty where it is not given."""
    value: str = request.query_params.get(name, "")
    if len(value) > longest:
        raise Invalid(name, _("This is too long."))
    return value


def choice(request: Request, name: str, values: tuple[str, ...]) -> str:
    """An address parameter of few values; without it the first one."""
    value = parameter(request, name) or values[0]
    if value not in values:
        raise Invalid(name, _("This must be one of: %(values)s.") % {"values": ", ".join(values)})
    return value


def whole(request: Request, name: str, *, most: int) -> int:
    """An address parameter that is a whole number; without it 0."""
    value = request.query_params.get(name, "0")
    if not (value.isascii() and value.isdigit() and len(value) < 10 and int(value) <= most):
        raise Invalid(name, _("This must be a whole number from 0 to %(most)d.") % {"most": most})
    return int(value)


def named_season(request: Request, league: League, slug: str | None) -> Season:
    """A season by slug, without one the current season."""
    try:
        found = (
            access.season(request, league, slug) if slug else current_season(league, timezone.now())
        )
    except Http404:
        found = None
    if found is None:
        raise Invalid("season", _("There is no such season."), "unknown_season")
    found.league = league
    return found


def named_mode(league: League, word: str | None) -> Mode:
    """A mode by slug or name; without either the league's first one."""
    modes = modes_of(league=league.pk)
    found = [mode for mode in modes if word in (None, mode.slug)] or [
        mode for mode in modes if mode.name == word
    ]
    if not found:
        raise Invalid("mode", _("There is no such mode."), "unknown_mode")
    return found[0]


def source_of(request: Request) -> tuple[str, User | None]:
    """What marks the caller's results, and the account answerable for them."""
    if isinstance(request.auth, ApiToken):
        return request.auth.source, None
    user = access.signed_in(request)
    return f"user:{user.pk}", user


def _tagged(request: Request) -> Callable[[Response], HttpResponse | None]:
    def tag(response: Response) -> HttpResponse | None:
        etag = f'"{hashlib.sha256(response.content).hexdigest()[:24]}"'
        response.headers["ETag"] = etag
        return get_conditional_response(request, etag=etag, response=response)

    return tag
