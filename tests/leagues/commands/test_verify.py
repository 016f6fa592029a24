"""Nothing is changed behind the application's back that `verify` does not find and name.

Every table that facts, seals or history live in is changed with plain SQL, the guards taken away.
What cannot be found stands in docs/integrity.md.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.management.commands.serve import prepare_database
from leagues.models import (
    AuditEntry,
    Board,
    Imprint,
    LogHead,
    Match,
    Player,
    PlayerAlias,
    Revision,
    Season,
)
from leagues.services.audit import record_audit
from leagues.services.backups import restore_backup, write_backup
from leagues.services.baseline import ask_for_baseline, lay_baseline
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import start_import
from leagues.services.inactivity_sweep import sweep
from leagues.services.leagues import restart_board, update_league
from leagues.services.matches import (
    correct_match,
    record_matches,
    restore_match,
    revert_revision,
    void_match,
)
from leagues.services.members import set_role
from leagues.services.players import rename_player
from leagues.services.rules import change_rules
from leagues.services.seasons import Step, start_next_season, take_step
from leagues.services.starts import Start, set_start
from leagues.services.stored_drafts import draft_of
from leagues.store import guards
from tests.leagues.play import START, mode_of, new_club, result, rounds

pytestmark = pytest.mark.django_db

SEASONS = ("closed", "open")
FIRST = datetime(2026, 1, 1, tzinfo=UTC)


def take(season: Season, *steps: Step) -> None:
    for step in steps:
        take_step(season, step, actor=None, now=timezone.now(), reason="why not")
        drain()
    season.refresh_from_db()


def build() -> None:
    """A league with a sealed season and an open one, and something of every kind in both."""
    owner = User.objects.create_superuser("owner")
    record_audit(league=None, actor=owner, action="account.setup", subject="owner", account=owner)
    league = new_club(owner=owner)
    set_role(league=league, user=User.objects.create_user("helper"), role="scorer", actor=owner)
    first = league.seasons.get()
    drafts = rounds(league, ("Ana", "Bo", "Cy"), 2)
    one, two, three, *_ = record_matches(
        season=first, mode=mode_of(league), drafts=drafts, author=owner
    ).matches
    play_with(one, two, three, owner)
    elo = first.boards.get(system="elo")
    change_rules(
        elo, parameters={"k": 24}, effective_at=START + timedelta(days=1), actor=owner, reason="try"
    )
    drain()
    take(first, Step.CLOSE, Step.SEAL)
    second = start_next_season(first, days=(FIRST, None), carryover="keep", actor=owner)
    take(second, Step.OPEN)
    drafts = [
        result(league, *pair, at=FIRST + timedelta(days=day))
        for day, pair in enumerate((("Ana", "Bo"), ("Cy", "Ana"), ("Bo", "Cy+Dee"), ("Bo", "Cy")))
    ]
    one, two, three, _four = record_matches(
        season=second, mode=mode_of(league), drafts=drafts, author=owner
    ).matches
    play_with(one, two, three, owner)
    rename_player(player=league.players.get(key="ana"), name="Anna", actor=owner)
    set_start(
        board=second.boards.get(system="glicko2"),
        player=league.players.get(key="dee"),
        start=Start(1850.0, 80.0, "FIDE list"),
        actor=owner,
        was=None,
    )
    drain()


def play_with(one: Match, two: Match, three: Match, owner: User) -> None:
    """Correct a result and undo that, void one, and let another count again."""
    corrected = correct_match(
        match=one, draft=replace(draft_of(one), weight=2.0), expected_version=1, author=owner
    )
    assert corrected is not None
    revert_revision(revision=corrected, author=owner)
    correct_match(
        match=three, draft=replace(draft_of(three), detail="6:4"), expected_version=1, author=owner
    )
    void_match(match=two, author=owner, reason="twice")
    restore_match(match=two, author=owner)
    void_match(match=two, author=owner)


@pytest.fixture(scope="module")
def installation(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Make the installation once; each test changes it within a transaction of its own."""
    with django_db_blocker.unblock(), transaction.atomic():
        build()
        guards.remove(connection)
        yield
        transaction.set_rollback(True)


@pytest.fixture
def changed(installation: None, db: None) -> Iterator[None]:
    """Let a test change what it likes, references to nothing too; the next finds it as it was."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def verify(*words: str) -> str:
    """What `verify` prints; its exit code says the same as its last line."""
    output = io.StringIO()
    code = 0
    try:
        call_command("verify", *words, stdout=output)
    except SystemExit as ended:
        code = int(str(ended.code))
    total = output.getvalue().strip().splitlines()[-1]
    assert (code == 0) == total.startswith("0 differences")
    return output.getvalue()


def run(sql: str, *params: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        assert cursor.rowcount == 1, sql


def state_of(season: str) -> str:
    return f"(SELECT id FROM leagues_season WHERE state = '{season}')"


def one_of(season: str, table: str) -> str:
    """The condition for one row of a table that belongs to a season in a state."""
    seasons = state_of(season)
    boards = f"(SELECT id FROM leagues_board WHERE season_id = {seasons})"
    matches = f"(SELECT id FROM leagues_match WHERE season_id = {seasons})"
    shown = f"(SELECT generation FROM leagues_board b WHERE b.id = leagues_{table}.board_id)"
    chosen = {
        "season": f"id = {seasons}",
        "board": f"id IN {boards}",
        "match": f"season_id = {seasons}",
        "revision": f"season_id = {seasons}",
        "participant": f"match_id IN {matches}",
        "matchversion": f"match_id IN {matches}",
        "startingstate": f"board_id IN {boards}",
        "boardrules": f"board_id IN {boards}",
        "standing": f"board_id IN {boards} AND generation = {shown}",
        "ratingsegment": f"board_id IN {boards} AND generation = {shown}",
        "auditentry": "action = 'season.seal'",
        "imprint": "\"table\" = 'leagues_boardrules'",
    }.get(table, "1 = 1")
    key = "scope" if table == "loghead" else "id"
    return f"{key} = (SELECT max({key}) FROM leagues_{table} WHERE {chosen})"


UPDATES: dict[str, dict[str, str]] = {
    "match": {
        "league_id": "league_id + 1",
        "season_id": "(SELECT max(id) FROM leagues_season) + 7",
        "mode_id": "mode_id + 1",
        "seq": "seq + 50",
        "played_at": "'2026-01-01 05:00:00'",
        "date_only": "NOT date_only",
        "same_time_order": "7",
        "kind": "'unrated'",
        "status": "CASE status WHEN 'live' THEN 'void' ELSE 'live' END",
        "weight": "3.0",
        "sets": "'11-9 11-8'",
        "started_at": "'2026-01-01 05:00:00'",
        "deadline_at": "'2026-01-02 05:00:00'",
        "rungs_lost": "7",
        "detail": "'forged'",
        "source": "'forged'",
        "external_id": "'forged'",
        "payload_hash": "'forged'",
        "content_hash": "NULL_BYTES",
        "version": "version + 1",
        "revision_id": "revision_id - 1",
        "touched_in_revision": "touched_in_revision + 1",
        "entered_by_id": "(SELECT id FROM auth_user WHERE username = 'helper')",
        "recorded_at": "'2026-01-01 05:00:00'",
    },
    "participant": {
        "league_id": "league_id + 1",
        "match_id": "match_id + 1000",
        "player_id": "(SELECT id FROM leagues_player WHERE key = 'dee')",
        "side": "side + 5",
        "rank": "rank + 2",
        "score": "99",
        "handicap": "64",
        "own_score": "99",
        "playing_share": "0.5",
        "leaving": "2",
    },
    "matchversion": {
        "league_id": "league_id + 1",
        "match_id": "match_id - 1",
        "version": "version + 50",
        "content": '\'{"status": "forged"}\'',
        "revision_id": "revision_id - 1",
    },
    "revision": {
        "league_id": "league_id + 1",
        "season_id": "season_id + 1000",
        "number": "number + 50",
        "kind": "'demo'",
        "reason": "'forged'",
        "summary": "'{}'",
        "reverts_id": "(SELECT min(id) FROM leagues_revision)",
        "author_id": "(SELECT id FROM auth_user WHERE username = 'helper')",
        "author_key": "77",
        "source": "'forged'",
        "digest": "'forged'",
        "created_at": "'2026-01-01 05:00:00'",
    },
    "season": {
        "league_id": "league_id + 1",
        "slug": "'forged'",
        "state": "'closing'",
        "starts_at": "'2020-01-01 05:00:00'",
        "ends_at": "'2027-01-01 05:00:00'",
        "follows_id": "id",
        "carryover": "'soft'",
        "carryover_share": "0.25",
        "carryover_deviation": "0.25",
        "sealed_at": "'2026-01-01 05:00:00'",
        "sealed_digest": "'forged'",
        "sealed_walkovers": "'forged'",
        "sealed_ranked_after": "44",
        "sealed_active_days": "44",
        "stopped_at": "'2026-01-01 05:00:00'",
        "last_seq": "last_seq + 1",
        "last_revision": "last_revision + 1",
        "facts_digest": "'forged'",
        "created_at": "'2026-01-01 05:00:00'",
    },
    "board": {
        "league_id": "league_id + 1",
        "season_id": "season_id + 7",
        "mode_id": "mode_id + 1",
        "system": "'zerosum'",
        "slug": "'forged'",
        "parameters": "'{}'",
        "rules_since": "'2026-01-01 05:00:00'",
        "rated_rules": "'[[null, {\"k\": 77}]]'",
        "generation": "generation + 1",
        "rated_through_revision": "rated_through_revision + 50",
        "last_at": "'2026-01-01 05:00:00'",
        "last_same_time_order": "77",
        "last_seq": "77",
        "rated_matches": "77",
        "refused_matches": "77",
        "board_state": "SOME_BYTES",
        "start_board_state": "SOME_BYTES",
        "start_parameters": "'{\"forged\": 1}'",
        "decayed_until": "'2026-01-05 05:00:00'",
        "seal": "'forged'",
        "created_at": "'2026-01-01 05:00:00'",
    },
    "standing": {
        "board_id": "board_id + 50",
        "generation": "generation + 1",
        "player_id": "player_id + 50",
        "state": "SOME_BYTES",
        "shown": "77.0",
        "place_value": "77",
        "low": "77.0",
        "high": "77.0",
        "games": "77",
        "won": "77",
        "drawn": "77",
        "lost": "77",
        "form": "'forged'",
        "streak": "77",
        "last_played_at": "'2020-01-01 05:00:00'",
        "fairly_sure_until": "'2020-01-01 05:00:00'",
        "sure_until": "'2020-01-01 05:00:00'",
    },
    "ratingsegment": {
        "board_id": "board_id + 50",
        "generation": "generation + 1",
        "player_id": "player_id + 50",
        "number": "number + 1",
        "count": "count + 1",
        "data": "SOME_BYTES",
        "expected": "SOME_BYTES",
    },
    "startingstate": {
        "league_id": "league_id + 1",
        "board_id": "board_id + 50",
        "player_id": "player_id + 50",
        "state": "SOME_BYTES",
        "rating": "77.0",
        "deviation": "77.0",
        "carried_state": "SOME_BYTES",
    },
    "boardrules": {
        "league_id": "league_id + 1",
        "board_id": "board_id + 50",
        "number": "number + 50",
        "effective_at": "'2026-01-01 05:00:00'",
        "is_replaced": "NOT is_replaced",
        "parameters": "'{\"forged\": 1}'",
        "reason": "'forged'",
        "created_at": "'2026-01-01 05:00:00'",
    },
    "player": {
        "league_id": "league_id + 1",
        "key": "'forged'",
        "birth_year": "1900",
        # The database takes nobody as merged who is still in the lists.
        "merged_into_id": "(SELECT id FROM leagues_player WHERE key = 'cy'), is_listed = FALSE",
        "identity": "'forged'",
    },
    "playeralias": {"league_id": "league_id + 1", "player_id": "player_id + 1"},
    "mode": {
        "league_id": "league_id + 1",
        "slug": "'forged'",
        "position": "77",
        "rated_by": "'events'",
        "played_by": "'two_teams'",
        "score_rule": "'sets 5'",
        "named_weights": "'[[\"Cup\", 9.0]]'",
        "start_hours": "77",
        "released_by": "'players'",
        "start_rungs": "77",
    },
    "league": {
        "slug": "'forged'",
        "visibility": "'private'",
        "time_zone": "'Asia/Tokyo'",
        "draws_allowed": "NOT draws_allowed",
        "negative_scores": "NOT negative_scores",
        "walkovers": "'win'",
        "counts_broken_off": "NOT counts_broken_off",
        "active_days": "77",
        "ranked_after": "77",
    },
    "auditentry": {
        "league_id": "league_id + 1",
        "number": "number + 50",
        "actor_id": "(SELECT id FROM auth_user WHERE username = 'helper')",
        "actor_key": "77",
        "person_key": "'forged'",
        "player_id": "(SELECT id FROM leagues_player WHERE key = 'bo')",
        "season_id": "(SELECT max(id) FROM leagues_season)",
        "action": "'season.forged'",
        "subject": "'forged'",
        "before": "'{\"forged\": 1}'",
        "after": "'{\"forged\": 1}'",
        "digest": "'forged'",
        "created_at": "'2026-01-01 05:00:00'",
    },
    "imprint": {
        "league_id": "league_id + 1",
        "table": "'forged'",
        "row": "77",
        "content": "'{}'",
    },
    "loghead": {"entries": "entries + 1", "digest": "'forged'"},
}
"""What each column of each table is set to, behind the application's back."""

UNNOTICED: dict[str, set[str]] = {
    "standing": {"league_id"},
    "ratingsegment": {"league_id"},
    # The database refuses a state that does not go with the number.
    "revision": {"state"},
    "season": {"name", "checked_at", "differences"},
    "board": {
        *("name", "position", "state", "problem", "last_generation", "computed_at"),
        *("math_fingerprint", "verified_at", "verified_through_revision", "verified_matches"),
        *("changes_verified_at", "differences"),
    },
    "boardrules": {"author_id"},
    "startingstate": {"source"},
    "player": {
        *("name", "folded", "words", "user_id", "revision_id"),
        *("is_listed", "left_at", "created_at"),
    },
    "playeralias": {"name", "folded", "is_public"},
    "mode": {"name"},
    "league": {
        *(
            "name",
            "description",
            "age_classes",
            "is_demo",
            "has_groups",
            "checked_at",
            "differences",
        ),
        "created_at",
    },
}
"""Columns whose change nothing notices; docs/integrity.md says why."""

SEASONAL = (
    *("match", "participant", "matchversion", "revision", "season", "board", "standing"),
    *("ratingsegment", "boardrules", "startingstate"),
)
ABSENT = {("boardrules", "open"), ("startingstate", "closed")}
"""Rows that a season of the installation does not have."""
NAMED_BY = {
    "participant": "leagues_match ",
    "standing": "replayed",
    "ratingsegment": "replayed",
    ("match", "version"): "leagues_matchversion of match ",
    ("matchversion", "content"): "leagues_revision ",
    ("matchversion", "revision_id"): "leagues_revision ",
    ("participant", "league_id"): "leagues_participant ",
    ("player", "league_id"): "leagues_match ",
    ("board", "rated_rules"): "rated rules",
    ("board", "generation"): "replayed",
    ("board", "rated_through_revision"): "rated_through_revision",
    ("board", "last_at"): "last result",
    ("board", "last_same_time_order"): "last place",
    ("board", "last_seq"): "last place",
    ("board", "rated_matches"): "rated matches",
    ("board", "refused_matches"): "refused matches",
    ("board", "board_state"): "board state",
    ("match", "season_id"): "result",
    ("revision", "season_id"): "revision of",
    ("imprint", "league_id"): "leagues_boardrules ",
    ("imprint", "table"): "leagues_boardrules ",
    ("imprint", "row"): "leagues_boardrules ",
    ("imprint", "content"): "leagues_boardrules ",
}
"""What the report calls a change where it is not by its own table."""


def bytes_of(value: str) -> str:
    """Replace the words for bytes by what the engine calls them."""
    empty, some = (
        ("x''", "x'0badc0de'")
        if connection.vendor == "sqlite"
        else (
            "''::bytea",
            "'\\x0badc0de'::bytea",
        )
    )
    return value.replace("NULL_BYTES", empty).replace("SOME_BYTES", some)


def seasons_of(table: str) -> list[str]:
    return [name for name in SEASONS if table in SEASONAL and (table, name) not in ABSENT] or ["-"]


def name_of(table: str, column: str = "") -> str:
    return NAMED_BY.get((table, column), NAMED_BY.get(table, f"leagues_{table} "))


@pytest.mark.parametrize(
    ("table", "season", "column"),
    [
        (table, season, column)
        for table, columns in UPDATES.items()
        for season in seasons_of(table)[:1]
        for column in columns
    ],
)
def test_a_changed_value_is_found_and_named(
    changed: None, table: str, season: str, column: str
) -> None:
    value = bytes_of(UPDATES[table][column])
    run(f'UPDATE leagues_{table} SET "{column}" = {value} WHERE {one_of(season, table)}')
    assert name_of(table, column) in verify()


MONTH_99 = "'1999-99-99 00:00:00'"
DEEP = 1500 * "[" + 1500 * "]"
UNREADABLE = {
    "an absurd version": ("match", "version", "2147483647", "leagues_matchversion"),
    "a month 99": ("match", "played_at", MONTH_99, "cannot be read"),
    "a month 99 of a standing": (
        "standing",
        "last_played_at",
        "'1999-99-99 00:00:00'",
        "cannot be read",
    ),
    "a month 99 of a board": ("board", "computed_at", MONTH_99, "cannot be read"),
    "a month 99 of a season": ("season", "created_at", MONTH_99, "cannot be read"),
    "a month 99 of a league": ("league", "created_at", MONTH_99, "cannot be read"),
    "a time zone of Mars": ("league", "time_zone", "'Mars/Base'", "cannot be read"),
    "a time zone outside": ("league", "time_zone", "'../../../etc/passwd'", "cannot be read"),
    "a deep summary": ("revision", "summary", f"'{DEEP}'", "cannot be read"),
    "a deep version": ("matchversion", "content", f"'{DEEP}'", "cannot be read"),
    "a version of nothing": ("matchversion", "content", "'null'", "leagues_match"),
    "a deep entry": ("auditentry", "before", f"'{DEEP}'", "cannot be read"),
    "a deep imprint": ("imprint", "content", f"'{DEEP}'", "cannot be read"),
    "deep rules": ("board", "rated_rules", f"'{DEEP}'", "cannot be read"),
    "deep parameters": ("board", "parameters", f"'{DEEP}'", "cannot be read"),
    "no rules": ("board", "rated_rules", "'[]'", "rated rules"),
    "a short segment": ("ratingsegment", "data", "SOME_BYTES", "replay"),
    "a short state": ("standing", "state", "SOME_BYTES", "replayed"),
    "an unknown system": ("board", "system", "'nonsense'", "replay"),
}
"""What no release writes: SQL that sets one column of one row, and what `verify` says of it."""


@pytest.mark.parametrize("what", UNREADABLE)
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_what_cannot_be_read_is_named_and_hides_nothing_else(
    changed: None, what: str, words: tuple[str, ...]
) -> None:
    table, column, value, named = UNREADABLE[what]
    if connection.vendor != "sqlite" and ("99" in value or DEEP in value):
        pytest.skip("PostgreSQL stores no such value")
    season = seasons_of(table)[-1]
    run(f'UPDATE leagues_{table} SET "{column}" = {bytes_of(value)} WHERE {one_of(season, table)}')
    run("UPDATE leagues_player SET key = 'forged' WHERE key = 'bo'")
    said = verify(*words)
    assert named in said
    assert "(forged)" in said


def test_an_unreadable_result_hides_no_other_of_its_season(changed: None) -> None:
    run(f"UPDATE leagues_matchversion SET content = 'null' WHERE {one_of('open', 'matchversion')}")
    run(
        "UPDATE leagues_match SET detail = 'forged' WHERE id = (SELECT max(id) FROM leagues_match "
        f"WHERE season_id = {state_of('open')})"
    )
    said = verify()
    assert "cannot be read" in said
    assert re.search(r"leagues_match \d+ \(result \d+\) content", said)


def test_a_log_that_was_emptied_and_a_seal_without_an_entry_are_found(changed: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM leagues_auditentry WHERE league_id IS NOT NULL")
        cursor.execute("DELETE FROM leagues_loghead WHERE scope <> 0")
    said = verify()
    assert "the log is empty" in said
    assert "seal without a log entry" in said


@pytest.mark.parametrize(
    ("table", "season"),
    [(table, season) for table in UPDATES for season in seasons_of(table) if table != "league"],
)
def test_a_deleted_row_is_found_and_named(changed: None, table: str, season: str) -> None:
    if table == "player":
        run("DELETE FROM leagues_player WHERE key = 'bo'")
    else:
        run(f"DELETE FROM leagues_{table} WHERE {one_of(season, table)}")
    named = {
        "matchversion": "leagues_matchversion of match",
        "player": "leagues_match ",
        "imprint": "leagues_boardrules ",
    }
    assert named.get(table, name_of(table)) in verify()


FORGED = {
    "match": {"seq": "seq + 1000"},
    "participant": {"player_id": "(SELECT id FROM leagues_player WHERE key = 'dee')"},
    "matchversion": {"version": "version + 50"},
    "revision": {"number": "number + 50", "reverts_id": "NULL"},
    "season": {"slug": "'forged'"},
    "board": {"slug": "'forged'"},
    "standing": {"player_id": "player_id + 50"},
    "ratingsegment": {"number": "number + 50"},
    "startingstate": {"player_id": "player_id + 50"},
    "boardrules": {"number": "number + 50"},
    "player": {"key": "'forged'"},
    "playeralias": {"folded": "'forged'"},
    "mode": {"slug": "'forged'", "name": "'Forged'"},
    "league": {"slug": "'forged'"},
    "auditentry": {"number": "NULL"},
    "imprint": {'"row"': '"row" + 1000'},
    "loghead": {"scope": "scope + 1000"},
}
"""What makes a copy of a row another row."""


@pytest.mark.parametrize("table", FORGED)
def test_a_forged_row_is_found_and_named(changed: None, table: str) -> None:
    condition = one_of("open" if table == "startingstate" else "closed", table)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM leagues_{table} WHERE {condition}")
        columns = [f'"{column[0]}"' for column in cursor.description if column[0] != "id"]
    other = {name if '"' in name else f'"{name}"': new for name, new in FORGED[table].items()}
    copied = ", ".join(other.get(column, column) for column in columns)
    run(
        f"INSERT INTO leagues_{table} ({', '.join(columns)}) "
        f"SELECT {copied} FROM leagues_{table} WHERE {condition}"
    )
    named = {
        "matchversion": "leagues_matchversion of match",
        "imprint": "leagues_boardrules ",
    }
    assert named.get(table, name_of(table)) in verify()


def test_happenings_and_entries_that_no_revision_recorded_are_named(changed: None) -> None:
    match = Match.objects.filter(season__state="closed").latest("pk")
    league = match.league
    match.events.create(league=league, position=0, kind="frag", player=Player.objects.get(key="bo"))
    match.season.ledger.create(
        league=league, seq=1, effective_at=START, kind="penalty", revision=match.revision
    )
    report = verify()
    assert f"leagues_match {match.pk} (result {match.seq})" in report
    assert "leagues_ledgerentry " in report


def test_every_column_is_tried_or_known_to_go_unnoticed() -> None:
    """A column that comes later has to be put in one of the two lists, and in the docs."""
    for model in apps.get_app_config("leagues").get_models():
        table = model._meta.db_table.removeprefix("leagues_")
        if table in UPDATES:
            columns = {field.column for field in model._meta.concrete_fields} - {"id", "scope"}
            assert columns == set(UPDATES[table]) | UNNOTICED.get(table, set()), table
        else:
            assert table in NOT_COVERED, table


NOT_COVERED = {
    # Each column is tried in tests/leagues/services/test_match_events.py.
    "matchevent",
    # Found as rows that no revision recorded, see above.
    "ledgerentry",
    # Computed from the rest, and thrown away at any time.
    *("boardday", "packedstandings", "revisedrating", "trial"),
    # Who may do what, work under way and what was sent: no facts.
    *("membership", "apitoken", "requestkey", "setuplink", "invitation", "job", "upload"),
    "nightsheet",
    # By which standings are filtered; nothing is rated by them.
    "playergroup",
    # Counts of the last minutes.
    "limituse",
}


def test_an_installation_as_it_was_left_has_no_differences(installation: None) -> None:
    assert verify().splitlines()[-1] == "0 differences on 4 boards"


def test_a_swapped_result_under_the_old_seal_is_named_and_said_on_its_pages(
    changed: None, client: Client
) -> None:
    season = Season.objects.get(state="closed")
    seals = dict(season.boards.values_list("pk", "seal"))
    match = season.matches.filter(status="live").latest("seq")
    run(
        "UPDATE leagues_match SET status = 'void' WHERE id = %s",
        match.pk,
    )
    Season.objects.filter(pk=season.pk).update(state="closing")
    for board in season.boards.all():
        restart_board(board)
    drain()
    Season.objects.filter(pk=season.pk).update(state="closed")
    season.boards.update(differences=0)
    assert dict(season.boards.values_list("pk", "seal")) == seals
    report = verify()
    assert "seal: stored" in report
    assert f"leagues_match {match.pk}" in report
    page = client.get(f"/l/club/seasons/{season.slug}/").content.decode()
    assert "Changed since it was sealed" in page and "Final and sealed" not in page
    board = client.get(f"/l/club/?season={season.slug}").content.decode()
    assert "differences from what was recorded" in board and "same ratings" not in board


def test_an_emptied_seal_is_named(changed: None) -> None:
    Season.objects.filter(state="closed").update(sealed_digest="")
    Board.objects.filter(season__state="closed").update(seal="")
    report = verify()
    assert "leagues_season" in report and "seal: stored none" in report


def test_a_seal_that_was_noted_elsewhere_is_compared(installation: None) -> None:
    season = Season.objects.get(state="closed")
    name = f"club/{season.slug}"
    assert "0 differences" in verify("--seal", f"{name}={season.sealed_digest[:16]}")
    assert f"seal of {season.slug}" in verify("--seal", f"{name}={'0' * 64}")


def test_erasing_names_and_accounts_breaks_nothing(changed: None) -> None:
    Player.objects.filter(key="ana").update(name="Erased", folded="erased")
    PlayerAlias.objects.update(name="erased too", folded="erased too")
    AuditEntry.objects.filter(action="player.rename").update(
        before={"name": ""}, after={"name": ""}
    )
    AuditEntry.objects.filter(action__startswith="member.").update(subject="")
    User.objects.all().delete()
    assert verify().splitlines()[-1] == "0 differences on 4 boards"


def test_what_is_done_by_the_rules_leaves_no_differences(changed: None) -> None:
    owner = User.objects.get(username="owner")
    first = Season.objects.get(state="closed")
    take(first, Step.REOPEN)
    void_match(match=first.matches.filter(status="live").latest("seq"), author=owner)
    drain()
    take(first, Step.SEAL)
    take(first, Step.ARCHIVE)
    league = first.league
    rename_player(player=Player.objects.get(key="bo"), name="Bob", actor=owner)
    update_league(league=league, changes={"ranked_after": 2, "walkovers": "win"}, actor=owner)
    start_import(
        season=league.seasons.get(state="open"),
        mode=mode_of(league),
        name="more.csv",
        content=b"date,winner,loser\n2026-02-01,Ana,Eve\n2026-02-02,Eve,Bob\n",
        options=ImportOptions(),
        author=owner,
    )
    drain()
    revision = Revision.objects.latest("pk")
    assert revision.kind == "import" and revision.matches.count() == 2
    revert_revision(revision=revision, author=owner)
    sweep(FIRST + timedelta(days=90))
    drain()
    assert verify().splitlines()[-1] == "0 differences on 4 boards"


@pytest.mark.parametrize("content", ["[]", "null", "3", '{"sides": []}'])
@pytest.mark.parametrize("table", ["matchversion", "imprint"])
def test_stored_words_of_another_shape_are_found_and_hide_nothing(
    changed: None, table: str, content: str
) -> None:
    condition = one_of("closed", table)
    run(f"UPDATE leagues_{table} SET content = %s WHERE {condition}", content)
    run(f"UPDATE leagues_match SET weight = 3.0 WHERE {one_of('open', 'match')}")
    said = verify()
    assert "leagues_match" in said
    assert not said.splitlines()[-1].startswith(("0 ", "1 "))


@pytest.mark.parametrize("lay", [lay_baseline, partial(prepare_database, print)])
def test_what_was_stored_before_there_were_hashes_is_taken_for_true_once(
    changed: None, lay: Callable[[], None]
) -> None:
    """As after an upgrade, or the restoring of an older backup."""
    Imprint.objects.all().delete()
    LogHead.objects.all().delete()
    for model, columns in (
        (Match, {"content_hash": b""}),
        (Revision, {"digest": "", "author_key": None}),
        (AuditEntry, {"digest": "", "number": None, "actor_key": None, "person_key": ""}),
        (Player, {"identity": ""}),
    ):
        model._base_manager.update(**columns)
    ask_for_baseline()
    lay()
    guards.remove(connection)
    assert verify().splitlines()[-1] == "0 differences on 4 boards"
    assert AuditEntry.objects.filter(action="league.baseline").count() == 1


def test_a_backup_brings_the_hashes_along(changed: None) -> None:
    packed = io.BytesIO()
    write_backup(packed)
    run(f"UPDATE leagues_match SET weight = 3.0 WHERE {one_of('open', 'match')}")
    forged = io.BytesIO()
    write_backup(forged)
    for file, expected in ((packed, "0 differences on 4 boards"), (forged, "2 differences")):
        empty()
        file.seek(0)
        restore_backup(file)
        drain()
        report = verify()
        assert report.splitlines()[-1].startswith(expected.split(" on")[0]), report


def empty() -> None:
    """Leave no row of the application behind."""
    tables = [model._meta.db_table for model in apps.get_app_config("leagues").get_models()]
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        for table in (*reversed(tables), "auth_user"):
            cursor.execute(f"DELETE FROM {table}")
