"""Files as clubs keep them, through the wizard: a stored league, or words that say what to do."""

from __future__ import annotations

import html

import pytest

from leagues.models import Match, Upload
from tests.leagues.imports.sender import Sender, plain
from tests.shared_data import SHARED, shared_data

pytestmark = pytest.mark.django_db

READ = {
    "messy/foosball_game_log.xlsx": (1_092, 386),
    "messy/football_data_E0.csv": (261, 0),
    "messy/kq_2021_results.csv": (397, 0),
    "messy/ntnu_season2_excel_cp1252.csv": (243, 1),
    "messy/smashgg_doubles_raw.csv": (826, 2),
    "messy/smashgg_singles_raw.csv": (3_819, 0),
    "messy/startgg_event_matches.json": (8, 0),
    "messy/tennis_vereinsliga.csv": (43, 0),
    "club/catan.csv": (242, 0),
    "club/foosball_2v2.csv": (706, 0),
    "club/ntnu_table_tennis.csv": (1_039, 33),
    "club/riichi_mahjong.csv": (540, 0),
    "club/terraforming_mars.csv": (342, 0),
}
"""Results that are stored, and rows that have to be skipped."""
PLAYERS = {
    "messy/kq_team_sheet_merged_cells.csv": (593, 506),
    "teams/kq_rosters.csv": (1_163, 4_131),
}
"""Lists of players: how many become players, and rows that have to be skipped."""
CHECKED = {
    "messy/catan_games.txt": "No columns say who played.",
    "messy/kq_midwest_no_header.csv": "The first line does not contain column names.",
    "messy/ntnu_match_history.ods": "has no dates that can be read; it is empty.",
    "messy/smashgg_standings_raw.csv": "which rows belong to one match. Add one",
    "messy/swiss_fixtures_bom.csv": "who plays whom but not who won.",
    "messy/terraforming_mars_S4.log": "No columns say who played.",
    "messy/ufolep_time_trial.csv": "which rows belong to one match. Add one",
}
"""Tables without results, or without what tells them; the check says what is missing."""
REFUSED = {
    "messy/foosball_log_sheet.docx": "This is a Word document; save the table as CSV",
    "messy/startgg_event_attr.json": "has no matches; use the file with the matches.",
    "messy/startgg_event_seeds.json": "not its matches; use the file with the matches.",
    "messy/startgg_event_standings.json": "not its matches; use the file with the matches.",
}


def test_every_messy_file_has_an_outcome_here() -> None:
    shared_data("messy/catan_games.txt")
    names = {f"messy/{path.name}" for path in (SHARED / "data" / "messy").iterdir()}
    assert names - {"messy/HEADERS.md"} <= {*READ, *PLAYERS, *CHECKED, *REFUSED}


@pytest.mark.parametrize("name", READ)
def test_a_file_with_results_becomes_a_stored_league(kim: Sender, name: str) -> None:
    path = shared_data(name)
    good, bad = READ[name]
    address = kim.checked(path.read_bytes(), name=path.name)
    report = Upload.objects.get().report
    assert report is not None
    assert (report["problems"], report["imported"], report["error_count"]) == ([], good, bad)
    # Nicknames such as “void” and “@@” may be nobody and are asked about.
    agreed = {"others_are_new": "on", "may_repeat": "on"}
    kim.written(address, **agreed, **({"skip_bad": "on"} if bad else {}))
    assert Match.objects.count() == good


@pytest.mark.parametrize("name", PLAYERS)
def test_a_list_of_players_becomes_players_with_their_teams(kim: Sender, name: str) -> None:
    path = shared_data(name)
    players, bad = PLAYERS[name]
    address = kim.checked(path.read_bytes(), name=path.name)
    page = html.unescape(kim.page(address))
    report = Upload.objects.get().report
    assert report is not None
    bad_rows = b"".join(kim.client.get(f"{address}bad-rows/").streaming_content)
    assert bad_rows.count(b"An earlier row says something else of this player.") > 400
    kim.written(address, skip_bad="on")
    assert (kim.league.players.count(), report["error_count"]) == (players, bad)
    if "merged" in name:
        assert "rows have no team. If cells are merged in the file" in page


@pytest.mark.parametrize("name", CHECKED)
def test_a_table_without_results_says_what_is_missing(kim: Sender, name: str) -> None:
    path = shared_data(name)
    page = html.unescape(kim.page(kim.checked(path.read_bytes(), name=path.name)))
    assert "This cannot be imported yet." in page
    assert CHECKED[name] in page
    assert "What will be imported" not in page


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_table_is_refused_beside_the_field(kim: Sender, name: str) -> None:
    path = shared_data(name)
    response = kim.send(path.read_bytes(), name=path.name)
    assert response.status_code == 422
    assert REFUSED[name] in html.unescape(plain(response))
    assert not Upload.objects.exists()


def test_a_misread_column_is_said_once(kim: Sender) -> None:
    rows = "".join(f"2026-01-05,Ana,Bo,by {number}\n" for number in range(2_358))
    page = kim.page(kim.checked("date,home,away,score\n" + rows))
    assert page.count("This is not a score such as 7:4.") == 1
    assert "Column “score”, 2 358 rows" in page.replace("2,358", "2 358").replace("\xa0", " ")
    assert "by 0, by 1, by 2, by 3, by 4" in page
    assert "choose its meaning above and check again" in page


def test_few_bad_rows_are_listed_one_by_one(kim: Sender) -> None:
    bad = "2026-01-05,Ana,Bo,by 1\n" * 3
    page = kim.page(kim.checked("date,home,away,score\n" + "2026-01-05,Cy,Di,3:1\n" * 9 + bad))
    assert page.count("This is not a score such as 7:4.") == 3


def test_a_name_in_two_places_of_a_row_is_said_once_with_what_to_do(kim: Sender) -> None:
    """As in the log of a foosball club, where who plays alone stands at both ends of the table."""
    hint = "If two players share this name, tell them apart"
    for count, times in ((384, 1), (3, 3)):
        alone = "2026-01-05,river,river,eric,eric\n" * count
        page = kim.page(kim.checked(f"date,WO,WD,LO,LD\n2026-01-05,Ana,Bo,Cy,Di\n{alone}"))
        assert page.count("A player can only be on a side once.") == times
        assert page.count(hint) == 1
        assert "leave the second cell empty" in page


def test_two_players_of_one_name_in_a_pod_are_said_once(kim: Sender) -> None:
    pods = "".join(f"{number},Ana,1\n{number},Ana,2\n{number},Bo,3\n" for number in range(30))
    page = kim.page(kim.checked(f"game,player,rank\n{pods}"))
    assert page.count("A player can only play once in a match.") == 1
    assert "Column “player”, 30 rows" in page
    assert page.count("or by a column with ids of the players") == 1
