"""API tokens: shown once, found by what was shown, gone when revoked (reliability S-10)."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.utils import timezone

from leagues.models import ApiToken, AuditEntry
from leagues.services.tokens import create_token, find_token, revoke_token, source_of
from tests.leagues.people import make_league, make_user

pytestmark = pytest.mark.django_db


def test_the_plain_token_finds_its_row_and_is_stored_nowhere() -> None:
    league = make_league()
    token, plain = create_token(league=league, name="Bot", scope="results", actor=None)
    assert re.fullmatch(r"rungs_[a-z0-9]{8}_[A-Za-z0-9_-]{43}", plain)
    assert find_token(plain) == token
    secret = plain.removeprefix(f"rungs_{token.public_id}_")
    for row in (*ApiToken.objects.values(), *AuditEntry.objects.values()):
        assert secret not in repr(row)


def test_every_token_is_different() -> None:
    league = make_league()
    plain = {
        create_token(league=league, name="Bot", scope="read", actor=None)[1] for _ in range(20)
    }
    assert len(plain) == 20


def test_nothing_else_is_a_token() -> None:
    league = make_league()
    token, plain = create_token(league=league, name="Bot", scope="read", actor=None)
    other, other_plain = create_token(league=league, name="Two", scope="read", actor=None)
    swapped = plain.replace(token.public_id, other.public_id)
    last = "A" if plain[-1] != "A" else "B"
    for wrong in (
        "",
        "rungs_",
        plain[:-1],
        plain + "x",
        plain[:-1] + last,
        plain.upper(),
        f" {plain}",
        f"{plain}\n",
        swapped,
        plain.replace(token.public_id, "zzzzzzzz"),
        f"rungs_{token.public_id}_{token.secret_hash[:43]}",
        f"rungs_{token.public_id}_" + "é" * 43,
    ):
        assert find_token(wrong) is None
    assert find_token(other_plain) == other


def test_a_revoked_token_is_refused_with_the_next_request() -> None:
    actor = make_user("organizer")
    token, plain = create_token(league=make_league(), name="Bot", scope="read", actor=actor)
    revoke_token(token=token, actor=actor)
    revoke_token(token=token, actor=actor)
    assert find_token(plain) is None
    actions = list(AuditEntry.objects.order_by("pk").values_list("action", "actor"))
    assert actions == [("token.create", actor.pk), ("token.revoke", actor.pk)]


def test_a_token_ends_after_a_year() -> None:
    token, plain = create_token(league=make_league(), name="Bot", scope="read", actor=None)
    with time_machine.travel(token.expires_at - timedelta(seconds=1), tick=False):
        assert find_token(plain) == token
    with time_machine.travel(token.expires_at, tick=False):
        assert find_token(plain) is None


def test_use_is_noted_once_an_hour() -> None:
    token, plain = create_token(league=make_league(), name="Bot", scope="read", actor=None)
    start = timezone.now()
    noted = []
    for minutes in (0, 30, 59, 61):
        with time_machine.travel(start + timedelta(minutes=minutes), tick=False):
            find_token(plain)
        token.refresh_from_db()
        noted.append(round((token.last_used_at - start).total_seconds() / 60))
    assert noted == [0, 0, 0, 61]


def test_a_new_token_of_the_same_name_continues_the_results_of_the_old_one() -> None:
    assert source_of("Game server 1") == source_of("game  server 1") == "token:game-server-1"
    assert source_of("Ära") == "token:ära"
    assert source_of("!!!") != source_of("???")
    assert len(source_of("x" * 300)) == 64
    assert source_of("browser") != "browser"


def test_an_unknown_scope_is_refused() -> None:
    with pytest.raises(ValidationError):
        create_token(league=make_league(), name="Bot", scope="everything", actor=None)
    assert not ApiToken.objects.exists()
