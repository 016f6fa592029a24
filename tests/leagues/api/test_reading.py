"""Reading lists: pages, filters, and what answers carry."""

from __future__ import annotations

from datetime import timedelta

import pytest

from leagues.jobs.runner import drain
from leagues.models import League
from leagues.services.matches import void_match
from leagues.services.players import ensure_player
from tests.leagues.api.calls import Caller, browser, program
from tests.leagues.people import join, make_user
from tests.leagues.play import START, new_club, record, result, rounds
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Dee")


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club()
    record(league, *rounds(league, NAMES, 5))
    return league


club = read_anew("built_club")


@pytest.fixture
def reader(club: League) -> Caller:
    return Caller()


def test_matches_come_newest_first_in_pages_without_gap_or_repeat(
    reader: Caller, club: League
) -> None:
    record(club, result(club, "Ana", "Bo", at=START - timedelta(days=9)))
    for _ in range(3):
        record(club, result(club, "Ana", "Bo", at=START + timedelta(days=2)))
    for size in (1, 7, 200):
        found = reader.pages(f"leagues/club/matches/?page_size={size}")
        rows = club.matches.order_by("-played_at", "-same_time_order", "-seq")
        assert [match["seq"] for match in found] == list(rows.values_list("seq", flat=True))


def test_page_size_is_capped(reader: Caller, club: League) -> None:
    for number in range(210):
        ensure_player(league=club, name=f"Player {number}")
    page = reader.get("leagues/club/players/?page_size=1000000").json()
    assert len(page["results"]) == 200
    assert len(reader.pages("leagues/club/players/")) == 214


def test_a_page_shows_what_was_added_behind_it_and_repeats_nothing(
    reader: Caller, club: League
) -> None:
    first = reader.get("leagues/club/matches/?page_size=10").json()
    record(club, result(club, "Ana", "Bo", at=START + timedelta(days=20)))
    rest = reader.pages(first["next"])
    seqs = [match["seq"] for match in [*first["results"], *rest]]
    assert len(seqs) == len(set(seqs)) == 30


def test_matches_are_filtered(reader: Caller, club: League) -> None:
    void_match(match=club.matches.get(seq=1), author=None)
    counts = {
        query: len(reader.pages(f"leagues/club/matches/?page_size=4&{query}"))
        for query in ("player=ana", "player=nobody", "season=autumn", "mode=blitz", "status=void")
    }
    assert counts == {
        "player=ana": 15,
        "player=nobody": 0,
        "season=autumn": 30,
        "mode=blitz": 30,
        "status=void": 1,
    }


def test_b61_a_place_of_another_list_is_refused(reader: Caller, club: League) -> None:
    new_club("other", name="Other")
    place = reader.get("leagues/club/matches/?page_size=3").json()["next"].partition("after=")[2]
    for path in (
        f"leagues/other/matches/?after={place}",
        f"leagues/club/players/?after={place}",
        f"leagues/club/matches/?player=ana&after={place}",
        f"leagues/club/matches/?after={place[:-1]}x",
    ):
        assert reader.get(path).status_code == 400, path
    assert reader.get(f"leagues/club/matches/?page_size=50&after={place}").status_code == 200


def test_standings_say_which_version_they_show(reader: Caller, club: League) -> None:
    board = club.boards.first()
    path = f"leagues/club/boards/autumn/{board.slug}/standings/"
    page = reader.get(f"{path}?page_size=2").json()
    assert (page["generation"], page["rated_through_revision"]) == (1, 1)
    assert [row["rank"] for row in page["results"]] == [1, 2]
    names = [row["player"]["name"] for row in reader.pages(f"{path}?page_size=2")]
    assert names == ["Ana", "Bo", "Cy", "Dee"]
    record(club, result(club, "Dee", "Ana", at=START - timedelta(days=1)))
    assert (
        reader.get(path).json()["generation"],
        reader.get(path).json()["rated_through_revision"],
    ) == (2, 2)


def test_standings_are_filtered_and_keep_the_ranks_of_the_whole(
    reader: Caller, club: League
) -> None:
    path = f"leagues/club/boards/autumn/{club.boards.first().slug}/standings/"
    (row,) = reader.get(f"{path}?q=CY").json()["results"]
    assert (row["player"]["key"], row["rank"], row["games"]) == ("cy", 3, 15)
    assert len(reader.get(f"{path}?active=1&least=15").json()["results"]) == 4
    assert reader.get(f"{path}?least=16").json()["results"] == []
    sure = reader.get(f"{path}?sure=sure").json()["results"]
    assert {row["rating"]["level"] for row in sure} <= {"sure"}
    assert reader.get(f"{path}?sure=very").status_code == 400


def test_a_player_is_read_with_every_board(reader: Caller, club: League) -> None:
    found = reader.get("leagues/club/players/dee/").json()
    assert {(row["board"], row["rank"]) for row in found["standings"]} == {
        (board.slug, 4) for board in club.boards.all()
    }
    assert [player["key"] for player in reader.pages("leagues/club/players/?q=e")] == ["dee"]


def test_a_board_that_is_behind_says_so(reader: Caller, club: League) -> None:
    organizer = make_user("organizer")
    join(club, organizer, "organizer")
    body = {
        "played_on": "2025-11-01",
        "sides": [{"rank": rank, "players": [{"key": NAMES[rank].lower()}]} for rank in (1, 2)],
    }
    assert browser(organizer).send("leagues/club/matches/", body).json()["rating"] == "pending"
    states = reader.get("leagues/club/rating-state/").json()["results"]
    assert {
        (row["behind"], row["rated_through_revision"], row["last_revision"]) for row in states
    } == {(True, 1, 2)}
    drain()
    states = reader.get("leagues/club/rating-state/").json()["results"]
    assert {(row["behind"], row["rated_through_revision"]) for row in states} == {(False, 2)}


def test_revisions_come_newest_first(reader: Caller, club: League) -> None:
    record(club, result(club, "Ana", "Bo"))
    assert [row["number"] for row in reader.pages("leagues/club/revisions/?page_size=1")] == [2, 1]
    assert reader.get("leagues/club/revisions/?season=winter").status_code == 400


def test_what_has_not_changed_is_not_sent_again(reader: Caller, club: League) -> None:
    first = reader.get("leagues/club/matches/")
    again = reader.get("leagues/club/matches/", If_None_Match=first.headers["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    record(club, result(club, "Ana", "Bo"))
    changed = reader.get("leagues/club/matches/", If_None_Match=first.headers["ETag"])
    assert changed.status_code == 200


def test_answers_say_who_may_keep_them(reader: Caller, club: League) -> None:
    def kept(caller: Caller) -> str:
        response = caller.get("leagues/club/")
        assert {"Authorization", "Cookie"} <= set(response.headers["Vary"].split(", "))
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        return str(response.headers["Cache-Control"])

    assert kept(reader) == "no-cache"
    for caller in (program(club, "read"), browser(make_user("somebody"))):
        assert "no-store" in kept(caller) and "private" in kept(caller)


def test_lists_name_only_leagues_that_may_be_named(reader: Caller, club: League) -> None:
    for visibility in ("private", "unlisted"):
        new_club(visibility, name=f"Quiet {visibility}", visibility=visibility)
    listed = {row["slug"] for row in reader.pages("leagues/?page_size=1")}
    assert listed == {"club"}
    own = program(League.objects.get(slug="private"), "read")
    assert {row["slug"] for row in own.pages("leagues/")} == {"club", "private"}
    assert [row["slug"] for row in own.pages("leagues/?q=quiet")] == ["private"]
