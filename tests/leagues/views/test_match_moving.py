"""Moving a result to another season, as organizers and readers see it."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime

import pytest
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import League, Match, Membership, Revision, Season
from leagues.services.integrity import league_digest
from leagues.services.leagues import add_board
from leagues.services.matches import record_matches, void_match
from tests.leagues.api.calls import browser
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club, record, result, rounds
from tests.leagues.shared_rows import read_anew
from tests.leagues.views.test_corrections import typed

pytestmark = pytest.mark.django_db

ADDRESS = "/l/club/m/autumn/1/"
NOVEMBER = datetime(2025, 11, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    """Autumn ends with October; winter begins with November."""
    league = new_club(owner=make_user("kim"))
    record(league, *rounds(league, ("Ana", "Bo", "Cy", "Dee"), 3))
    Season.objects.update(ends_at=NOVEMBER)
    winter = Season.objects.create(league=league, slug="winter", name="Winter", starts_at=NOVEMBER)
    add_board(season=winter, mode=mode_of(league), system="elo", name="Elo")
    later = [
        result(league, one, two, scores=(3, 0), at=datetime(2025, 11, day, 19, tzinfo=UTC))
        for day, (one, two) in enumerate((("Bo", "Ana"), ("Cy", "Dee"), ("Dee", "Bo")), 8)
    ]
    record_matches(season=winter, mode=mode_of(league), drafts=later)
    drain()
    return league


club = read_anew("built_club")


@pytest.fixture
def organizer(club: League, client: Client) -> Client:
    client.force_login(club.memberships.get().user)
    return client


def moved(**fields: str) -> dict[str, str]:
    """The first match, moved to a day of the other season."""
    return typed(
        score_one="3",
        score_two="1",
        played_on="2025-11-05",
        season="winter",
        **fields,
    )


def read(client: Client, address: str) -> str:
    page = html.unescape(client.get(address).content.decode())
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def move(organizer: Client, **fields: str) -> str:
    """Move the first match, and return the address that the organizer is led to."""
    response = organizer.post(f"{ADDRESS}correct/", moved(**fields))
    assert response.status_code == 302
    drain()
    return response["Location"]


def test_the_season_is_offered_where_there_are_several(organizer: Client, club: League) -> None:
    Season.objects.create(league=club, slug="old", name="Old", state=Season.State.ARCHIVED)
    page = organizer.get(f"{ADDRESS}correct/").content.decode()
    (select,) = re.findall(r'<select name="season".*?</select>', page, re.DOTALL)
    choices = re.findall(r'<option value="(\w+)"( selected)?>([^<]*)', select)
    assert sorted(choices) == [
        ("autumn", " selected", "Autumn"),
        ("old", "", "Old (archived)"),
        ("winter", "", "Winter"),
    ]
    alone = new_club("alone", owner=club.memberships.get().user)
    record(alone, result(alone, "Ana", "Bo"))
    page = organizer.get("/l/alone/m/autumn/1/correct/").content.decode()
    assert 'name="season"' not in page


def test_drafts_are_offered_to_organizers_only(
    organizer: Client, club: League, client: Client
) -> None:
    Season.objects.create(league=club, slug="plan", name="Plan", state=Season.State.DRAFT)
    page = f"{ADDRESS}correct/"
    assert ">Plan (draft)<" in organizer.get(page).content.decode()
    sam = make_user("sam")
    Membership.objects.create(league=club, user=sam, role=Membership.Role.SCORER)
    Match.objects.update(entered_by=sam)
    client.force_login(sam)
    form = client.get(page).content.decode()
    assert '<option value="winter"' in form
    assert "Plan" not in form
    refused, unknown = (client.post(page, moved() | {"season": one}) for one in ("plan", "nowhere"))
    for response in (refused, unknown):
        assert response.status_code == 422
    errors = [one.context["correction"].errors["season"] for one in (refused, unknown)]
    assert errors[0][0].replace("plan", "nowhere") == errors[1][0]


def test_a_preview_names_who_moves_in_both_seasons_and_stores_nothing(
    organizer: Client, club: League
) -> None:
    digest, revisions = league_digest(club), Revision.objects.count()
    response = organizer.post(f"{ADDRESS}correct/", moved(preview="yes"))
    assert response.status_code == 200
    preview = response.context["preview"]
    assert [table.board for table in preview.tables] == [
        *(f"{board.name}, Autumn" for board in club.boards.filter(season__slug="autumn")),
        "Elo, Winter",
    ]
    assert all(table.rows for table in preview.tables)
    assert (league_digest(club), Revision.objects.count()) == (digest, revisions)
    foreseen = {row.name: row.after for row in preview.tables[-1].rows}
    move(organizer)
    board = read(organizer, "/l/club/?season=winter")
    assert all(f"{name} {rating}" in board for name, rating in foreseen.items())


def test_pages_of_both_seasons_say_what_was_moved(organizer: Client, club: League) -> None:
    address = move(organizer, reason="the wrong season")
    assert address == "/l/club/r/winter/2/"
    page = read(organizer, address)
    assert "Change 2: result moved to another season" in page
    sentence = "Match 1 of “Autumn” was moved to “Winter”, where it is match 4"
    assert f"{sentence} · change 2, Autumn" in page
    assert "“the wrong season”" in page
    assert "Saved. Back to the match: Ana 3–1 Bo" in page
    assert "The result goes back to the season that it was moved from." in page
    assert "Undo this correction" in page
    assert re.search("match 4 5 Nov( 2025)? in “Autumn” Ana 3–1 Bo", page), page
    assert sentence in read(organizer, "/l/club/r/autumn/2/")
    log = read(organizer, "/l/club/changes/")
    assert log.count(sentence) == 2
    assert log.count("Result moved to another season") == 2
    old = read(organizer, ADDRESS)
    assert "This result was moved. It counts in “Winter”, as match 4." in old
    assert "Moved to “Winter” by kim" in old
    assert "until it is restored" not in old
    assert "Correct this match" not in old
    assert "Restore this match" not in old
    new = read(organizer, "/l/club/m/winter/4/")
    assert "Moved here from “Autumn” by kim" in new
    assert "Correct this match" in new


def test_profiles_say_why_a_rating_is_another_in_both_seasons(
    organizer: Client, club: League
) -> None:
    move(organizer)
    board = club.boards.filter(season__slug="autumn").first()
    page = read(organizer, f"/l/club/p/dee/?season=autumn&board={board.slug}&tab=revisions")
    assert "an organizer moved match 1 to “Winter”" in page
    page = read(organizer, "/l/club/p/dee/?season=winter&board=elo&tab=revisions")
    assert "an organizer moved match 4 here from “Autumn”" in page


def test_an_undo_is_previewed_in_both_seasons_and_takes_back_both(
    organizer: Client, club: League
) -> None:
    start = league_digest(club)
    address = move(organizer)
    undo = f"{address}undo/"
    preview = organizer.post(undo, {"preview": "yes"}).context["preview"]
    assert {table.board.rpartition(", ")[2] for table in preview.tables} == {"Autumn", "Winter"}
    response = organizer.post(undo, follow=True)
    drain()
    assert response.redirect_chain == [("/l/club/r/winter/3/", 302)]
    assert league_digest(club) == start
    assert club.matches.get(season__slug="autumn", seq=1).status == Match.Status.LIVE
    sentence = "Match 4 of “Winter” is back in “Autumn”, as match 1"
    assert sentence in read(organizer, "/l/club/r/winter/3/")
    assert sentence in read(organizer, "/l/club/r/autumn/3/")
    assert "It counts in “Autumn”, as match 1." in read(organizer, "/l/club/m/winter/4/")


def test_a_move_is_undone_by_who_may_change_both_seasons(club: League, client: Client) -> None:
    """Who is a scorer by now moved a result; the season that it comes from is closing since."""
    sam = make_user("sam")
    member = Membership.objects.create(league=club, user=sam, role=Membership.Role.ORGANIZER)
    client.force_login(sam)
    address = move(client)
    member.role = Membership.Role.SCORER
    member.save()
    digest = league_digest(club)
    assert "Undo this correction" in read(client, address)
    Season.objects.filter(slug="autumn").update(state=Season.State.CLOSING)
    assert "Undo this correction" not in read(client, address)
    words = "The season “Autumn” does not accept results"
    for fields in ({}, {"preview": "yes"}):
        page = client.post(f"{address}undo/", fields)
        assert page.status_code == 403
        assert words in html.unescape(page.content.decode())
    number = address.split("/")[-2]
    for path in ("undo/", "undo/preview/"):
        answer = browser(sam).send(f"leagues/club/revisions/winter/{number}/{path}", {})
        assert answer.status_code == 403
        assert words in answer.json()["detail"]
    assert league_digest(club) == digest
    member.role = Membership.Role.ORGANIZER
    member.save()
    assert client.post(f"{address}undo/").status_code == 302
    drain()
    assert league_digest(club) != digest


@pytest.mark.parametrize("preview", [{}, {"preview": "yes"}])
def test_a_closed_season_is_named_where_it_is_chosen(
    organizer: Client, club: League, preview: dict[str, str]
) -> None:
    Season.objects.filter(slug="winter").update(state=Season.State.CLOSED)
    response = organizer.post(f"{ADDRESS}correct/", moved(**preview))
    assert response.status_code == 422
    words = "The season “Winter” does not accept results: it is closed."
    assert response.context["correction"].errors["season"] == [words]
    assert words in html.unescape(response.content.decode())


def test_a_date_in_another_season_names_the_season_to_choose(
    organizer: Client, club: League
) -> None:
    response = organizer.post(f"{ADDRESS}correct/", moved() | {"season": "autumn"})
    assert response.status_code == 422
    words = "The match is outside the season “Autumn”. Choose “Winter” to move it there."
    assert response.context["form"].errors["played_on"] == [words]


def test_the_same_result_there_is_asked_about(organizer: Client, club: League) -> None:
    same = moved() | {"played_on": "2025-11-08", "played_time": "19:00"}
    same |= {"one_1": "Bo", "two_1": "Ana", "score_one": "3", "score_two": "0"}
    asked = organizer.post(f"{ADDRESS}correct/", same)
    assert asked.status_code == 422
    page = html.unescape(asked.content.decode())
    assert "Enter it again?" in page
    assert '<option value="winter" selected>' in page
    (settled,) = re.findall(r'name="settled"\s+value="([^"]*)"', page)
    assert organizer.post(f"{ADDRESS}correct/", same | {"settled": settled}).status_code == 302


def test_who_comes_second_keeps_the_season_that_was_chosen(organizer: Client, club: League) -> None:
    void_match(match=club.matches.get(season__slug="autumn", seq=1), author=None)
    response = organizer.post(f"{ADDRESS}correct/", moved())
    assert response.status_code == 409
    assert '<option value="winter" selected>' in response.content.decode()
    response = organizer.post(f"{ADDRESS}correct/", moved(version="2"))
    assert "A void result can’t be moved to another season." in response.content.decode()
    assert response.status_code == 422


def test_a_result_that_was_moved_is_not_restored(organizer: Client, club: League) -> None:
    move(organizer)
    response = organizer.post(f"{ADDRESS}restore/", {"version": "2"})
    assert response.status_code == 422
    words = "This result was moved to “Winter”, where it is match 4. Change it there."
    assert words in html.unescape(response.content.decode())


def test_an_unknown_season_is_refused(organizer: Client, club: League) -> None:
    new_club("other")
    digest = league_digest(club)
    for slug in ("other", "nowhere", "autumn\x00"):
        response = organizer.post(f"{ADDRESS}correct/", moved() | {"season": slug})
        assert response.status_code == 422, slug
        assert response.context["correction"].errors["season"]
    assert league_digest(club) == digest


def test_the_log_offers_no_undo_of_a_move_from_a_closed_season(
    organizer: Client, club: League
) -> None:
    address = f"{move(organizer)}undo/"
    log = f"/l/{club.slug}/changes/"
    assert address in organizer.get(log).content.decode()
    Season.objects.filter(slug="autumn").update(state=Season.State.CLOSED)
    assert address not in organizer.get(log).content.decode()
