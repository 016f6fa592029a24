"""Histories read in part say the same of their ends as whole ones."""

from __future__ import annotations

import pytest
from django.utils import timezone

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import Player
from leagues.services.leagues import add_board
from leagues.store import segments
from tests.leagues.play import mode_of, new_club, record, rounds, season_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("system", ["elo", "glicko2", "zerosum", "ladder"])
def test_the_last_part_of_a_history_knows_how_many_matches_were_before_it(monkeypatch, system):
    monkeypatch.setattr(segments, "SIZE", 4)
    club = new_club()
    board = add_board(season=season_of(club), mode=mode_of(club), system=system, name="Other")
    record(club, *rounds(club, ("Ana", "Bo", "Cy"), 20))
    drain()
    board.refresh_from_db()
    for player in Player.objects.order_by("key"):
        whole = bridge.read_series([board], player.pk)[board.pk]
        end = bridge.read_series([], player.pk, ends=[board])[board.pk]
        assert len(end) <= 4 < len(whole)
        assert end.games[-1] == whole.games[-1] == 40
        assert end.now(timezone.now()) == whole.now(timezone.now())
