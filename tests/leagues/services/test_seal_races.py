"""Nothing gets between the proof of a season's boards and its seal."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils import timezone

from leagues.jobs.queue import claim_job
from leagues.jobs.runner import drain, run_claim
from leagues.models import Job, League, Season
from leagues.services.leagues import add_board, update_league
from leagues.services.matches import record_matches
from leagues.services.sealing import request_sealing
from leagues.store.match_columns import is_behind
from tests.leagues.play import mode_of, new_club, record, rounds, season_of
from tests.leagues.services.test_ends_of_seasons import Step, take

pytestmark = pytest.mark.django_db(transaction=True)


def other_walkovers(club: League) -> None:
    update_league(league=club, changes={"walkovers": "win"}, actor=None)


def another_board(club: League) -> None:
    add_board(season=season_of(club), mode=mode_of(club), system="trueskill")


@pytest.mark.skipif(
    connection.vendor == "sqlite", reason="SQLite lets one transaction write at a time"
)
@pytest.mark.parametrize("change", [other_walkovers, another_board])
def test_what_is_being_changed_while_a_season_is_sealed_is_sealed_with_it(
    change: Callable[[League], None],
) -> None:
    club = new_club()
    record(club, *rounds(club, ("Ana", "Bo", "Cy"), 2))
    season = take(season_of(club), Step.CLOSE)
    take(season, Step.SEAL, waits=True)

    def seal() -> None:
        try:
            drain()
        finally:
            connection.close()

    sealer = threading.Thread(target=seal)
    with transaction.atomic():
        change(club)
        sealer.start()
        # It proves the boards as they were, and then waits for whoever holds the season.
        sealer.join(1)
        assert Season.objects.get(pk=season.pk).state == "closing"
    sealer.join()
    while Job.objects.filter(state="queued").update(run_after=timezone.now()):
        drain()
    season.refresh_from_db()
    boards = list(season.boards.select_related("season", "league"))
    assert season.state == "closed"
    assert all(board.seal and not is_behind(board) for board in boards)
    with pytest.raises(ValidationError):
        another_board(club)


def test_seal_pressed_twice_while_a_board_lags_seals_once_it_has_caught_up() -> None:
    club = new_club()
    season = take(season_of(club), Step.CLOSE)
    record_matches(
        season=season, mode=mode_of(club), drafts=rounds(club, ("Ana", "Bo"), 2), late=True
    )
    request_sealing(season, None)
    claim = claim_job(key=f"seal:{season.pk}")
    assert claim
    request_sealing(season, None)
    assert not run_claim(claim)
    while Job.objects.filter(state="queued").update(run_after=timezone.now()):
        drain()
    season.refresh_from_db()
    assert season.state == "closed"
    assert not Job.objects.filter(state="failed").exists()
