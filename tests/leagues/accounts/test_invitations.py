"""Invitations to a league: made by its organizers, accepted once, with or without an account."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from config.logs import PlainFormatter
from leagues.accounts.confirmation import FRESH_SECONDS
from leagues.models import AuditEntry, Invitation, League
from leagues.services.invitations import create_invitation
from tests.leagues.people import join, make_league, make_user
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

MEMBERS = "/l/club/settings/members/"
PASSWORD = "four-quiet-otters-sleep"
NEW_ACCOUNT = {
    "username": "helen",
    "email": "helen@example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


@pytest.fixture(scope="module")
def built_league(shared_rows: None) -> League:
    league = make_league(visibility="private")
    join(league, make_user("boss"), "organizer")
    return league


league = read_anew("built_league")


@pytest.fixture
def boss(league: League) -> Client:
    return signed_in("boss")


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    session = client.session
    session["password_given_at"] = timezone.now().timestamp()
    session.save()
    return client


def invite(boss: Client, role: str = "organizer") -> str:
    body = boss.post(f"{MEMBERS}invitations/", {"role": role}).content.decode()
    found = re.search(r'id="invitation">http://testserver(/account/invitation/[\w-]+/)<', body)
    assert found
    return found[1]


def test_an_unknown_name_leads_to_the_invitation(boss: Client) -> None:
    page = boss.post(MEMBERS, {"who": "helen", "role": "organizer"})
    assert page.status_code == 422
    assert "Invite the person with a link" in page.content.decode()
    assert "Create an invitation link" in page.content.decode()


LOCAL = "The link opens on this computer only."


@pytest.mark.parametrize(
    ("host", "is_local"),
    [("127.0.0.1", True), ("localhost", True), ("[::1]", True), ("192.168.1.20", False)],
)
def test_a_link_that_only_this_computer_opens_is_said_to(
    boss: Client, settings: Any, host: str, is_local: bool
) -> None:
    settings.ALLOWED_HOSTS = [host]
    address = f"{MEMBERS}invitations/"
    body = boss.post(address, {"role": "player"}, headers={"host": f"{host}:8000"}).content.decode()
    assert f'id="invitation">http://{host}:8000/account/invitation/' in body
    assert (LOCAL in body) == is_local


def test_a_link_leads_to_the_public_address_where_one_is_set(boss: Client, settings: Any) -> None:
    settings.HAS_PUBLIC_URL, settings.PUBLIC_URL = True, "http://192.168.1.20:8000"
    body = boss.post(f"{MEMBERS}invitations/", {"role": "player"}).content.decode()
    assert 'id="invitation">http://192.168.1.20:8000/account/invitation/' in body
    assert LOCAL not in body


def test_the_invited_make_an_account_that_has_the_role(boss: Client, league: League) -> None:
    link = invite(boss)
    stored = Invitation.objects.get()
    assert link.split("/")[-2] not in (stored.secret_hash, str(stored))
    visitor = Client()
    page = visitor.get(link).content.decode()
    assert "boss" in page and "as an organizer" in page and "Club" in page
    answer = visitor.post(link, NEW_ACCOUNT)
    assert answer["Location"] == "/l/club/"
    assert "You are now an organizer" in visitor.get("/l/club/").content.decode()
    assert visitor.get(MEMBERS).status_code == 200
    assert not User.objects.get(username="helen").is_staff


def test_it_works_once_and_not_after_its_days(boss: Client) -> None:
    link = invite(boss)
    Client().post(link, NEW_ACCOUNT)
    assert Client().get(link).status_code == 410
    assert Client().post(link, NEW_ACCOUNT | {"username": "second"}).status_code == 410
    late = invite(boss)
    Invitation.objects.filter(used_at=None).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Client().post(late, NEW_ACCOUNT | {"username": "late"}).status_code == 410
    assert set(User.objects.values_list("username", flat=True)) == {"boss", "helen"}


def test_an_account_joins_with_one_button_and_a_role_is_never_replaced(
    boss: Client, league: League
) -> None:
    make_user("dee")
    link = invite(boss, "scorer")
    refused = boss.post(link)
    assert refused.status_code == 422
    assert "You already have a role" in refused.content.decode()
    dee = signed_in("dee")
    assert "Join as dee" in dee.get(link).content.decode()
    dee.post(link)
    roles = dict(league.memberships.values_list("user__username", "role"))
    assert roles == {"boss": "organizer", "dee": "scorer"}


def test_a_withdrawn_invitation_and_one_of_a_former_organizer_are_void(
    boss: Client, league: League
) -> None:
    link = invite(boss)
    assert "Withdraw" in boss.get(MEMBERS).content.decode()
    boss.post(f"{MEMBERS}invitations/{Invitation.objects.get().pk}/withdraw/")
    assert Client().get(link).status_code == 410
    later = create_invitation(league=league, role="scorer", actor=User.objects.get(username="boss"))
    league.memberships.all().delete()
    assert Client().get(later).status_code == 410


def test_invitations_of_another_league_cannot_be_withdrawn(boss: Client) -> None:
    other = make_league("other")
    join(other, make_user("eve"), "organizer")
    create_invitation(league=other, role="scorer", actor=User.objects.get(username="eve"))
    boss.post(f"{MEMBERS}invitations/{Invitation.objects.get().pk}/withdraw/")
    assert Invitation.objects.exists()


def test_all_of_it_is_in_the_log_without_the_secret(boss: Client) -> None:
    link = invite(boss)
    Client().post(link, NEW_ACCOUNT)
    invite(boss, "player")
    boss.post(f"{MEMBERS}invitations/{Invitation.objects.get(used_at=None).pk}/withdraw/")
    actions = list(AuditEntry.objects.order_by("pk").values_list("action", "actor__username"))
    assert actions == [
        ("member.invite", "boss"),
        ("member.join", "helen"),
        ("member.invite", "boss"),
        ("member.withdraw", "boss"),
    ]
    assert link.split("/")[-2] not in str(list(AuditEntry.objects.values()))
    assert "invitation accepted" in boss.get("/l/club/changes/").content.decode()


def test_the_password_is_asked_again_after_an_hour(boss: Client) -> None:
    session = boss.session
    session["password_given_at"] = timezone.now().timestamp() - FRESH_SECONDS - 1
    session.save()
    answer = boss.post(f"{MEMBERS}invitations/", {"role": "organizer"})
    assert answer.status_code == 422
    assert not Invitation.objects.exists()
    body = boss.get(MEMBERS).content.decode()
    ids = re.findall(r'id="(\w+)"', body)
    assert len(ids) == len(set(ids))


def test_a_name_that_is_taken_is_refused_in_words(boss: Client) -> None:
    make_user("helen")
    answer = Client().post(invite(boss), NEW_ACCOUNT)
    assert answer.status_code == 422
    assert "already exists" in answer.content.decode()


@pytest.mark.parametrize("name", ["HELEN", "boss@example.org"])
def test_nobody_takes_a_name_like_another_or_somebody_elses_address(
    boss: Client, name: str
) -> None:
    make_user("helen")
    answer = Client().post(invite(boss), {**NEW_ACCOUNT, "username": name})
    assert answer.status_code == 422
    assert not User.objects.filter(username=name).exists()


def test_withdrawing_an_invitation_that_was_used_says_so(boss: Client) -> None:
    link, number = invite(boss), Invitation.objects.get().pk
    Client().post(link, NEW_ACCOUNT)
    answer = boss.post(f"{MEMBERS}invitations/{number}/withdraw/", follow=True)
    assert "had already been used" in answer.content.decode()
    assert not AuditEntry.objects.filter(action="member.withdraw").exists()


def test_s28_no_log_has_a_link_that_still_works(
    boss: Client, caplog: pytest.LogCaptureFixture
) -> None:
    link = invite(boss)
    assert Client().get(f"{link}nowhere/").status_code == 404
    lines = [PlainFormatter().format(record) for record in caplog.records]
    assert any("/account/invitation/" in line for line in lines)
    assert link.split("/")[-2] not in "".join(lines)
