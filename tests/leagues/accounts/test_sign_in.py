"""Signing in and out: alike for everybody who may not, throttled, and never off this site."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from leagues.accounts import attempts
from leagues.limits.throttle import by_address, use_all
from tests.leagues.people import PASSWORD, make_user

pytestmark = pytest.mark.django_db
SIGN_IN = "/account/sign-in/"


@pytest.fixture
def ana() -> User:
    return make_user("ana")


def sign_in(client: Client, name: str = "ana", password: str = PASSWORD, **fields: str):
    headers = {key: fields.pop(key) for key in list(fields) if key.isupper()}
    return client.post(SIGN_IN, {"username": name, "password": password, **fields}, **headers)


def text_of(response: object) -> str:
    """Return a page without what differs from one answer to the next."""
    return re.sub(r'value="[^"]*"', "", response.content.decode())


def test_who_knows_the_password_is_signed_in_with_a_new_session(client: Client, ana: User) -> None:
    client.get(SIGN_IN)
    session = client.session
    session["kept"] = 1
    session.save()
    client.cookies["session"] = session.session_key
    response = sign_in(client)
    assert response.status_code == 302 and response["Location"] == "/"
    assert client.session.session_key != session.session_key
    assert client.get(reverse("accounts:home")).status_code == 200


def test_the_cursor_stands_in_the_first_field_until_something_is_refused(
    client: Client, ana: User
) -> None:
    (field,) = re.findall(r"<input[^>]* autofocus[^>]*>", client.get(SIGN_IN).content.decode())
    assert 'name="username"' in field
    assert "autofocus" not in sign_in(client, "ana", "wrong").content.decode()


def test_an_unknown_name_a_wrong_password_and_a_switched_off_account_look_alike(
    client: Client, ana: User
) -> None:
    make_user("gone", is_active=False)
    answers = [
        sign_in(client, "ana", "wrong"),
        sign_in(client, "nobody", "wrong"),
        sign_in(client, "gone", PASSWORD),
    ]
    assert {answer.status_code for answer in answers} == {422}
    assert len({text_of(answer) for answer in answers}) == 1


def test_the_fifth_failure_shuts_the_account_for_this_address_and_no_other(
    client: Client, ana: User
) -> None:
    statuses = [sign_in(client, password="wrong").status_code for _ in range(5)]
    assert statuses == [422, 422, 422, 422, 429]
    refused = sign_in(client)
    assert refused.status_code == 429
    assert refused["Retry-After"] == "900"
    assert "15 minutes" in refused.content.decode()
    assert sign_in(client, REMOTE_ADDR="10.0.0.7").status_code == 302


def test_an_unknown_name_is_shut_like_a_known_one(client: Client) -> None:
    statuses = [sign_in(client, "nobody", "wrong").status_code for _ in range(6)]
    assert statuses == [422, 422, 422, 422, 429, 429]


def test_an_address_that_tries_many_accounts_is_refused(client: Client, ana: User) -> None:
    for number in range(attempts.ADDRESSES.uses):
        assert sign_in(client, f"guess-{number}", "wrong").status_code == 422
    refused = sign_in(client)
    assert refused.status_code == 429 and int(refused["Retry-After"]) > 0
    assert sign_in(client, REMOTE_ADDR="10.0.0.7").status_code == 302


@pytest.mark.parametrize("where", ["memory", "database", "redis"])
def test_s12_of_sixty_guesses_at_many_accounts_from_one_address_twenty_pass(
    client: Client, settings: Settings, where: str
) -> None:
    if where == "redis" and not os.environ.get("REDIS_URL"):
        pytest.skip("REDIS_URL is not set.")
    settings.WEB_PROCESSES = 1 if where == "memory" else 2
    settings.REDIS_URL = os.environ.get("REDIS_URL", "") if where == "redis" else ""
    address = f"2001:db8:{os.getpid() % 65536:x}:{id(client) % 65536:x}::1"
    others = 2000 if where == "memory" else 40
    statuses = []
    with time_machine.travel(datetime.now(UTC), tick=False):
        for number in range(60):
            answer = sign_in(client, f"guess-{number}", "wrong", REMOTE_ADDR=address)
            statuses.append(answer.status_code)
            # What kept counts in a cache of a few hundred entries forgot them here.
            for other in range(others if number % 10 == 9 else 0):
                use_all(*by_address(attempts.ADDRESSES, f"10.{number}.{other % 256}.{other >> 8}"))
    assert statuses == [422] * 20 + [429] * 40


def test_an_account_that_is_tried_from_everywhere_lets_in_who_signed_in_before(
    client: Client, ana: User
) -> None:
    assert sign_in(client).status_code == 302
    crowd = Client()
    with time_machine.travel(datetime.now(UTC), tick=False):
        statuses = [
            sign_in(crowd, password="wrong", REMOTE_ADDR=f"10.0.{number}.1").status_code
            for number in range(attempts.ACCOUNTS.uses + 9)
        ]
        assert statuses.count(429) == 9
        assert sign_in(Client(), REMOTE_ADDR="10.1.0.1").status_code == 429
        assert sign_in(client).status_code == 302
    other = make_user("bo")
    assert sign_in(crowd, other.username).status_code == 302


def test_a_browser_that_was_let_in_is_known_for_that_account_only(
    client: Client, ana: User
) -> None:
    sign_in(client)
    with time_machine.travel(datetime.now(UTC), tick=False):
        statuses = [sign_in(client, f"guess-{n}", "wrong").status_code for n in range(21)]
        assert statuses == [422] * 20 + [429]
        statuses = [sign_in(client, password="wrong").status_code for _ in range(11)]
        assert statuses == [422] * 4 + [429] * 7


def test_a_stranger_at_the_same_address_locks_out_no_browser_that_was_let_in(
    client: Client, ana: User
) -> None:
    sign_in(client)
    stranger = Client()
    with time_machine.travel(datetime.now(UTC), tick=False):
        statuses = [sign_in(stranger, password="wrong").status_code for _ in range(6)]
        assert statuses == [422] * 4 + [429] * 2
        assert sign_in(client).status_code == 302
        assert sign_in(stranger).status_code == 429


def test_a_browser_that_was_let_in_has_five_attempts_from_an_address_and_ten_in_all(
    client: Client, ana: User
) -> None:
    sign_in(client)
    with time_machine.travel(datetime.now(UTC), tick=False):
        statuses = [
            sign_in(client, name, "wrong", REMOTE_ADDR=f"10.0.0.{number // 5}").status_code
            for number, name in enumerate(["ana", "ANA", "ana", "Ana", "ana"] * 3)
        ]
        assert statuses == ([422] * 4 + [429]) * 2 + [429] * 5
        # Its failures are none of the strangers at its addresses.
        assert sign_in(Client(), REMOTE_ADDR="10.0.0.1").status_code == 302


def test_another_cookie_than_its_own_opens_no_attempts(client: Client, ana: User) -> None:
    sign_in(client)
    thief = Client()
    thief.cookies["device"] = client.cookies["device"].value[:-1]
    other = Client()
    sign_in(other, make_user("bo").username)
    with time_machine.travel(datetime.now(UTC), tick=False):
        for _ in range(5):
            sign_in(thief, password="wrong")
        assert sign_in(thief).status_code == sign_in(other).status_code == 429


def test_the_right_password_forgets_the_failures_before_it(client: Client, ana: User) -> None:
    sign_in(client)
    for browser in (Client(), client):
        for _ in range(2):
            statuses = [sign_in(browser, password="wrong").status_code for _ in range(4)]
            assert statuses == [422] * 4
            assert sign_in(browser).status_code == 302
            browser.cookies.pop("session")


def test_who_knows_the_password_uses_up_nothing(client: Client, ana: User) -> None:
    for _ in range(attempts.ADDRESSES.uses + 1):
        assert sign_in(Client()).status_code == 302


def test_a_forged_forwarding_header_changes_nothing(client: Client, ana: User) -> None:
    for number in range(5):
        sign_in(client, password="wrong", HTTP_X_FORWARDED_FOR=f"10.0.0.{number}")
    assert sign_in(client, HTTP_X_FORWARDED_FOR="10.0.0.99").status_code == 429


@pytest.mark.parametrize("target", ["/l/club/", "/account/?x=1"])
def test_the_way_leads_back_to_where_one_was(client: Client, ana: User, target: str) -> None:
    page = client.get(SIGN_IN, {"next": target})
    assert f'value="{target}"' in page.content.decode()
    assert sign_in(client, next=target)["Location"] == target


@pytest.mark.parametrize(
    "target",
    [
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https:evil.example",
        "https://evil.example/",
        "%2f%2fevil.example".replace("%2f", "/"),
        "javascript:alert(1)",
        "\tjavascript:alert(1)",
        "/\t/evil.example",
        "http://testserver@evil.example/",
        "/" + "a" * 20_000,
    ],
)
def test_no_way_leads_off_this_site(client: Client, ana: User, target: str) -> None:
    assert sign_in(client, next=target)["Location"] == "/"
    signed_out = client.post("/account/sign-out/", {"next": target})
    assert signed_out["Location"] == "/"


def test_an_encoded_address_stays_a_path_of_this_site(client: Client, ana: User) -> None:
    assert not sign_in(client, next="%2f%2fevil")["Location"].startswith(("//", "http"))


def test_signing_out_takes_a_post(client: Client, ana: User) -> None:
    sign_in(client)
    assert client.get("/account/sign-out/")["Location"] == "/account/"
    assert client.get(reverse("accounts:home")).status_code == 200
    assert client.post("/account/sign-out/").status_code == 302
    assert client.get(reverse("accounts:home")).status_code == 403
    assert client.get("/account/sign-out/")["Location"] == "/"


def test_a_nul_in_a_name_is_refused_in_words(client: Client) -> None:
    assert sign_in(client, "an\x00a").status_code == 422


@pytest.mark.parametrize("value", ['"\\000abcdefghijk"', "abcdefgh\x00ijk"])
@pytest.mark.parametrize("name", ["session", "device", "csrf", "messages"])
def test_a_cookie_with_a_nul_is_no_cookie(client: Client, name: str, value: str) -> None:
    for address in ("/", SIGN_IN, "/account/", "/healthz/ready", "/api/v1/leagues/"):
        plain = Client().get(address)
        answer = client.get(address, HTTP_COOKIE=f"{name}={value}")
        assert answer.status_code == plain.status_code < 500


@pytest.mark.parametrize("name", ["session", "device", "csrf", "messages"])
def test_a_cookie_with_a_nul_keeps_nobody_from_signing_in(
    client: Client, ana: User, name: str
) -> None:
    fields = {"username": "ana", "password": PASSWORD}
    answer = client.post(SIGN_IN, fields, HTTP_COOKIE=f'{name}="\\000abcdefghijk"')
    assert answer.status_code == 302


def test_the_admin_has_no_sign_in_of_its_own(client: Client, ana: User) -> None:
    response = client.get("/admin/leagues/league/", follow=True)
    assert response.redirect_chain[-1][0] == f"{SIGN_IN}?next=/admin/leagues/league/"
    sign_in(client)
    assert client.get("/admin/", follow=True).status_code == 403


def test_whoever_has_no_account_is_told_how_to_get_one(client: Client) -> None:
    told = "Create the first one with the link that the terminal printed"
    first = client.get(SIGN_IN).content.decode()
    assert told in first and told in client.get("/").content.decode()
    assert "invitation" not in first
    make_user("ana")
    assert told not in client.get("/").content.decode()
    later = client.get(SIGN_IN).content.decode()
    assert "No account yet? An organizer of your league can send you an invitation." in later
    assert "terminal" not in later


def test_a_page_of_no_league_asks_for_an_account_and_not_for_a_role(client: Client) -> None:
    refused = client.get("/new/")
    body = refused.content.decode()
    assert refused.status_code == 403
    assert "You need an account for that." in body and "role in this league" not in body
    assert f'href="{SIGN_IN}?next=/new/"' in body
