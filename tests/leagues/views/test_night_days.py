"""Lines of a night sheet that people write around their results: days, times and greetings."""

from __future__ import annotations

from datetime import datetime

import pytest

from leagues.models import League, Match, Mode, Player
from leagues.services.leagues import add_mode
from tests.leagues.page_texts import words_of
from tests.leagues.views.desk import Desk, singles_club

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> League:
    return singles_club()


@pytest.mark.parametrize("line", ["Sorry, Ana", "Hallo Leute, hier die Ergebnisse:", "Runde 1:"])
def test_a_line_without_a_result_adds_nobody(kim: Desk, line: str) -> None:
    page = words_of(kim.check(f"{line}\nAna > Bo"))
    assert "put # in front of it" in page
    assert "is not played here" not in page
    kim.send(f"{line}\nAna > Bo", status=422, do="enter")
    assert (Match.objects.count(), Player.objects.count()) == (2, 4)
    enter(kim, f"# {line}\nAna > Bo")
    assert (Match.objects.count(), Player.objects.count()) == (3, 4)


def test_a_day_with_the_name_of_its_month_is_that_of_the_lines_below(kim: Desk) -> None:
    enter(kim, "Donnerstag, 2. octobre 2025\n20:15 Uhr Ana - Bo 3-1\n9:05pm Cy - Dee 3-0")
    times = [f"{one:%m-%d %H:%M}" for one in moments()]
    assert times == ["10-02 20:15", "10-02 21:05"]
    assert Player.objects.count() == 4


def test_the_day_of_a_message_is_that_of_its_lines_with_times(kim: Desk) -> None:
    enter(kim, "[2.10.2025, 21:10] Kim: Ana - Bo 3-2\n22:05 Cy - Ana 3-2\nBo - Cy 3-1")
    assert [f"{one:%m-%d %H:%M}" for one in moments()][:2] == ["10-02 21:10", "10-02 22:05"]
    assert {one.day for one in moments()} == {2}


def test_a_mode_that_is_called_like_chatter_is_a_heading(kim: Desk, club: League) -> None:
    add_mode(league=club, name="Round 1", actor=None, played_by=Mode.PlayedBy.TWO_PLAYERS)
    enter(kim, "Round 1:\nAna > Bo")
    assert Match.objects.latest("seq").mode.name == "Round 1"


def moments() -> list[datetime]:
    zone = League.objects.get().zone
    recorded = Match.objects.order_by("seq")[2:]
    return [one.played_at.astimezone(zone) for one in recorded]


def enter(kim: Desk, text: str) -> None:
    kim.check(text)
    page = kim.enter(text).content.decode()
    assert "recorded" in page, words_of(page)


@pytest.mark.parametrize("line", ["*Skat*", "*Skat:*", "*Skat*:"])
def test_a_bold_heading_names_its_mode(kim: Desk, club: League, line: str) -> None:
    add_mode(league=club, name="Skat", actor=None, played_by=Mode.PlayedBy.TWO_PLAYERS)
    enter(kim, f"{line}\nAna -Bo 3:1")
    assert Match.objects.latest("seq").mode.name == "Skat"
    assert Player.objects.count() == 4
