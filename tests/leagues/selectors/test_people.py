"""The names that a process keeps are those of the database, whatever has changed them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from leagues.models import AuditEntry, League, Player, Revision
from leagues.selectors.board_selection import select_board
from leagues.selectors.people import PERSON, Roster, Viewer
from leagues.services.leaving import set_left
from leagues.services.matches import revert_revision
from leagues.services.player_changes import PLAYERS_CHANGED, PlayerChange, mark_of, write_changes
from leagues.services.player_editing import edit_player
from leagues.services.player_merging import merge_players
from leagues.services.players import rename_player
from leagues.services.revisions import commit_to, lock_season
from tests.leagues.play import new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

LEFT_AT = timezone.now() - timedelta(hours=1)


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club()
    record(league, result(league, "Ana", "Bo"), result(league, "Bo", "Cy"))
    return league


club = read_anew("built_club")


def read(league: League, *, backwards: bool = False) -> list[tuple[Any, ...]]:
    """The players as a page names them."""
    ids = sorted(Player.objects.filter(league=league).values_list("pk", flat=True))
    selection = select_board(league=league)
    assert selection is not None
    roster = Roster(league, Viewer(), None, log=selection.reading.log)
    roster.read(ids[::-1] if backwards else ids)
    people = [roster.people[pk] for pk in ids]
    return [
        (one.player_id, one.key, one.name, one.user_id, one.birth_year, one.left_at)
        for one in people
    ]


def stored(league: League) -> list[tuple[Any, ...]]:
    return list(league.players.order_by("pk").values_list(*PERSON))


def rename(league: League, name: str = "Anna") -> None:
    rename_player(player=league.players.get(key="ana"), name=name, actor=None)


def set_year(league: League) -> None:
    edit_player(player=league.players.get(key="ana"), name="Ana", birth_year=1990, actor=None)


def leave(league: League) -> None:
    set_left(player=league.players.get(key="ana"), left_at=LEFT_AT, was=None, actor=None)


def take_from_file(league: League) -> None:
    ana = league.players.get(key="ana")
    change = PlayerChange(
        ana,
        {"birth_year": None, "left_at": None},
        {"birth_year": 1991, "left_at": LEFT_AT},
    )
    season = season_of(league)
    with transaction.atomic():
        held = lock_season(season.pk)
        with commit_to(held, kind=Revision.Kind.PLAYERS, author=None, source="file") as commit:
            commit.revision.summary[PLAYERS_CHANGED] = 1
        write_changes(league, [change], mark=mark_of(season, commit.number), actor=None)


def undo_file(league: League) -> None:
    take_from_file(league)
    read(league)
    revert_revision(revision=season_of(league).revisions.latest("number"), author=None)


def merge(league: League) -> None:
    ana, cy = (league.players.get(key=key) for key in ("ana", "cy"))
    merge_players(league=league, keep=ana, drop=cy, author=None)


@pytest.mark.parametrize("change", [rename, set_year, leave, take_from_file, undo_file, merge])
def test_whatever_changes_a_player_is_seen(club: League, change: Callable[[League], None]) -> None:
    assert read(club) == stored(club)
    change(club)
    assert read(club) == stored(club)


def test_names_of_a_log_that_never_came_to_be_are_not_those_of_another(club: League) -> None:
    """As of a database that is put in the place of this one: its log may be as long."""
    with transaction.atomic():
        rename(club, "Anna")
        assert "Anna" in [row[2] for row in read(club)]
        transaction.set_rollback(True)
    rename(club, "Anita")
    assert AuditEntry.objects.filter(action="player.rename").count() == 1
    assert read(club) == stored(club)


def test_who_does_not_know_the_log_reads_names_each_time(club: League) -> None:
    ana = club.players.get(key="ana")
    for name in ("Anna", "Anita"):
        rename(club, name)
        roster = Roster(club, Viewer(), None, log="")
        roster.read([ana.pk])
        assert roster.people[ana.pk].name == name


def test_whoever_changes_places_is_not_read_again(club: League) -> None:
    read(club)
    with CaptureQueriesContext(connection) as asked:
        read(club, backwards=True)
    assert not [query for query in asked if '"leagues_player"."left_at"' in query["sql"]]
