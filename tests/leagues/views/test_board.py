from __future__ import annotations

import itertools
import re

import pytest
import time_machine
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import Board, Standing
from leagues.selectors.standings import PAGE_SIZE
from leagues.services.leagues import add_board
from leagues.services.matches import record_matches, void_match
from leagues.services.player_adding import NewPlayer, add_player
from leagues.store import standing_columns
from tests.leagues.people import make_user
from tests.leagues.play import (
    LATER,
    mode_of,
    new_club,
    record,
    result,
    rounds,
    season_of,
)

pytestmark = pytest.mark.django_db

NAMES = ["Ana", "Bo", "Cy", "Dina", "Emil"]


@pytest.fixture(autouse=True)
def _later():
    with time_machine.travel(LATER, tick=True):
        yield


@pytest.fixture
def club():
    league = new_club()
    record(league, *rounds(league, NAMES, 8))
    return league


def names_in(response) -> list[str]:
    body = response.content.decode()
    table = body.partition("<tbody")[2].partition("</tbody>")[0]
    return re.findall(r"<bdi>(.*?)</bdi>", table)


def test_the_board_ranks_players_by_what_is_shown(client, club):
    response = client.get("/l/club/")
    assert response.status_code == 200
    assert names_in(response) == NAMES
    body = response.content.decode()
    assert "Autumn, Blitz" in body
    assert "80 results" in body
    assert "32–0" in body


def test_equal_shown_values_share_a_rank(client):
    league = new_club()
    record(league, result(league, "Ana", "Bo"), result(league, "Cy", "Dina"))
    response = client.get("/l/club/")
    cells = re.findall(r'class="rank">(.*?)</td>', response.content.decode())
    ranks = [re.sub(r"<.*?>", "", cell) for cell in cells]
    assert ranks == ["1=", "1=", "3=", "3="]


def test_the_certainty_filter_counts_and_hides(client, club):
    record(club, result(club, "Ana", "Newcomer", at=LATER.replace(hour=1)))
    board = Board.objects.get(season=season_of(club), system="glicko2")
    moment = LATER.replace(hour=0, minute=0)
    sure = Standing.objects.current(board)
    fairly = sure.filter(fairly_sure_until__gte=moment).count()
    response = client.get("/l/club/?sure=fairly")
    shown = names_in(response)
    assert len(shown) == fairly
    assert "Newcomer" not in shown
    assert f'Fairly certain <small id="sure-fairly">{fairly}</small>' in response.content.decode()
    assert "not shown: their ratings are less certain" in response.content.decode()


def test_a_filter_that_hides_everyone_says_so_and_offers_the_way_back(client):
    league = new_club()
    record(league, result(league, "Ana", "Bo"))
    body = client.get("/l/club/?sure=sure").content.decode()
    assert "No rating is that certain" in body
    assert "Show everyone" in body


def test_a_search_finds_names_whatever_their_case_and_keeps_ranks(client, club):
    response = client.get("/l/club/?q=dIN")
    assert names_in(response) == ["Dina"]
    assert 'class="rank">4<' in response.content.decode()
    assert "No one here has this name" in client.get("/l/club/?q=zzz").content.decode()


@pytest.mark.parametrize("most_read_whole", [0, 1000])
def test_a_search_finds_players_without_results(client, club, monkeypatch, most_read_whole):
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", most_read_whole)
    add_player(league=club, wish=NewPlayer("Zoé Park"), actor=None)
    page = client.get("/l/club/?q=zoe").content.decode()
    assert "No one of this name has results here yet" in page
    assert re.search(r'<a href="/l/club/p/zoe-park/\?[^"]*"><bdi>Zoé Park</bdi></a>', page)
    assert "Zoé Park" not in client.get("/l/club/").content.decode()
    assert "Without results here" not in client.get("/l/club/?q=dina").content.decode()


@pytest.mark.parametrize("query", ["\x00", "%", "_", "'", "a" * 5000, "<script>"])
def test_strange_searches_find_nobody_and_break_nothing(client, club, query):
    response = client.get("/l/club/", {"q": query})
    assert response.status_code == 200
    assert "<script>" not in response.content.decode().replace("<script src", "")


def test_pages_show_everybody_once_forwards_and_back(client):
    league = new_club()
    names = [f"P{number:03}" for number in range(2 * PAGE_SIZE + 7)]
    record(
        league,
        *(
            result(league, one, two, at=LATER.replace(day=1))
            for one, two in itertools.pairwise(names)
        ),
    )
    seen, pages, address = [], [], "/l/club/"
    while address:
        response = client.get(address)
        pages.append(names_in(response))
        seen += pages[-1]
        found = re.search(r'rel="next" href="([^"]*)"', response.content.decode())
        address = found[1].replace("&amp;", "&") if found else ""
    assert sorted(seen) == names
    back = re.search(r'rel="prev" href="([^"]*)"', response.content.decode())
    assert names_in(client.get(back[1].replace("&amp;", "&"))) == pages[1]


@pytest.mark.parametrize("page", ["0", "-1", "x", "\x00", "9" * 50])
def test_a_page_that_makes_no_sense_is_the_first(client, club, page):
    assert names_in(client.get("/l/club/", {"page": page})) == NAMES


def test_unknown_seasons_and_boards_are_not_found(client, club):
    assert client.get("/l/club/?season=nope").status_code == 404
    assert client.get("/l/club/?board=nope").status_code == 404
    assert client.get("/l/nope/").status_code == 404


def test_a_board_without_ranges_says_how_sure_in_words(client, club):
    body = client.get("/l/club/?season=autumn&board=blitz-elo").content.decode()
    assert "Certainty" in body
    assert '<use href="#g"/>' not in body
    assert "gives a number without a range" in body


def test_an_empty_board_tells_visitors_and_organizers_different_things(client):
    owner = make_user("kim")
    club = new_club(owner=owner)
    assert "The standings of Autumn appear with the first result." in (
        client.get("/l/club/").content.decode()
    )
    client.force_login(owner)
    assert "Enter a whole night" in client.get("/l/club/").content.decode()
    (match,) = record(club, result(club, "Ana", "Bo"))
    void_match(match=match, author=None)
    drain()
    body = client.get("/l/club/").content.decode()
    assert "1 result of this season is void and does not count." in body
    assert "Bring them back in the changes" in body
    assert "Undo a night or a result" in client.get("/l/club/results/").content.decode()


def test_visitors_who_have_the_page_get_304_until_something_changes(client, club):
    first = client.get("/l/club/")
    assert client.get("/l/club/", headers={"If-None-Match": first["ETag"]}).status_code == 304
    other = client.get("/l/club/?sure=fairly", headers={"If-None-Match": first["ETag"]})
    assert other.status_code == 200
    client.cookies["look"] = "dark"
    dark = client.get("/l/club/", headers={"If-None-Match": first["ETag"]})
    assert 'data-theme="dark"' in dark.content.decode()
    del client.cookies["look"]
    record(club, result(club, "Bo", "Ana", at=LATER.replace(hour=1)))
    assert client.get("/l/club/", headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_pages_of_people_who_are_signed_in_are_not_kept(client, club):
    client.force_login(make_user("mira"))
    response = client.get("/l/club/")
    assert "ETag" not in response
    assert "no-store" in response["Cache-Control"]


def test_a_fragment_is_the_table_alone_with_a_clean_address(client, club):
    response = client.get(
        "/l/club/?season=autumn&board=blitz-glicko-2&q=&sure=fairly", headers={"HX-Request": "true"}
    )
    body = response.content.decode()
    assert "<html" not in body
    assert 'id="standings"' in body
    assert 'hx-swap-oob="true"' in body
    assert response["HX-Push-Url"] == "/l/club/?season=autumn&board=blitz-glicko-2&sure=fairly"
    assert "HX-Request" in response["Vary"]


def test_results_that_wait_are_announced_and_the_table_is_asked_for_when_none_does(client, club):
    record_matches(
        season=season_of(club),
        mode=mode_of(club),
        drafts=[result(club, "Bo", "Ana", at=LATER.replace(hour=1))],
    )
    page = client.get("/l/club/").content.decode()
    assert "New results are being rated." in page
    assert 'hx-trigger="every 500ms"' in page
    assert '<meta http-equiv="refresh"' in page
    waiting = client.get("/l/club/rating-state/")
    assert "HX-Trigger" not in waiting
    assert "New results are being rated." in waiting.content.decode()
    drain()
    done = client.get("/l/club/rating-state/")
    assert done["HX-Trigger"] == "rated"
    assert "every 500ms" not in done.content.decode()


def test_a_board_takes_few_queries_whatever_its_size(client, club, django_assert_max_num_queries):
    with django_assert_max_num_queries(9):
        client.get("/l/club/?sure=fairly")


def test_the_choice_of_light_or_dark_is_kept_and_leads_back(client):
    response = client.get("/look/?to=dark&next=/l/club/")
    assert response["Location"] == "/l/club/"
    assert response.cookies["look"].value == "dark"
    assert client.get("/look/?to=auto&next=/").cookies["look"].value == ""


@pytest.mark.parametrize(
    "address", ["//evil.example", "/\\evil.example", "https:evil", "javascript:alert(1)", "\t/x"]
)
def test_the_choice_leads_to_this_site_only(address):
    response = Client().get("/look/", {"to": "dark", "next": address})
    assert response["Location"] == "/"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", ["/", "/l/club/", "/l/club/p/ana/", "/l/club/m/autumn/1/"])
def test_a_page_is_read_in_one_state_of_the_database(client, address):
    league = new_club()
    record(league, *rounds(league, ["Ana", "Bo"], 3))
    assert client.get(address).status_code == 200
    client.force_login(make_user("mira"))
    assert client.get(address).status_code == 200


def test_a_ladder_shows_rungs_lowest_first_and_says_what_it_could_not_rate(client):
    league = new_club()
    add_board(season=season_of(league), mode=mode_of(league), system="ladder")
    record(league, result(league, "Ana", "Bo"), result(league, "Ana+Bo", "Cy+Dina"))
    ladder = league.boards.get(system="ladder")
    body = client.get(f"/l/club/?board={ladder.slug}").content.decode()
    assert 'aria-sort="ascending">Rung</th>' in body
    assert "1 result could not be rated by this system" in body
    profile = client.get(f"/l/club/p/ana/?board={ladder.slug}").content.decode()
    assert '<th scope="col" class="num">Rung</th>' in profile
    other = client.get("/l/club/").content.decode()
    assert 'aria-sort="descending">Rating</th>' in other
    assert "could not be rated" not in other


def test_a_careful_rating_is_said_to_stand_left_of_its_bar(client):
    league = new_club()
    board = add_board(season=season_of(league), mode=mode_of(league), system="trueskill")
    record(league, *rounds(league, NAMES[:3], 2))
    words = "the dot is left of its bar"
    assert words in client.get(f"/l/club/?board={board.slug}").content.decode()
    assert words not in client.get("/l/club/").content.decode()
