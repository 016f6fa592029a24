"""Writing what was checked: once, all of it or nothing, and undone with one press."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.test import Client

from leagues.jobs.queue import claim_job
from leagues.jobs.runner import drain
from leagues.models import Job, Match, Player, Revision, Season, Upload
from leagues.services.entry import Correction, Enterer, correct_result
from leagues.services.entry_drafts import Answers
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import start_import, start_upload
from tests.leagues.imports.files import BAD, EVENING, GHOSTS
from tests.leagues.imports.sender import Sender, plain
from tests.leagues.people import join, make_user
from tests.leagues.play import mode_of, season_of

pytestmark = pytest.mark.django_db


def test_a_file_becomes_results_with_a_page_that_says_so(kim: Sender) -> None:
    address = kim.checked(EVENING)
    assert kim.answer(address, "write").status_code == 302
    assert "Checking once more before the import" in kim.page(address)
    drain()
    page = kim.page(address)
    assert "3 results imported" in page
    assert '/l/club/r/autumn/1/"' in page
    assert '/l/club/r/autumn/1/undo/"' in page
    assert Match.objects.filter(status=Match.Status.LIVE).count() == 3
    upload = Upload.objects.select_related("revision__author").get()
    assert bytes(upload.content) == b""
    assert upload.revision.author == upload.author
    assert "Kim" not in page


def test_a_result_without_an_id_is_none_of_a_file(kim: Sender) -> None:
    """A result that was moved to another season left its id with the void one."""
    rows = "id,date,player 1,player 2,score 1,score 2\n{},2026-01-05,{},{},3,1\n"
    kim.written(kim.checked(rows.format("g1", "Ana", "Bo")))
    match = Match.objects.get()
    spring = Season.objects.create(league=kim.league, slug="spring", name="Spring")
    correct_result(
        match=match,
        version=match.version,
        correction=Correction(None, {}, season=spring),
        enterer=Enterer(source="browser", author=None, may_backdate=True, may_be_late=True),
        answers=Answers(),
    )
    drain()
    assert "1 result imported" in kim.written(
        kim.checked(rows.format("None", "Cy", "Dee"), season="spring")
    )


def test_rows_are_left_out_only_on_purpose(kim: Sender) -> None:
    address = kim.checked(BAD)
    refused = kim.answer(address, "write")
    assert refused.status_code == 422
    words = plain(refused)
    assert "Nothing was imported. Tick this box to import the others, or correct the file." in words
    box = words.partition('<input type="checkbox" name="skip_bad"')[2].partition(">")[0]
    assert "autofocus" in box and "required" not in box
    drain()
    assert not Match.objects.exists()
    page = kim.written(address, skip_bad="on")
    assert "3 results imported" in page
    assert "2 rows were skipped" in page
    assert "<bdi>2026-13-01</bdi>" in page
    assert [row["line"] for row in Revision.objects.get().summary["errors"]] == [5, 6]


def test_rows_left_out_bring_no_players(kim: Sender) -> None:
    page = kim.written(kim.checked(GHOSTS), skip_bad="on")
    assert "4 results imported" in page
    assert set(Player.objects.values_list("name", flat=True)) == {"Ana", "Bo", "Cy", "Dee", "Eve"}
    assert Revision.objects.get().summary["players_created"] == 5
    assert "are undone together: all will be void. They stay listed but no longer count." in page


def test_pressing_twice_writes_once(kim: Sender) -> None:
    address = kim.checked(EVENING)
    seen = {"check": Upload.objects.get().report["check"], "do": "write"}
    for _press in range(2):
        assert kim.client.post(address, seen)["Location"] == address
    assert Job.objects.filter(kind="import").count() == 1
    drain()
    assert kim.client.post(address, seen)["Location"] == address
    assert kim.client.post(address, {"do": "check"})["Location"] == address
    assert Job.objects.filter(kind="import").count() == 1
    drain()
    assert Revision.objects.count() == 1
    assert Match.objects.count() == 3
    assert "3 results imported" in kim.page(address)


def test_pressing_while_it_is_written_starts_nothing(kim: Sender) -> None:
    address = kim.checked(EVENING)
    kim.answer(address, "write")
    claim = claim_job()
    assert claim is not None
    assert claim.job.kind == "import"
    claim.progress(2, 3, "write")
    page = kim.page(address)
    assert "Importing 3 results" in page
    assert "2 done" in page
    assert 'value="0.667"' in page
    for do in ("check", "write"):
        kim.answer(address, do)
    assert not Job.objects.filter(kind__in=("check", "import"), state="queued").exists()


def test_an_import_that_takes_long_says_how_long_it_will_go_on(kim: Sender) -> None:
    address = kim.checked(EVENING)
    kim.answer(address, "write")
    claim = claim_job()
    assert claim is not None
    claim.progress(2, 3, "write")
    Job.objects.filter(pk=claim.job.pk).update(started_at=Now() - timedelta(minutes=9, seconds=30))
    assert "2 done, about 5 minutes left" in kim.page(address)
    claim.progress(3, 3, "finish")
    page = kim.page(address)
    assert "Finishing the import" in page
    assert "left" not in page.partition('class="job"')[2].partition("<progress")[0]


def test_what_was_agreed_to_is_what_is_written(kim: Sender) -> None:
    address = kim.checked(EVENING)
    seen = Upload.objects.get().report["check"]
    kim.answer(address, "check", column_1="loser", column_2="winner")
    while_it_runs = kim.client.post(
        address, {"check": seen, "do": "write", "column_1": "loser", "column_2": "winner"}
    )
    drain()
    late = kim.client.post(address, {"check": seen, "do": "write"})
    assert (while_it_runs.status_code, late.status_code) == (422, 422)
    drain()
    assert "The file was checked again in the meantime." in plain(late)
    assert not Match.objects.exists()


def test_another_organizer_may_go_on(kim: Sender) -> None:
    address = kim.checked(EVENING)
    lou = make_user("lou")
    join(kim.league, lou, "organizer")
    other = Sender(Client(), kim.league)
    other.client.force_login(lou)
    assert "results.csv" in other.page(other.home)
    assert "3 results imported" in other.written(address)
    assert Revision.objects.get().author == lou


def test_a_season_that_closed_meanwhile_is_said(kim: Sender) -> None:
    address = kim.checked(EVENING)
    season = season_of(kim.league)
    season.state = Season.State.CLOSED
    season.save()
    response = kim.answer(address, "write")
    assert response.status_code == 422
    assert "does not accept results" in plain(response)
    assert not Job.objects.filter(kind="import").exists()


def test_what_changed_since_the_check_is_shown_instead_of_written(kim: Sender) -> None:
    address = kim.checked(EVENING)
    start_import(
        season=season_of(kim.league),
        mode=mode_of(kim.league),
        name="same.csv",
        content=EVENING.encode(),
        options=ImportOptions(is_upload=False),
    )
    drain()
    page = kim.written(address)
    assert "Nothing was imported." in page
    assert "Every result in this file is already recorded." in page
    assert Match.objects.count() == 3


def test_rows_that_became_bad_are_not_left_out_unseen(kim: Sender) -> None:
    address = kim.checked(EVENING)
    for name in ("Ana", "ANA"):
        Player.objects.create(league=kim.league, key=f"p-{name}", name=name, folded="ana")
    page = kim.written(address)
    assert "Nothing was imported." in page
    assert "2 rows cannot be read" in page
    assert not Match.objects.exists()


def test_an_import_is_undone_with_one_press(kim: Sender) -> None:
    address = kim.checked(EVENING)
    page = kim.written(address)
    assert "Undo this import" in page
    assert kim.client.post("/l/club/r/autumn/1/undo/").status_code == 302
    drain()
    page = kim.page(address)
    assert "undone" in page
    assert "Undo this import" not in page
    assert not Match.objects.filter(status=Match.Status.LIVE).exists()


def test_an_import_that_stopped_can_be_started_again(kim: Sender) -> None:
    address = kim.checked(EVENING)
    kim.answer(address, "write")
    Job.objects.filter(kind="import").update(state=Job.State.FAILED)
    assert "The import has stopped." in kim.page(address)
    assert "3 results imported" in kim.written(address)


def test_the_list_says_how_far_each_import_is(kim: Sender) -> None:
    first = kim.checked(EVENING, name="first.csv")
    assert "checked, not imported" in kim.page(kim.home)
    kim.answer(first, "write")
    assert "being imported" in kim.page(kim.home)
    drain()
    page = kim.page(kim.home)
    assert "/l/club/r/autumn/1/" in page
    assert "imported" in page
    assert "not written" not in page
    kim.send(EVENING, name="second.csv")
    page = kim.page(kim.home)
    assert "being checked" in page
    assert page.index("second.csv") < page.index("first.csv")


def test_files_of_the_command_line_are_listed_when_they_are_written(kim: Sender) -> None:
    for content in (BAD, EVENING):
        start_import(
            season=season_of(kim.league),
            mode=mode_of(kim.league),
            name=f"{len(content)}.csv",
            content=content.encode(),
            options=ImportOptions(is_upload=False),
        )
    drain()
    page = kim.page(kim.home)
    assert f"{len(EVENING)}.csv" in page
    assert f"{len(BAD)}.csv" not in page
    refused = Upload.objects.get(name=f"{len(BAD)}.csv")
    assert kim.client.get(f"{kim.home}{refused.pk}/").status_code == 404


def test_a_board_that_is_being_rated_is_waited_for(kim: Sender) -> None:
    address = kim.checked(EVENING)
    kim.answer(address, "write")
    claim = claim_job()
    assert claim is not None
    from leagues.services.imports import import_job

    import_job(claim)
    page = kim.page(address)
    assert "3 results imported" in page
    assert "Rating on the board" in page
    assert f'hx-get="{address}state/?was=rating"' in page
    drain()
    page = kim.page(address)
    assert "Rating on the board" not in page
    assert "hx-get" not in page


def test_starting_an_upload_twice_gives_one_job(kim: Sender) -> None:
    kim.checked(EVENING)
    upload = Upload.objects.get()
    jobs = {start_upload(upload=upload, options=ImportOptions()) for _ in range(2)}
    drain()
    jobs.add(start_upload(upload=upload, options=ImportOptions()))
    assert len(jobs) == 1


def test_a_file_that_is_not_wanted_is_discarded(kim: Sender) -> None:
    address = kim.checked(EVENING)
    assert "Discard the file" in kim.page(address)
    done = kim.client.post(address, {"do": "discard"}, follow=True)
    assert "was discarded" in plain(done)
    assert not Upload.objects.exists() and not Match.objects.exists()
    assert kim.client.get(address).status_code == 404
    assert "checked but not imported" not in kim.page("/l/club/dashboard/")


def test_what_is_being_read_or_was_imported_is_not_discarded(kim: Sender) -> None:
    address = str(kim.send(EVENING)["Location"])
    refused = kim.client.post(address, {"do": "discard"})
    assert refused.status_code == 422 and "still being read" in plain(refused)
    drain()
    kim.written(address)
    refused = kim.client.post(address, {"do": "discard"})
    assert refused.status_code == 422 and "Undo the import instead" in plain(refused)
    assert Upload.objects.exists()
