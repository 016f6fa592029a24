"""Boards are added by what they are for; parameters are folded away and read plainly."""

from __future__ import annotations

import pytest
from django.test import Client

from leagues import bridge
from leagues.models import Board, League
from leagues.rulebook.purposes import PURPOSES, Purpose
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club

pytestmark = pytest.mark.django_db
URL = "/l/club/settings/boards/"


@pytest.fixture
def league() -> League:
    return new_club(owner=make_user("boss"))


@pytest.fixture
def boss(league: League) -> Client:
    client = Client()
    client.force_login(league.memberships.get().user, "django.contrib.auth.backends.ModelBackend")
    return client


def fields_of(page: str, client: Client) -> dict[str, str]:
    """What the form of a page would send, untouched."""
    form = client.get(page).context["form"]
    return {
        field.html_name: "on" if field.value() is True else str(field.value() or "")
        for field in form
        if field.value() not in (None, False)
    }


@pytest.mark.parametrize("purpose", PURPOSES, ids=lambda purpose: purpose.slug)
def test_a_board_is_added_by_what_it_is_for(boss: Client, league: League, purpose: Purpose) -> None:
    page = f"{URL}?for={purpose.slug}"
    sent = fields_of(page, boss) | {
        "board-mode": str(mode_of(league).pk),
        "board-name": "Brand new",
    }
    answer = boss.post(page, sent)
    assert answer.status_code == 302, answer.content.decode()
    board = Board.objects.get(name="Brand new")
    wanted = bridge.new_board_parameters(purpose.system) | dict(purpose.parameters)
    assert board.system == purpose.system
    assert {name: board.parameters[name] for name in wanted} == wanted


def test_numbers_are_short_and_mean_the_exact_ones(boss: Client, league: League) -> None:
    text = boss.get(f"{URL}?for=teams").content.decode()
    assert "8.33333" in text and "8.3333333" not in text
    board = Board.objects.filter(league=league, system="glicko2").get()
    board.parameters = board.parameters | {"tau": 1 / 3}
    board.save(update_fields=["parameters"])
    rules = boss.get(f"{URL}autumn/{board.slug}/").content.decode()
    assert "0.333333" in rules and "0.33333333" not in rules


def test_what_is_not_a_purpose_is_not_found(boss: Client) -> None:
    assert boss.get(f"{URL}?for=nothing").status_code == 200
    assert boss.get(f"{URL}?system=nothing").status_code == 404
