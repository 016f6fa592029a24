"""The form of a result: what recording it would do, before it is recorded."""

from __future__ import annotations

import pytest
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import Job, Match, Player
from leagues.services import preview_jobs
from leagues.services.integrity import league_digest
from tests.leagues.people import make_user
from tests.leagues.play import new_club, record, rounds
from tests.leagues.shared_rows import read_anew
from tests.leagues.views.test_corrections import moves
from tests.leagues.views.test_entry import typed

pytestmark = pytest.mark.django_db

ADDRESS = "/l/club/enter/"
LATE = {"one_1": "Ana", "two_1": "Bo", "played_on": "2025-10-02", "played_time": "12:00"}


@pytest.fixture(scope="module")
def built_kim(shared_rows: None):
    return make_user("kim")


kim = read_anew("built_kim")


@pytest.fixture(scope="module")
def built_club(shared_rows: None, built_kim):
    league = new_club(owner=built_kim)
    record(league, *rounds(league, ("Ana", "Bo", "Cy", "Dee"), 3), by=built_kim)
    drain()
    return league


club = read_anew("built_club")


def shown(client: Client, sent: dict[str, str]) -> str:
    response = client.post(ADDRESS, sent)
    assert response.status_code == 200
    return response.content.decode()


def test_a_preview_of_a_late_result_is_what_recording_it_does(organizer, club):
    digest = league_digest(club)
    sent = typed(**LATE)
    page = shown(organizer, {**sent, "preview": "yes"})
    assert league_digest(club) == digest
    assert {"Ana", "Bo"} <= set(moves(page))
    assert 'value="Ana"' in page, "what was typed stays in the form"
    organizer.post(ADDRESS, sent)
    drain()
    names = dict(Player.objects.values_list("name", "key"))
    for name, (_before, after, *_rest) in moves(page).items():
        assert after in organizer.get(f"/l/club/p/{names[name]}/").content.decode()


def test_a_preview_creates_no_player_and_asks_who_is_who(organizer, club):
    players = Player.objects.count()
    fresh = typed(**{**LATE, "two_1": "Zoe Quist"})
    assert "Zoe" in shown(organizer, {**fresh, "preview": "yes"})
    asked = organizer.post(ADDRESS, {**fresh, "one_1": "Anna", "preview": "yes"})
    assert asked.status_code == 422
    assert "Preview with these names" in asked.content.decode()
    assert Player.objects.count() == players


def test_what_recording_asks_does_not_keep_the_preview_back(organizer, club):
    sent = typed(**LATE)
    organizer.post(ADDRESS, sent)
    matches = Match.objects.count()
    again = typed(**LATE)
    assert set(moves(shown(organizer, {**again, "preview": "yes"})))
    assert organizer.post(ADDRESS, again).status_code == 422
    assert Match.objects.count() == matches


def test_a_form_that_was_recorded_would_change_nothing(organizer, club):
    sent = typed(**LATE)
    organizer.post(ADDRESS, sent)
    assert "Nothing would change" in shown(organizer, {**sent, "preview": "yes"})


@pytest.mark.parametrize("opponent", ["Bo", "Zed"])
def test_a_long_preview_is_fetched_when_it_is_there(organizer, club, monkeypatch, opponent):
    monkeypatch.setattr(preview_jobs, "MAX_RATED_AT_ONCE", 0)
    sent = {**typed(**{**LATE, "two_1": opponent}), "preview": "yes"}
    page = shown(organizer, sent)
    assert 'hx-post="/l/club/enter/"' in page
    assert Job.objects.filter(kind="preview").exists()
    drain()
    part = organizer.post(ADDRESS, sent, headers={"HX-Request": "true"}).content.decode()
    assert part.strip().startswith('<div id="preview"')
    assert opponent in moves(part)


def test_a_free_for_all_is_previewed(organizer, club):
    sent = {
        "form_id": typed()["form_id"],
        "shape": "list",
        "places": "Cy\nAna\nBo",
        "played_on": "2025-10-02",
        "kind": "played",
        "preview": "yes",
    }
    page = shown(organizer, sent)
    assert {"Ana", "Bo", "Cy"} <= set(moves(page))
