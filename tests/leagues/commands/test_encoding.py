"""A PostgreSQL database in another encoding than UTF-8 is refused before anything is in it."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

from tests.leagues.conftest import Manage
from tests.migrated import server_url

pytestmark = pytest.mark.skipif(settings.IS_SQLITE, reason="SQLite stores UTF-8 and nothing else")


@pytest.fixture
def ascii_database() -> Iterator[str]:
    """The address of a database in SQL_ASCII."""
    name = f"rungs_ascii_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(
            f"CREATE DATABASE \"{name}\" ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' "
            "TEMPLATE template0"
        )
    yield f"{server_url().rsplit('/', 1)[0]}/{name}"
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.mark.parametrize(
    "words", [("migrate",), ("restore", "a.backup"), ("serve", "--port", "0"), ("verify",)]
)
def test_a_database_that_cannot_hold_every_name_is_refused_in_words(
    words: tuple[str, ...], ascii_database: str, tmp_path: Path
) -> None:
    manage = Manage(os.environ | {"DATABASE_URL": ascii_database, "RUNGS_DATA": str(tmp_path)})
    done = manage(*words, check=False)
    assert done.returncode == 1
    assert "uses the encoding SQL_ASCII" in done.stderr
    assert "Traceback" not in done.stderr
    with psycopg.connect(ascii_database) as connection:
        (tables,) = connection.execute(
            "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
        ).fetchone()
    assert tables == 0
