"""The QR code at the table, and where it leads whom."""

from __future__ import annotations

import re

import pytest
import segno
from django.test import Client

from leagues.charts import qr_code
from leagues.charts.qr_code import QUIET
from leagues.models import League
from tests.leagues.people import join, make_league, make_user
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

PAGE, SCAN, FORM = "/l/club/enter/code/", "/l/club/scan/", "/l/club/enter/"
ADDRESS = "http://testserver/l/club/scan/"
DARK = re.compile(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z")


def modules_of(path: str, size: int) -> list[bytearray]:
    """The modules that a path makes dark."""
    rows = [bytearray(size) for _row in range(size)]
    for column, row, length, back in (tuple(map(int, run)) for run in DARK.findall(path)):
        assert length == back
        rows[row][column : column + length] = b"\1" * length
    return rows


@pytest.fixture(scope="module")
def built_league(shared_rows: None) -> League:
    league = make_league(visibility="private")
    join(league, make_user("scorer"), "scorer")
    join(league, make_user("player"), "player")
    return league


league = read_anew("built_league")


@pytest.fixture
def scorer(client: Client, league: League) -> Client:
    client.force_login(league.memberships.get(role="scorer").user)
    return client


@pytest.mark.parametrize("text", [ADDRESS, "https://rungs.example.org/" + "x" * 300])
def test_the_path_is_the_code_with_its_quiet_zone(text: str) -> None:
    code = qr_code(text)
    inner = segno.make(text, error="m", micro=False).matrix
    rows = modules_of(code.path, code.size)
    assert code.size == len(inner) + 2 * QUIET
    assert [row[QUIET:-QUIET] for row in rows[QUIET:-QUIET]] == list(inner)
    assert sum(map(sum, rows)) == sum(map(sum, inner))


def test_the_card_has_the_league_the_code_and_its_address(scorer: Client, league: League) -> None:
    page = scorer.get(PAGE).content.decode()
    assert f'<h2 id="card-title"><bdi>{league.name}</bdi></h2>' in page
    assert ADDRESS in page
    assert qr_code(ADDRESS).path in page
    assert "css/card" in page
    assert PAGE in scorer.get(FORM).content.decode()


def test_no_code_leads_to_this_computer_alone(scorer: Client) -> None:
    page = scorer.get(PAGE, headers={"host": "127.0.0.1"}).content.decode()
    assert 'class="qr"' not in page
    assert "serve --wifi" in page


def test_who_scans_it_signs_in_and_enters(client: Client, league: League) -> None:
    response = client.get(SCAN)
    assert response.url == f"/account/sign-in/?next={FORM}"
    user = league.memberships.get(role="scorer").user
    user.set_password("four-quiet-otters-sleep")
    user.save()
    sent = {"username": "scorer", "password": "four-quiet-otters-sleep"}
    assert client.post(response.url, sent).url == FORM
    assert client.get(SCAN).url == FORM
    assert client.get(FORM).status_code == 200


def test_the_code_opens_nothing_to_others(client: Client, league: League) -> None:
    # Where there is no league, a visitor gets the same answer.
    for slug in ("club", "never"):
        assert client.get(f"/l/{slug}/scan/").url == f"/account/sign-in/?next=/l/{slug}/enter/"
    client.force_login(league.memberships.get(role="player").user)
    assert client.get(SCAN, follow=True).status_code == 403
    assert client.get(PAGE).status_code == 403
    client.force_login(make_user("stranger"))
    assert client.get(SCAN, follow=True).status_code == 404
    assert client.get(PAGE).status_code == 404


def test_an_invitation_can_be_scanned_where_it_is_shown(client: Client, league: League) -> None:
    join(league, make_user("boss"), "organizer")
    client.force_login(league.memberships.get(role="organizer").user)
    session = client.session
    session["password_given_at"] = 2**33
    session.save()
    page = client.post("/l/club/settings/members/invitations/", {"role": "scorer"}).content.decode()
    link = re.search(r'id="invitation">([^<]+)<', page)
    assert link
    assert qr_code(link[1]).path in page
    here = {"host": "127.0.0.1"}
    sent = {"role": "scorer"}
    page = client.post("/l/club/settings/members/invitations/", sent, headers=here).content.decode()
    assert 'id="invitation"' in page
    assert 'class="qr"' not in page
