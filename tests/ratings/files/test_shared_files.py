"""Real results files: every match and every bad row is accounted for."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from ratings.files.columns import recognise
from ratings.files.problems import FileProblem
from ratings.files.tables import Limits, open_table
from tests.ratings.files.reading import SAMPLE, read_path
from tests.shared_data import shared_data

COUNTS = {
    "chess/lichess_20k.csv.gz": (20_056, {"A player cannot be on both sides.": 2}),
    "club/catan.csv": (242, {}),
    "club/foosball_2v2.csv": (706, {}),
    "club/ntnu_table_tennis.csv": (1_039, {"The winner is neither of the two players.": 33}),
    "club/riichi_mahjong.csv": (540, {}),
    "club/smash_doubles.csv.gz": (
        13_725,
        {"The date is missing.": 1_162, "A player can only be on a side once.": 8},
    ),
    "club/terraforming_mars.csv": (342, {}),
    "football/international.csv.gz": (49_520, {}),
    "go/tom_9d.csv.gz": (50_956, {}),
    "halo2/halo2_headtohead.csv.gz": (6_028, {}),
    "halo2/halo2_largeteam.csv.gz": (972, {}),
    "messy/football_data_E0.csv": (261, {}),
    "messy/kq_2021_results.csv": (397, {}),
    "messy/ntnu_season2_excel_cp1252.csv": (
        243,
        {"The winner is neither of the two players.": 1},
    ),
    "messy/smashgg_doubles_raw.csv": (826, {"The line has 13 cells, but the header has 7.": 2}),
    "messy/smashgg_singles_raw.csv": (3_819, {}),
    "messy/startgg_event_matches.json": (8, {}),
    "messy/tennis_vereinsliga.csv": (43, {}),
    "messy/foosball_game_log.xlsx": (
        1_092,
        {
            "A player can only be on a side once.": 385,
            "A player cannot be on both sides.": 1,
        },
    ),
    "teams/kq_matches.csv.gz": (3_955, {}),
}


@pytest.mark.parametrize("name", COUNTS)
def test_every_row_is_a_match_or_a_bad_row(name: str) -> None:
    good, bad = read_path(shared_data(name))
    assert (len(good), Counter(row.reason for row in bad)) == COUNTS[name]


def test_smash_singles_names_every_row_it_leaves_out() -> None:
    good, bad = read_path(shared_data("club/smash_singles.csv.gz"))
    assert (len(good), len(bad)) == (63_745, 4_135)
    assert Counter(result.kind for result in good)["walkover"] == 5_708
    assert Counter(row.reason for row in bad)["The date is missing."] == 4_118


def test_atp_has_three_self_matches_and_its_walkovers() -> None:
    good, bad = read_path(shared_data("tennis/atp_singles.csv.gz"))
    assert len(good) == 194_993
    assert [row.reason for row in bad] == ["A player cannot be on both sides."] * 3
    assert Counter(result.kind for result in good) == {
        "played": 189_648,
        "retirement": 4_035,
        "walkover": 1_273,
        "unrated": 37,
    }
    assert all(before.played <= after.played for before, after in pairwise(good))


def test_catans_star_decides_and_ties_stay() -> None:
    good, _ = read_path(shared_data("club/catan.csv"))
    firsts = [sum(side.rank == 1 for side in result.sides) for result in good]
    level = [
        result
        for result in good
        if len({side.score for side in result.sides if side.rank <= 2}) == 1
    ]
    assert set(firsts) == {1}
    assert len(level) >= 2
    assert sum(len({side.rank for side in r.sides}) < len(r.sides) for r in good) == 129


def test_halo_teams_add_their_players_scores() -> None:
    good, _ = read_path(shared_data("halo2/halo2_largeteam.csv.gz"))
    assert {len(result.sides) for result in good} == {2}
    assert sum(len({side.rank for side in result.sides}) == 1 for result in good) == 149
    for result in good:
        for side in result.sides:
            assert side.score == sum(person.own_score or 0 for person in side.players)


def test_lichess_has_its_draws_and_unrated_games() -> None:
    good, _ = read_path(shared_data("chess/lichess_20k.csv.gz"))
    assert sum(len({side.rank for side in result.sides}) == 1 for result in good) == 950
    assert sum(result.kind == "unrated" for result in good) == 3_902
    assert sum(result.warning.startswith("The same as line") for result in good) == 945


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("football/former_names.csv", "No columns say who played"),
        ("messy/catan_games.txt", "No columns say who played"),
        ("messy/foosball_log_sheet.docx", "This is a Word document"),
        ("messy/kq_midwest_no_header.csv", "does not contain column names"),
        ("messy/ntnu_match_history.ods", "has no dates that can be read; it is empty"),
        ("messy/smashgg_standings_raw.csv", "which rows belong to one match"),
        ("messy/startgg_event_attr.json", "describes an event"),
        ("messy/startgg_event_seeds.json", "the seeding of an event"),
        ("messy/startgg_event_standings.json", "the final placings"),
        ("messy/swiss_fixtures_bom.csv", "looks like a schedule"),
        ("messy/terraforming_mars_S4.log", "No columns say who played"),
        ("messy/ufolep_time_trial.csv", "which rows belong to one match"),
    ],
)
def test_what_holds_no_results_is_refused_in_words(name: str, words: str) -> None:
    with shared_data(name).open("rb") as stream:
        try:
            table = open_table(stream, limits=Limits())
        except FileProblem as problem:
            assert words in problem.reason
        else:
            layout = recognise(table.header, table.sample(SAMPLE))
            assert words in " ".join(layout.problems)
