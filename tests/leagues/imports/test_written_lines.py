"""Results pasted as people write them: one per line."""

from __future__ import annotations

import pytest
from django.utils import timezone

from leagues.domain.civil_days import day_of
from leagues.jobs.runner import drain
from leagues.models import Board, League, Match, Player, Standing, Upload
from leagues.services.leagues import create_league
from tests.leagues.imports.sender import Sender, plain
from tests.ratings.files.reading import read_path
from tests.ratings.files.test_written_text import lines_of
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

NIGHT = """@2026-01-05
19:40 ana bo 3-1
" 1-3
1. cy > di
ana+cy bo+di 21-18 19-21 21-15
ana di wo
"""


def test_a_pasted_night_is_checked_and_imported(kim: Sender) -> None:
    address = kim.checked("", paste=NIGHT)
    page = kim.page(address)
    assert "pasted text" in page
    assert "one result per line, UTF-8" in page
    assert "5 rows" in page
    assert "4 new players" in page
    assert "5 Jan 2026" in page
    assert "5 results imported" in kim.written(address)
    assert set(Player.objects.values_list("name", flat=True)) == {"ana", "bo", "cy", "di"}
    doubles = Match.objects.get(detail="21-18 19-21 21-15")
    assert [one.score for one in doubles.participants.order_by("rank")] == [2, 2, 1, 1]
    assert Match.objects.filter(kind=Match.Kind.WALKOVER).count() == 1


def test_a_text_file_and_a_free_for_all_are_taken_too(kim: Sender) -> None:
    page = kim.written(kim.checked("ana, bo, cy=di, eve\neve > ana\n", name="night.txt"))
    assert "2 results imported" in page
    ranks = Match.objects.get(seq=1).participants.order_by("rank", "player__name")
    assert [(one.player.name, one.rank) for one in ranks] == [
        ("ana", 1),
        ("bo", 2),
        ("cy", 3),
        ("di", 3),
        ("eve", 5),
    ]


def test_points_of_a_free_for_all_are_taken_too(kim: Sender) -> None:
    page = kim.written(kim.checked("", paste="ana: 31, bo: 24 = cy: 24, di: 8\neve, ana, bo\n"))
    assert "2 results imported" in page
    rows = Match.objects.get(seq=1).participants.order_by("rank", "player__name")
    assert list(rows.values_list("player__name", "rank", "score")) == [
        *(("ana", 1, 31), ("bo", 2, 24), ("cy", 2, 24), ("di", 4, 8))
    ]
    rows = Match.objects.get(seq=2).participants.order_by("rank")
    assert list(rows.values_list("player__name", "score")) == [
        *(("eve", None), ("ana", None), ("bo", None))
    ]


def test_without_a_date_results_are_of_the_day_of_the_import(kim: Sender) -> None:
    page = kim.page(kim.checked("", paste="ana bo 3-1\nbo ana 3-2\n"))
    assert "every match gets the date of the import" in page
    kim.written(kim.checked("", paste="@1.1.\nana bo 3-1\n"))
    day = day_of(Match.objects.get().played_at, kim.league.zone)
    assert (day.month, day.day) == (1, 1)
    assert day.year == day_of(timezone.now(), kim.league.zone).year


def test_the_same_text_again_adds_nothing(kim: Sender) -> None:
    kim.written(kim.checked("", paste=NIGHT))
    Upload.objects.all().delete()
    page = kim.page(kim.checked("", paste=NIGHT))
    assert "Every result in this file is already recorded." in page


def test_the_check_says_what_each_line_means(kim: Sender) -> None:
    page = kim.page(kim.checked("", paste=NIGHT + "ana, bo\n"))
    assert "What the lines say" in page
    assert "<bdi>ana beat bo 3–1</bdi>" in page
    assert "<bdi>bo beat ana 3–1</bdi>" in page
    assert "<bdi>ana + cy beat bo + di 2–1</bdi>" in page
    for tag in ("21-18 19-21 21-15", "walkover", "19:40"):
        assert f'<span class="tag">{tag}</span>' in page
    assert "<td>5 Jan 2026</td>" in page
    assert "What each column means" not in page
    again = kim.page(kim.checked("", paste="ana, bo, cy=di, eve\n"))
    assert "<bdi>ana &gt; bo &gt; cy = di &gt; eve</bdi>" in again


def test_lines_that_cannot_be_read_are_listed_and_the_others_can_be_imported(kim: Sender) -> None:
    address = kim.checked("", paste=NIGHT + "ana bo\n<b>x</b>\n@31.2.\nana bo 3-0\n")
    page = kim.page(address)
    assert "4 rows cannot be read" in page
    assert "The line does not say who won; add a score such as 3-1" in page
    assert "The date above it, in line 9, cannot be read." in page
    assert "<b>x</b>" not in page
    assert kim.answer(address, "write").status_code == 422
    assert not Match.objects.exists()
    assert "5 results imported" in kim.written(address, skip_bad="on")


def test_a_text_of_which_no_line_can_be_read_is_refused_beside_the_field(kim: Sender) -> None:
    one = kim.send(paste="ana ana 3-1\n")
    assert one.status_code == 422
    assert "Line 1: “ana” is in this match twice." in plain(one)
    assert "ana ana 3-1" in plain(one)
    two = plain(kim.send(paste="ana ana 3-1\nbo bo 3-1\n"))
    assert "Line 1: “ana” is in this match twice. Line 2: “bo”" in two
    assert not Upload.objects.exists()


def test_results_without_a_date_get_the_day_that_was_chosen(kim: Sender) -> None:
    address = kim.checked("", paste="20:15 ana bo 3-1\n")
    assert "get the day of the import unless you choose one" in kim.page(address)
    assert kim.answer(address, "write", day="2026-01-05").status_code == 302
    drain()
    page = kim.page(address)
    assert "Results without a date get this day." in page
    assert 'value="2026-01-05"' in page
    assert "<td>5 Jan 2026</td>" in page
    assert not Match.objects.exists()
    kim.written(address, day="2026-01-05")
    assert Match.objects.get().played_at.isoformat() == "2026-01-05T20:15:00+00:00"
    later = kim.page(kim.checked("", paste="20:15 ana bo 3-1\n", day="2026-01-12"))
    assert "1 result" in later
    assert "<td>12 Jan 2026</td>" in later


def test_lines_of_which_some_have_no_date_ask_for_their_day(kim: Sender) -> None:
    address = kim.checked("", paste="ana bo 3-1\n@2026-01-12\nana bo 3-1\n")
    page = kim.page(address)
    assert "Some results have no date. Choose their day, or they cannot be imported." in page
    kim.answer(address, "check", day="2026-01-05")
    drain()
    assert "2 results imported" in kim.written(address, day="2026-01-05")


@pytest.mark.parametrize("day", ["2199-01-01", "1700-01-01", "yesterday"])
def test_the_day_of_results_without_a_date_is_one_of_the_past(kim: Sender, day: str) -> None:
    first = kim.send(paste="ana bo 3-1\n", day=day)
    assert first.status_code == 422
    assert not Upload.objects.exists()
    address = kim.checked("", paste="ana bo 3-1\n")
    assert kim.answer(address, "write", day=day).status_code == 422
    assert not Match.objects.exists()


def test_names_in_lines_are_text(kim: Sender) -> None:
    page = kim.page(kim.checked("", paste="{{7*7}}x\" onclick'y - ana 3-1\n%00x' - bo 3-1\n"))
    assert "<bdi>{{7*7}}x&quot; onclick&#x27;y</bdi>" in page
    refused = plain(kim.send(paste="ana > bo\n<script>alert(1)</script> bo 3-1\n"))
    assert "<script>alert" not in refused


def standings_of(league: League) -> list[tuple[object, ...]]:
    fields = ("board__system", "player__key", "player__name", "shown", "state", "games", "won")
    rows = [
        row
        for board in Board.objects.filter(mode__league=league)
        for row in Standing.objects.current(board).values_list(*fields)
    ]
    return sorted((*row[:4], bytes(row[4]), *row[5:]) for row in rows)


@pytest.mark.parametrize(("name", "count"), [("foosball_2v2", 706), ("ntnu_table_tennis", 1039)])
def test_real_results_give_the_ratings_that_their_table_gives(
    kim: Sender, name: str, count: int
) -> None:
    path = shared_data(f"club/{name}.csv")
    user = kim.league.memberships.get().user
    other = create_league(
        slug="table", owner=user, name="Table", time_zone="UTC", mode="Blitz", season="Autumn"
    )
    lines = create_league(
        slug="lines", owner=user, name="Lines", time_zone="UTC", mode="Blitz", season="Autumn"
    )
    results, _bad = read_path(path)
    table = Sender(kim.client, other)
    table.written(table.checked(path.read_bytes()), skip_bad="on", may_repeat="on")
    written = Sender(kim.client, lines)
    address = written.checked("", paste="\r\n".join(lines_of(results)))
    page = written.written(address, may_repeat="on")
    assert f"{count} results imported" in page.replace("1 039", "1039")
    assert len(results) == count
    found = standings_of(lines)
    assert len(found) > 20
    assert found == standings_of(other)
