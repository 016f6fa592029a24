"""Events are facts: stored, corrected, undone, hashed and restored with their match."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection, transaction

from leagues.jobs.runner import drain
from leagues.models import League, Match, MatchEvent, MatchVersion
from leagues.services.backup_files import BackupProblem
from leagues.services.backups import restore_backup
from leagues.services.drafts import MatchDraft, content_of, events_of, sides_of
from leagues.services.entry import Correction, Enterer, correct_result
from leagues.services.entry_drafts import Answers, PlayerEntry, SideEntry
from leagues.services.errors import Refused
from leagues.services.history import check_league
from leagues.services.matches import (
    correct_match,
    record_matches,
    restore_match,
    revert_revision,
    void_match,
)
from leagues.services.player_merging import merge_players
from leagues.services.stored_drafts import draft_of
from leagues.services.validation import MOST_EVENTS
from leagues.store import guards
from leagues.store.hashes import hash_match
from tests.leagues.happenings import game
from tests.leagues.play import mode_of, new_club, record, result, season_of
from tests.leagues.services.test_backups import changed, lines_of, restored, with_fields, written

pytestmark = pytest.mark.django_db

EVENING = "Ana>Bo Bo>Ana Cy! Anaw Ana>Cy"
TEAMS = "Ana>Bo Ana*  AnaxCy Bo>Cy"


@pytest.fixture
def club() -> League:
    return new_club()


@pytest.fixture
def played(club: League) -> Match:
    return record(club, game(club, "Ana Bo Cy", EVENING), game(club, "Ana+Cy Bo+Dee", TEAMS))[0]


def findings(league: League) -> list[str]:
    report = check_league(league.pk)
    return [
        f"{finding.table} {finding.what}"
        for found in (report.settings, *report.seasons.values())
        for finding in found
    ]


def said(match: Match) -> list[tuple[Any, ...]]:
    return list(events_of(draft_of(match)))


def test_events_are_stored_in_their_order_and_read_back(club: League, played: Match) -> None:
    assert said(played) == [
        ("frag", "ana", "bo", 1.0, 1000),
        ("frag", "bo", "ana", 1.0, 2000),
        ("suicide", "cy", None, 1.0, 3000),
        ("world-death", "ana", None, 1.0, 4000),
        ("frag", "ana", "cy", 1.0, 5000),
    ]
    assert list(played.events.order_by("pk").values_list("position", flat=True)) == [0, 1, 2, 3, 4]
    assert findings(club) == []


def test_a_match_without_events_keeps_its_hash_and_content(club: League) -> None:
    draft = result(club, "Ana", "Bo")
    (match,) = record(club, draft)
    assert "events" not in content_of(draft)
    assert bytes(match.content_hash) == hash_match(vars(match), sides_of(draft))
    assert hash_match(vars(match), sides_of(draft), []) == bytes(match.content_hash)


def test_each_part_of_an_event_and_their_order_are_hashed(club: League, played: Match) -> None:
    draft = draft_of(played)
    (first, second, *rest), ana = draft.events, draft.events[0].player
    others = [
        (second, first, *rest),
        (first, *rest),
        (replace(first, points=2.0), second, *rest),
        (replace(first, milliseconds=None), second, *rest),
        (replace(first, kind="team-kill"), second, *rest),
        (replace(first, opponent=ana), second, *rest),
        (replace(first, player=second.player), second, *rest),
    ]
    hashes = {
        hash_match(vars(played), sides_of(draft), events_of(replace(draft, events=events)))
        for events in (draft.events, *others)
    }
    assert len(hashes) == len(others) + 1


def test_a_correction_of_the_result_keeps_the_events(club: League, played: Match) -> None:
    before = said(played)
    sides = tuple(
        SideEntry(rank, None, (PlayerEntry(name=name),))
        for rank, name in enumerate(("Bo", "Ana", "Cy"), start=1)
    )
    enterer = Enterer(source="browser", author=None, may_backdate=True, may_be_late=True)
    correct_result(
        match=played,
        version=1,
        correction=Correction(sides, {}),
        enterer=enterer,
        answers=Answers(),
    )
    played.refresh_from_db()
    assert [side.members[0].player.key for side in draft_of(played).sides] == ["bo", "ana", "cy"]
    assert said(played) == before
    assert findings(club) == []
    absent = (sides[0], SideEntry(2, None, (PlayerEntry(name="Dee"),)))
    with pytest.raises(Refused, match=r"Event 1: Ana is not in this match\."):
        correct_result(
            match=played,
            version=2,
            correction=Correction(absent, {}),
            enterer=enterer,
            answers=Answers(),
        )


def test_corrections_voids_and_undoing_bring_back_what_was(club: League, played: Match) -> None:
    before, content_hash = said(played), bytes(played.content_hash)
    draft = draft_of(played)
    fewer = replace(draft, events=(replace(draft.events[0], points=3.0), *draft.events[2:]))
    corrected = correct_match(match=played, draft=fewer, expected_version=1, author=None)
    assert corrected is not None
    assert len(said(played)) == 4
    assert said(played)[0] == ("frag", "ana", "bo", 3.0, 1000)
    assert MatchVersion.objects.get(match=played).content["events"] == [list(one) for one in before]
    assert correct_match(match=played, draft=fewer, expected_version=2, author=None) is None
    void_match(match=played, author=None)
    restore_match(match=played, author=None)
    revert_revision(revision=corrected, author=None)
    played.refresh_from_db()
    assert said(played) == before
    assert findings(club) == []
    correct_match(match=played, draft=replace(draft, events=()), expected_version=5, author=None)
    assert not played.events.exists()
    assert findings(club) == []
    assert bytes(played.content_hash) == content_hash


def test_a_merge_renames_events_too_and_is_undone(club: League, played: Match) -> None:
    before = said(played)
    record(club, game(club, "Eve Dee", "Eve>Dee Dee>Eve"))
    ana, eve = (club.players.get(key=key) for key in ("ana", "eve"))
    merging = merge_players(league=club, keep=eve, drop=ana, author=None)
    assert {key for _kind, *keys, _points, _at in said(played) for key in keys} == {
        "eve",
        "bo",
        "cy",
        None,
    }
    assert findings(club) == []
    revert_revision(revision=merging, author=None)
    assert said(played) == before
    assert findings(club) == []


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "kind": ({"kind": "dance"}, r"Event 2: The kind must be one of: frag, "),
    "no opponent": ({"opponent": None}, "damage or an assist has an opponent"),
    "an opponent": ({"kind": "suicide"}, "damage or an assist has an opponent"),
    "capture": ({"kind": "capture"}, "other events have none"),
    "negative": ({"points": -1.0}, "The points must be from 0 to 1000000"),
    "too much": ({"points": 1e7}, "The points must be from 0 to 1000000"),
    "infinite": ({"points": float("inf")}, "The points must be from 0"),
    "no number": ({"points": float("nan")}, "The points must be from 0"),
    "before": ({"milliseconds": -1}, "is out of range"),
    "after": ({"milliseconds": 2**31}, "is out of range"),
}


def with_second(draft: MatchDraft, **fields: Any) -> MatchDraft:
    first, second, *rest = draft.events
    return replace(draft, events=(first, replace(second, **fields), *rest))


@pytest.mark.parametrize("case", BAD)
def test_a_bad_event_refuses_the_batch_with_its_number(club: League, case: str) -> None:
    fields, words = BAD[case]
    drafts = [
        result(club, "Ana", "Bo"),
        with_second(game(club, "Ana Bo Cy", EVENING), **fields),
    ]
    with pytest.raises(Refused, match=words):
        record_matches(season=season_of(club), mode=mode_of(club), drafts=drafts)
    assert not Match.objects.exists()
    assert not MatchEvent.objects.exists()


def test_events_name_players_of_the_match_who_are_two(club: League) -> None:
    draft = game(club, "Ana Bo Cy", EVENING)
    season, mode = season_of(club), mode_of(club)
    with pytest.raises(Refused, match=r"Event 3: Cy is not in this match\."):
        record_matches(season=season, mode=mode, drafts=[replace(draft, sides=draft.sides[:2])])
    oneself = with_second(draft, opponent=draft.events[1].player)
    with pytest.raises(Refused, match="The player and the opponent are the same"):
        record_matches(season=season, mode=mode, drafts=[oneself])
    many = replace(draft, events=draft.events * (MOST_EVENTS // len(draft.events) + 1))
    with pytest.raises(Refused, match="at most 10000 events"):
        record_matches(season=season, mode=mode, drafts=[many])


@pytest.mark.parametrize(
    "forgery",
    [
        "UPDATE leagues_matchevent SET points = 2 WHERE position = 1",
        "UPDATE leagues_matchevent SET milliseconds = NULL WHERE position = 2",
        "UPDATE leagues_matchevent SET kind = 'suicide' WHERE kind = 'world-death'",
        "UPDATE leagues_matchevent SET player_id = opponent_id, opponent_id = player_id "
        "WHERE position = 0",
        "UPDATE leagues_matchevent SET position = 9 WHERE position = 3",
        "DELETE FROM leagues_matchevent WHERE position = 3",
        "INSERT INTO leagues_matchevent (league_id, match_id, position, kind, player_id, points) "
        "SELECT league_id, match_id, 5, kind, player_id, points FROM leagues_matchevent "
        "WHERE kind = 'suicide'",
    ],
)
def test_a_forged_event_is_found(club: League, played: Match, forgery: str) -> None:
    guards.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute(forgery)
    assert "leagues_match content" in findings(club)


def backup_of_events() -> tuple[bytes, list[tuple[Any, ...]]]:
    """A backup of a club that is no longer there, and the events of its first match."""
    with transaction.atomic():
        club = new_club()
        drafts = game(club, "Ana Bo Cy", EVENING), result(club, "Eve", "Dee")
        match = record(club, *drafts)[0]
        draft = replace(draft_of(match), detail="late")
        correct_match(match=match, draft=draft, expected_version=1, author=None)
        drain()
        backup, before = written(), said(match)
        transaction.set_rollback(True)
    return backup, before


def test_a_backup_brings_events_back_to_the_same_bytes() -> None:
    backup, before = backup_of_events()
    restore_backup(io.BytesIO(backup))
    drain()
    match = Match.objects.get(detail="late")
    assert said(match) == before
    assert findings(match.league) == []
    assert written() == backup


FORGED: dict[str, tuple[dict[str, Any], str]] = {
    "gap": ({"position": 7}, r"events: must be numbered from 0 without gaps"),
    "many": ({"position": MOST_EVENTS}, "a match has at most 10000 events"),
    "kind": ({"kind": "dance"}, "kind: must be one of"),
    "alone": ({"opponent": None}, "opponent: does not fit the kind"),
    "points": ({"points": -1.0}, "the database refused it"),
}


@pytest.mark.parametrize("case", FORGED)
def test_a_restore_refuses_events_that_no_service_writes(case: str) -> None:
    fields, words = FORGED[case]
    backup, _before = backup_of_events()
    with pytest.raises(BackupProblem, match=words):
        restored(with_fields("leagues.matchevent", **fields)(backup))


def test_a_restore_refuses_strangers_in_events_and_in_former_versions() -> None:
    backup, _before = backup_of_events()
    players = (json.loads(text) for text in lines_of(backup) if b'"leagues.player"' in text)
    eve = next(row["pk"] for row in players if row["fields"]["key"] == "eve")
    with pytest.raises(BackupProblem, match="player: is not in the match"):
        restored(with_fields("leagues.matchevent", player=eve)(backup))

    def forge(row: dict[str, Any]) -> None:
        row["fields"]["content"]["events"][0][1] = "eve"

    with pytest.raises(BackupProblem, match="content: events: is not valid for a match"):
        restored(changed(backup, "leagues.matchversion", forge))


def test_minus_zero_points_are_hashed_as_they_are_stored(club: League) -> None:
    (match,) = record(club, game(club, "Ana Bo", "Ana~Bo:-0.0"))
    (event,) = draft_of(match).events
    assert str(event.points) == "0.0"
    assert findings(club) == []
