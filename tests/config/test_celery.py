"""F-08: a broker that does not answer is given up at once; the sweep finds its jobs later."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing

import pytest
from kombu.exceptions import OperationalError

from config.celery import app
from leagues.tasks import work


@pytest.fixture
def silent_port() -> Iterator[int]:
    """Accept connections and never say a word."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        yield server.getsockname()[1]


@pytest.fixture
def closed_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port: int = server.getsockname()[1]
    return port


@pytest.mark.parametrize("broker", ["silent_port", "closed_port"])
def test_f08_publishing_fails_and_does_not_wait(
    broker: str, request: pytest.FixtureRequest
) -> None:
    port = request.getfixturevalue(broker)
    with (
        app.connection_for_write(f"redis://127.0.0.1:{port}/0") as connection,
        pytest.raises(OperationalError),
    ):
        work.apply_async(connection=connection)


def test_messages_say_that_there_is_work_and_may_be_lost() -> None:
    assert app.conf.task_acks_late
    assert app.conf.task_ignore_result
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_time_limit < app.conf.broker_transport_options["visibility_timeout"]
