"""Whom the names on a night sheet mean: players, those who are new on it, or a question."""

from __future__ import annotations

import re

import pytest

from leagues.models import League, Player
from leagues.services.players import ensure_player
from tests.leagues.views.desk import Desk

pytestmark = pytest.mark.django_db


def test_new_names_that_may_be_one_person_are_pointed_out(kim: Desk) -> None:
    """On a first night nobody is known yet, and a slip of the pen would be a second person."""
    page = kim.check("Per Lund > Siri Vik\nPer Lnud > siri\nPer Lund > Marte Sol")
    told = "are both new. If they are one person, write one name."
    assert page.count(told) == 1
    assert f"“Per Lund” and “Per Lnud” {told}" in page
    assert told not in kim.check("Per Lund > Siri Vik\nPer Lund > siri vik")


def test_a_short_name_in_two_ways_of_writing_means_one_player(kim: Desk, club: League) -> None:
    ensure_player(league=club, name="Eva Lang")
    page = kim.check("Eva > Bo Li\nEwa Nowak > Bo Li\neva > ewa")
    assert "Eva Lang beat Ewa Nowak" in page
    assert "Ewa Nowak will be added as a new player" in page
    assert "Whom 2 short names mean" in page
    page = kim.check("Anna > Bo Li\nAna > Bo Li\nanna > ana")
    assert "Whom 1 short name means" in page, "Ana is Ana Ruiz"
    assert "Anna" in page and "are both new" not in page


def test_a_name_like_a_player_may_be_a_new_one_of_the_sheet(kim: Desk, club: League) -> None:
    """What is exactly her first name means who is new, as it would mean a player."""
    ensure_player(league=club, name="Clara Moser")
    page = kim.check("clra > Bo Li\nClra Vik > Bo Li")
    assert page.count("Clra Vik beat Bo Li") == 2
    assert "Whom 1 short name means" in page
    page = kim.check("clara > Bo Li\nClara Vik > Bo Li")
    assert "Who is “clara”?" in page
    assert re.search(r'<option value="new:clara-vik">\s*Clara Vik', page)
    assert re.search(r'<option value="clara-moser">\s*Clara Moser', page)


@pytest.mark.parametrize("slip", ["Mrak", "mrk", "ark"])
def test_a_slip_in_a_short_first_name_is_asked_about(kim: Desk, club: League, slip: str) -> None:
    ensure_player(league=club, name="Mark Jones")
    page = kim.check(f"{slip} > Bo Li")
    assert f"Who is “{slip}”?" in page
    assert "Mark Jones" in page
    assert "Pia will be added as a new player" in kim.check("Pia > Bo Li")


def test_names_that_are_new_on_a_sheet_are_meant_by_their_first_names(kim: Desk) -> None:
    before = Player.objects.listed().count()
    page = kim.check("Per Lund > Siri Vik\nsiri > per\nmarte Siri Vik 3-1\nPer Lund marte 3-2")
    assert "Siri Vik beat Per Lund" in page
    assert "marte beat Siri Vik 3–1" in page.replace("Marte", "marte")
    assert "Siri Vik, Per Lund" in page or "Per Lund, Siri Vik" in page
    assert "are both new. If they are one person" not in page
    kim.enter("Per Lund > Siri Vik\nsiri > per\nmarte Siri Vik 3-1\nPer Lund marte 3-2")
    new = Player.objects.listed().filter(name__in=["Per Lund", "Siri Vik", "Marte"])
    assert new.count() == Player.objects.listed().count() - before == 3


def test_a_first_name_of_two_who_are_new_is_asked_about(kim: Desk) -> None:
    text = "Per Lund > Siri Vik\nPer Holm > Siri Vik\nSiri Vik > per"
    two = kim.check(text)
    assert "Who is “per”?" in two
    assert "Per Lund, Siri Vik and Per Holm will be added" in two
    (holm,) = re.findall(r'<option value="(new:[^"]*)">\s*Per Holm', two)
    answers = {"asked": "per", "answer": holm}
    assert "Siri Vik beat Per Holm" in kim.check(text, **answers)
    # Once there is no such name on the sheet, the answer means nobody.
    assert "Per Lund beat Siri Vik" in kim.check("Per Lund > Siri Vik\nper > Siri Vik", **answers)
    kim.check(text, **answers)
    kim.enter(text, **answers)
    assert not Player.objects.filter(name__iexact="per").exists()
    assert Player.objects.filter(name="Per Holm").count() == 1


@pytest.mark.parametrize("swapped", [False, True])
def test_a_surname_means_who_is_new_with_it(kim: Desk, swapped: bool) -> None:
    """The word before it may be none of a name; whoever is new with it is meant by it, too."""
    lines = ["Dieter Wörmann > Cleo", "Cleo > Wörmann"]
    text = "\n".join(reversed(lines) if swapped else lines)
    assert "Who is “Dieter Wörmann”?" in kim.check(text)
    answers = {"asked": "Dieter Wörmann", "answer": "new"}
    page = kim.check(text, **answers)
    assert "Cleo beat Dieter Wörmann" in page
    assert page.count("Dieter Wörmann</option>") <= 1
    kim.enter(text, **answers)
    assert list(Player.objects.filter(name__contains="Wörmann").values_list("name", flat=True)) == [
        "Dieter Wörmann"
    ]


def test_a_surname_of_two_who_are_new_is_asked_about(kim: Desk) -> None:
    names = ["Dieter Wörmann", "Anna Wörmann"]
    text = "Dieter Wörmann > Cleo\nAnna Wörmann > Cleo\nCleo > Wörmann"
    page = kim.check(text, asked=names, answer=["new", "new"])
    assert "Who is “Wörmann”?" in page


def test_an_initial_tells_two_new_players_apart(kim: Desk) -> None:
    assert "“Per” and “Per H” are both new." in kim.check("Per > Siri Vik\nPer H > Siri Vik")


def test_a_sentence_adds_nobody_with_a_verb_in_the_name(kim: Desk, club: League) -> None:
    page = kim.check("Ana Ruiz verliert gegen Bo Li 1:3\nBo Li ganó a Ana 3-1\nana lost to bo 1-3")
    assert page.count("Bo Li beat Ana Ruiz 3–1") == 3
    assert "will be added as" not in page
    page = kim.check("Ana Ruiz > Bea today\nAna Ruiz > Bo van Dahl")
    assert "Who is “Bea today”?" in page and "Who is “Bo van Dahl”?" not in page
    page = kim.check("Ana putzt den Bo 3-1")
    assert "It is not clear where the second name begins" in page
    assert "will be added as" not in page


def test_emoji_around_names_are_ignored_and_alone_they_are_asked_about(kim: Desk) -> None:
    assert "Ana Ruiz beat Bo Li 3–1" in kim.check("🎯 Ana Ruiz 🏆 - Bo Li 🎯 3-1 🎉")
    page = kim.check("🎯 > 🏆")
    assert "Who is “🎯”?" in page and "Who is “🏆”?" in page
    assert "will be added as" not in page
    names = ["🎯", "🏆"]
    page = kim.check("🎯 > 🏆", asked=names, answer=["ana-ruiz", "new"])
    assert "Ana Ruiz beat 🏆" in page


@pytest.mark.parametrize("name", ["bye", "Gast 2", "N.N.", "spielfrei"])
def test_a_word_for_nobody_is_asked_about_before_it_wins_or_loses(kim: Desk, name: str) -> None:
    page = kim.check(f"Ana Ruiz - {name} 1-0")
    assert f"Who is “{name}”?" in page
    assert "if no one played here, there is no result to enter" in page
    assert "will be added as" not in page


def test_a_new_name_in_another_order_stands_for_the_one_above(kim: Desk) -> None:
    page = kim.check("Max Bauer - Ana Ruiz 3-1\nBauer Max - Bo Li 3-2")
    assert "Max Bauer beat Bo Li 3–2" in page
    assert "This league has no player called" not in page
    page = kim.check("Max Bauer - Max Huber 3-1\nMax - Ana Ruiz 3-0\nBauer Max - Bo Li 3-2")
    assert "Who is “Max”?" in page and "Max Bauer beat Bo Li 3–2" in page


def test_a_first_name_with_an_apostrophe_behind_it_is_one_of_two(kim: Desk) -> None:
    text = "Sam O'Brien - Tove Lund 3-1\nSam Baumann - Siri Vik 0-3\nSam - Margit 0-3"
    page = kim.check(text)
    assert "Who is “Sam”?" in page
    assert '<option value="new:sam-o-brien">' in page


def test_new_names_that_differ_by_accents_have_answers_of_their_own(kim: Desk) -> None:
    text = "Zoë Keller - Tove Lund 3-1\nZoe Keller - Siri Vik 3-0\nZoe - Tove Lund 3-0"
    page = kim.check(text)
    answers = dict(re.findall(r'<option value="(new:[^"]*)">\s*(Zo. Keller)', page))
    assert sorted(answers.values()) == ["Zoe Keller", "Zoë Keller"]
    for answer, name in answers.items():
        page = kim.check(text, asked="Zoe", answer=answer)
        assert f"{name} beat Tove Lund 3–0" in page


def test_a_turned_name_means_who_its_first_name_is_short_for(kim: Desk) -> None:
    text = "André Favre - Tove Lund 3-1\nAndré - Siri Vik 3-0\nFavre André - Siri Vik 3-1"
    page = kim.check(text)
    assert "André Favre beat Siri Vik 3–1" in page
    assert "André Favre, Tove Lund and Siri Vik will be added" in page


@pytest.mark.parametrize("name", ["Mueller Juerg", "Juerg Mueller", "Müller Juerg"])
def test_an_umlaut_with_an_e_and_another_order_are_asked_about(
    kim: Desk, club: League, name: str
) -> None:
    ensure_player(league=club, name="Jürg Müller")
    assert f"Who is “{name}”?" in kim.check(f"{name} > Bo Li")
