"""Work that is taken over, given up, or overtaken by a change of rules."""

from __future__ import annotations

import io
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.models.functions import Now

from leagues.jobs.queue import MOST_ATTEMPTS, Claim, LeaseLost, claim_job, enqueue
from leagues.jobs.runner import drain, run_claim
from leagues.models import Job, League, Match, Player, RatingSegment, Revision, Season, Upload
from leagues.services.backups import restore_backup, write_backup
from leagues.services.boards import rate_board_job
from leagues.services.import_reading import ImportOptions, Reading, open_file
from leagues.services.import_rows import Row
from leagues.services.imports import import_job, start_import
from leagues.services.integrity import check_board, league_digest, site_digest
from leagues.services.leagues import ensure_mode, restart_board, update_league
from leagues.services.matches import (
    correct_match,
    record_matches,
    revert_revision,
    void_match,
)
from leagues.services.players import ensure_player
from leagues.services.staging import Staging, unstage
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.services.test_imports import EVENING, take

pytestmark = pytest.mark.django_db
FORMER = Path(__file__).parents[2] / "golden" / "backup_format1.json.gz"


@pytest.fixture
def club() -> League:
    return new_club()


def queue_import(club, content: str = EVENING) -> int:
    return start_import(
        season=season_of(club),
        mode=mode_of(club),
        name="results.csv",
        content=content.encode(),
        options=ImportOptions(),
    )


def claim(job_id: int) -> Claim:
    held = claim_job(only=job_id)
    assert held is not None
    return held


def take_over(job_id: int) -> Claim:
    Job.objects.filter(pk=job_id).update(lease_until=Now() - timedelta(seconds=1))
    return claim(job_id)


def stage_half(held: Claim) -> Upload:
    """Stage two of the three matches, as a process does that dies then."""
    upload = Upload.objects.get()
    content = bytes(upload.content)
    reading = Reading(upload.season, upload.mode, upload.name, content, ImportOptions())
    opened, layout = open_file(upload.name, content, ImportOptions(), today=reading.today)
    rows = [row for row in reading.rows(layout, opened) if isinstance(row, Row)]
    staging = Staging(held, upload, reading)
    for row in rows[:2]:
        staging.take(row)
    staging.write()
    upload.refresh_from_db()
    return upload


def test_what_a_killed_import_left_is_thrown_away_before_it_is_run_again(club):
    job_id = queue_import(club)
    stage_half(claim(job_id))
    assert Match.objects.filter(status="staged").count() == 2
    assert import_job(take_over(job_id)) is None
    assert list(Match.objects.order_by("seq").values_list("seq", "status")) == [
        (1, "live"),
        (2, "live"),
        (3, "live"),
    ]
    drain()
    assert all(check_board(board).differences == () for board in club.boards.all())


def test_nobody_sees_an_import_before_all_of_it_counts(club, client):
    record(club, result(club, "Yan", "Zoe"))
    pages = [f"/l/club/{page}" for page in ("", "results/", "changes/", "p/ana/")] + ["/"]
    api = [f"/api/v1/leagues/club/{part}/" for part in ("players", "matches")]

    def seen() -> list[tuple[int, bool]]:
        answers = [client.get(address) for address in pages + api]
        return [
            (answer.status_code, b"Ana" in answer.content or b"Dee" in answer.content)
            for answer in answers
        ]

    job_id = queue_import(club)
    stage_half(claim(job_id))
    assert (
        seen()
        == [(200, False), (200, False), (200, False), (404, False), (200, False)]
        + [(200, False)] * 2
    )
    assert run_claim(take_over(job_id))
    drain()
    assert [there for _status, there in seen()] == [True] * 7


def test_an_import_that_was_paused_beyond_its_lease_deletes_nothing_of_its_successor(club):
    job_id = queue_import(club)
    slow = claim(job_id)
    upload = stage_half(slow)
    quick = take_over(job_id)
    with pytest.raises(LeaseLost):
        unstage(slow, upload.revision)
    assert import_job(quick) is None
    assert Match.objects.filter(status="live").count() == 3
    with pytest.raises(LeaseLost):
        import_job(slow)


def test_an_import_that_was_given_up_does_not_stand_in_the_way_of_the_same_file(club):
    job_id = queue_import(club)
    stage_half(claim(job_id))
    Job.objects.filter(pk=job_id).update(state="failed", lease_until=None)
    assert take(club, EVENING)["imported"] == 3
    assert not Match.objects.filter(status="staged").exists()
    assert set(Revision.objects.values_list("state", flat=True)) == {"abandoned", "applied"}


def test_tidying_keeps_a_file_that_is_being_imported_and_clears_up_after_one_that_is_not(club):
    under_way = queue_import(club)
    stage_half(claim(under_way))
    Upload.objects.update(created_at=START)

    def tidy() -> None:
        assert run_claim(claim(enqueue("tidy", key="tidy:test", params={})))

    tidy()
    assert Upload.objects.count() == 1
    assert Match.objects.filter(status="staged").count() == 2
    Job.objects.filter(pk=under_way).update(state="failed", lease_until=None)
    tidy()
    assert not Upload.objects.exists()
    assert not Match.objects.exists()
    assert not Player.objects.exists()


def test_imports_into_one_league_run_one_after_the_other(club):
    first = claim(queue_import(club))
    second = queue_import(club, EVENING + "2026-01-12,Bo,Ana,3,1\n")
    assert run_claim(claim(second)) is False
    waiting = Job.objects.get(pk=second)
    assert (waiting.state, waiting.attempts) == ("queued", 0)
    assert run_claim(first)
    Job.objects.filter(pk=second).update(run_after=Now())
    drain()
    assert Job.objects.get(pk=second).result["already_there"] == 3
    assert Match.objects.filter(status="live").count() == 4


def test_a_job_whose_processes_all_died_is_given_up_and_its_board_says_so(club):
    record(club, result(club, "Ana", "Bo"))
    board = club.boards.first()
    restart_board(board)
    job_id = Job.objects.filter(key=f"rate:{board.pk}").latest("pk").pk
    held = claim(job_id)
    for _death in range(MOST_ATTEMPTS):
        held = take_over(job_id)
    assert run_claim(held) is False
    assert Job.objects.get(pk=job_id).state == "failed"
    board.refresh_from_db()
    assert board.state == "paused"


def test_a_change_of_rules_during_a_rating_is_not_lost(club):
    record(club, *rounds(club, ("Ana", "Bo"), 2))
    record(club, result(club, "Bo", "Ana", kind="walkover", at=START + timedelta(days=9)))
    board = club.boards.first()
    record_matches(
        season=season_of(club),
        mode=mode_of(club),
        drafts=[result(club, "Ana", "Bo", at=START + timedelta(days=10))],
    )
    held = claim(Job.objects.filter(key=f"rate:{board.pk}").latest("pk").pk)
    # What an append says first, with its facts read and nothing written.
    held.count = lambda *_: update_league(  # type: ignore[method-assign]
        league=club, changes={"walkovers": "win"}, actor=None
    )
    rate_board_job(held)
    drain()
    assert list(club.boards.values_list("rated_matches", flat=True)) == [4, 4]
    assert all(check_board(board).differences == () for board in club.boards.all())


def test_a_change_of_rules_during_the_very_first_rating_is_not_lost(club):
    record_matches(
        season=season_of(club),
        mode=mode_of(club),
        drafts=[
            result(club, "Ana", "Bo"),
            result(club, "Bo", "Ana", kind="walkover", at=START + timedelta(days=1)),
        ],
    )
    held = claim(Job.objects.filter(key=f"rate:{club.boards.first().pk}").get().pk)
    held.progress = lambda *_: update_league(  # type: ignore[method-assign]
        league=club, changes={"walkovers": "win"}, actor=None
    )
    rate_board_job(held)
    drain()
    assert list(club.boards.values_list("rated_matches", flat=True)) == [2, 2]


def test_a_board_of_a_mode_that_nobody_played_is_not_behind(club):
    record(club, result(club, "Ana", "Bo"))
    doubles = ensure_mode(league=club, name="Doubles")
    record_matches(season=season_of(club), mode=doubles, drafts=[result(club, "Ana+Bo", "Cy+Dee")])
    drain()
    reports = [check_board(board) for board in club.boards.all()]
    assert [report.is_behind for report in reports] == [False] * 4
    assert [report.matches for report in reports] == [1, 1, 1, 1]


@pytest.mark.django_db(transaction=True)
def test_a_backup_in_the_middle_of_an_import_restores(club):
    record(club, result(club, "Ana", "Zoe"))
    stage_half(claim(queue_import(club)))
    file = io.BytesIO()
    digest = write_backup(file)
    call_command("flush", interactive=False, verbosity=0)
    file.seek(0)
    assert restore_backup(file).digest == digest
    drain()
    assert site_digest() == digest
    assert set(Player.objects.values_list("name", flat=True)) == {"Ana", "Zoe"}


@pytest.mark.django_db(transaction=True)
def test_a_backup_of_the_format_before_seals_is_computed_again_and_sealed() -> None:
    """Thirty results of the football set and a season that was closed, as version 1 wrote them."""
    with FORMER.open("rb") as file:
        restored = restore_backup(file)
    assert (restored.format, restored.digest, restored.is_proved) == (1, None, False)
    drain()
    season = Season.objects.get()
    assert (season.state, season.matches.count()) == ("closed", 30)
    assert season.sealed_digest
    assert [check_board(board).differences for board in season.boards.all()] == [(), ()]


def test_whoever_has_a_counting_match_is_listed_and_who_was_named_by_hand_stays(club):
    take(club, EVENING)
    match = Match.objects.get(seq=1)
    turned = result(club, "Ana", "Cy", scores=(3, 1), at=match.played_at, date_only=True)
    revision = correct_match(match=match, draft=turned, expected_version=1, author=None)
    assert not Player.objects.get(name="Bo").is_listed
    revert_revision(revision=revision, author=None)
    assert Player.objects.get(name="Bo").is_listed
    revert_revision(revision=Revision.objects.get(kind="import"), author=None)
    ensure_player(league=club, name="Bo")
    record(club, result(club, "Ana", "Zoe"))
    void_match(match=Match.objects.get(seq=4), author=None)
    assert dict(Player.objects.values_list("name", "is_listed")) == {
        "Ana": True,
        "Bo": True,
        "Cy": False,
        "Dee": False,
        "Zoe": True,
    }


def test_a_match_voided_by_hand_stays_void_after_undo_and_undo_of_the_undo(club):
    take(club, EVENING)
    voided = void_match(match=Match.objects.get(seq=2), author=None)
    undo = revert_revision(revision=voided, author=None)
    revert_revision(revision=undo, author=None)
    assert Match.objects.get(seq=2).status == "void"
    assert take(club, EVENING)["already_there"] == 3
    assert Match.objects.get(seq=2).status == "void"


def test_hidden_namesakes_do_not_refuse_a_file_of_names(club):
    rows = (
        "date,winner_id,winner_name,loser_id,loser_name\n"
        "2026-01-05,p1,Ana Ruiz,p2,Bo\n2026-01-06,p3,Ana Ruiz,p2,Bo\n"
    )
    take(club, rows)
    revert_revision(revision=Revision.objects.get(), author=None)
    done = take(club, "date,winner,loser\n2026-02-01,Ana Ruiz,Bo\n")
    assert (done["imported"], done["refused"]) == (1, False)


def test_the_digest_sees_a_change_in_a_history(club):
    record(club, *rounds(club, ("Ana", "Bo"), 2))
    before = league_digest(club)
    segment = RatingSegment.objects.first()
    changed = bytearray(segment.data)
    changed[-1] ^= 1
    RatingSegment.objects.filter(pk=segment.pk).update(data=bytes(changed))
    assert league_digest(club) != before
