"""A season's settings and the admin offer, tell, refuse and do the same, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from leagues.forms.season_steps import STEPS
from leagues.jobs.runner import drain
from leagues.models import AuditEntry, League, Season, StartingState
from tests.leagues.people import PASSWORD, make_user
from tests.leagues.play import new_club, record, rounds

pytestmark = pytest.mark.django_db
SURE = {"password_again": PASSWORD}
SOFT = {"carry": "soft", "share": "50", "deviation": "80"}
COURSE: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("autumn", "days", {"name": "Autumn", "starts_on": "2025-09-01", "ends_on": "2025-12-31"}),
    ("autumn", "close", {}),
    ("autumn", "resume", {}),
    ("autumn", "close", {}),
    ("autumn", "seal", {"name": "autumn ", **SURE}),
    ("autumn", "archive", {}),
    ("autumn", "unarchive", {}),
    ("autumn", "reopen", {"name": "Autumn", "reason": "A result was missing.", **SURE}),
    ("autumn", "seal", {"name": "Autumn", **SURE}),
    ("autumn", "next", {"name": "Winter", "starts_on": "2026-01-01", **SOFT}),
    ("winter", "carry", {"carry": "keep", "preview": "yes"}),
    ("winter", "carry", {"carry": "keep"}),
    ("winter", "uncarry", {}),
    ("winter", "open", {}),
)
NONSENSE: tuple[dict[str, str], ...] = (
    {},
    {"name": "a\x00b", "reason": "", "carry": "everything"},
)
OF_THEIR_TIME = {"id", "league_id", "follows_id", "created_at", "sealed_at", "stopped_at"}
OF_CHAINS = {"facts_digest", "checked_at"}


@dataclass(frozen=True)
class WayIn:
    """One of the interfaces, with a league of its own."""

    client: Client
    league: League
    is_admin: bool

    def season(self, slug: str) -> Season:
        return self.league.seasons.get(slug=slug)

    def page(self, slug: str) -> HttpResponse:
        season = self.season(slug)
        if self.is_admin:
            address = reverse("admin:leagues_season_change", args=[season.pk])
        else:
            address = reverse("leagues:settings_season", args=[self.league.slug, slug])
        return self.client.get(address)

    def address(self, slug: str, step: str) -> str:
        if self.is_admin:
            words = {"object_id": self.season(slug).pk, "name": step}
            return reverse("admin:leagues_season_step", kwargs=words)
        return reverse("leagues:settings_season_step", args=[self.league.slug, slug, step])

    def offered(self, slug: str) -> list[tuple[str, bool]]:
        context = self.page(slug).context
        return [
            (choice.label, choice.is_next)
            for choice in context["buttons" if self.is_admin else "steps"]
        ]

    def told(self, response: HttpResponse) -> dict[str, Any]:
        """Everything that the page of a step says, asks and offers."""
        if response.status_code not in (200, 422):
            return {"status": response.status_code}
        context = response.context
        page = context if self.is_admin else vars_of(context["page"])
        said = {
            "status": response.status_code,
            "lines": list(page["lines"]),
            "problems": list(page["problems"]),
            "is_possible": page["is_possible"],
            "button": page["button"],
            "preview_button": page["preview_button"],
            "tables": page["tables"],
            "fields": [
                (field.html_name, str(field.label), str(field.initial), field.errors)
                for form in (page["form"], page["again"])
                for field in form or ()
            ],
        }
        body = response.content.decode()
        assert all(str(line) in body for line in (*said["lines"], *said["problems"]))
        return said

    def rows(self) -> dict[str, Any]:
        """What is stored of the league's seasons, and the log, without moments and ids."""
        seasons = self.league.seasons.order_by("pk").values()
        entries = AuditEntry.objects.filter(league=self.league).order_by("pk")
        return {
            "seasons": [without(row, OF_THEIR_TIME | OF_CHAINS) for row in seasons],
            "boards": list(
                self.league.boards.order_by("pk").values("name", "seal", "start_parameters")
            ),
            "starts": [
                (key, bytes(state))
                for key, state in StartingState.objects.filter(league=self.league)
                .order_by("board__season", "board__name", "player__key")
                .values_list("player__key", "state")
            ],
            "log": [
                (
                    entry.action,
                    entry.subject,
                    entry.actor_id,
                    without(entry.before, {"sealed", "slug"}),
                    without(entry.after, {"slug"}),
                )
                for entry in entries
            ],
        }


def vars_of(page: Any) -> dict[str, Any]:
    """The page of a step in the settings, by the names that the admin's page has."""
    return {
        "lines": page.run.lines,
        "problems": page.problems,
        "is_possible": page.run.is_possible,
        "button": page.button,
        "preview_button": page.step.preview_button,
        "tables": page.tables,
        "form": page.form,
        "again": page.again,
    }


def without(row: dict[str, Any] | None, names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in (row or {}).items() if name not in names}


def refused_by_nonsense(season: Season) -> list[str]:
    """The steps that ask something, and those that are not possible now."""
    now = timezone.now()
    asking = {"days", "carry", "next", "seal", "reopen"}
    return [
        name
        for name, step in STEPS.items()
        if name in asking or not step.dry_run(season, now).is_possible
    ]


def way_in(boss: User, slug: str, *, is_admin: bool) -> WayIn:
    league = new_club(slug, owner=boss)
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 2), by=boss)
    client = Client()
    client.force_login(boss, "django.contrib.auth.backends.ModelBackend")
    return WayIn(client, league, is_admin)


def compare_refusals(settings: WayIn, admin: WayIn, slug: str) -> None:
    """Every step's page is the same, and what is missing or impossible is refused alike."""
    before = settings.rows()
    for name in STEPS:
        shown = [way.told(way.client.get(way.address(slug, name))) for way in (settings, admin)]
        assert shown[0] == shown[1], name
    for name in refused_by_nonsense(settings.season(slug)):
        for sent in NONSENSE:
            told = [
                way.told(way.client.post(way.address(slug, name), sent))
                for way in (settings, admin)
            ]
            assert told[0] == told[1]
            assert told[0]["status"] == 422, name
    assert settings.rows() == before


def test_both_ways_in_offer_tell_refuse_and_do_the_same() -> None:
    boss = make_user("boss", is_superuser=True, is_staff=True)
    settings, admin = way_in(boss, "one", is_admin=False), way_in(boss, "two", is_admin=True)
    compared, taken = set(), set()
    for slug, step, data in COURSE:
        assert settings.offered(slug) == admin.offered(slug)
        assert any(label == STEPS[step].label for label, _is_next in admin.offered(slug))
        season = settings.season(slug)
        if (slug, season.state, season.carryover) not in compared:
            compare_refusals(settings, admin, slug)
            compared.add((slug, season.state, season.carryover))
        done = [
            way.told(way.client.post(way.address(slug, step), data)) for way in (settings, admin)
        ]
        assert done[0] == done[1]
        assert done[0]["status"] == (200 if "preview" in data else 302), (slug, step, done)
        drain()
        assert settings.rows() == admin.rows(), (slug, step)
        taken.add(step)
    assert taken == set(STEPS)
