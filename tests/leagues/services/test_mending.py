"""Boards that a former release computed wrongly: what is mended, and what is left for verify."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from leagues.jobs.queue import enqueue
from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, Job, League, RatingSegment, Season, Standing
from leagues.services.integrity import check_board
from leagues.services.leagues import add_board, update_league
from leagues.services.seasons import Step, take_step
from leagues.store import guards
from tests.leagues.play import LATER, mode_of, new_club, record, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    """A sealed season with a board of a kind that was hit."""
    league = new_club(ranked_after=2)
    add_board(season=season_of(league), mode=mode_of(league), system="zerosum", name="Zero-sum")
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 3))
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season_of(league), step, actor=None, now=LATER)
        drain()
    assert season_of(league).is_sealed
    return league


club = read_anew("built_club")


def board_of(club: League, system: str = "zerosum") -> Board:
    return club.boards.get(system=system)


def behind_the_back(board: Board, **changes: object) -> None:
    """Change stored rows of a board that nobody may change."""
    guards.remove(connection)
    published = {"board": board, "generation": board.generation}
    rows = RatingSegment if "expected" in changes else Standing
    row = rows.objects.filter(**published).order_by("pk").first()
    rows.objects.filter(pk=row.pk).update(**changes)
    guards.install(connection)


def mend(season: Season) -> Job:
    job_id = enqueue("mend_season", key=f"mend:{season.pk}", params={"season": season.pk})
    drain()
    return Job.objects.get(pk=job_id)


def test_what_was_expected_wrongly_is_computed_again_and_sealed_by_the_rules_of_then(
    club: League,
) -> None:
    before = season_of(club)
    board = board_of(club)
    segment = RatingSegment.objects.filter(board=board, generation=board.generation).first()
    behind_the_back(board, expected=bytes(len(segment.expected)))
    update_league(league=club, changes={"ranked_after": 9}, actor=None)
    assert mend(before).result == {"boards": [board.pk]}
    season = season_of(club)
    assert (season.state, season.sealed_ranked_after) == ("closed", 2)
    assert check_board(board_of(club)).differences == ()
    # What is expected is no part of the digest: the seal is the one it was.
    assert season.sealed_digest == before.sealed_digest
    reopened = AuditEntry.objects.get(action="season.reopen")
    assert reopened.before["digest"] == before.sealed_digest
    assert reopened.before["boards"] == {"zero-sum": board.seal}
    assert "Zero-sum" in reopened.after["reason"]


def test_a_changed_standing_is_no_fault_of_a_release_and_stays_for_verify_to_tell(
    club: League,
) -> None:
    before = season_of(club)
    behind_the_back(board_of(club), games=7)
    assert mend(before).result == {"boards": []}
    assert season_of(club).sealed_digest == before.sealed_digest
    assert "games" in {change.what for change in check_board(board_of(club)).differences}
    assert not AuditEntry.objects.filter(action="season.reopen").exists()


def test_a_board_of_another_kind_is_passed_by(club: League) -> None:
    behind_the_back(board_of(club, "elo"), games=7)
    assert mend(season_of(club)).result == {"boards": []}


def test_a_board_that_is_as_it_should_be_keeps_its_generation(club: League) -> None:
    before = board_of(club)
    assert mend(season_of(club)).result == {"boards": []}
    assert board_of(club).generation == before.generation


def test_the_upgrade_looks_at_seasons_whose_boards_have_anchors(club: League) -> None:
    other = new_club("other")
    add_board(
        season=season_of(other),
        mode=mode_of(other),
        system="zerosum",
        name="Bots",
        parameters={"anchors": True},
    )
    record(other, *rounds(other, ("Ana", "Bo"), 1))
    migration = import_module("leagues.migrations.0043_points_of_joining")
    for _ in range(2):
        migration.look_again(apps, None)
    job = Job.objects.get(kind="mend_season")
    assert (job.params, job.league) == ({"season": season_of(other).pk}, other)
    drain()
    job.refresh_from_db()
    assert job.result == {"boards": []}
