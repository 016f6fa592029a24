"""How long people wait for the preview of a correction, over HTTP from the server as it is shipped.

In a club's league an organizer turns results round by the page that corrects a match: each is
previewed several times with all that the page asks, saved, rated and undone. Standings and
histories must be others after saving, and what they were after the undo.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from statistics import median
from typing import Final
from urllib.parse import urlencode, urljoin
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

from benchmarks.pages import ROOT, serve
from benchmarks.report import Report, Row
from benchmarks.visits import PATIENCE_SECONDS, REST, database

MATCHES, PLAYERS = 5_000, 120
PLACES = {"the first match": 1, "the middle": MATCHES // 2, "the last tenth": MATCHES * 95 // 100}
"""Numbers of the matches that are corrected."""
ROUNDS = 9
MOST_MS = 150.0
PASSWORD: Final = "of a league that lives a minute"  # noqa: S105 - nobody else's

PREPARE = f"""
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from benchmarks.world import make_world
world = make_world(players={PLAYERS}, matches={MATCHES})
world.organizer.set_password({PASSWORD!r})
world.organizer.save()
from leagues.jobs.runner import drain
drain()
print(world.organizer.username, world.season.slug)
"""
DIGEST = f"""
{REST.format(patience=PATIENCE_SECONDS)}
from leagues.models import League
from leagues.services.integrity import league_digest
print(league_digest(League.objects.get()))
"""
"""Of all ratings, once nothing waits to be rated any more."""


class Fields(HTMLParser):
    """What the form of an id sends as it stands."""

    def __init__(self, form: str, page: str) -> None:
        super().__init__()
        self._form, self._is_inside, self._select = form, False, ""
        self.values: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the value of a field that sends one."""
        words = dict(attrs)
        name, value = words.get("name") or "", words.get("value") or ""
        if tag == "form":
            self._is_inside = words.get("id") == self._form
        elif not self._is_inside:
            return
        elif tag == "select":
            self._select = name
        elif tag == "option":
            if "selected" in words or self._select not in self.values:
                self.values[self._select] = value
        elif tag == "input" and name:
            is_off = words.get("type") in ("checkbox", "radio") and "checked" not in words
            if not is_off:
                self.values[name] = value

    def handle_endtag(self, tag: str) -> None:
        """Leave the form at its end."""
        if tag == "form":
            self._is_inside = False


class Organizer:
    """Somebody with a browser at a server."""

    def __init__(self, address: str, username: str) -> None:
        self._address = address
        self._opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.get("account/sign-in/"))
        words = {"username": username, "password": PASSWORD}
        self.post("account/sign-in/", {"csrfmiddlewaretoken": token[1] if token else "", **words})

    def get(self, path: str) -> str:
        """Get a page."""
        with self._opener.open(urljoin(self._address, path), timeout=PATIENCE_SECONDS) as answer:
            return str(answer.read().decode())

    def post(self, path: str, values: dict[str, str]) -> tuple[str, str]:
        """Send a form; returns the address to which it led, and the page there."""
        body = urlencode(values).encode()
        address = urljoin(self._address, path)
        with self._opener.open(address, body, timeout=PATIENCE_SECONDS) as answer:
            return answer.geturl(), answer.read().decode()


def measure(report: Report) -> None:
    """Measure previews of a match at the beginning, in the middle and near the end of a season."""
    with (
        tempfile.TemporaryDirectory() as folder,
        database(os.environ.get("DATABASE_URL", "")) as url,
    ):
        environment = {
            "REDIS_URL": "",
            **os.environ,
            "RUNGS_DATA": folder,
            "DATABASE_URL": url,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "RUNGS_LOG_LEVEL": "ERROR",
        }
        username, season = _told(PREPARE, environment).split()
        with serve(environment) as address:
            organizer = Organizer(address, username)
            for place, number in PLACES.items():
                _correct(report, environment, organizer, place, f"l/large/m/{season}/{number}/")


def _told(script: str, environment: dict[str, str]) -> str:
    words = [sys.executable, "-c", script]
    return subprocess.run(
        words, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def _correct(
    report: Report, environment: dict[str, str], organizer: Organizer, place: str, match: str
) -> None:
    """Preview turning a result round several times, save it, and take it back."""
    before = _told(DIGEST, environment)
    page = organizer.get(f"{match}correct/?turned=yes")
    values = Fields("change", page).values
    waits = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        _at, preview = organizer.post(f"{match}correct/", {**values, "preview": "yes"})
        waits.append(time.perf_counter() - began)
        if "moves" not in preview:
            raise SystemExit(f"The preview of {match} says nobody who moves.")
    name = f"preview of a correction of {place} of {MATCHES:,}"
    report.note(f"{name}, slowest", 1000 * max(waits), "ms")
    report.add(Row(name, 1000 * median(waits), "ms", MOST_MS, "at most"))
    revision, page = organizer.post(f"{match}correct/", values)
    if _told(DIGEST, environment) == before:
        raise SystemExit(f"Saving the correction of {match} changed nothing.")
    organizer.post(f"{revision}undo/", Fields("change", page).values)
    if _told(DIGEST, environment) != before:
        raise SystemExit(f"After the undo of {match} the ratings are others than before.")
