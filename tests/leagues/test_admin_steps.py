"""What a site admin can do: each button tells before it does, and does by the services."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from leagues.admin.base import MOST_COUNTED, CappedPaginator
from leagues.jobs.queue import enqueue
from leagues.jobs.runner import drain
from leagues.models import (
    AuditEntry,
    Board,
    BoardRules,
    Job,
    League,
    Match,
    Player,
    Revision,
    Season,
    Standing,
    Trial,
)
from leagues.services.integrity import board_digest
from leagues.services.leagues import create_season
from leagues.services.matches import record_matches
from leagues.services.seasons import Step, take_step
from tests.leagues.people import PASSWORD, make_user
from tests.leagues.play import mode_of, new_club, record, result, rounds

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def boss() -> User:
    return make_user("boss", is_superuser=True, is_staff=True)


@pytest.fixture
def client(boss: User) -> Client:
    client = Client()
    client.force_login(boss, BACKEND)
    return client


@pytest.fixture
def league(boss: User) -> League:
    league = new_club(owner=boss)
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 2), by=boss)
    return league


@pytest.fixture
def season(league: League) -> Season:
    return league.seasons.get()


@pytest.fixture
def board(league: League) -> Board:
    return league.boards.get(system="glicko2")


def at(model: type, method: str, row: object, **words: object) -> str:
    name = f"admin:leagues_{model._meta.model_name}_{method}"
    return reverse(name, kwargs={"object_id": row.pk, **words})


def page(model: type, row: object) -> str:
    return reverse(f"admin:leagues_{model._meta.model_name}_change", args=[row.pk])


def listed(model: type) -> str:
    return reverse(f"admin:leagues_{model._meta.model_name}_changelist")


def text(response: object) -> str:
    """Return what a page says, without its markup."""
    plain = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+", " ", plain)


def state(season: Season) -> str:
    return Season.objects.values_list("state", flat=True).get(pk=season.pk)


class TestSeason:
    def test_the_page_shows_its_state_and_only_the_steps_that_lead_on(
        self, client: Client, season: Season
    ) -> None:
        shown = text(client.get(page(Season, season)))
        assert "Stop accepting results" in shown and "Start the next season" in shown
        for step in ("Open the season", "Seal the standings", "Reopen", "Archive the season"):
            assert step not in shown

    def test_a_step_is_told_and_then_taken(self, client: Client, season: Season) -> None:
        address = at(Season, "step", season, name="close")
        told = client.get(address)
        assert "only organizers can enter and correct its results" in text(told)
        assert state(season) == "open"
        done = client.post(address, follow=True)
        assert "is closing. Only organizers" in text(done) and state(season) == "closing"
        assert AuditEntry.objects.get(action="season.close").actor.username == "boss"

    def test_a_step_that_does_not_follow_is_refused_in_words(
        self, client: Client, season: Season
    ) -> None:
        response = client.post(at(Season, "step", season, name="archive"))
        assert response.status_code == 422 and "is not possible. Possible steps" in text(response)
        assert state(season) == "open"
        assert client.get(at(Season, "step", season, name="explode")).status_code == 404

    def test_sealing_is_followed_on_the_page(self, client: Client, season: Season) -> None:
        client.post(at(Season, "step", season, name="close"))
        address = at(Season, "step", season, name="seal")
        assert client.post(address).status_code == 422
        given = {"name": "autumn ", "password_again": PASSWORD}
        assert client.post(address, given | {"password_again": "guessed"}).status_code == 422
        assert not Job.objects.filter(kind="seal_season").exists()
        done = client.post(address, given, follow=True)
        assert "The standings are being sealed" in text(done)
        assert 'http-equiv="refresh"' in done.content.decode()
        assert "Accept results again" not in text(done)
        drain()
        assert state(season) == "closed"
        shown = client.get(page(Season, season))
        assert "Reopen for corrections" in text(shown)
        assert 'http-equiv="refresh"' not in shown.content.decode()

    def test_reopening_needs_a_reason(self, client: Client, season: Season) -> None:
        sealed(season)
        address = at(Season, "step", season, name="reopen")
        refused = client.post(address, {"reason": "", "name": "Autumn"})
        assert refused.status_code == 422 and state(season) == "closed"
        given = {"name": "Autumn", "password_again": PASSWORD}
        client.post(address, given | {"reason": "a result was forgotten"})
        assert state(season) == "closing"
        assert AuditEntry.objects.get(action="season.reopen").after["reason"]

    def test_closed_seasons_are_archived_together(self, client: Client, season: Season) -> None:
        sealed(season)
        chosen = {"action": "archive", "_selected_action": [season.pk]}
        told = client.post(listed(Season), chosen)
        assert "Archive the selected seasons" in text(told) and state(season) == "closed"
        client.post(listed(Season), chosen | {"confirmed": "yes"})
        assert state(season) == "archived"

    def test_an_open_season_is_not_archived_among_others(
        self, client: Client, season: Season
    ) -> None:
        chosen = {"action": "archive", "_selected_action": [season.pk], "confirmed": "yes"}
        response = client.post(listed(Season), chosen)
        assert "is not possible. Possible steps" in text(response) and state(season) == "open"

    def test_name_and_days_are_changed(self, client: Client, season: Season) -> None:
        address = at(Season, "step", season, name="days")
        assert "New results must be within the dates" in text(client.get(address))
        sent = {"name": "Autumn cup", "starts_on": "2025-09-01", "ends_on": "2025-08-31"}
        assert client.post(address, sent).status_code == 422
        done = client.post(address, sent | {"ends_on": "2025-12-31"}, follow=True)
        assert "“Autumn cup” was changed." in text(done)
        season.refresh_from_db()
        assert (season.name, str(season.last_day)) == ("Autumn cup", "2025-12-31")

    def test_the_next_season_is_made_with_what_is_carried_over(
        self, client: Client, season: Season
    ) -> None:
        sealed(season)
        address = at(Season, "step", season, name="next")
        assert 'value="Autumn 2"' in client.get(address).content.decode()
        sent = {"name": "Winter", "starts_on": "2025-12-01", "carry": "soft", "share": "50"}
        done = client.post(address, sent | {"deviation": "80"}, follow=True)
        following = Season.objects.get(name="Winter")
        assert "was created as a draft" in text(done)
        assert (following.state, following.carryover, following.carryover_share) == (
            "draft",
            "soft",
            0.5,
        )
        assert following.follows == season
        screen = client.get(at(Season, "change", following))
        assert "uncertainty raised to at least 80 % of a newcomer’s" in text(screen)
        preview = {"carry": "keep", "share": "0", "deviation": "0", "preview": "yes"}
        told = client.post(at(Season, "step", following, name="carry"), preview)
        assert "Players before" in text(told) and "3 players" in text(told)
        following.refresh_from_db()
        assert following.carryover == "soft"
        client.post(at(Season, "step", following, name="carry"), {"carry": "keep"})
        following.refresh_from_db()
        assert following.carryover == "keep"
        client.post(at(Season, "step", following, name="uncarry"))
        following.refresh_from_db()
        assert following.carryover == "fresh"

    @pytest.mark.parametrize(
        "sent",
        [
            {"name": "", "carry": "fresh"},
            {"name": "a\x00b", "carry": "fresh"},
            {"name": "Winter", "carry": "everything"},
            {"name": "Winter", "carry": "soft", "share": "101"},
            {"name": "Winter", "carry": "soft", "share": "1e9"},
            {"name": "Winter", "carry": "soft", "share": "NaN"},
            {"name": "Winter", "carry": "fresh", "starts_on": "9999-12-31"},
            {
                "name": "Winter",
                "carry": "fresh",
                "starts_on": "2026-02-01",
                "ends_on": "2026-01-01",
            },
            {"name": "Winter", "carry": "keep", "starts_on": "2025-10-01"},
        ],
    )
    def test_a_next_season_that_makes_no_sense_is_not_made(
        self, client: Client, season: Season, sent: dict[str, str]
    ) -> None:
        sealed(season)
        assert client.post(at(Season, "step", season, name="next"), sent).status_code == 422
        assert Season.objects.count() == 1


def sealed(season: Season) -> None:
    """Close and seal a season by its services."""
    take_step(season, Step.CLOSE, actor=None, now=NOW)
    take_step(Season.objects.get(pk=season.pk), Step.SEAL, actor=None, now=NOW)
    drain()
    assert state(season) == "closed"


class TestBoard:
    def test_it_is_verified_at_once(self, client: Client, board: Board) -> None:
        done = client.post(at(Board, "verify", board), follow=True)
        assert "is being verified" in text(done) and "Checking the board" in text(done)
        drain()
        assert "A replay agreed with everything stored" in text(client.get(page(Board, board)))

    def test_it_is_recalculated_with_its_progress_and_then_the_difference(
        self, client: Client, board: Board
    ) -> None:
        before = board_digest(board)
        best = Standing.objects.filter(board=board).order_by("-place_value").first()
        Standing.objects.filter(pk=best.pk).update(place_value=-1)
        address = at(Board, "recalculate", board)
        assert "stay visible until the new ones are complete" in text(client.get(address))
        done = client.post(address, {"reason": "a broken disk"}, follow=True)
        assert "Recalculating the board" in text(done)
        drain()
        shown = text(client.get(page(Board, board)))
        assert "The ranks of 3 of 3 players changed." in shown and "Ana 3rd 1st" in shown
        board.refresh_from_db()
        assert board_digest(board) == before

    def test_other_parameters_are_tried_beside_it(self, client: Client, board: Board) -> None:
        sent = parameters(client, at(Board, "try_parameters", board))
        digest = board_digest(board)
        done = client.post(
            at(Board, "try_parameters", board), sent | {"try-x_tau": "0.9"}, follow=True
        )
        assert "The parameters are being tried" in text(done)
        drain()
        assert Trial.objects.get().parameters["tau"] == 0.9
        assert "Parameters tried" in text(client.get(page(Board, board)))
        board.refresh_from_db()
        assert board_digest(board) == digest

    def test_the_rules_are_changed_with_a_reason(self, client: Client, board: Board) -> None:
        address = at(Board, "rules", board)
        sent = parameters(client, address)
        wrong = client.post(address, sent | {"try-x_tau": "much"})
        assert wrong.status_code == 422 and not BoardRules.objects.exists()
        client.post(address, sent | {"try-x_tau": "0.9", "try-reason": "voted"})
        drain()
        board.refresh_from_db()
        assert board.parameters["tau"] == 0.9
        assert BoardRules.objects.order_by("number").last().reason == "voted"

    def test_a_sealed_board_offers_nothing_that_changes_it(
        self, client: Client, season: Season, board: Board
    ) -> None:
        sealed(season)
        shown = text(client.get(page(Board, board)))
        assert "Recalculate" not in shown and "Change the rules" not in shown
        digest = board_digest(board)
        assert client.post(at(Board, "recalculate", board)).status_code == 422
        rules = at(Board, "rules", board)
        sent = parameters(client, rules) | {"try-x_tau": "0.9"}
        assert client.post(rules, sent).status_code == 422
        drain()
        board.refresh_from_db()
        assert board_digest(board) == digest

    def test_boards_are_verified_together(self, client: Client, league: League) -> None:
        chosen = {
            "action": "verify_selected",
            "_selected_action": [board.pk for board in league.boards.all()],
        }
        assert "2 boards are being verified" in text(
            client.post(listed(Board), chosen, follow=True)
        )
        drain()
        assert not league.boards.filter(verified_at=None).exists()


def parameters(client: Client, address: str) -> dict[str, str]:
    """Return the form of a page as a browser would send it unchanged."""
    form = client.get(address).context["form"]
    return {
        field.html_name: str(field.initial)
        for field in form
        if field.initial not in (None, False, "")
    }


class TestMatches:
    def test_results_are_voided_together_with_a_reason(
        self, client: Client, league: League
    ) -> None:
        keys = list(league.matches.order_by("seq").values_list("pk", flat=True)[:2])
        chosen = {"action": "void_selected", "_selected_action": keys}
        told = client.post(listed(Match), chosen)
        assert "Quay Chess: Autumn: 2 results" in text(told) and not voided()
        refused = client.post(listed(Match), chosen | {"confirmed": "yes", "reason": ""})
        assert refused.status_code == 422 and not voided()
        done = client.post(
            listed(Match), chosen | {"confirmed": "yes", "reason": "rigged"}, follow=True
        )
        assert "2 results were voided by change 2." in text(done)
        assert voided() == 2 and Revision.objects.get(kind="void").reason == "rigged"

    def test_two_seasons_are_two_revisions_so_they_are_refused(
        self, client: Client, league: League
    ) -> None:
        spring = create_season(league=league, name="Spring")
        record_matches(season=spring, mode=mode_of(league), drafts=[result(league, "Ana", "Bo")])
        chosen = {
            "action": "void_selected",
            "_selected_action": list(league.matches.values_list("pk", flat=True)),
            "confirmed": "yes",
            "reason": "rigged",
        }
        response = client.post(listed(Match), chosen)
        assert response.status_code == 422 and "results of one season" in text(response)
        assert not voided()


def voided() -> int:
    return Match.objects.filter(status="void").count()


class TestJobs:
    def test_failed_work_is_seen_at_the_front_and_tried_again(
        self, client: Client, board: Board
    ) -> None:
        Job.objects.filter(key=f"rate:{board.pk}").update(
            state="failed", error="Traceback\nValueError: broken"
        )
        Board.objects.filter(pk=board.pk).update(state="paused", problem="ValueError: broken")
        front = text(client.get("/admin/"))
        assert "Stopped: Rating the board “Blitz, Glicko-2”" in front
        assert "The board “Blitz, Glicko-2” of Autumn has stopped" in front
        job = Job.objects.get(state="failed")
        assert "ValueError: broken" in text(client.get(page(Job, job)))
        client.post(listed(Job), {"action": "retry", "_selected_action": [job.pk]})
        drain()
        assert "Nothing needs attention: no job has failed" in text(client.get("/admin/"))

    def test_work_that_did_not_fail_is_left_alone(self, client: Client) -> None:
        enqueue("tidy", key="tidy:1", params={})
        job = Job.objects.get()
        chosen = {"action": "retry", "_selected_action": [job.pk]}
        assert "None of the selected jobs has failed" in text(
            client.post(listed(Job), chosen, follow=True)
        )


class TestLists:
    @pytest.mark.parametrize(
        ("model", "asked"),
        [
            (Match, {"player": "ana", "in": "club", "of": "autumn", "by": "boss"}),
            (Match, {"since": "2025-10-01", "until": "2025-10-01"}),
            (Revision, {"by": "boss", "in": "club"}),
            (AuditEntry, {"action": "league.create", "by": "boss"}),
            (Board, {"system": "elo"}),
            (Job, {"kind": "rate_board", "state__exact": "done"}),
            (Player, {"in": "club", "is_listed__exact": "1"}),
        ],
    )
    def test_filters_find_what_is_typed(
        self, client: Client, league: League, model: type, asked: dict[str, str]
    ) -> None:
        found = client.get(listed(model), asked).context["cl"]
        assert 0 < found.result_count <= model.objects.count()
        nothing = {name: "nobody" for name in asked if name in ("player", "in", "of", "by")}
        if nothing:
            assert client.get(listed(model), nothing).context["cl"].result_count == 0

    @pytest.mark.parametrize("asked", [{"since": "soon"}, {"in": "a\x00b"}, {"by": "x" * 5000}])
    def test_filters_that_make_no_sense_find_nothing_and_break_nothing(
        self, client: Client, league: League, asked: dict[str, str]
    ) -> None:
        assert client.get(listed(Match), asked, follow=True).status_code == 200

    @pytest.mark.parametrize("model", [Match, Revision, AuditEntry, Job, Player, Board, Season])
    def test_a_list_takes_the_same_queries_however_long_it_is(
        self, client: Client, league: League, model: type
    ) -> None:
        client.get(listed(model))
        with CaptureQueriesContext(connection) as few:
            client.get(listed(model))
        record(league, *rounds(league, ("Ana", "Dee", "Eve", "Fay"), 2))
        with CaptureQueriesContext(connection) as many:
            client.get(listed(model))
        assert len(many) == len(few) <= 9


@pytest.mark.parametrize(
    ("former", "name"),
    [("days", "days"), ("carry", "carry"), ("carry/undo", "uncarry"), ("next", "next")],
)
def test_former_addresses_of_steps_lead_to_them(
    client: Client, season: Season, former: str, name: str
) -> None:
    answer = client.get(f"/admin/leagues/season/{season.pk}/{former}/")
    assert (answer.status_code, answer["Location"]) == (302, at(Season, "step", season, name=name))


def test_the_history_of_a_row_is_the_record_of_its_league(client: Client, season: Season) -> None:
    address = reverse("admin:leagues_season_history", args=[season.pk])
    assert client.get(address).url == "/l/club/changes/"
    job = Job.objects.create(kind="tidy", key="tidy:1", run_after=NOW)
    address = reverse("admin:leagues_job_history", args=[job.pk])
    assert client.get(address).url == listed(AuditEntry)


def test_a_long_list_is_counted_up_to_a_bound(league: League) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert CappedPaginator(Match.objects.order_by("-pk"), 50).count == 6
    assert f"LIMIT {MOST_COUNTED}" in queries[0]["sql"]


class TestHostilePosts:
    def test_posts_without_the_token_of_the_form_do_nothing(
        self, boss: User, season: Season, board: Board
    ) -> None:
        browser = Client(enforce_csrf_checks=True)
        browser.force_login(boss, BACKEND)
        for address in addresses(season, board):
            assert browser.post(address, {"reason": "x"}).status_code == 403
        assert state(season) == "open"
        assert not AuditEntry.objects.filter(action="season.close").exists()

    def test_nobody_else_gets_in(self, league: League, season: Season, board: Board) -> None:
        organizer = make_user("organizer", is_staff=True)
        league.memberships.create(user=organizer, role="organizer")
        for browser in (Client(), Client()):
            for address in addresses(season, board):
                assert browser.post(address, {"reason": "x"}).status_code in (302, 403)
            browser.force_login(organizer, BACKEND)
        browser = Client()
        browser.force_login(organizer, BACKEND)
        for address in addresses(season, board):
            assert browser.post(address, {"reason": "x"}, follow=True).status_code == 403
        assert state(season) == "open" and Season.objects.count() == 1


def addresses(season: Season, board: Board) -> list[str]:
    return [
        at(Season, "step", season, name="close"),
        at(Season, "step", season, name="carry"),
        at(Season, "step", season, name="uncarry"),
        at(Season, "step", season, name="next"),
        at(Board, "recalculate", board),
        at(Board, "verify", board),
        at(Board, "try_parameters", board),
        at(Board, "rules", board),
    ]
