"""What needs somebody: in one league for its organizers, in all of them for the site's admin."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leagues.access import Action
from leagues.jobs.queue import enqueue
from leagues.jobs.runner import drain
from leagues.models import Board, Job, League, Season
from leagues.pages.dashboard import dashboard, site_concerns, state_marks
from leagues.pages.work import work_rows
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import store_upload
from leagues.services.leagues import add_board, create_season
from leagues.services.sealing import request_sealing
from leagues.services.upkeep import retry_jobs
from tests.leagues.people import make_user
from tests.leagues.play import LATER, mode_of, new_club, record, rounds, season_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> User:
    return make_user("boss")


@pytest.fixture
def league(boss: User) -> League:
    league = new_club(owner=boss)
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 2), by=boss)
    Job.objects.all().delete()
    return league


def page(league: League):
    rights = frozenset(Action)
    return dashboard(league=league, season=season_of(league), rights=rights, now=LATER)


def texts(league: League) -> list[str]:
    return [concern.text for concern in page(league).concerns]


def failed(key: str, kind: str = "rate_board", **fields: object) -> Job:
    job = Job.objects.get(pk=enqueue(kind, key=key, params={}))
    Job.objects.filter(pk=job.pk).update(state="failed", error="a\nValueError: x", **fields)
    job.refresh_from_db()
    return job


class TestConcerns:
    def test_a_league_in_order_needs_nobody(self, league: League) -> None:
        shown = page(league)
        assert shown.concerns == () and shown.work == ()
        assert (shown.next_url, shown.next_word) == ("/l/club/enter/", "Enter a result")

    def test_an_empty_league_is_told_to_bring_results(self) -> None:
        assert page(new_club()).next_word == "Bring your results"

    def test_a_stopped_board_says_why(self, league: League) -> None:
        Board.objects.filter(system="elo").update(state="paused", problem="ValueError: x")
        (concern,) = page(league).concerns
        assert concern.text == "The board “Blitz, Elo” of Autumn has stopped"
        assert concern.why == "ValueError: x"

    def test_a_board_that_differs_from_a_replay(self, league: League) -> None:
        Board.objects.filter(system="elo").update(differences=2)
        (concern,) = page(league).concerns
        assert concern.why == "a replay finds 2 differences"

    def test_a_season_past_its_last_day(self, league: League) -> None:
        Season.objects.update(ends_at=LATER)
        (concern,) = page(league).concerns
        assert concern.text == "“Autumn” is past its last day and still open"
        assert (
            concern.why == "Dates: to 31 Oct 2025. Stop accepting results, then seal the standings."
        )

    def test_a_season_that_is_closing(self, league: League) -> None:
        Season.objects.update(state="closing")
        assert texts(league) == ["“Autumn” is closing and not sealed"]

    def test_a_season_that_could_not_be_sealed_says_why(self, league: League) -> None:
        Season.objects.update(state="closing")
        Board.objects.filter(system="elo").update(state="paused", problem="ValueError: x")
        with transaction.atomic():
            request_sealing(season_of(league), None)
        drain()
        whys = {concern.text: concern.why for concern in page(league).concerns}
        assert whys["“Autumn” is closing and not sealed"] == (
            "When sealing was last tried: The board “Blitz, Elo” has stopped: ValueError: x"
        )

    def test_a_file_with_names_that_nobody_has_decided_on(self, league: League) -> None:
        upload = store_upload(
            season=season_of(league),
            mode=mode_of(league),
            name="night.csv",
            content=b"date,winner,loser\n2025-10-05,Anna,Bo\n",
            options=ImportOptions(),
        )
        upload.options |= {"is_upload": True}
        upload.report = {"similar": {"Anna": ["Ana"]}, "imported": 0}
        upload.save()
        assert not page(league).concerns
        upload.report |= {"imported": 1}
        upload.save()
        (concern,) = page(league).concerns
        assert concern.text == "“night.csv” was checked but not imported"
        assert concern.why.startswith("1 new name looks like an existing player")
        assert concern.url == f"/l/club/import/{upload.pk}/"


class TestWork:
    def test_it_is_told_in_words_with_its_progress(self, league: League) -> None:
        board = league.boards.get(system="elo")
        enqueue(
            "rate_board", key=f"rate:{board.pk}", params={"board": board.pk}, league_id=league.pk
        )
        Job.objects.update(state="running", done=1500, total=6000)
        (row,) = page(league).work
        assert row.title == "Rating the board “Blitz, Elo”"
        assert (row.rest, row.part) == ("1\u202f500 of 6\u202f000", "0.250")
        assert page(league).is_moving

    def test_routine_that_waits_is_no_news(self, league: League) -> None:
        enqueue("verify_board", key="verify:1", params={}, league_id=league.pk)
        assert page(league).work == ()

    def test_failed_work_is_told_until_it_is_tried_again(self, league: League) -> None:
        job = failed("import:1", "import", league=league)
        (row,) = page(league).work
        assert row.is_failed and row.error == "ValueError: x"
        assert [concern.why for concern in site_concerns(now=LATER, address=str)] == [
            "ValueError: x"
        ]
        retry_jobs(jobs=[job], actor=None)
        assert not any(row.is_failed for row in page(league).work)
        assert site_concerns(now=LATER, address=str) == ()

    def test_kinds_that_came_later_are_told_too(self, league: League) -> None:
        job = Job(kind="new_thing", key="x", params={"board": "1"}, state="queued")
        job.created_at = LATER
        assert work_rows([job], zone=league.zone, now=LATER)[0].title == "new thing"


class TestLeaguesApart:
    def test_another_league_is_in_none_of_it(self, league: League, boss: User) -> None:
        other = new_club("other", owner=make_user("rival"), visibility="private", name="Rivals")
        record(other, *rounds(other, ("Xan", "Yul"), 1))
        Board.objects.filter(league=other).update(state="paused", problem="theirs")
        Season.objects.filter(league=other).update(ends_at=LATER - timedelta(days=1))
        failed("import:2", "import", league=other)
        client = Client()
        client.force_login(boss, "django.contrib.auth.backends.ModelBackend")
        text = client.get("/l/club/dashboard/").content.decode()
        assert "Rivals" not in text and "theirs" not in text and "Xan" not in text
        assert client.get("/l/other/dashboard/").status_code == 404
        assert client.get("/l/other/changes/").status_code == 404
        text = client.get("/l/club/changes/", {"user": "rival"}).content.decode()
        assert "No changes match" in text

    def test_the_site_admin_sees_both(self, league: League) -> None:
        other = new_club("other", name="Rivals")
        Board.objects.update(state="paused", problem="x")
        found = {concern.league for concern in site_concerns(now=LATER, address=str)}
        assert found == {league.name, other.name}


def test_the_queries_do_not_grow_with_the_boards(league: League, boss: User) -> None:
    client = Client()
    client.force_login(boss, "django.contrib.auth.backends.ModelBackend")
    client.get("/l/club/dashboard/")
    with CaptureQueriesContext(connection) as few:
        client.get("/l/club/dashboard/")
    for system in ("trueskill", "ladder", "glicko"):
        add_board(season=season_of(league), mode=mode_of(league), system=system)
    create_season(league=league, name="Past", ends_at=LATER)
    Job.objects.all().delete()
    with CaptureQueriesContext(connection) as many:
        client.get("/l/club/dashboard/")
    assert len(many) <= len(few) <= 20


def test_more_closing_seasons_are_no_more_queries(league: League) -> None:
    asked, whys = [], []
    for name in ("Spring", "Summer", "Winter"):
        season = create_season(league=league, name=name)
        Season.objects.filter(pk=season.pk).update(state="closing")
        failed(f"seal:{season.pk}", "seal_season")
        failed(f"seal:{season.pk}", "seal_season")
        Job.objects.filter(key=f"seal:{season.pk}").update(error=f"a\nValueError: {name}")
        with CaptureQueriesContext(connection) as queries:
            concerns = site_concerns(now=LATER, address=lambda _subject: "")
        asked.append(len(queries))
        whys = [one.why for one in concerns if "not sealed" in one.text]
    assert len(set(asked)) == 1
    words = "When sealing was last tried: ValueError: "
    assert whys == [words + name for name in ("Winter", "Summer", "Spring")]


def test_the_strip_shows_where_a_season_is() -> None:
    marks = state_marks(Season(state="closing"))
    assert [mark.label for mark in marks if mark.is_past] == ["draft", "open"]
    assert [mark.label for mark in marks if mark.is_present] == ["closing"]


def test_the_page_shows_the_steps_and_the_last_changes(league: League, boss: User) -> None:
    client = Client()
    client.force_login(boss, "django.contrib.auth.backends.ModelBackend")
    text = client.get("/l/club/dashboard/").content.decode()
    for words in ("Nothing needs you now", "Stop accepting results", "Results entered", "Undo"):
        assert words in text
    assert 'href="/l/club/dashboard/" aria-current="page"' in text
