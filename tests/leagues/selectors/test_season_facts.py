from __future__ import annotations

from datetime import date, timedelta

import pytest

from leagues.jobs.runner import drain
from leagues.models import Board, BoardDay, League
from leagues.selectors.season_facts import season_facts
from leagues.services.days import prepare_board
from leagues.services.leagues import update_league
from leagues.store import standing_columns
from leagues.store.memory import forget_all
from tests.leagues.play import START, new_club, record, result

pytestmark = pytest.mark.django_db

NIGHTS = 5


def board_of(league: League) -> Board:
    return Board.objects.select_related("league", "season", "mode").get(
        season__league=league, system="glicko2"
    )


def days_of(league: League) -> tuple[tuple[date, int], ...]:
    forget_all()
    return season_facts(board_of(league)).days


def nights(league: League, first: int, last: int) -> None:
    """Play on some nights before and after midnight, a walkover among them."""
    for night in range(first, last):
        at = START + timedelta(days=night)
        drafts = [
            result(league, "Ana", "Bo", at=at + timedelta(hours=3 * number)) for number in range(3)
        ]
        walkover = result(league, "Cy", "Bo", kind="walkover", at=at + timedelta(hours=1))
        record(league, *drafts, walkover)


def test_the_places_of_former_days_follow_the_rule_of_who_is_ranked() -> None:
    league = new_club()
    nights(league, 0, NIGHTS)
    assert len(season_facts(board_of(league)).moments[0].ranks) == 2
    update_league(league=league, changes={"ranked_after": 4}, actor=None)
    assert season_facts(board_of(league)).moments[0].ranks == {}


@pytest.mark.parametrize("zone", ["UTC", "America/St_Johns", "Pacific/Auckland"])
def test_a_large_board_counts_the_days_that_a_small_one_reads(monkeypatch, zone):
    league = new_club(time_zone=zone, walkovers="unrated")
    nights(league, 0, NIGHTS)
    small = days_of(league)
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 0)
    assert days_of(league) == small
    prepare_board(board_of(league))
    drain()
    assert days_of(league) == small
    assert sum(count for _day, count in small) == 3 * NIGHTS


def test_only_what_came_after_a_counted_moment_is_counted_again(monkeypatch):
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 0)
    league = new_club()
    nights(league, 0, 2)
    third = league.midnight(date(2025, 10, 3))
    counted = BoardDay.objects.exclude(played=None).get(board=board_of(league), at=third)
    assert counted.played == [["2025-10-01", 2], ["2025-10-02", 3]]
    counted.played[0][1] = 77
    counted.save()
    assert [count for _day, count in days_of(league)] == [77, 3, 1]
    record(league, result(league, "Ana", "Bo", at=START + timedelta(days=1, hours=9)))
    assert [count for _day, count in days_of(league)] == [77, 3, 2]
