"""What a check shows, and what can be answered to it."""

from __future__ import annotations

import csv
import io
import re

import pytest

from leagues.jobs.runner import drain
from leagues.models import Job, Match, Player, Upload
from leagues.selectors.spreadsheets import guard_cell
from ratings.files.names import without_formula_guard
from tests.leagues.imports.files import BAD, EITHER, EVENING, GHOSTS, NAMELESS, SCHEDULE, table
from tests.leagues.imports.sender import Sender, plain
from tests.leagues.play import record, result
from tests.ratings.files.test_click_tt import DOUBLES

pytestmark = pytest.mark.django_db


def test_a_check_says_what_would_be_written_and_writes_nothing(kim: Sender) -> None:
    record(kim.league, result(kim.league, "Ana", "Zoe"))
    page = kim.page(kim.checked(EVENING))
    assert "3 rows" in page
    assert "commas, UTF-8" in page
    assert "Blitz, Autumn" in page
    assert "3 new players" in page
    assert "Import 3 results" in page
    assert "5 Jan 2026" in page
    assert Match.objects.count() == 1
    assert set(Player.objects.values_list("name", flat=True)) == {"Ana", "Zoe"}


def test_every_column_is_shown_with_a_value_and_its_meaning(kim: Sender) -> None:
    page = kim.page(kim.checked(EVENING))
    for header, value, meaning in (
        ("date", "2026-01-05", "date"),
        ("winner", "Ana", "winner"),
        ("loser", "Bo", "loser"),
    ):
        assert f"<bdi>{header}</bdi>" in page
        assert f"<bdi>{value}</bdi>" in page
        assert f'<option value="{meaning}" selected>' in page


def test_all_bad_rows_are_named(kim: Sender) -> None:
    page = kim.page(kim.checked(BAD))
    assert "2 rows cannot be read" in page
    assert "A player cannot be on both sides." in page
    assert "<bdi>2026-13-01</bdi>" in page
    assert "Skip these 2 rows" in page


def test_players_whom_only_a_bad_row_names_are_not_new(kim: Sender) -> None:
    page = kim.page(kim.checked(GHOSTS))
    assert "5 new players" in page
    assert "<bdi>Eve</bdi>" in page
    assert "<bdi>Zed</bdi>" not in page


def test_the_first_hundred_bad_rows_are_shown_and_all_can_be_had(kim: Sender) -> None:
    rows = [f"2026-01-05,Ana{chr(0xE000 + number)},Bo,3,1" for number in range(1200)]
    page = kim.page(kim.checked(table(*rows)))
    assert "1 200 rows cannot be read" in page
    assert page.count('<td class="num">') >= 100
    assert "and 1 100 more" in page
    assert "(U+E063)" in page
    assert "(U+E064)" not in page


def test_rows_with_the_same_problem_are_said_once_and_all_can_be_had(kim: Sender) -> None:
    rows = [f"2026-01-05,=Ana{number},=Ana{number},3,1" for number in range(1200)]
    address = kim.checked(table(*rows))
    page = kim.page(address)
    assert "1 200 rows cannot be read" in page
    assert "Column “loser”, 1 200 rows" in page
    assert "=Ana0, =Ana1, =Ana2, =Ana3, =Ana4" in page
    assert "=Ana5" not in page
    response = kim.client.get(f"{address}bad-rows/")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in response["Content-Disposition"]
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    head, *lines = csv.reader(io.StringIO(text))
    assert head == ["Line", "Column", "Content", "Problem"]
    assert len(lines) == 1200
    assert lines[0][:3] == ["2", "loser", "'=Ana0"]


def test_bad_rows_are_named_also_where_the_file_breaks_off_behind_them(kim: Sender) -> None:
    """What makes the whole file unreadable comes last, as a row of its own."""
    good = ["2026-01-05,Ana,Bo,3,1"] * 500
    address = kim.checked(table(*good, "2026-01-05,Ana,Ana,3,1", '2026-01-05,"Ana,Bo,3,1'))
    response = kim.client.get(f"{address}bad-rows/")
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    _head, *lines = csv.reader(io.StringIO(text))
    assert [line[0] for line in lines] == ["502", "503"]
    assert lines[1][3].startswith("A quotation mark is opened here")


def test_the_bad_rows_of_a_file_without_players_say_why_it_cannot_be_read(kim: Sender) -> None:
    address = kim.checked("date,winner\n2026-01-05,Ana\n")
    response = kim.client.get(f"{address}bad-rows/")
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    _head, line = csv.reader(io.StringIO(text))
    assert line[3].startswith("No columns say who played")


def test_dates_that_may_be_read_in_two_ways_are_asked_about(kim: Sender) -> None:
    address = kim.checked(EITHER)
    page = kim.page(address)
    assert "Which comes first, the day or the month?" in page
    assert "the first is 03/04/2026" in page
    assert 'value="write"' not in page
    assert kim.answer(address, "check", dates="mdy").status_code == 302
    drain()
    page = kim.page(address)
    assert "4 Mar 2026, 6 May 2026" in page
    assert "Import 2 results" in page
    kim.written(address, dates="mdy")
    days = Match.objects.order_by("seq").values_list("played_at", flat=True)
    assert [(day.month, day.day) for day in (at.astimezone(kim.league.zone) for at in days)] == [
        (3, 4),
        (5, 6),
    ]


def test_a_schedule_is_told_from_results(kim: Sender) -> None:
    page = kim.page(kim.checked(SCHEDULE))
    assert "This cannot be imported yet." in page
    assert "this looks like a schedule" in page
    assert 'value="write"' not in page


def test_a_cross_table_is_told_from_a_list_of_matches(kim: Sender) -> None:
    page = kim.page(kim.checked("Name;Ana;Bo;Cy\nAna;X;3:1;3:0\nBo;1:3;X;2:3\nCy;0:3;3:2;X\n"))
    assert "This cannot be imported yet." in page
    assert "This looks like a cross table" in page
    assert 'value="write"' not in page


def test_columns_without_names_can_be_given_meanings(kim: Sender) -> None:
    address = kim.checked(NAMELESS)
    assert "The first line does not contain column names" in kim.page(address)
    meanings = ("date", "side_1", "side_2", "score_1", "score_2")
    chosen = {f"column_{index}": meaning for index, meaning in enumerate(meanings)}
    assert kim.answer(address, "check", **chosen).status_code == 302
    drain()
    page = kim.page(address)
    assert "Import 2 results" in page
    assert '<option value="side_2" selected>' in page
    assert "2 results imported" in kim.written(address, **chosen)


def test_a_meaning_changed_while_writing_is_checked_first(kim: Sender) -> None:
    address = kim.checked(EVENING)
    swapped = {"column_1": "loser", "column_2": "winner"}
    assert kim.answer(address, "write", **swapped).status_code == 302
    drain()
    assert not Match.objects.exists()
    assert Upload.objects.get().options["layout"]
    kim.written(address, **swapped)
    first = Match.objects.get(seq=1)
    assert first.participants.get(rank=1).player.name == "Bo"


def test_meanings_that_do_not_exist_are_refused(kim: Sender) -> None:
    address = kim.checked(EVENING)
    assert kim.answer(address, "check", column_1="everything").status_code == 422
    assert kim.answer(address, "check", dates="ymd").status_code == 422


def test_two_columns_of_one_meaning_are_refused_in_words(kim: Sender) -> None:
    address = kim.checked(EVENING)
    kim.answer(address, "check", column_1="date")
    drain()
    page = kim.page(address)
    assert (
        "Two columns mean the same: “date” and “winner”. Ignore one of them, or choose another "
        "meaning for it."
    ) in page
    kim.answer(address, "check", column_1="winner")
    drain()
    assert "Import 3 results" in kim.page(address)


def test_names_like_others_are_marked(kim: Sender) -> None:
    record(kim.league, result(kim.league, "Ana Ruiz", "Bo Lindqvist"))
    page = kim.page(kim.checked(table("2026-01-05,Ana Ruis,Björn Åberg,3,1")))
    assert "2 new players" in page
    tags = re.findall(r"<bdi>([^<]*)</bdi>\s*<span class=\"tag\">\s*([^<]*?)\s*</span>", page)
    assert tags == [("Ana Ruis", "like Ana Ruiz")]


def test_fifty_names_are_listed_and_the_rest_counted(kim: Sender) -> None:
    rows = [f"2026-01-05,{name}a,{name}b,3,1" for name in (f"P{n}x" for n in range(40))]
    page = kim.page(kim.checked(table(*rows)))
    assert "80 new players" in page
    assert "and 30 more" in page


def test_what_is_here_already_is_said(kim: Sender) -> None:
    kim.written(kim.checked(EVENING))
    Upload.objects.all().delete()
    page = kim.page(kim.checked(EVENING))
    assert "Every result in this file is already recorded." in page
    assert 'value="write"' not in page


def test_columns_that_say_nothing_are_folded_away(kim: Sender) -> None:
    extra = ",".join(f"note{number}" for number in range(300))
    values = ",".join("x" for _ in range(300))
    head, row = "date,winner,loser", "2026-01-05,Ana,Bo"
    page = kim.page(kim.checked(f"{head},{extra}\n{row},{values}\n"))
    assert "300 columns not used" in page
    assert page.count("<select") == 150
    assert "and 153 more" in page


def test_a_check_that_stopped_can_be_made_again(kim: Sender) -> None:
    response = kim.send(EVENING)
    Job.objects.update(state=Job.State.FAILED)
    page = kim.page(response["Location"])
    assert "The import has stopped." in page
    assert kim.answer(response["Location"], "check").status_code == 302
    drain()
    assert "Import 3 results" in kim.page(response["Location"])


def test_a_waiting_page_is_told_once_when_the_check_is_over(kim: Sender) -> None:
    address = kim.send(EVENING)["Location"]
    waiting = kim.client.get(f"{address}state/?was=checking", headers={"HX-Request": "true"})
    assert waiting.status_code == 200
    assert f'hx-get="{address}state/?was=checking"' in plain(waiting)
    assert "<html" not in plain(waiting)
    drain()
    over = kim.client.get(f"{address}state/?was=checking", headers={"HX-Request": "true"})
    assert over.status_code == 286
    assert (over["HX-Retarget"], over["HX-Reswap"]) == ("#main", "innerHTML")
    assert "Import 3 results" in plain(over)
    assert "<html" not in plain(over)


def test_the_page_is_short_of_queries(kim: Sender, django_assert_max_num_queries) -> None:
    address = kim.checked(BAD)
    with django_assert_max_num_queries(10):
        kim.page(address)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "＝1", "'=1", "plain", ""])
def test_cells_come_back_as_they_were(text: str) -> None:
    sent = guard_cell(text)
    assert not str(sent).startswith(("=", "+", "-", "@", "\t", "＝"))
    if not text.startswith(("\t", "'")):
        assert without_formula_guard(str(sent)) == text


def test_numbers_stay_numbers() -> None:
    assert guard_cell(-12) == -12


NAMED = ("date,player1,player2,winner", *("2026-01-05,Ana Ruiz,Bo Berg,Ana Ruiz",) * 6)
MISSPELT = "\n".join(
    (
        *NAMED,
        "2026-01-06,Ana Ruiz,Bo Berg,Anna",
        "2026-01-07,Bo Berg,Ana Ruiz,anna",
        "2026-01-08,Bo Berg,Cy Diaz,Anna",
    )
)


def test_a_winner_who_did_not_play_is_asked_about_with_the_players_of_the_rows(
    kim: Sender,
) -> None:
    address = kim.checked(MISSPELT)
    page = kim.page(address)
    assert "3 rows cannot be read" in page
    assert page.count("What does “Anna” in column “winner” mean?") == 1
    question = page.partition('name="meant">')[2].partition("</select>")[0]
    assert re.findall('value="([^"]*)"', question) == [
        "",
        "name:ana ruiz",
        "name:bo berg",
        "name:cy diaz",
    ]
    assert "<li><bdi>Line 8: 2026-01-06, Ana Ruiz – Bo Berg</bdi></li>" in page
    assert '<bdi class="sub">2026-01-08, Bo Berg – Cy Diaz</bdi>' in page
    kim.answer(address, "check", winner="Anna", meant="name:ana ruiz")
    drain()
    page = kim.page(address)
    assert "1 row cannot be read" in page
    assert "Import 8 results" in page
    kim.written(address, skip_bad="on", may_repeat="on")
    winners = Match.objects.filter(participants__rank=1)
    assert set(winners.values_list("participants__player__name", flat=True)) == {"Ana Ruiz"}


def test_an_answer_that_comes_with_the_order_to_write_is_checked_first(kim: Sender) -> None:
    address = kim.checked(MISSPELT)
    kim.answer(address, "write", winner="Anna", meant="name:ana ruiz", skip_bad="on")
    drain()
    assert not Match.objects.exists()
    assert "1 row cannot be read" in kim.page(address)


def test_an_answer_of_somebody_else_means_nobody(kim: Sender) -> None:
    address = kim.checked(MISSPELT)
    kim.answer(address, "check", winner=["Anna", "x" * 99], meant=["name:zed", "\x00"])
    drain()
    assert "3 rows cannot be read" in kim.page(address)


def test_a_tournament_of_click_tt_is_checked_like_a_table(kim: Sender) -> None:
    address = kim.checked(DOUBLES, name="cup.xml")
    page = kim.page(address)
    assert "click-TT" in page
    assert "Import 1 result" in page
    kim.written(address)
    assert Match.objects.get().participants.count() == 4
