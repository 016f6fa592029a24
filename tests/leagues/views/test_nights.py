"""The list of nights, and the page of each: found again, shared, printed."""

from __future__ import annotations

import html
import re
from datetime import date, timedelta

import pytest
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import League
from leagues.selectors import nights
from leagues.services.leagues import add_mode
from leagues.services.matches import record_matches, void_match
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

FIRST = "/l/club/nights/autumn/2025-10-01/"
SECOND = "/l/club/nights/autumn/2025-10-08/"


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club()
    record(league, *rounds(league, ["Ana", "Bo", "Cy"], 1))
    later = START + timedelta(days=7)
    record(
        league,
        result(league, "Cy", "Ana", scores=(3, 2), at=later),
        result(league, "Zed", "Bo", at=later + timedelta(minutes=5)),
        result(league, "Ana", "Bo", kind="unrated", at=later + timedelta(minutes=9)),
    )
    return league


club = read_anew("built_club")


def words_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    text = re.sub(r"<[^>]+>", " ", html.unescape(response.content.decode()))
    return " ".join(text.split())


def test_nights_are_listed_newest_first_with_their_results(client: Client, club: League) -> None:
    page = client.get("/l/club/nights/").context["page"]
    assert [(row.day, row.results, row.url) for row in page.rows] == [
        ("Wednesday 8 Oct 2025", "3 results", SECOND),
        ("Wednesday 1 Oct 2025", "3 results", FIRST),
    ]
    assert page.older_url == ""
    void_match(match=club.matches.get(seq=6), author=None)
    page = client.get("/l/club/nights/").context["page"]
    assert page.rows[0].results == "2 results"


def test_a_league_without_results_says_what_will_be_there(client: Client) -> None:
    new_club("harbour")
    assert "The first night appears here" in words_of(client, "/l/harbour/nights/")


@pytest.mark.parametrize(("most_read", "most_nights"), [(4, 9), (3, 9), (2, 9), (2000, 1)])
def test_older_nights_are_a_page_further(
    client: Client, club: League, monkeypatch, most_read: int, most_nights: int
) -> None:
    monkeypatch.setattr(nights, "MOST_READ", most_read)
    monkeypatch.setattr(nights, "MOST_NIGHTS", most_nights)
    first = client.get("/l/club/nights/").context["page"]
    assert [row.results for row in first.rows] == ["3 results"]
    older = client.get(first.older_url).context["page"]
    assert [(row.url, row.results) for row in older.rows] == [(FIRST, "3 results")]


def test_a_night_has_its_results_what_they_did_and_a_text(client: Client, club: League) -> None:
    words = words_of(client, SECOND)
    for part in (
        *("Wednesday 8 Oct 2025", "3 results", "4 players", "Most rating gained", "Cy beat Ana"),
        *("Not rated: 1 friendly.", "New players: Zed", "For the club’s chat", "← 1 Oct"),
        *("Quay Chess, 8 Oct 2025 Cy 3–2 Ana Zed beat Bo Ana beat Bo (not rated)"),
    ):
        assert part in words, part
    body = client.get(SECOND).content.decode()
    assert "data-share hidden" in body and "data-print hidden" in body
    assert body.count('<a class="go" href="/l/club/m/autumn/') == 3
    assert f'rel="next" href="{SECOND}"' in client.get(FIRST).content.decode()


def test_the_standings_of_a_night_are_those_after_it(client: Client, club: League) -> None:
    first, second = (client.get(address) for address in (FIRST, SECOND))
    url = first.context["page"].standings_url
    assert re.fullmatch(r"/l/club/\?season=autumn&board=[\w-]+&on=2025-10-01", url)
    assert "Standings after this night" in first.content.decode()
    rows = client.get(url).context["page"].rows
    assert {row.name for row in rows} == {"Ana", "Bo", "Cy"}
    assert {row.last for row in rows} == {"1 Oct 2025"}
    # After the last night they are those of today, which change with nobody's results.
    assert "&on=" not in second.context["page"].standings_url
    assert "Standings after this night" not in second.content.decode()


def test_a_night_has_the_set_scores_of_its_results(client: Client, club: League) -> None:
    at = START + timedelta(days=14)
    sets, scores = "11-9 8-11 9-11 7-11", (1, 3)
    record(club, result(club, "Ana", "Bo", scores=scores, ranks=(2, 1), at=at, sets=sets))
    body = client.get("/l/club/nights/autumn/2025-10-15/").content.decode()
    shown = [f'<span class="nw">{one}</span>' for one in ("9–11,", "11–8,", "11–9,", "11–7")]
    assert f'<span class="small soft">{" ".join(shown)}</span>' in body
    # In the text, nothing but what is pasted.
    assert "Bo 3–1 Ana (9–11, 11–8, 11–9, 11–7)" in body


def test_on_the_first_night_no_one_is_called_new(client: Client, club: League) -> None:
    assert "New players" not in words_of(client, FIRST)


def test_a_night_that_waits_fills_in_by_itself(client: Client, club: League) -> None:
    at = START + timedelta(days=14)
    record_matches(
        season=season_of(club), mode=mode_of(club), drafts=[result(club, "Bo", "Cy", at=at)]
    )
    address = "/l/club/nights/autumn/2025-10-15/"
    body = client.get(address).content.decode()
    assert f'hx-get="{address}" hx-trigger="every 500ms"' in body
    drain()
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert part.strip().startswith('<div id="report"')
    assert "Most rating gained" in part and "hx-get" not in part


def test_a_day_without_results_says_so(client: Client, club: League) -> None:
    words = words_of(client, "/l/club/nights/autumn/2025-10-05/")
    assert "No results on this day" in words and "← 1 Oct" in words


@pytest.mark.parametrize("day", ["never", "2025-13-01", "1700-01-01", "9999-12-31", "2025-1-1"])
def test_what_is_not_a_day_is_not_found(client: Client, club: League, day: str) -> None:
    assert client.get(f"/l/club/nights/autumn/{day}/").status_code == 404
    assert client.get(f"/l/club/nights/?before={day}").status_code == 200


def test_pages_lead_to_the_nights(client: Client, club: League) -> None:
    board = client.get("/l/club/").content.decode()
    assert f'<a href="{SECOND}">last played ' in board
    assert '<a href="/l/club/nights/"' in board
    assert 'href="/l/club/nights/?season=autumn"' in client.get("/l/club/results/").content.decode()
    revision = client.get("/l/club/r/autumn/2/").content.decode()
    assert f'<a class="btn" href="{SECOND}">' in revision


def test_a_very_long_night_says_how_much_is_not_shown(
    client: Client, club: League, monkeypatch
) -> None:
    monkeypatch.setattr("leagues.pages.nights.MAX_MATCHES", 2)
    assert "Not shown: 1 result." in words_of(client, SECOND)


def test_a_night_takes_few_queries(client: Client, club: League, django_assert_max_num_queries):
    with django_assert_max_num_queries(14):
        client.get(SECOND)
    with django_assert_max_num_queries(4):
        client.get("/l/club/nights/")


def test_days_are_those_of_the_league(client: Client) -> None:
    league = new_club("harbour", time_zone="Pacific/Auckland")
    record(league, result(league, "Ana", "Bo", at=START))
    (row,) = nights.nights_of(season_of(league)).rows
    assert row.on == date(2025, 10, 2)


def test_results_stand_below_what_was_played_where_that_was_several_things(
    client: Client, club: League
) -> None:
    one = words_of(client, SECOND)
    assert "Blitz:" not in one
    cricket = add_mode(league=club, name="Cricket", actor=None)
    later = START + timedelta(days=7, minutes=2)
    draft = result(club, "Bo", "Ana", scores=(3, 1), at=later)
    revision = record_matches(
        season=season_of(club), mode=cricket, drafts=[draft], author=None
    ).revision
    drain()
    page = client.get(SECOND).context["page"]
    assert [(group.mode, len(group.rows)) for group in page.groups] == [
        ("Blitz", 3),
        ("Cricket", 1),
    ]
    words = words_of(client, SECOND)
    assert "Blitz: Cy 3–2 Ana Zed beat Bo Ana beat Bo (not rated) Cricket: Bo 3–1 Ana" in words
    assert (
        'class="tag">Cricket'
        not in client.get(f"/l/club/r/autumn/{revision.number}/").content.decode()
    )


def test_the_log_says_of_which_night_results_are_that_it_only_counts(
    client: Client, club: League
) -> None:
    drafts = rounds(club, ["Ana", "Bo", "Cy"], 2)
    record_matches(season=season_of(club), mode=mode_of(club), drafts=drafts, author=None)
    words = words_of(client, "/l/club/changes/")
    assert "6 results, played on 1 Oct 2025–2 Oct 2025" in words


@pytest.fixture
def late(club: League) -> League:
    """A night on to 0:20, and one on the evening of the day on which that ended."""
    evening = START.replace(day=15, hour=23, minute=50, tzinfo=club.zone)
    record(
        club,
        result(club, "Ana", "Bo", at=evening),
        result(club, "Mia", "Cy", scores=(3, 1), at=evening + timedelta(minutes=30)),
        result(club, "Mia", "Bo", at=evening + timedelta(hours=20)),
    )
    return club


LATE = "/l/club/nights/autumn/2025-10-15/"
NEXT = "/l/club/nights/autumn/2025-10-16/"


def test_a_night_that_goes_past_midnight_is_one(client: Client, late: League) -> None:
    rows = client.get("/l/club/nights/").context["page"].rows
    assert [(row.url, row.results) for row in rows[:3]] == [
        (NEXT, "1 result"),
        (LATE, "2 results"),
        (SECOND, "3 results"),
    ]
    page = client.get(LATE).context["page"]
    assert (page.results, page.previous_url, page.following_url) == ("2 results", SECOND, NEXT)
    assert "New players: Mia" in words_of(client, LATE)
    page = client.get(NEXT).context["page"]
    assert (page.results, page.previous_url, page.following_url) == ("1 result", LATE, "")
    assert "New players" not in words_of(client, NEXT)
    older = client.get("/l/club/nights/?before=2025-10-16").context["page"]
    assert [row.url for row in older.rows][:2] == [LATE, SECOND]
    older = client.get("/l/club/nights/?before=2025-10-15").context["page"]
    assert older.rows[0].url == SECOND


def test_the_day_on_which_a_night_ended_leads_to_it(client: Client, late: League) -> None:
    void_match(match=late.matches.order_by("-played_at")[0], author=None)
    drain()
    response = client.get(NEXT)
    assert response.status_code == 302 and response["Location"] == LATE
    assert client.get("/l/club/").content.decode().count(f'href="{NEXT}"') == 1
    # Nothing is later, so the standings after it are those of now.
    assert "&on=" not in client.get(LATE).context["page"].standings_url
    report = words_of(client, "/l/club/r/autumn/3/")
    assert "Quay Chess, 15 Oct 2025" in report


def test_small_hours_without_an_evening_before_are_of_their_day(
    client: Client, club: League
) -> None:
    at = START.replace(day=20, hour=0, minute=20, tzinfo=club.zone)
    record(club, result(club, "Ana", "Bo", at=at))
    record(club, result(club, "Ana", "Bo", at=at.replace(day=19, hour=17)))
    record(club, result(club, "Cy", "Bo", at=club.midnight(date(2025, 10, 19)), date_only=True))
    rows = client.get("/l/club/nights/").context["page"].rows
    assert [(row.url[-11:-1], row.results) for row in rows[:2]] == [
        ("2025-10-20", "1 result"),
        ("2025-10-19", "2 results"),
    ]
