"""Who calls: tokens, sessions, and neither."""

from __future__ import annotations

import base64
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from leagues.api import throttles
from leagues.models import ApiToken, League
from leagues.services.tokens import revoke_token
from tests.leagues.api.calls import BACKEND, Caller, browser, program
from tests.leagues.people import join, make_user
from tests.leagues.play import new_club, record, result
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

PATH = "leagues/club/matches/"
BODY = {
    "played_on": timezone.now().date().isoformat(),
    "sides": [
        {"rank": 1, "players": [{"name": "Ana"}]},
        {"rank": 2, "players": [{"name": "Bo"}]},
    ],
}


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club(visibility="private")
    record(league, result(league, "Ana", "Bo"))
    return league


club = read_anew("built_club")


def with_header(value: str) -> Caller:
    return Caller(headers={"Authorization": value})


def test_b63_what_is_no_valid_token_is_refused_even_where_none_is_needed(club: League) -> None:
    new_club("open", name="Open")
    good = program(club).headers["Authorization"]
    revoked = program(club, name="Revoked")
    revoke_token(token=ApiToken.objects.get(name="Revoked"), actor=None)
    expired = program(club, name="Expired")
    ApiToken.objects.filter(name="Expired").update(expires_at=timezone.now() - timedelta(days=1))
    basic = base64.b64encode(b"organizer:password").decode()
    for value in (
        revoked.headers["Authorization"],
        expired.headers["Authorization"],
        f"{good}, {good}",
        f"{good[:-1]}!",
        f"Basic {basic}",
        good.removeprefix("Bearer "),
        "Bearer",
        "Bearer ",
        "",
        "Bearer \u00e9",
    ):
        response = with_header(value).get("leagues/open/")
        assert response.status_code == 401, value
        assert response.headers["WWW-Authenticate"] == 'Bearer realm="rungs"'
        assert response.json()["code"] == "token_invalid"


def test_a_bad_token_is_not_made_good_by_a_session(club: League) -> None:
    organizer = make_user("organizer")
    join(club, organizer, "organizer")
    caller = browser(organizer)
    assert caller.get(PATH).status_code == 200
    assert caller.get(PATH, Authorization="Bearer rungs_x").status_code == 401


def test_the_scheme_may_be_written_small(club: League) -> None:
    value = program(club).headers["Authorization"].replace("Bearer", "bearer")
    assert with_header(value).get(PATH).status_code == 200


def test_b63_a_token_in_the_address_is_refused(club: League) -> None:
    plain = program(club).headers["Authorization"].removeprefix("Bearer ")
    for name in ("token", "access_token", "auth"):
        assert Caller().get(f"{PATH}?{name}={plain}").status_code == 400


def test_a_token_is_for_its_league_and_its_scope(club: League) -> None:
    new_club("open", name="Open")
    new_club("shut", name="Shut", visibility="private")
    reading, sending = program(club, "read"), program(club, "results")
    assert reading.get(PATH).status_code == 200
    assert reading.send(PATH, BODY).status_code == 403
    assert sending.send(PATH, BODY).status_code == 201
    assert sending.send("leagues/open/matches/", BODY).status_code == 403
    assert sending.send("leagues/shut/matches/", BODY).status_code == 404
    assert sending.send("leagues/club/revisions/autumn/1/undo/", {}).status_code == 403


def test_an_address_of_no_view_is_not_found_in_the_words_of_the_api(client: Client) -> None:
    for address in ("/api/", "/api/v1/nothing/", "/api/v2/leagues/"):
        response = client.get(address)
        assert response.headers["Content-Type"] == "application/problem+json"
        assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_a_private_league_is_word_for_word_like_none(club: League) -> None:
    stranger = browser(make_user("stranger"))
    for caller in (Caller(), stranger):
        for path in ("", "matches/", "matches/autumn/1/", "players/ana/", "revisions/"):
            said = []
            for slug in ("club", "none"):
                for response in (
                    caller.get(f"leagues/{slug}/{path}"),
                    caller.send(f"leagues/{slug}/matches/", {"bad": 1}),
                ):
                    assert response.status_code == 404
                    headers = {
                        name: value
                        for name, value in response.headers.items()
                        if name != "X-Request-ID"
                    }
                    said.append((response.content, headers))
            assert said[:2] == said[2:]


def test_nobody_is_asked_to_say_who_it_is(club: League) -> None:
    new_club("open", name="Open")
    response = Caller().send("leagues/open/matches/", BODY)
    assert (response.status_code, response.json()["code"]) == (401, "not_authenticated")
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="rungs"'


def test_s01_a_session_needs_the_token_of_its_page_and_a_program_does_not(club: League) -> None:
    organizer = make_user("organizer")
    join(club, organizer, "organizer")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(organizer, BACKEND)
    for path, method in ((PATH, "POST"), (f"{PATH}autumn/1/", "PATCH")):
        refused = Caller(strict).send(path, BODY, method)
        assert refused.status_code == 403
        assert refused.headers["Content-Type"] == "application/problem+json"
    assert club.matches.count() == 1
    bot = Caller(Client(enforce_csrf_checks=True), program(club).headers)
    assert bot.send(PATH, BODY).status_code == 201


def test_results_of_a_session_are_of_the_account(club: League) -> None:
    scorer = make_user("scorer")
    join(club, scorer, "scorer")
    assert browser(scorer).send(PATH, BODY).status_code == 201
    match = club.matches.get(seq=2)
    assert (match.entered_by, match.source) == (scorer, f"user:{scorer.pk}")


def test_s12_too_many_calls_wait_and_others_do_not(
    club: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = throttles.Limit("few", uses=2, seconds=60)
    monkeypatch.setitem(throttles.SENDING, "token", few)
    one, other = program(club, name="One"), program(club, name="Other")
    statuses = [one.send(PATH, BODY, X_Forwarded_For=f"10.0.0.{n}").status_code for n in range(3)]
    assert statuses == [201, 201, 429]
    waiting = one.send(PATH, BODY)
    assert 1 <= int(waiting.headers["Retry-After"]) <= 60
    assert waiting.json()["code"] == "throttled"
    assert one.get(PATH).status_code == 200
    assert other.send(PATH, BODY).status_code == 201
