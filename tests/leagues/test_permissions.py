"""Every address, every kind of caller, every kind of league, reading and writing (T-20)."""

from __future__ import annotations

import copy
import hashlib
import re
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
from leagues.services.leagues import create_league
from leagues.services.matches import record_matches, void_match
from leagues.services.players import ensure_player
from leagues.services.tokens import create_token
from tests.leagues.people import join
from tests.permission_table import PRINCIPALS, TABLE, VISIBILITIES, Line

BACKEND = "django.contrib.auth.backends.ModelBackend"
CANARY = "canary"
"""In everything a private league says, and nowhere else."""

# Sessions and counters of failed tries are written by the frame, whoever asks.
VOLATILE = {"sessions.Session", "axes.AccessAttempt", "axes.AccessLog"}


def routes() -> Iterator[str]:
    """Name every route that is ours; what the frame brings along guards itself."""
    yield from _names(get_resolver().url_patterns, ())


def _names(patterns: list[Any], spaces: tuple[str, ...]) -> Iterator[str]:
    for entry in patterns:
        if isinstance(entry, URLResolver):
            if entry.namespace != "admin":
                inner = (*spaces, entry.namespace) if entry.namespace else spaces
                yield from _names(entry.url_patterns, inner)
        elif isinstance(entry, URLPattern):
            yield ":".join((*spaces, entry.name or f"nameless {entry.pattern}"))


def test_every_route_has_its_line() -> None:
    assert set(routes()) - set(TABLE) == set()


def test_every_line_has_its_route() -> None:
    assert set(TABLE) - set(routes()) == set()


@pytest.fixture
def people(db: None) -> dict[str, User]:
    cache.clear()
    found = {}
    for name in PRINCIPALS:
        if name != "anonymous":
            found[name] = User.objects.create_user(name, f"{name}@example.org", "password")
    User.objects.filter(username="site_admin").update(is_superuser=True, is_staff=True)
    elsewhere = create_league(name="Elsewhere", slug="elsewhere")
    join(elsewhere, found["organizer_elsewhere"], "organizer")
    return found


@pytest.fixture
def browsers(people: dict[str, User]) -> dict[str, Client]:
    """Return a browser of each, signed in before anything was taken away from its owner."""
    found = {}
    for name in PRINCIPALS:
        found[name] = Client()
        if name in people:
            found[name].force_login(people[name], BACKEND)
            session = found[name].session
            session["password_given_at"] = int(time.time())
            session["seen_on"] = timezone.now().date().isoformat()
            session.save()
    User.objects.filter(username="switched_off").update(is_active=False)
    return found


@pytest.fixture
def worlds(people: dict[str, User]) -> dict[str, SimpleNamespace]:
    """Return a league of each visibility, with results, members and a token."""
    found = {}
    for visibility in VISIBILITIES:
        mark = f"{CANARY}-private" if visibility == "private" else visibility
        league = create_league(
            name=f"{mark} league",
            slug=f"the-{visibility}-one",
            owner=people["organizer"],
            visibility=visibility,
            description=f"{mark} description",
            mode=f"{mark} mode",
            season=f"{mark} season",
        )
        for role in ("player", "scorer"):
            join(league, people[role], role)
        join(league, people["switched_off"], "organizer")
        join(league, people["former_organizer"], "organizer").delete()
        found[visibility] = _world(league, people, mark)
    return found


def _world(league: Any, people: dict[str, User], mark: str) -> SimpleNamespace:
    season, mode = league.seasons.get(), league.modes.get()
    players = [ensure_player(league=league, name=f"{mark} {name}") for name in ("Ana", "Bo")]
    now = timezone.now()
    for seq in (1, 2):
        sides = tuple(
            SideDraft(rank=rank, members=(MemberDraft(player),), score=seq + 2 - rank)
            for rank, player in enumerate(players, start=1)
        )
        recorded = record_matches(
            season=season,
            mode=mode,
            drafts=[MatchDraft(played_at=now, sides=sides, detail=f"{mark} detail")],
            author=people["organizer"],
            reason=f"{mark} reason",
        )
    void_match(match=recorded.matches[0], author=people["organizer"], reason=f"{mark} reason")
    token, _plain = create_token(
        league=league, name=f"{mark} token", scope="results", actor=people["organizer"]
    )
    return SimpleNamespace(
        league=league,
        season=season,
        mode=mode,
        players=players,
        people=people,
        token=token,
        today=now.date().isoformat(),
        board_form={"board-mode": mode.pk} | _defaults("elo"),
    )


def _defaults(system: str) -> dict[str, str]:
    from leagues import bridge

    return {
        f"board-x_{described.name}": str(described.default)
        for described in bridge.describe_system(system)
        if described.kind != "flag" and described.default is not None
    }


def filled(value: Any, world: SimpleNamespace) -> Any:
    """Replace the functions of a line by what the world answers."""
    if callable(value):
        return filled(value(world), world)
    if isinstance(value, dict):
        return {key: filled(inner, world) for key, inner in value.items()}
    return value


def digest() -> str:
    """Return a hash of every row of every table that a caller could change."""
    found = hashlib.sha256()
    for model in apps.get_models():
        if model._meta.label not in VOLATILE:
            found.update(model._meta.label.encode())
            for row in model.objects.order_by("pk").values_list():
                found.update(repr(row).encode())
    return found.hexdigest()


def send(client: Client, method: str, name: str, line: Line, world: Any) -> HttpResponse:
    path = reverse(name, kwargs=filled(line.words, world))
    if line.query:
        path = f"{path}?{line.query}"
    if method == "POST":
        return client.post(path, filled(line.data or {}, world))
    return client.generic(method, path)


def asked(line: Line) -> Iterator[tuple[str, str]]:
    """Name each method of a line, and the principal of each test of it."""
    for method in ("GET", "HEAD", "POST"):
        for principal in PRINCIPALS:
            yield method, principal


@pytest.mark.parametrize("name", list(TABLE))
def test_everybody_gets_what_the_table_says(
    name: str, browsers: dict[str, Client], worlds: dict[str, SimpleNamespace]
) -> None:
    line = TABLE[name]
    before = digest()
    for visibility, world in worlds.items():
        for method, principal in asked(line):
            cache.clear()
            mail.outbox.clear()
            rule = line.post if method == "POST" else line.get
            refusal = rule(principal, visibility) if rule else 405
            with transaction.atomic():
                client = copy.deepcopy(browsers[principal])
                response = send(client, method, name, line, world)
                after = digest()
                transaction.set_rollback(True)
            case = f"{principal} {method} {name} of a {visibility} league"
            allowed = line.done if method == "POST" else line.found
            assert response.status_code == (refusal or allowed), case
            if refusal or method != "POST":
                assert after == before, f"{case} changed something"
            if refusal and visibility == "private":
                assert_silent(response, case)


def assert_silent(response: HttpResponse, case: str) -> None:
    """Check that a refusal says nothing of what is private: in its body, headers or letters.

    The address that was asked for is the caller's own word.
    """
    letters = "".join(str(message.message()) for message in mail.outbox)
    said = response.content.decode() + repr(dict(response.headers)) + letters
    assert CANARY not in said.replace(response.request["PATH_INFO"], "").lower(), case


@pytest.mark.parametrize("principal", ["anonymous", "plain", "organizer_elsewhere"])
def test_a_private_league_looks_like_none(
    principal: str, browsers: dict[str, Client], worlds: dict[str, SimpleNamespace]
) -> None:
    world = worlds["private"]
    slug = world.league.slug
    for name, line in TABLE.items():
        if "slug" not in line.words:
            continue
        answers = []
        for address in (slug, "there-never-was"):
            words = filled(line.words, world) | {"slug": address}
            response = browsers[principal].get(reverse(name, kwargs=words))
            body = re.sub(r"[A-Za-z0-9]{64}", "token", response.content.decode())
            headers = {
                key: value
                for key, value in response.headers.items()
                if key not in ("X-Request-ID", "Content-Length")
            }
            answers.append((response.status_code, body.replace(address, "…"), headers))
        assert answers[0] == answers[1], name


def test_nothing_is_changed_without_the_token_of_the_form(
    people: dict[str, User], worlds: dict[str, SimpleNamespace]
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["site_admin"], BACKEND)
    before = digest()
    for name, line in TABLE.items():
        if line.post is not None:
            response = send(client, "POST", name, line, worlds["public"])
            assert response.status_code == 403, name
    assert digest() == before


def test_lists_keep_quiet_about_private_leagues(
    browsers: dict[str, Client], worlds: dict[str, SimpleNamespace]
) -> None:
    for principal in ("anonymous", "plain", "organizer_elsewhere", "former_organizer"):
        for path in ("/", "/?q=canary", "/account/"):
            response = browsers[principal].get(path)
            assert f"{CANARY}-private" not in response.content.decode(), (principal, path)
    for principal in ("player", "site_admin"):
        assert f"{CANARY}-private" in browsers[principal].get("/").content.decode(), principal


@pytest.mark.parametrize("principal", [name for name in PRINCIPALS if name != "site_admin"])
def test_the_admin_is_for_site_admins(
    principal: str, browsers: dict[str, Client], worlds: dict[str, SimpleNamespace]
) -> None:
    for path in ("/admin/", "/admin/leagues/league/", "/admin/auth/user/add/"):
        response = browsers[principal].get(path, follow=True)
        if principal in ("anonymous", "switched_off"):
            assert response.redirect_chain[-1][0].startswith("/account/sign-in/")
        else:
            assert response.status_code == 403
        assert CANARY not in response.content.decode()
