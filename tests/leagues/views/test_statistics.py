"""A board in numbers: distribution, calibration, upsets, activity."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core.cache import cache

from leagues.domain.activity import activity_of, read_activity
from leagues.jobs.runner import drain
from leagues.models import Trial
from leagues.selectors.statistics import MOST_READ
from leagues.services.leagues import add_board
from leagues.services.matches import void_match
from leagues.services.trials import consider_backtest, request_backtest
from leagues.store.match_columns import read_facts
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of

pytestmark = pytest.mark.django_db

NAMES = ["Ana", "Bo", "Cy", "Di", "Eve", "Flo", "Gus", "Hal", "Ida"]


@pytest.fixture
def club():
    cache.clear()
    league = new_club()
    record(
        league,
        *rounds(league, NAMES, 2),
        result(league, "Ida", "Ana", at=START + timedelta(days=20)),
    )
    request_backtest(season=season_of(league), mode=mode_of(league))
    drain()
    return league


def text_of(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def test_the_page_shows_everything_with_a_table_beside_each_drawing(client, club):
    client.cookies["me"] = "ana"
    response = client.get("/l/club/statistics/")
    page, text = response.context["page"], text_of(response)
    assert "9 players, on average" in text
    assert "in a normal distribution, 68 are" in text
    assert re.search(r"You are at \d+, above \d+ of 100 other players", text)
    assert sum(int(players) for _range, players in page.distribution.rows) == 9
    assert sum(int(sides) for *_said, sides in page.calibration.rows) == 2 * 73
    assert page.upsets[0].verb == "beat"
    assert [member.name for side in page.upsets[0].sides for member in side.members] == [
        "Ida",
        "Ana",
    ]
    assert page.upsets[0].url == "/l/club/m/autumn/73/?board=blitz-glicko-2"
    assert "73 results by 9 players" in text
    assert sum(int(results) for _name, results, _players in page.activity.rows) == 73
    assert response.content.count(b'role="img"') == 5


def test_a_match_that_no_longer_counts_is_no_upset(client, club):
    void_match(match=club.matches.get(seq=73), author=None)
    drain()
    response = client.get("/l/club/statistics/")
    assert "/m/autumn/73/" not in [row.url[7:] for row in response.context["page"].upsets]


def test_after_a_correction_it_says_so_until_it_has_looked_again(client, club):
    """Elsewhere the numbers are new at once; here they are of a moment, which is told."""
    made = Trial.objects.get().finished_at.astimezone(club.zone)
    said = f"Last analysed on {made:%-d %b, %H:%M}, over 73 results."
    assert said in text_of(client.get("/l/club/statistics/"))
    assert "since" not in client.get("/l/club/statistics/").context["page"].analysis
    void_match(match=club.matches.get(seq=73), author=None)
    changed = f"{said} Results have been changed since."
    assert client.get("/l/club/statistics/").context["page"].analysis == changed
    board = club.boards.select_related("season", "mode").first()
    assert consider_backtest(board)
    again = f"{changed} All are being analysed again."
    assert again in text_of(client.get("/l/club/statistics/"))
    assert "Results have been changed since. All are being analysed again." in text_of(
        client.get("/l/club/systems/")
    )
    drain()
    told = client.get("/l/club/statistics/").context["page"].analysis
    assert told.endswith("over 72 results.")
    assert not consider_backtest(board)


def test_new_results_are_counted_until_they_are_looked_at(client, club):
    record(club, result(club, "Ana", "Bo", at=START + timedelta(days=30)))
    told = client.get("/l/club/statistics/").context["page"].analysis
    assert told.endswith("over 73 results. 1 result has come since.")


def test_without_a_back_test_or_enough_players_it_says_so(client):
    cache.clear()
    league = new_club()
    record(league, result(league, "Ana", "Bo"))
    add_board(season=season_of(league), mode=mode_of(league), system="ladder", name="Ladder")
    drain()
    text = text_of(client.get("/l/club/statistics/"))
    assert "There are too few players to show a distribution." in text
    assert "have not been analysed yet" in text
    text = text_of(client.get("/l/club/statistics/?board=ladder"))
    assert "On a ladder, every player has their own rung" in text
    assert "not how likely a result is" in text


def test_large_boards_take_their_activity_from_the_back_test(client, club):
    club.boards.update(rated_matches=MOST_READ + 1)
    assert client.get("/l/club/statistics/").context["page"].activity is not None
    Trial.objects.all().delete()
    response = client.get("/l/club/statistics/")
    assert response.context["page"].activity is None
    assert "after the next comparison of systems" in text_of(response)


def test_activity_counts_matches_and_different_players_by_civil_days(club):
    board = club.boards.first()
    found = activity_of(read_facts(board))
    assert found.unit == "week"
    assert [span.results for span in found.spans] == [72, 0, 0, 1]
    assert [span.players for span in found.spans] == [9, 0, 0, 2]
    assert found.spans[0].first.weekday() == 0
    assert read_activity(found.as_report()) == found


def test_no_week_is_called_the_busiest_where_all_are_alike(client, club):
    assert "the busiest week was the one from 29 Sep 2025: 72 results." in text_of(
        client.get("/l/club/statistics/")
    )
    two = new_club("two")
    record(two, result(two, "Ana", "Bo"))
    assert "1 result by 2 players." in text_of(client.get("/l/two/statistics/"))
    record(two, result(two, "Ana", "Bo", at=START + timedelta(days=7)))
    said = text_of(client.get("/l/two/statistics/"))
    assert "2 results by 2 players; every week had 1 result." in said


def test_longer_spans_are_counted_by_months_and_years(club):
    board = club.boards.first()
    for days, unit, spans in ((600, "month", 21), (2400, "year", 7)):
        record(club, result(club, "Ana", "Bo", at=START - timedelta(days=days)))
        found = activity_of(read_facts(board))
        assert (found.unit, len(found.spans)) == (unit, spans)
        assert sum(span.results for span in found.spans) == club.matches.count()


def test_the_number_of_queries_is_bounded(client, club, django_assert_max_num_queries):
    client.get("/l/club/statistics/")
    with django_assert_max_num_queries(10):
        client.get("/l/club/statistics/")
