"""Boards: what is stored is what a replay gives, in whatever way it came about."""

from __future__ import annotations

import dataclasses
import json
import random
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from leagues.jobs.queue import MOST_ATTEMPTS, claim_job
from leagues.jobs.runner import drain, run_claim
from leagues.models import Board, Job, RatingSegment, Standing
from leagues.services import boards as rating
from leagues.services.integrity import board_digest, check_board, league_digest
from leagues.services.leagues import add_board, restart_board, update_league
from leagues.services.matches import correct_match, record_matches
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Dee")


def differences(league) -> int:
    return sum(len(check_board(board).differences) for board in league.boards.all())


def test_a_new_league_rates_by_glicko2_with_elo_beside_it():
    boards = new_club().boards.all()
    assert [(board.system, board.parameters.get("preset")) for board in boards] == [
        ("glicko2", "glickman"),
        ("elo", None),
    ]


def test_matches_one_by_one_give_what_all_at_once_give():
    one, other = new_club("one"), new_club("other")
    for draft in rounds(one, NAMES, 6):
        record(one, draft)
    record(other, *rounds(other, NAMES, 6))
    assert all(board.generation == 1 for board in one.boards.all())
    for mine, theirs in zip(one.boards.all(), other.boards.all(), strict=True):
        assert board_digest(mine) == board_digest(theirs)
    assert differences(one) == differences(other) == 0


def test_a_long_history_is_cut_into_full_segments_however_it_grew():
    club = new_club()
    drafts = [
        result(club, "Ana", "Bo", at=START + timedelta(minutes=number)) for number in range(600)
    ]
    for start in range(0, 600, 130):
        record(club, *drafts[start : start + 130])
    board = club.boards.first()
    counts = RatingSegment.objects.filter(
        board=board, generation=board.generation, player__key="ana"
    ).order_by("number")
    assert list(counts.values_list("number", "count")) == [(0, 256), (1, 256), (2, 88)]
    assert differences(club) == 0


def test_the_order_of_entry_does_not_matter():
    digests = set()
    for seed in range(3):
        club = new_club(f"club-{seed}")
        drafts = rounds(club, NAMES, 4)
        random.Random(seed).shuffle(drafts)
        for start in range(0, len(drafts), 5):
            record(club, *drafts[start : start + 5])
        digests.add(tuple(board_digest(board) for board in club.boards.all()))
    assert len(digests) == 1


def test_equal_instants_are_taken_in_the_order_of_their_hints():
    digests = set()
    for turned in (False, True):
        club = new_club(f"club-{turned}".lower())
        drafts = [
            result(club, *names, same_time_order=hint)
            for hint, names in enumerate([("Ana", "Bo"), ("Bo", "Cy"), ("Cy", "Ana")])
        ]
        for draft in reversed(drafts) if turned else drafts:
            record(club, draft)
        digests.add(tuple(board_digest(board) for board in club.boards.all()))
    assert len(digests) == 1


def test_a_late_match_replays_into_a_new_generation():
    club = new_club()
    record(club, *rounds(club, NAMES, 3))
    record(club, result(club, "Dee", "Ana", at=START - timedelta(days=5)))
    board = club.boards.first()
    assert board.generation == 2
    assert set(Standing.objects.filter(board=board).values_list("generation", flat=True)) == {2}
    assert set(RatingSegment.objects.filter(board=board).values_list("generation", flat=True)) == {
        2
    }
    assert differences(club) == 0


@pytest.mark.skipif(settings.IS_SQLITE, reason="only PostgreSQL counts rows by values")
def test_a_generation_is_known_to_the_planner_as_soon_as_it_is_shown(monkeypatch):
    monkeypatch.setattr(rating, "MIN_SHOWN", 40)
    club = new_club()
    names = [f"Player {number}" for number in range(40)]
    record(club, *rounds(club, names, 1))
    record(club, result(club, *names[:2], at=START - timedelta(days=5)))
    board = club.boards.first()
    assert board.generation == 2
    (plan,) = json.loads(Standing.objects.current(board).order_by().explain(format="json"))
    assert plan["Plan"]["Plan Rows"] > len(names) / 4


def test_teams_and_free_for_alls_are_rated():
    club = new_club()
    record(
        club,
        result(club, "Ana+Bo", "Cy+Dee", scores=(10, 7)),
        result(club, "Ana", "Cy", "Eve", "Dee", ranks=(1, 2, 2, 4), at=START + timedelta(hours=1)),
        result(club, "Ana+Bo+Cy", "Dee", at=START + timedelta(hours=2)),
    )
    assert Standing.objects.filter(board=club.boards.first()).count() == 5
    assert differences(club) == 0


def test_walkovers_count_only_where_the_rules_say_so():
    club = new_club()
    record(club, result(club, "Ana", "Bo"), result(club, "Bo", "Ana", kind="walkover"))
    assert club.boards.first().rated_matches == 1
    update_league(league=club, changes={"walkovers": "win"}, actor=None)
    drain()
    assert club.boards.first().rated_matches == 2
    assert differences(club) == 0


def test_an_unrated_match_moves_the_frontier_and_nothing_else():
    club = new_club()
    record(club, *rounds(club, NAMES, 1))
    before = league_digest(club)
    record(club, result(club, "Ana", "Bo", kind="unrated", at=START + timedelta(days=9)))
    assert league_digest(club) == before
    assert {board.rated_through_revision for board in club.boards.all()} == {2}


def test_a_board_added_later_rates_the_season_from_its_start():
    club = new_club()
    record(club, *rounds(club, NAMES, 3))
    board = add_board(
        season=season_of(club), mode=mode_of(club), system="elo", name="Brisk", parameters={"k": 40}
    )
    drain()
    board.refresh_from_db()
    assert (board.rated_matches, board.parameters["k"]) == (18, 40)
    assert differences(club) == 0


def test_starting_a_board_again_gives_the_same_digest():
    club = new_club()
    record(club, *rounds(club, NAMES, 3))
    board = club.boards.first()
    before = board_digest(board)
    restart_board(board)
    drain()
    board.refresh_from_db()
    assert (board.generation, board_digest(board)) == (2, before)


@pytest.mark.parametrize(
    "damage",
    [
        {"shown": F("shown") + 1e-9},
        {"high": F("high") + 1e-9},
        {"games": F("games") + 1},
        {"place_value": F("place_value") + 1},
        {"form": "W"},
        {"sure_until": START},
    ],
)
def test_the_check_notices_one_standing_changed_behind_its_back(damage):
    club = new_club()
    record(club, *rounds(club, NAMES, 2))
    board = club.boards.get(system="glicko2")
    standing = Standing.objects.filter(board=board, player__key="cy")
    standing.update(**damage)
    report = check_board(board)
    assert [difference.player for difference in report.differences] == ["cy"]


def test_the_check_notices_one_bit_in_a_state_and_in_a_history():
    club = new_club()
    record(club, *rounds(club, NAMES, 2))
    board = club.boards.first()
    standing = Standing.objects.get(board=board, player__key="bo")
    segment = RatingSegment.objects.get(board=board, player__key="dee")
    for row, field in ((standing, "state"), (segment, "data")):
        changed = bytearray(getattr(row, field))
        changed[-8] ^= 1
        setattr(row, field, bytes(changed))
        row.save()
    assert sorted(item.player for item in check_board(board).differences) == ["bo", "dee"]


def test_a_correction_of_the_first_match_equals_a_season_where_it_was_right():
    wrong, right = new_club("wrong"), new_club("right")
    drafts = rounds(wrong, NAMES, 4)
    turned = dataclasses.replace(
        drafts[0],
        sides=tuple(dataclasses.replace(side, rank=3 - side.rank) for side in drafts[0].sides),
    )
    matches = record(wrong, *drafts)
    correct_match(match=matches[0], draft=turned, expected_version=1, author=None)
    drain()
    mine = rounds(right, NAMES, 4)
    mine[0] = dataclasses.replace(
        mine[0],
        sides=tuple(dataclasses.replace(side, rank=3 - side.rank) for side in mine[0].sides),
    )
    record(right, *mine)
    for one, other in zip(wrong.boards.all(), right.boards.all(), strict=True):
        assert board_digest(one) == board_digest(other)


def test_a_board_that_cannot_go_on_says_so_and_facts_are_still_taken():
    club = new_club()
    record(club, result(club, "Ana", "Bo"))
    board = club.boards.first()
    Board.objects.filter(pk=board.pk).update(parameters={"tau": "broken"})
    recorded = record_matches(
        season=season_of(club),
        mode=mode_of(club),
        drafts=[result(club, "Bo", "Ana", at=START + timedelta(days=1))],
    )
    for _attempt in range(MOST_ATTEMPTS):
        Job.objects.filter(key=f"rate:{board.pk}").update(run_after=START)
        claim = claim_job(only=Job.objects.filter(key=f"rate:{board.pk}").latest("pk").pk)
        assert claim is not None
        assert run_claim(claim) is False
    board.refresh_from_db()
    assert (board.state, recorded.matches[0].status) == ("paused", "live")
    assert "tau" in board.problem


def test_only_a_large_generation_is_shown_to_the_database(monkeypatch):
    def looks() -> int:
        restart_board(club.boards.first())
        with CaptureQueriesContext(connection) as asked:
            drain()
        return len([query for query in asked if query["sql"].startswith("ANALYZE")])

    club = new_club()
    record(club, result(club, "Ana", "Bo"))
    # What the server knows of other boards is worth more than what it would learn of this one.
    assert looks() == 0
    monkeypatch.setattr(rating, "MIN_SHOWN", 4)
    assert looks() == (0 if settings.IS_SQLITE else 2)
