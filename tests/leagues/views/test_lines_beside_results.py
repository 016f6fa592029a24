"""Results of an undone night do not come back beside their own lines, wherever these went."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from leagues.models import League, Match, Membership, NightSheet, Revision
from leagues.services import entered_again, night_sheets
from leagues.services.entry import Entered, enter_results
from leagues.services.errors import Refused
from leagues.services.matches import restore_match, revert_revision, void_match
from tests.leagues.people import join, make_user
from tests.leagues.play import START
from tests.leagues.views.desk import Desk, singles_club
from tests.leagues.views.test_undone_lines import (
    entered,
    entered_by,
    put_back,
    sheet,
    undo,
    undone_night,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> League:
    return singles_club()


@pytest.fixture
def kim(client: Client, club: League) -> Desk:
    client.force_login(club.memberships.get().user)
    return Desk(client, club)


@pytest.fixture
def pat(club: League) -> Desk:
    join(club, user := make_user("pat"), Membership.Role.ORGANIZER)
    client = Client()
    client.force_login(user)
    return Desk(client, club)


def put_back_by(desk: Desk, night: Revision) -> None:
    """Put lines back by another page, while the desk's own goes on."""
    desk.client.post(desk.address, {"do": "again", "change": f"autumn/{night.number}"})


def discard(desk: Desk) -> None:
    """Discard the sheet in another page, while the desk's own goes on."""
    desk.client.post(desk.address, {**desk.fields, "do": "discard"})


def live(*changes: Revision) -> int:
    return Match.objects.live().filter(revision__in=changes).count()


def test_lines_that_were_cut_and_pasted_do_not_count_beside_their_results(kim: Desk) -> None:
    night, undoing = undone_night(kim, "Ana - Bo 3-0\nCy > Dee\n")
    put_back(kim, night)
    text = sheet().text
    kim.check("")
    again = entered(kim, text)
    assert entered_by(again) in undo(kim, undoing)
    assert live(night, again) == 2


def test_lines_whose_sheet_was_discarded_elsewhere_do_not_count_twice(kim: Desk) -> None:
    night, undoing = undone_night(kim, "Ana - Bo 3-0\n")
    put_back(kim, night)
    text = sheet().text
    discard(kim)
    again = entered(kim, text)
    assert entered_by(again) in undo(kim, undoing)
    assert live(night, again) == 1


@pytest.mark.parametrize("line", ["Bo - Ana 0-3", "20:00 Ana - Bo 3-0 (11-7 11-5 11-8)"])
def test_what_somebody_else_typed_anew_does_not_count_beside_it(
    kim: Desk, pat: Desk, line: str
) -> None:
    night, undoing = undone_night(kim, "Ana - Bo 3-0\n")
    again = entered(pat, line)
    assert entered_by(again) in undo(kim, undoing)
    undo(pat, again)
    undo(kim, undoing)
    assert live(night, again) == 1


def test_after_any_number_of_undos_the_last_one_is_named(kim: Desk) -> None:
    night, undoing = undone_night(kim, "Ana - Bo 3-0\n")
    again = entered(kim, "Ana - Bo 3-0\n")
    undo(kim, again)
    undo_of_again = Revision.objects.latest("pk")
    undo(kim, undoing)
    assert entered_by(Revision.objects.latest("pk")) in undo(kim, undo_of_again)
    undo(kim, Revision.objects.latest("pk"))
    last = Revision.objects.latest("pk")
    undo(kim, undo_of_again)
    assert live(again) == 1
    assert entered_by(Revision.objects.latest("pk")) in undo(kim, last)
    assert live(night) == 0
    undo(kim, Revision.objects.latest("pk"))
    undo(kim, last)
    assert live(night, again) == 1


def test_equal_results_that_both_counted_come_back(kim: Desk) -> None:
    night = entered(kim, "Ana - Bo 3-0\nAna - Bo 3-0\n")
    other = entered(kim, "Ana - Bo 3-0\n")
    undo(kim, night)
    undoing = Revision.objects.latest("pk")
    # Whatever has become of the other one since, as long as it counts again.
    undo(kim, other)
    undo(kim, Revision.objects.latest("pk"))
    assert other.matches.get().version == 3
    undo(kim, undoing)
    assert live(night, other) == 3


@pytest.mark.parametrize("line", ["Ana - Bo 3-1", "Bo - Ana 3-0", "Ana - Cy 3-0"])
def test_other_results_of_that_night_are_not_in_the_way(kim: Desk, line: str) -> None:
    night, undoing = undone_night(kim, "Ana - Bo 3-0\n")
    entered(kim, f"{line}\n")
    entered(kim, "Ana - Bo 3-0\n", day=(START + timedelta(days=1)).date().isoformat())
    undo(kim, undoing)
    assert live(night) == 1


def test_lines_put_back_while_others_are_entered_are_known(
    kim: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    night, undoing = undone_night(kim, "Ana - Bo 3-0\n")
    kim.check("Cy - Dee 3-0\n")

    def slow(**given: Any) -> Entered:
        monkeypatch.setattr(night_sheets, "enter_results", enter_results)
        put_back_by(kim, night)
        return enter_results(**given)

    monkeypatch.setattr(night_sheets, "enter_results", slow)
    kim.enter("Cy - Dee 3-0\n")
    assert sheet().text.strip() == "Ana - Bo 3-0"
    assert "These lines are on the night sheet of kim." in undo(kim, undoing)
    page = kim.client.get(kim.address).content.decode()
    kim.fields |= kim.hidden(page)
    again = entered(kim, "Ana - Bo 3-2\n")
    assert not NightSheet.objects.exists()
    assert entered_by(again) in undo(kim, undoing)


def test_lines_entered_between_two_looks_are_seen(
    kim: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    night, undoing = undone_night(kim, "Ana - Bo 3-0\n")
    put_back(kim, night)

    def then_enter(name: str) -> None:
        look: Callable[[Revision], object] = getattr(entered_again, name)

        def slow(change: Revision) -> object:
            found = look(change)
            if NightSheet.objects.exists():
                entered(kim, "Ana - Bo 3-2\n")
            return found

        monkeypatch.setattr(entered_again, name, slow)

    then_enter("entered_again")
    then_enter("sheet_with_lines")
    undo(kim, undoing)
    assert live(night) == 0


def test_a_void_result_is_not_restored_beside_its_line_entered_again(kim: Desk) -> None:
    night, _undoing = undone_night(kim, "Ana - Bo 3-0\nCy > Dee\n")
    put_back(kim, night)
    again = entered(kim, sheet().text)
    with pytest.raises(Refused, match="entered again"):
        restore_match(match=night.matches.earliest("seq"), author=None)
    assert live(night, again) == 2


def test_nothing_of_two_entries_counts_twice_where_one_was_void(kim: Desk) -> None:
    night, undoing = undone_night(kim, "Ana - Bo 3-0\n")
    put_back(kim, night)
    again = entered(kim, sheet().text)
    match = again.matches.get()
    voided = void_match(match=match, author=None)
    assert voided is not None
    undo(kim, undoing)
    assert (live(night), live(again)) == (1, 0)
    with pytest.raises(Refused, match="entered again"):
        revert_revision(revision=voided, author=None)
    with pytest.raises(Refused, match="entered again"):
        restore_match(match=match, author=None)
    assert (live(night), live(again)) == (1, 0)


def test_two_equal_results_that_counted_at_once_are_both_restored(kim: Desk) -> None:
    night = entered(kim, "20:00 Ana - Bo 3-0\n21:00 Ana - Bo 3-0\n")
    first, second = night.matches.order_by("seq")
    void_match(match=first, author=None)
    assert restore_match(match=first, author=None) is not None
    voided = void_match(match=second, author=None)
    assert voided is not None
    revert_revision(revision=voided, author=None)
    assert live(night) == 2
