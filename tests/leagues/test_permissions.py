"""Every address, every kind of caller, every kind of league, reading and writing (T-20)."""

from __future__ import annotations

import copy
import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from leagues import bridge
from leagues.jobs.queue import claim_job
from leagues.jobs.runner import run_claim
from leagues.limits.counting import memory
from leagues.models import ApiToken, League, Mode, Season, Upload
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
from leagues.services.imports import ImportOptions, store_upload
from leagues.services.leagues import create_league
from leagues.services.matches import record_matches, void_match
from leagues.services.players import ensure_player
from leagues.services.tokens import create_token, revoke_token
from leagues.services.trials import start_trial
from leagues.services.uploads import check_upload
from tests.leagues.people import join
from tests.permission_table import PEOPLE, TABLE, TOKENS, VISIBILITIES, Line
from tests.routes import own_routes

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
CANARY = "canary"
"""In everything a private league says, and nowhere else."""

WRITE = re.compile(r"\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+\W?(\w+)", re.IGNORECASE)
WRITING = ("POST", "PUT", "PATCH", "DELETE", "OPTIONS")
"""Methods that addresses answer only where the table says so."""

# Sessions and counters of failed tries are kept by the frame, whoever asks.
VOLATILE = {"django_session", "axes_accessattempt"}


def test_every_route_has_its_line() -> None:
    assert {route.name for route in own_routes()} - set(TABLE) == set()


def test_every_line_has_its_route() -> None:
    assert set(TABLE) - {route.name for route in own_routes()} == set()


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
        browsers = {name: _browser(people.get(name)) for name in PEOPLE}
        User.objects.filter(username="switched_off").update(is_active=False)
        yield Site(people, browsers, worlds)
        transaction.set_rollback(True)


@pytest.fixture
def site(whole_site: Site, db: None) -> Site:
    cache.clear()
    return whole_site


def _people() -> dict[str, User]:
    found = {}
    for name in PEOPLE:
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


def _world(league: League, people: dict[str, User], mark: str) -> SimpleNamespace:
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
    made = {name: _token(league, name, people["organizer"]) for name in TOKENS}
    revoke_token(token=made["token_revoked"][0], actor=people["organizer"])
    return SimpleNamespace(
        league=league,
        season=season,
        mode=mode,
        players=players,
        duplicate=ensure_player(league=league, name=f"{mark} Anna"),
        people=people,
        upload=_upload(season, mode, mark),
        token=made["token_results"][0],
        tokens={name: plain for name, (_row, plain) in made.items()},
        boards=list(league.boards.all()),
        today=now.date().isoformat(),
        board_form={"board-mode": mode.pk} | _defaults("elo", "board"),
        trial=start_trial(board=league.boards.first(), parameters={}, actor=None),
        trial_form=_defaults(league.boards.first().system, "try"),
    )


def _upload(season: Season, mode: Mode, mark: str) -> Upload:
    """Return a file that was checked and waits to be written."""
    upload = store_upload(
        season=season,
        mode=mode,
        name=f"{mark}.csv",
        content=f"date,winner,loser\n2026-01-05,{mark} Ana,{mark} Cy\n".encode(),
        options=ImportOptions(),
    )
    check_upload(upload=upload, options=ImportOptions())
    claim = claim_job(key=f"check:{upload.pk}")
    assert claim
    run_claim(claim)
    return upload


def _token(league: League, principal: str, actor: User) -> tuple[ApiToken, str]:
    """Return a token used a moment ago, so that asking with it once more writes nothing."""
    if principal == "token_elsewhere":
        league = League.objects.get(slug="elsewhere")
    scope = "read" if principal == "token_read" else "results"
    name = f"{CANARY}-{league.visibility} {principal}"
    token, plain = create_token(league=league, name=name, scope=scope, actor=actor)
    token.last_used_at = timezone.now()
    token.save()
    return token, plain


def _defaults(system: str, prefix: str) -> dict[str, str]:
    values = bridge.new_board_parameters(system)
    return {
        f"{prefix}-x_{described.name}": str(values[described.name])
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


def caller(site: Site, principal: str, world: SimpleNamespace) -> Client:
    """Return a browser that forgets what the request makes it remember, or a program."""
    if principal in TOKENS:
        return Client(headers={"Authorization": f"Bearer {world.tokens[principal]}"})
    return copy.deepcopy(site.browsers[principal])


def send(
    client: Client, method: str, name: str, line: Line, world: SimpleNamespace
) -> HttpResponse:
    path = reverse(name, kwargs=filled(line.words, world))
    if line.query:
        path = f"{path}?{line.query}"
    if method in ("GET", "HEAD"):
        return client.generic(method, path)
    data = filled(line.data or {}, world)
    if line.is_api:
        return client.generic(method, path, json.dumps(data), "application/json")
    return client.post(path, data)


@pytest.mark.parametrize("name", list(TABLE))
def test_everybody_gets_what_the_table_says(name: str, site: Site) -> None:
    line = TABLE[name]
    for visibility, world in site.worlds.items():
        for method, principal in product(line.methods, line.principals):
            memory.PLACE.forget()
            mail.outbox.clear()
            refusal = line.refusal(method, principal, visibility)
            client, watch = caller(site, principal, world), Watch()
            with transaction.atomic(), connection.execute_wrapper(watch):
                response = send(client, method, name, line, world)
                if response.streaming:
                    # Whoever does not read a download to its end still has their turn.
                    b"".join(response)
                transaction.set_rollback(True)
            case = f"{principal} {method} {name} of a {visibility} league"
            assert response.status_code == (refusal or line.answer(method)), case
            if refusal or method in ("GET", "HEAD"):
                assert watch.written == [], case
            if refusal and visibility == "private":
                assert_silent(response, case)


@pytest.mark.parametrize("name", list(TABLE))
def test_a_method_without_a_rule_is_refused_to_everybody(name: str, site: Site) -> None:
    line = TABLE[name]
    nothing = 404 if line.found == 404 else 405
    methods = sorted(set(WRITING) - set(line.methods))
    for (visibility, world), principal, method in product(
        site.worlds.items(), line.principals, methods
    ):
        memory.PLACE.forget()
        path = reverse(name, kwargs=filled(line.words, world))
        client, watch = caller(site, principal, world), Watch()
        with connection.execute_wrapper(watch):
            response = client.generic(method, path)
        # Who is refused whatever the method may learn that first.
        refused = line.refusal("GET", principal, visibility)
        case = f"{principal} {method} {name} of a {visibility} league"
        assert response.status_code in (nothing, refused), case
        assert watch.written == [], case
        if visibility == "private":
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
                key: value.replace(address, "…")
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
            for method in ("POST", "PUT", "PATCH"):
                if getattr(line, method.lower()) is not None:
                    response = send(client, method, name, line, site.worlds["public"])
                    assert response.status_code == 403, (method, name)
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


@pytest.mark.parametrize("principal", [name for name in PEOPLE if name != "site_admin"])
def test_the_admin_is_for_site_admins(principal: str, site: Site) -> None:
    for path in ("/admin/", "/admin/leagues/league/", "/admin/auth/user/add/"):
        response = site.browsers[principal].get(path, follow=True)
        if principal in ("anonymous", "switched_off"):
            assert response.redirect_chain[-1][0].startswith("/account/sign-in/")
        else:
            assert response.status_code == 403
        assert CANARY not in response.content.decode()
