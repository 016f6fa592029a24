"""Game sessions: who was best in some games alone, and what that says of the next frag."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client

from leagues import bridge
from leagues.models import Board, League, Match, Standing
from leagues.pages.game_session import session_page
from leagues.selectors.game_sessions import MOST_GAMES, PAUSE, games_around, read_events
from leagues.selectors.matches import people_of
from leagues.services.leagues import add_board
from leagues.services.matches import void_match
from leagues.services.modes import change_rated_by
from leagues.store.match_columns import read_games
from tests.leagues.happenings import game
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

EVENING = "Ana>Bo Ana>Bo Bo>Ana Cy! Anaw Cy>Bo AnaxCy Cy*"
SYSTEMS = {
    "Becker": ("becker", {}),
    "Shifted": ("zerosum", {}),
    "Raw": ("zerosum", {"display": "raw"}),
    "Ladder": ("ladder", {}),
    "Static": ("static", {}),
    "Elo": ("elo", {}),
}
BY_FRAGS = ("Becker", "Shifted", "Raw")


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


def read(club: League, number: int) -> Match:
    match = Match.objects.select_related("league", "season", "mode").get(
        season=season_of(club), seq=number
    )
    match.season.league = match.league
    return match


@pytest.mark.parametrize("name", SYSTEMS)
def test_one_game_alone_is_what_a_new_board_shows_after_it(club: League, name: str) -> None:
    """The blank slate: earlier games say nothing."""
    record(club, game(club, "Ana Cy Bo", EVENING))
    board = Board.objects.get(league=club, name=name)
    stored = {
        row.player.name: (row.shown, row.low, row.place_value)
        for row in Standing.objects.filter(board=board).select_related("player")
    }
    record(club, game(club, "Bo Ana Cy", "Bo>Ana " * 3, at=START + timedelta(days=2)))
    match = read(club, 1)
    session = bridge.rate_session(board, read_games(board, [match.pk]))
    if not stored:
        assert session is None or not session.places
        return
    assert session is not None
    names = {row.player_id: row.player.name for row in people_of(games_around(match)[0])}
    alone = {
        names[place.player_id]: (
            place.standing.shown,
            place.standing.low,
            place.standing.place_value,
        )
        for place in session.places
    }
    assert alone == stored


@pytest.mark.parametrize("name", BY_FRAGS)
def test_the_course_of_a_game_ends_at_its_order(club: League, name: str) -> None:
    record(club, game(club, "Ana Cy Bo", EVENING))
    board = Board.objects.get(league=club, name=name)
    (match,) = games_around(read(club, 1))
    session = bridge.rate_session(board, read_games(board, [match.pk]))
    assert session is not None
    course = bridge.game_course(session, match, people_of(match), read_events([match]))
    assert {player: values[-1] for player, values in course.items()} == {
        place.player_id: pytest.approx(place.value.value, abs=1e-9) for place in session.places
    }


@pytest.mark.parametrize("name", ["Becker", "Raw"])
def test_the_next_frag_gives_what_it_is_said_to_give(club: League, name: str) -> None:
    """The table at the end of a session, against a session with that frag at its end.

    Where what is shown leans on the width of the board, a frag moves that too.
    """
    board = Board.objects.get(league=club, name=name)
    record(
        club,
        game(club, "Ana Cy Bo", EVENING),
        game(club, "Ana Cy Bo", EVENING, at=START + timedelta(days=9)),
        game(club, "Ana Bo", "Ana>Bo", at=START + timedelta(days=9, hours=1)),
    )
    first, second, third = (read(club, number) for number in (1, 2, 3))
    people = {row.player.name: row.player for row in people_of(games_around(first)[0])}
    session = bridge.rate_session(board, read_games(board, [first.pk]))
    after = bridge.rate_session(board, read_games(board, [second.pk, third.pk]))
    assert session is not None
    assert after is not None
    places = {place.player_id: place for place in session.places}
    entrants = [
        bridge.Entrant.of(people[who], places[people[who].pk].standing) for who in ("Ana", "Bo")
    ]
    (_none, stake), (other, _no) = bridge.session_stakes(session, entrants)
    ends = {place.player_id: place.value.value for place in after.places}
    assert stake is not None
    assert other is not None
    moved = {who: ends[people[who].pk] - places[people[who].pk].value.value for who in people}
    assert stake.win == pytest.approx(moved["Ana"], abs=1e-9)
    assert other.loss == pytest.approx(moved["Bo"], abs=1e-9)


def test_an_evening_ends_with_a_long_pause(club: League) -> None:
    later = [START, START + PAUSE, START + 2 * PAUSE, START + 3 * PAUSE + timedelta(minutes=1)]
    record(
        club,
        *(game(club, "Ana Bo", "Ana>Bo", at=at) for at in later),
        result(club, "Ana", "Bo", at=START + timedelta(minutes=1)),
    )
    void_match(match=read(club, 1), author=None, reason="not a game")
    assert games_around(read(club, 1)) == []
    assert [one.seq for one in games_around(read(club, 2))] == [2, 3]
    assert [one.seq for one in games_around(read(club, 4))] == [4]


def test_a_long_evening_holds_the_games_around_the_one(club: League) -> None:
    record(
        club,
        *(
            game(club, "Ana Bo", "Ana>Bo", at=START + timedelta(minutes=number))
            for number in range(MOST_GAMES + 5)
        ),
    )
    for number in (1, 33, MOST_GAMES + 5):
        numbers = [one.seq for one in games_around(read(club, number))]
        assert len(numbers) == MOST_GAMES
        assert number in numbers


def test_the_page_tells_order_course_stakes_frags_and_what_the_season_made_of_it(
    club: League, client: Client
) -> None:
    record(
        club,
        game(club, "Ana Cy Bo", EVENING),
        game(club, "Bo Ana", "Bo>Ana Bo>Ana Ana>Bo", at=START + timedelta(minutes=20)),
    )
    board = Board.objects.get(league=club, name="Raw")
    page = session_page(read(club, 1), {"board": board.slug})
    assert page is not None
    assert page.rows[0].name == "Ana"
    assert {row.name: (row.frags, row.deaths) for row in page.rows} == {
        "Ana": (2, 2),
        "Bo": (1, 3),
        "Cy": (1, 2),
    }
    assert all(row.change for row in page.rows)
    assert page.frags is not None
    assert page.chart is not None
    assert len(page.stakes) == 3
    assert len(page.events) == 8
    assert page.events[0].words == "Ana got Bo"
    assert page.events[0].change.startswith("+")
    whole = session_page(read(club, 1), {"board": board.slug, "games": "all"})
    assert whole is not None
    assert [row.games for row in whole.rows if row.name == "Ana"] == ["2"]
    assert len(whole.games) == 2
    for words in ("", "?games=all", *(f"?board={one.slug}" for one in club.boards.all())):
        response = client.get(f"/l/club/m/autumn/1/session/{words}")
        assert response.status_code == 200, words
        assert not re.search(r"\bnan\b", response.content.decode()), words
    content = client.get("/l/club/m/autumn/1/").content.decode()
    assert "/l/club/m/autumn/1/session/" in content


@pytest.mark.parametrize("name", BY_FRAGS)
def test_a_player_has_one_number_in_all_tables(club: League, name: str) -> None:
    """Cy, who won by what the game counts, got nobody."""
    record(club, game(club, "Cy Ana Bo Di", "Bo>Ana Bo>Ana Ana>Cy Bo>Cy Diw", ranks=(1, 2, 3, 4)))
    page = session_page(read(club, 1), {"board": Board.objects.get(name=name).slug})
    assert page is not None
    assert page.frags is not None
    order = [row.name for row in page.rows]
    assert order[0] == "Bo"
    assert [row.name for row in page.stakes] == order
    assert [row.name for row in page.frags.rows][: len(order)] == order
    assert [row.number for row in page.stakes] == [row.number for row in page.frags.rows]
    best = page.frags.rows[0]
    assert best.cells == tuple(
        {"Bo": "–", "Ana": "2", "Cy": "1"}.get(row.name, "") for row in page.frags.rows
    )


def test_a_board_of_all_results_at_once_says_why_no_game_changes_it(club: League) -> None:
    record(club, game(club, "Ana Cy Bo", EVENING))
    page = session_page(read(club, 1), {"board": Board.objects.get(name="Static").slug})
    assert page is not None
    assert (page.season_board, page.stakes) == ("", ())
    assert "The board Static computes all ratings of the season at once" in page.season_note


def test_games_that_do_not_count_for_the_season_are_sessions_all_the_same(
    club: League, client: Client
) -> None:
    record(club, game(club, "Ana Bo", "Ana>Bo Ana>Bo", kind="unrated"))
    content = client.get("/l/club/m/autumn/1/session/").content.decode()
    assert "These games do not count for the season." in content
    assert re.search(r"<bdi>Ana</bdi>", content)


def test_a_match_without_events_leads_to_its_page(club: League, client: Client) -> None:
    record(club, result(club, "Ana", "Bo"))
    response = client.get("/l/club/m/autumn/1/session/")
    assert response.status_code == 302
    assert response["Location"] == "/l/club/m/autumn/1/"
