"""Roles: given and taken by name, written down, and never all organizers gone."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from leagues.models import AuditEntry, Membership
from leagues.services.errors import Refused
from leagues.services.members import find_user, remove_member, set_role
from tests.leagues.people import join, make_league, make_user

pytestmark = pytest.mark.django_db


def test_an_account_is_found_by_its_name_and_not_by_an_address_that_nobody_proved() -> None:
    ana = make_user("ana")
    assert find_user(" ana ") == ana
    for nobody in ("", "  ", "an", "ana@example.org", "bo@example.org", "an\x00a"):
        assert find_user(nobody) is None


def test_a_switched_off_account_is_not_found() -> None:
    make_user("ana", is_active=False)
    assert find_user("ana") is None


def test_a_role_is_given_changed_and_taken_with_a_trace() -> None:
    league, boss, user = make_league(), make_user("boss"), make_user("ana")
    join(league, boss, "organizer")
    set_role(league=league, user=user, role="scorer", actor=boss)
    set_role(league=league, user=user, role="scorer", actor=boss)
    member = set_role(league=league, user=user, role="organizer", actor=boss)
    remove_member(member=member, actor=boss)
    entries = AuditEntry.objects.order_by("pk").values_list("action", "subject", "before", "after")
    assert list(entries) == [
        ("member.role", "ana", None, {"role": "scorer"}),
        ("member.role", "ana", {"role": "scorer"}, {"role": "organizer"}),
        ("member.remove", "ana", {"role": "organizer"}, None),
    ]
    assert set(AuditEntry.objects.values_list("actor", flat=True)) == {boss.pk}


def test_the_last_organizer_stays() -> None:
    league, boss = make_league(), make_user("boss")
    member = join(league, boss, "organizer")
    with pytest.raises(Refused):
        remove_member(member=member, actor=boss)
    with pytest.raises(Refused):
        set_role(league=league, user=boss, role="scorer", actor=boss)
    assert Membership.objects.get().role == "organizer"
    assert not AuditEntry.objects.exists()


def test_an_organizer_who_cannot_sign_in_does_not_count() -> None:
    league, boss = make_league(), make_user("boss")
    member = join(league, boss, "organizer")
    join(league, make_user("gone", is_active=False), "organizer")
    with pytest.raises(Refused):
        remove_member(member=member, actor=boss)


def test_one_of_two_organizers_may_go() -> None:
    league, boss = make_league(), make_user("boss")
    member = join(league, boss, "organizer")
    join(league, make_user("other"), "organizer")
    remove_member(member=member, actor=boss)
    assert Membership.objects.get().user.username == "other"


def test_an_unknown_role_is_refused() -> None:
    with pytest.raises(ValidationError):
        set_role(league=make_league(), user=make_user("ana"), role="owner", actor=None)
