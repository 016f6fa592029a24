"""What databases are told of large tables, and large values as they come back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection

from leagues.models import PackedStandings, Player, RatingSegment, Standing
from leagues.store.bulk import (
    insert_rows,
    read_large,
    refresh_statistics,
    reserve_keys,
    upsert_rows,
)
from leagues.store.standing_rows import KEY, StandingRow, read_standings
from tests.leagues.play import new_club

MANY = 1500


@pytest.mark.django_db(transaction=True)
def test_the_database_knows_how_many_rows_share_a_value():
    league = new_club()
    now = datetime.now(UTC)
    insert_rows(
        Player,
        ("id", "league_id", "key", "name", "folded", "is_listed", "created_at", "identity"),
        (
            (key, league.pk, f"p{key}", f"P {key}", f"p {key}", True, now, "")
            for key in reserve_keys(Player, MANY)
        ),
    )
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            refresh_statistics()
            cursor.execute(
                "SELECT stat FROM sqlite_stat1 WHERE idx LIKE 'leagues_player_league_id%'"
            )
            assert cursor.fetchall() == [(f"{MANY} {MANY}",)]
        elif connection.pg_version < 150000:
            pytest.skip("This PostgreSQL counts changed rows when it likes.")
        else:
            cursor.execute("SELECT pg_stat_force_next_flush()")
            refresh_statistics()
            cursor.execute(
                "SELECT n_distinct FROM pg_stats "
                "WHERE tablename = 'leagues_player' AND attname = 'league_id'"
            )
            assert cursor.fetchall() == [(1,)]


@pytest.mark.django_db
def test_large_values_come_back_as_they_were(django_assert_num_queries):
    board = new_club().boards.first()
    data = bytes(range(256)) * 100
    packed = PackedStandings.objects.create(league_id=board.league_id, board=board, data=data)
    with django_assert_num_queries(1):
        ((pk, found),) = read_large(PackedStandings.objects.values_list("pk", "data"))
    assert (pk, bytes(found)) == (packed.pk, data)


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_instants_floats_and_nothing_go_in_as_they_are():
    board = new_club().boards.first()
    at = datetime(2025, 10, 1, 19, 0, 0, 1, tzinfo=UTC)
    row = StandingRow(
        *(board.league_id, board.pk, 1, 7, b"\x00", 0.1, -3, None, 1e-300),
        *(1, 1, 0, 0, "W", 1, at, None, at),
    )
    for _time in range(2):
        upsert_rows(Standing, StandingRow._fields, [row], key=KEY)
    board.generation = 1
    assert read_standings(board) == read_standings(board, [7]) == {7: row}
