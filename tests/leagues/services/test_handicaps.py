"""Handicaps: facts of a match, which each board takes in its own units, and hashed where given."""

from __future__ import annotations

import contextlib
import io
import math
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import Board, League, MatchVersion, Participant, Standing
from leagues.services.drafts import MatchDraft, content_of, payload_hash, sides_of, turned_round
from leagues.services.entry_warnings import WarningKind, entry_warnings
from leagues.services.errors import Refused
from leagues.services.history import check_league
from leagues.services.integrity import check_board, league_digest
from leagues.services.leagues import add_board
from leagues.services.matches import correct_match, record_matches, revert_revision
from leagues.services.rules import change_rules
from leagues.services.same_games import count_same_results
from leagues.services.stored_drafts import draft_of
from leagues.store.hashes import hash_match
from leagues.store.match_columns import micros
from leagues.store.segments import unpack_states
from ratings import create
from ratings.sequential import one_match
from ratings.system import Side
from tests.leagues.jobs.test_workers import club_of_every_system
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.services.test_backups import changed, refused, restored, written

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def club() -> League:
    return new_club()


def board_of(club: League, system: str, **parameters: object) -> Board:
    club.boards.all().delete()
    return add_board(
        season=season_of(club), mode=mode_of(club), system=system, parameters=parameters
    )


def first_numbers(board: Board) -> dict[str, float]:
    """The first number of everyone's exact state, by name."""
    board.refresh_from_db()
    rows = Standing.objects.current(board).values_list("player__name", "state")
    width = len(bridge.system_of(board).columns)
    return {name: float(unpack_states([state], width)[0, 0]) for name, state in rows}


def assert_sound(club: League) -> None:
    """Boards are what a replay gives, and facts what they were hashed as."""
    for board in club.boards.all():
        report = check_board(board)
        assert not report.is_behind and report.differences == ()
    report = check_league(club.pk)
    assert not any((report.settings, *report.seasons.values()))


def test_a_hand_worked_example(club: League) -> None:
    """Equal players, 64 points for Ana: 1 / (1 + 10^(−64/400)) = 0.5911 is expected of her."""
    board = board_of(club, "elo", policy="constant", k=20.0)
    record(club, result(club, "Ana", "Bo", handicaps=(64, 0)))
    expected = 1 / (1 + 10 ** (-64 / 400))
    assert expected == pytest.approx(0.5911, abs=5e-5)
    # 20 · (1 − 0.5911) = 8.18, in place of 10 without a handicap.
    shown = first_numbers(board)
    assert (
        shown["Ana"]
        == pytest.approx(1500 + 20 * (1 - expected))
        == pytest.approx(1508.18, abs=0.005)
    )
    assert shown["Bo"] == pytest.approx(1491.82, abs=0.005)
    assert_sound(club)


def test_points_taken_from_one_are_points_given_to_the_other(club: League) -> None:
    board = board_of(club, "elo")
    record(club, result(club, "Ana", "Bo", handicaps=(64, 0)))
    given = first_numbers(board)
    other = new_club("other")
    board = board_of(other, "elo")
    record(other, result(other, "Ana", "Bo", handicaps=(0, -64)))
    assert first_numbers(board) == given


@pytest.mark.parametrize("info", bridge.systems(), ids=lambda info: info.name)
def test_a_board_rates_what_the_library_rates_in_its_units(club: League, info) -> None:
    settings = {"least_events": 0, "least_opponents": 0} if info.name == "static" else {}
    board = board_of(club, info.name, **settings)
    record(club, result(club, "Ana", "Bo", ranks=(2, 1), handicaps=(100, -50)))
    system = bridge.system_of(board)
    unseen = (math.nan,) * len(system.columns)
    sides = [
        Side((unseen,), ("ana",), handicap=100 * system.handicap_unit),
        Side((unseen,), ("bo",), handicap=-50 * system.handicap_unit),
    ]
    log, _states = one_match(sides, (1, 0), micros(START), None)
    final = system.replay(log).final
    assert first_numbers(board) == dict(
        zip(("Ana", "Bo"), (final[log.keys.index(key), 0] for key in ("ana", "bo")), strict=True)
    )
    plain = new_club("plain")
    without = board_of(plain, info.name, **settings)
    record(plain, result(plain, "Ana", "Bo", ranks=(2, 1)))
    assert (first_numbers(board) != first_numbers(without)) == bool(system.handicap_unit)
    assert bool(system.handicap_unit) == (info.name not in ("ladder", "static"))
    assert_sound(club)


@pytest.mark.parametrize(
    ("system", "settings"),
    [
        ("elo", {}),
        ("elo", {"curve": "gaussian"}),
        ("zerosum", {}),
        ("zerosum", {"temperature": 250.0}),
        ("becker", {}),
        ("glicko", {"deviation": 1e-3, "c": 0.0}),
        ("glicko2", {"preset": "glickman", "deviation": 1e-3, "period": "calendar"}),
        ("trueskill", {"sigma": 1.0, "tau": 0.0, "beta": 6.0, "draw_probability": 0.0}),
        ("wenglin", {"sigma": 1.0, "tau": 0.0, "beta": 6.0}),
        ("wenglin", {"sigma": 1.0, "tau": 0.0, "beta": 6.0, "model": "thurstone-mosteller"}),
    ],
)
def test_between_known_players_points_are_worth_the_same_in_all_systems(system, settings):
    """Curves of normal noise give 0.760 for 200 points, logistic ones 0.760 too: within 0.01."""
    chosen = create(system, settings)
    state = chosen.new_player()
    for points in (64, 200):
        sides = [Side((state,), ("a",), points * chosen.handicap_unit), Side((state,), ("b",))]
        (expected, _other) = chosen.predict(sides, at=0).expected
        assert expected == pytest.approx(1 / (1 + 10 ** (-points / 400)), abs=0.01)


def test_rules_that_change_take_handicaps_in_the_units_of_their_time(club: League) -> None:
    board = board_of(club, "zerosum", temperature=1.0)
    record(club, result(club, "Ana", "Bo", handicaps=(64, 0)))
    parameters = {**board.parameters, "temperature": 2.0}
    change_rules(board=board, parameters=parameters, effective_at=START + DAY, actor=None)
    drain()
    record(club, result(club, "Cy", "Di", at=START + 2 * DAY, handicaps=(64, 0)))
    shown = first_numbers(board)
    assert shown["Cy"] == pytest.approx(shown["Ana"])
    assert_sound(club)


def test_a_board_that_cannot_take_so_much_leaves_the_match_out_and_says_why(club: League) -> None:
    board_of(club, "wenglin")
    elo = add_board(season=season_of(club), mode=mode_of(club), system="elo")
    (match,) = record(club, result(club, "Ana", "Bo", handicaps=(2500, 0)))
    assert first_numbers(elo)
    board = club.boards.get(system="wenglin")
    assert first_numbers(board) == {}
    assert bridge.refusal_of(board, match) == (
        "Weng-Lin accepts handicaps from −83.3333 to 83.3333 (±2456 points of Elo)"
    )


def test_a_match_without_handicaps_keeps_its_hash_and_content(club: League) -> None:
    draft = result(club, "Ana", "Bo")
    (match,) = record(club, draft)
    assert "handicap" not in str(content_of(draft))
    assert bytes(match.content_hash) == hash_match(vars(match), sides_of(draft))
    assert hash_match(vars(match), sides_of(draft), handicaps=(0, 0)) == bytes(match.content_hash)


def test_handicaps_are_hashed_with_the_sides_that_they_belong_to(club: League) -> None:
    draft = result(club, "Ana", "Bo", ranks=(2, 1), handicaps=(64, 0))
    (match,) = record(club, draft)
    assert draft_of(match) == replace(draft, external_id=None)
    turned = replace(draft, sides=draft.sides[::-1])
    exchanged = result(club, "Ana", "Bo", ranks=(2, 1), handicaps=(0, 64))
    assert content_of(turned) == content_of(draft) != content_of(exchanged)
    assert payload_hash(draft) != payload_hash(exchanged) != payload_hash(result(club, "Ana", "Bo"))
    hashes = [
        hash_match(vars(match), sides_of(one), handicaps=[side.handicap for side in one.sides])
        for one in (draft, turned, exchanged)
    ]
    assert hashes[0] == hashes[1] == bytes(match.content_hash) != hashes[2]
    assert_sound(club)
    for forged in ("handicap = 65", "handicap = -handicap", "handicap = 64 - handicap"):
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute(f"UPDATE leagues_participant SET {forged}")
            with pytest.raises(AssertionError):
                assert_sound(club)
            transaction.set_rollback(True)
    assert_sound(club)


def test_who_was_entered_the_wrong_way_round_keeps_the_own_handicap(club: League) -> None:
    turned = turned_round(result(club, "Ana", "Bo", handicaps=(64, 0)))
    assert [(side.rank, side.handicap) for side in turned.sides] == [(2, 64), (1, 0)]


def test_a_correction_and_its_undoing_carry_handicaps(club: League) -> None:
    board = board_of(club, "elo")
    first, _last = record(
        club,
        result(club, "Ana", "Bo", handicaps=(64, 0)),
        result(club, "Bo", "Cy", at=START + DAY),
    )
    before, digest = first_numbers(board), league_digest(club)
    correct_match(
        match=first,
        draft=result(club, "Ana", "Bo", handicaps=(0, 32)),
        expected_version=1,
        author=None,
    )
    drain()
    assert first_numbers(board) != before
    version = MatchVersion.objects.get()
    assert sorted(side.get("handicap", 0) for side in version.content["sides"]) == [0, 64]
    assert_sound(club)
    revert_revision(revision=season_of(club).revisions.latest("number"), author=None)
    drain()
    assert first_numbers(board) == before and league_digest(club) == digest
    assert_sound(club)


@pytest.mark.parametrize(
    ("handicaps", "is_same"),
    [((64, 0), True), ((0, -64), True), ((100, 36), True), ((0, 0), False), ((0, 64), False)],
)
def test_the_same_result_with_another_handicap_is_another_one(
    club: League, handicaps: tuple[int, int], is_same: bool
) -> None:
    """Only differences count, in a stored result as among those of one call."""
    first = result(club, "Ana", "Bo", scores=(3, 1), handicaps=(64, 0))
    turned = result(club, "Bo", "Ana", ranks=(2, 1), scores=(1, 3), handicaps=handicaps[::-1])
    place = {"season": season_of(club), "mode": mode_of(club), "now": START}
    kinds = [one.kind for one in entry_warnings([first, turned], **place)]
    assert kinds == ([WarningKind.REPEATED] if is_same else [])
    record(club, first)
    kinds = [one.kind for one in entry_warnings([turned], **place)]
    assert kinds == ([WarningKind.SAME_RESULT] if is_same else [])
    assert count_same_results([turned], season=place["season"], mode=place["mode"]) == is_same


@pytest.mark.parametrize("handicaps", [(4001, 0), (0, -4001), (4001, 4001), (0, 10**9)])
def test_what_no_match_can_have_is_refused(club: League, handicaps: tuple[int, int]) -> None:
    draft = result(club, "Ana", "Bo", handicaps=handicaps)
    with pytest.raises(Refused) as refused:
        record_matches(season=season_of(club), mode=mode_of(club), drafts=[draft])
    (problem,) = refused.value.problems
    assert (problem.field, problem.code) == ("handicap", "handicap")
    assert not Participant.objects.exists()


def test_the_database_holds_no_other_either(club: League) -> None:
    record(club, result(club, "Ana", "Bo", handicaps=(4000, -4000)))
    with pytest.raises(IntegrityError), transaction.atomic():
        Participant.objects.update(handicap=4001)


def drafts_of_all_kinds(club: League) -> list[MatchDraft]:
    return [
        result(club, "Ana", "Bo", handicaps=(64, 0)),
        result(club, "Bo", "Cy", at=START + DAY, handicaps=(0, -200), scores=(3, 1)),
        result(club, "Cy+Ana", "Bo+Di", at=START + 2 * DAY, handicaps=(10, 20)),
        result(club, "Di", "Cy", "Ana", at=START + 3 * DAY, handicaps=(0, 30, 60)),
    ]


def test_all_ways_of_rating_and_a_backup_give_the_same_bits() -> None:
    with transaction.atomic():
        club, other = club_of_every_system("one"), club_of_every_system("two")
        for draft in drafts_of_all_kinds(club):
            record(club, draft)
        record(other, *reversed(drafts_of_all_kinds(other)))
        assert_sound(club)
        assert_sound(other)
        digest = league_digest(club)
        assert digest == league_digest(other)
        output = io.StringIO()
        with contextlib.suppress(SystemExit):
            call_command("verify", stdout=output)
        assert output.getvalue().strip().splitlines()[-1].startswith("0 differences")
        content = written()
        transaction.set_rollback(True)
    restored(content)
    for league in League.objects.all():
        assert league_digest(league) == digest
        assert_sound(league)
    assert written() == content


def test_a_backup_with_a_handicap_that_cannot_be_is_refused() -> None:
    with transaction.atomic():
        club = new_club()
        (match,) = record(club, result(club, "Ana", "Bo", handicaps=(64, 0)))
        draft = result(club, "Ana", "Bo")
        correct_match(match=match, draft=draft, expected_version=1, author=None)
        content = written()
        transaction.set_rollback(True)

    def of_participant(row: dict[str, Any]) -> None:
        row["fields"]["handicap"] = 4001

    def of_version(row: dict[str, Any]) -> None:
        row["fields"]["content"]["sides"][0]["handicap"] = 4001

    refused(changed(content, "leagues.participant", of_participant), "handicap")
    refused(changed(content, "leagues.matchversion", of_version), "sides")
