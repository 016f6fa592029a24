"""Files whose scores the rule of their mode does not know: imported, and said with their lines."""

from __future__ import annotations

import gzip
import itertools

import pytest

from leagues.domain.score_rules import read_rule
from leagues.models import Match, Upload
from leagues.services.modes import change_score_rule
from tests.leagues.imports.sender import Sender
from tests.leagues.play import mode_of
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db


def notes_by(kim: Sender, rule: str, content: bytes, name: str) -> str:
    """Check a file in a mode of this rule; what it is warned of."""
    change_score_rule(mode=mode_of(kim.league), rule=read_rule(rule), actor=None)
    kim.checked(content, name=name)
    report = Upload.objects.latest("pk").report or {}
    assert not report["problems"]
    return " ".join(note for note in report["notes"] if "score rule" in note)


def test_scores_that_cannot_be_are_named_by_line_and_imported(kim: Sender) -> None:
    change_score_rule(mode=mode_of(kim.league), rule=read_rule("points to 11+2"), actor=None)
    rows = ("Ana,Bo,11,9", "Bo,Ana,11,10", "Ana,Bo,7,4", "Bo,Ana,14,12")
    head = "date,player1,player2,score1,score2"
    text = "\n".join([head, *(f"2026-03-0{day},{row}" for day, row in enumerate(rows, 1))])
    address = kim.checked(text)
    page = kim.page(address)
    assert (
        "2 scores aren’t possible by the score rule and will be imported anyway: lines 3, 4. "
        "The first: 11–10 is not possible. A match is played to 11, two clear."
    ) in page
    kim.written(address)
    assert Match.objects.count() == 4
    # What is stored already is not warned of again.
    assert "score rule" not in kim.page(kim.checked(text))


def test_a_mode_that_comes_with_the_file_takes_any_score(kim: Sender) -> None:
    change_score_rule(mode=mode_of(kim.league), rule=read_rule("points to 11+2"), actor=None)
    text = "date,player1,player2,score1,score2\n2026-03-01,Ana,Bo,7,4"
    page = kim.page(kim.checked(text, mode="", new_mode="Doubles"))
    assert "Import 1 result" in page
    assert "score rule" not in page


@pytest.mark.parametrize(
    ("name", "rule", "expected"),
    [
        ("club/foosball_2v2.csv", "points to 10", ""),
        ("federation/tabletennis/clicktt_moosburg_2015_results.xml", "sets 5 to 11+2", ""),
        ("club/ntnu_table_tennis.csv", "sets 5 to 11+2", ""),
        # Sets to four; the deciding one is a tie-break, to seven or to ten.
        (
            "messy/tennis_vereinsliga.csv",
            "sets 3 to 4 last 7+2",
            "3 scores aren’t possible by the score rule and will be imported anyway: lines 5, 10, "
            "35. The first: Set 3 can’t be 10–3. The deciding set is played to 7, two clear.",
        ),
    ],
)
def test_real_scores_of_clubs_are_possible_by_the_rules_of_their_games(
    kim: Sender, name: str, rule: str, expected: str
) -> None:
    path = shared_data(name)
    assert notes_by(kim, rule, path.read_bytes(), path.name) == expected


def tennis_of_2019(best_of: str, most: int) -> bytes:
    with gzip.open(shared_data("tennis/atp_singles.csv.gz"), "rt", encoding="utf-8") as file:
        head = next(file)
        rows = (row for row in file if row[:4] == "2019" and row.split(",")[5] == best_of)
        return "".join([head, *itertools.islice(rows, most)]).encode()


def test_real_tennis_with_walkovers_and_retirements(kim: Sender) -> None:
    content = tennis_of_2019("3", 300)
    assert content.count(b"RET") > 3 and content.count(b"W/O") > 1
    # All are possible but for a match tie-break, “[10-5]”, in the place of the third set.
    assert notes_by(kim, "sets 3 to 6+2<7", content, "atp.csv") == (
        "1 score isn’t possible by the score rule and will be imported anyway: line 76. Set 3 "
        "can’t be 10–5. A set is played to 6, two clear, or to 7 at the latest."
    )


def test_real_tennis_whose_last_set_had_no_tie_break(kim: Sender) -> None:
    note = notes_by(kim, "sets 5 to 6+2<7", tennis_of_2019("5", 300), "atp.csv")
    assert "Set 5 can’t be 9–7. A set is played to 6, two clear, or to 7 at the latest." in note
