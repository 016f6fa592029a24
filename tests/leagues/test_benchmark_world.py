"""The league that pages are measured on is written past the models, column by column."""

from __future__ import annotations

import pytest

from benchmarks import generated, world
from leagues.jobs.runner import drain
from leagues.models import Board, League, Standing
from leagues.services.integrity import check_board

pytestmark = pytest.mark.django_db


def test_its_rows_fit_the_tables_and_are_rated(monkeypatch):
    for module in (generated, world):
        monkeypatch.setattr(module, "PLAYERS", 2_000)
    monkeypatch.setattr(world, "MATCHES", 2_500)
    world.make_world()
    drain()
    board = Board.objects.filter(league=League.objects.get()).first()
    assert board.rated_matches == 2_500
    assert Standing.objects.current(board).count() == 2_000
    assert not check_board(board).differences
