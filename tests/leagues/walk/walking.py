"""Walking: every address of a league, by every kind of visitor, in search of answers of 500."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, product

from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse

from leagues.limits.counting import memory
from leagues.store.memory import forget_all
from tests.leagues.walk.addresses import Address, addresses_of
from tests.leagues.walk.shapes import LAST_RESULTS, Shape, furnish, record_last
from tests.permission_table import TABLE

IS_THOROUGH = os.environ.get("RUNGS_WALK") == "thorough"
BACKEND = "django.contrib.auth.backends.ModelBackend"
ROLES = ("visitor", "player", "scorer", "organizer", "site_admin")
PRINCIPALS = {"visitor": "anonymous"}

Turn = tuple[Address, str]
"""An address, and who asks for it."""


class Walk:
    """A league of one shape, walked after each kind of last result; `faults` is what was found."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.people = {
            name: User.objects.create_user(
                name,
                f"{name}@example.org",
                is_superuser=name == "site_admin",
                is_staff=name == "site_admin",
            )
            for name in ROLES[1:]
        }
        self.league = shape.make(self.people["organizer"])
        furnish(self.league, self.people)
        self.faults: list[str] = []

    def after_each_last_result(self) -> None:
        """Walk as each kind of last result leaves the league; before, if it has no result yet."""
        if IS_THOROUGH or not self.league.matches.exists():
            with put_back():
                self._walk("as it was made", 0)
        for number, kind in enumerate(LAST_RESULTS):
            if not IS_THOROUGH and kind != "draw" and (number + len(self.shape.name)) % 2:
                continue
            with put_back():
                if record_last(self.league, kind, turn=number):
                    self._walk(kind, number)

    def _walk(self, kind: str, number: int) -> None:
        browsers = {role: self._browser(role) for role in ROLES}
        everything = addresses_of(self.league)
        turns = (
            every_turn(everything, number) if IS_THOROUGH else self._some_turns(everything, number)
        )
        for address, role in turns:
            with put_back(forgets=False):
                problem = ask(browsers[role], address)
            if problem:
                self.faults.append(f"{self.shape.name}, {kind}, {role}: {address}: {problem}")

    def _browser(self, role: str) -> Client:
        """Return a browser that does not raise, so that one walk tells of every fault."""
        browser = Client(raise_request_exception=False)
        if role != "visitor":
            browser.force_login(self.people[role], BACKEND)
            session = browser.session
            session["password_given_at"] = int(time.time())
            session.save()
        player = self.league.players.order_by("pk").first()
        if role == "player" and player is not None:
            browser.get(f"{reverse('leagues:me', args=[self.league.slug])}?player={player.key}")
        return browser

    def _some_turns(self, everything: dict[str, list[Address]], number: int) -> Iterator[Turn]:
        """Yield the plain address of each page that tells results, and by rotation all others."""
        for route, addresses in everything.items():
            turn = zlib.crc32(f"{self.shape.name} {route}".encode()) + number
            if not addresses or turn % seldom(route):
                continue
            roles = [role for role in ROLES if may(role, route)]
            yield addresses[0], roles[turn % len(roles)]
            if len(addresses) > 1 and turn % 3 == 0:
                # Steps of a number that shares no factor with most lengths come past all of them.
                other = addresses[1 + turn * 7919 % (len(addresses) - 1)]
                yield other, roles[(turn + 1) % len(roles)]


def every_turn(everything: dict[str, list[Address]], number: int) -> Iterator[Turn]:
    """Yield plain addresses by everybody, and a third of all others, by those let in, in turn."""
    for route, addresses in everything.items():
        roles = [role for role in ROLES if may(role, route)]
        yield from product(addresses[:1], roles if route.startswith("admin:") else ROLES)
        yield from zip(addresses[1 + number % 3 :: 3], cycle(roles), strict=False)


def may(role: str, route: str) -> bool:
    """Tell whether somebody is let in: refusals are the business of the permission table."""
    if route not in TABLE:
        return role == "site_admin"
    rule = TABLE[route].get
    return rule is None or rule(PRINCIPALS.get(role, role), "public") is None


def seldom(route: str) -> int:
    """After how many of the last results a route has its turn; 1 where they are what it tells."""
    space, _, name = route.partition(":")
    if space == "admin" or TABLE[route].get is None:
        return 12
    if space == "accounts" or name.startswith(("settings", "new", "import")):
        return 6
    return 3 if space == "api" else 1


def ask(browser: Client, address: Address) -> str:
    """Ask for an address and read the whole answer; say what is wrong with it, if anything is."""
    # A walk is quicker than any visitor: it would see refusals and no pages.
    memory.PLACE.forget()
    response = browser.get(address.path, headers=address.headers)
    raised = getattr(response, "exc_info", None)
    if response.status_code >= 500 and response.status_code != 503:
        return f"{response.status_code} {raised[1]!r}" if raised else str(response.status_code)
    try:
        _content = b"".join(response)
    except Exception as error:
        return f"the answer breaks off: {error!r}"
    return ""


@contextmanager
def put_back(*, forgets: bool = True) -> Iterator[None]:
    """Undo what is written; without `forgets`, what is remembered of the league still holds."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    if forgets:
        cache.clear()
        forget_all()


def walk(shape: Shape) -> Walk:
    """Walk all through a league of a shape."""
    walked = Walk(shape)
    walked.after_each_last_result()
    return walked


def told(faults: Sequence[str]) -> str:
    """All faults of a walk, a line each."""
    return "\n".join(sorted(faults))
