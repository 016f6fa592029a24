"""serve: one command that answers, stays alive and leaves nothing behind."""

from __future__ import annotations

import gzip
import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.test_frame.served import PATIENCE_SECONDS, Server, get

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/task").exists(), reason="finds child processes in /proc"
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("serve") / "data"


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    server = Server(data, "--port", "0")
    yield server
    if server.process.poll() is None:
        server.stop(signal.SIGTERM)


@pytest.fixture(scope="module")
def address(server: Server) -> str:
    address = server.wait_for(r"running at (http://\S+)")
    server.wait_for(r"Ctrl-C")
    return address


def test_the_home_page_answers_without_a_redirect_and_names_the_demo_league(address: str) -> None:
    status, url, body, _ = get(address)
    assert (status, url) == (200, address)
    assert b"Rungs" in body
    assert re.search(rb'href="/l/[a-z0-9-]+/"', body)


def test_pages_style_and_script_are_served_compressed(address: str) -> None:
    _, _, body, headers = get(address, **{"Accept-Encoding": "gzip"})
    assert headers["Content-Encoding"] == "gzip"
    page = gzip.decompress(body).decode()
    files = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', page)
    assert {file.rpartition(".")[2] for file in files} == {"css", "js"}
    for file in files:
        for encoding in ("br", "gzip"):
            _, _, _, headers = get(address.rstrip("/") + file, **{"Accept-Encoding": encoding})
            assert headers["Content-Encoding"] == encoding
            assert "immutable" in headers["Cache-Control"]


def test_s21_a_set_up_link_is_printed_while_there_is_no_account(
    server: Server, address: str
) -> None:
    link = re.search(r"Create the first account .*: (http://\S+/account/setup/\S+)", server.printed)
    assert link
    assert get(link.group(1))[0] == 200


def test_a_runner_that_is_killed_is_started_again(server: Server, address: str) -> None:
    killed = server.runner()
    assert killed
    os.kill(killed, signal.SIGKILL)
    server.wait_for(r"job runner stopped \(signal 9\)\. Starting it again")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while server.runner() in (None, killed):
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_second_server_on_the_same_data_is_refused(data: Path, address: str) -> None:
    second = Server(data, "--port", "0")
    assert second.process.stdout is not None
    assert "Another server is already using" in second.process.stdout.read()
    assert second.process.wait(PATIENCE_SECONDS) == 1


def test_a_taken_port_is_named_with_another_to_try(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        server = Server(tmp_path / "data", "--port", str(port))
        assert server.process.stdout is not None
        assert f"Port {port} is already in use" in server.process.stdout.read()
        assert server.process.wait(PATIENCE_SECONDS) == 1


def test_an_address_with_a_port_is_refused_with_what_to_say(tmp_path: Path) -> None:
    server = Server(tmp_path / "data", "--bind", "127.0.0.1:8123")
    assert server.process.stdout is not None
    assert "Try: --bind 127.0.0.1 --port 8123" in server.process.stdout.read()
    assert server.process.wait(PATIENCE_SECONDS) == 1


def test_whoever_serves_a_network_is_told_the_address_in_it(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = str(free.getsockname()[1])
    server = Server(tmp_path / "data", "--wifi", "--port", port)
    said = server.wait_for(r"running at http://(\S+)/|This computer is not connected")
    if not said:
        # There is no network here, which is said too.
        assert server.process.wait(PATIENCE_SECONDS) == 1
        return
    assert said.endswith(f":{port}") and not said.startswith("127.")
    assert get(f"http://127.0.0.1:{port}/", host=said)[0] == 200
    # It is still making its demo; its children end with it.
    server.process.kill()
    assert server.process.wait(PATIENCE_SECONDS) == -signal.SIGKILL


def test_ctrl_c_ends_the_server_and_all_its_children_and_leaves_one_file(
    server: Server, address: str, data: Path
) -> None:
    get(f"{address}l/demo/")
    children = server.children()
    assert len(children) == 3
    assert server.stop(signal.SIGINT) == 0, server.printed
    assert server.printed.rstrip().endswith("Stopped.")
    assert not [pid for pid in children if Path(f"/proc/{pid}").exists()]
    assert not [*data.glob("*-wal")]
