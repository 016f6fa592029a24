"""What the database refuses by itself: a sealed season is attacked with plain SQL."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.management.commands.serve import prepare_database
from leagues.models import AuditEntry, Board, League, Match, MatchVersion, Revision, Season
from leagues.services.integrity import board_digest
from leagues.services.leagues import create_season, restart_board, update_league
from leagues.services.matches import record_matches, void_match
from leagues.services.nightly_checks import verify_boards_job
from leagues.services.players import ensure_player
from leagues.services.ratings import enqueue_rating, enqueue_verification
from leagues.services.seasons import Step, start_next_season, take_step
from leagues.store import guards
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

WORD = "x"
NEWCOMER = "(SELECT max(id) FROM leagues_player)"
ATTACKS = {
    "leagues_match": ("weight = 3.0", {"seq": "seq + 50"}),
    "leagues_participant": ("rank = 7", {"player_id": NEWCOMER}),
    "leagues_matchversion": ("version = 99", {"version": "version + 50"}),
    "leagues_revision": ("reason = 'forged'", {"number": "number + 50"}),
    "leagues_startingstate": ("player_id = player_id", {"player_id": NEWCOMER}),
    "leagues_boardrules": ("reason = 'forged'", {"number": "number + 50"}),
    "leagues_standing": ("games = 999", {"player_id": NEWCOMER}),
    "leagues_ratingsegment": ("count = 1", {"player_id": NEWCOMER}),
    "leagues_ledgerentry": ("kind = 'forged'", {"seq": "seq + 50"}),
    "leagues_matchevent": ("points = 2.0", {"position": "position + 50"}),
}
"""A change of every table, and what makes a copy of a row another row."""


def take(season: Season, *steps: Step) -> None:
    for step in steps:
        take_step(season, step, actor=None, now=timezone.now(), reason="why not")
        drain()
    season.refresh_from_db()


@pytest.fixture(scope="module")
def built_season(shared_rows: None) -> Season:
    """Return a sealed season that has rows of every kind."""
    league = new_club()
    first = season_of(league)
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 2))
    take(first, Step.CLOSE, Step.SEAL)
    second = start_next_season(
        first,
        days=(datetime(2026, 1, 1, tzinfo=UTC), None),
        carryover="keep",
        actor=None,
    )
    take(second, Step.OPEN)
    drafts = [
        result(league, *pair, at=datetime(2026, 1, 2 + day, tzinfo=UTC))
        for day, pair in enumerate((("Ana", "Bo"), ("Cy", "Ana"), ("Bo", "Cy")))
    ]
    *_, match = record_matches(season=second, mode=mode_of(league), drafts=drafts).matches
    void_match(match=match, author=None)
    drain()
    for board in second.boards.all():
        board.rules.create(league=league, number=1, parameters=board.parameters)
    match.events.create(league=league, position=0, kind="frag", player=league.players.all()[0])
    second.ledger.create(
        league=league, seq=1, effective_at=START, kind="penalty", revision=match.revision
    )
    take(second, Step.CLOSE, Step.SEAL)
    return second


season = read_anew("built_season")


def digests(season: Season) -> dict[str, str]:
    boards = season.boards.select_related("league", "season", "mode")
    return {board.system: board_digest(board) for board in boards}


def refused(sql: str, params: list[object] | None = None) -> str:
    """Run a statement that the database has to refuse; returns why it did."""
    with (
        pytest.raises(IntegrityError) as caught,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql, params)
    return str(caught.value)


@pytest.mark.parametrize("table", ATTACKS)
def test_no_statement_changes_removes_or_adds_a_row_of_a_sealed_season(
    season: Season, table: str
) -> None:
    before = digests(season)
    ensure_player(league=season.league, name="Newcomer")
    change, other = ATTACKS[table]
    assert table in refused(f"UPDATE {table} SET {change}")
    assert table in refused(f"DELETE FROM {table}")
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} LIMIT 1")
        columns = [column[0] for column in cursor.description if column[0] != "id"]
    copied = ", ".join(other.get(column, column) for column in columns)
    assert table in refused(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {copied} FROM {table} "
        f"WHERE id = (SELECT max(id) FROM {table})"
    )
    assert digests(season) == before


@pytest.mark.parametrize(
    "change",
    [
        "parameters = '{}'",
        "generation = 99",
        "rated_through_revision = -1",
        "board_state = start_board_state",
        "seal = 'forged'",
        "season_id = (SELECT min(id) FROM leagues_season)",
        "system = 'ladder'",
    ],
)
def test_the_board_of_a_sealed_season_keeps_what_it_is(season: Season, change: str) -> None:
    if change.startswith("board_state"):
        season.boards.update(name="Old board")
        change = "rated_matches = 0"
    assert "leagues_board" in refused(f"UPDATE leagues_board SET {change}")
    assert "leagues_board" in refused("DELETE FROM leagues_board")


def test_a_sealed_board_can_still_be_checked_and_renamed(season: Season) -> None:
    season.boards.update(verified_at=timezone.now(), differences=0, name="Old board", problem="")
    for board in season.boards.all():
        enqueue_verification(board)
        enqueue_rating(board)
    before = digests(season)
    drain()
    assert digests(season) == before
    assert not season.boards.filter(verified_at=None).exists()


@pytest.mark.parametrize(
    "change",
    [
        "state = 'open'",
        "sealed_digest = 'forged'",
        "sealed_at = NULL",
        "last_seq = 0",
        "ends_at = NULL, starts_at = NULL",
        "carryover = 'soft'",
    ],
)
def test_the_seal_of_a_season_is_not_broken_in_secret(season: Season, change: str) -> None:
    assert "leagues_season" in refused(f"UPDATE leagues_season SET {change}")
    assert "leagues_season" in refused("DELETE FROM leagues_season")


def test_after_a_reopening_that_stands_in_the_record_it_can_be_changed(season: Season) -> None:
    take(season, Step.REOPEN)
    match = season.matches.filter(status="live").order_by("seq")[0]
    assert void_match(match=match, author=None)
    take(season, Step.SEAL)
    assert "leagues_season" in refused("UPDATE leagues_season SET state = 'closing'")


def test_a_sealed_season_ignores_new_rules_and_sweeps(season: Season) -> None:
    before = digests(season)
    league = season.league
    update_league(league=league, changes={"walkovers": "win"}, actor=None)
    for board in season.boards.select_related("season"):
        restart_board(board)
    enqueue_rating(season.boards.all()[0])
    verify_boards_job(None)  # type: ignore[arg-type]
    drain()
    assert digests(season) == before
    assert not Board.objects.filter(season=season, differences__gt=0).exists()


def test_nobody_edits_or_removes_what_is_on_record(season: Season) -> None:
    league = season.league
    open_season = create_season(league=league, name="Next")
    draft = result(league, "Ana", "Bo", at=START + timedelta(days=400))
    (match,) = record_matches(season=open_season, mode=mode_of(league), drafts=[draft]).matches
    void_match(match=match, author=None)
    for change in (
        AuditEntry.objects.filter(season=open_season),
        MatchVersion.objects.filter(match=match),
        Revision.objects.filter(season=open_season),
    ):
        table = change.model._meta.db_table
        keys = ", ".join(str(key) for key in change.values_list("pk", flat=True))
        assert keys
        assert table in refused(f"DELETE FROM {table} WHERE id IN ({keys})")
        for column in ("id", "reason" if change.model is Revision else "league_id"):
            assert table in refused(f"UPDATE {table} SET {column} = 0 WHERE id IN ({keys})")


def test_staged_rows_of_a_season_that_was_sealed_meanwhile_can_be_thrown_away(
    season: Season,
) -> None:
    revision = Revision.objects.create(
        league=season.league, season=season, kind="import", state="staged", source="file"
    )
    match = Match.objects.create(
        league=season.league,
        season=season,
        mode=season.league.modes.get(),
        played_at=START,
        status="staged",
        source="file",
        revision=revision,
    )
    match.participants.create(
        league=season.league, player=season.league.players.all()[0], side=0, rank=1
    )
    assert "leagues_match" in refused(
        "UPDATE leagues_match SET status = 'live', seq = 99, touched_in_revision = 99 "
        "WHERE id = %s",
        [match.pk],
    )
    match.participants.all().delete()
    match.delete()
    revision.delete()


@pytest.fixture
def unguarded() -> Iterator[None]:
    yield
    guards.install(connection)


def test_the_guards_come_back_after_every_migration(unguarded: None) -> None:
    def names() -> set[str]:
        with connection.cursor() as cursor:
            return set(guards._existing_guards(connection, cursor))

    there = names()
    assert len(there) > 30
    guards.before_migrations(using="default", plan=[])
    assert names() == there
    guards.before_migrations(using="default", plan=["a migration"])
    assert not names()
    guards.after_migrations(using="default")
    assert names() == there
    guards.install(connection)
    assert names() == there


def test_every_column_of_a_sealed_board_and_season_is_kept_or_free_on_purpose() -> None:
    free = {
        Board: {
            *("id", "name", "position", "state", "problem", "last_generation", "created_at"),
            *(
                "computed_at",
                "verified_at",
                "verified_through_revision",
                "verified_matches",
                "changes_verified_at",
                "differences",
            ),
        },
        Season: {"id", "name", "state", "created_at", "checked_at", "differences"},
    }
    for model, kept in ((Board, guards.BOARD_COLUMNS), (Season, guards.SEASON_COLUMNS)):
        columns = {field.column for field in model._meta.concrete_fields}
        assert columns == set(kept) | free[model]


def test_a_league_without_sealed_seasons_is_not_hindered() -> None:
    league: League = new_club("free")
    record(league, *rounds(league, ("Ana", "Bo"), 1))
    Match.objects.filter(league=league).update(weight=2.0)


def test_guards_that_a_killed_migration_left_out_are_put_back_at_the_next_start() -> None:
    def found() -> set[str]:
        with connection.cursor() as cursor:
            return set(guards._existing_guards(connection, cursor))

    before = found()
    guards.remove(connection)
    assert found() == set()
    prepare_database(print)
    assert found() == before != set()
