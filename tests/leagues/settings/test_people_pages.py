"""The pages that give access: roles and tokens. They ask for the password again (S-09)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from leagues.accounts.confirmation import FRESH_SECONDS
from leagues.models import ApiToken, League, Membership
from leagues.services.tokens import find_token
from tests.leagues.people import PASSWORD, join, make_league, make_user

pytestmark = pytest.mark.django_db
MEMBERS = "/l/club/settings/members/"
TOKENS = "/l/club/settings/tokens/"


@pytest.fixture
def league() -> League:
    return make_league()


@pytest.fixture
def boss(league: League) -> User:
    user = make_user("boss")
    join(league, user, "organizer")
    return user


@pytest.fixture
def client(boss: User) -> Client:
    """Return a browser in which the password was just given."""
    client = Client()
    response = client.post("/account/sign-in/", {"username": "boss", "password": PASSWORD})
    assert response.status_code == 302
    return client


@pytest.fixture
def later() -> Iterator[None]:
    with time_machine.travel(timezone.now() + timedelta(seconds=FRESH_SECONDS + 60)):
        yield


class TestMembers:
    def test_a_role_is_given_and_taken(self, client: Client, league: League) -> None:
        ana = make_user("ana")
        response = client.post(MEMBERS, {"who": "ana", "role": "scorer"})
        assert response.status_code == 302
        assert "ana" in client.get(MEMBERS).content.decode()
        away = f"{MEMBERS}{ana.pk}/remove/"
        assert client.get(away).status_code == 200
        assert Membership.objects.filter(user=ana).exists()
        assert client.post(away).status_code == 302
        assert not Membership.objects.filter(user=ana).exists()

    @pytest.mark.parametrize(
        "wrong", [{"who": "nobody"}, {"who": ""}, {"role": "owner"}, {"who": "bo\x00ss"}]
    )
    def test_what_is_wrong_is_said(
        self, client: Client, league: League, wrong: dict[str, str]
    ) -> None:
        make_user("ana")
        sent = {"who": "ana", "role": "scorer"} | wrong
        assert client.post(MEMBERS, sent).status_code == 422
        assert league.memberships.count() == 1

    def test_a_number_that_no_account_can_have_is_nobody(self, client: Client) -> None:
        assert client.get(f"{MEMBERS}{'9' * 40}/remove/").status_code == 404

    def test_the_last_organizer_cannot_leave(
        self, client: Client, league: League, boss: User
    ) -> None:
        assert client.post(MEMBERS, {"who": "boss", "role": "player"}).status_code == 422
        response = client.post(f"{MEMBERS}{boss.pk}/remove/")
        assert response.status_code == 422
        assert "at least one organizer" in response.content.decode()
        assert league.memberships.get().role == "organizer"


class TestTokens:
    def make(self, client: Client, **fields: str) -> str:
        response = client.post(TOKENS, {"name": "Bot", "scope": "results"} | fields)
        assert response.status_code == 200
        found = re.search(r"rungs_[a-z0-9]{8}_[\w-]{43}", response.content.decode())
        assert found and "no-store" in response["Cache-Control"]
        return found[0]

    def test_a_token_is_shown_once(self, client: Client, league: League) -> None:
        plain = self.make(client)
        token = find_token(plain)
        assert token is not None and token.league == league
        page = client.get(TOKENS).content.decode()
        assert token.public_id in page
        assert plain not in page and token.secret_hash not in page

    def test_a_revoked_token_is_over(self, client: Client) -> None:
        plain = self.make(client)
        token = find_token(plain)
        assert token is not None
        away = f"{TOKENS}{token.public_id}/revoke/"
        assert client.get(away).status_code == 405
        assert client.post(away).status_code == 302
        assert find_token(plain) is None
        assert "revoked" in client.get(TOKENS).content.decode()

    def test_the_token_of_another_league_is_out_of_reach(self, client: Client) -> None:
        other = make_league("other")
        token = ApiToken.objects.create(
            league=other,
            name="Bot",
            source="token:bot",
            public_id="abcdefgh",
            secret_hash="0" * 64,
            expires_at=timezone.now() + timedelta(days=1),
        )
        assert client.post(f"{TOKENS}{token.public_id}/revoke/").status_code == 404
        token.refresh_from_db()
        assert token.revoked_at is None

    @pytest.mark.parametrize("wrong", [{"name": ""}, {"name": "x" * 49}, {"scope": "all"}])
    def test_what_is_wrong_is_said(self, client: Client, wrong: dict[str, str]) -> None:
        sent = {"name": "Bot", "scope": "results"} | wrong
        assert client.post(TOKENS, sent).status_code == 422
        assert not ApiToken.objects.exists()


@pytest.mark.usefixtures("later")
class TestPasswordAgain:
    @pytest.fixture(autouse=True)
    def given_long_ago(self, client: Client) -> None:
        session = client.session
        session["password_given_at"] -= 2 * FRESH_SECONDS
        session.save()

    @pytest.mark.parametrize(
        ("url", "sent"),
        [
            (TOKENS, {"name": "Bot", "scope": "read"}),
            (MEMBERS, {"who": "ana", "role": "organizer"}),
        ],
    )
    def test_nothing_is_given_without_it(
        self, client: Client, league: League, url: str, sent: dict[str, str]
    ) -> None:
        make_user("ana")
        assert "password_again" in client.get(url).content.decode()
        for wrong in ({}, {"password_again": ""}, {"password_again": "wrong"}):
            assert client.post(url, sent | wrong).status_code == 422
        assert not ApiToken.objects.exists() and league.memberships.count() == 1

    def test_given_once_it_is_not_asked_again(self, client: Client) -> None:
        sent = {"name": "Bot", "scope": "read"}
        assert client.post(TOKENS, sent | {"password_again": PASSWORD}).status_code == 200
        assert ApiToken.objects.count() == 1
        assert "password_again" not in client.get(TOKENS).content.decode()
        assert client.post(TOKENS, sent).status_code == 200

    def test_guessing_it_is_throttled_like_signing_in(self, client: Client) -> None:
        sent = {"name": "Bot", "scope": "read", "password_again": "wrong"}
        assert [client.post(TOKENS, sent).status_code for _ in range(5)] == [422] * 4 + [429]
        sent["password_again"] = PASSWORD
        assert client.post(TOKENS, sent).status_code == 429
        assert not ApiToken.objects.exists()

    def test_a_token_is_revoked_without_it(self, client: Client, league: League) -> None:
        ApiToken.objects.create(
            league=league,
            name="Bot",
            source="token:bot",
            public_id="abcdefgh",
            secret_hash="0" * 64,
            expires_at=timezone.now() + timedelta(days=9),
        )
        assert client.post(f"{TOKENS}abcdefgh/revoke/").status_code == 302


@pytest.mark.parametrize("name", ["\u3164", "a\u202eb", "a\x00b"])
def test_a_token_that_nobody_can_name_is_refused(client: Client, league: League, name: str) -> None:
    response = client.post(TOKENS, {"name": name, "scope": "results"})
    assert response.status_code == 422
    assert not ApiToken.objects.exists()


def test_the_page_of_tokens_leads_to_the_reference(client: Client, league: League) -> None:
    assert f'href="{reverse("api:docs")}"' in client.get(TOKENS).content.decode()
