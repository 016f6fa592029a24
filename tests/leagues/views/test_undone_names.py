"""Spellings that were remembered with results are forgotten with them, and come back with them."""

from __future__ import annotations

import io
import re
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import AuditEntry, League, Match, Player, Revision, Season
from leagues.services.backups import restore_backup, write_backup
from leagues.services.leagues import add_board
from leagues.services.matches import revert_revision
from leagues.services.players import ensure_player, rename_player
from leagues.services.spellings import add_spelling, remove_spelling, show_spelling
from leagues.store import guards
from tests.leagues.commands.test_verify import empty, verify
from tests.leagues.page_texts import words_of
from tests.leagues.play import mode_of
from tests.leagues.views.desk import DAY, Desk, singles_club

pytestmark = pytest.mark.django_db

LINE = "Ana - Bo Lee 3-1"
ANSWER = {"asked": ["Bo Lee"], "answer": ["bo-li"]}
FORM = {
    **{"one_1": "Ana", "two_1": "Bo Lee", "score_one": "3", "score_two": "1"},
    **{"outcome": "score", "played_on": DAY, "kind": "played"},
}


@pytest.fixture
def club() -> League:
    club = singles_club()
    ensure_player(league=club, name="Bo Li")
    return club


@pytest.fixture
def desk(client: Client, club: League) -> Desk:
    client.force_login(club.memberships.get().user)
    return Desk(client, club)


def newest() -> Revision:
    return Revision.objects.latest("pk")


def entered(desk: Desk, line: str = LINE, **answer: Any) -> Revision:
    """The change by which a line was entered on a sheet of its own."""
    page = Desk(desk.client, League.objects.get())
    page.check(line, **answer)
    assert "1 result recorded" in page.enter(line, **answer).content.decode()
    return newest()


def undo(desk: Desk, revision: Revision) -> Revision:
    address = f"/l/club/r/{revision.season.slug}/{revision.number}/undo/"
    assert desk.client.post(address).status_code == 302
    return Revision.objects.get(reverts=revision)


def other_names(club: League) -> dict[str, str]:
    return dict(club.aliases.values_list("name", "player__key"))


def forget(club: League, name: str) -> None:
    remove_spelling(player=club.aliases.get(name=name).player, name=name, actor=None)


def bo_li(club: League) -> Player:
    return club.players.get(key="bo-li")


def test_a_night_that_is_undone_asks_again(desk: Desk, club: League) -> None:
    night = entered(desk, **ANSWER)
    assert other_names(club) == {"Bo Lee": "bo-li"}
    undoing = undo(desk, night)
    assert other_names(club) == {}
    page = Desk(desk.client, club).check("Cy - Bo Lee 3-1")
    assert "no player has exactly this name" in page
    back = undo(desk, undoing)
    assert other_names(club) == {"Bo Lee": "bo-li"}
    undo(desk, back)
    assert other_names(club) == {}


def test_the_changes_say_what_was_remembered_and_forgotten(desk: Desk, club: League) -> None:
    night = entered(desk, **ANSWER)
    undoing = undo(desk, night)
    entries = AuditEntry.objects.filter(action__startswith="player.spelling").order_by("number")
    assert [(one.action, (one.after or {})["revision"]) for one in entries] == [
        ("player.spelling", f"autumn/{night.number}"),
        ("player.spelling_removed", f"autumn/{undoing.number}"),
    ]
    for revision in (night, undoing):
        page = desk.client.get(f"/l/club/r/autumn/{revision.number}/").content.decode()
        assert "Bo Lee" in words_of(page)
    page = Client().get(f"/l/club/r/autumn/{night.number}/").content.decode()
    assert "Bo Lee" not in words_of(page), "other names are for organizers"


def test_the_record_and_a_backup_hold(desk: Desk, club: League) -> None:
    undoing = undo(desk, entered(desk, **ANSWER))
    undo(desk, undoing)
    drain()
    assert verify().splitlines()[-1].startswith("0 differences")
    backup = io.BytesIO()
    write_backup(backup)
    guards.remove(connection)
    empty()
    backup.seek(0)
    restore_backup(backup)
    drain()
    assert verify().splitlines()[-1].startswith("0 differences")
    assert other_names(club) == {"Bo Lee": "bo-li"}
    revert_revision(revision=newest(), author=None)
    assert other_names(club) == {}


def test_one_result_and_a_correction_that_are_undone_ask_again(desk: Desk, club: League) -> None:
    sent = {**FORM, **ANSWER, "form_id": str(uuid.uuid4())}
    assert desk.client.post("/l/club/enter/", sent).status_code == 302
    result = newest()
    assert other_names(club) == {"Bo Lee": "bo-li"}
    undoing = undo(desk, result)
    assert other_names(club) == {}
    # The same form, sent a second time, records nothing and remembers nothing.
    assert desk.client.post("/l/club/enter/", sent).status_code == 302
    assert newest() == undoing
    assert other_names(club) == {}

    match = Match.objects.filter(revision__number=1).earliest("seq")
    answer = {"asked": "Bo Lie", "answer": "bo-li"}
    sent = {**FORM, "two_1": "Bo Lie", "version": match.version, **answer}
    assert desk.client.post(f"/l/club/m/autumn/{match.seq}/correct/", sent).status_code == 302
    correction = newest()
    assert correction.kind == Revision.Kind.CORRECTION
    assert other_names(club) == {"Bo Lie": "bo-li"}
    undo(desk, correction)
    assert other_names(club) == {}


def give_again(club: League) -> None:
    forget(club, "Bo Lee")
    add_spelling(player=bo_li(club), name="bo lee", is_public=False, actor=None)


def show(club: League) -> None:
    show_spelling(player=bo_li(club), name="Bo Lee", is_public=True, actor=None)


def bear(club: League) -> None:
    rename_player(player=bo_li(club), name="Bo Lee", actor=None)
    rename_player(player=bo_li(club), name="Bo Li", actor=None)


@pytest.mark.parametrize("take_up", [give_again, show, bear])
def test_a_spelling_that_somebody_made_a_players_own_stays(
    desk: Desk, club: League, take_up: Callable[[League], None]
) -> None:
    night = entered(desk, **ANSWER)
    take_up(club)
    undo(desk, night)
    assert {name.lower() for name in other_names(club)} == {"bo lee"}


def test_a_spelling_is_the_nights_that_was_answered_for_last(desk: Desk, club: League) -> None:
    first = entered(desk, **ANSWER)
    forget(club, "Bo Lee")
    second = entered(desk, "Cy - Bo Lee 3-1", **ANSWER)
    undo(desk, first)
    assert other_names(club) == {"Bo Lee": "bo-li"}
    undo(desk, second)
    assert other_names(club) == {}


def test_a_spelling_that_means_another_player_by_now_does_not_come_back(
    desk: Desk, club: League
) -> None:
    undoing = undo(desk, entered(desk, **ANSWER))
    entered(desk, "Cy - Bo Lee 3-1", asked=["Bo Lee"], answer=["bo"])
    back = undo(desk, undoing)
    assert other_names(club) == {"Bo Lee": "bo"}
    undo(desk, back)
    assert other_names(club) == {"Bo Lee": "bo"}


def test_a_result_that_was_moved_asks_again_from_either_season(desk: Desk, club: League) -> None:
    november = datetime(2025, 11, 1, tzinfo=UTC)
    autumn = club.seasons.get()
    autumn.ends_at = november
    autumn.save()
    winter = Season.objects.create(league=club, slug="winter", name="Winter", starts_at=november)
    add_board(season=winter, mode=mode_of(club), system="elo", name="Elo")
    match = Match.objects.earliest("seq")
    sent = {**FORM, "played_on": "2025-11-05", "season": "winter", "version": match.version}
    address = f"/l/club/m/autumn/{match.seq}/correct/"
    page = desk.client.post(address, {**sent, **ANSWER}).content.decode()
    codes = re.findall(r'name="settled"\s+value="([^"]*)"', page)
    sent["settled"] = " ".join(codes)
    assert desk.client.post(address, {**sent, **ANSWER}).status_code == 302
    assert other_names(club) == {"Bo Lee": "bo-li"}
    undo(desk, winter.revisions.get())
    assert other_names(club) == {}
    undo(desk, autumn.revisions.latest("number"))
    assert other_names(club) == {"Bo Lee": "bo-li"}
