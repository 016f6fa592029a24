"""How many attempts to sign in there may be (reliability S-12).

Counted before a password is looked at, and given back where it was right. One account from one
address is also counted by django-axes, which remembers it in the database over a restart. Both
count a browser that signed in to the account before apart from strangers.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from leagues.limits.throttle import Limit, Share, by_address
from leagues.views.limits import address_of
from ratings.files.names import normalized

QUARTER = 15 * 60
ADDRESSES = Limit("sign-in", uses=20, seconds=QUARTER)
ACCOUNTS = Limit("sign-in-account", uses=100, seconds=QUARTER)
"""One account, tried from many addresses."""
EVERYBODY = Limit("sign-in-all", uses=1000, seconds=QUARTER)
"""All accounts from all addresses."""
DEVICES = Limit("sign-in-device", uses=10, seconds=QUARTER)
"""Where somebody signed in before they are counted apart: no crowd can lock them out there."""

COOKIE = "device"
YEAR = 365 * 24 * 60 * 60
LONGEST_NAME = 150


def shares_of_attempt(request: HttpRequest, username: str) -> tuple[Share, ...]:
    """What an attempt counts for."""
    name = _named(username)
    device = _known_device(request, name)
    if device:
        return ((DEVICES, device),)
    return (
        *by_address(ADDRESSES, address_of(request)),
        (ACCOUNTS, name),
        (EVERYBODY, "all"),
    )


def axes_name(request: HttpRequest, credentials: Mapping[str, str] | None) -> str | None:
    """The name under which django-axes counts an attempt, beside the address.

    A browser that signed in to the account before has one of its own, so that a stranger at the
    same address cannot lock it out.
    """
    username = (credentials or request.POST).get("username")
    if username is None:
        return None
    device = _known_device(request, _named(username))
    return f"{_spelt(username)} on device {device}" if device else username


def remember_device(response: HttpResponse, username: str) -> None:
    """Note in the browser that this account was signed in to here."""
    note = {"name": _named(username), "device": secrets.token_hex(8)}
    response.set_cookie(
        COOKIE,
        signing.dumps(note, salt=COOKIE),
        max_age=YEAR,
        path=reverse("accounts:sign-in"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _known_device(request: HttpRequest, name: str) -> str:
    """The device of a browser that signed in to this account before, or nothing."""
    try:
        note = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=YEAR)
    except signing.BadSignature:
        return ""
    return note["device"] if note["name"] == name else ""


def _named(username: str) -> str:
    """A short name of an account, the same for all its spellings."""
    return hashlib.sha256(_spelt(username).encode("utf-8", "replace")).hexdigest()[:32]


def _spelt(username: str) -> str:
    """One spelling for all of a name."""
    return normalized("NFKC", username[:LONGEST_NAME]).casefold()[:LONGEST_NAME]
