"""Rungs of a ladder in the order of a game session: exact, replayed, moved and undone."""

from __future__ import annotations

import io
from datetime import timedelta

import pytest
from django.db import transaction

from leagues.domain.openings import has_session_rungs
from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, League, Match, Season, StartingState
from leagues.selectors.game_sessions import find_session, session_order
from leagues.services.backups import restore_backup, write_backup
from leagues.services.carryover import carry_over, start_next_season
from leagues.services.errors import Refused
from leagues.services.leagues import add_board, add_mode
from leagues.services.matches import record_matches
from leagues.services.modes import change_rated_by
from leagues.services.openings import preview_session_rungs, start_in_order, undo_opening
from leagues.services.players import ensure_player
from tests.leagues.happenings import game
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.services.test_openings import drawn, ratings
from tests.leagues.services.test_starts import assert_sound, board_of, digest, replayed

pytestmark = pytest.mark.django_db

NAME = "Autumn, match 1"


def club_with_session(slug: str = "club", **parameters: object) -> League:
    """A league with one game of frags, and a ladder of another mode that has no match yet."""
    league = new_club(slug)
    season_of(league).boards.all().delete()
    mode = mode_of(league)
    add_board(season=season_of(league), mode=mode, system="zerosum")
    change_rated_by(mode=mode, rated_by="events", actor=None)
    happened = "Cy>Ana Cy>Bo Cy>Ana Bo>Ana Di>Ana Ana>Di"
    record(league, game(league, "Cy Bo Di Ana", happened, at=START))
    ladder = add_mode(league=league, name="Duels", actor=None)
    ladder.boards.all().delete()
    add_board(season=season_of(league), mode=ladder, system="ladder", parameters=parameters)
    ensure_player(league=league, name="Eve")
    drain()
    return league


@pytest.fixture
def club() -> League:
    return club_with_session()


def ladder_of(league: League, **season: str) -> Board:
    return board_of(league, "ladder", **season)


def keys_of(league: League) -> list[str]:
    session = find_session(Match.objects.get(league=league, seq=1), is_evening=False)
    assert session is not None
    return [player.key for player in session_order(session)]


def place(league: League, keys: list[str] | None = None) -> Board:
    keys = keys_of(league) if keys is None else keys
    start_in_order(board=ladder_of(league), keys=keys, session=NAME, actor=None)
    drain()
    return ladder_of(league)


def duel(league: League, one: str, other: str, days: int) -> None:
    mode = league.modes.get(name="Duels")
    draft = result(league, one, other, at=START + timedelta(days=days))
    record_matches(season=season_of(league), mode=mode, drafts=[draft], author=None, source="test")
    drain()


def codes(league: League, keys: list[str], **choices: str) -> frozenset[str]:
    with pytest.raises(Refused) as refused:
        start_in_order(board=ladder_of(league), keys=keys, session=NAME, actor=None, **choices)
    return refused.value.codes


def test_the_order_of_a_session_is_that_of_the_rungs_and_others_join_below(club: League) -> None:
    # Cy got three and was never got; Bo got one; Di got Ana and was got; Ana was got four times.
    assert keys_of(club) == ["cy", "bo", "di", "ana"]
    board = place(club)
    assert has_session_rungs(board)
    assert drawn(board) == {"cy": 1.0, "bo": 2.0, "di": 3.0, "ana": 4.0}
    duel(club, "Eve", "Ana", 1)
    assert ratings(board) == {"Eve": 4.0, "Ana": 5.0}
    duel(club, "Ana", "Cy", 2)
    assert ratings(board) == {"Eve": 4.0, "Ana": 1.0, "Cy": 5.0}


@pytest.mark.parametrize("mode", ["swap", "insert"])
def test_matches_appended_are_as_a_replay(mode: str) -> None:
    league = club_with_session(mode=mode)
    board = place(league)
    for day, pair in enumerate((("Ana", "Cy"), ("Eve", "Bo"), ("Di", "Ana"), ("Flo", "Eve"))):
        duel(league, *pair, day)
    appended = digest(board)
    assert_sound(board)
    assert replayed(board) == appended


def test_sessions_that_nothing_rates_can_be_of_the_ladder_itself() -> None:
    league = new_club()
    season_of(league).boards.all().delete()
    add_board(season=season_of(league), mode=mode_of(league), system="ladder")
    draft = game(league, "Cy Bo Ana", "Cy>Bo Cy>Ana Cy>Ana Bo>Ana", kind="unrated")
    record(league, draft)
    board = place(league)
    assert drawn(board) == {"cy": 1.0, "bo": 2.0, "ana": 3.0}
    record(league, result(league, "Ana", "Cy", at=START + timedelta(days=1)))
    assert ratings(board) == {"Ana": 1.0, "Cy": 3.0}
    assert_sound(board)


def test_the_log_names_the_session_and_the_order(club: League) -> None:
    board = place(club)
    entry = AuditEntry.objects.get(action="board.session_rungs")
    assert entry.after == {
        "board": board.slug,
        "game_session": NAME,
        "players_in_order": ["cy", "bo", "di", "ana"],
    }
    undo_opening(board=board, actor=None)
    assert not StartingState.objects.exists()
    board = ladder_of(club)
    assert (bytes(board.start_board_state), board.start_parameters) == (b"", {})
    place(club)


def test_it_is_refused_with_the_reason(club: League) -> None:
    keys = keys_of(club)
    with pytest.raises(Refused, match="is no ladder"):
        start_in_order(board=board_of(club, "zerosum"), keys=keys, session=NAME, actor=None)
    assert codes(club, ["nobody"]) == {"unknown"}
    assert codes(club, []) == {"players"}
    assert codes(club, keys, seen="x") == {"changed"}
    place(club)
    assert codes(club, keys) == {"has_opening"}
    duel(club, "Eve", "Ana", 1)
    assert "has_results" in codes(club, keys)
    with pytest.raises(Refused, match="too late"):
        undo_opening(board=ladder_of(club), actor=None)


def test_who_left_is_named_and_not_placed(club: League) -> None:
    order = [club.players.get(key=key) for key in keys_of(club)]
    club.players.filter(key="bo").update(left_at=START)
    order[1].refresh_from_db()
    preview = preview_session_rungs(ladder_of(club), order)
    assert [player.key for player in preview.left_out] == ["bo"]
    keys = [player.key for player in order]
    start_in_order(
        board=ladder_of(club), keys=keys, session=NAME, seen=preview.fingerprint, actor=None
    )
    assert drawn(ladder_of(club)) == {"cy": 1.0, "di": 2.0, "ana": 3.0}


def test_the_next_season_keeps_the_rungs(club: League) -> None:
    place(club)
    duel(club, "Ana", "Cy", 1)
    season = season_of(club)
    Season.objects.filter(pk=season.pk).update(state=Season.State.CLOSED)
    following = start_next_season(
        Season.objects.get(pk=season.pk),
        days=(START + timedelta(days=400), None),
        actor=None,
    )
    carry_over(following, carryover=Season.Carryover.KEEP, actor=None)
    later = ladder_of(club, season__slug=following.slug)
    assert drawn(later) == {"ana": 1.0, "bo": 2.0, "di": 3.0, "cy": 4.0}
    assert not has_session_rungs(later)


def test_a_backup_keeps_them() -> None:
    written = io.BytesIO()
    with transaction.atomic():
        league = club_with_session()
        board = place(league)
        duel(league, "Eve", "Ana", 1)
        before, stored = digest(board), drawn(board)
        write_backup(written)
        transaction.set_rollback(True)
    restore_backup(io.BytesIO(written.getvalue()))
    drain()
    restored = Board.objects.select_related("league", "season", "mode").get(system="ladder")
    assert (digest(restored), drawn(restored)) == (before, stored)
