"""Queries whose plans PostgreSQL keeps answer whatever becomes of the plans."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.utils import DataError, OperationalError
from django.test import Client

from leagues.models import Player
from leagues.services.players import ensure_player
from leagues.store.planned import read_planned, restartable_snapshot
from leagues.store.prepared import prepare_with_plan
from leagues.store.snapshot import in_snapshot, snapshot
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db(transaction=True)
needs_postgres = pytest.mark.skipif(
    connection.vendor == "sqlite", reason="SQLite's driver keeps statements by itself"
)


@prepare_with_plan
def keys_of_players(*, league: int, keys: list[str]) -> QuerySet[Player, tuple[Any, ...]]:
    return Player.objects.filter(league=league, key__in=keys).order_by("key").values_list("key")


@pytest.fixture
def league() -> Any:
    club = new_club()
    for name in ("Ana", "Bo", "Cy"):
        ensure_player(league=club, name=name)
    # A connection of its own, with nothing prepared.
    connection.close()
    connection.ensure_connection()
    yield club
    connection.close()


def on_the_server(sql: str) -> None:
    """Run a statement of which the driver does not know."""
    connection.connection.pgconn.exec_(sql.encode())


def count_prepared() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements")
        return int(cursor.fetchone()[0])


def test_rows_are_those_of_the_query_however_often_it_is_asked(league: Any) -> None:
    for _time in range(7):
        assert keys_of_players(league=league.pk, keys=["bo", "ana"]) == [("ana",), ("bo",)]
    with transaction.atomic():
        assert keys_of_players(league=league.pk, keys=["cy"]) == [("cy",)]


@needs_postgres
def test_a_plan_is_kept_outside_transactions_and_for_what_pages_ask_alone(league: Any) -> None:
    with transaction.atomic():
        keys_of_players(league=league.pk, keys=["ana", "bo"])
    for _time in range(7):
        list(Player.objects.filter(league=league.pk))
    assert count_prepared() == 0
    for _time in range(2):
        keys_of_players(league=league.pk, keys=["ana", "bo"])
    assert count_prepared() == 1


@needs_postgres
def test_what_somebody_else_dropped_is_asked_without_a_plan(league: Any) -> None:
    keys_of_players(league=league.pk, keys=["ana"])
    on_the_server("DEALLOCATE ALL")
    for _time in range(2):
        assert keys_of_players(league=league.pk, keys=["ana"]) == [("ana",)]
    assert count_prepared() == 0


@needs_postgres
def test_what_somebody_else_prepared_under_the_same_name_is_not_run(league: Any) -> None:
    on_the_server("PREPARE _pg3_0 AS SELECT 'not this'")
    assert keys_of_players(league=league.pk, keys=["ana"]) == [("ana",)]


@needs_postgres
def test_no_plan_is_kept_where_the_configuration_says_so(league: Any, settings: Any) -> None:
    settings.PREPARED_STATEMENTS = False
    for _time in range(2):
        assert keys_of_players(league=league.pk, keys=["ana"]) == [("ana",)]
    assert count_prepared() == 0


@needs_postgres
def test_plans_of_a_page_are_kept_after_it(league: Any) -> None:
    ask = restartable_snapshot(partial(keys_of_players, league=league.pk, keys=["ana"]))
    for _time in range(2):
        assert ask() == [("ana",)]
        assert count_prepared() == 1


@needs_postgres
def test_a_page_whose_plan_no_longer_holds_begins_again(league: Any) -> None:
    begun = []

    @restartable_snapshot
    def page() -> list[Any]:
        begun.append(in_snapshot())
        list(Player.objects.filter(league=league.pk))
        return keys_of_players(league=league.pk, keys=["ana"])

    page()
    on_the_server("DEALLOCATE ALL")
    assert page() == [("ana",)]
    assert begun == [True, True, True]
    assert page() == [("ana",)]
    assert count_prepared() == 0


@needs_postgres
def test_plans_are_kept_after_a_page_that_the_database_refused(league: Any) -> None:
    keys_of_players(league=league.pk, keys=["ana"])

    @restartable_snapshot
    def page() -> None:
        keys_of_players(league=league.pk, keys=["ana"])
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")

    with pytest.raises(DataError):
        page()
    assert count_prepared() == 1
    assert keys_of_players(league=league.pk, keys=["ana"]) == [("ana",)]


@needs_postgres
def test_a_snapshot_that_cannot_begin_again_uses_no_plans(league: Any) -> None:
    keys_of_players(league=league.pk, keys=["ana"])
    on_the_server("DEALLOCATE ALL")
    ask = restartable_snapshot(partial(keys_of_players, league=league.pk, keys=["ana"]))
    with snapshot():
        assert ask() == [("ana",)]
    with transaction.atomic():
        assert ask() == [("ana",)]


@needs_postgres
def test_a_visitor_sees_a_page_though_a_migration_changed_a_column(league: Any) -> None:
    client = Client()
    address = f"/l/{league.slug}/p/ana/"
    page = client.get(address).content
    assert count_prepared() > 0
    on_the_server("ALTER TABLE leagues_league ALTER name TYPE text")
    try:
        assert client.get(address).status_code == 200
        assert len(client.get(address).content) == len(page)
    finally:
        on_the_server("ALTER TABLE leagues_league ALTER name TYPE varchar(64)")


@needs_postgres
def test_the_driver_keeps_nothing_of_other_statements(league: Any) -> None:
    """Their text holds what is stored: files of megabytes, and passwords."""
    for usual in (None, 5):
        connection.connection.prepare_threshold = usual
        keys_of_players(league=league.pk, keys=["ana"])
        assert connection.connection.prepare_threshold == usual


@needs_postgres
def test_a_column_may_get_another_type(league: Any) -> None:
    on_the_server("CREATE TEMP TABLE planned AS SELECT 7 AS number")
    ask = "SELECT number FROM planned WHERE number IS NOT NULL"
    try:
        assert read_planned(connection, ask, []) == [(7,)]
        on_the_server("ALTER TABLE planned ALTER number TYPE text")
        assert read_planned(connection, ask, []) == [("7",)]
    finally:
        connection.close()


@needs_postgres
def test_a_server_that_is_gone_is_django_s_error(league: Any) -> None:
    keys_of_players(league=league.pk, keys=["ana"])
    connection.connection.pgconn.finish()
    with pytest.raises(OperationalError):
        keys_of_players(league=league.pk, keys=["ana"])
