"""Names of a file that no player bears: taken where one alone can be meant, or asked about."""

from __future__ import annotations

import html
import re

import pytest

from leagues.jobs.runner import drain
from leagues.models import Match, Player, PlayerAlias, Revision
from leagues.services.import_reading import ImportOptions, check_file
from leagues.services.matches import revert_revision
from tests.leagues.imports.files import table
from tests.leagues.imports.sender import Sender, plain
from tests.leagues.play import mode_of, record, result, season_of

pytestmark = pytest.mark.django_db

NAMES = "player1,player2,score1,score2\nAna,Ben,3,1\nA. Müller,Krüger Ben,3,0\n"
NAMES += '"Müller, Ana","Krüger, Ben",2,3\nMax,Cleo,3,2\n'
SPELT = "player1,player2,score1,score2\nAna Mueller,Ben Kruger,3,1\n"


@pytest.fixture
def quay(kim: Sender) -> Sender:
    """A league of Ana Müller and Ben Krüger."""
    record(kim.league, result(kim.league, "Ana Müller", "Ben Krüger"))
    return kim


def names_of(sender: Sender) -> set[str]:
    return set(sender.league.players.listed().values_list("name", flat=True))


def answers(page: str) -> dict[str, str]:
    """Each name that is asked about, with the words of its chosen answer."""
    found = re.findall(
        r'name="asked" value="([^"]*)">(.*?)</select>', html.unescape(page), re.DOTALL
    )
    chosen = {}
    for name, options in found:
        picked = re.search(r"selected>\s*(.*?)\s*</option>", options)
        chosen[name] = picked.group(1) if picked else ""
    return chosen


def test_names_that_are_short_for_one_player_are_taken_so(quay: Sender) -> None:
    address = quay.checked(NAMES)
    page = quay.page(address)
    ana, ben = "Ana Müller", "Ben Krüger"
    assert answers(page) == {
        "Ana": ana, "Ben": ben, "A. Müller": ana, "Krüger Ben": ben, "Müller, Ana": ana,
        "Krüger, Ben": ben,
    } or answers(page) == {"Ana": ana, "Ben": ben, "A. Müller": ana, "Krüger Ben": ben}  # fmt: skip
    assert "2 new players" in page
    quay.pressed(address)
    assert names_of(quay) == {ana, ben, "Max", "Cleo"}
    assert Match.objects.count() == 5


def test_a_short_name_can_be_somebody_else(quay: Sender) -> None:
    address = quay.checked(table("2026-01-05,Ana,Max,3,1"))
    quay.answer(address, "write", asked="Ana", answer="new")
    drain()
    page = quay.page(address)
    assert answers(page) == {"Ana": "Ana, a new player"}
    quay.pressed(address)
    assert names_of(quay) == {"Ana Müller", "Ben Krüger", "Ana", "Max"}
    assert not PlayerAlias.objects.exists()


def test_another_spelling_is_asked_about_and_the_import_waits(quay: Sender) -> None:
    address = quay.checked(SPELT)
    assert answers(quay.page(address)) == {"Ana Mueller": "", "Ben Kruger": "Ben Krüger"}
    refused = quay.answer(address, "write")
    assert refused.status_code == 422
    assert "Nothing was imported. Answer who these names are" in plain(refused)
    assert Match.objects.count() == 1


def test_an_answer_for_another_spelling_is_remembered_and_undone_with_the_import(
    quay: Sender,
) -> None:
    address = quay.checked(SPELT)
    ana = Player.objects.get(name="Ana Müller")
    quay.answer(address, "check", asked="Ana Mueller", answer=ana.key)
    drain()
    assert "Players with something new" in quay.page(address)
    quay.pressed(address)
    assert names_of(quay) == {"Ana Müller", "Ben Krüger"}
    # Another order or accents are short for the one player whenever they come.
    assert [alias.name for alias in PlayerAlias.objects.all()] == ["Ana Mueller"]
    later = quay.page(quay.checked(table("2026-02-01,Ana Mueller,Ben Krüger,3,1")))
    assert answers(later) == {}
    assert "Import 1 result" in later
    revert_revision(revision=Revision.objects.get(number=2), author=None)
    assert not PlayerAlias.objects.exists()


def test_all_other_names_are_new_by_one_tick(quay: Sender) -> None:
    rows = [f"2026-01-05,Ana Mueler{chr(97 + number // 26)}{chr(97 + number % 26)},Bo,3,1"
            for number in range(120)]  # fmt: skip
    address = quay.checked(table(*rows))
    page = quay.page(address)
    assert len(answers(page)) == 100
    assert "20 more names wait for an answer" in page
    assert "All 120 names without an answer are new players" in page
    quay.written(address, others_are_new="on")
    assert len(names_of(quay)) == 2 + 121


def test_what_may_be_no_player_is_asked_about(kim: Sender) -> None:
    address = kim.checked(
        "winner1,winner2,loser1,loser2,score1,score2\nAna,VOID,Bo,Cy,3,1\nCy,🎱,Bo,Ana,3,1\n"
        "Guest 2,Ana,Bo,Cy,3,0\n"
    )
    page = kim.page(address)
    assert answers(page) == {"VOID": "", "🎱": "", "Guest 2": ""}
    assert page.count("this may not be a player") == 3
    assert kim.answer(address, "write").status_code == 422
    data = {"asked": ["VOID", "🎱", "Guest 2"], "answer": ["nobody", "new", "nobody"]}
    kim.answer(address, "check", **data)
    drain()
    assert "4 new players" in kim.page(address)
    kim.pressed(address, is_right_mode="on")
    assert names_of(kim) == {"Ana", "Bo", "Cy", "🎱"}
    assert Match.objects.get(seq=1).participants.count() == 3


def test_nobody_against_a_player_is_a_row_to_skip(kim: Sender) -> None:
    address = kim.checked(table("2026-01-05,Ana,BYE,3,0", "2026-01-05,Ana,Bo,3,0"))
    kim.answer(address, "check", asked="BYE", answer="nobody")
    drain()
    page = kim.page(address)
    assert "No one is left on this side of the match." in page
    assert "<bdi>BYE</bdi>" in page
    kim.pressed(address, skip_bad="on")
    assert names_of(kim) == {"Ana", "Bo"}


def test_a_list_of_players_asks_too(quay: Sender) -> None:
    address = quay.checked("Name,Club\nMüller Ana,Quay\nMax Moe,Quay\nN/A,Quay\n")
    page = quay.page(address)
    assert answers(page) == {"N/A": "", "Müller Ana": "Ana Müller"}
    quay.answer(address, "check", asked="N/A", answer="nobody")
    drain()
    quay.pressed(address)
    assert names_of(quay) == {"Ana Müller", "Ben Krüger", "Max Moe"}


def test_a_name_that_means_another_one_since_the_check_is_shown_anew(quay: Sender) -> None:
    address = quay.checked(table("2026-01-05,Ana,Max,3,1"))
    record(quay.league, result(quay.league, "Ana Diaz", "Ben Krüger"))
    page = quay.written(address)
    assert "Something has changed since the check; this is the new preview." in page
    assert answers(page) == {"Ana": ""}
    assert Match.objects.count() == 2


def test_ids_tell_players_apart_without_a_question(quay: Sender) -> None:
    head = "date,winner_id,winner_name,loser_id,loser_name,winner_score,loser_score"
    page = quay.page(quay.checked(f"{head}\n2026-01-05,p1,Ana,p2,Ben,3,1\n"))
    assert answers(page) == {}
    assert "2 new players" in page


def test_the_command_adds_every_name_as_before(quay: Sender) -> None:
    season, mode = season_of(quay.league), mode_of(quay.league)
    report = check_file(
        season=season, mode=mode, name="a.csv", content=NAMES.encode(), options=ImportOptions()
    )
    assert (report.name_questions, report.is_waiting, report.players_created >= 6) == (
        [],
        False,
        True,
    )


def test_minus_points_are_shown_and_can_be_allowed(kim: Sender) -> None:
    kim.league.negative_scores = False
    kim.league.save()
    rows = [f"2026-01-05,Ana,Bo,3,-{number}00" for number in range(1, 31)]
    address = kim.checked(table(*rows))
    page = kim.page(address)
    assert "-100, -200, -300" in page
    assert "tick “Scores can be negative” in the settings of the league" in html.unescape(page)
    bad_rows = b"".join(kim.client.get(f"{address}bad-rows/").streaming_content)
    assert b"-100" in bad_rows
    kim.league.negative_scores = True
    kim.league.save()
    kim.answer(address, "check")
    drain()
    assert "Import 30 results" in kim.page(address)
