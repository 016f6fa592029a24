"""Who sends a request, as far as its cookie tells: asked before a large body is taken in."""

from __future__ import annotations

from importlib import import_module

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http.cookie import parse_cookie


def is_signed_in(cookie: bytes) -> bool:
    """Whether a cookie names a session in which somebody is signed in; reads the database."""
    key = parse_cookie(cookie.decode("latin-1")).get(settings.SESSION_COOKIE_NAME)
    if not key:
        return False
    return SESSION_KEY in import_module(settings.SESSION_ENGINE).SessionStore(key)
