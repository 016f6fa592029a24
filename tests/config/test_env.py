"""The environment: every variable documented, every mistake answered in words."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.env import BASE, SCHEMA, read_environment


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in SCHEMA:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RUNGS_DATA", str(tmp_path / "data"))


@pytest.mark.parametrize("name", SCHEMA)
def test_every_variable_has_a_heading_in_the_docs(name: str) -> None:
    headings = (BASE / "docs" / "configuration.md").read_text(encoding="utf-8").splitlines()
    assert f"### `{name}`" in headings


def test_the_docs_name_no_variable_that_is_not_read() -> None:
    text = (BASE / "docs" / "configuration.md").read_text(encoding="utf-8")
    headings = [line[5:-1] for line in text.splitlines() if line.startswith("### `")]
    assert headings == list(SCHEMA)


def test_nothing_set_means_sqlite_on_loopback_without_debug(tmp_path: Path) -> None:
    environment = read_environment()
    assert environment.database["NAME"] == str(tmp_path / "data" / "rungs.sqlite3")
    assert environment.bind == "127.0.0.1"
    assert environment.allowed_hosts == ["127.0.0.1", "localhost", "[::1]"]
    assert not environment.debug
    assert stat.S_IMODE(environment.data.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "name", ["a+b", "100%", "%41", "srv#1", "who?", "a b", "a;b", "a,b@c:d", "ä"]
)
def test_the_database_is_in_the_data_folder_whatever_that_is_called(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setenv("RUNGS_DATA", str(tmp_path / name))
    environment = read_environment()
    assert environment.data == tmp_path / name
    assert environment.database["NAME"] == str(tmp_path / name / "rungs.sqlite3")


def test_the_public_host_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUBLIC_URL", "https://ladder.example/")
    environment = read_environment()
    assert environment.public_url == "https://ladder.example"
    assert "ladder.example" in environment.allowed_hosts
    assert environment.is_https


def test_an_address_of_the_local_network_is_answered_beside_this_computer_and_without_https(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PUBLIC_URL", "http://192.168.1.20:8000")
    environment = read_environment()
    assert environment.allowed_hosts == ["127.0.0.1", "localhost", "[::1]", "192.168.1.20"]
    assert not environment.is_https


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PUBLIC_URL", "ladder.example", "PUBLIC_URL must begin with"),
        ("TRUSTED_PROXIES", "10.0.0.0/33", "TRUSTED_PROXIES"),
        ("RUNGS_LOG", "xml", "RUNGS_LOG must be"),
    ],
)
def test_a_value_that_cannot_work_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=words):
        read_environment()


def test_s22_debug_is_refused_where_others_can_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNGS_DEBUG", "on")
    assert read_environment().debug
    monkeypatch.setenv("RUNGS_BIND", "0.0.0.0")  # noqa: S104 - the address under test
    with pytest.raises(ImproperlyConfigured, match="loopback"):
        read_environment()


def test_b85_a_data_folder_that_cannot_be_made_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RUNGS_DATA", str(tmp_path / "file" / "data"))
    with pytest.raises(ImproperlyConfigured, match="cannot be created"):
        read_environment()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_b85_a_data_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(mode=0o500)
    with pytest.raises(ImproperlyConfigured, match="cannot read and write"):
        read_environment()
