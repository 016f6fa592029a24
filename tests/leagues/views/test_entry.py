from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from leagues.forms.results import read_places, written_places
from leagues.jobs.runner import drain
from leagues.models import Match, Membership, Player
from leagues.services.matches import draft_of
from tests.leagues.people import join, make_user
from tests.leagues.play import START, new_club, record, result

pytestmark = pytest.mark.django_db


@pytest.fixture
def kim():
    return make_user("kim")


@pytest.fixture
def club(kim):
    league = new_club(owner=kim)
    record(league, result(league, "Ana Ruiz", "Bo Lindqvist", scores=(3, 1)), by=kim)
    return league


@pytest.fixture
def organizer(client, kim) -> Client:
    client.force_login(kim)
    return client


def typed(**fields: Any) -> dict[str, Any]:
    return {
        "form_id": str(uuid.uuid4()),
        "one_1": "ana ruiz",
        "two_1": "Bo Lindqvist",
        "score_one": "3",
        "score_two": "2",
        "outcome": "score",
        "played_on": "2025-11-02",
        "kind": "played",
        **fields,
    }


def newest() -> Match:
    return Match.objects.order_by("-seq")[0]


def test_a_result_is_recorded_and_its_page_shows_what_it_did(organizer, club):
    response = organizer.post("/l/club/enter/", typed(played_time="20:15"))
    match = newest()
    assert response["Location"] == f"/l/club/m/autumn/{match.seq}/"
    assert match.played_at.isoformat() == "2025-11-02T20:15:00+00:00"
    assert not match.date_only
    drain()
    assert "Before and after" in organizer.get(response["Location"]).content.decode()


def test_the_same_form_sent_twice_records_one_match(organizer, club):
    form = typed()
    first = organizer.post("/l/club/enter/", form)
    second = organizer.post("/l/club/enter/", form)
    assert first["Location"] == second["Location"]
    assert Match.objects.count() == 2


def test_a_used_form_with_another_result_asks_before_it_records_again(organizer, club):
    form = typed()
    organizer.post("/l/club/enter/", form)
    response = organizer.post("/l/club/enter/", form | {"score_two": "0"})
    assert response.status_code == 422
    body = response.content.decode()
    assert "This form recorded a result before." in body
    assert form["form_id"] not in body


def test_without_a_time_the_date_is_kept_as_such(organizer, club):
    organizer.post("/l/club/enter/", typed(played_on="2025-07-05"))
    match = newest()
    assert match.date_only
    assert match.played_at.isoformat() == "2025-07-04T23:00:00+00:00"


@pytest.mark.parametrize(
    ("fields", "ranks"),
    [
        ({"score_one": "1"}, [2, 1]),
        ({"score_one": "2"}, [1, 1]),
        ({"score_one": "", "score_two": "", "outcome": "two"}, [2, 1]),
        ({"score_one": "", "score_two": "", "outcome": "draw"}, [1, 1]),
        ({"score_one": "1", "outcome": "one", "kind": "retirement"}, [1, 2]),
    ],
)
def test_the_score_or_a_word_says_who_won(organizer, club, fields, ranks):
    organizer.post("/l/club/enter/", typed(**fields))
    rows = newest().participants.order_by("side")
    assert [row.rank for row in rows] == ranks


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"score_one": ""}, "Give both scores, or none."),
        ({"score_one": "", "score_two": ""}, "Give the score, or say who won."),
        ({"outcome": "two"}, "The score says otherwise."),
        ({"two_1": ""}, "Who played?"),
        ({"two_1": "ANA RUIZ"}, "stands in this match twice"),
        ({"played_on": "2190-01-01"}, "lies in the future"),
        ({"played_on": "0001-01-01"}, "errtext"),
        ({"played_on": "9999-12-31"}, "errtext"),
        ({"played_on": "soon"}, "Enter a valid date"),
        ({"two_1": "a\u202eb"}, "errtext"),
        ({"score_one": "99999999"}, "errtext"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_stored(organizer, club, fields, words):
    response = organizer.post("/l/club/enter/", typed(**fields))
    assert response.status_code == 422
    assert words in response.content.decode()
    assert Match.objects.count() == 1


def test_errors_are_tied_to_their_fields(organizer, club):
    body = organizer.post("/l/club/enter/", typed(score_one="")).content.decode()
    assert 'aria-describedby="id_score_one_error"' in body
    assert 'id="id_score_one_error"' in body
    assert 'aria-invalid="true"' in body


def test_new_names_are_asked_about_with_what_was_probably_meant(organizer, club):
    form = typed(two_1="Bo Lindqist")
    response = organizer.post("/l/club/enter/", form)
    body = response.content.decode()
    assert response.status_code == 422
    assert "New names." in body
    assert '<option value="bo-lindqvist">Bo Lindqvist</option>' in body
    assert Player.objects.count() == 2
    answered = form | {"asked": "Bo Lindqist", "answer": "bo-lindqvist"}
    assert organizer.post("/l/club/enter/", answered).status_code == 302
    assert Player.objects.count() == 2
    new = typed(two_1="Bo Lindqist", asked="Bo Lindqist", answer="new")
    assert organizer.post("/l/club/enter/", new).status_code == 302
    assert Player.objects.filter(name="Bo Lindqist").exists()


def test_an_answer_for_another_league_is_no_answer(organizer, club):
    other = new_club("other")
    record(other, result(other, "Stranger", "Alien"))
    form = typed(two_1="Zed", asked="Zed", answer="stranger")
    assert organizer.post("/l/club/enter/", form).status_code == 422


def test_a_refused_result_makes_no_players(organizer, club):
    form = typed(two_1="Zed", asked="Zed", answer="new", played_on="2999-01-01")
    assert organizer.post("/l/club/enter/", form).status_code == 422
    assert not Player.objects.filter(name="Zed").exists()


def test_teams_have_up_to_four_members(organizer, club):
    form = typed(one_2="Cy", one_3="Dina", asked=["Cy", "Dina"], answer=["new", "new"])
    organizer.post("/l/club/enter/", form)
    assert newest().participants.filter(side=0).count() == 3


def test_a_list_of_places_has_ties_teams_and_points(organizer, club):
    form = {
        "form_id": str(uuid.uuid4()),
        "places": "Ana Ruiz: 31\nCy = Bo Lindqvist: 24\n\nDina + Emil: 3",
        "played_on": "2025-11-02",
        "kind": "played",
        "asked": ["Cy", "Dina", "Emil"],
        "answer": ["new", "new", "new"],
    }
    response = organizer.post("/l/club/enter/?shape=list", form)
    assert response.status_code == 302
    rows = newest().participants.order_by("side", "player__key")
    assert [(row.player.name, row.rank, row.score) for row in rows] == [
        ("Ana Ruiz", 1, 31),
        ("Cy", 2, 24),
        ("Bo Lindqvist", 2, 24),
        ("Dina", 4, 3),
        ("Emil", 4, 3),
    ]


@pytest.mark.parametrize("places", ["", "Ana Ruiz", "Ana Ruiz: 3\nBo Lindqvist", "=\n+"])
def test_a_list_that_makes_no_match_is_refused(organizer, club, places):
    form = {"places": places, "played_on": "2025-11-02", "kind": "played"}
    response = organizer.post("/l/club/enter/?shape=list", form)
    assert response.status_code == 422
    assert Match.objects.count() == 1


def test_lines_of_places_are_read_as_they_are_written(club):
    match = record(
        club,
        result(club, "Ana Ruiz+Cy", "Bo Lindqvist", "Dina", ranks=(1, 2, 2), scores=(5, 4, 4)),
    )[0]
    text = written_places(draft_of(match))
    assert text == "Ana Ruiz + Cy: 5\nBo Lindqvist = Dina: 4"
    assert [(side.rank, side.names, side.score) for side in read_places(text)] == [
        (1, ("Ana Ruiz", "Cy"), 5),
        (2, ("Bo Lindqvist",), 4),
        (2, ("Dina",), 4),
    ]
    assert [side.names for side in read_places('"A=B" = "C: 3"\nD')] == [
        ("A=B",),
        ("C: 3",),
        ("D",),
    ]


def test_another_result_begins_with_the_same_date(organizer, club):
    response = organizer.post("/l/club/enter/", typed(another="yes"))
    page = organizer.get(response["Location"]).content.decode()
    assert "Recorded." in page
    assert 'value="2025-11-02"' in page


def test_scorers_enter_what_was_played_yesterday_and_nothing_older(client, club):
    scorer = make_user("sam")
    join(club, scorer, Membership.Role.SCORER)
    client.force_login(scorer)
    today = timezone.now().astimezone(club.zone).date()
    old = client.post("/l/club/enter/", typed(played_on=(today - timedelta(days=3)).isoformat()))
    assert old.status_code == 422
    assert "entered by organizers" in old.content.decode()
    fresh = typed(played_on=(today - timedelta(days=1)).isoformat())
    assert client.post("/l/club/enter/", fresh).status_code == 302


def test_visitors_are_asked_to_sign_in(client, club):
    response = client.get("/l/club/enter/")
    assert response.status_code == 403
    assert "/account/sign-in/?next=/l/club/enter/" in response.content.decode()


def test_a_correction_leads_to_its_revision_and_keeps_what_was_said(organizer, club):
    match = newest()
    page = organizer.get(f"/l/club/m/autumn/{match.seq}/correct/").content.decode()
    assert 'value="Ana Ruiz"' in page
    form = typed(
        score_one="1",
        score_two="3",
        played_on="2025-10-01",
        played_time="20:00",
        version="1",
        reason="the wrong way round",
    )
    response = organizer.post(f"/l/club/m/autumn/{match.seq}/correct/", form)
    assert response["Location"] == "/l/club/r/autumn/2/"
    revision = organizer.get(response["Location"]).content.decode()
    assert "Ana Ruiz 3–1 Bo Lindqvist" in revision
    assert "Bo Lindqvist 3–1 Ana Ruiz" in revision
    assert "the wrong way round" in revision
    page = organizer.get(f"/l/club/m/autumn/{match.seq}/").content.decode()
    assert "Corrected by kim" in page
    match.refresh_from_db()
    assert match.played_at == START


def test_a_correction_that_changes_nothing_writes_nothing(organizer, club):
    match = newest()
    form = typed(score_two="1", played_on="2025-10-01", played_time="20:00", version="1")
    response = organizer.post(f"/l/club/m/autumn/{match.seq}/correct/", form)
    assert response["Location"] == f"/l/club/m/autumn/{match.seq}/"
    match.refresh_from_db()
    assert match.version == 1


def test_a_correction_of_something_corrected_meanwhile_shows_both(organizer, club):
    match = newest()
    address = f"/l/club/m/autumn/{match.seq}/correct/"
    form = typed(score_two="0", played_on="2025-10-01", played_time="20:00", version="1")
    organizer.post(address, form)
    response = organizer.post(address, form | {"score_two": "2"})
    assert response.status_code == 409
    body = response.content.decode()
    assert "Somebody was faster." in body
    assert 'name="version" value="2"' in body
    assert organizer.post(address, form | {"score_two": "2", "version": "2"}).status_code == 302


def test_own_points_and_shares_survive_a_correction(organizer, club):
    match = newest()
    row = match.participants.get(side=0)
    row.share, row.own_score = 0.5, 7
    row.save()
    form = typed(score_two="0", played_on="2025-10-01", played_time="20:00", version="1")
    organizer.post(f"/l/club/m/autumn/{match.seq}/correct/", form)
    row = match.participants.get(player=row.player)
    assert (row.share, row.own_score) == (0.5, 7)


def test_no_name_breaks_out_of_the_page(organizer, club):
    name = '"><img src=x onerror=1>'
    form = typed(two_1=name, asked=name, answer="new")
    body = organizer.post("/l/club/enter/", typed(two_1=name)).content.decode()
    assert "<img" not in body
    response = organizer.post("/l/club/enter/", form)
    assert response.status_code == 302
    drain()
    for address in (response["Location"], "/l/club/", "/l/club/results/", "/l/club/enter/"):
        assert "<img" not in organizer.get(address).content.decode()
