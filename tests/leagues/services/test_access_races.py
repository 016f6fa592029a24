"""Two at once: the rules about roles and about the first account hold between processes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import connection

from leagues.models import Membership
from leagues.services.errors import Refused
from leagues.services.members import remove_member
from leagues.services.setup import complete_setup, issue_setup_link
from tests.leagues.people import PASSWORD, join, make_league, make_user

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*calls: Callable[[], object]) -> list[bool]:
    """Run calls in threads of their own that start together; say which were not refused."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> bool:
        try:
            start.wait()
            call()
        except Refused:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_of_two_organizers_who_leave_together_one_stays() -> None:
    league = make_league()
    members = [join(league, make_user(name), "organizer") for name in ("ana", "bo")]
    done = at_once(
        *(lambda member=member: remove_member(member=member, actor=None) for member in members)
    )
    assert sorted(done) == [False, True]
    assert Membership.objects.get().role == "organizer"


def test_a_link_opened_twice_makes_one_account() -> None:
    secret = issue_setup_link().rstrip("/").rpartition("/")[2]
    done = at_once(
        *(
            lambda name=name: complete_setup(
                secret=secret, username=name, email=f"{name}@example.org", password=PASSWORD
            )
            for name in ("ana", "bo")
        )
    )
    assert sorted(done) == [False, True]
    assert User.objects.count() == 1
