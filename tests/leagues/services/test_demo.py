"""The demo shows what happens in leagues, and a replay agrees with it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.management import call_command
from django.db.models import F
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import League, Match, Revision, Season
from leagues.services.demo import AWAY, INACTIVE_DAYS, NEWCOMER, correct_demo, create_demo

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture
def demo() -> League:
    league = create_demo(now=NOW)
    drain()
    correct_demo(league)
    drain()
    return league


@time_machine.travel(NOW)
def test_the_demo_has_what_a_league_has(demo: League) -> None:
    former, present = demo.seasons.order_by("starts_at")
    assert (former.state, present.state) == (Season.State.CLOSED, Season.State.OPEN)
    assert {mode.name for mode in demo.modes.all()} == {"Singles", "Doubles"}
    assert present.matches.filter(kind=Match.Kind.WALKOVER).count() == 1
    corrections = present.revisions.filter(kind=Revision.Kind.CORRECTION)
    assert corrections.get().reason and corrections.get().summary["matches"] == 1
    days = present.revisions.values_list("created_at__date", flat=True).distinct()
    assert days.count() > 10
    assert {row.source for row in demo.revisions.all()} == {
        "demo: Kim Varga",
        "demo: Rosa Teixeira",
    }
    late = present.matches.filter(revision__created_at__gt=F("played_at") + timedelta(days=3))
    assert late.count() == 1
    call_command("verify")


@time_machine.travel(NOW)
def test_its_pages_show_it(demo: League) -> None:
    client = Client()
    board = client.get("/l/demo/").content.decode()
    assert NEWCOMER in board and "2 more results to be ranked" in board
    assert AWAY in board and demo.active_days == INACTIVE_DAYS
    changes = client.get("/l/demo/changes/").content.decode()
    assert "by <bdi>Kim Varga</bdi>" in changes and "by <bdi>Rosa Teixeira</bdi>" in changes
    assert "The score was entered the wrong way round." in changes
    revised = client.get("/l/demo/p/luca-bianchi/?tab=revisions").content.decode()
    assert "wrong way round" in revised
