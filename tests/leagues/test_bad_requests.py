"""Section 5 of the reliability page: bad results that are more than one match in one field.

Where the other rows are: match content, text and dates in `test_bad_results.py`; bodies, keys and
bulk calls in `api/test_bad_input.py` and `api/test_sending.py` (B-30, B-39 to B-42, B-44 to B-46,
B-52, B-53, B-56, B-57, B-65, B-66); forms sent twice and old versions (B-43, B-44, B-46) in
`views/test_entry.py`, `views/test_night.py`, `views/test_corrections.py` and
`imports/test_writing.py`; late results (B-38) in `services/test_boards.py`; descriptions (B-55) in
`settings/test_league_pages.py`; files (B-67 to B-75) in `imports/test_bad_input.py`,
`imports/test_sending.py`, `imports/test_round_trip.py`, `services/test_imports.py` and, format by
format, in `tests/ratings/files`; sealed seasons (B-36) in `test_sealed.py`.
"""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import League, Match
from leagues.services.integrity import league_digest
from leagues.services.players import ensure_player
from tests.leagues.doors import DOORS, STORED, Said, organizer
from tests.leagues.people import make_user
from tests.leagues.play import new_club, record, result
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

FIELDS = {
    **{"one_1": "Ana", "two_1": "Bo", "score_one": "3", "score_two": "1"},
    **{"outcome": "score", "kind": "played", "played_on": "2025-10-02"},
}


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(owner=make_user("kim"))
    record(league, result(league, "Ana", "Bo"), result(league, "Cy", "Dee"))
    drain()
    return league


club = read_anew("built_club")


@pytest.mark.parametrize("door", DOORS)
def test_b29_a_name_of_another_league_is_a_new_player_here(club: League, door: str) -> None:
    other = new_club("other", name="Other")
    ensure_player(league=other, name="Zoe", key="zoe-1")
    before = league_digest(other)
    assert DOORS[door](club, Said(two="Zoe")) == STORED
    assert club.players.get(name="Zoe").key == "zoe"
    assert (other.players.count(), league_digest(other)) == (1, before)


def test_b37_matches_of_one_instant_are_in_the_order_in_which_they_came(club: League) -> None:
    for position, door in enumerate(DOORS):
        said = Said(f"New {position}", "Bo", day="2025-11-03", clock="19:30")
        assert DOORS[door](club, said) == STORED
        drain()
    at = Match.objects.get(seq=3).played_at
    same = Match.objects.filter(played_at=at).order_by("same_time_order", "seq")
    newcomers = same.filter(participants__player__name__startswith="New")
    names = newcomers.values_list("participants__player__name", flat=True)
    assert list(names) == [f"New {position}" for position in range(len(DOORS))]


def test_b52_bytes_that_are_no_text_are_no_name(club: League) -> None:
    body = urlencode({**FIELDS, "two_1": "a{}b"}).replace("%7B%7D", "%ff%fe")
    sent = organizer(club).post(
        f"/l/{club.slug}/enter/", body, content_type="application/x-www-form-urlencoded"
    )
    assert sent.status_code == 422
    assert "a character that could not be read (U+FFFD)" in sent.content.decode()
    assert Match.objects.count() == 2


def _form_in(club: League, charset: str) -> HttpResponse:
    """The answer to a whole form that says which encoding it is in, with its token."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(club.memberships.get(role="organizer").user)
    address = f"/l/{club.slug}/enter/"
    client.get(address)
    token = client.cookies[settings.CSRF_COOKIE_NAME].value
    return client.generic(
        "POST",
        address,
        urlencode({**FIELDS, "csrfmiddlewaretoken": token}),
        content_type=f"application/x-www-form-urlencoded; charset={charset}",
    )


@pytest.mark.parametrize("charset", ["utf-16", "utf-7", "latin-1", "idna", "hex", '"UTF-16LE"'])
def test_b58_a_form_in_other_letters_is_refused_in_words(club: League, charset: str) -> None:
    sent = _form_in(club, charset)
    assert sent.status_code == 415
    assert "The data sent is not in UTF-8. Nothing was saved." in sent.content.decode()
    assert Match.objects.count() == 2


@pytest.mark.parametrize("charset", ["UTF-8", "utf8", "us-ascii", "nonsense"])
def test_b58_a_form_in_utf_8_may_say_so(club: League, charset: str) -> None:
    assert _form_in(club, charset).status_code == 302
    assert Match.objects.count() == 3


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x"])
def test_b58_an_address_is_read_in_utf_8_alone(club: League, kind: str) -> None:
    address = f"/l/{club.slug}/players/?q=%ff"
    sent = organizer(club).generic("GET", address, "a", content_type=f"{kind}; charset=utf-16")
    assert sent.status_code == 415


@pytest.mark.parametrize("key", ["", "x" * 300, "a\tb", "ключ"])
def test_b42_a_form_whose_key_is_none_records_once(club: League, key: str) -> None:
    at, fields = f"/l/{club.slug}/enter/", {**FIELDS, "form_id": key}
    client = organizer(club)
    assert client.post(at, fields).status_code == 302
    # Without a key, the second is asked about as the same result (B-41).
    assert client.post(at, fields).status_code == 422
    assert Match.objects.count() == 3


@pytest.mark.parametrize("version", ["", "-1", "٣", "1e0", "9" * 30, "\0"])
@pytest.mark.parametrize("word", ["correct", "void"])
def test_b44_a_version_that_is_none_changes_nothing(club: League, version: str, word: str) -> None:
    before = league_digest(club)
    fields = {**FIELDS, "two_1": "Cy", "version": version}
    sent = organizer(club).post(f"/l/{club.slug}/m/autumn/1/{word}/", fields)
    drain()
    assert sent.status_code in (409, 422)
    assert league_digest(club) == before


def test_b45_pages_void_a_voided_result_without_a_trace(club: League) -> None:
    client, at = organizer(club), f"/l/{club.slug}/m/autumn/1/"
    revisions = []
    for word in ("void", "void", "restore", "restore"):
        version = Match.objects.get(seq=1).version
        sent = client.post(f"{at}{word}/", {"version": version, "reason": word})
        assert sent.status_code == 302
        revisions.append(club.revisions.count())
    assert revisions == [2, 2, 3, 3]
