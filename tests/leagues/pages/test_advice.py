"""What the back-test advises agrees with the numbers beside it, on leagues of real results."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.pages.distances import distance
from leagues.pages.judgement import Judgement, judgement
from leagues.pages.systems import boards_of_mode
from leagues.selectors.board_selection import select_board
from leagues.services.trials import request_backtest
from tests.leagues.people import make_user
from tests.leagues.walk.shapes import of_file

FILES = (
    *("football_excerpt.csv", "chess/lichess_20k.csv.gz", "club/catan.csv"),
    *("club/foosball_2v2.csv", "club/ntnu_table_tennis.csv", "club/smash_singles.csv.gz"),
    *("go/tom_9d.csv.gz", "halo2/halo2_headtohead.csv.gz", "messy/football_data_E0.csv"),
    "tennis/atp_singles.csv.gz",
)
NUMBERS = re.compile(r"([0-9.]+)\s±\s([0-9.]+)")


def judged(file: str) -> Judgement:
    league = of_file(file, 250).make(make_user("boss"))
    request_backtest(season=league.seasons.get(), mode=league.modes.get())
    drain()
    selection = select_board(league=league)
    assert selection is not None
    return judgement(boards=boards_of_mode(selection), rights=frozenset(), now=timezone.now())


@pytest.mark.django_db
@pytest.mark.parametrize("file", FILES)
def test_words_follow_the_numbers_beside_them(file: str) -> None:
    page = judged(file)
    assert page.advice is not None
    shown = {
        (row.against.lstrip("+"), row.plus_minus.split()[-1]) for row in page.rows if row.plus_minus
    }
    for text in (page.advice.text, page.behind):
        numbers = NUMBERS.search(text)
        if numbers is None:
            continue
        margin, half = numbers.groups()
        assert (margin, half) in shown
        assert float(margin) > 0
        is_clear = float(margin) > float(half)
        assert ("more than the uncertainty" in text) is is_clear
        assert ("within the uncertainty" in text) is not is_clear
    # Who reads that all may stay as it is must not read below that the first board is behind.
    assert not (page.behind and "keep" in page.advice.text)
    best = next(row for row in page.rows if row.against == "best")
    assert f"in {best.accuracy.split()[0].rstrip('%')} of 100 matches" in page.advice.plain


@pytest.mark.parametrize(
    ("mean", "error", "between", "is_clear"),
    [
        (0.0004, 0.0001, None, False),
        (0.0021, 0.00101, (0.6104, 0.6125), True),
        (0.0030, 0.0010, (0.6100, 0.6130), True),
        (-0.0030, 0.0010, (0.6130, 0.6100), True),
        (0.0004, 0.0001, (0.6100, 0.6104), False),
    ],
)
def test_a_distance_is_clear_where_the_numbers_shown_are(
    mean: float, error: float, between: tuple[float, float] | None, is_clear: bool
) -> None:
    apart = distance(mean, error, 100, between)
    assert apart.is_clear is is_clear
    assert apart.is_clear is (float(apart.words["margin"]) > apart.half)
