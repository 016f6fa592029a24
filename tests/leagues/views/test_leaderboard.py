"""The leaderboard in whole: what it asks of the database, who looks, what the API says of it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leagues.jobs.runner import drain
from leagues.models import Board, Job, Player, Season
from leagues.services.days import prepare_board
from leagues.services.leagues import add_board, update_league
from leagues.services.matches import void_match
from leagues.services.players import create_player, rename_player
from leagues.store import standing_columns
from leagues.store.memory import forget_all
from tests.leagues.people import join, make_user
from tests.leagues.play import LATER, START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

NAMES = ["Ana", "Bo", "Cy", "Dina", "Emil"]
MOST_QUERIES = 6


@pytest.fixture(autouse=True)
def _later():
    with time_machine.travel(LATER, tick=True):
        yield


@pytest.fixture(scope="module")
def built_club(shared_rows: None):
    league = new_club()
    record(league, *rounds(league, NAMES, 5))
    return league


club = read_anew("built_club")


def rows_of(body: str) -> list[list[str]]:
    """Return the cells of the first table as a reader of the page reads them."""
    table = body.partition("<tbody")[2].partition("</tbody>")[0]
    return [
        [
            " ".join(re.sub(r"<[^>]*>", " ", cell).split())
            for cell in re.split(r"</t[dh]>", row)[:-1]
        ]
        for row in re.split(r"<tr[^>]*>", table)[1:]
    ]


def queries_of(client, address: str, *, anew: bool = True) -> int:
    """Return how many queries a page takes of a process; `anew`: one that has seen nothing yet."""
    if anew:
        forget_all()
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address).status_code == 200
    return len([query for query in asked if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))])


# Queries

ADDRESSES = {
    "plain": "/l/club/",
    "filtered": "/l/club/?sure=fairly&q=a&least=2",
    "day": "/l/club/?on=2025-10-03",
    "searched day": "/l/club/?on=2025-10-03&q=a",
    "searched in vain": "/l/club/?q=zzz",
    "since": "/l/club/?since=season",
    "list": "/l/club/?list=inactive",
}


@pytest.mark.parametrize("size", ["small", "large"])
@pytest.mark.parametrize("boards", [2, 10])
def test_the_leaderboard_asks_little_however_many_boards_there_are(
    client, club, monkeypatch, size, boards
):
    kim = make_user("kim")
    join(club, kim, "organizer")
    Player.objects.filter(key="bo").update(user=kim)
    for number in range(boards - 2):
        add_board(season=season_of(club), mode=mode_of(club), system="elo", name=f"E{number}")
    if size == "large":
        monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 10)
    for board in Board.objects.all():
        prepare_board(board)
    drain()
    for address in ADDRESSES.values():
        client.get(address)
        drain()
    counts = {name: queries_of(client, address) for name, address in ADDRESSES.items()}
    client.force_login(kim)
    client.get("/account/")
    own = {name: queries_of(client, address) for name, address in ADDRESSES.items()}
    again = {name: queries_of(client, address, anew=False) for name, address in ADDRESSES.items()}
    for name, address in ADDRESSES.items():
        # A search asks for those who have no results, and whether players are very many.
        most = MOST_QUERIES + 2 * ("q=" in address)
        assert counts[name] <= most - 1, counts
        # Those who may enter results are told of a night that they have not recorded.
        assert max(own[name], again[name]) <= most + 1, (own, again)


# Who looks


def test_whoever_says_who_it_is_sees_the_own_row_and_what_is_at_stake(client, club):
    plain = client.get("/l/club/").content.decode()
    assert "If I win" not in plain
    assert "Which player are you?" in plain
    client.cookies["me"] = "cy"
    body = client.get("/l/club/").content.decode()
    assert "You are <bdi>Cy</bdi>." in body
    assert "If I win, draw, lose" in body
    assert 'class="mine" id="me"' in body
    assert "Jump to me, 3rd" in body
    stakes = [row[-1] for row in rows_of(body)]
    assert stakes[2] == "you"
    for stake in (*stakes[:2], *stakes[3:]):
        assert re.fullmatch(r"\+\d+ [+−]?\d+ −\d+", stake)


def test_on_a_ladder_the_stake_is_the_rung_a_match_would_lead_to(client, club):
    board = add_board(
        season=season_of(club), mode=mode_of(club), system="ladder", name="Ladder", parameters={}
    )
    drain()
    client.cookies["me"] = "cy"
    body = client.get(f"/l/club/?board={board.slug}").content.decode()
    stakes = [row[-1] for row in rows_of(body)]
    assert stakes == ["3 → 1 –", "3 → 2 –", "you", "– 3 → 4", "– 3 → 5"]
    assert "If I win, lose" in body


def test_unranked_players_on_the_rungs_between_are_named_as_the_reason(client, club):
    ladder = add_board(season=season_of(club), mode=mode_of(club), system="ladder", name="Ladder")
    drain()
    address, sentence = f"/l/club/?board={ladder.slug}", "belong to players who are not ranked"
    assert sentence not in client.get(address).content.decode()
    update_league(league=club, changes={"ranked_after": 3}, actor=None)
    record(club, result(club, "Newcomer", "Ana", at=LATER - timedelta(days=1)))
    assert sentence in client.get(address).content.decode()
    assert sentence not in client.get("/l/club/?board=blitz-elo").content.decode()


def test_a_board_without_ranked_players_says_so_once(client, club):
    update_league(league=club, changes={"ranked_after": 99}, actor=None)
    body = client.get("/l/club/").content.decode()
    assert body.count("No one is ranked yet") == 1
    assert "Not ranked yet" not in body and "Players so far" not in body
    assert "W–L" in body, "what everybody has won so far stands beside the rating"
    assert "Change when players are ranked" not in body
    client.force_login(make_user("admin", is_superuser=True))
    assert "/l/club/settings/#id_ranked_after" in client.get("/l/club/").content.decode()
    searched = client.get("/l/club/?q=Ana").content.decode()
    assert [row[1] for row in rows_of(searched)] == ["Ana 79 more results to be ranked"]
    assert "No one here has this name" in client.get("/l/club/?q=zzz").content.decode()


def test_changes_are_chosen_and_dated_only_where_the_table_has_them(client, club):
    ranked = client.get("/l/club/").content.decode()
    assert re.search(r"Change since \d", ranked)
    assert 'name="since"' in ranked
    for words in ("list=inactive", "list=unranked"):
        body = client.get(f"/l/club/?{words}").content.decode()
        assert "Change since" not in body
        assert 'name="since"' not in body
    update_league(league=club, changes={"ranked_after": 99}, actor=None)
    body = client.get("/l/club/").content.decode()
    assert "Change since" not in body


def test_what_was_at_stake_is_what_the_match_then_changes(client, club):
    client.cookies["me"] = "cy"
    address = "/l/club/?season=autumn&board=blitz-elo"
    rows = rows_of(client.get(address).content.decode())
    own, rival = rows[2], rows[0]
    assert (own[2], rival[2]) == ("Cy", "Ana")
    promised = int(rival[-1].split()[0])
    record(club, result(club, "Cy", "Ana", at=LATER + timedelta(minutes=1)))
    after = rows_of(client.get(address).content.decode())
    changed = next(row for row in after if row[2] == "Cy")
    assert int(changed[3]) - int(own[3]) == promised


def test_a_player_without_a_rating_sees_what_a_first_match_would_bring(client, club):
    record(club, result(club, "Fay", "Gil", kind="unrated"))
    client.cookies["me"] = "fay"
    body = client.get("/l/club/").content.decode()
    assert "You are <bdi>Fay</bdi>." in body
    assert "If I win" in body
    assert 'id="me"' not in body


def test_ratings_and_stakes_are_left_out_for_whoever_wants_it(client, club):
    client.cookies["me"], client.cookies["plain"] = "cy", "yes"
    body = client.get("/l/club/").content.decode()
    assert "If I win" not in body
    assert 'class="rate"' not in body
    assert "Likely" not in body
    assert [row[2] for row in rows_of(body)] == NAMES
    assert "Show ratings and stakes" in body


def test_my_row_stays_in_sight_on_other_pages_of_the_list(client):
    league = new_club("harbour")
    names = [f"P{number:03}" for number in range(120)]
    record(
        league,
        *(result(league, one, two) for one, two in zip(names[::2], names[1::2], strict=True)),
    )
    client.cookies["me"] = "p001"
    first = client.get("/l/harbour/").content.decode()
    assert 'class="mine below" id="me"' in first
    jump = re.search(r'href="([^"]*)#me"', first)[1].replace("&amp;", "&")
    assert "page=2" in jump
    assert 'class="mine" id="me"' in client.get(jump).content.decode()
    assert 'class="mine above" id="me"' in client.get("/l/harbour/?page=3").content.decode()


def test_the_last_visit_is_a_point_of_comparison_from_the_next_day_on(client, club):
    assert "my last visit" not in client.get("/l/club/").content.decode()
    assert "my last visit" not in client.get("/l/club/").content.decode()
    with time_machine.travel(LATER + timedelta(days=2)):
        body = client.get("/l/club/?since=visit").content.decode()
    assert "my last visit, 31 Oct" in body


@pytest.mark.parametrize(
    "visits",
    [
        "",
        "x.y",
        "2025-10-01",
        "\x00.\x00",
        "9999-12-31.9999-12-31",
        "1700-01-01.1799-12-31",
        "0001-01-01.0001-01-01",
    ],
)
def test_a_cookie_of_visits_that_makes_no_sense_means_none(client, club, visits):
    client.cookies["visits"] = visits
    response = client.get("/l/club/?since=visit")
    assert response.status_code == 200
    assert "my last visit" not in response.content.decode()


def test_whoever_has_the_page_gets_another_one_after_a_new_name_or_date(client, club):
    def page():
        return client.get("/l/club/", headers={"If-None-Match": etag})

    etag = client.get("/l/club/")["ETag"]
    assert page().status_code == 304
    rename_player(player=Player.objects.get(key="bo"), name="Boris", actor=None)
    assert "<bdi>Boris</bdi>" in page().content.decode()
    etag = page()["ETag"]
    assert page().status_code == 304
    begins = LATER + timedelta(days=30)
    Season.objects.filter(pk=season_of(club).pk).update(starts_at=begins)
    assert page().status_code == 200


def test_a_search_finds_whom_a_program_added_since(client, club):
    address = "/l/club/?q=zoe"
    first = client.get(address)
    assert "<bdi>Zoe</bdi>" not in first.content.decode()
    create_player(league=club, name="Zoe")
    again = client.get(address, headers={"If-None-Match": first.headers.get("ETag", "")})
    assert "Zoe</bdi>" in again.content.decode()


def test_names_are_read_once_until_something_is_changed_by_hand(client, club):
    def page(number: int) -> tuple[int, str]:
        with CaptureQueriesContext(connection) as asked:
            body = client.get(f"/l/club/?nothing={number}").content.decode()
        return len([query for query in asked if '"leagues_player"."name"' in query["sql"]]), body

    # The first page reads them along with the standings.
    assert [page(number)[0] for number in range(4)] == [0, 1, 0, 0]
    rename_player(player=Player.objects.get(key="bo"), name="Boris", actor=None)
    count, body = page(4)
    assert count == 1
    assert "<bdi>Boris</bdi>" in body
    record(club, result(club, "Ana", "Zoe"))
    assert "<bdi>Zoe</bdi>" in page(5)[1]


# Days and lists


def test_whoever_was_away_is_back_and_not_new(client):
    club = new_club("harbour", active_days=30)
    record(club, result(club, "Ana", "Bo"))
    later = START + timedelta(days=40)
    with time_machine.travel(later + timedelta(days=1, hours=2), tick=False):
        record(club, result(club, "Cy", "Dina", at=later))
        record(club, result(club, "Ana", "Emil", at=later + timedelta(days=1)))
        body = client.get("/l/harbour/").content.decode()
    marks = dict(re.findall(r'class="new">(\w+)<.*?<bdi>(\w+)</bdi>', body))
    assert marks == {"back": "Ana", "new": "Emil"}
    update_league(league=club, changes={"ranked_after": 2}, actor=None)
    with time_machine.travel(later + timedelta(days=2, hours=2), tick=False):
        record(club, result(club, "Ana", "Emil", at=later + timedelta(days=2)))
        drain()
        body = client.get("/l/harbour/").content.decode()
    assert set(re.findall(r'class="new">(\w+)<', body)) == {"new"}


@pytest.mark.parametrize("most", [0, 10_000])
def test_whoever_is_listed_no_more_keeps_the_name_until_it_is_rated(
    client, club, monkeypatch, most
):
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", most)
    drain()
    client.get("/l/club/")
    Player.objects.filter(key="cy").update(is_listed=False)
    for address in ("/l/club/", "/l/club/?q=cy", "/l/club/?q=a", "/l/club/?on=2025-10-02"):
        assert client.get(address).status_code == 200
    assert "<bdi>Cy</bdi>" in client.get("/l/club/").content.decode()


def test_the_chips_and_the_hidden_count_whom_the_other_limits_leave(client, club):
    body = client.get("/l/club/?sure=sure&least=9999").content.decode()
    assert "too uncertain, or too few results" in body
    assert re.findall(r'id="sure-any"[^>]*>(\d+)<', body) == ["0"]


def test_a_day_is_named_and_leads_back_to_today(client, club):
    body = client.get("/l/club/?on=2025-10-02").content.decode()
    assert "Standings of 2 Oct 2025." in body
    facts = body.partition('id="facts"')[2].partition("</p>")[0]
    assert "last played 2 Oct" in facts
    played = re.findall(r'class="last[^"]*"[^>]*>\s*([^<]*\w)', body)
    assert set(played) >= {"2 Oct"} and not any("ago" in day for day in played)
    assert "results" not in facts
    assert "8–0" in body
    assert "If I win" not in body
    wrong = client.get("/l/club/?on=2025-02-30").content.decode()
    assert "Invalid date; showing today’s standings." in wrong
    assert [row[2] for row in rows_of(wrong)] == NAMES


def test_what_is_missing_stands_beside_who_is_not_ranked(client, club):
    update_league(league=club, changes={"ranked_after": 3, "active_days": 20}, actor=None)
    record(club, result(club, "Newcomer", "Emil", at=LATER - timedelta(days=1)))
    body = client.get("/l/club/").content.decode()
    assert "Players are ranked after 3 results in the season." in body
    assert "2 more results to be ranked" in body
    assert "no match for 26 days; returns with the next result" in body
    assert [row[0] for row in rows_of(client.get("/l/club/?list=inactive").content.decode())] == [
        *("Ana", "Bo", "Cy", "Dina")
    ]


def test_a_day_of_a_board_that_is_behind_counts_what_is_not_void(client):
    league = new_club("harbour")
    rivals = [("Bo", START), ("Zed", START), ("Bo", START + timedelta(days=1))]
    first, voided, last = record(
        league, *(result(league, "Ana", rival, at=at) for rival, at in rivals)
    )
    void_match(match=voided, author=None)
    body = client.get("/l/harbour/?on=2025-10-01").content.decode()
    tallies = {row[2]: row[7] for row in rows_of(body)}
    assert tallies == {"Ana": "1–0", "Bo": "0–1", "Zed": "0–0"}
    for match in (first, last):
        void_match(match=match, author=None)
    forget_all()
    answer = client.get("/api/v1/leagues/harbour/standings/?on=2025-10-01").json()
    assert {(row["won"], row["lost"]) for row in answer["results"]} == {(0, 0)}
    assert client.get("/l/harbour/?on=2025-10-01").status_code == 200


def test_a_large_board_has_a_day_prepared_by_a_job_and_says_so(client, club, monkeypatch):
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 10)
    body = client.get("/l/club/?on=2025-10-03").content.decode()
    assert "The standings of 3 Oct 2025 are being prepared." in body
    client.get("/l/club/?on=2025-10-03")
    assert Job.objects.filter(kind="prepare_days", state=Job.State.QUEUED).count() == 1
    assert client.get("/api/v1/leagues/club/standings/?on=2025-10-03").status_code == 503
    drain()
    body = client.get("/l/club/?on=2025-10-03").content.decode()
    assert [row[2] for row in rows_of(body)] == NAMES


@pytest.mark.parametrize("size", ["small", "large"])
@pytest.mark.parametrize("on", ["2025-03-28", "2025-03-29", "2025-03-30"])
def test_a_day_that_begins_with_a_change_of_the_clock_is_shown(client, monkeypatch, size, on):
    """At midnight on the Azores the clock goes on to one."""
    if size == "large":
        monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 1)
    azores = new_club("azores", time_zone="Atlantic/Azores")
    first = datetime(2025, 3, 25, 19, tzinfo=UTC)
    pairs = (("Ana", "Bo"), ("Bo", "Cy"), ("Cy", "Ana")) * 3
    record(
        azores,
        *(result(azores, *pair, at=first + timedelta(days=day)) for day, pair in enumerate(pairs)),
    )
    for address in (f"/l/azores/?on={on}", f"/l/azores/?on={on}&active=3"):
        client.get(address)
        drain()
        assert rows_of(client.get(address).content.decode())
    assert client.get(f"/api/v1/leagues/azores/standings/?on={on}").status_code == 200


def test_a_day_is_not_compared_with_one_before_all_results(client, monkeypatch):
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 0)
    league = new_club("harbour")
    days = [datetime(1800, 1, day, 12, tzinfo=UTC) for day in (2, 9)]
    record(league, *(result(league, "Ana", "Bo", at=at) for at in days))
    address = "/l/harbour/?on=1800-01-03&since=7"
    client.get(address)
    drain()
    page = client.get(address).context["page"]
    assert [row.name for row in page.rows] == ["Ana", "Bo"]
    assert not page.is_preparing


# The API


def test_the_api_has_it_prepared_what_a_large_board_is_compared_with(client, club, monkeypatch):
    def changes() -> list[int | None]:
        answer = client.get("/api/v1/leagues/club/standings/?since=season").json()
        return [row["change"] for row in answer["results"]]

    known = changes()
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 10)
    forget_all()
    assert changes() == [None] * len(NAMES)
    drain()
    assert changes() == known == [0] * len(NAMES)


@pytest.mark.parametrize("query", ["", "on=2025-10-03", "sure=fairly", "on=2025-10-02&least=9"])
def test_the_api_says_what_the_page_says(client, club, query):
    """Story 20."""
    rows = rows_of(client.get(f"/l/club/?{query}").content.decode())
    answer = client.get(f"/api/v1/leagues/club/standings/?{query}").json()["results"]
    assert [(row[0].rstrip("="), row[2], row[3], row[6], row[7]) for row in rows] == [
        (
            str(row["rank"]),
            row["player"]["name"],
            f"{row['rating']['value']:.0f}",
            "–".join(str(place) for place in dict.fromkeys(row["likely"].values())),
            f"{row['won']}–{row['lost']}",
        )
        for row in answer
    ]
    signs = {"up": 1, "down": -1}
    for row, told in zip(rows, answer, strict=True):
        word, _space, places = row[1].partition(" ")
        expected = signs[word] * int(places) if word in signs else 0 if "no" in word else None
        assert told["change"] == expected


@pytest.mark.parametrize(
    "query",
    [
        "on=2025-02-30",
        "on=2999-01-01",
        "most=nan",
        "least=x",
        "active=-1",
        "list=all",
        "since=visit",
    ],
)
def test_the_api_refuses_what_a_page_leaves_out(client, club, query):
    answer = client.get(f"/api/v1/leagues/club/standings/?{query}")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == query.partition("=")[0]


def test_the_api_tells_each_list_page_by_page(client, club):
    update_league(league=club, changes={"ranked_after": 3}, actor=None)
    record(club, result(club, "Newcomer", "Emil", at=START + timedelta(days=9)))
    base = "/api/v1/leagues/club/standings/"
    names, address = [], f"{base}?page_size=2"
    while address:
        answer = client.get(address).json()
        names += [row["player"]["name"] for row in answer["results"]]
        address = answer["next"]
    assert names == NAMES
    (waiting,) = client.get(f"{base}?list=unranked").json()["results"]
    assert (waiting["player"]["name"], waiting["rank"], waiting["likely"]) == (
        "Newcomer",
        None,
        None,
    )


def test_the_other_boards_are_asked_for_the_same_day_and_people(client, club):
    day = (START + timedelta(days=3)).date().isoformat()
    query = f"on={day}&since=7&least=2&active=30&sure=fairly&q=a&most=300&page=1"
    kept = f"&amp;sure=fairly&amp;q=a&amp;active=30&amp;least=2&amp;on={day}&amp;since=7"
    body = client.get(f"/l/club/?{query}").content.decode()
    assert f'board=blitz-elo{kept}"' in body
    part = client.get(f"/l/club/?{query}", headers={"HX-Request": "true"}).content.decode()
    assert f'board=blitz-elo{kept}"' in part


def test_before_the_first_result_the_way_leads_to_today(client, club):
    day = (START - timedelta(days=2)).date().isoformat()
    body = client.get(f"/l/club/?on={day}").content.decode()
    assert "No results by that day" in body
    assert "Show everyone" not in body


def test_a_large_board_shows_its_former_standings_until_a_job_has_prepared_the_new_ones(
    client, club, monkeypatch
):
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 10)
    record(club, result(club, "Ana", "Bo", at=LATER.replace(hour=1)))
    assert "the new ones will appear" not in client.get("/l/club/").content.decode()
    before = rows_of(client.get("/l/club/").content.decode())
    board = Board.objects.get(season=season_of(club), system="glicko2")
    Board.objects.filter(pk=board.pk).update(computed_at=LATER + timedelta(hours=1))
    prepare_board(board)
    forget_all()
    former = client.get("/l/club/")
    assert "the new ones will appear here in a moment" in former.content.decode()
    assert "every 2s" in former.content.decode()
    assert "ETag" not in former
    assert rows_of(former.content.decode()) == before
    assert queries_of(client, "/l/club/") <= MOST_QUERIES
    drain()
    ready = client.get("/l/club/")
    assert "the new ones will appear" not in ready.content.decode()
    assert "ETag" in ready
    assert rows_of(ready.content.decode()) == before


def test_what_no_job_prepares_is_read_at_once(client, club, monkeypatch):
    monkeypatch.setattr(standing_columns, "MOST_READ_WHOLE", 10)
    record(club, result(club, "Ana", "Bo", at=LATER.replace(hour=1)))
    Board.objects.update(computed_at=LATER + timedelta(hours=1))
    forget_all()
    response = client.get("/l/club/")
    assert "the new ones will appear" not in response.content.decode()
    assert len(rows_of(response.content.decode())) == len(NAMES)
