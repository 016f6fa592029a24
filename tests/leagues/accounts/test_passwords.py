"""Changing a password, and choosing a new one by e-mail."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser, User
from django.core import mail
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django.fixtures import Settings

from leagues.accounts.views import reset
from leagues.limits.counting import memory
from tests.leagues.people import PASSWORD, make_user

pytestmark = pytest.mark.django_db
NEW = "another-battery-staple"
RESET = "/account/reset/"


@pytest.fixture
def ana() -> User:
    return make_user("ana")


def link_in_mail(number: int = -1) -> str:
    found = re.search(r"^https?://[^/]+(/\S+)$", mail.outbox[number].body, re.MULTILINE)
    assert found, mail.outbox[number].body
    return found[1]


def open_link(client: Client, path: str) -> str:
    """Follow the link to the form; the token is then in the session and not in the address."""
    response = client.get(path)
    if response.status_code == 302:
        path = response["Location"]
        assert "set-password" in path
    return path


class TestChange:
    URL = "/account/password/"

    def change(self, client: Client, old: str = PASSWORD, new: str = NEW):
        return client.post(
            self.URL, {"old_password": old, "new_password1": new, "new_password2": new}
        )

    def test_the_new_password_works_and_other_sessions_end(self, ana: User) -> None:
        here, there = Client(), Client()
        here.force_login(ana, "django.contrib.auth.backends.ModelBackend")
        there.force_login(ana, "django.contrib.auth.backends.ModelBackend")
        assert self.change(here).status_code == 302
        ana.refresh_from_db()
        assert ana.check_password(NEW)
        assert here.get("/account/").status_code == 200
        assert there.get("/account/").status_code == 403

    @pytest.mark.parametrize(
        ("old", "new"),
        [("wrong", NEW), (PASSWORD, "short"), (PASSWORD, "password1234"), (PASSWORD, "")],
    )
    def test_a_refusal_changes_nothing(self, client: Client, ana: User, old: str, new: str) -> None:
        client.force_login(ana, "django.contrib.auth.backends.ModelBackend")
        assert self.change(client, old, new).status_code == 422
        ana.refresh_from_db()
        assert ana.check_password(PASSWORD)

    def test_visitors_are_refused(self, client: Client) -> None:
        assert client.get(self.URL).status_code == 403
        assert self.change(client).status_code == 403


class TestReset:
    def test_the_link_sets_a_password_once(self, client: Client, ana: User) -> None:
        response = client.post(RESET, {"email": "ana@example.org"})
        assert response.status_code == 302
        assert mail.outbox[0].to == ["ana@example.org"]
        link = link_in_mail()
        path = open_link(client, link)
        done = client.post(path, {"new_password1": NEW, "new_password2": NEW})
        assert done.status_code == 302
        ana.refresh_from_db()
        assert ana.check_password(NEW)
        assert "This link has expired" in Client().get(link, follow=True).content.decode()

    def test_the_answer_is_the_same_for_an_unknown_address(self, client: Client, ana: User) -> None:
        make_user("gone", is_active=False)
        answers = []
        for email in ("ana@example.org", "nobody@example.org", "gone@example.org"):
            memory.PLACE.forget()
            response = client.post(RESET, {"email": email})
            answers.append((response.status_code, response["Location"], response.content))
        assert len(set(answers)) == 1
        assert [message.to for message in mail.outbox] == [["ana@example.org"]]

    def test_the_answer_does_not_wait_for_the_letter(self, ana: User, rf: RequestFactory) -> None:
        request = rf.post(RESET, {"email": "ana@example.org"})
        request.user = AnonymousUser()
        response = reset(request)
        assert response.status_code == 302 and mail.outbox == []
        response.close()
        assert len(mail.outbox) == 1

    def test_the_link_leads_to_the_public_address_whatever_host_was_asked(
        self, client: Client, ana: User, settings
    ) -> None:
        settings.PUBLIC_URL = "https://ladder.example.org"
        settings.ALLOWED_HOSTS = ["*"]
        client.post(RESET, {"email": "ana@example.org"}, HTTP_HOST="evil.example")
        assert "https://ladder.example.org/account/reset/" in mail.outbox[0].body
        assert "evil" not in str(mail.outbox[0].message())

    def test_the_link_is_over_after_an_hour(self, ana: User) -> None:
        now = timezone.now()
        with time_machine.travel(now, tick=False):
            Client().post(RESET, {"email": "ana@example.org"})
            link = link_in_mail()
        with time_machine.travel(now + timedelta(minutes=59), tick=False):
            assert "set-password" in open_link(Client(), link)
        with time_machine.travel(now + timedelta(minutes=61), tick=False):
            assert "This link has expired" in Client().get(link).content.decode()

    def test_a_weak_password_is_refused(self, client: Client, ana: User) -> None:
        client.post(RESET, {"email": "ana@example.org"})
        path = open_link(client, link_in_mail())
        response = client.post(path, {"new_password1": "short", "new_password2": "short"})
        assert response.status_code == 422

    def test_three_an_hour_are_enough_for_an_address_known_or_not(self, ana: User) -> None:
        for email in ("ana@example.org", "nobody@example.org"):
            statuses = [
                Client().post(RESET, {"email": email}, REMOTE_ADDR=f"10.0.{i}.1").status_code
                for i in range(4)
            ]
            memory.PLACE.forget()
            assert statuses == [302, 302, 302, 429]
        assert len(mail.outbox) == 3

    def test_three_an_hour_are_enough_for_a_visitor(self, client: Client) -> None:
        statuses = [
            client.post(RESET, {"email": f"a{i}@example.org"}).status_code for i in range(4)
        ]
        assert statuses == [302, 302, 302, 429]

    def test_something_that_is_no_address_is_refused(self, client: Client) -> None:
        assert client.post(RESET, {"email": "ana"}).status_code == 422
        assert client.post(RESET, {}).status_code == 422


@pytest.mark.parametrize(
    ("backend", "said"),
    [
        ("django.core.mail.backends.console.EmailBackend", "This installation has no mail server"),
        ("django.core.mail.backends.smtp.EmailBackend", "We will send you a link"),
    ],
)
def test_the_page_says_where_the_link_will_be(
    client: Client, settings: Settings, backend: str, said: str
) -> None:
    settings.EMAIL_BACKEND = backend
    assert said in client.get(RESET).content.decode()
    is_printed = "has no mail server" in client.get("/account/reset/sent/").content.decode()
    assert is_printed == ("has no mail server" in said)
