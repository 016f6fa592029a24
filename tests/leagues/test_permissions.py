"""Every address, every kind of caller, every kind of league, reading and writing (T-20)."""

from __future__ import annotations

import copy
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.db import connection, transaction
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

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
CANARY = "canary"
"""In everything a private league says, and nowhere else."""

WRITE = re.compile(r"\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+\W?(\w+)", re.IGNORECASE)
# Sessions and counters of failed tries are kept by the frame, whoever asks.
VOLATILE = {"django_session", "axes_accessattempt"}


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


@dataclass(frozen=True)
class Site:
    """Who there is, a signed-in browser of each, and a league of each visibility."""

    people: dict[str, User]
    browsers: dict[str, Client]
    worlds: dict[str, SimpleNamespace]


@pytest.fixture(scope="module")
def whole_site(django_db_setup: None, django_db_blocker: Any) -> Iterator[Site]:
    """Make the site once: it takes longer than asking it, and every test puts it back."""
    with django_db_blocker.unblock(), transaction.atomic():
        people = _people()
        worlds = {visibility: _league(visibility, people) for visibility in VISIBILITIES}
        browsers = {name: _browser(people.get(name)) for name in PRINCIPALS}
        User.objects.filter(username="switched_off").update(is_active=False)
        yield Site(people, browsers, worlds)
        transaction.set_rollback(True)


@pytest.fixture
def site(whole_site: Site, db: None) -> Site:
    cache.clear()
    return whole_site


def _people() -> dict[str, User]:
    found = {}
    for name in PRINCIPALS:
        if name != "anonymous":
            found[name] = User.objects.create_user(name, f"{name}@example.org", "password")
    User.objects.filter(username="site_admin").update(is_superuser=True, is_staff=True)
    elsewhere = create_league(name="Elsewhere", slug="elsewhere")
    join(elsewhere, found["organizer_elsewhere"], "organizer")
    return found


def _browser(user: User | None) -> Client:
    """Return a browser signed in when everybody still could."""
    client = Client()
    if user is not None:
        client.force_login(user, BACKEND)
        session = client.session
        session["password_given_at"] = int(time.time())
        session["seen_on"] = timezone.now().date().isoformat()
        session.save()
    return client


def _league(visibility: str, people: dict[str, User]) -> SimpleNamespace:
    """Return a league with results, members and a token."""
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
    return _world(league, people, mark)


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


class Watch:
    """Note every table that is written to by a statement.

    PostgreSQL's COPY is none; whatever copies matches inserts a revision before.
    """

    def __init__(self) -> None:
        self.written: list[str] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        write = WRITE.match(sql)
        if write and write[1] not in VOLATILE:
            self.written.append(write[1])
        return execute(sql, params, many, context)


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
def test_everybody_gets_what_the_table_says(name: str, site: Site) -> None:
    line = TABLE[name]
    for visibility, world in site.worlds.items():
        for method, principal in asked(line):
            cache.clear()
            mail.outbox.clear()
            rule = line.post if method == "POST" else line.get
            refusal = rule(principal, visibility) if rule else 405
            watch = Watch()
            with transaction.atomic(), connection.execute_wrapper(watch):
                client = copy.deepcopy(site.browsers[principal])
                response = send(client, method, name, line, world)
                transaction.set_rollback(True)
            case = f"{principal} {method} {name} of a {visibility} league"
            allowed = line.done if method == "POST" else line.found
            assert response.status_code == (refusal or allowed), case
            if refusal or method != "POST":
                assert watch.written == [], case
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
def test_a_private_league_looks_like_none(principal: str, site: Site) -> None:
    world = site.worlds["private"]
    slug = world.league.slug
    for name, line in TABLE.items():
        if "slug" not in line.words:
            continue
        answers = []
        for address in (slug, "there-never-was"):
            words = filled(line.words, world) | {"slug": address}
            response = site.browsers[principal].get(reverse(name, kwargs=words))
            body = re.sub(r"[A-Za-z0-9]{64}", "token", response.content.decode())
            headers = {
                key: value
                for key, value in response.headers.items()
                if key not in ("X-Request-ID", "Content-Length")
            }
            answers.append((response.status_code, body.replace(address, "…"), headers))
        assert answers[0] == answers[1], name


def test_nothing_is_changed_without_the_token_of_the_form(site: Site) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(site.people["site_admin"], BACKEND)
    watch = Watch()
    with connection.execute_wrapper(watch):
        for name, line in TABLE.items():
            if line.post is not None:
                response = send(client, "POST", name, line, site.worlds["public"])
                assert response.status_code == 403, name
    assert watch.written == []


def test_the_watch_sees_what_a_permitted_post_writes(site: Site) -> None:
    watch = Watch()
    with connection.execute_wrapper(watch):
        line = TABLE["leagues:enter"]
        send(site.browsers["organizer"], "POST", "leagues:enter", line, site.worlds["public"])
    assert {"leagues_revision", "leagues_season", "leagues_job"} <= set(watch.written)


def test_lists_keep_quiet_about_private_leagues(site: Site) -> None:
    for principal in ("anonymous", "plain", "organizer_elsewhere", "former_organizer"):
        for path in ("/", "/?q=canary", "/account/"):
            response = site.browsers[principal].get(path)
            assert f"{CANARY}-private" not in response.content.decode(), (principal, path)
    for principal in ("player", "site_admin"):
        assert f"{CANARY}-private" in site.browsers[principal].get("/").content.decode(), principal


@pytest.mark.parametrize("principal", [name for name in PRINCIPALS if name != "site_admin"])
def test_the_admin_is_for_site_admins(principal: str, site: Site) -> None:
    for path in ("/admin/", "/admin/leagues/league/", "/admin/auth/user/add/"):
        response = site.browsers[principal].get(path, follow=True)
        if principal in ("anonymous", "switched_off"):
            assert response.redirect_chain[-1][0].startswith("/account/sign-in/")
        else:
            assert response.status_code == 403
        assert CANARY not in response.content.decode()
