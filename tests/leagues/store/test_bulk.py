"""What databases are told of large tables, and large values as they come back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from sqlite3 import SQLITE_LIMIT_VARIABLE_NUMBER

import pytest
from django.db import connection
from django.db.utils import OperationalError

from leagues.models import PackedStandings, Player
from leagues.services.players import create_player
from leagues.store.bulk import (
    KeyStock,
    insert_rows,
    read_large,
    refresh_statistics,
    reserve_keys,
)
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


@pytest.mark.django_db(transaction=True)
def test_keys_of_a_stock_are_nobody_elses():
    """Neither those in use nor those ahead, whoever makes players in between on a connection."""
    league, ahead, others = new_club(), KeyStock(Player), []

    def make() -> None:
        others.append(create_player(league=league, name=f"Ana {len(others)}")[0].pk)
        connection.close()

    taken = []
    for count in (3, 2, 4, 1, 0, 5):
        taken += ahead.take(count)
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
    assert len(others) == 6
    assert taken == sorted(taken) and len({*taken, *others}) == 15 + 6


@pytest.mark.django_db
@pytest.mark.parametrize("most", [20, 999, 250_000])
def test_rows_are_inserted_in_their_order_however_many_values_a_statement_may_have(most):
    league, now = new_club(), datetime.now(UTC)
    names = ("league_id", "key", "name", "folded", "words", "is_listed", "created_at", "identity")
    keys = [f"p{number:04}" for number in range(2 * 256 + 3 * 16 + 5)]
    with at_most_values(most):
        insert_rows(Player, names, ((league.pk, key, key, key, key, True, now, "") for key in keys))
    assert list(Player.objects.order_by("pk").values_list("key", flat=True)) == keys


@contextmanager
def at_most_values(count: int) -> Iterator[None]:
    """Let SQLite take at most so many values in a statement."""
    if connection.vendor != "sqlite":
        if count != 999:
            pytest.skip("PostgreSQL has no such limit.")
        yield
        return
    before = connection.connection.setlimit(SQLITE_LIMIT_VARIABLE_NUMBER, count)
    try:
        yield
    finally:
        connection.connection.setlimit(SQLITE_LIMIT_VARIABLE_NUMBER, before)


@pytest.mark.django_db
def test_a_row_of_more_values_than_a_statement_may_have_is_refused():
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL has no such limit.")
    league, now = new_club(), datetime.now(UTC)
    names = ("league_id", "key", "name", "folded", "words", "is_listed", "created_at", "identity")
    row = (league.pk, "p", "p", "p", "p", True, now, "")
    with at_most_values(5), pytest.raises(OperationalError):
        insert_rows(Player, names, [row])
