"""Matches and bad rows: what every shape of row means."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime

import pytest

from ratings.files.problems import FileProblem
from ratings.files.results import content_key
from tests.ratings.files.reading import read, told


def matches(text: str) -> list[str]:
    good, bad = read(text)
    assert bad == []
    return [told(result) for result in good]


def reasons(text: str) -> list[tuple[int, str, str, str]]:
    return [(row.line, row.column, row.value, row.reason) for row in read(text)[1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("winner,loser\nAna,Bo\n", "Ana 1 / Bo 2"),
        ("winner,loser,winner_score,loser_score\nAna,Bo,3,1\n", "Ana 1 (3) / Bo 2 (1)"),
        ("home,away,home_score,away_score\nAna,Bo,1,3\n", "Ana 2 (1) / Bo 1 (3)"),
        ("home,away,home_score,away_score\nAna,Bo,0,0\n", "Ana 1 (0) / Bo 1 (0)"),
        ("home,away,score\nAna,Bo,7–4\n", "Ana 1 (7) / Bo 2 (4)"),
        ("player1,player2,winner\nAna,Bo, bo \n", "Ana 2 / Bo 1"),
        ("player1,player2,winner\nAna,Bo,draw\n", "Ana 1 / Bo 1"),
        ("player1,player2,winner,score\nAna,Bo,Bo,2:2\n", "Ana 2 (2) / Bo 1 (2)"),
        ("player1,player2,winner,score\nAna,Bo,,2:2\n", "Ana 1 (2) / Bo 1 (2)"),
        ("white,black,result\nAna,Bo,1/2-1/2\n", "Ana 1 / Bo 1"),
        ("white,black,result\nAna,Bo,0-1\n", "Ana 2 / Bo 1"),
        ("black,white,winner\nAna,Bo,white\n", "Bo 1 / Ana 2"),
        ("white,black,result\nAna,Bo,B+0.5\n", "Ana 2 / Bo 1"),
        ("player1,player2,winner\nB,A,A\n", "B 2 / A 1"),
        ("white,black,winner\nBlack,White,White\n", "Black 2 / White 1"),
        ("home,away,result\nAna,Bo,X\n", "Ana 1 / Bo 1"),
        ("HomeTeam,AwayTeam,FTHG,FTAG,FTR\nAna,Bo,1,0,H\n", "Ana 1 (1) / Bo 2 (0)"),
        (
            "winner_offense,winner_defense,loser_offense,loser_defense\nana,bo,cy,di\n",
            "ana+bo 1 / cy+di 2",
        ),
        ("t1p1,t1p2,t2p1,t2p2,score\nana,bo,cy,,10:8\n", "ana+bo 1 (10) / cy 2 (8)"),
        ("player1,player2,player3,score1,score2,score3\nA,B,C,9,10,9\n",
         "A 2 (9) / B 1 (10) / C 2 (9)"),
        ("player1,player2,player3,player4,score1,score2,score3,score4\nA,B,,C,9,10,,8\n",
         "A 2 (9) / B 1 (10) / C 3 (8)"),
        ("player1,player2,satz1,satz2,tiebreak\nAna,Bo,4:3,3:4,8:10\n", "Ana 2 (1) / Bo 1 (2)"),
        ("winner,loser,score\nAna,Bo,6-4 3-6 6-1\n", "Ana 1 (2) / Bo 2 (1)"),
    ],
)  # fmt: skip
def test_a_match_a_row(text: str, expected: str) -> None:
    assert matches(text) == [expected]


def test_zero_and_one_mean_the_first_and_second_side_where_the_column_says_winner() -> None:
    text = "P1,P2,set winner,P1Score,P2Score\nA,B,0,2,0\nA,B,1,1,2\nA,C,0,0,-1\nA,B,1,-2,-2\n"
    good, bad = read(text)
    assert [told(result) for result in good] == [
        "A 1 (2) / B 2 (0)",
        "A 2 (1) / B 1 (2)",
        "A 1 / C 2",
        "A 2 / B 1",
    ]
    assert [result.kind for result in good] == ["played", "played", "walkover", "played"]
    assert bad == []


def test_one_and_two_mean_the_first_and_second_side() -> None:
    assert matches("player1,player2,winner_side\nA,B,1\nA,B,2\n") == ["A 1 / B 2", "A 2 / B 1"]


def test_one_and_zero_are_the_first_sides_score_where_the_column_says_result() -> None:
    text = "white,black,result\nA,B,1\nA,B,0\nA,B,0.5\n"
    assert matches(text) == ["A 1 / B 2", "A 2 / B 1", "A 1 / B 1"]


def test_a_winner_unlike_both_players_is_named() -> None:
    text = "date,player1,player2,winner\n2025-01-02,Fredrik,Ana,Fredric\n2025-01-02,Ana,Bo,Ana\n"
    assert reasons(text) == [(2, "winner", "Fredric", "The winner is neither of the two players.")]


def test_a_winner_against_the_score_decides_and_is_a_warning() -> None:
    good, _ = read("player1,player2,winner,score\nAna,Bo,Bo,3:1\n")
    assert told(good[0]) == "Ana 2 (3) / Bo 1 (1)"
    assert good[0].warning == "The winner given has the lower score."


def test_a_shoot_out_does_not_turn_a_draw_into_a_win() -> None:
    text = "home,away,home_score,away_score,shootout_winner\nAna,Bo,1,1,Bo\n"
    assert matches(text) == ["Ana 1 (1) / Bo 1 (1)"]


@pytest.mark.parametrize(
    ("row", "kind", "scores", "detail"),
    [
        ("6-4 3-6 6-1,", "played", (2, 1), "6-4 3-6 6-1 | "),
        ("7-6(2) 6-4,", "played", (2, 0), "7-6(2) 6-4 | "),
        ("W/O,W/O", "walkover", (None, None), "W/O"),
        (",W/O", "walkover", (None, None), ""),
        ("6-4 3-1 RET,RET", "retirement", (None, None), "6-4 3-1 | RET"),
        ("6-4 3-1,RET", "retirement", (None, None), "6-4 3-1 | "),
        ("6-4 DEF,DEF", "retirement", (None, None), "6-4 | DEF"),
        ("6-1 8-6 ABD,ABN", "unrated", (None, None), "6-1 8-6 | ABD"),
        (",NOSCORE", "played", (None, None), ""),
        ("UNK,", "played", (None, None), "UNK"),
        ("6-4 6-2,friendly", "unrated", (2, 0), "6-4 6-2 | "),
    ],
)
def test_how_a_match_ended(
    row: str, kind: str, scores: tuple[int | None, ...], detail: str
) -> None:
    good, bad = read(f"winner,loser,score,flag\nCy,Di,6-1 6-1,\nAna,Bo,{row}\n")
    assert bad == []
    assert good[1].kind == kind
    assert tuple(side.score for side in good[1].sides) == scores
    sets, _, words = detail.rpartition(" | ")
    assert (good[1].sets, good[1].detail) == (sets, words)


def test_a_flag_that_comes_late_in_a_long_file_is_seen() -> None:
    text = "winner,loser,flag\n" + "Ana,Bo,\n" * 500 + "Ana,Bo,W/O\nAna,Bo,hm\n"
    good, bad = read(text)
    assert good[-1].kind == "walkover"
    assert [(row.line, row.value) for row in bad] == [(503, "hm")]


def test_a_word_in_a_comment_counts_and_other_text_does_not() -> None:
    good, bad = read("winner,loser,comment\nAna,Bo,friendly\nAna,Bo,open\nAna,Bo,1\n")
    assert [result.kind for result in good] == ["unrated", "played", "played"]
    assert bad == []


def test_matches_that_are_not_rated_say_so() -> None:
    good, _ = read("winner,loser,rated\nAna,Bo,1\nAna,Bo,FALSE\n")
    assert [result.kind for result in good] == ["played", "unrated"]


@pytest.mark.parametrize(
    ("text", "column", "value", "words"),
    [
        ("winner,loser\nAna, ana \n", "loser", " ana ", "player cannot be on both sides"),
        ("winner,loser\nAna,\n", "loser", "", "name is empty"),
        ("winner,loser\nAna,Bo\u202e\n", "loser", "Bo\\u202e", "direction"),
        ("winner,loser\nAna," + "x" * 65 + "\n", "loser", "x" * 65, "longer than 64"),
        ("w1,w2,l1,l2\nAna,Ana,Bo,Cy\n", "w1", "Ana", "only be on a side once"),
        ("winner,loser\nAna,Bo,Cy\n", "", "Ana, Bo, Cy", "line has 3 cells, but the header has 2"),
        ("home,away,score\nA,B,3:1\nAna,Bo,\n", "score", "", "score is missing"),
        ("home,away,score\nA,B,3:1\nAna,Bo,x\n", "score", "x", "not a score"),
        ("home,away,score\n" + "A,B,3:1\n" * 4 + "Ana,Bo,2026-01-03\n", "score",
         "2026-01-03", "into a date"),
        ("home,away,score1,score2\nAna,Bo,3,\n", "score2", "", "score is missing"),
        ("home,away,score1,score2\nAna,Bo,3,1.5\n", "score2", "1.5", "whole number"),
        ("home,away,score1,score2\nAna,Bo,3,1000000\n", "score2", "1000000", "whole number"),
        ("player1,player2,winner\nA,B,A\nAna,Bo,\n", "winner", "", "no winner and no score"),
        ("white,black,result\n" + "A,B,1-0\n" * 4 + "Ana,Bo,?\n", "result", "?", "who won"),
        ("winner,loser,flag\nAna,Bo,cancelled\n", "flag", "cancelled", "not been played"),
        ("winner,loser,date\n" + "A,B,2025-01-02\n" * 4 + "Ana,Bo,2025-13-01\n", "date",
         "2025-13-01", "no month 13"),
        ("winner,loser,order\n" + "A,B,1\n" * 4 + "Ana,Bo,x\n", "order", "x", "whole number"),
        ("winner,loser,weight\nAna,Bo,0\n", "weight", "0", "more than 0"),
        ("winner,loser,weight\nAna,Bo,heavy\n", "weight", "heavy", "a number"),
        ("winner,winner_id,loser,loser_id\nAna,1,Bo,\n", "loser_id", "", "id is missing"),
        ("winner,winner_id,loser,loser_id\nAna,1,Bo,é\n", "loser_id", "é", "id must have 1 to 128"),
    ],
)  # fmt: skip
def test_a_bad_row_is_named_by_line_column_and_value(
    text: str, column: str, value: str, words: str
) -> None:
    bad = reasons(text)
    assert len(bad) == 1
    assert bad[0][0] == text.count("\n")
    assert bad[0][1:3] == (column, value)
    assert words in bad[0][3]


def test_every_bad_row_is_listed_and_the_good_ones_are_read() -> None:
    good, bad = read("winner,loser\nAna,Ana\nAna,Bo\nCy,Cy\n")
    assert [row.line for row in bad] == [2, 4]
    assert [result.line for result in good] == [3]


def test_an_id_tells_two_of_one_name_apart() -> None:
    good, bad = read("winner_id,winner_name,loser_id,loser_name\n1,Ana,2,Ana\n")
    assert bad == []
    assert [side.players[0].key for side in good[0].sides] == ["1", "2"]


def test_cells_of_our_own_export_come_back_as_they_were() -> None:
    good, _ = read("winner,loser\n'=HYPERLINK(1),'+49\n")
    assert told(good[0]) == "=HYPERLINK(1) 1 / +49 2"


def test_rows_with_an_id_keep_it_and_the_same_row_again_is_told() -> None:
    good, bad = read("id,winner,loser\na1,Ana,Bo\na2,Ana,Bo\n")
    assert [result.external_id for result in good] == ["a1", "a2"]
    good, bad = read("match_id,winner,loser\n" + "".join(f"m{n},Ana,Bo\n" for n in [*range(30), 0]))
    assert bad == []
    assert good[-1].warning == "The same as line 2."


def test_two_matches_with_one_id_are_refused_with_both_lines() -> None:
    rows = "".join(f"m{n},Ana,Bo\n" for n in range(30)) + "m0,Bo,Ana\n"
    assert reasons("match_id,winner,loser\n" + rows) == [
        (32, "match_id", "m0", "Line 2 uses the same id for another match.")
    ]


def test_a_number_that_is_not_of_one_match_is_no_id() -> None:
    good, _ = read("id,winner,loser\n7,Ana,Bo\n7,Ana,Cy\n")
    assert [result.external_id for result in good] == [None, None]


def test_matches_of_one_instant_are_counted_as_they_come() -> None:
    good, _ = read(
        "date,winner,loser\n2025-01-02,A,B\n2025-01-02,C,D\n2025-01-03,A,B\n2025-01-03,E,F\n"
    )
    assert [result.order for result in good] == [0, 1, 0, 1]


def test_in_a_file_with_the_newest_first_the_later_row_is_the_earlier_match() -> None:
    good, _ = read("date,winner,loser\n2025-01-03,A,B\n2025-01-03,C,D\n2025-01-02,E,F\n")
    assert [result.order for result in good] == [0, -1, 0]


def test_an_order_column_decides_unless_it_counts_the_lines_from_the_newest() -> None:
    rising = "order,date,winner,loser\n5,2025-01-02,A,B\n4,2025-01-02,C,D\n9,2025-01-03,A,B\n"
    assert [result.order for result in read(rising)[0]] == [5, 4, 9]
    falling = "order,date,winner,loser\n1,2025-01-03,A,B\n2,2025-01-02,C,D\n3,2025-01-02,A,B\n"
    assert [result.order for result in read(falling)[0]] == [0, 0, -1]


def test_a_file_without_dates_is_dated_today_and_says_the_same_tomorrow() -> None:
    good, _ = read("winner,loser\nAna,Bo\nAna,Cy\n", zone="UTC")
    assert [(result.played, result.dated, result.order) for result in good] == [
        (datetime(2026, 11, 21, tzinfo=UTC), False, 0),
        (datetime(2026, 11, 21, tzinfo=UTC), False, 1),
    ]


def test_a_date_alone_is_kept_as_such() -> None:
    good, _ = read("date,winner,loser\n2025-07-02,Ana,Bo\n")
    assert good[0].date_only
    assert good[0].played == datetime(2025, 7, 1, 23, tzinfo=UTC)


def test_equal_rows_have_one_content_key_and_others_another() -> None:
    text = (
        "date,player1,player2,score\n"
        "2025-01-02,Ana,Bo,3:1\n2025-01-02,ana , BO,3-1\n2025-01-02,Bo,Ana,1:3\n"
        "2025-01-02,Ana,Bo,3:2\n2025-01-03,Ana,Bo,3:1\n2025-01-02,Bo,Ana,3:1\n"
    )
    keys = [content_key(result) for result in read(text)[0]]
    assert keys[0] == keys[1] == keys[2]
    assert len(set(keys)) == 4


def test_a_content_key_is_the_hash_of_what_the_row_says_as_json() -> None:
    text = 'date,player1,player2,score\n2025-01-02,Bo “B”,"Ana \\, é",3:1\n'
    wide = [*read(text)[0], *read("winner,loser\nAna,Bo\n", zone="UTC")[0]]
    long, _ = read("game_id,date,team,player,score\n1,2025-01-02,x,A,3\n1,2025-01-02,y,B,9\n")
    for result in (*wide, *long):
        sides = sorted(
            [
                side.rank,
                "" if side.score is None else str(side.score),
                sorted(
                    [person.identity, "" if person.own_score is None else str(person.own_score)]
                    for person in side.players
                ),
            ]
            for side in result.sides
        )
        instant = int(result.played.timestamp()) * 1_000_000 if result.dated else None
        said = json.dumps([instant, result.date_only, result.kind, sides], separators=(",", ":"))
        assert content_key(result) == hashlib.sha256(said.encode()).hexdigest()
    assert [result.dated for result in wide] == [True, False]
    assert long[0].sides[0].players[0].own_score == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("game_id,player,score\n1,A,5\n1,B,9\n1,C,5\n", "A 2 (5) / B 1 (9) / C 2 (5)"),
        ("game_id,player,rank\n1,A,1\n1,B,2\n1,C,2\n1,D,3\n", "A 1 / B 2 / C 2 / D 4"),
        ("game_id,player,rank\n1,A,3\n1,B,7\n", "A 1 / B 2"),
        ("game_id,player,points,star\n1,A,10,0\n1,B,10,1\n1,C,8,0\n",
         "A 2 (10) / B 1 (10) / C 3 (8)"),
        ("game_id,player,points,star\n1,A,10,\n1,B,10,*\n", "A 2 (10) / B 1 (10)"),
        ("game_id,player,result\n1,A,won\n1,B,lost\n", "A 1 / B 2"),
        ("game_id,player,result\n1,A,draw\n1,B,draw\n", "A 1 / B 1"),
        ("game_id,player,winner\n1,A,0\n1,B,1\n", "A 2 / B 1"),
        ("game_id,team,player,won\n1,x,A,yes\n1,y,B,no\n1,x,C,yes\n", "A+C 1 / B 2"),
        ("game_id,team,player,score\n1,x,A,3\n1,y,B,2\n1,x,C,1\n1,y,D,2\n",
         "A+C 1 (4) / B+D 1 (4)"),
        ("game_id,team,player,rank\n1,x,A,1\n1,x,B,1\n1,y,C,2\n", "A+B 1 / C 2"),
        ("game_id,player,score\n1,A,-5\n1,B,-9\n", "A 1 (-5) / B 2 (-9)"),
    ],
)  # fmt: skip
def test_a_participant_a_row(text: str, expected: str) -> None:
    assert matches(text) == [expected]


def test_team_mates_keep_their_own_scores() -> None:
    good, _ = read("game_id,team,player,score\n1,x,A,3\n1,x,B,2\n1,y,C,9\n")
    assert [[p.own_score for p in side.players] for side in good[0].sides] == [[3, 2], [9]]


def test_a_rank_against_the_score_decides_and_is_a_warning() -> None:
    good, _ = read("game_id,player,score,rank\n1,A,5,1\n1,B,9,2\n")
    assert told(good[0]) == "A 1 (5) / B 2 (9)"
    assert good[0].warning == "The better rank has the lower score."


@pytest.mark.parametrize(
    ("rows", "line", "column", "words"),
    [
        ("1,A,5\n1,,9\n", 3, "player", "name is missing"),
        ("1,A,5\n1,B,x\n", 3, "score", "whole number"),
        ("1,A,5\n1,B,\n", 3, "score", "score is missing"),
        ("1,A,5\n1,a,9\n", 2, "player", "only play once in a match"),
        ("1,A,5\n2,A,5\n2,B,5\n", 2, "game_id", "This match has only one side"),
        ("1,A,5\n1,B,6,7\n", 3, "", "has 4 cells"),
    ],
)
def test_one_bad_participant_spoils_its_match_alone(
    rows: str, line: int, column: str, words: str
) -> None:
    good, bad = read(f"game_id,player,score\n{rows}9,X,1\n9,Y,2\n")
    assert [(row.line, row.column) for row in bad] == [(line, column)]
    assert words in bad[0].reason
    assert [result.external_id for result in good if result.external_id == "1"] == []
    assert good[-1].external_id == "9"


def test_a_row_without_a_match_spoils_those_before_and_behind_it() -> None:
    """Whether its player is missing in the one or the other, no row says."""
    rows = "1,A,1\n1,B,2\n2,C,1\n2,D,2\n{}\n3,G,1\n3,H,2\n4,I,1\n4,J,2\n"
    for between in (",E,3", "3,E,3,x"):
        good, bad = read(f"game_id,player,rank\n{rows.format(between)}")
        assert [result.external_id for result in good] == ["1", "4"]
        assert [row.line for row in bad] == [6, 7]
        assert "The row above may belong to this match" in bad[1].reason


def test_every_bad_participant_is_listed() -> None:
    assert [row.line for row in read("game_id,player,score\n1,A,x\n1,B,y\n1,C,1\n")[1]] == [2, 3]


def test_rows_that_return_to_an_earlier_match_are_refused_with_both_lines() -> None:
    """Left out as bad rows, they would leave the match without some of its players."""
    with pytest.raises(FileProblem) as caught:
        read("game_id,player,score\n1,A,1\n1,B,2\n2,A,1\n2,B,2\n1,C,3\n")
    assert (caught.value.line, caught.value.column, caught.value.value) == (6, "game_id", "1")
    assert "line 6 continues the match of line 3. Sort the file by “game_id”." in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game_id,player,result\n1,A,won\n1,B,won\n", "a winner and a loser"),
        ("game_id,team,player,rank\n1,x,A,1\n1,x,B,2\n1,y,C,2\n", "different ranks"),
        ("game_id,date,player,rank\n1,2025-01-02,A,1\n1,2025-01-03,B,2\n", "different dates"),
    ],
)
def test_rows_of_a_match_must_agree(text: str, words: str) -> None:
    good, bad = read(text)
    assert good == []
    assert words in bad[0].reason


def test_a_flag_on_one_row_tells_how_a_match_of_two_ended() -> None:
    good, _ = read("game_id,player,rank,dq\n1,A,1,0\n1,B,2,1\n2,A,1,0\n2,B,2,0\n")
    assert [result.kind for result in good] == ["walkover", "played"]


@pytest.mark.parametrize("header", ["Ergebnis", "Resultado", "Score", "Result"])
@pytest.mark.parametrize(
    "half", ["½", "½-½", "1/2", "1/2-1/2", "0.5-0.5", "0,5-0,5", "0,5:0,5", "½:½", "remis"]
)
def test_half_points_are_draws_whatever_the_column_is_called(header: str, half: str) -> None:
    rows = f"Datum;Weiß;Schwarz;{header}\n1.2.2026;Ana;Bo;1-0\n2.2.2026;Bo;Cy;0-1\n"
    matches, bad = read(rows + f"3.2.2026;Cy;Ana;½\n4.2.2026;Bo;Ana;{half}\n5.2.2026;Ana;Cy;1-0\n")
    assert not bad
    ranks = [[side.rank for side in match.sides] for match in matches]
    assert ranks == [[1, 2], [2, 1], [1, 1], [1, 1], [1, 2]]


def test_points_of_the_first_side_may_have_decimal_commas() -> None:
    matches, bad = read("Weiß;Schwarz;Ergebnis\nAna;Bo;1\nBo;Cy;0\nCy;Ana;½\nBo;Ana;0,5\n")
    assert not bad
    assert [match.sides[0].rank - match.sides[1].rank for match in matches] == [-1, 1, 0, 0]


def test_a_word_that_nobody_knows_makes_no_names_of_the_others() -> None:
    rows = "White,Black,Result\nAna,Bo,1-0\nBo,Cy,1/2-1/2\nCy,Ana,0-1\nBo,Ana,*\nAna,Cy,+:-\n"
    matches, bad = read(rows)
    assert len(matches) == 3
    assert [row.reason for row in bad] == ["This does not say who won."] * 2


def test_scores_of_one_goal_stay_scores() -> None:
    matches, bad = read("Heim,Gast,Ergebnis\nA,B,1:0\nB,C,0:1\nC,A,1:0\nA,C,2:1\n")
    assert not bad
    assert [side.score for side in matches[3].sides] == [2, 1]


def test_a_damaged_time_in_a_short_file_is_a_bad_row_and_not_a_column_left_out() -> None:
    rows = "2026-01-05,19:30,Ana,Bo\n2026-01-05,20:00,Bo,Cy\n2026-01-05,25:00,Cy,Ana\n"
    good, bad = read(f"date,time,winner,loser\n{rows}")
    assert [match.played.hour for match in good] == [19, 20]
    assert [(row.line, row.column, row.code) for row in bad] == [(4, "time", "time")]
