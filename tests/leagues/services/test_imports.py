"""Importing files: all or nothing, once, and the same whatever happens on the way."""

from __future__ import annotations

import csv
import gzip
import io
import sys
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.utils import OperationalError

from leagues.jobs.queue import claim_job, start_now
from leagues.jobs.runner import drain, run_claim
from leagues.models import Job, League, Match, Participant, Player, Revision, Upload
from leagues.services.history import check_league
from leagues.services.import_reading import ImportOptions, check_file
from leagues.services.import_report import ImportReport
from leagues.services.imports import start_import
from leagues.services.integrity import check_board, league_digest
from leagues.services.matches import record_matches, revert_revision, void_match
from leagues.services.staging import USUAL_SWITCH_SECONDS
from tests.leagues.play import mode_of, new_club, record, result, season_of
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

FOOTBALL = Path(__file__).parents[2] / "golden" / "football_excerpt.csv"


@pytest.fixture
def club() -> League:
    return new_club()


def take(league: League, content: str | bytes, **options: object) -> dict:
    data = content.encode() if isinstance(content, str) else content
    job_id = start_import(
        season=season_of(league),
        mode=mode_of(league),
        name="results.csv",
        content=data,
        options=ImportOptions(is_upload=False, **options),
    )
    drain()
    job = Job.objects.get(pk=job_id)
    assert job.state == Job.State.DONE, job.error
    return job.result


def check(league: League, content: str, **options: object) -> ImportReport:
    return check_file(
        season=season_of(league),
        mode=mode_of(league),
        name="results.csv",
        content=content.encode(),
        options=ImportOptions(**options),
    )


def table(*rows: str) -> str:
    return "\n".join(("date,winner,loser,winner_score,loser_score", *rows)) + "\n"


EVENING = table("2026-01-05,Ana,Bo,3,1", "2026-01-05,Cy,Dee,3,2", "2026-01-05,Ana,Cy,3,0")


def test_a_file_becomes_matches_players_and_ratings(club):
    done = take(club, EVENING)
    assert (done["imported"], done["players_created"], done["errors"]) == (3, 4, [])
    assert list(club.boards.values_list("rated_matches", flat=True)) == [3, 3]
    match = Match.objects.get(seq=1)
    assert match.date_only
    assert match.played_at == club.midnight(match.played_at.astimezone(club.zone).date())


def test_a_long_file_is_kept_packed_and_means_the_same(club):
    rows = [f"2026-01-05,Ana,P{number},{'x' * 4000}" for number in range(300)]
    content = "\n".join(("date,winner,loser,something", *rows)).encode()
    start_import(
        season=season_of(club),
        mode=mode_of(club),
        name="results.csv",
        content=content,
        options=ImportOptions(is_upload=False),
    )
    kept = bytes(Upload.objects.get().content)
    assert (gzip.decompress(kept), len(kept) < len(content) / 10) == (content, True)
    drain()
    assert Match.objects.count() == 300
    assert take(club, content)["already_there"] == 300


def test_the_same_file_twice_adds_nothing(club):
    take(club, EVENING)
    digest = league_digest(club)
    again = take(club, EVENING)
    assert (again["imported"], again["already_there"]) == (0, 3)
    assert (Match.objects.count(), Revision.objects.count()) == (3, 1)
    assert league_digest(club) == digest


def test_a_longer_version_adds_only_what_is_new(club):
    take(club, EVENING)
    longer = EVENING + "2026-01-12,Bo,Ana,3,1\n2026-01-12,Eve,Dee,3,1\n"
    again = take(club, longer)
    assert (again["imported"], again["already_there"], again["players_created"]) == (2, 3, 1)


def test_two_equal_games_of_one_evening_both_stay(club):
    twice = table("2026-01-05,Ana,Bo,3,1", "2026-01-05,Ana,Bo,3,1")
    assert take(club, twice)["imported"] == 2
    assert take(club, twice)["already_there"] == 2
    assert take(club, twice + "2026-01-05,Ana,Bo,3,1\n")["imported"] == 1


@pytest.mark.django_db(transaction=True)
def test_rows_that_are_staged_while_others_are_read_are_the_same(club, monkeypatch):
    """Outside of a caller's transaction another thread writes them."""
    monkeypatch.setattr("leagues.services.imports.NUMBERED_AT_ONCE", 1_500)
    rows = [f"2026-01-{1 + number % 28:02},P{number % 70},Q{number},3,1" for number in range(4500)]
    bad = "2026-01-06,Ana,Ana,3,1"
    assert take(club, table(*rows, bad))["refused"]
    assert not Match.objects.exists() and not Player.objects.exists()
    done = take(club, table(*rows, bad), skip_bad=True)
    assert (done["imported"], done["players_created"], done["skipped"]) == (4500, 4570, 1)
    stored = Match.objects.order_by("seq").values_list(
        "seq", "participants__player__name", "participants__rank"
    )
    assert list(stored.order_by("seq", "participants__side")) == [
        row
        for number in range(4500)
        for row in ((number + 1, f"P{number % 70}", 1), (number + 1, f"Q{number}", 2))
    ]
    assert not Player.objects.filter(is_listed=False).exists()
    assert check_league(club.pk).differences == 0
    assert all(check_board(board).differences == () for board in club.boards.all())


@pytest.mark.django_db(transaction=True)
def test_what_waits_behind_a_batch_that_cannot_be_written_is_not_written(club, monkeypatch):
    written = []

    def fail(place: str) -> None:
        if place == "import_batch":
            written.append(settings_of_connection())
            if len(written) == 2:
                raise OperationalError("disk I/O error")

    monkeypatch.setattr("leagues.services.staging.BATCH", {"sqlite": 3, "postgresql": 3})
    content = table(*(f"2026-01-05,P{number},Q{number},3,1" for number in range(300)))
    job = start_import(
        season=season_of(club),
        mode=mode_of(club),
        name="results.csv",
        content=content.encode(),
        options=ImportOptions(is_upload=False),
    )
    usual = settings_of_connection()
    with monkeypatch.context() as patch:
        patch.setattr("leagues.services.staging.faultpoint", fail)
        claim = claim_job(only=job)
        assert claim is not None and not run_claim(claim)
    assert len(written) == 2 and written[0] == written[1] != usual
    if connection.vendor == "sqlite":
        assert settings_of_connection() == usual
    assert sys.getswitchinterval() == USUAL_SWITCH_SECONDS
    assert Match.objects.filter(status=Match.Status.STAGED).count() == Match.objects.count() == 6
    with transaction.atomic():
        start_now(job)
    drain()
    assert Job.objects.get(pk=job).result["imported"] == 300
    assert Match.objects.count() == 300
    assert check_league(club.pk).differences == 0


def settings_of_connection() -> tuple[Any, ...]:
    """Which connection a thread has, and on SQLite whether it waits for the disk and maps files."""
    connection.ensure_connection()
    if connection.vendor != "sqlite":
        return (connection.connection.info.backend_pid,)
    with connection.cursor() as cursor:
        names = ("synchronous", "mmap_size")
        return tuple(cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in names)


@pytest.mark.django_db(transaction=True)
def test_the_numbers_of_a_file_follow_each_other_whatever_is_entered_meanwhile(club, monkeypatch):
    entered = []

    def enter(place: str) -> None:
        if place == "import_batch":
            drafts = [result(club, "Ana", f"Guest {len(entered)}")]
            entered.append(
                record_matches(season=season_of(club), mode=mode_of(club), drafts=drafts)
            )

    monkeypatch.setattr("leagues.services.staging.faultpoint", enter)
    monkeypatch.setattr("leagues.services.staging.BATCH", {"sqlite": 3, "postgresql": 3})
    monkeypatch.setattr("leagues.services.imports.NUMBERED_AT_ONCE", 4)
    rows = [f"2026-01-05,P{number},Q{number},3,1" for number in range(10)]
    assert take(club, table(*rows))["imported"] == 10
    assert len(entered) == 4
    assert sys.getswitchinterval() == USUAL_SWITCH_SECONDS
    numbered = Match.objects.order_by("seq")
    assert [match.seq for match in numbered] == [*range(1, 15)]
    winners = numbered.filter(participants__side=0).values_list("participants__player__name")
    assert [name for (name,) in winners[4:]] == [f"P{number}" for number in range(10)]
    assert check_league(club.pk).differences == 0


def test_a_file_with_a_bad_row_is_refused_whole(club):
    bad = EVENING + "2026-01-06,Ana,Ana,3,1\n2026-13-01,Ana,Bo,3,1\n"
    done = take(club, bad)
    assert done["refused"]
    assert [error["line"] for error in done["errors"]] == [5, 6]
    assert not Match.objects.exists()
    assert not Player.objects.exists()


def test_a_row_of_a_walkover_without_a_winner_is_bad(club):
    rows = "date;player1;player2;score1;score2;comment\n2026-01-05;Ana;Bo;{}\n"
    done = take(club, rows.format("1;0;") + "2026-01-06;Ana;Bo;0;0;W/O\n")
    assert done["refused"]
    (error,) = done["errors"]
    assert (error["line"], error["column"]) == (3, "comment")
    assert error["reason"].startswith("This is a walkover, but it does not say who won.")


def test_bad_rows_are_left_out_on_purpose_and_kept_in_the_summary(club):
    bad = EVENING + "2026-01-06,Ana,Ana,3,1\n"
    done = take(club, bad, skip_bad=True)
    assert (done["imported"], done["skipped"]) == (3, 1)
    summary = Revision.objects.get().summary
    assert [error["line"] for error in summary["errors"]] == [5]


def test_a_check_says_what_an_import_would_do_and_writes_nothing(club):
    report = check(club, EVENING + "2026-01-06,Ana,Ana,3,1\n")
    assert (report.imported, len(report.errors), report.is_refused) == (3, 1, True)
    assert not Player.objects.exists()


def test_two_people_of_one_name_are_told_apart_by_their_ids(club):
    rows = (
        "date,winner_id,winner_name,loser_id,loser_name\n"
        "2026-01-05,p1,Ana Ruiz,p2,Bo\n2026-01-06,p3,Ana Ruiz,p2,Bo\n"
    )
    assert take(club, rows)["players_created"] == 3
    assert Player.objects.filter(name="Ana Ruiz").count() == 2
    shared = take(club, table("2026-01-07,Ana Ruiz,Bo,3,1"))
    assert shared["refused"]
    assert "Ana Ruiz" in shared["errors"][0]["reason"]


def test_a_row_whose_id_is_stored_with_another_result_is_refused(club):
    rows = "match_id,date,winner,loser\n{}\n"
    take(club, rows.format("m1,2026-01-05,Ana,Bo\nm2,2026-01-05,Cy,Bo"))
    done = take(club, rows.format("m1,2026-01-05,Bo,Ana\nm2,2026-01-05,Cy,Bo"))
    assert done["refused"]
    assert [error["value"] for error in done["errors"]] == ["m1"]


def test_an_undone_import_leaves_nothing_to_see_and_can_be_made_again(club):
    take(club, EVENING)
    digest = league_digest(club)
    revert_revision(revision=Revision.objects.get(), author=None)
    drain()
    assert not Player.objects.filter(is_listed=True).exists()
    assert all(board.standings.count() == 0 for board in club.boards.all())
    done = take(club, EVENING)
    assert done["imported"] == 3
    assert league_digest(club) == digest
    assert Match.objects.count() == 3


def test_a_match_voided_by_hand_stays_void_when_the_file_comes_again(club):
    take(club, EVENING)
    void_match(match=Match.objects.get(seq=2), author=None)
    assert take(club, EVENING)["already_there"] == 3
    assert Match.objects.get(seq=2).status == "void"


def test_players_with_other_matches_stay_when_an_import_is_undone(club):
    take(club, EVENING)
    record(club, result(club, "Ana", "Zoe"))
    revert_revision(revision=Revision.objects.get(number=1), author=None)
    assert set(Player.objects.filter(is_listed=True).values_list("name", flat=True)) == {
        "Ana",
        "Zoe",
    }


def test_a_real_set_with_draws_is_rated_and_checks_out(club):
    done = take(club, FOOTBALL.read_bytes())
    with FOOTBALL.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    draws = sum(1 for row in rows if row["home_score"] == row["away_score"])
    assert done["imported"] == len(rows) == 401
    assert Participant.objects.filter(rank=1).count() == len(rows) + draws
    assert all(check_board(board).differences == () for board in club.boards.all())


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_separators_marks_and_gzip_make_no_difference(club, separator):
    text = FOOTBALL.read_text(encoding="utf-8")
    rows = io.StringIO()
    csv.writer(rows, delimiter=separator).writerows(csv.reader(io.StringIO(text)))
    data = gzip.compress("\ufeff".encode() + rows.getvalue().encode())
    assert take(club, data)["imported"] == 401
    assert take(club, text)["already_there"] == 401


@pytest.mark.parametrize(
    ("file", "imported", "skipped", "rated"),
    [
        ("club/ntnu_table_tennis.csv", 1039, 33, 1039),
        ("club/foosball_2v2.csv", 706, 0, 706),
        ("club/catan.csv", 242, 0, 242),
        ("halo2/halo2_headtohead.csv.gz", 6028, 0, 6028),
        ("halo2/halo2_largeteam.csv.gz", 972, 0, 972),
    ],
)
def test_real_sets_end_in_rated_boards_without_a_difference(club, file, imported, skipped, rated):
    content = shared_data(file).read_bytes()
    if skipped:
        refused = take(club, content)
        assert refused["refused"]
        assert len(refused["errors"]) == skipped
        assert not Match.objects.exists()
    done = take(club, content, skip_bad=True)
    assert (done["imported"], done["skipped"]) == (imported, skipped)
    for board in club.boards.all():
        assert board.rated_matches == rated
        assert check_board(board).differences == ()


def test_a_newcomer_does_not_become_whoever_has_the_key_of_the_name(club):
    by_id = "date,winner_id,winner_name,loser_id,loser_name\n2026-01-05,ana,Somebody Else,p2,Bo\n"
    take(club, by_id)
    take(club, table("2026-01-06,Ana,Bo,3,1"))
    assert dict(Player.objects.values_list("key", "name")) == {
        "ana": "Somebody Else",
        "p2": "Bo",
        "ana-2": "Ana",
    }
