"""A sealed season against all that can be sent: pages, API and admin, by those who may most."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from leagues.forms.season_steps import STEPS
from leagues.jobs.runner import drain
from leagues.limits.counting import memory
from leagues.models import (
    Board,
    Match,
    MatchVersion,
    Participant,
    RatingSegment,
    Revision,
    Season,
    Standing,
    StartingState,
)
from leagues.services.integrity import board_digest
from leagues.services.seasons import Step, take_step
from tests.leagues import test_permissions as permissions
from tests.permission_table import TABLE

pytestmark = pytest.mark.django_db
ALLOWED_TO_CHANGE = {
    *("computed_at", "verified_at", "verified_through_revision", "verified_matches", "differences"),
    *("checked_at", "name"),
}
ADMIN_STEPS = {
    "season": tuple(("step", {"name": name}) for name in STEPS if name != "archive"),
    "board": tuple((step, {}) for step in ("recalculate", "verify", "try_parameters", "rules")),
}


@pytest.fixture
def world(db: None) -> SimpleNamespace:
    """Return a league whose season is sealed, with people and programs of every kind."""
    people = permissions._people()
    User.objects.filter(username="switched_off").update(is_active=False)
    world = permissions._league("public", people)
    drain()
    for step in (Step.CLOSE, Step.SEAL):
        season = Season.objects.get(pk=world.season.pk)
        take_step(season, step, actor=people["organizer"], now=timezone.now())
        drain()
    assert Season.objects.get(pk=world.season.pk).state == "closed"
    return world


def sealed_rows(season: Season) -> dict[str, Any]:
    """Return everything of a season that its seal stands for."""
    boards = Board.objects.filter(season=season)
    kept = {field.attname for field in Board._meta.concrete_fields} - ALLOWED_TO_CHANGE
    of_season = {field.attname for field in Season._meta.concrete_fields} - ALLOWED_TO_CHANGE
    of_boards = {"board__season": season}
    return {
        "digests": [board_digest(board) for board in boards],
        "boards": list(boards.values(*kept)),
        "season": Season.objects.filter(pk=season.pk).values(*of_season).get(),
        "matches": list(Match.objects.filter(season=season).order_by("pk").values()),
        "participants": list(
            Participant.objects.filter(match__season=season).order_by("pk").values()
        ),
        "versions": list(MatchVersion.objects.filter(match__season=season).order_by("pk").values()),
        "revisions": list(Revision.objects.filter(season=season).order_by("pk").values()),
        "standings": list(Standing.objects.filter(**of_boards).order_by("pk").values()),
        "histories": list(RatingSegment.objects.filter(**of_boards).order_by("pk").values()),
        "starts": list(StartingState.objects.filter(**of_boards).order_by("pk").values()),
    }


def attempts(world: SimpleNamespace) -> Iterator[tuple[str, Any]]:
    """Yield every way to write, with a function that tries it."""
    organizer = permissions._browser(world.people["organizer"])
    admin = permissions._browser(world.people["site_admin"])
    program = Client(headers={"Authorization": f"Bearer {world.tokens['token_results']}"})
    for name, line in TABLE.items():
        for method in ("POST", "PUT", "PATCH"):
            if getattr(line, method.lower()) is None or name.startswith("accounts:"):
                continue
            for who, client in (("organizer", organizer), ("admin", admin), ("program", program)):
                yield (
                    f"{who} {method} {name}",
                    lambda client=client, method=method, name=name, line=line: permissions.send(
                        client, method, name, line, world
                    ),
                )
    for table, steps in ADMIN_STEPS.items():
        row = world.season if table == "season" else world.boards[0]
        for step, words in steps:
            address = reverse(
                f"admin:leagues_{table}_{step}", kwargs={"object_id": row.pk, **words}
            )
            data = {"name": "Next", "carry": "fresh", "reason": "because"}
            yield f"admin {table} {step} {words}", lambda a=address, d=data: admin.post(a, d)
    chosen = {
        "action": "void_selected",
        "_selected_action": list(world.season.matches.values_list("pk", flat=True)),
        "confirmed": "yes",
        "reason": "because",
    }
    matches = reverse("admin:leagues_match_changelist")
    yield "admin voids matches", lambda: admin.post(matches, chosen)


def test_nothing_that_is_sent_changes_a_sealed_season(world: SimpleNamespace) -> None:
    before = sealed_rows(world.season)
    tried = 0
    for what, attempt in attempts(world):
        memory.PLACE.forget()
        with transaction.atomic():
            assert attempt().status_code < 500, what
            drain()
            assert sealed_rows(world.season) == before, what
            transaction.set_rollback(True)
        tried += 1
    assert tried > 60
