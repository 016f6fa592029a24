"""Compressed logs at both ways in: gzip is read, and what is not read is named."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError

from leagues.models import Match, MatchEvent, Upload
from leagues.services.leagues import update_league
from leagues.services.log_reading import LogContents, LogOptions, LogProblem, read_log_into
from leagues.services.log_uploads import LOG_BYTES
from tests.leagues.commands.test_import_log import run
from tests.leagues.imports.sender import Sender, plain
from tests.leagues.imports.test_logs import DATED, OFFICE, UNDATED
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db


def zipped(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, DATED)
    return file.getvalue()


def bomb(megabytes: int) -> bytes:
    """A log that goes on with noughts, a thousand times as long as it is packed."""
    return gzip.compress(DATED.encode() + bytes(megabytes * 1_000_000))


PACKED = gzip.compress(DATED.encode())
DAMAGED = "The compressed file is damaged or cut off."
REFUSED = {
    "a zip archive with a log": (zipped("a.log"), "This is a zip archive; unpack it and use the"),
    "one with several": (zipped("a.log", "b.log"), "This is a zip archive; unpack it and use the"),
    "bzip2": (bz2.compress(DATED.encode()), "This file is compressed with bzip2; decompress it"),
    "xz": (lzma.compress(DATED.encode()), "This file is compressed with xz; decompress it first."),
    "zstd": (b"\x28\xb5\x2f\xfd" + bytes(60), "This file is compressed with zstd; decompress it"),
    "7-Zip": (b"7z\xbc\xaf\x27\x1c" + bytes(60), "This is a 7-Zip archive; unpack it first."),
    "gzip cut off": (PACKED[:-12], DAMAGED),
    "gzip with a wrong sum": (PACKED[:-8] + bytes(8), DAMAGED),
    "gzip with other bytes": (PACKED[:20] + bytes(20) + PACKED[40:], DAMAGED),
    "gzip that is none": (b"\x1f\x8b" + bytes(40), DAMAGED),
    "gzip twice": (gzip.compress(PACKED), "This file is compressed twice; decompress it first."),
    "gzip of nothing": (gzip.compress(b""), "The file is empty."),
}


def test_a_packed_log_is_imported_on_the_page_as_it_is(kim: Sender) -> None:
    packed = gzip.compress(shared_data(OFFICE).read_bytes())
    address = kim.checked(packed, name="games.log.gz")
    page = kim.page(address)
    assert "The log has 22 games with 1437 events." in page
    assert "Events by kind: frag (1366), suicide (46), death by the world (25)." in page
    assert "3 results imported" in kim.written(address)


def test_a_packed_log_is_imported_on_the_command_line_as_it_is(kim: Sender, tmp_path: Path) -> None:
    content = shared_data(OFFICE).read_bytes()
    for name, bits in (("games.log", content), ("games.log.gz", gzip.compress(content))):
        (tmp_path / name).write_bytes(bits)
    report = run(tmp_path / "games.log.gz", league=kim.league.slug)
    assert (report["imported"], report["files"][0]["format"]) == (3, "quake3")
    again = run(tmp_path / "games.log", league=kim.league.slug)
    assert (again["imported"], again["already_there"]) == (0, 3)


def test_a_packed_log_in_two_bytes_a_letter_is_read(kim: Sender) -> None:
    name = "gamelogs/ut99/ut99_2019.07.08.14.16.47.log"
    text = shared_data(name).read_bytes().decode("latin-1")
    packed = gzip.compress(text.encode("utf-16"))
    page = kim.page(kim.checked(packed, name="ut.log.gz", with_bots="on"))
    assert "Import 1 result" in page


@pytest.mark.parametrize("content", REFUSED)
def test_the_page_names_what_it_does_not_read(kim: Sender, content: str) -> None:
    bits, words = REFUSED[content]
    response = kim.send(bits, name="games.log.gz")
    assert response.status_code == 422
    assert words in plain(response)
    assert not Upload.objects.exists()


@pytest.mark.parametrize("content", REFUSED)
def test_the_command_line_names_what_it_does_not_read(
    kim: Sender, tmp_path: Path, content: str
) -> None:
    bits, words = REFUSED[content]
    (tmp_path / "games.log.gz").write_bytes(bits)
    for how in ((), ("--format", "json-lines")):
        if how and content == "gzip of nothing":
            continue
        with pytest.raises(CommandError, match=f"games.log.gz: {words}"):
            run(tmp_path / "games.log.gz", *how, league=kim.league.slug)
    assert not Match.objects.exists()


def test_a_log_that_grows_when_it_is_unpacked_is_refused_and_not_kept(kim: Sender) -> None:
    response = kim.send(bomb(40), name="games.log.gz")
    assert response.status_code == 422
    assert "The file is larger than 10 MB when decompressed." in plain(response)
    assert not Upload.objects.exists()


def test_only_so_much_of_a_packed_log_is_unpacked() -> None:
    packed = bomb(200)
    tracemalloc.start()
    with pytest.raises(LogProblem, match="larger than 10 MB when decompressed"):
        read_log_into(LogContents(), "a.gz", io.BytesIO(packed), LogOptions(), most_bytes=LOG_BYTES)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16_000_000


def test_the_choices_for_logs_are_the_options_of_the_command_line(kim: Sender) -> None:
    content = shared_data("quake/baseq3_bots.log").read_bytes()
    page = kim.page(kim.checked(content, name="games.log"))
    assert "1 game left out: broken off before the end" in page
    both = {"with_bots": "on", "with_broken_off": "on"}
    assert "Import 1 result" in kim.page(kim.checked(content, name="games.log", **both))


def test_whether_games_count_that_broke_off_is_a_rule_of_the_league(kim: Sender) -> None:
    content = shared_data("quake/baseq3_bots.log").read_bytes()
    box = '<input type="checkbox" name="with_broken_off" id="id_with_broken_off"'
    assert f"{box}>" in kim.page(kim.home)
    update_league(league=kim.league, changes={"counts_broken_off": True}, actor=None)
    assert f"{box} checked>" in kim.page(kim.home)
    # What is sent is what somebody saw: an empty box leaves them out whatever the rule says.
    page = kim.page(kim.checked(content, name="games.log", with_bots="on"))
    assert "1 game left out: broken off before the end" in page


def test_games_that_no_board_rates_are_kept_as_their_pages(kim: Sender) -> None:
    address = kim.checked(DATED, name="games.log", is_unrated="on")
    assert "of them stored, not rated" in kim.page(address)
    assert "1 result imported" in kim.written(address)
    match = Match.objects.get()
    assert match.kind == Match.Kind.UNRATED
    assert MatchEvent.objects.count() == 1


def test_a_refused_log_keeps_what_was_chosen_for_it(kim: Sender) -> None:
    page = plain(kim.send(PACKED[:-12], name="a.gz", with_bots="on", day="2026-01-05"))
    assert '<details class="more" open>' in page
    assert 'name="with_bots" id="id_with_bots" checked' in page
    assert "<details" in plain(kim.send(UNDATED[:10], name="a.log"))
