"""Rows that are inserted or rewritten: few and many, which PostgreSQL takes in different ways."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import transaction

from leagues.models import PlayerGroup, RatingSegment, Standing
from leagues.services.rosters import Roster
from leagues.store.standing_rows import KEY, StandingRow, read_standings
from leagues.store.upserts import MIN_COPIED, upsert_rows
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db

MANY = 3 * MIN_COPIED


def test_rows_whose_key_is_there_are_rewritten_and_others_inserted():
    board = new_club().boards.first()
    columns = ("league_id", "board_id", "generation", "player_id", "number", "count", "data")
    key = ("board_id", "generation", "player_id", "number")

    def row(number: int, data: bytes) -> tuple[object, ...]:
        return (board.league_id, board.pk, 1, 7, number, 1, data)

    upsert_rows(RatingSegment, (*columns, "expected"), [], key=key)
    upsert_rows(
        RatingSegment,
        (*columns, "expected"),
        [(*row(number, b"\x00\\x'"), b"") for number in range(MANY)],
        key=key,
    )
    first = RatingSegment.objects.get(number=0)
    upsert_rows(
        RatingSegment,
        (*columns, "expected"),
        [(*row(number, b"\xff"), b"\x01") for number in (0, MANY)],
        key=key,
    )
    rows = {each.number: each for each in RatingSegment.objects.all()}
    assert len(rows) == MANY + 1
    assert (rows[0].pk, bytes(rows[0].data), bytes(rows[0].expected)) == (
        first.pk,
        b"\xff",
        b"\x01",
    )
    assert bytes(rows[1].data) == b"\x00\\x'"


@pytest.mark.parametrize("count", [1, MANY])
def test_instants_floats_and_nothing_go_in_as_they_are(count: int) -> None:
    board = new_club().boards.first()
    at = datetime(2025, 10, 1, 19, 0, 0, 1, tzinfo=UTC)
    rows = [
        StandingRow(
            *(board.league_id, board.pk, 1, player, b"\x00" * (player % 3), 0.1, -3, None),
            *(1e-300, 1, 1, 0, 0, "W" * (player % 3), 1, at, None, at if player % 2 else None),
        )
        for player in range(7, 7 + count)
    ]
    for _time in range(2):
        with transaction.atomic():
            upsert_rows(Standing, StandingRow._fields, rows, key=KEY)
            upsert_rows(Standing, StandingRow._fields, rows[:1], key=KEY)
    board.generation = 1
    assert read_standings(board) == {row.player_id: row for row in rows}
    assert read_standings(board, [7]) == {7: rows[0]}


def test_names_of_many_players_are_rewritten_as_they_are() -> None:
    league = new_club()
    roster = Roster.of_names(league)
    for number in range(MANY):
        roster.bring(name=f"P {number}", key=f"p{number}")
    roster.store()
    columns = ("league_id", "player_id", "kind", "name", "folded")
    for name in ("Šibenik", "漢字"):
        rows = [
            (league.pk, player.pk, PlayerGroup.Kind.CLUB, name * (1 + number % 3), str(number))
            for number, player in enumerate(roster.fresh)
        ]
        upsert_rows(PlayerGroup, columns, rows, key=("player_id", "kind"))
        assert set(PlayerGroup.objects.values_list(*columns)) == set(rows)
