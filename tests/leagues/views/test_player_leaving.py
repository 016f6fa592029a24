"""Players who no longer play here: proposed nowhere, meant by name, back with the next match."""

from __future__ import annotations

import html
import io
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone

from leagues.domain.civil_days import day_of
from leagues.domain.leaving import has_left
from leagues.jobs.runner import drain
from leagues.models import AuditEntry, League, Player
from leagues.selectors.names import known_names
from leagues.selectors.night_sheets import night_names
from leagues.services.backups import restore_backup, write_backup
from leagues.services.errors import Refused
from leagues.services.integrity import league_digest
from leagues.services.leaving import set_left
from leagues.services.likeness import possible_duplicates
from leagues.services.matches import revert_revision
from leagues.services.players import create_player
from tests.leagues.page_texts import words_of
from tests.leagues.people import join, make_user
from tests.leagues.play import START, new_club, record, result, rounds

pytestmark = pytest.mark.django_db

ADDRESS = "/l/club/p/bo/left/"


@pytest.fixture
def club() -> League:
    league = new_club(owner=make_user("kim"))
    record(league, *rounds(league, ("Ana", "Bo", "Cy", "Dee"), 3))
    drain()
    return league


@pytest.fixture
def kim(client: Client, club: League) -> Client:
    client.force_login(club.memberships.get().user)
    return client


def bo() -> Player:
    return Player.objects.select_related("league").get(key="bo")


def leave(left_at: datetime = START + timedelta(days=30)) -> None:
    set_left(player=bo(), left_at=left_at, was=bo().left_at, actor=None)


def test_whoever_left_is_proposed_nowhere_and_keeps_rating_and_rank(
    kim: Client, club: League
) -> None:
    create_player(league=club, name="Boo")
    digest = league_digest(club)
    board = words_of(kim.get("/l/club/"))
    assert "Bo" in known_names(club)
    assert "Bo" in night_names(club).last_night
    leave()
    assert league_digest(club) == digest
    assert words_of(kim.get("/l/club/")).replace(" no longer plays here", "") == board
    names = night_names(club)
    for proposed in (known_names(club), names.recent, names.last_night, names.to_complete):
        assert "Bo" not in proposed
        assert "Ana" in proposed
    boo = Player.objects.get(key="boo")
    assert "bo" in {one.key for one in possible_duplicates(boo)}
    assert "<bdi>Bo</bdi>" not in kim.get("/l/club/opponents/?player=ana").content.decode()
    offers = kim.get("/l/club/compare/", {"a": "B"}, HTTP_HX_REQUEST="true")
    assert 'value="Bo"' not in offers.content.decode()


def test_the_profile_says_since_when(kim: Client, club: League) -> None:
    leave(START - timedelta(days=1))
    assert "no longer plays here" not in words_of(Client().get("/l/club/p/bo/"))
    leave(datetime(2026, 11, 3, 20, tzinfo=UTC))
    assert "no longer plays here since 3 Nov" in words_of(Client().get("/l/club/p/bo/"))
    assert "no longer plays here" not in words_of(Client().get("/l/club/p/ana/"))


def test_a_match_since_brings_the_player_back_and_its_undo_does_not(club: League) -> None:
    leave(START + timedelta(days=30))
    record(club, result(club, "Bo", "Ana", at=START + timedelta(days=29)))
    assert has_left(bo())
    (match,) = record(club, result(club, "Bo", "Ana", at=START + timedelta(days=31)))
    assert not has_left(bo())
    assert "Bo" in known_names(club)
    revert_revision(revision=match.revision, author=None)
    assert has_left(bo())


def test_a_match_without_a_time_brings_back_who_left_earlier_that_day(club: League) -> None:
    leave(timezone.now())
    today = club.midnight(day_of(timezone.now(), club.zone))
    yesterday = club.midnight(day_of(timezone.now(), club.zone) - timedelta(days=1))
    record(club, result(club, "Bo", "Ana", at=yesterday, date_only=True))
    assert has_left(bo())
    record(club, result(club, "Bo", "Ana", at=today, date_only=True))
    assert not has_left(bo())


def test_it_is_a_button_is_in_the_log_and_is_undone_there(kim: Client, club: League) -> None:
    page = kim.get("/l/club/p/bo/edit/")
    assert "No longer plays here" in words_of(page)
    assert "inactive after" in words_of(page)
    before = timezone.now()
    said = kim.post(ADDRESS, {"do": "now", "was": ""}, follow=True)
    assert "Bo no longer plays here. You can undo this in the changes." in words_of(said)
    assert "Plays here again" in words_of(said)
    left_at = bo().left_at
    assert left_at is not None
    assert before <= left_at <= timezone.now()
    changes = kim.get("/l/club/changes/")
    assert "player no longer plays here" in words_of(changes)
    content = changes.content.decode()
    form = content[content.index(f'action="{ADDRESS}"') :].partition("</form>")[0]
    undo = dict(re.findall(r'name="(left_at|was)" value="([^"]*)"', form))
    assert undo == {"left_at": "", "was": left_at.isoformat()}
    kim.post(ADDRESS, {name: html.unescape(value) for name, value in undo.items()})
    assert bo().left_at is None
    # The undo can be undone, to the very instant.
    content = kim.get("/l/club/changes/").content.decode()
    form = content[content.index(f'action="{ADDRESS}"') :].partition("</form>")[0]
    undo = dict(re.findall(r'name="(left_at|was)" value="([^"]*)"', form))
    kim.post(ADDRESS, {name: html.unescape(value) for name, value in undo.items()})
    assert bo().left_at == left_at
    assert AuditEntry.objects.filter(action__startswith="player.").count() == 3


def test_whoever_comes_second_is_told(kim: Client, club: League) -> None:
    leave()
    late = kim.post(ADDRESS, {"do": "now", "was": ""})
    assert late.status_code == 422
    assert "Someone else changed this in the meantime" in words_of(late)
    assert "Plays here again" in words_of(late)


@pytest.mark.parametrize("words", [{"was": "x"}, {"left_at": "2026-01-01T00:00:00"}])
def test_moments_that_no_page_sends_are_refused(
    kim: Client, club: League, words: dict[str, str]
) -> None:
    assert kim.post(ADDRESS, words).status_code == 422
    assert bo().left_at is None


def test_nobody_leaves_in_the_future(club: League) -> None:
    with pytest.raises(Refused):
        leave(timezone.now() + timedelta(days=1))


def test_only_organizers_say_it(client: Client, club: League) -> None:
    join(club, make_user("scorer"), "scorer")
    client.force_login(club.memberships.get(role="scorer").user)
    assert client.post(ADDRESS, {"do": "now"}).status_code == 403


def test_the_api_says_who_is_active(client: Client, club: League) -> None:
    leave()
    rows = client.get("/api/v1/leagues/club/players/").json()["results"]
    active = {row["key"]: row["active"] for row in rows}
    assert active == {"ana": True, "bo": False, "cy": True, "dee": True}
    assert client.get("/api/v1/leagues/club/players/bo/").json()["active"] is False


def test_the_name_still_works_in_a_result(kim: Client, club: League) -> None:
    leave()
    players = Player.objects.count()
    record(club, result(club, "bo", "Ana", at=START + timedelta(days=40)))
    assert Player.objects.count() == players
    assert not has_left(bo())


def test_it_comes_back_from_a_backup() -> None:
    file = io.BytesIO()
    with transaction.atomic():
        league = new_club()
        record(league, *rounds(league, ("Ana", "Bo"), 1))
        drain()
        leave()
        left_at = bo().left_at
        write_backup(file)
        transaction.set_rollback(True)
    file.seek(0)
    restore_backup(file)
    assert bo().left_at == left_at
    out = io.StringIO()
    call_command("verify", stdout=out)
    assert "0 differences" in out.getvalue()


def test_the_standings_say_in_words_who_left(client: Client, club: League) -> None:
    assert "no longer plays here" not in words_of(client.get("/l/club/"))
    leave()
    page = client.get("/l/club/").context["page"]
    assert {row.name: bool(row.rank) for row in page.rows if row.has_left} == {"Bo": True}
    assert "Bo no longer plays here" in words_of(client.get("/l/club/"))
    # What was on a day of the past is not what is said today.
    assert "no longer plays here" not in words_of(client.get("/l/club/?on=2025-10-02"))
    record(club, result(club, "Bo", "Ana", at=START + timedelta(days=31)))
    assert "no longer plays here" not in words_of(client.get("/l/club/"))


def test_who_left_is_marked_among_the_inactive_too(client: Client, club: League) -> None:
    record(club, result(club, "Ana", "Cy", at=START + timedelta(days=99)))
    leave()
    page = client.get("/l/club/?list=inactive").context["page"]
    assert {row.name for row in page.rows if row.has_left} == {"Bo"}
