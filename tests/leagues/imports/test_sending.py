"""Sending a file: what is taken, what is refused, and in which words."""

from __future__ import annotations

import gzip
import io
import zipfile

import pytest
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import Job, League, Mode, Season, Upload
from leagues.services.leagues import create_season
from leagues.services.uploads import PASTE_BYTES, UPLOAD_BYTES
from leagues.views.imports import UPLOADS
from leagues.wording import waiting_time
from tests.leagues.imports.files import EVENING, HOSTILE
from tests.leagues.imports.sender import Sender, plain
from tests.leagues.people import join, make_user
from tests.leagues.play import season_of
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db
BOMB = gzip.compress(EVENING.encode() + b"\n" * 60_000_000, mtime=0)


def packed(name: str) -> bytes:
    box = io.BytesIO()
    with zipfile.ZipFile(box, "w") as archive:
        archive.writestr(name, "<xml/>")
    return box.getvalue()


def test_a_file_is_kept_and_checked_in_the_background(kim: Sender) -> None:
    response = kim.send(EVENING, name="winter.csv")
    upload = Upload.objects.get()
    assert response["Location"] == f"{kim.home}{upload.pk}/"
    assert (upload.name, bytes(upload.content)) == ("winter.csv", EVENING.encode())
    assert upload.author == kim.league.memberships.get().user
    assert Job.objects.filter(key=f"check:{upload.pk}").exists()
    page = kim.page(response["Location"])
    assert "Checking the file" in page
    assert '<meta http-equiv="refresh" content="2">' in page
    drain()
    assert "winter.csv" in kim.page(response["Location"])


def test_a_file_may_be_compressed_with_gzip(kim: Sender) -> None:
    packed_file = gzip.compress(EVENING.encode(), mtime=0)
    address = kim.checked(packed_file, name="results.csv.gz")
    assert "3 results imported" in kim.written(address)


def test_a_compressed_file_is_said_to_be_as_long_as_it_is(kim: Sender) -> None:
    """A compressed one in small beside it: nobody knows that of a file."""
    rows = "2025-10-05,Ana,Bo\n" * 20_000
    packed_file = gzip.compress(f"date,winner,loser\n{rows}".encode(), mtime=0)
    page = kim.page(kim.checked(packed_file, name="results.csv.gz"))
    assert "360 kB, 1 kB as gzip, commas, UTF-8" in page
    assert "as gzip" not in kim.page(kim.checked(EVENING))


def test_a_large_file_is_checked_in_the_background(kim: Sender) -> None:
    note = "x" * 4000
    rows = [f"2026-01-05,Ana,Bo,3,1,{note}" for _ in range(12_000)]
    head = "date,winner,loser,winner_score,loser_score,remark\n"
    address = kim.checked(head + "\n".join(rows), name="results.csv")
    assert "Import 12 000 results" in kim.page(address)


def test_pasted_text_is_a_file_too(kim: Sender) -> None:
    address = kim.checked("", paste=EVENING.replace(",", "\t"))
    page = kim.page(address)
    assert "pasted text" in page
    assert "tabs, UTF-8" in page
    assert "Import 3 results" in page


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"matches": []}', "This is JSON"),
        (b"%PDF-1.7", "This is a PDF document"),
        (b"MZ\x90\x00", "This is a Windows program"),
        (gzip.compress(EVENING.encode(), mtime=0)[:-9], "damaged or cut off"),
        (BOMB, "larger than 50 MB when decompressed"),
        (gzip.compress(packed("xl/workbook.xml"), mtime=0), "compressed twice"),
        (packed("word/document.xml"), "This is a Word document"),
        (packed("notes.txt"), "This is a zip archive"),
        (b"PK\x03\x04 and nothing more", "This is a damaged zip file"),
        (b"date,winner\n\x00,x\n", "null bytes"),
        (b'date,winner,loser\n"2026-01-05,Ana,Bo\n', "Line 2: A quotation mark is opened"),
        (EVENING.encode().replace(b"Ana", b"x" * 9000, 1), "Line 2: The line is longer"),
    ],
    ids=[
        "json",
        "pdf",
        "exe",
        "gzip",
        "bomb",
        "twice",
        "docx",
        "zip",
        "damaged",
        "binary",
        "quote",
        "line",
    ],
)
def test_what_is_no_table_is_refused_in_words_and_not_kept(
    kim: Sender, content: bytes, words: str
) -> None:
    response = kim.send(content)
    assert response.status_code == 422
    assert words in plain(response)
    assert not Upload.objects.exists()
    assert not Job.objects.filter(kind="check").exists()


def test_a_file_of_more_than_50_mb_is_refused_with_413(kim: Sender) -> None:
    response = kim.send(EVENING.encode() + b" " * UPLOAD_BYTES)
    assert response.status_code == 413
    assert "The file is larger than 50 MB." in plain(response)
    assert not Upload.objects.exists()


@pytest.mark.parametrize("more", [1, 2_000_000])
def test_pasted_text_of_more_than_5_mb_is_refused_with_413(kim: Sender, more: int) -> None:
    response = kim.send(paste="x" * (PASTE_BYTES + more))
    assert response.status_code == 413
    assert "larger than 5 MB" in plain(response)
    assert not Upload.objects.exists()


def test_either_a_file_or_a_text_is_asked_for(kim: Sender) -> None:
    nothing = kim.send()
    assert nothing.status_code == 422
    assert "Choose a file, or paste the results." in plain(nothing)
    both = kim.send(EVENING, paste=EVENING)
    assert both.status_code == 422
    assert "Choose a file or paste text, not both." in plain(both)
    empty = kim.send(EVENING, name="results.csv", mode="no-such-mode")
    assert empty.status_code == 422
    assert not Upload.objects.exists()


def test_two_files_at_once_are_refused(kim: Sender) -> None:
    files = [io.BytesIO(EVENING.encode()) for _ in range(2)]
    response = kim.client.post(kim.home, {"mode": "blitz", "file": files[0], "other": files[1]})
    assert response.status_code == 400
    assert not Upload.objects.exists()


@pytest.mark.parametrize("name", ["../../etc/passwd", "x" * 1000 + ".csv", "a\nb\u202ecsv.exe"])
def test_the_name_of_a_file_is_only_shown(kim: Sender, name: str) -> None:
    kim.checked(EVENING, name=name)
    kept = Upload.objects.get().name
    assert len(kept) <= 120
    assert kept.isprintable()
    assert "/" not in kept


def test_names_of_files_columns_and_players_are_text(kim: Sender) -> None:
    content = f"date,winner,loser,{HOSTILE}\n2026-01-05,{HOSTILE},Bo,{HOSTILE}\nx,Ana,{HOSTILE},\n"
    address = kim.checked(content, name="<img src=x onerror=alert(1)>.csv")
    for text in (kim.page(address), kim.page(kim.home)):
        assert "<script>alert" not in text
        assert "<img" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in kim.page(address)


def test_a_new_mode_is_made_when_its_results_are_written(kim: Sender) -> None:
    address = kim.checked(EVENING, mode="", new_mode="Doubles")
    assert "Doubles, Autumn" in kim.page(address)
    assert Mode.objects.count() == 1
    kim.written(address)
    made = Mode.objects.get(name="Doubles")
    assert kim.league.matches.filter(mode=made).count() == 3
    assert list(made.boards.values_list("rated_matches", flat=True)) == [3, 3]


def test_a_new_mode_needs_a_name_and_a_known_name_is_no_new_mode(kim: Sender) -> None:
    assert "Choose what was played, or enter a new name." in plain(kim.send(EVENING, mode=""))
    kim.written(kim.checked(EVENING, mode="", new_mode="BLITZ"))
    assert Mode.objects.count() == 1


def test_the_season_is_asked_for_where_several_take_results(kim: Sender) -> None:
    assert 'name="season"' not in kim.page(kim.home)
    spring = create_season(league=kim.league, name="Spring")
    assert 'name="season"' in kim.page(kim.home)
    kim.written(kim.checked(EVENING, season=spring.slug))
    assert spring.matches.count() == 3


def test_without_a_season_that_takes_results_there_is_nothing_to_fill_in(kim: Sender) -> None:
    season = season_of(kim.league)
    season.state = Season.State.CLOSED
    season.save()
    assert "No season is open for results." in kim.page(kim.home)
    assert kim.send(EVENING).status_code == 200
    assert not Upload.objects.exists()


def test_very_many_files_in_an_hour_are_refused_with_429(kim: Sender) -> None:
    for _use in range(UPLOADS.uses):
        UPLOADS.use(str(kim.league.pk))
    response = kim.send(EVENING)
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert f"Try again in {waiting_time(int(response['Retry-After']))}." in plain(response)
    assert not Upload.objects.exists()


def test_only_organizers_of_this_league_get_to_an_upload(kim: Sender, club: League) -> None:
    address = kim.checked(EVENING)
    scorer, rival, second = (make_user(name) for name in ("sam", "rio", "lou"))
    join(club, scorer, "scorer")
    join(club, second, "organizer")
    elsewhere = "/l/elsewhere" + address.removeprefix("/l/club")
    from tests.leagues.play import new_club

    new_club("elsewhere", owner=rival)
    for user, path, status in (
        (scorer, address, 403),
        (rival, address, 403),
        (rival, elsewhere, 404),
        (second, address, 200),
    ):
        browser = Client()
        browser.force_login(user)
        for end in ("", "state/", "bad-rows/"):
            expected = 286 if status == 200 and end == "state/" else status
            assert browser.get(path + end).status_code == expected, (user, path, end)


def test_spreadsheets_are_taken(kim: Sender) -> None:
    content = shared_data("messy/foosball_game_log.xlsx").read_bytes()
    page = kim.page(kim.checked(content, name="foosball.xlsx"))
    assert "XLSX" in page
    assert "386 rows cannot be read" in page
    assert "Skip these 386 rows" in page


def test_the_list_is_short_of_queries(kim: Sender, django_assert_max_num_queries) -> None:
    for number in range(6):
        kim.send(EVENING, name=f"{number}.csv")
    with django_assert_max_num_queries(16):
        kim.page(kim.home)
