"""The league that pages are measured on is written past the models, column by column."""

from __future__ import annotations

import pytest

from benchmarks.world import make_world
from leagues.jobs.runner import drain
from leagues.models import Board, League, Standing
from leagues.services.integrity import check_board

pytestmark = pytest.mark.django_db


def test_its_rows_fit_the_tables_and_are_rated():
    make_world(players=2_000, matches=2_500)
    drain()
    board = Board.objects.filter(league=League.objects.get()).first()
    assert board.rated_matches == 2_500
    assert Standing.objects.current(board).count() == 2_000
    assert not check_board(board).differences
