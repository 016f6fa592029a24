"""Who is here, beside the night sheet: chips that work without script and as its script does."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from leagues.models import League, NightSheet, Player
from leagues.services.players import ensure_player
from tests.leagues.people import make_user
from tests.leagues.play import START, new_club, record, result
from tests.leagues.views.desk import Desk

pytestmark = pytest.mark.django_db

CHIP = re.compile(r'name="present" value="([^"]*)"\s*(checked)?\s*(data-last)?')


@pytest.fixture
def club() -> League:
    league = new_club(owner=make_user("kim"))
    at = START - timedelta(days=7)
    record(league, result(league, "Ana Diaz", "Bo Li", at=at - timedelta(days=7)))
    record(league, result(league, "Ana Ruiz", "Bo Li", at=at), result(league, "Cy", "Bo Li", at=at))
    return league


def chips(page: str) -> dict[str, tuple[bool, bool]]:
    """Each chip: whether it is ticked, and whether the player was there the last time."""
    return {name: (bool(here), bool(last)) for name, here, last in CHIP.findall(page)}


def test_the_pane_is_closed_and_nobody_is_here_at_first(kim: Desk) -> None:
    page = kim.client.get(kim.address).content.decode()
    assert '<details class="more presence">' in page
    assert page.index("</textarea>") < page.index('class="more presence"')
    assert chips(page) == {
        **{"Ana Diaz": (False, False), "Ana Ruiz": (False, True)},
        **{"Bo Li": (False, True), "Cy": (False, True)},
    }
    # The first button of the form is what Enter presses in a field.
    assert page.index('value="check"') < page.index('value="arrive"')


def test_without_script_those_of_the_last_time_are_here_at_one_press(kim: Desk) -> None:
    page = kim.send("Ana Ruiz > Cy", do="last", present=["Ana Diaz"])
    assert "Same as last time (24 Sep 2025, 3 players)" in page
    assert '<details class="more presence" open>' in page
    assert [name for name, (here, _last) in chips(page).items() if here] == [
        *("Ana Diaz", "Ana Ruiz", "Bo Li", "Cy")
    ]
    sheet = NightSheet.objects.get()
    assert sheet.text == "Ana Ruiz > Cy"
    assert set(sheet.present) == {"Ana Diaz", "Ana Ruiz", "Bo Li", "Cy"}
    # Another device has them, and says so before the pane is opened.
    page = kim.client.get(kim.address).content.decode()
    assert 'id="here-count">· 4</span>' in page
    assert chips(page)["Ana Diaz"] == (True, False)


def test_a_name_is_added_and_a_chip_is_taken_back(kim: Desk) -> None:
    page = kim.send("", do="arrive", arrival="bo")
    assert chips(page)["Bo Li"] == (True, True)
    page = kim.send("", do="arrive", arrival="zoe park", present=["Bo Li"])
    assert chips(page)["Zoe Park"] == (True, False)
    assert 'maxlength="200" value=""' in page
    # First where names are tapped, and where they are completed.
    tapped = re.findall(r'data-name="([^"]*)"', page)
    assert tapped[:2] == ["Bo Li", "Zoe Park"]
    assert set(tapped) == {"Ana Diaz", "Ana Ruiz", "Bo Li", "Cy", "Zoe Park"}
    assert page.index('<option value="Zoe Park">') < page.index('<option value="Cy">')
    kim.send("", do="check", present=["Zoe Park"])
    assert NightSheet.objects.get().present == ["Zoe Park"]


def test_a_name_of_two_is_not_added_and_stays_in_its_field(kim: Desk) -> None:
    page = kim.send("", do="arrive", arrival="ana", present=["Cy"])
    assert "“ana” is short for several players: Ana Diaz, Ana Ruiz. Write the whole name." in page
    assert 'value="ana"' in page
    assert NightSheet.objects.get().present == ["Cy"]
    page = kim.send("", do="check", arrival="x" * 70, present=["Cy"])
    assert "longer than 64" in page
    assert NightSheet.objects.get().present == ["Cy"]


def test_a_short_name_means_the_one_who_is_here(kim: Desk) -> None:
    text = "ana > Bo Li"
    assert "Who is “ana”?" in kim.check(text)
    page = kim.check(text, present=["Ana Ruiz", "Bo Li"])
    assert "Ana Ruiz beat Bo Li" in page
    assert "Enter 1 result" in page
    # Who left meanwhile is what the check did not know.
    assert kim.enter(text, present=["Bo Li"]).status_code == 422
    kim.check(text, present=["Ana Ruiz"])
    assert "1 result recorded" in kim.enter(text, present=["Ana Ruiz"]).content.decode()
    assert not NightSheet.objects.exists()


def test_first_names_mean_those_who_are_here_for_the_first_time(kim: Desk, club: League) -> None:
    here = ["Eva Lang", "Franz Huber", "Tom H.", "Ana Vik"]
    text = "eva franz 11-7\ntom > eva\nFRANZ > tom\nana > Tom\nAna Ruiz > ana"
    page = kim.check(text, present=here)
    assert "Eva Lang beat Franz Huber 11–7" in page
    assert "Tom H. beat Eva Lang" in page and "Franz Huber beat Tom H." in page
    # Of those whom a first name can mean it is whoever is here, new or not.
    assert "Ana Vik beat Tom H." in page and "Ana Ruiz beat Ana Vik" in page
    assert "Eva Lang, Franz Huber, Tom H. and Ana Vik will be added as new players" in page
    assert "are both new" not in page and "Whom 4 short names mean" in page
    # Another one of the name can be meant all the same, and two who are here are asked about.
    other = kim.check(text, present=here, asked=["eva"], answer=["new"])
    assert "Eva beat Franz Huber 11–7" in other
    assert "Who is “eva”?" in kim.check(text, present=[*here, "Eva Rot"])
    assert "Who is “ana”?" in kim.check(text, present=[*here, "Ana Ruiz"])
    kim.check(text, present=here)
    assert "5 results recorded" in kim.enter(text, present=here).content.decode()
    assert set(Player.objects.filter(name__in=here).values_list("name", flat=True)) == set(here)
    assert club.players.count() == 8


def test_a_name_of_who_is_here_is_no_short_one(kim: Desk) -> None:
    page = kim.check("eva > Bo Li\nEva Lang > Bo Li", present=["Eva", "Eva Lang"])
    assert "Eva and Eva Lang will be added as new players" in page


def test_a_script_gets_the_chips_only_where_they_are_others(kim: Desk) -> None:
    part = kim.send("Ana Ruiz > Cy", part=True, present=["Cy"])
    assert 'id="here"' not in part
    part = kim.send("Ana Ruiz > Cy", part=True, present=["Cy"], arrival="zoe park")
    assert '<div id="here" hx-swap-oob="true">' in part
    assert chips(part)["Zoe Park"] == (True, False)
    part = kim.send("", part=True, present=["Bo Li"], version="0", writer="")
    assert "changed elsewhere" in part
    assert [name for name, (here, _last) in chips(part).items() if here] == [
        *("Bo Li", "Cy", "Zoe Park")
    ]


def test_what_nobody_would_send_does_no_harm(kim: Desk) -> None:
    kim.send("", present=["\u202e", "x" * 900, *(f"P{number}" for number in range(900))])
    assert len(NightSheet.objects.get().present) == 300
    kim.send("", do="arrive", arrival="<b>Zed</b>", present=[])
    page = kim.client.get(kim.address).content.decode()
    assert 'value="&lt;b&gt;Zed&lt;/b&gt;"' in page
    assert "<b>Zed" not in page


def test_players_without_results_are_offered_behind_those_who_played(
    kim: Desk, club: League
) -> None:
    ensure_player(league=club, name="Zoe Park")
    ensure_player(league=club, name="Aase Moe")
    gone = ensure_player(league=club, name="Abe Gone")
    Player.objects.filter(pk=gone.pk).update(left_at=START)
    page = kim.client.get(kim.address).content.decode()
    played = ["Ana Diaz", "Ana Ruiz", "Bo Li", "Cy"]
    assert list(chips(page)) == [*played, "Aase Moe", "Zoe Park"]
    tapped = re.findall(r'data-name="([^"]*)"', page)
    assert sorted(tapped[:4]) == played
    # The newest first: whoever was added for this night was added last.
    assert tapped[4:] == ["Aase Moe", "Zoe Park"]
    page = kim.send("Ana Ruiz > Cy", do="last", present=["Zoe Park"])
    assert list(chips(page)) == [*played, "Zoe Park", "Aase Moe"]
    assert chips(page)["Aase Moe"] == (False, False)
