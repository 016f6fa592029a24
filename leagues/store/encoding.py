"""Databases that cannot hold every name are refused, before anything is written into them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper


def check_encoding(connection: BaseDatabaseWrapper) -> None:
    """Refuse a PostgreSQL database in another encoding than UTF-8.

    One in SQL_ASCII takes any bytes: it neither orders nor compares names, and cuts them in the
    middle of a letter.
    """
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (encoding,) = cursor.fetchone()
    if encoding != "UTF8":
        raise CommandError(
            f"The database uses the encoding {encoding}, which cannot store every name. "
            "Create a database in UTF-8: createdb --encoding=UTF8 --template=template0 NAME"
        )


def before_migrations(*, using: str, **_: Any) -> None:
    """Look at the database before the first table is made."""
    check_encoding(connections[using])
