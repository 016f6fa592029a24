"""No page of a league created from real results answers 500, whatever its last result was."""

from __future__ import annotations

import pytest

from tests.leagues.walk.shapes import of_file
from tests.leagues.walk.walking import IS_THOROUGH, told, walk

pytestmark = pytest.mark.django_db

FEW = (
    "chess/lichess_20k.csv.gz",
    "club/catan.csv",
    "club/foosball_2v2.csv",
    "halo2/halo2_largeteam.csv.gz",
)
MORE = (
    "football_excerpt.csv",
    "club/ntnu_table_tennis.csv",
    "club/riichi_mahjong.csv",
    "club/smash_doubles.csv.gz",
    "club/smash_singles.csv.gz",
    "club/terraforming_mars.csv",
    "football/international.csv.gz",
    "go/tom_9d.csv.gz",
    "halo2/halo2_headtohead.csv.gz",
    "messy/foosball_game_log.xlsx",
    "messy/football_data_E0.csv",
    "messy/kq_2021_results.csv",
    "messy/ntnu_season2_excel_cp1252.csv",
    "messy/smashgg_doubles_raw.csv",
    "messy/smashgg_singles_raw.csv",
    "messy/tennis_vereinsliga.csv",
    "teams/kq_matches.csv.gz",
    "tennis/atp_singles.csv.gz",
    "scale/startgg_1v1.csv.gz",
)
LINES = 400 if IS_THOROUGH else 60


@pytest.mark.parametrize("file", (*FEW, *MORE) if IS_THOROUGH else FEW)
def test_every_page_of_a_real_league_answers(file: str) -> None:
    walked = walk(of_file(file, LINES))
    assert walked.league.matches.exists()
    assert walked.faults == [], told(walked.faults)
