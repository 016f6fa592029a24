"""A league read by the API and sent to another one is the same league (issue, must show 3)."""

from __future__ import annotations

import csv
import gzip
import io
import random
from typing import Any

import pytest

from leagues.jobs.runner import drain
from leagues.models import Job, League
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import start_import
from leagues.services.integrity import check_board, league_digest
from leagues.services.leagues import create_league
from leagues.services.matches import revert_revision
from tests.leagues.api.calls import Caller, browser
from tests.leagues.people import make_user
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

KEPT = ("played_at", "played_on", "same_time_order", "kind", "weight", "detail", "external_id")


def football() -> bytes:
    """Return the header and 400 games of a time with many draws."""
    with gzip.open(shared_data("football/international.csv.gz"), "rt", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    text = io.StringIO()
    csv.writer(text).writerows([rows[0], *rows[6000:6400]])
    return text.getvalue().encode()


def catan() -> bytes:
    return shared_data("club/catan.csv").read_bytes()


def foosball() -> bytes:
    return shared_data("club/foosball_2v2.csv").read_bytes()


def imported(league: League, content: bytes) -> League:
    job_id = start_import(
        season=league.seasons.get(),
        mode=league.modes.get(),
        name="results.csv",
        content=content,
        options=ImportOptions(is_upload=False, skip_bad=True),
    )
    drain()
    assert Job.objects.get(pk=job_id).state == Job.State.DONE
    return league


def as_sent(match: dict[str, Any]) -> dict[str, Any]:
    """Return a match that was read as one that can be sent, with keys for its players."""
    sides = [
        {**side, "players": [dict(player) for player in side["players"]]} for side in match["sides"]
    ]
    return {name: match[name] for name in KEPT} | {"sides": sides}


@pytest.mark.parametrize("content", [football, catan, foosball])
def test_a_league_sent_in_shuffled_order_has_the_same_digest(content: Any) -> None:
    organizer = make_user("organizer")
    source = imported(create_league(name="Source", slug="source", visibility="private"), content())
    target = create_league(name="Target", slug="target", owner=organizer)
    source.memberships.create(user=organizer, role="player")
    caller = browser(organizer)
    matches = caller.pages("leagues/source/matches/?page_size=200")
    assert len(matches) >= 240
    random.Random(3).shuffle(matches)
    for start in range(0, len(matches), 150):
        batch = [as_sent(match) for match in matches[start : start + 150]]
        sent = caller.send("leagues/target/matches/", {"matches": batch, "create_players": True})
        assert sent.status_code == 201, sent.content
        assert sent.json()["rating"] == "pending"
        if start % 300 == 0:
            drain()
    drain()
    assert league_digest(target) == league_digest(source)
    assert not any(check_board(board).differences for board in target.boards.all())
    state = Caller().get("leagues/target/rating-state/").json()["results"]
    assert [board["behind"] for board in state] == [False, False]
    for board in target.boards.all():
        path = f"boards/first-season/{board.slug}/standings/?page_size=200"
        read = [
            [
                {name: value for name, value in row.items() if name != "url"}
                for row in caller.pages(f"leagues/{slug}/{path}")
            ]
            for slug in ("source", "target")
        ]
        assert read[0] == read[1]


@pytest.mark.parametrize("content", [football, catan])
def test_an_import_undone_and_done_again_gives_the_same_digest(content: Any) -> None:
    league = imported(create_league(name="Club", slug="club"), content())
    before, empty = league_digest(league), league_digest(create_league(name="None", slug="none"))
    revert_revision(revision=league.revisions.get(kind="import"), author=None)
    drain()
    assert league_digest(league) == empty != before
    imported(league, content())
    assert league_digest(league) == before
