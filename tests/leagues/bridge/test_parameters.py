"""People are shown the parameters that act on what a league stores."""

from __future__ import annotations

import pytest

from leagues import bridge
from leagues.services.leagues import add_board
from tests.leagues.play import mode_of, new_club, season_of

pytestmark = pytest.mark.django_db

NAMES = [system.name for system in bridge.systems()]


def names_of(board) -> set[str]:
    return {row.name for row in bridge.offered_parameters(board.system, board.parameters)}


@pytest.mark.parametrize("name", NAMES)
def test_what_nothing_acts_on_is_neither_offered_nor_explained(client, name):
    league = new_club()
    board = add_board(season=season_of(league), mode=mode_of(league), system=name, name="Tried")
    inert = {row.name: row for row in bridge.describe_system(name)}.keys() & bridge.INERT
    assert not names_of(board) & inert
    rules = client.get(f"/l/club/rules/?board={board.slug}").content.decode()
    for row in bridge.describe_system(name):
        if row.name in inert:
            assert row.meaning not in rules


def test_a_seldom_needed_parameter_is_shown_where_a_board_was_given_it():
    league = new_club()
    season, mode = season_of(league), mode_of(league)
    usual = add_board(season=season, mode=mode, system="zerosum", name="Usual")
    drawn = add_board(
        season=season, mode=mode, system="zerosum", name="Drawn", parameters={"seed": 3}
    )
    assert "seed" in names_of(drawn) - names_of(usual)
