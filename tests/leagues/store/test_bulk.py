"""What databases are told of large tables, and large values as they come back."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection

from leagues.models import PackedStandings, Player
from leagues.store.bulk import insert_rows, read_large, refresh_statistics, reserve_keys
from tests.leagues.play import new_club

MANY = 1500


@pytest.mark.django_db(transaction=True)
def test_the_database_knows_how_many_rows_share_a_value():
    league = new_club()
    now = datetime.now(UTC)
    insert_rows(
        Player,
        (
            "id",
            "league_id",
            "key",
            "name",
            "folded",
            "words",
            "is_listed",
            "created_at",
            "identity",
        ),
        (
            (key, league.pk, f"p{key}", f"P {key}", f"p {key}", f"p {key}", True, now, "")
            for key in reserve_keys(Player, MANY)
        ),
    )
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            refresh_statistics()
            cursor.execute("SELECT stat FROM sqlite_stat1 WHERE idx = 'player_by_name'")
            assert cursor.fetchall() == [(f"{MANY} {MANY} 1",)]
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
