"""Where the review of a night sheet leads, and what it says of new players."""

from __future__ import annotations

import re

import pytest

from leagues.models import League
from leagues.services.likeness import similar_players
from leagues.services.players import rename_player
from tests.leagues.views.desk import Desk

pytestmark = pytest.mark.django_db

TWICE = "Ana Ruiz Bo Li 3-1\nAna Ruiz Bo Li 3-1"
FOCUS = re.compile(r"<(\w+)[^>]*\sautofocus[^>]*>\s*(?:<b>)?([^<]*)")


def focused(page: str) -> list[tuple[str, str]]:
    """Each element that a page puts the focus on, with the words it begins with."""
    return FOCUS.findall(page)


def test_a_review_leads_to_what_has_to_be_confirmed_before_the_preview(kim: Desk) -> None:
    assert focused(kim.client.get(kim.address).content.decode()) == [("textarea", "")]
    assert focused(kim.check(TWICE)) == [("p", "Confirm before you enter")]
    refused = kim.enter(TWICE).content.decode()
    assert focused(refused) == [("p", "Not entered yet.")]
    assert "Tick what is right" in refused
    page = kim.check("Ana Ruiz > Bo Li")
    assert focused(page) == [("p", "")]
    # The next stop of the keyboard is the button, and the preview stands below it.
    assert re.search(r"autofocus>\s*<button[^>]*value=\"enter\"", page)
    assert page.index('value="enter"') < page.index('id="preview"')


def test_a_review_of_what_came_in_between_leads_to_the_words_that_say_so(kim: Desk) -> None:
    kim.check("Ana Ruiz > Bo Li")
    page = kim.enter(TWICE).content.decode()
    assert focused(page) == [("p", "Not entered yet.")]
    assert "The sheet is not what you checked last." in page


ALIKE = "are both new. If they are one person, write one name."


@pytest.mark.parametrize("slip", ["hendrik", "henrk", "Henrikk"])
def test_a_first_name_with_a_slip_beside_a_new_full_name_is_pointed_out(
    kim: Desk, slip: str
) -> None:
    page = kim.check(f"Henrik Moe > Bo Li\nBo Li > {slip}")
    assert f"“Henrik Moe” and “{slip.capitalize()}” {ALIKE}" in page
    assert "will be added as new players." in page
    assert "since no player’s name is like" not in page


def test_a_former_first_name_is_asked_about_and_makes_no_second_person(
    kim: Desk, club: League
) -> None:
    ana = club.players.get(name="Ana Ruiz")
    rename_player(player=ana, name="Joana Ruiz", actor=None)
    page = kim.check("ana > Bo Li")
    assert "1 name to identify" in page
    assert f'<option value="{ana.key}">' in page
    assert "will be added as a new player" not in page
    # A name that only those know who enter results leads no visitor to the player.
    assert similar_players(club, ["ana"]) == {"ana": ()}


def test_a_new_name_like_one_of_those_who_are_here_is_pointed_out(kim: Desk) -> None:
    here = ["Henrik Moe", "Ana Ruiz", "Henrik Moen"]
    page = kim.check("Bo Li > hendrik", present=here)
    assert f"“Hendrik” and “Henrik Moe” {ALIKE}" in page
    assert "Hendrik will be added as a new player." in page
    # Two who are here and new, of whom no line says anything yet, are no players yet.
    assert "“Henrik Moe” and" not in page
    page = kim.check("Bo Li > Siri Vik", present=here)
    assert ALIKE not in page
    assert "Siri Vik will be added as a new player, since no player’s name is like it." in page


def test_a_day_long_before_the_season_is_asked_about_once(kim: Desk, club: League) -> None:
    text = (
        "@2023-04-25\nAna Ruiz > Bo Li\nBo Li > Ana Ruiz\nAna Ruiz = Bo Li\n@2023-04-26\nCy > Bo Li"
    )
    page = kim.check(text)
    ticks = re.findall(r'name="settled" value="([^"]*)"', page)
    assert [len(tick.split()) for tick in ticks] == [3, 1]
    assert re.search(
        r'<a href="#line-2">Lines 2, 3 and 4</a>: 25 Apr 2023 is more than a year', page
    )
    refused = kim.enter(text, settled=ticks[:1])
    assert refused.status_code == 422
    assert refused.content.decode().count(" checked>") >= 1
    assert "4 results recorded" in kim.enter(text, settled=ticks).content.decode()
