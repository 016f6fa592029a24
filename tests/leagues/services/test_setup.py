"""The first account (reliability S-21): one link, 15 minutes, once, and only the first."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.utils import timezone

from leagues.models import AuditEntry, SetupLink
from leagues.services.errors import Refused
from leagues.services.setup import complete_setup, is_setup_link, issue_setup_link, needs_setup
from tests.leagues.people import PASSWORD, make_league, make_user

pytestmark = pytest.mark.django_db
ACCOUNT = {"username": "ana", "email": "ana@example.org", "password": PASSWORD}


def secret_of(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def test_the_link_makes_a_site_admin_who_organizes_the_demo() -> None:
    demo, other = make_league("demo", is_demo=True), make_league("other")
    secret = secret_of(issue_setup_link())
    assert is_setup_link(secret) and needs_setup()
    user = complete_setup(secret=secret, **ACCOUNT)
    assert user.is_superuser and user.is_staff and user.check_password(PASSWORD)
    assert demo.memberships.get().role == "organizer"
    assert not other.memberships.exists()
    assert AuditEntry.objects.get().action == "account.setup"
    assert not needs_setup()


def test_the_secret_itself_is_not_stored() -> None:
    secret = secret_of(issue_setup_link())
    assert secret not in repr(SetupLink.objects.values())


def test_a_link_works_once() -> None:
    secret = secret_of(issue_setup_link())
    complete_setup(secret=secret, **ACCOUNT)
    User.objects.all().delete()
    assert not is_setup_link(secret)
    with pytest.raises(Refused):
        complete_setup(secret=secret, **(ACCOUNT | {"username": "bo"}))
    assert not User.objects.exists()


def test_a_link_is_over_after_fifteen_minutes() -> None:
    now = timezone.now()
    with time_machine.travel(now, tick=False):
        secret = secret_of(issue_setup_link())
    with time_machine.travel(now + timedelta(minutes=14, seconds=59), tick=False):
        assert is_setup_link(secret)
    with time_machine.travel(now + timedelta(minutes=15), tick=False):
        assert not is_setup_link(secret)
        with pytest.raises(Refused):
            complete_setup(secret=secret, **ACCOUNT)


def test_a_new_link_ends_the_one_before() -> None:
    first, second = secret_of(issue_setup_link()), secret_of(issue_setup_link())
    assert not is_setup_link(first)
    assert is_setup_link(second)


def test_once_there_is_an_account_no_link_is_given_and_none_works() -> None:
    secret = secret_of(issue_setup_link())
    make_user("bo")
    assert not is_setup_link(secret)
    with pytest.raises(Refused):
        complete_setup(secret=secret, **ACCOUNT)
    with pytest.raises(Refused):
        issue_setup_link()
    assert User.objects.count() == 1


def test_an_invented_link_is_no_link() -> None:
    issue_setup_link()
    for secret in ("", "x", "x" * 5000, "\x00", "\ud800"):
        assert not is_setup_link(secret)
