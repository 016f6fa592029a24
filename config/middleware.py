"""What every answer carries, and what of a request may be believed."""

from __future__ import annotations

import codecs
import ipaddress
import secrets
from collections.abc import Callable
from datetime import UTC, datetime

from django.conf import settings
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers

from config.logs import request_id
from leagues.views.plain import Refusal, refuse

GetResponse = Callable[[HttpRequest], HttpResponse]

READABLE_ENCODINGS = ("utf-8", "ascii")
"""What a request may say that its letters are in: UTF-8, and what is a part of it."""


class Middleware:
    """Hold the next handler."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response


class BodilessHead(Middleware):
    """Send no body with the answer to HEAD; the web server warns of each that has one."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method == "HEAD" and not response.streaming:
            response.headers.setdefault("Content-Length", str(len(response.content)))
            response.content = b""
        return response


class RequestId(Middleware):
    """Give each request an id that its log lines and its answer carry."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        identity = secrets.token_hex(8)
        token = request_id.set(identity)
        try:
            response = self.get_response(request)
        finally:
            request_id.reset(token)
        response.headers["X-Request-ID"] = identity
        return response


class ReadableCookies(Middleware):
    """Leave out cookies with a NUL: none of ours has one, and PostgreSQL refuses to look for it."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        for name in [name for name, value in request.COOKIES.items() if "\0" in value]:
            del request.COOKIES[name]
        return self.get_response(request)


class TrustedProxies(Middleware):
    """Believe X-Forwarded-For and X-Forwarded-Proto from trusted proxies only (S-23)."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        chain = request.META.pop("HTTP_X_FORWARDED_FOR", "").split(",")
        scheme = request.META.pop("HTTP_X_FORWARDED_PROTO", "")
        if settings.TRUSTED_PROXIES and is_trusted(request.META.get("REMOTE_ADDR", "")):
            if scheme in ("http", "https"):
                request.META["wsgi.url_scheme"] = scheme
            request.META["REMOTE_ADDR"] = visitor(chain) or request.META["REMOTE_ADDR"]
        return self.get_response(request)


def is_trusted(address: str) -> bool:
    """Tell whether the address belongs to a trusted proxy."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in settings.TRUSTED_PROXIES)


def visitor(chain: list[str]) -> str:
    """Take the last address that no trusted proxy has: the ones before it anyone can write."""
    for address in reversed([part.strip() for part in chain]):
        try:
            ipaddress.ip_address(address)
        except ValueError:
            return ""
        if not is_trusted(address):
            return address
    return ""


class ContentSecurityPolicy(Middleware):
    """Send the policy (S-02) unless the view has set one of its own."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        return response


class CacheRules(Middleware):
    """Keep personal pages out of every cache, and fragments apart from pages (S-06)."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        patch_vary_headers(response, ["Cookie", "HX-Request"])
        # Who is signed in is not asked of a database that has just failed to answer.
        if "no-store" not in response.get("Cache-Control", "") and is_signed_in(request):
            response.headers.pop("Cache-Control", None)
            patch_cache_control(response, private=True, no_store=True)
        return response


class OnlyUtf8(Middleware):
    """Refuse what is said to be in other letters than UTF-8, its address or its body (B-58).

    Django would refuse such a form where it is read first, which the page of that refusal does
    again.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # None where nothing is said, or an encoding that does not exist: then it is UTF-8.
        if request.encoding is not None:
            if codecs.lookup(request.encoding).name not in READABLE_ENCODINGS:
                return refuse(request.path, Refusal.NOT_UTF_8)
            request.encoding = "utf-8"
        return self.get_response(request)


class RetryReads(Middleware):
    """Look once more where the database hung up on somebody who only looks (F-12)."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method in ("GET", "HEAD") and getattr(response, "was_cut", False):
            close_old_connections()
            response = self.get_response(request)
        return response


class KeepSession(Middleware):
    """Let a session live while it is used, written once a day and not at every page."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_signed_in(request):
            today = datetime.now(UTC).date().isoformat()
            if request.session.get("seen_on") != today:
                request.session["seen_on"] = today
        return self.get_response(request)


def is_signed_in(request: HttpRequest) -> bool:
    """Tell whether somebody is signed in, without opening a session for those who bring none."""
    session = getattr(request, "session", None)
    if session is None or (not session.session_key and not session.modified):
        return False
    # A request for another host is refused before anybody is asked who sends it.
    user = getattr(request, "user", None)
    return user is not None and user.is_authenticated
