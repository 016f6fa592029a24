"""The pages of seasons, and the steps of their lives in the browser (stories 21 and 22)."""

from __future__ import annotations

import csv
import io
import json
import re
import uuid
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import Board, League, Season
from leagues.services.leagues import add_board, create_season
from leagues.services.matches import record_matches, void_match
from tests.leagues.people import join, make_user
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Di")
LAST = START + timedelta(days=5)
SETTINGS = "/l/club/settings/seasons/"


@pytest.fixture
def kim() -> User:
    return make_user("kim")


@pytest.fixture
def club(kim: User) -> League:
    league = new_club(owner=kim, ranked_after=7)
    record(league, *rounds(league, NAMES, 2), result(league, "Di", "Ana", at=LAST))
    return league


def text(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, path
    return response.content.decode()


def take(client: Client, season: str, step: str, **data: str) -> None:
    words = {
        "name": Season.objects.get(slug=season).name,
        "password_again": "correct-horse-battery",
    }
    response = client.post(f"{SETTINGS}{season}/{step}/", words | data)
    assert response.status_code == 302, response.content.decode()
    drain()


def seal(client: Client, season: str = "autumn") -> None:
    take(client, season, "close")
    take(client, season, "seal")


def test_the_page_of_a_season_shows_standings_facts_and_weeks(client: Client, club: League) -> None:
    body = text(client, "/l/club/seasons/autumn/")
    assert (
        "2 of 4 players have the 7 results needed to be ranked. 2 players need one more result."
        in body
    )
    assert "13 results on 3 days" in body
    for word in (
        "In the lead",
        "Longest streak",
        "Upset",
        "Most played",
        "Results of “Blitz”, CSV",
    ):
        assert word in body, word
    assert "Di beat Ana" in body
    assert "Final and sealed" not in body


@pytest.mark.parametrize("board", ["blitz-glicko-2", "blitz-elo"])
def test_the_page_asks_the_database_little_whatever_the_season_holds(
    client: Client, club: League, django_assert_max_num_queries, board: str
) -> None:
    address = f"/l/club/seasons/autumn/?board={board}"
    with django_assert_max_num_queries(9):
        client.get(address)
    with django_assert_max_num_queries(5):
        client.get(address)


def test_a_sealed_season_says_when_and_with_which_digest(organizer: Client, club: League) -> None:
    seal(organizer)
    season = season_of(club)
    body = text(organizer, "/l/club/seasons/autumn/")
    assert "Final and sealed" in body
    assert season.sealed_digest[:16] in body
    assert "Champion" in body
    assert "Di</a>" not in text(organizer, "/l/club/seasons/")


def test_whoever_sealed_a_season_sees_the_seal_on_the_page_that_follows(
    organizer: Client, club: League
) -> None:
    assert "Final and sealed" not in text(organizer, f"{SETTINGS}autumn/")
    seal(organizer)
    body = text(organizer, f"{SETTINGS}autumn/")
    assert "Final and sealed" in body
    assert season_of(club).sealed_digest[:16] in body
    facts = (
        text(organizer, "/l/club/?season=autumn").partition('id="facts"')[2].partition("</p>")[0]
    )
    assert "final, sealed on" in facts


def test_the_season_after_a_sealed_one_is_made_before_that_is_archived(
    organizer: Client, club: League
) -> None:
    def first_step() -> str:
        steps = organizer.get(f"{SETTINGS}autumn/").context["steps"]
        assert [step.is_next for step in steps] == [True] + [False] * (len(steps) - 1)
        return str(steps[0].label)

    assert first_step() == "Stop accepting results"
    season = season_of(club)
    Season.objects.filter(pk=season.pk).update(starts_at=datetime(2020, 9, 1, tzinfo=UTC))
    seal(organizer)
    assert first_step() == "Start the next season"
    # One of before is not the next one, though it was made later.
    create_season(league=club, name="Summer", starts_at=datetime(2020, 6, 1, tzinfo=UTC))
    assert first_step() == "Start the next season"
    create_season(league=club, name="Winter", starts_at=datetime(2030, 1, 1, tzinfo=UTC))
    assert first_step() == "Archive the season"


def test_a_sealed_season_without_results_offers_to_enter_none(
    organizer: Client, club: League
) -> None:
    create_season(league=club, name="Winter")
    seal(organizer, "winter")
    for page in ("/l/club/?season=winter", "/l/club/seasons/winter/"):
        content = text(organizer, page).partition("<main")[2]
        assert "Winter ended without results" in content
        assert "/enter/" not in content
        assert "yet" not in content


def test_a_sealed_season_says_the_same_everywhere_however_long_ago_it_was(
    organizer: Client, club: League
) -> None:
    seal(organizer)
    with time_machine.travel(LAST + timedelta(days=2000), tick=False):
        board = organizer.get("/l/club/").context["page"]
        season = organizer.get("/l/club/seasons/autumn/").context["page"]
        told = organizer.get("/api/v1/leagues/club/standings/").json()["results"]
        player = organizer.get("/api/v1/leagues/club/players/ana/").json()["standings"][0]
        profile = organizer.get("/l/club/p/ana/").context["page"]
    ranges = {row.name: row.rating.plus_minus for row in (*board.rows, *board.unranked.rows)}
    assert season.rows
    assert all(ranges[row.name] == row.rating.plus_minus for row in season.rows)
    assert profile.rating.plus_minus == ranges["Ana"]
    assert {row["player"]["name"]: row["rating"]["high"] for row in told}["Ana"] == player[
        "rating"
    ]["high"]


def test_seasons_lead_to_each_other_and_archived_ones_stay_at_their_address(
    organizer: Client, club: League
) -> None:
    create_season(league=club, name="Winter", starts_at=datetime(2027, 1, 1, tzinfo=UTC))
    assert "It starts on 1 Jan 2027" in text(organizer, "/l/club/seasons/winter/")
    assert 'rel="next" href="/l/club/seasons/winter/"' in text(organizer, "/l/club/seasons/autumn/")
    seal(organizer)
    take(organizer, "autumn", "archive")
    listed = text(organizer, "/l/club/seasons/")
    assert listed.index("Winter") < listed.index("Archived") < listed.rindex("Autumn")
    assert "Final and sealed" in text(organizer, "/l/club/seasons/autumn/")


def test_the_list_counts_the_results_that_the_page_of_a_season_counts(
    client: Client, club: League
) -> None:
    add_board(season=season_of(club), mode=mode_of(club), system="ladder", name="First")
    Board.objects.exclude(name="First").update(position=9)
    Board.objects.filter(name="First").update(position=0)
    void_match(match=club.matches.order_by("seq")[0], author=None)
    unrated = result(club, "Ana", "Bo", kind="unrated", at=START + timedelta(days=4))
    record(club, unrated, result(club, "Ana+Bo", "Cy+Di", at=START + timedelta(days=4)))
    (row,) = client.get("/l/club/seasons/").context["list"].rows
    page = client.get("/l/club/seasons/autumn/").context["page"]
    assert Board.objects.get(name="First").refused_matches
    assert page.facts_line[1].startswith(f"{row.results} results")


def test_who_shares_a_place_shares_it_here_too(client: Client) -> None:
    club = new_club(ranked_after=1)
    record(club, result(club, "Ana", "Bo"), result(club, "Cy", "Di"))
    rows = client.get("/l/club/seasons/autumn/?board=blitz-elo").context["page"].rows
    assert [(row.rank, row.name) for row in rows] == [
        ("1=", "Ana"),
        ("1=", "Cy"),
        ("3=", "Bo"),
        ("3=", "Di"),
    ]


def test_whoever_is_away_does_not_lead_and_a_league_that_pauses_still_has_opponents(
    client: Client,
) -> None:
    """Absence is counted from the last result once nobody plays any more."""
    club = new_club(ranked_after=1, active_days=30)
    record(club, *(result(club, "Ana", "Bo", at=START + timedelta(hours=hour)) for hour in (0, 1)))
    record(club, result(club, "Cy", "Di", at=START + timedelta(days=60)))
    assert [row.first for row in client.get("/l/club/seasons/").context["list"].rows] == ["Cy"]
    page = client.get("/l/club/opponents/?player=cy").context["page"]
    assert [row.name for row in page.rows] == ["Di"]


def test_results_are_counted_by_spans_that_have_their_name_and_their_year(
    client: Client, club: League
) -> None:
    address = "/l/club/seasons/autumn/"
    with time_machine.travel(LAST + timedelta(days=400), tick=True):
        page = client.get(address).context["page"]
    assert page.activity.heading == "Results by week"
    assert page.activity.rows == (("29 Sep 2025", "12"), ("6 Oct 2025", "1"))
    record(club, result(club, "Ana", "Bo", at=START - timedelta(days=600)))
    page = client.get(address).context["page"]
    assert page.activity.heading == "Results by month"
    assert page.activity.rows[0] == ("February 2024", "1")
    assert len(page.activity.rows) == 21
    record(club, result(club, "Ana", "Bo", at=START - timedelta(days=2400)))
    with time_machine.travel(LAST + timedelta(days=400), tick=True):
        page = client.get(address).context["page"]
    assert page.movement.titles == ("2 Oct 2025", "6 Oct 2025")
    assert page.activity.heading == "Results by year"
    assert page.activity.rows[0] == ("2019", "1")


def test_the_first_three_of_free_for_alls_are_told_apart_and_absences_spanned(
    client: Client,
) -> None:
    """Ana is inactive, and so not ranked, at the end of most months."""
    club = new_club(ranked_after=1, active_days=20)
    for night in range(0, 121, 5):
        names = ("Ana", "Bo", "Cy", "Dee", "Eli") if night % 60 == 0 else ("Bo", "Cy", "Dee", "Eli")
        record(club, result(club, *names, at=START + timedelta(days=night)))
    with time_machine.travel(START + timedelta(days=121), tick=False):
        answer = client.get("/l/club/seasons/autumn/")
    movement = answer.context["page"].movement
    tones = {line.line for line in movement.chart.wide.lines}
    assert tones >= {"ink", "two", "three"}
    body = answer.content.decode()
    assert '<polyline class="dash"' in body
    assert "Faint dots span days on which a player was not ranked." in body


def test_standings_and_results_can_be_taken_home(client: Client, club: League) -> None:
    def lines(name: str) -> list[dict[str, str]]:
        response = client.get(f"/l/club/seasons/autumn/{name}")
        assert response.status_code == 200
        content = b"".join(response.streaming_content).decode()
        return list(csv.DictReader(io.StringIO(content.lstrip("\ufeff"))))

    def whole(name: str) -> dict:
        response = client.get(f"/l/club/seasons/autumn/{name}")
        return json.loads(b"".join(response.streaming_content))

    assert len(lines("standings.csv")) == len(whole("standings.json")["results"]) == 4
    assert len(lines("results.csv")) == len(whole("results.json")["results"]) == 26
    assert {row["player"] for row in lines("results.csv")} == set(NAMES)
    for name in ("standings.exe", "nothing.csv", "results"):
        assert client.get(f"/l/club/seasons/autumn/{name}").status_code == 404


@pytest.mark.parametrize("name", ["standings.csv", "standings.json"])
def test_standings_that_are_replayed_while_they_are_sent_are_those_of_before(
    client: Client, club: League, name: str
) -> None:
    address = f"/l/club/seasons/autumn/{name}"
    whole = b"".join(client.get(address).streaming_content)
    response = client.get(address)
    void_match(match=club.matches.order_by("seq")[0], author=None)
    drain()
    assert b"".join(response.streaming_content) == whole
    assert b"".join(client.get(address).streaming_content) != whole


def test_what_a_spreadsheet_would_compute_is_only_text(client: Client, club: League) -> None:
    record(club, result(club, "=1", "Ana", at=START + timedelta(days=3)))
    response = client.get("/l/club/seasons/autumn/results.csv")
    assert '"\'=1"' in b"".join(response.streaming_content).decode()


def test_a_step_is_told_first_and_careful_ones_ask_for_the_name(
    organizer: Client, club: League
) -> None:
    assert "only organizers can enter and correct" in text(organizer, f"{SETTINGS}autumn/close/")
    take(organizer, "autumn", "close")
    assert "will be sealed" in text(organizer, f"{SETTINGS}autumn/seal/")
    wrong = organizer.post(f"{SETTINGS}autumn/seal/", {"name": "Spring"})
    assert wrong.status_code == 422
    assert "This is not the name of the season." in wrong.content.decode()
    assert season_of(club).state == "closing"
    take(organizer, "autumn", "seal")
    assert season_of(club).state == "closed"
    refused = organizer.post(f"{SETTINGS}autumn/close/", {})
    assert refused.status_code == 422
    assert "is not possible. Possible steps" in refused.content.decode()
    assert organizer.get(f"{SETTINGS}autumn/explode/").status_code == 404


def test_only_a_site_admin_breaks_a_seal_and_says_why(organizer: Client, club: League) -> None:
    seal(organizer)
    assert "Reopen" not in text(organizer, f"{SETTINGS}autumn/")
    assert organizer.post(f"{SETTINGS}autumn/reopen/", {"name": "Autumn"}).status_code == 403
    organizer.force_login(make_user("root", is_superuser=True))
    assert organizer.post(f"{SETTINGS}autumn/reopen/", {"name": "Autumn"}).status_code == 422
    assert season_of(club).state == "closed"
    take(organizer, "autumn", "reopen", reason="A result was missing.")
    assert season_of(club).state == "closing"


def test_while_closing_scorers_are_sent_away_and_organizers_enter_late_results(
    organizer: Client, club: League
) -> None:
    take(organizer, "autumn", "close")
    form = {
        "played_on": "2025-10-20",
        "kind": "played",
        "one_1": "Ana",
        "two_1": "Bo",
        "score_one": "2",
        "score_two": "1",
        "outcome": "score",
        "form_id": "00000000-0000-4000-8000-000000000001",
    }
    scorer = make_user("sam")
    join(club, scorer, "scorer")
    other = Client()
    other.force_login(scorer)
    address = "/l/club/enter/?season=autumn"
    refused = other.post(address, form | {"played_on": datetime.now(UTC).date().isoformat()})
    assert refused.status_code == 422
    assert "does not accept results: it is closing" in refused.content.decode()
    assert organizer.post(address, form).status_code == 302
    assert season_of(club).last_seq == 14


def test_name_and_days_are_changed_by_hand_until_it_is_sealed(
    organizer: Client, club: League
) -> None:
    address = f"{SETTINGS}autumn/days/"
    assert 'value="Autumn"' in organizer.get(address).content.decode()
    crossed = {"name": "Autumn", "starts_on": "2026-02-01", "ends_on": "2026-01-01"}
    refused = organizer.post(address, crossed)
    assert refused.status_code == 422
    assert "The last day is before the first." in refused.content.decode()
    sent = {"name": "Autumn cup", "starts_on": "2025-10-02", "ends_on": "2025-12-31"}
    done = organizer.post(address, sent, follow=True).content.decode()
    assert "“Autumn cup” was changed." in done
    assert "are outside these dates and still count." in done
    assert 'value="2025-12-31"' in organizer.get(address).content.decode()
    assert "31 Dec 2025" in text(organizer, "/l/club/changes/?kind=season.change")
    seal(organizer)
    again = organizer.post(address, sent | {"ends_on": "2026-01-31"})
    assert again.status_code == 422
    assert "so its dates can’t be changed" in again.content.decode()


def starting(client: Client, path: str) -> list[list[str]]:
    """The names in each table of starting ratings on a page."""
    tables = text(client, path).split('<table class="t small starting narrow">')[1:]
    return [re.findall('<th scope="row"><bdi>(.*?)</bdi>', table) for table in tables]


def test_starting_ratings_are_listed_before_and_after_a_season_opens(
    organizer: Client, club: League
) -> None:
    seal(organizer)
    assert starting(organizer, f"{SETTINGS}autumn/") == []
    words = {"name": "Winter", "starts_on": "2026-01-01", "carry": "keep"}
    assert organizer.post(f"{SETTINGS}autumn/next/", words).status_code == 302
    boards = season_named("winter").boards.count()
    # Glicko-2 and Elo put them in the order in which they beat each other.
    assert starting(organizer, f"{SETTINGS}winter/") == [list(NAMES)] * boards
    take(organizer, "winter", "open")
    assert starting(organizer, f"{SETTINGS}winter/") == [list(NAMES)] * boards
    organizer.logout()
    assert starting(organizer, "/l/club/seasons/winter/") == [list(NAMES)]
    draft = result(club, "Di", "Ana", at=datetime(2026, 1, 2, 19, tzinfo=UTC))
    record_matches(season=season_named("winter"), mode=mode_of(club), drafts=[draft])
    drain()
    assert starting(organizer, "/l/club/seasons/winter/") == [list(NAMES)]
    assert starting(organizer, "/l/club/seasons/autumn/") == []


def season_named(slug: str) -> Season:
    return Season.objects.get(slug=slug)


def test_the_next_season_with_a_soft_reset_by_hand(organizer: Client, club: League) -> None:
    seal(organizer)
    made = organizer.post(
        f"{SETTINGS}autumn/next/",
        {"name": "Winter", "starts_on": "2026-01-01", "carry": "fresh"},
    )
    assert made.status_code == 302
    winter = Season.objects.get(slug="winter")
    address = f"{SETTINGS}winter/carry/"
    soft = {"carry": "soft", "share": "50", "deviation": "80"}
    shown = organizer.post(address, soft | {"preview": "yes"}).content.decode()
    assert "typical (median) uncertainty" in shown
    assert Board.objects.filter(season=winter, starting_states__isnull=False).count() == 0
    assert organizer.post(address, soft).status_code == 302
    winter.refresh_from_db()
    assert (winter.carryover, winter.carryover_share, winter.carryover_deviation) == (
        "soft",
        0.5,
        0.8,
    )
    assert starting(organizer, f"{SETTINGS}winter/")[0] == list(NAMES)
    assert organizer.post(address, {"carry": "fresh"}).status_code == 302
    winter.refresh_from_db()
    assert winter.carryover == "fresh"
    assert starting(organizer, f"{SETTINGS}winter/") == []
    take(organizer, "winter", "open")
    assert "No results yet" in text(organizer, "/l/club/seasons/winter/")


def test_a_season_without_anything_and_one_of_teams_are_shown(client: Client) -> None:
    league = new_club("empty")
    assert "No results yet" in text(client, "/l/empty/seasons/autumn/")
    assert text(client, "/l/empty/seasons/")
    record(league, result(league, "Ana+Bo", "Cy+Di", scores=(2, 1)))
    assert "Ana" in text(client, "/l/empty/seasons/autumn/")
    assert client.get("/l/empty/seasons/nothing/").status_code == 404
    assert client.get("/l/empty/seasons/autumn/?board=nothing").status_code == 404
    assert mode_of(league).name == "Blitz"


def test_the_api_tells_and_takes_the_steps(organizer: Client, club: League) -> None:
    address = "/api/v1/leagues/club/seasons/autumn/"
    assert organizer.get(address).json()["state"] == "open"
    told = organizer.get(f"{address}steps/?step=close").json()
    assert told["problems"] == []
    assert told["lines"]

    def send(step: str) -> tuple[int, dict]:
        answer = organizer.post(
            f"{address}steps/", json.dumps({"step": step}), content_type="application/json"
        )
        return answer.status_code, answer.json()

    assert send("seal")[0] in (403, 409)
    assert send("archive") == (409, send("archive")[1])
    assert send("explode")[0] == 400
    status, season = send("close")
    assert (status, season["state"]) == (200, "closing")
    take(organizer, "autumn", "seal")
    season = organizer.get(address).json()
    assert season["state"] == "closed"
    assert season["sealed_digest"] == season_of(club).sealed_digest
    assert all(board["seal"] for board in season["boards"])


@pytest.mark.parametrize(("count", "told"), [(2, "Ana and Bo"), (3, "Ana, Bo and 1 other")])
def test_a_shared_title_names_those_who_share_it(client: Client, count: int, told: str) -> None:
    league = new_club(ranked_after=1)
    names = ["Ana", "Bo", "Cy"][:count]
    record(league, result(league, *names, ranks=[1] * count))
    body = text(client, "/l/club/seasons/autumn/")
    assert told in body
    assert ", level" in body
    assert "0 ahead of" not in body


def test_a_new_season_shows_who_begins_with_which_rating(organizer: Client, club: League) -> None:
    seal(organizer)
    next_form = text(organizer, f"{SETTINGS}autumn/next/")
    chosen = re.findall(r'<input type="radio"[^>]*value="(\w+)"[^>]*checked', next_form)
    assert chosen == ["keep"]
    take(organizer, "autumn", "next", name="Winter", starts_on="2025-10-10", carry="keep")
    take(organizer, "winter", "open")
    with time_machine.travel(LAST + timedelta(days=9), tick=False):
        for client in (organizer, Client()):
            board = text(client, "/l/club/?season=winter")
            assert "Ratings continue from Autumn." in board
            starting = board.partition("Starting ratings")[2].partition("</table>")[0]
            assert all(f"<bdi>{name}</bdi>" in starting for name in NAMES)
        assert "All players are kept" in text(organizer, "/l/club/?season=winter")
        assert "Start with results" not in text(organizer, "/l/club/?season=winter")
        typed = {"one_1": "Ana", "two_1": "Bo", "outcome": "one", "kind": "played"}
        asked = {"form_id": str(uuid.uuid4()), "played_on": "2025-10-11", "preview": "yes"}
        preview = organizer.post("/l/club/enter/?season=winter", typed | asked)
        assert "2 players would get a first rating of the season" in preview.content.decode()
        profile = text(organizer, "/l/club/p/ana/?season=winter")
        assert "carried over from the previous season" in profile
        assert "The profile in Autumn" in profile
        record_matches(
            season=club.seasons.get(slug="winter"),
            mode=mode_of(club),
            drafts=[result(club, "Eva", "Bo", at=LAST + timedelta(days=6))],
        )
        drain()
        assert "The profile in" not in text(organizer, "/l/club/p/eva/?season=autumn")
        winter = club.seasons.get(slug="winter")
        draft = result(club, "Ana", "Bo", at=LAST + timedelta(days=6))
        record_matches(season=winter, mode=mode_of(club), drafts=[draft])
        drain()
        assert "Starting ratings" not in text(organizer, "/l/club/?season=winter")


def test_a_profile_leads_to_the_season_before_though_that_was_made_later(
    client: Client, club: League
) -> None:
    autumn = season_of(club)
    Season.objects.filter(pk=autumn.pk).update(starts_at=START - timedelta(days=1))
    spring = create_season(
        league=club,
        name="Spring",
        starts_at=START - timedelta(days=90),
        ends_at=START - timedelta(days=1),
    )
    add_board(season=spring, mode=mode_of(club), system="elo")
    drafts = [result(club, "Eva", "Bo", at=START - timedelta(days=30))]
    record_matches(season=spring, mode=mode_of(club), drafts=drafts)
    drain()
    assert "The profile in Spring" in text(client, "/l/club/p/eva/?season=autumn")
    assert "The profile in" not in text(client, "/l/club/p/di/?season=spring")


def test_keeping_ratings_is_offered_where_a_season_is_created(
    organizer: Client, club: League
) -> None:
    body = text(organizer, SETTINGS)
    assert f'<a href="{SETTINGS}autumn/">To keep the ratings of “Autumn”, seal it and' in body
    seal(organizer)
    body = text(organizer, SETTINGS)
    assert f'<a href="{SETTINGS}autumn/next/">To keep the ratings of “Autumn”, start' in body


def test_the_numbers_of_a_soft_reset_matter_only_where_it_is_chosen(
    organizer: Client, club: League
) -> None:
    seal(organizer)
    words = {"name": "Winter", "starts_on": "2025-10-10", "share": "500", "deviation": "x"}
    refused = organizer.post(f"{SETTINGS}autumn/next/", {**words, "carry": "soft"})
    assert refused.status_code == 422
    assert set(refused.context["page"].form.errors) == {"share", "deviation"}
    take(organizer, "autumn", "next", **words, carry="keep")
    assert club.seasons.get(slug="winter").carryover == Season.Carryover.KEEP


def test_a_season_counts_who_has_enough_results_but_is_inactive(client: Client) -> None:
    club = new_club(ranked_after=2, active_days=30)
    record(club, *(result(club, "Ana", "Bo", at=START + timedelta(hours=hour)) for hour in (0, 1)))
    record(
        club, *(result(club, "Cy", "Di", at=START + timedelta(days=60 + day)) for day in range(2))
    )
    page = client.get("/l/club/seasons/autumn/").context["page"]
    assert page.progress == (
        "4 of 4 players have the 2 results needed to be ranked. 2 of them are inactive and not "
        "ranked now."
    )


def test_organizers_get_more_of_players_in_results_than_visitors(
    client: Client, organizer: Client, club: League
) -> None:
    def head(browser: Client) -> str:
        response = browser.get("/l/club/seasons/autumn/results.csv")
        return b"".join(response.streaming_content).decode().splitlines()[0]

    sentence = "Yours also have private names and years of birth"
    assert "private_aliases" in head(organizer)
    assert sentence in text(organizer, "/l/club/seasons/autumn/")
    visitor = Client()
    assert "private_aliases" not in head(visitor)
    assert sentence not in text(visitor, "/l/club/seasons/autumn/")


def test_a_file_of_a_board_has_the_results_of_its_mode(client: Client, club: League) -> None:
    rapid = club.modes.create(name="Rapid", slug="rapid")
    record_matches(season=season_of(club), mode=rapid, drafts=[result(club, "Ana", "Bo")])
    add_board(season=season_of(club), mode=rapid, system="elo", name="Rapid Elo")
    counts = {}
    for query in ("", "?board=rapid-elo", "?board=blitz-elo"):
        response = client.get(f"/l/club/seasons/autumn/results.json{query}")
        assert "board=" not in response["Content-Disposition"]
        counts[query] = len(json.loads(b"".join(response.streaming_content))["results"])
    assert counts == {"": 28, "?board=rapid-elo": 2, "?board=blitz-elo": 26}
    book = client.get("/l/club/seasons/autumn/results.xlsx?board=rapid-elo")
    assert b"".join(book.streaming_content).startswith(b"PK")
    assert 'filename="club-autumn-rapid-results.xlsx"' in book["Content-Disposition"]
