"""`serve` before its PostgreSQL: the web server answers 503, and all goes well once it is there."""

from __future__ import annotations

import signal
import urllib.error
from pathlib import Path

import psycopg
import pytest
from django.conf import settings

from tests.proxy import Proxy
from tests.test_frame.served import Server, get

pytestmark = pytest.mark.skipif(settings.IS_SQLITE, reason="a file is never late")


@pytest.fixture
def database(tmp_path: Path):
    """Make an empty database; yield a proxy in front of it and its address through the proxy."""
    words = settings.DATABASES["default"]
    host, port = words["HOST"] or "127.0.0.1", int(words["PORT"] or 5432)
    who, name = f"{words['USER']}:{words['PASSWORD']}", f"{tmp_path.name[:40]}_late".lower()
    server = f"postgres://{who}@{host}:{port}/postgres"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}"')
    proxy = Proxy(host, port)
    yield proxy, f"postgres://{who}@127.0.0.1:{proxy.port}/{name}"
    proxy.stop()
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def status(address: str) -> int:
    try:
        return get(address)[0]
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def test_f11_a_postgresql_that_starts_later_is_waited_for(
    tmp_path: Path, database: tuple[Proxy, str]
) -> None:
    proxy, url = database
    proxy.stop()
    server = Server(tmp_path / "data", "--port", "0", database=url)
    try:
        address = server.wait_for(r"until then, (http://\S+) answers with status 503")
        assert status(f"{address}healthz/live") == 200
        assert status(f"{address}healthz/ready") == 503
        assert status(address) == 503
        proxy.start()
        assert server.wait_for(r"running at (http://\S+)") == address
        assert status(f"{address}healthz/ready") == 200
        assert status(address) == 200
        assert "web server ended" not in server.printed
    finally:
        # SIGINT is lost on a server whose caller ignores it, until it supervises its children.
        assert server.stop(signal.SIGTERM) in (0, -signal.SIGTERM)
