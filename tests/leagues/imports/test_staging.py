"""The rows of an import on their way into the database."""

from __future__ import annotations

import gc

import psycopg
import pytest
from django.db import connection

from tests.leagues.play import new_club
from tests.leagues.services.test_imports import EVENING, take


def _open_connections() -> int:
    # By their types: what a weak reference stands for may be gone.
    found = [one for one in gc.get_objects() if issubclass(type(one), psycopg.Connection)]
    return sum(not one.closed for one in found)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite writes in the job's own thread")
@pytest.mark.django_db(transaction=True)
def test_an_import_leaves_no_connection_open():
    club = new_club()
    before = _open_connections()
    gc.disable()
    try:
        take(club, EVENING)
        assert _open_connections() == before
    finally:
        gc.enable()
