"""What organizers change of a player: boards by age follow, and nothing is changed by halves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, League, Player
from leagues.services.errors import Refused
from leagues.services.history import check_league
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.player_editing import edit_player
from leagues.services.seasons import Step, take_step
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

FIDE = {"policy": "fide"}
THIS_SEASON = START.year


@pytest.fixture(scope="module")
def built_league(shared_rows: None) -> League:
    """Ana has played forty matches, after which FIDE's K is 20 for adults and 40 for juniors."""
    league = new_club()
    add_board(season=season_of(league), mode=mode_of(league), system="elo", parameters=FIDE)
    record(
        league,
        *(
            result(league, "Ana", f"Guest {number}", at=START + timedelta(hours=number))
            for number in range(40)
        ),
    )
    return league


league = read_anew("built_league")


def by_age(league: League) -> Board:
    return league.boards.select_related("season").get(parameters__policy="fide")


def ana(league: League) -> Player:
    return league.players.get(name="Ana")


def rating(board: Board) -> float:
    return board.standings.get(generation=board.generation, player__name="Ana").shown


def digests_of_others(league: League) -> dict[int, str]:
    others = league.boards.exclude(pk=by_age(league).pk)
    return {board.pk: board_digest(board) for board in others}


def give(league: League, year: int | None, name: str = "Ana") -> None:
    edit_player(player=ana(league), name=name, birth_year=year, actor=None)
    drain()


def test_a_junior_is_rated_by_the_k_of_juniors_from_the_first_match_on(league: League) -> None:
    adult, digest = rating(by_age(league)), board_digest(by_age(league))
    others = {
        board.pk: board_digest(board) for board in league.boards.exclude(pk=by_age(league).pk)
    }
    give(league, THIS_SEASON - 15)
    assert rating(by_age(league)) > adult
    assert check_board(by_age(league)).differences == ()
    assert check_league(league.pk).differences == 0
    assert others == {
        board.pk: board_digest(board) for board in league.boards.filter(pk__in=others)
    }
    # A mistake is taken back, and everything is as it was.
    give(league, None)
    assert board_digest(by_age(league)) == digest


def test_the_log_says_what_was_and_is(league: League) -> None:
    give(league, 2010)
    entry = AuditEntry.objects.get(action="player.birth_year")
    assert (entry.before, entry.after) == ({"birth_year": None}, {"birth_year": 2010})
    give(league, 2010)
    assert AuditEntry.objects.filter(action="player.birth_year").count() == 1


@pytest.mark.parametrize("year", [1799, 2999, -5])
def test_a_year_that_cannot_be_is_refused_and_the_name_stays_too(league: League, year: int) -> None:
    with pytest.raises(Refused) as refused:
        give(league, year, name="Anna")
    assert refused.value.codes == {"birth_year"}
    assert ana(league).birth_year is None


def seal(league: League) -> None:
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season_of(league), step, actor=None, now=START + timedelta(days=3))
        drain()


def test_a_sealed_season_that_was_rated_by_age_keeps_the_year(league: League) -> None:
    seal(league)
    with pytest.raises(Refused) as refused:
        give(league, 2010)
    assert refused.value.codes == {"sealed"}
    assert "reopen" in str(refused.value)
    assert ana(league).birth_year is None


def test_where_no_board_asks_for_ages_nothing_is_rated_again() -> None:
    league = new_club("harbour")
    record(league, result(league, "Ana", "Bo"))
    seal(league)
    revisions = set(league.boards.values_list("pk", "generation", "rated_through_revision"))
    give(league, 2010, name="Anna Ruiz")
    player = league.players.get(name="Anna Ruiz")
    assert player.birth_year == 2010
    assert set(league.boards.values_list("pk", "generation", "rated_through_revision")) == revisions
    assert check_league(league.pk).differences == 0


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite locks the database as a whole")
def test_seasons_are_locked_before_players_so_that_none_is_sealed_meanwhile(
    league: League,
) -> None:
    drain()
    with CaptureQueriesContext(connection) as asked:
        give(league, 2010)
    locks = [row["sql"] for row in asked if " FOR NO KEY UPDATE" in row["sql"]]
    assert '"leagues_season"' in locks[0]
    assert '"leagues_player"' in locks[1]
