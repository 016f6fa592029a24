from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import numpy as np
import pytest
import time_machine

from leagues import bridge
from leagues.bridge.histories import _days_of
from leagues.jobs.runner import drain
from leagues.models import Board, Player
from leagues.pages.player_matches import PAGE_SIZE
from leagues.services.leagues import add_board, add_mode, create_season, ensure_boards
from leagues.services.matches import record_matches, void_match
from leagues.services.players import ensure_player
from leagues.store.match_columns import civil_days, micros
from tests.leagues.people import join, make_user
from tests.leagues.play import (
    LATER,
    START,
    mode_of,
    new_club,
    record,
    record_in,
    result,
    rounds,
    season_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _later():
    with time_machine.travel(LATER, tick=True):
        yield


@pytest.fixture
def club():
    league = new_club()
    record(league, *rounds(league, ["Ana", "Bo", "Cy"], 12))
    return league


def test_a_profile_says_how_much_how_sure_and_in_what_place(client, club):
    body = client.get("/l/club/p/bo/").content.decode()
    assert "2nd of 3" in body
    assert "24 results" in body
    assert "12–12" in body
    assert "last played 19 days ago" in body
    assert "±" in body
    assert '<figure class="chart">' in body
    assert "The same numbers as a table" in body


def test_every_match_shows_what_was_expected_the_change_and_the_rating_after(client):
    league = new_club()
    record(league, result(league, "Ana", "Bo", scores=(3, 1)))
    body = client.get("/l/club/p/ana/?board=blitz-elo&season=autumn").content.decode()
    row = body.partition("Won 3–1")[2].partition("</tr>")[0]
    cells = [cell.strip() for cell in re.findall(r"<td[^>]*>(?:<a[^>]*>)?([^<]*)", row)]
    assert cells == ["Won 3–1", "50\N{NARROW NO-BREAK SPACE}%", "+20", "1520"]
    assert "/l/club/m/autumn/1/?board=blitz-elo&amp;of=ana" in row


def test_matches_are_paged_newest_first(client):
    league = new_club()
    record(
        league,
        *(
            result(league, "Ana", "Bo", scores=(number + 1, 0), at=START + timedelta(hours=number))
            for number in range(PAGE_SIZE + 5)
        ),
    )
    first = client.get("/l/club/p/ana/").content.decode()
    assert first.count('hide-s">Won ') == PAGE_SIZE
    assert f"Won {PAGE_SIZE + 5}–0" in first
    second = client.get("/l/club/p/ana/?page=2").content.decode()
    assert second.count('hide-s">Won ') == 5
    assert client.get("/l/club/p/ana/?page=x").status_code == 200


def test_a_player_without_rated_results_has_a_guess(client):
    league = new_club()
    record(league, result(league, "Ana", "Bo", kind="unrated"))
    body = client.get("/l/club/p/ana/").content.decode()
    assert "No rated results yet" in body
    assert "Starting value 1500 ±" in body
    assert "not rated" in body


def test_the_same_player_on_other_boards_is_one_link_away(client, club):
    body = client.get("/l/club/p/ana/").content.decode()
    assert "In the other standings" in body
    elo = client.get("/l/club/p/ana/?season=autumn&board=blitz-elo")
    assert elo.status_code == 200
    assert "± " not in elo.content.decode().partition("In the other standings")[0]


def test_partners_and_many_opponents_are_named(client):
    league = new_club()
    record(
        league,
        result(league, "Ana+Bo", "Cy+Dina"),
        result(league, "Ana", "Bo", "Cy", ranks=(1, 2, 2)),
    )
    body = client.get("/l/club/p/bo/").content.decode()
    assert "2nd= of 3" in body
    assert "with" in body
    team = "+".join(f"A{number}" for number in range(6))
    record(league, result(league, team, "+".join(f"B{number}" for number in range(7))))
    row = client.get("/l/club/p/a0/").content.decode().partition("<tbody>")[2]
    words = " ".join(re.sub(r"<[^>]+>", " ", row).split())
    assert "B0 , B1 , B2 , B3 and 3 more with A1 , A2 , A3 , A4 and 1 more" in words


def test_whom_a_system_cannot_rate_yet_has_a_profile(client):
    league = new_club()
    add_board(season=season_of(league), mode=mode_of(league), system="static", name="Strength")
    record(league, *rounds(league, ["Ana", "Bo", "Dina"], 12), result(league, "Ana", "Cy"))
    body = client.get("/l/club/p/cy/").content.decode()
    assert "In the other standings" in body
    assert "nan" not in body.partition("In the other standings")[2]
    assert "Strength" in client.get("/l/club/p/ana/").content.decode()
    for key in ("ana", "cy"):
        assert client.get(f"/l/club/p/{key}/?board=strength").status_code == 200
        address = f"/api/v1/leagues/club/players/{key}/history/?board=strength"
        assert client.get(address).status_code == 200


def test_unknown_players_are_not_found(client, club):
    assert client.get("/l/club/p/nobody/").status_code == 404
    assert client.get("/l/club/p/%00/").status_code == 404


def test_a_profile_takes_few_queries(client, club, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        client.get("/l/club/p/ana/")


def test_eight_queries_show_a_profile_to_whoever_is_signed_in_on_many_boards(
    client, club, django_assert_max_num_queries
):
    kim = make_user("kim")
    join(club, kim, "organizer")
    Player.objects.filter(key="cy").update(user=kim)
    for number in range(8):
        add_board(season=season_of(club), mode=mode_of(club), system="elo", name=f"Elo {number}")
    drain()
    client.force_login(kim)
    client.get("/l/club/p/ana/")  # The first page of a session writes the session.
    with django_assert_max_num_queries(8):
        body = client.get("/l/club/p/ana/?tab=opponents").content.decode()
    assert "If you play Ana next" in body
    assert "Compare with me" in body
    assert "Elo 7" in body


def test_a_profile_opens_on_what_its_player_has_played(client, club):
    blitz = mode_of(club)
    rapid = add_mode(league=club, name="Rapid", actor=None)
    record_in(rapid, result(club, "Ana", "Dee"))
    void_match(match=record_in(blitz, result(club, "Ana", "Dee"))[0], author=None)
    assert chosen_board(client.get("/l/club/p/dee/")) == "Rapid, Glicko-2"
    assert chosen_board(client.get("/l/club/p/dee/?season=autumn")) == "Rapid, Glicko-2"
    assert chosen_board(client.get("/l/club/p/dee/?board=blitz-glicko-2")) == "Blitz, Glicko-2"
    assert chosen_board(client.get("/l/club/p/ana/")) == "Blitz, Glicko-2"
    ensure_player(league=club, name="Eve")
    assert chosen_board(client.get("/l/club/p/eve/")) == "Blitz, Glicko-2"


def chosen_board(response) -> str:
    return response.context["look"].board.name


def test_opponents_and_records_add_up(client, club):
    body = client.get("/l/club/p/bo/?tab=opponents").content.decode()
    table = body.partition("a draw is half), against the one expected")[2].partition("</table>")[0]
    ana = re.findall(r">([^<>]+)</t[dh]>", table.partition("Ana")[2].partition("</tr>")[0])
    assert ana[0] == "0–12"
    points, expected, over = (float(cell.replace("\N{MINUS SIGN}", "-")) for cell in ana[1:4])
    assert points == 0.0
    assert over == pytest.approx(points - expected)
    board = Board.objects.get(system="glicko2")
    past = bridge.read_series([board], Player.objects.get(key="bo").pk)[board.pk]
    total = sum(value or 0.0 for value in past.expectations().values())
    assert f"{total:.1f} expected" in body
    tiles = client.get("/l/club/p/bo/").context["page"].tiles
    judged = [value for value in past.expectations().values() if value is not None]
    score = ("Score", f"12 of {len(judged)}", f"{total:.1f} expected")
    assert score in [(tile.label, tile.value, tile.note) for tile in tiles]
    records = client.get("/l/club/p/bo/?tab=records").content.decode()
    assert "Longest winning streak" in records
    assert "Met most often" in records


def test_a_peak_beside_a_higher_guess_says_from_when_it_counts(client, club):
    """The first wins of somebody unknown lift a rating further than it stays up."""
    record(club, *(result(club, "Dina", "Ana", at=START + timedelta(days=13 + n)) for n in (0, 1)))
    record(
        club,
        *(
            result(club, *(("Bo", "Dina") if number % 2 else ("Dina", "Cy")), at=at)
            for number, at in enumerate(START + timedelta(days=16 + n / 4) for n in range(40))
        ),
    )
    page = client.get("/l/club/p/dina/?board=blitz-glicko-2&tab=records").context["page"]
    peak = next(tile for tile in page.tiles if tile.label == "Peak")
    shown = [int(row.rating.value) for row in page.past]
    assert int(peak.value) < max(shown)
    assert peak.note.endswith(f", when fairly certain; {max(shown)} while uncertain")
    assert peak in page.records
    elo = client.get("/l/club/p/ana/?board=blitz-elo").context["page"]
    (peak,) = [tile for tile in elo.tiles if tile.label == "Peak"]
    assert "sure" not in peak.note


def test_matches_are_filtered_by_opponent_kind_and_result(client, club):
    record(club, result(club, "Ana", "Bo", kind="unrated", at=START + timedelta(days=20)))

    def count(words: str) -> int:
        body = client.get(f"/l/club/p/bo/?{words}").content.decode()
        return len(re.findall(r"<tr(?: class=\"void\")?><td class=\"nw mute\">", body))

    assert count("q=cy&result=won") == 12
    assert count("result=lost") == 13
    assert count("kind=unrated") == 1
    body = client.get("/l/club/p/bo/").content.decode()
    assert "24 results rated, besides 1 friendly" in body
    assert "Newest first, 25 results (not rated: 1 friendly)." in body
    assert "not rated:" not in client.get("/l/club/p/cy/").content.decode()
    assert count("kind=void") == 0
    assert count("q=%00&kind=x&result=y&page=99999999&tab=z&range=w") == 25


def test_the_band_grows_in_a_pause_and_the_dots_lead_to_matches(client):
    league = new_club()
    days = [0, 1, 2, 3, 150, 151]
    with time_machine.travel(START + timedelta(days=152), tick=True):
        record(
            league,
            *(result(league, "Ana", "Bo", at=START + timedelta(days=day)) for day in days),
        )
        body = client.get("/l/club/p/ana/").content.decode()
    wide = body.partition('<svg class="wide"')[2].partition("</svg>")[0]
    band = wide.partition('class="band" points="')[2].partition('"')[0].split()
    assert len(band) // 2 > len(days) + 3
    upper = [float(pair.split(",")[1]) for pair in band[: len(band) // 2]]
    before, after = upper[3], upper[7]
    assert after < before
    assert wide.count("<a href=") == len(days)
    assert "/l/club/m/autumn/6/?board=blitz-glicko-2&amp;of=ana" in wide
    assert 'role="group"' in wide or 'role="group"' in body


def test_on_a_ladder_the_top_is_the_top_and_nobody_is_sure(client, club):
    add_board(season=season_of(club), mode=mode_of(club), system="ladder", name="Rungs")
    drain()
    body = client.get("/l/club/p/ana/?season=autumn&board=rungs").content.decode()
    assert 'class="sure"' not in body.partition("In the other standings")[0]
    assert "Rung" in body
    labels = re.findall(r'class="fin" x="44" dx="-8" y="([\d.]+)" dy="4">(\d+)<', body)
    assert sorted(labels, key=lambda label: float(label[0])) == sorted(
        labels, key=lambda label: int(label[1])
    )


def test_days_of_points_are_those_of_the_league_also_where_clocks_change():
    zone = ZoneInfo("Europe/London")
    first, last = datetime(2025, 10, 24, tzinfo=UTC), datetime(2025, 10, 28, tzinfo=UTC)
    at = np.arange(micros(first), micros(last), 1_111_000_000)
    assert (_days_of(at, zone) == civil_days(at, zone)).all()


def test_the_chart_goes_through_the_seasons_up_to_the_one_looked_at(client, club):
    add_board(season=season_of(club), mode=mode_of(club), system="elo", name="Another Elo")
    winter = create_season(league=club, name="Winter")
    ensure_boards(season=winter, mode=mode_of(club))
    drafts = [result(club, "Ana", "Bo", at=START + timedelta(days=20 + day)) for day in range(4)]
    record_matches(season=winter, mode=mode_of(club), drafts=drafts)
    drain()
    body = client.get("/l/club/p/ana/?season=winter&board=blitz-elo&range=all").content.decode()
    wide = body.partition('<svg class="wide"')[2].partition("</svg>")[0]
    assert [name for name in ("Autumn", "Winter") if f">{name}</text>" in wide]
    assert wide.count("<a href=") == 12 + 4
    assert "/m/autumn/" in wide
    assert "In Winter, everyone started with a newcomer’s rating." in body
    assert "board=another-elo" not in wide
    former = client.get("/l/club/p/ana/?season=autumn&board=blitz-elo").content.decode()
    assert "/m/winter/" not in former and "everyone started" not in former


def test_a_page_behind_the_last_one_is_the_last_one(client):
    league = new_club()
    record(league, *rounds(league, ["Ana", "Bo"], PAGE_SIZE + 5))
    body = client.get("/l/club/p/ana/?page=999").content.decode()
    assert "None here yet" not in body
    assert body.count('hide-s">Won ') == 5
    assert 'rel="prev"' in body


@pytest.mark.parametrize("is_dated", [True, False])
@pytest.mark.parametrize("count", [1, 4])
def test_the_chart_of_one_day_has_a_step_for_each_match(client, is_dated, count):
    """Before, they were a bundle at the edge, and one upright line where only the day is known."""
    league = new_club()
    drafts = [
        result(
            league,
            *("Ana", "Bo"),
            at=START + timedelta(minutes=20 * number) if is_dated else league.midnight(START),
            date_only=not is_dated,
            same_time_order=number,
        )
        for number in range(count)
    ]
    record(league, *drafts)
    body = client.get("/l/club/p/ana/").content.decode()
    drawing = body.partition('<svg class="wide"')[2].partition("</svg>")[0]
    labels = re.findall(r'<text x="([\d.]+)"[^>]*class="mid">(\w+)</text>', drawing)
    assert [label for _x, label in labels] == ["start", *map(str, range(1, count + 1))]
    places = [float(x) for x, _label in labels]
    gaps = [after - before for before, after in pairwise(places)]
    assert max(gaps) - min(gaps) < 0.5
    line = re.search('class="line" points="([^"]*)"', drawing)[1]
    assert [float(point.split(",")[0]) for point in line.split()] == places


def test_the_chart_says_after_what_it_has_a_step(client):
    league = new_club()
    add_board(season=season_of(league), mode=mode_of(league), system="ladder", name="Rungs")
    record(league, *rounds(league, ["Ana", "Bo"], 2))

    def caption(query: str) -> str:
        body = client.get(f"/l/club/p/{query}").content.decode()
        return " ".join(body.partition("<figcaption>")[2].partition("</figcaption>")[0].split())

    assert "Rating after each match. The inner band holds" in caption("ana/")
    record(league, *rounds(league, ["Ana", "Bo"], 5)[2:])
    assert "Rating after each day with a match. The inner band holds" in caption("ana/")
    # Cy is led upwards by Bo's defeat against somebody who stood further down.
    at = START + timedelta(days=6)
    record(
        league,
        result(league, "Bo", "Cy", at=at),
        result(league, "Dina", "Bo", at=at + timedelta(days=1)),
    )
    assert "each change without a match" in caption("cy/?board=rungs")


def test_what_was_met_once_is_met_one_time(client):
    league = new_club()
    record(league, result(league, "Ana", "Bo"))
    assert "1 time, 1–0" in client.get("/l/club/p/ana/?tab=records").content.decode()


def test_a_system_that_expects_nothing_tells_no_points(client, club):
    add_board(season=season_of(club), mode=mode_of(club), system="ladder", name="Rungs")
    drain()
    body = client.get("/l/club/p/bo/?board=rungs&tab=opponents").content.decode()
    assert "The score (a win" not in body
    assert "The record against each of them." in body
    assert "The score (a win" in client.get("/l/club/p/bo/?tab=opponents").content.decode()


def test_opponents_who_were_no_team_are_not_joined_as_one(client):
    league = new_club()
    record(league, result(league, "Ana", "Bo", "Cy"))
    body = client.get("/l/club/p/ana/?tab=records").content.decode()
    assert "1st v Bo, Cy" in body
    record(league, result(league, "Eve+Fay", "Gus+Hal", at=START + timedelta(days=1)))
    assert "v Gus + Hal" in client.get("/l/club/p/eve/?tab=records").content.decode()


def test_links_of_a_profile_keep_range_and_filters(client):
    league = new_club()
    record(league, *rounds(league, ["Ana", "Bo"], PAGE_SIZE + 2))
    page = client.get("/l/club/p/ana/?range=all&q=bo&result=won")
    body = page.content.decode()
    kept = "q=bo&amp;result=won&amp;range=all"
    assert re.search(rf'board=blitz-elo&amp;{kept}"', body)
    assert f"{kept}&amp;page=2" in body
    assert f"{kept}&amp;tab=opponents" in body
    assert '<input type="hidden" name="range" value="all">' in body
    headers = {"HX-Request": "true", "HX-Target": "details"}
    part = client.get("/l/club/p/ana/?q=bo", headers=headers).content.decode()
    assert part.count("hx-swap-oob") == 1
    assert 'board=blitz-elo&amp;q=bo"' in part


def test_an_organizer_edits_a_player(client, club):
    organizer = make_user("olga")
    join(club, organizer, "organizer")
    assert "Edit player" not in client.get("/l/club/p/bo/").content.decode()
    client.force_login(organizer)
    assert 'href="/l/club/p/bo/edit/"' in client.get("/l/club/p/bo/").content.decode()
    words = {"name": "Bo Lind", "birth_year": "2012"}
    response = client.post("/l/club/p/bo/edit/", words, follow=True)
    assert "Bo Lind was saved." in response.content.decode()
    assert Player.objects.get(key="bo").birth_year == 2012
    # What was refused stands at its field, and the form keeps what was typed.
    for field, value, reason in (
        ("birth_year", "2199", "to this year"),
        ("birth_year", "young", "whole number"),
        ("name", "Ana", "has this name"),
        ("name", "", "is empty"),
    ):
        response = client.post("/l/club/p/bo/edit/", words | {field: value})
        assert response.status_code == 422
        body = response.content.decode()
        assert reason in body.partition(f'id="id_{field}_error"')[2], field
