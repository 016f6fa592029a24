from __future__ import annotations

import re
from datetime import timedelta

import pytest

from leagues.jobs.runner import drain
from leagues.models import Match, Membership, Revision
from leagues.selectors import matches
from leagues.services.leagues import add_mode
from leagues.services.matches import record_matches, void_match
from tests.leagues.page_texts import words_of
from tests.leagues.people import join, make_user
from tests.leagues.play import (
    START,
    mode_of,
    new_club,
    record,
    record_in,
    result,
    rounds,
    season_of,
)
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def built_kim(shared_rows: None):
    return make_user("kim")


kim = read_anew("built_kim")


@pytest.fixture(scope="module")
def built_club(shared_rows: None, built_kim):
    return new_club(owner=built_kim)


club = read_anew("built_club")


def address(match: Match, what: str = "") -> str:
    return f"/l/club/m/autumn/{match.seq}/{what}"


def test_results_are_listed_newest_first_and_found_by_player(client, club):
    record(club, *rounds(club, ["Ana", "Bo", "Cy"], 20))
    body = client.get("/l/club/results/").content.decode()
    assert body.count("<tr") == 51
    assert "beat" in body
    found = client.get("/l/club/results/?q=cy", headers={"HX-Request": "true"}).content.decode()
    assert found.count("<tr") == 41
    assert "<html" not in found
    older = client.get("/l/club/results/?after=11").content.decode()
    assert older.count("<tr") == 11
    newer = client.get("/l/club/results/?before=11").content.decode()
    assert newer.count("<tr") == 50
    assert "No results for this name" in client.get("/l/club/results/?q=zed").content.decode()


def rows_of(page: str) -> list[str]:
    """The words of each row of a table, without its head."""
    rows = page.partition("<tbody>")[2].partition("</tbody>")[0].split("</tr>")[:-1]
    return [words_of(row) for row in rows]


def test_a_row_names_what_was_played_where_that_is_several_things(client, club):
    record(club, result(club, "Ana", "Bo"))
    rapid = add_mode(league=club, name="Rapid", actor=None)
    assert "Blitz" not in rows_of(client.get("/l/club/results/").content.decode())[0]
    record_in(rapid, result(club, "Cy", "Ana", at=START + timedelta(days=1)))
    body = client.get("/l/club/results/").content.decode()
    assert [row.split()[-2] for row in rows_of(body)] == ["Rapid", "Blitz"]
    found = client.get("/l/club/results/?q=bo").content.decode()
    assert [row.split()[-2] for row in rows_of(found)] == ["Blitz"]


@pytest.mark.parametrize("most", [0, 1, 500])
def test_results_are_found_however_many_players_have_the_letters(client, club, monkeypatch, most):
    monkeypatch.setattr(matches, "MOST_LOOKED_UP", most)
    record(club, result(club, "Ana", "Bo"), result(club, "Anna", "Cy"), result(club, "Bo", "Cy"))
    body = re.sub(r"<[^>]+>", "", client.get("/l/club/results/?q=an").content.decode())
    assert "Ana beat Bo" in body
    assert "Anna beat Cy" in body
    assert "Bo beat Cy" not in body
    assert "No results for this name" in client.get("/l/club/results/?q=zoe").content.decode()


def test_a_match_says_what_was_expected_and_what_it_did(client, club):
    record(club, *rounds(club, ["Ana", "Bo"], 5))
    match = record(club, result(club, "Bo", "Ana", scores=(4, 2), detail="11–9, 12–10"))[0]
    body = client.get(address(match)).content.decode()
    assert "Bo beat Ana" in body
    assert '<span class="nw">11–9,</span> <span class="nw">12–10</span>' in body
    assert "Before and after" in body
    assert "By the ratings before the match, the chance that Ana would win was" in body
    assert "Under the other systems" in body
    assert "Entered by" in body
    assert "Correct" not in body


def test_a_match_without_scores_names_who_won(client, club):
    match = record(club, result(club, "Bo", "Ana"))[0]
    assert '<p class="said">beat</p>' in client.get(address(match)).content.decode()


def test_a_free_for_all_lists_places(client, club):
    match = record(
        club,
        result(club, "Ana", "Bo", "Cy", ranks=(1, 2, 2), scores=(9, 5, 5)),
    )[0]
    body = client.get(address(match)).content.decode()
    assert "Ana won, ahead of 2 others" in body
    assert "2nd=" in body


def test_a_free_for_all_without_a_winner_is_a_draw(client, club):
    match = record(club, result(club, "Ana", "Bo", "Cy", ranks=(1, 1, 1)))[0]
    body = client.get(address(match)).content.decode()
    assert "Ana, Bo and Cy drew" in body
    assert "0 others" not in body


@pytest.mark.parametrize("edge", ["before=2", "after=1", "before=9", "after=9"])
def test_beyond_the_edge_of_all_results_the_newest_are_shown(client, club, edge):
    record(club, result(club, "Ana", "Bo"), result(club, "Bo", "Ana", at=START + timedelta(days=1)))
    page = client.get(f"/l/club/results/?{edge}").context["page"]
    assert [row.number for row in page.rows] == [2, 1]
    assert (page.previous_url, page.next_url) == ("", "")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("walkover", "Walkovers are listed but do not count"),
        ("unrated", "entered as not rated"),
    ],
)
def test_unrated_matches_say_why_no_number_moved(client, club, kind, words):
    match = record(club, result(club, "Ana", "Bo", kind=kind))[0]
    assert words in client.get(address(match)).content.decode()


def test_a_match_that_waits_asks_for_itself_until_it_is_rated(client, club):
    recorded = record_matches(
        season=season_of(club), mode=mode_of(club), drafts=[result(club, "Ana", "Bo")]
    )
    page = client.get(address(recorded.matches[0])).content.decode()
    assert "The rating change will appear here shortly" in page
    assert 'hx-trigger="every 500ms"' in page
    drain()
    part = client.get(address(recorded.matches[0]), headers={"HX-Request": "true"})
    body = part.content.decode()
    assert "<html" not in body
    assert "Before and after" in body
    assert "every 500ms" not in body


def test_a_match_takes_few_queries(client, club, django_assert_max_num_queries):
    match = record(club, result(club, "Ana", "Bo"))[0]
    with django_assert_max_num_queries(9):
        client.get(address(match))


def test_a_void_match_can_be_restored_and_both_lead_to_their_revision(organizer, club, kim):
    match = record(club, result(club, "Ana", "Bo", scores=(3, 1)), by=kim)[0]
    page = organizer.get(address(match, "void/"))
    assert "Void this match?" in page.content.decode()
    words = re.sub(r"<[^>]+>", "", page.content.decode())
    assert "Ana 3–1 Bo, Wednesday 1 Oct 2025, 20:00" in words
    response = organizer.post(address(match, "void/"), {"version": 1, "reason": "a friendly"})
    assert response["Location"] == "/l/club/r/autumn/2/"
    revision = organizer.get(response["Location"]).content.decode()
    assert "a friendly" in revision
    assert '<b>Saved.</b> Back to the match: <a href="/l/club/m/autumn/1/">' in revision
    body = organizer.get(address(match)).content.decode()
    assert "This match is void" in body
    assert "Voided by kim" in body
    response = organizer.post(address(match, "restore/"), {"version": 2})
    assert response["Location"] == "/l/club/r/autumn/3/"
    match.refresh_from_db()
    assert match.status == Match.Status.LIVE


def test_a_second_opinion_in_the_meantime_is_a_conflict_and_changes_nothing(organizer, club, kim):
    match = record(club, result(club, "Ana", "Bo"), by=kim)[0]
    void_match(match=match, author=kim)
    response = organizer.post(address(match, "void/"), {"version": 1})
    assert response.status_code == 409
    assert "Someone else changed this first" in response.content.decode()
    assert Revision.objects.count() == 2


def test_undo_brings_back_what_was_and_can_be_undone(organizer, club, kim):
    match = record(club, result(club, "Ana", "Bo"), by=kim)[0]
    page = organizer.get("/l/club/r/autumn/1/").content.decode()
    assert "Ana &gt; Bo" in page
    assert "Undo" in page
    opened = organizer.get("/l/club/r/autumn/1/undo/")
    assert opened["Location"] == "/l/club/r/autumn/1/"
    assert not Revision.objects.filter(kind=Revision.Kind.REVERT).exists()
    response = organizer.post("/l/club/r/autumn/1/undo/")
    assert response["Location"] == "/l/club/r/autumn/2/"
    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    first = organizer.get("/l/club/r/autumn/1/").content.decode()
    assert "undone by" in first
    assert "autumn/2/undo/" in first and "Bring the result back" in first
    assert "undoes" in organizer.get("/l/club/r/autumn/2/").content.decode()
    again = organizer.post("/l/club/r/autumn/1/undo/")
    assert again.status_code == 422
    assert "This has already been undone." in again.content.decode()
    organizer.post("/l/club/r/autumn/2/undo/")
    match.refresh_from_db()
    assert match.status == Match.Status.LIVE


def test_changes_are_listed_with_who_and_how_much(organizer, club, kim):
    record(club, *rounds(club, ["Ana", "Bo", "Cy"], 2), by=kim)
    body = organizer.get("/l/club/changes/").content.decode()
    assert "6 results" in body
    assert "by <bdi>kim</bdi>" in body


def test_a_large_revision_shows_its_newest_matches_and_counts_the_rest(
    client, club, django_assert_max_num_queries
):
    record(club, *rounds(club, ["Ana", "Bo", "Cy"], 50))
    with django_assert_max_num_queries(18):
        body = client.get("/l/club/r/autumn/1/").content.decode()
    assert len(re.findall(r'"/l/club/m/autumn/\d+/"', body)) == 100
    assert "50 more are not shown" in body


def test_visitors_and_scorers_see_no_buttons_for_what_they_may_not_do(client, club, kim):
    match = record(club, result(club, "Ana", "Bo"), by=kim)[0]
    assert "void/" not in client.get(address(match)).content.decode()
    scorer = make_user("sam")
    join(club, scorer, Membership.Role.SCORER)
    client.force_login(scorer)
    body = client.get(address(match)).content.decode()
    assert "void/" not in body
    assert client.post(address(match, "void/"), {"version": 1}).status_code == 403
    assert client.post("/l/club/r/autumn/1/undo/").status_code == 403


def test_large_teams_are_named_by_their_first_player(client, club):
    team = "+".join(f"A{number}" for number in range(8))
    match = record(club, result(club, team, "Bo"))[0]
    assert "A0 + 7 more beat Bo" in client.get(address(match)).content.decode()
    assert "7 more" in client.get("/l/club/results/").content.decode()


def test_a_list_says_the_places_of_three_sides_and_counts_the_rest(client, club):
    record(
        club,
        result(club, "Ana", "Bo", "Cy", ranks=(1, 2, 2), scores=(9, -4, -4)),
        result(club, "Ana", "Bo", "Cy", "Dina", "Emil", "Fay"),
    )
    body = re.sub(r"<[^>]+>", "", client.get("/l/club/results/").content.decode())
    assert "1st Ana · 2nd= Bo · 2nd= Cy" in body
    assert "9\u00a0:\u00a0−4\u00a0:\u00a0−4" in body
    assert "4th Dina · 2 more" in body
    assert "sides" not in body


def test_a_list_shows_the_best_scores_of_many_sides(client, club):
    record(club, result(club, "Ana", "Bo", "Cy", "Dina", "Emil", scores=(9, 8, 7, 7, 1)))
    assert ">9–8–7–7…<" in client.get("/l/club/results/").content.decode()


def test_with_three_sides_it_is_said_what_was_expected_of_whom(client, club):
    match = record(club, result(club, "Ana", "Bo", "Cy", ranks=(1, 1, 3)))[0]
    body = client.get(address(match)).content.decode()
    assert "Expected is the score against each of the others, on average." in body
    assert "1st=" in body
    assert "1st= of 3" in client.get("/l/club/p/bo/").content.decode()
    table = body.partition("The chance of each place, draws left out.")[2].partition("</table>")[0]
    rows = re.findall(r"<bdi>(\w+)</bdi>.*?</th>(.*?)<td class=\"share", table)
    assert [name for name, _cells in rows] == ["Ana", "Bo", "Cy"]
    chances = [[int(part) for part in re.findall(r"(\d+)\u202f%", cells)] for _, cells in rows]
    assert [sum(row) for row in chances] == [100, 100, 100]
    assert "First, range" in table
    heads = [
        re.findall(r"<th scope=\"col\"[^>]*>([^<]+)", table)[:5]
        for table in re.findall(r"<thead>.*?</thead>", body)
    ]
    assert ["Player", "Expected", "Before", "After", "Change"] in heads
    assert ["Standings", "Expected", "Change"] in heads


def test_what_a_file_brought_is_said_in_words(client, club):
    recorded = record_matches(
        season=season_of(club),
        mode=mode_of(club),
        drafts=[result(club, "Ana", "Bo")],
        author=None,
        source="import.all-games",
        kind=Revision.Kind.IMPORT,
    )
    drain()
    number = recorded.revision.number
    for page, words in (
        ("/l/club/changes/", "File imported"),
        (f"/l/club/r/autumn/{number}/", "imported from a file"),
        (address(recorded.matches[0]), "imported from a file"),
    ):
        body = client.get(page).content.decode()
        assert words in body
        assert "import.all-games" not in body
