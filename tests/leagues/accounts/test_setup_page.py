"""The page behind the one-time link of the first start."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leagues.services.setup import issue_setup_link
from tests.leagues.people import PASSWORD, make_league, make_user

pytestmark = pytest.mark.django_db
ACCOUNT = {
    "username": "ana",
    "email": "ana@example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


def test_the_link_makes_the_account_and_signs_it_in(client: Client) -> None:
    make_league("demo", is_demo=True)
    link = issue_setup_link()
    assert client.get(link).status_code == 200
    assert client.post(link, ACCOUNT).status_code == 302
    assert User.objects.get().is_superuser
    assert client.get("/account/").status_code == 200
    assert client.get("/l/demo/settings/").status_code == 200
    assert Client().get(link).status_code == 410
    assert Client().post(link, ACCOUNT | {"username": "bo"}).status_code == 410
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "change",
    [
        {"username": ""},
        {"email": "ana"},
        {"password1": "short", "password2": "short"},
        {"password1": "password1234", "password2": "password1234"},
        {"password2": PASSWORD + "x"},
        {"username": "an\x00a"},
    ],
)
def test_a_refused_form_leaves_the_link_usable(client: Client, change: dict[str, str]) -> None:
    link = issue_setup_link()
    assert client.post(link, ACCOUNT | change).status_code == 422
    assert not User.objects.exists()
    assert client.post(link, ACCOUNT).status_code == 302


def test_a_username_with_a_space_is_refused_in_the_words_of_its_hint(client: Client) -> None:
    page = client.post(issue_setup_link(), ACCOUNT | {"username": "ana ruiz"}).content.decode()
    assert "A username has letters, digits and . + - _ alone, without spaces." in page
    assert "@/" not in page


def test_looking_at_the_link_uses_nothing_up(client: Client) -> None:
    link = issue_setup_link()
    for _ in range(3):
        assert client.get(link).status_code == 200
        assert client.head(link).status_code == 200


def test_an_invented_link_and_one_too_late_look_alike(client: Client) -> None:
    link = issue_setup_link()
    make_user("bo")
    late = client.get(link)
    invented = client.get("/account/setup/invented/")
    assert late.status_code == invented.status_code == 410
    assert late.content.decode().replace(link, "/account/setup/invented/") == (
        invented.content.decode()
    )
