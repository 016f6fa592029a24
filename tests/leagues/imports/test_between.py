"""What happens in a league between the check of a file and the moment its results count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db.models.functions import Now

from leagues.jobs.queue import claim_job
from leagues.jobs.runner import drain, run_claim
from leagues.models import Job, League, Match, Player, Revision, Season, Upload
from tests.leagues.imports.files import EVENING
from tests.leagues.imports.sender import Sender, plain
from tests.leagues.play import new_club, record, result, season_of
from tests.leagues.services.test_takeovers import claim, queue_import

pytestmark = pytest.mark.django_db


def close(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(state=Season.State.CLOSED)


def test_a_season_that_closes_while_a_file_waits_to_be_written_is_said(kim: Sender) -> None:
    address = kim.checked(EVENING)
    kim.answer(address, "write")
    close(season_of(kim.league))
    drain()
    job = Job.objects.get(kind="import")
    assert (job.state, job.attempts) == (Job.State.DONE, 1)
    page = plain(kim.client.get(address))
    assert "The season “Autumn” does not accept results: it is closed." in page
    assert "cannot be read" not in page
    assert not Match.objects.exists()
    assert not Player.objects.exists()
    assert Revision.objects.get().state == Revision.State.ABANDONED
    assert bytes(Upload.objects.get().content)


REPEATED = "seems to have been entered already"
TWO_DAYS = "date,winner,loser\n2026-01-05,Ana,Bo\n2026-01-06,Cy,Bo\n"


def test_a_result_that_is_recorded_after_the_check_is_asked_about(kim: Sender) -> None:
    """Before, both counted, and nobody had agreed to that."""
    league = kim.league
    address = kim.checked(TWO_DAYS)
    evening = datetime(2026, 1, 5, 20, tzinfo=UTC)
    record(league, result(league, "Ana", "Bo", at=evening))
    page = kim.written(address, others_are_new="on")
    assert "Something has changed since the check; this is the new preview." in page
    assert f"1 result {REPEATED}: line 2." in page
    assert Match.objects.live().count() == 1
    kim.pressed(address, others_are_new="on", may_repeat="on")
    assert Match.objects.live().count() == 3
    # The same file again brings nothing.
    again = kim.checked(TWO_DAYS, name="again.csv")
    assert "Every result in this file is already recorded." in kim.page(again)


def test_who_agreed_to_one_repeat_is_asked_about_another(kim: Sender) -> None:
    league = kim.league
    evening = datetime(2026, 1, 5, 20, tzinfo=UTC)
    record(league, result(league, "Ana", "Bo", at=evening))
    address = kim.checked(TWO_DAYS)
    assert f"1 result {REPEATED}: line 2." in kim.page(address)
    later = evening + timedelta(days=1)
    record(league, result(league, "Cy", "Bo", at=later))
    page = kim.written(address, may_repeat="on")
    assert "2 results seem to have been entered already: lines 2, 3." in page
    assert Match.objects.live().count() == 2
    kim.pressed(address, may_repeat="on")
    assert Match.objects.live().count() == 4


def test_the_command_line_says_what_stands_against_the_file_as_a_whole(tmp_path):
    new_club()
    file = tmp_path / "results.csv"
    file.write_text("date,winner,loser\n01/02/2026,Ana,Bo\n03/04/2026,Cy,Bo\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"\AThe dates in “date” are ambiguous"):
        call_command("import_matches", str(file), league="club", skip_bad=True)
    file.write_text("game_id,player,rank\n1,A,1\n1,B,2\n2,A,1\n2,B,2\n1,C,3\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"\Aline 6: The rows of a match must be next to each"):
        call_command("import_matches", str(file), league="club", skip_bad=True)
    assert not Match.objects.exists()


def test_an_import_that_was_put_back_waits_for_a_later_one_that_has_begun():
    club: League = new_club()
    first = queue_import(club)
    second = queue_import(club, EVENING + "2026-01-12,Bo,Ana,3,1\n")
    later = claim(second)
    later.progress(0, 0, "write")
    assert run_claim(claim(first)) is False
    assert Job.objects.get(pk=first).state == Job.State.QUEUED
    assert run_claim(later)
    Job.objects.filter(pk=first).update(run_after=Now())
    drain()
    assert Job.objects.get(pk=first).result["already_there"] == 3
    assert Match.objects.live().count() == 4


def test_of_two_imports_that_have_been_taken_and_not_begun_the_first_goes_on():
    club: League = new_club()
    jobs = [queue_import(club), queue_import(club, EVENING + "2026-01-12,Bo,Ana,3,1\n")]
    claims = [claim_job(only=job) for job in jobs]
    assert [run_claim(one) for one in reversed(claims) if one is not None] == [False, True]
