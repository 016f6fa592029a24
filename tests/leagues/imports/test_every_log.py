"""Every log of the shared data through the browser: what the check says, and what is stored."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from leagues.jobs.runner import drain
from leagues.models import Match, MatchEvent, Upload
from leagues.models.match import MatchEventKind
from leagues.views.imports import UPLOADS
from tests.leagues.commands.test_import_every_log import EVENTS, IMPORTED, differences, every_log
from tests.leagues.imports.sender import Sender, plain
from tests.leagues.log_check_values import DEATHS, FOUND, Found, assert_stored
from tests.shared_data import SHARED

pytestmark = pytest.mark.django_db

CHOICES = {"day": "2012-06-17", "with_bots": "on", "with_broken_off": "on"}
KINDS = {label: kind for kind, label in MatchEventKind.choices} | {"round won": "round-won"}


def found_in(page: str, expected: Found) -> Found:
    """What the page of a check says of the log."""
    games = re.search(r"The log has (\d+) games? with (\d+) events?", page)
    assert games is not None
    counts = Counter(
        {
            kind: int(number)
            for label, kind in KINDS.items()
            for number in re.findall(rf"[:,] {label} \((\d+)\)", page)
        }
    )
    return Found(
        games=int(games[1]),
        deaths=sum(counts[kind] for kind in DEATHS),
        kinds={kind: counts[kind] for kind in expected.kinds},
    )


def test_every_log_is_checked_and_imported_with_its_check_values(kim: Sender) -> None:
    addresses = {}
    for path in every_log():
        response = kim.send(path.read_bytes(), name=path.name, **CHOICES)
        assert response.status_code == 302, plain(response)
        # An organizer would have to wait after thirty files.
        UPLOADS.give_back(str(kim.league.pk))
        addresses[str(path.relative_to(SHARED / "data"))] = str(response["Location"])
    drain()
    pages = {name: kim.page(address) for name, address in addresses.items()}
    assert {name: found_in(page, FOUND[name]) for name, page in pages.items()} == FOUND
    for address in addresses.values():
        assert kim.answer(address, "write").status_code in (302, 422)
    drain()
    assert Match.objects.count() == IMPORTED
    assert MatchEvent.objects.count() == EVENTS
    assert_stored(kim.league)
    assert not Upload.objects.filter(revision__isnull=False).exclude(content=b"").exists()
    assert differences() == 0
