"""The frags of a match on its page: who got whom, and what each gave."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client

from leagues import bridge
from leagues.models import Board, League, Match
from leagues.pages.frag_table import MAX_COLUMNS, frag_table
from leagues.selectors.matches import with_players
from leagues.services.leagues import add_board
from leagues.services.modes import change_rated_by
from tests.leagues.happenings import game
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

EVENING = "Ana>Bo Ana>Bo Bo>Ana Cy! Anaw Cy>Bo AnaxCy Cy*"
SYSTEMS = {
    "Becker": ("becker", {}),
    "Fading": ("becker", {"decay": 1.0, "period_days": 7}),
    "Shifted": ("zerosum", {}),
    "Raw": ("zerosum", {"display": "raw"}),
    "Range": ("zerosum", {"display": "fixed-range"}),
    "Sinking": ("zerosum", {"decay": 0.1, "period_days": 7}),
}


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    club = new_club()
    season_of(club).boards.all().delete()
    change_rated_by(mode=mode_of(club), rated_by="events", actor=None)
    for name, (system, parameters) in SYSTEMS.items():
        add_board(
            season=season_of(club),
            mode=mode_of(club),
            system=system,
            name=name,
            parameters=parameters,
        )
    return club


club = read_anew("built_club")


def page_of(client: Client, match: Match, words: str = "") -> str:
    return client.get(f"/l/club/m/autumn/{match.seq}/{words}").content.decode()


def test_the_table_counts_who_got_whom(club: League) -> None:
    (match,) = record(club, game(club, "Ana Cy Bo", EVENING))
    table = frag_table(with_players(Match.objects.all()).get(pk=match.pk), None)
    assert table is not None
    rows = [
        (row.name, row.cells, row.frags, row.deaths, row.own, row.team_kills, row.captures)
        for row in table.rows
    ]
    assert rows == [
        ("Ana", ("–", "", "2"), 2, 2, 1, 1, 0),
        ("Cy", ("", "–", "1"), 1, 2, 1, 0, 1),
        ("Bo", ("1", "", "–"), 1, 3, 0, 0, 0),
    ]
    assert table.has_team_kills
    assert table.has_captures


def test_many_players_have_sums_alone_and_a_match_without_events_nothing(club: League) -> None:
    names = [f"P{number}" for number in range(MAX_COLUMNS + 1)]
    many, none = record(
        club,
        game(club, " ".join(names), "P0>P1 P1>P2"),
        result(club, "Ana", "Bo", at=START + timedelta(hours=1)),
    )
    table = frag_table(with_players(Match.objects.all()).get(pk=many.pk), None)
    assert table is not None
    assert table.columns == ()
    assert [row.frags for row in table.rows][:3] == [1, 1, 0]
    assert frag_table(Match.objects.get(pk=none.pk), None) is None


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_events_gave_adds_up_to_the_shown_change(club: League, name: str) -> None:
    first = game(club, "Ana Cy Bo", "Ana>Bo Ana>Bo Bo>Ana Ana>Cy Cy>Ana")
    record(club, first)
    (match,) = record(club, game(club, "Ana Cy Bo", EVENING, at=START + timedelta(days=30)))
    board = Board.objects.select_related("league", "season", "mode").get(name=name)
    rated = bridge.rated_matches([board], Match.objects.get(pk=match.pk))[board.pk]
    for account in bridge.account_of(rated).accounts:
        points = bridge.event_points_of(rated, account)
        decimals = account.after.decimals
        change = bridge.shown_step(account.before.value, account.after.value, decimals)
        assert sum(one.units for one in points) == round(change * 10**decimals)
        counted = [one for one in points if one.kind == "frag"]
        assert sum(one.count for one in counted) == len(
            [
                event
                for event in rated.events
                if event.kind == "frag"
                and account.player_id in (event.player_id, event.opponent_id)
            ]
        )


def test_what_each_gave_is_what_a_hand_calculation_gives(club: League) -> None:
    (match,) = record(club, game(club, "Ana Bo", "Ana>Bo Ana>Bo Bo>Ana Bo!"))
    board = Board.objects.select_related("league", "season", "mode").get(name="Raw")
    rated = bridge.rated_matches([board], Match.objects.get(pk=match.pk))[board.pk]
    account = bridge.account_of(rated).accounts[0]
    points = bridge.event_points_of(rated, account)
    # 0.015 and 0.03 / (1 + exp(0.03)) for Ana's, 0.03 / (1 + exp(-0.0594)) for Bo's.
    assert [(one.kind, one.is_own, one.count, one.units) for one in points] == [
        ("frag", True, 2, 3),
        ("frag", False, 1, -2),
    ]


def test_the_page_shows_the_table_and_the_points_of_events(club: League, client: Client) -> None:
    (match,) = record(club, game(club, "Ana Cy Bo", EVENING))
    becker = club.boards.get(name="Becker")
    page = page_of(client, match, f"?board={becker.slug}&of=ana")
    assert "Who got whom" in page
    assert "Ana got Bo 2 times" in page
    assert "Bo got Ana once" in page
    assert "Ana killed Cy of the same team once" in page
    assert "Deaths by the world: 1" in page
    rows = re.findall(r'<td class="num">([+\N{MINUS SIGN}]?[0-9]+)</td><td class="wf', page)
    *parts, total = [int(row.replace("\N{MINUS SIGN}", "-")) for row in rows]
    assert len(parts) == 4
    assert sum(parts) == total
    client.cookies["me"] = "bo"
    assert "Ana got you 2 times" in page_of(client, match, f"?board={becker.slug}")


def test_frags_are_shown_where_results_are_rated_too(club: League, client: Client) -> None:
    change_rated_by(mode=mode_of(club), rated_by="results", actor=None)
    (match,) = record(club, game(club, "Ana Bo", "Ana>Bo"))
    page = page_of(client, match)
    assert "Who got whom" in page
    assert "one after the other" not in page
    (plain,) = record(club, result(club, "Ana", "Bo", at=START + timedelta(hours=1)))
    assert "Who got whom" not in page_of(client, plain)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_rating_along_a_match_ends_where_the_board_shows_it(club: League, name: str) -> None:
    record(club, game(club, "Ana Cy Bo", "Ana>Bo Ana>Bo Bo>Ana Ana>Cy Cy>Ana"))
    (match,) = record(club, game(club, "Ana Cy Bo", EVENING, at=START + timedelta(days=30)))
    board = Board.objects.select_related("league", "season", "mode").get(name=name)
    rated = bridge.rated_matches([board], Match.objects.get(pk=match.pk))[board.pk]
    for account in bridge.account_of(rated).accounts:
        steps = bridge.event_steps_of(rated, account)
        assert {account.player_id} <= {
            one for step in steps for one in (step.event.player_id, step.event.opponent_id)
        }
        assert steps[-1].value == pytest.approx(account.after.value, abs=1e-6)


def test_the_page_draws_the_rating_along_the_match(club: League, client: Client) -> None:
    first, short = record(
        club,
        game(club, "Ana Cy Bo", EVENING),
        game(club, "Ana Bo Cy", "Ana>Bo Ana>Cy", at=START + timedelta(hours=1)),
    )
    becker, zero = (club.boards.get(name=name).slug for name in ("Becker", "Shifted"))
    page = page_of(client, first, f"?board={becker}&of=ana")
    course = page.partition('id="course"')[2].partition("</section>")[0]
    assert "Rating of Ana along this match" in course
    assert re.search(r"Along this match, the rating of Ana was between \d+ and \d+\.", course)
    assert "The same numbers as a table" in course
    cells = re.findall(r'<bdi dir="ltr">(.*?)</bdi>', course)
    assert cells == [
        *("Got Bo", "Got Bo", "Got by Bo", "Death by the world", "Killed Cy of the same team"),
    ]
    assert re.findall(r"(\d+:\d\d)</td>", course) == ["0:01", "0:02", "0:03", "0:05", "0:07"]
    # The first frag of two at nothing gives half of 4 points.
    assert re.findall(r'class="num">(\d+)</td>', course)[0] == "2"
    assert "Got Bo" in page_of(client, first, f"?board={zero}&of=ana")
    # One event of hers in the other match, and none is told on a board of results.
    assert 'id="course"' not in page_of(client, short, f"?board={becker}&of=bo")


def test_of_a_long_match_the_table_says_that_it_has_the_last_events(
    club: League, client: Client
) -> None:
    (match,) = record(club, game(club, "Ana Bo", "Ana>Bo Bo>Ana " * 101))
    becker = club.boards.get(name="Becker").slug
    page = page_of(client, match, f"?board={becker}&of=ana")
    course = page.partition('id="course"')[2].partition("</section>")[0]
    assert "The last 200 of 202 events as a table" in course
    assert "The same numbers" not in course
    assert course.count("<tr>") == 1 + 200
