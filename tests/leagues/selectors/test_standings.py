from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from threading import Barrier

import numpy as np
import pytest
from pytest_django import DjangoAssertNumQueries

from leagues.jobs.runner import drain
from leagues.models import Board, BoardDay, League, Standing
from leagues.pages.leaderboard import leaderboard
from leagues.selectors.board_selection import BoardReading, select_board
from leagues.selectors.people import Viewer
from leagues.selectors.standing_rows import nearest_to
from leagues.selectors.standings import present, rank_of, view_of
from leagues.selectors.standings_query import DayProblem, StandingsQuery
from leagues.selectors.tables import read_tables
from leagues.services.days import prepare_days
from leagues.services.leagues import add_board
from leagues.store import standing_columns
from leagues.store.memory import forget_all
from tests.leagues.play import LATER, START, mode_of, new_club, record, result, season_of

pytestmark = pytest.mark.django_db

NAMES = [f"P{number:02}" for number in range(12)]
SYSTEMS = ("glicko2", "elo", "trueskill", "ladder", "zerosum", "becker")


def club(slug: str = "club", *, days: int = 6, systems: tuple[str, ...] = (), **settings):
    """Return a league of twelve with nights of eight duels, the same every time."""
    league = new_club(slug, **settings)
    for system in systems:
        add_board(season=season_of(league), mode=mode_of(league), system=system)
    chance = random.Random(5)
    drafts = []
    for day in range(days):
        for number in range(8):
            one, two = chance.sample(NAMES[: 6 + 2 * day], 2)
            ranks = chance.choice([(1, 2), (1, 2), (1, 1)])
            at = START + timedelta(days=day, minutes=number)
            drafts.append(result(league, one, two, ranks=ranks, at=at))
    record(league, *drafts)
    return league


def read_board(
    league: League, system: str = "glicko2", *, asked: StandingsQuery | None = None
) -> tuple[Board, BoardReading]:
    on = asked.on if asked else None
    look = select_board(
        league=league,
        until=league.midnight(on + timedelta(days=1)) if on else None,
        with_first=asked is not None and asked.since == "season",
    )
    board = next(board for board in look.boards if board.system == system)
    return board, look.readings[board.pk]


def board_of(league: League, system: str = "glicko2") -> Board:
    return read_board(league, system)[0]


def seen(league: League, system: str = "glicko2", *, now=LATER, viewer=Viewer(), **given: str):  # noqa: B008
    asked = StandingsQuery.from_address(given, now.astimezone(league.zone).date())
    board, reading = read_board(league, system, asked=asked)
    return leaderboard(board=board, reading=reading, filters=asked, now=now, viewer=viewer).page


def told(page) -> list[tuple[str, ...]]:
    """Return what a page says of each player, but for where the scale begins and how long ago."""
    return [(row.rank, row.name, row.rating, row.likely, row.tally, row.form) for row in page.rows]


# Ranks


def test_threads_may_ask_for_players_of_the_same_standings_at_once():
    standings = present(board_of(club()), LATER)
    # So long that a thread sorts while the others do.
    many = np.arange(len(standings)).repeat(20_000)
    standings = replace(
        standings, table=standings.table.take(np.random.default_rng(1).permutation(many))
    )
    ids, together = standings.table.player_id[:5], Barrier(4)

    def ask(_thread: int) -> set[int]:
        together.wait()
        return set(standings.rows_of(ids))

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(4)))
    assert found == [set(ids.tolist())] * 4
    assert set(standings.rows_of(ids)) == set(ids.tolist())


def test_a_rank_is_read_from_what_the_process_holds_or_counted(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    board = board_of(club(ranked_after=5))
    rows = list(Standing.objects.current(board))
    forget_all()
    counted = [rank_of(board, row, LATER) for row in rows]
    assert None in counted
    assert 1 in counted
    present(board, LATER)
    with django_assert_num_queries(0):
        assert [rank_of(board, row, LATER) for row in rows] == counted


def test_equals_are_near_by_in_the_order_of_the_index() -> None:
    league = new_club()
    pairs = [(f"W{number}", f"L{number}") for number in range(6)]
    record(league, *(result(league, one, other) for one, other in pairs))
    board = board_of(league)
    equals = Standing.objects.current(board).filter(games=1, won=1).order_by("-player_id")
    own = equals[2]
    near = nearest_to(board, own, LATER, 3)
    others = [row.player_id for row in equals if row.player_id != own.player_id]
    assert [row.player_id for row in near[:3]] == others[:3]


def mark(change):
    """How somebody moved, in a word."""
    return (
        "same" if change.is_same else "new" if change.is_new else "up" if change.is_up else "down"
    )


def test_a_rank_is_one_more_than_the_players_who_stand_higher():
    league = club()
    rows = seen(league).rows
    values = [int(row.rating.value) for row in rows]
    assert values == sorted(values, reverse=True)
    assert [int(row.rank) for row in rows] == [
        1 + sum(other > value for other in values) for value in values
    ]
    assert [row.is_shared for row in rows] == [values.count(v) > 1 for v in values]


def test_likely_places_are_those_that_overlapping_ranges_allow():
    league = club()
    board, reading = read_board(league)
    view = view_of(board, reading=reading, filters=StandingsQuery(), now=LATER)
    shown = view.standings.values(range(len(view.standings)))
    likely = view.standings.likely(range(len(view.standings)))
    for row, value in enumerate(shown):
        best = 1 + sum(other.low > value.high for other in shown)
        worst = sum(other.high >= value.low for other in shown)
        assert likely[row] == (best, worst)


@pytest.mark.parametrize("given", [{"q": "p1"}, {"most": "265"}, {"least": "8"}, {"active": "25"}])
def test_a_filter_keeps_the_ranks_of_the_whole_board(given):
    league = club()
    whole, part = told(seen(league)), told(seen(league, **given))
    assert 0 < len(part) < len(whole)
    assert set(part) < set(whole)


def test_exact_limits_hide_by_range_and_results_and_say_how_many():
    league = club()
    whole = seen(league).rows
    part = seen(league, most="265")
    assert [row.name for row in part.rows] == [
        row.name for row in whole if int(row.rating.plus_minus[2:]) <= 265
    ]
    assert (
        part.hidden_sentence
        == f"{len(whole) - len(part.rows)} players not shown: their ratings are less certain."
    )
    part = seen(league, least="9")
    assert [row.name for row in part.rows] == [row.name for row in whole if int(row.results) >= 9]
    assert "too few results" in part.hidden_sentence


@pytest.mark.parametrize(
    "given",
    [
        {"sure": "maybe"},
        {"active": "-1"},
        {"page": "\x00"},
        {"q": "  "},
        {"most": "nan"},
        {"most": "inf"},
        {"most": "1e99"},
        {"least": "٣"},
        {"list": "x"},
        {"since": "later"},
        {"on": ""},
    ],
)
def test_words_that_make_no_sense_are_left_out(given):
    assert StandingsQuery.from_address(given, LATER.date()) == StandingsQuery()


@pytest.mark.parametrize(
    "on", ["2025-13-01", "yesterday", "2025-11-99", "9999-01-01", "0001-01-01"]
)
def test_a_day_that_cannot_be_is_said_in_words(on):
    asked = StandingsQuery.from_address({"on": on}, LATER.date())
    assert asked.on is None
    assert isinstance(asked.problem, DayProblem)


# Who is ranked


def test_who_lacks_results_is_listed_apart_with_what_is_missing_until_the_last_one():
    league = new_club(ranked_after=3)
    record(league, *(result(league, "Ana", "Bo", at=START + timedelta(days=day)) for day in (0, 1)))
    page = seen(league)
    assert [(row.name, row.rank, row.missing) for row in page.rows] == [
        ("Ana", "", "1 more result to be ranked"),
        ("Bo", "", "1 more result to be ranked"),
    ]
    record(league, result(league, "Ana", "Cy", at=START + timedelta(days=2)))
    page = seen(league)
    assert [(row.name, row.rank) for row in page.rows] == [("Ana", "1"), ("Cy", ""), ("Bo", "")]
    assert mark(page.rows[0].change) == "new"
    assert [row.missing for row in page.rows] == [
        *("", "2 more results to be ranked", "1 more result to be ranked")
    ]
    assert page.unranked.rows == ()


def test_who_is_away_loses_the_place_and_has_it_back_after_one_result():
    league = new_club(active_days=20)
    record(league, result(league, "Cy", "Ana"), result(league, "Ana", "Bo", at=START))
    record(league, result(league, "Ana", "Bo", at=START + timedelta(days=19)))
    now = START + timedelta(days=22)
    page = seen(league, now=now)
    assert [row.name for row in page.rows] == ["Ana", "Bo"]
    (away,) = page.inactive.rows
    assert (away.name, away.rank) == ("Cy", "")
    assert away.missing == "no match for 22 days; returns with the next result"
    assert [row.name for row in seen(league, now=now, list="inactive").rows] == ["Cy"]
    record(league, result(league, "Cy", "Bo", at=START + timedelta(days=21)))
    page = seen(league, now=now)
    assert {row.name for row in page.rows} == {"Ana", "Bo", "Cy"}
    assert page.inactive.rows == ()


def test_a_league_that_rests_keeps_its_last_table():
    league = club(active_days=20)
    rows = seen(league, now=START + timedelta(days=10)).rows
    later = seen(league, now=START + timedelta(days=400))
    assert [(row.rank, row.name) for row in later.rows] == [(row.rank, row.name) for row in rows]
    assert later.inactive.rows == ()


# Changes


def test_changes_count_from_before_the_last_day_of_results_and_name_it():
    league = club()
    before = {row.name: row.rank for row in seen(league, on="2025-10-05").rows}
    page = seen(league)
    assert page.column_heads.since == "5 Oct"
    for row in page.rows:
        if row.name not in before:
            assert mark(row.change) == "new"
            continue
        gained = int(before[row.name]) - int(row.rank)
        assert mark(row.change) == ("up" if gained > 0 else "down" if gained < 0 else "same")
        assert row.change.places == (str(abs(gained)) if gained else "–")
    assert {mark(row.change) for row in page.rows} > {"new"}


def test_the_day_after_a_night_its_changes_are_still_to_be_seen():
    league = club()
    tonight = seen(league, now=START + timedelta(days=5, hours=1))
    tomorrow = seen(league, now=START + timedelta(days=6, hours=1))
    changes = [(row.name, row.change) for row in tonight.rows]
    assert [(row.name, row.change) for row in tomorrow.rows] == changes
    assert any(mark(change) in ("up", "down") for _name, change in changes)


@pytest.mark.parametrize(
    ("since", "day"), [("season", "1 Oct"), ("7", "3 Oct"), ("30", ""), ("visit", "2 Oct")]
)
def test_other_points_of_comparison_are_named(since, day):
    league = club()
    now = START + timedelta(days=9)
    asked = StandingsQuery.from_address({"since": since}, now.date())
    board, reading = read_board(league, asked=asked)
    visited = date(2025, 10, 2)
    page = leaderboard(board=board, reading=reading, filters=asked, now=now, visited=visited).page
    assert page.column_heads.since == day
    if since == "30":
        assert {mark(row.change) for row in page.rows} == {"new"}


# Days


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_day_shows_what_a_league_of_the_results_up_to_it_shows(system):
    extra = () if system in ("glicko2", "elo") else (system,)
    whole, part = club(systems=extra), club("part", days=3, systems=extra)
    on = date(2025, 10, 3)
    former = seen(part, system, now=START + timedelta(days=2, hours=3))
    day = seen(whole, system, on=on.isoformat())
    assert told(day) == told(former)
    assert (day.day, day.column_heads.since) == ("3 Oct 2025", "2 Oct")
    assert [row.change for row in day.rows] == [row.change for row in former.rows]
    assert day.certainties == former.certainties
    # How long ago something was from now says nothing of a former day.
    assert {row.last for row in day.rows} <= {"1 Oct", "2 Oct", "3 Oct"}


def test_a_day_after_the_last_result_shows_the_last_standings_as_sure_as_they_were_then():
    league = club()
    then = seen(league, now=START + timedelta(days=10))
    assert told(seen(league, on="2025-10-11")) == told(then)


def test_before_the_first_result_nobody_is_on_the_board():
    page = seen(club(), on="2025-09-30")
    assert (page.rows, page.unranked.rows, page.inactive.rows) == ((), (), ())


# Boards too large to be read for each page


@pytest.mark.parametrize("system", ["glicko2", "elo"])
def test_a_large_board_says_the_same_by_prepared_tables(monkeypatch, system):
    league = club()
    asked = [{}, {"on": "2025-10-03"}, {"q": "p1"}, {"since": "7"}, {"list": "inactive"}]
    viewer = Viewer(key="p03")
    small = [seen(league, system, viewer=viewer, **given) for given in asked]
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 10)
    board = board_of(league, system)
    days = [date(2025, 10, day) for day in (3, 4, 6, 25)]
    prepare_days(board, [league.midnight(day) for day in days])
    drain()
    forget_all()
    assert BoardDay.objects.filter(board=board).count() == len(days)
    large = [seen(league, system, viewer=viewer, **given) for given in asked]
    assert large == small


@pytest.mark.parametrize("most", [10_000, 0])
def test_a_day_that_is_not_over_has_every_result_of_its_evening(monkeypatch, most):
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", most)
    league = new_club()
    end = league.midnight(date(2025, 10, 2))

    def games() -> list[int]:
        board = board_of(league)
        if most == 0:
            prepare_days(board, [end])
            drain()
        table = read_tables(board, viewer=Viewer(), newest=False, days=[end]).days[end]
        return table.games.tolist()

    record(league, result(league, "Ana", "Bo", at=START))
    assert games() == [1, 1]
    record(league, result(league, "Ana", "Bo", at=START + timedelta(hours=1)))
    assert games() == [2, 2]
    record(league, result(league, "Ana", "Bo", at=START + timedelta(days=1)))
    assert games() == [2, 2]
    held = games()
    forget_all()
    assert games() == held


def test_a_prepared_day_that_missed_results_is_missing(monkeypatch):
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 0)
    league = new_club()
    end = league.midnight(date(2025, 10, 2))
    record(league, result(league, "Ana", "Bo", at=START))
    prepare_days(board_of(league), [end])
    drain()
    record(league, result(league, "Ana", "Bo", at=START + timedelta(hours=1)))
    found = read_tables(board_of(league), viewer=Viewer(), newest=False, days=[end])
    assert found.missing == (end,)


@pytest.mark.parametrize(("former", "listed"), [("waiting", "unranked"), ("away", "inactive")])
def test_links_with_the_former_word_of_a_list_still_lead_to_it(former, listed):
    query = StandingsQuery.from_address({"list": former}, date(2026, 1, 1))
    assert query.parameters() == {"list": listed}
