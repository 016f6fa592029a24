"""Two names in one cell of a file: a pair, or a name with a mark in it."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from leagues.jobs.runner import drain
from leagues.models import Match, Mode, Upload
from leagues.services.import_reading import ImportOptions, check_file
from leagues.services.leagues import add_mode
from leagues.services.modes import change_played_by
from tests.leagues.imports.files import table
from tests.leagues.imports.sender import Sender, plain
from tests.leagues.play import mode_of, record, result, season_of

pytestmark = pytest.mark.django_db

HEAD = "Datum\tHeim\tGast\tErgebnis\n"
SINGLES = "2026-01-05\tAna\tBo\t3:1\n2026-01-05\tCai\tAna\t3:2\n"
ODD = HEAD + SINGLES + "2026-01-05\tBodø/Glimt\tBrann\t3:1\n2026-01-05\tDad\tMom & Dad\t3:1\n"


@pytest.fixture
def court(kim: Sender) -> Sender:
    """A league of singles, where doubles are played too."""
    change_played_by(mode=mode_of(kim.league), played_by=Mode.PlayedBy.TWO_PLAYERS, actor=None)
    return kim


def names_of(sender: Sender) -> set[str]:
    return set(sender.league.players.listed().values_list("name", flat=True))


def report_of_last() -> dict[str, Any]:
    report: dict[str, Any] = Upload.objects.latest("pk").report
    return report


def chosen(page: str) -> dict[str, str]:
    """Each name that is asked about, with the words of its chosen answer."""
    found = re.findall(
        r'name="asked" value="([^"]*)">(.*?)</select>', html.unescape(page), re.DOTALL
    )
    picked = ((name, re.search(r"selected>\s*(.*?)\s*</option>", one)) for name, one in found)
    return {name: found.group(1) if found else "" for name, found in picked}


@pytest.mark.parametrize("joint", [" / ", "/", " + ", "+", " & ", "&"])
def test_pairs_among_singles_are_asked_about(court: Sender, joint: str) -> None:
    one, two = f"Cai{joint}Doro", f"Bea{joint}Ana"
    address = court.checked(f"{HEAD}{SINGLES}2026-01-05\t{one}\t{two}\t3:1\n")
    page = court.page(address)
    assert chosen(page) == {one: "Cai and Doro, two players", two: "Bea and Ana, two players"}
    assert "This result has 2 players a side." in page
    refused = court.answer(address, "write")
    assert refused.status_code == 422
    assert "of the kind that" in plain(refused)
    court.written(address, is_right_mode="on")
    assert names_of(court) == {"Ana", "Bo", "Cai", "Doro", "Bea"}
    assert Match.objects.get(seq=3).participants.count() == 4
    court.checked(f"{HEAD}{SINGLES}2026-01-05\t{one}\t{two}\t3:1\n")
    assert report_of_last()["already_there"] == 3
    assert report_of_last()["new_names"] == []


def test_a_pair_leads_to_what_is_for_pairs(court: Sender) -> None:
    add_mode(league=court.league, name="Doubles", played_by=Mode.PlayedBy.TWO_TEAMS, actor=None)
    page = court.page(court.checked(f"{HEAD}2026-01-05\tCai/Doro\tBea/Emil\t3:1\n"))
    assert "It fits “Doubles”." in page
    assert chosen(page)["Cai/Doro"] == "Cai and Doro, two players"


def test_a_file_of_pairs_is_for_teams(court: Sender) -> None:
    change_played_by(mode=mode_of(court.league), played_by=Mode.PlayedBy.TWO_TEAMS, actor=None)
    address = court.checked(f"{HEAD}2026-01-05\tCai & Doro\tBea & Emil\t3:1\n")
    assert "of the kind that" not in court.page(address)
    court.pressed(address)
    assert names_of(court) == {"Cai", "Doro", "Bea", "Emil"}


def test_a_name_with_a_mark_stays_one(court: Sender) -> None:
    address = court.checked(ODD)
    page = court.page(address)
    assert chosen(page) == {
        "Bodø/Glimt": "Bodø/Glimt, a new player", "Mom & Dad": "Mom & Dad, a new player",
    }  # fmt: skip
    assert "two names in one cell may be two players" in page
    court.pressed(address)
    assert {"Bodø/Glimt", "Mom & Dad"} < names_of(court)
    later = court.page(court.checked(HEAD + "2026-01-06\tBodø/Glimt\tMom & Dad\t3:1\n"))
    assert chosen(later) == {}


def test_either_can_be_answered_otherwise(court: Sender) -> None:
    rows = f"{HEAD}{SINGLES}2026-01-05\tMom & Dad\tCai / Doro\t3:1\n"
    address = court.checked(rows)
    court.answer(address, "check", asked=["Mom & Dad", "Cai / Doro"], answer=["+", "new"])
    drain()
    assert chosen(court.page(address)) == {
        "Mom & Dad": "Mom and Dad, two players", "Cai / Doro": "Cai / Doro, a new player",
    }  # fmt: skip
    court.written(address, is_right_mode="on")
    assert names_of(court) == {"Ana", "Bo", "Cai", "Mom", "Dad", "Cai / Doro"}


def test_a_player_called_so_is_no_pair(court: Sender) -> None:
    record(court.league, result(court.league, "Cai / Doro", "Ana"))
    page = court.page(court.checked(f"{HEAD}2026-01-05\tCai / Doro\tAna\t3:1\n"))
    assert chosen(page) == {}
    assert report_of_last()["new_names"] == []


def test_first_names_of_players_are_a_pair(court: Sender) -> None:
    record(court.league, result(court.league, "Cai Berg", "Doro Dahl"))
    page = court.page(court.checked(f"{HEAD}{SINGLES}2026-01-05\tCai&Doro\tAna\t3:1\n"))
    assert chosen(page)["Cai&Doro"] == "Cai and Doro, two players"
    assert "2 players against 1" in page


def test_where_nobody_is_asked_each_name_is_one_player(court: Sender) -> None:
    content = table("2026-01-05,Cai / Doro,Bea / Emil,3,1").encode()
    season, mode = season_of(court.league), mode_of(court.league)
    report = check_file(
        season=season, mode=mode, name="a.csv", content=content, options=ImportOptions()
    )
    assert report.new_names == ["Cai / Doro", "Bea / Emil"]
