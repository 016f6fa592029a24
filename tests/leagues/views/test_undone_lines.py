"""The lines of an undone night go back to the sheet, to be changed and entered again."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from leagues import access
from leagues.domain.named_weights import NamedWeight
from leagues.models import League, Match, Membership, Mode, NightSheet, Revision
from leagues.services.leagues import add_mode
from leagues.services.matches import correct_match, restore_match, revert_revision, void_match
from leagues.services.modes import change_named_weights
from leagues.services.stored_drafts import draft_of, drafts_of
from leagues.services.undone_lines import whole_content
from tests.leagues.page_texts import words_of
from tests.leagues.people import join, make_user
from tests.leagues.play import START
from tests.leagues.views.desk import Desk, singles_club

pytestmark = pytest.mark.django_db

LINES = """Ana - Bo 3-1 (11-7 9-11 11-5 11-8)
Cy > Dee (cup)
Uma Neu < Ana
Bo = Cy friendly
Dee wins 2-2
Ana > Dee wo
Ana - Bo ret 2-1
Bo - Cy ret 11-7 3-2
Ana +64 - Bo 3-1
Ana, Bo, Cy=Dee, Vic Neu
Ana: 31, Bo: 24, Cy: 8
Ana+Cy - Bo+Dee 21-18 19-21 21-15
19:40 Cy - Dee 3-0
Dee - Cy 3-0
23:50 Ana - Bo 1-0
0:30 Bo - Ana 1-0
Teams:
Cy+Ana > Dee+Bo (Finale)
@{after}
Ana - Cy 3-1
20:15 Ana - Cy 3-1
"""


@pytest.fixture
def club() -> League:
    club = singles_club()
    add_mode(league=club, name="Teams", actor=None, played_by=Mode.PlayedBy.TWO_TEAMS)
    add_mode(league=club, name="Melee", actor=None, played_by=Mode.PlayedBy.SEVERAL)
    weights = [NamedWeight("League", 1.0), NamedWeight("Cup", 1.5)]
    singles = club.modes.earliest("position")
    change_named_weights(mode=singles, weights=weights, actor=None)
    finals = [NamedWeight("Finale", 2.0)]
    change_named_weights(mode=club.modes.get(name="Teams"), weights=finals, actor=None)
    return club


@pytest.fixture
def kim(client: Client, club: League) -> Desk:
    client.force_login(club.memberships.get().user)
    return Desk(client, club)


def entered(kim: Desk, text: str, **more: Any) -> Revision:
    """The change by which lines were entered, with all that has to be confirmed."""
    page = kim.check(text, **more)
    codes = re.findall(r'name="settled"\s+value="([^"]*)"', page)
    response = kim.enter(text, settled=codes, **more)
    assert re.search(r"\d+ results? recorded", response.content.decode()), words_of(page)
    return Revision.objects.latest("pk")


def undo(kim: Desk, revision: Revision) -> str:
    address = f"/l/club/r/autumn/{revision.number}/undo/"
    return html.unescape(kim.client.post(address, follow=True).content.decode())


def undone_night(kim: Desk, text: str) -> tuple[Revision, Revision]:
    """The change that entered lines, and the one that has undone it."""
    night = entered(kim, text)
    undo(kim, night)
    return night, Revision.objects.latest("pk")


def put_back(kim: Desk, revision: Revision) -> str:
    """Press the button of an undone change; the desk is at the sheet then."""
    sent = {"do": "again", "change": f"autumn/{revision.number}"}
    page = kim.client.post(kim.address, sent, follow=True).content.decode()
    kim.fields |= kim.hidden(page)
    return html.unescape(page)


def entered_by(change: Revision) -> str:
    """The refusal that says by which change lines were entered again."""
    link = f'<a href="/l/club/r/autumn/{change.number}/">change {change.number}</a>'
    return f"These lines were entered again. Undo that first: {link}."


def sheet() -> NightSheet:
    return NightSheet.objects.get()


def results_of(revision: Revision, days: int = 0) -> list[Any]:
    """All that the results of a change say, so many days later."""
    matches = list(Match.objects.filter(revision=revision).select_related("mode"))
    drafts = drafts_of(matches)
    said = [whole_content(draft, match.mode) for match, draft in zip(matches, drafts, strict=True)]
    return sorted(((one[0] + timedelta(days=days), *one[1:]) for one in said), key=repr)


def test_all_that_lines_can_say_is_entered_again_on_another_day(kim: Desk, club: League) -> None:
    after = (START + timedelta(days=2)).date().isoformat()
    text = LINES.format(after=after).replace("Dee wins", "Dee - Bo")
    night = entered(kim, text)
    page = undo(kim, night)
    assert "Back to the sheet with these lines" in page
    page = put_back(kim, night)
    assert "19 lines are on the sheet again." in page
    assert "do not say all" not in page
    stored = sheet()
    assert stored.day == START.date()
    moved = (START + timedelta(days=1)).date()
    later = stored.text.replace(after, (START + timedelta(days=3)).date().isoformat())
    again = entered(kim, later, day=moved.isoformat())
    assert results_of(again) == results_of(night, days=1)
    assert not Match.objects.live().filter(revision=night).exists()
    assert not NightSheet.objects.exists()
    names = ["Uma Neu", "Vic Neu"]
    assert sorted(club.players.listed().filter(name__in=names).values_list("name", flat=True)) == (
        names
    )
    assert not club.players.filter(is_listed=False).exists()


def test_a_time_in_the_small_hours_has_its_day_above_it(kim: Desk) -> None:
    day = START.date().isoformat()
    night, _undoing = undone_night(kim, f"@{day}\nCy > Dee\n00:30 Ana - Bo 3-1\n")
    put_back(kim, night)
    assert sheet().text.splitlines()[1:] == [f"@{day}", "00:30 Ana - Bo 3-1"]
    assert results_of(entered(kim, sheet().text)) == results_of(night)


def test_lines_that_were_entered_again_do_not_come_back_as_well(kim: Desk, club: League) -> None:
    night, undoing = undone_night(kim, "Ana - Bo 3-1\nCy > Dee\n")
    put_back(kim, night)
    page = undo(kim, undoing)
    assert "These lines are on the night sheet of kim." in page
    again = entered(kim, sheet().text)
    page = undo(kim, undoing)
    assert entered_by(again) in page
    assert page.count(f"change {again.number}<") == 2
    assert "entered again by" in words_of(page)
    page = put_back(kim, night)
    assert "These lines were entered again." in page
    assert not NightSheet.objects.exists()
    assert Match.objects.live().filter(revision__in=[night, again]).count() == 2


def test_pressing_twice_and_other_lines_add_nothing_and_lose_nothing(kim: Desk) -> None:
    night, _undoing = undone_night(kim, "Ana - Bo 3-1\nAna - Bo 3-1\n")
    kim.check("Cy > Dee\n", day="2025-10-02", key="")
    put_back(kim, night)
    first = sheet().text
    put_back(kim, night)
    assert sheet().text == first
    assert first == f"Cy > Dee\n@{START.date().isoformat()}\nAna - Bo 3-1\nAna - Bo 3-1"
    kim.client.post(kim.address, {**kim.fields, "do": "discard"})
    put_back(kim, night)
    assert sheet().text == "Ana - Bo 3-1\nAna - Bo 3-1\n"


def test_corrected_results_come_as_corrected_and_what_no_line_says_is_named(
    kim: Desk, club: League
) -> None:
    night = entered(kim, "Ana - Bo 3-1\nCy > Dee\n")
    first = Match.objects.filter(revision=night).earliest("seq")
    draft = draft_of(first)

    sides = (replace(draft.sides[0], score=2), draft.sides[1])
    correct_match(
        match=first,
        draft=replace(draft, sides=sides, detail="in the rain"),
        author=None,
        reason="",
        expected_version=first.version,
    )
    revert_revision(revision=night, author=None)
    page = put_back(kim, night)
    assert "These lines do not say all of their results: Ana - Bo 2-1." in page
    assert sheet().text == "Ana - Bo 2-1\nCy > Dee\n"


def test_only_an_entry_that_is_undone_has_lines_to_put_back(kim: Desk, club: League) -> None:
    night = entered(kim, "Ana - Bo 3-1\n")
    address = f"/l/club/r/autumn/{night.number}/"
    assert "Back to the sheet" not in kim.client.get(address).content.decode()
    assert "These results count." in put_back(kim, night)
    for change in ("", "autumn", "autumn/x", "autumn/99999", "\x00/1", f"spring/{night.number}"):
        sent = {"do": "again", "change": change}
        assert kim.client.post(kim.address, sent).status_code == 404
    assert not NightSheet.objects.exists()


def test_what_was_void_before_a_night_was_undone_is_no_line_again(kim: Desk) -> None:
    night = entered(kim, "Ana - Bo 3-1\nCy > Dee\n")
    void_match(match=night.matches.earliest("seq"), author=None)
    undo(kim, night)
    undoing = Revision.objects.latest("pk")
    assert "1 line is on the sheet again." in put_back(kim, night)
    assert sheet().text == "Cy > Dee\n"
    kim.client.post(kim.address, {"do": "discard", **kim.fields})
    undo(kim, undoing)
    undo(kim, Revision.objects.latest("pk"))
    put_back(kim, night)
    assert sheet().text == "Cy > Dee\n"


def test_one_result_of_an_undone_night_that_counts_again_is_named(kim: Desk) -> None:
    night, _undoing = undone_night(kim, "Ana - Bo 3-1\nCy > Dee\n")
    match = night.matches.latest("seq")
    restore_match(match=match, author=None)
    assert f"Match {match.seq} of them counts again. Make it void first." in put_back(kim, night)


def test_lines_that_went_through_several_sheets_count_once(kim: Desk) -> None:
    first, first_undo = undone_night(kim, "Ana - Bo 3-0\n")
    put_back(kim, first)
    second, second_undo = undone_night(kim, "Ana - Bo 3-1\n")
    put_back(kim, second)
    third = entered(kim, "Ana - Bo 3-2\n")
    for undoing in (first_undo, second_undo):
        assert entered_by(third) in undo(kim, undoing)
    for change in (first, second):
        assert "These lines were entered again." in put_back(kim, change)
    assert [match.revision_id for match in Match.objects.live().filter(revision__gte=first.pk)] == [
        third.pk
    ]


def test_a_sheet_remembers_both_nights_whose_lines_it_has(kim: Desk) -> None:
    nights = [entered(kim, "Ana - Bo 3-0\n"), entered(kim, "Cy - Dee 3-0\n")]
    undoings = []
    for night in nights:
        undo(kim, night)
        undoings.append(Revision.objects.latest("pk"))
        put_back(kim, night)
    for undoing in undoings:
        assert "These lines are on the night sheet of kim." in undo(kim, undoing)
    again = entered(kim, sheet().text)
    for undoing in undoings:
        assert entered_by(again) in undo(kim, undoing)


def test_an_undo_of_an_undo_of_an_undo_brings_nothing_back_beside_its_lines(kim: Desk) -> None:
    night = entered(kim, "Ana - Bo 3-0\n")
    for _time in range(3):
        undo(kim, Revision.objects.latest("pk"))
    last = Revision.objects.latest("pk")
    put_back(kim, night)
    assert "These lines are on the night sheet of kim." in undo(kim, last)
    again = entered(kim, sheet().text)
    assert entered_by(again) in undo(kim, last)
    undo(kim, again)
    undo(kim, last)
    assert Match.objects.live().filter(revision=night).exists()


def test_two_people_do_not_put_the_same_lines_on_two_sheets(kim: Desk, club: League) -> None:
    night, undoing = undone_night(kim, "Ana - Bo 3-0\n")
    put_back(kim, night)
    pat = make_user("pat")
    join(club, pat, Membership.Role.ORGANIZER)
    other = Client()
    other.force_login(pat)
    said = "These lines are on the night sheet of kim already."
    addresses = [f"/l/club/r/autumn/{one.number}/" for one in (night, undoing)]
    for address in addresses:
        page = other.get(address).content.decode()
        assert (said in page, "Back to the sheet" in page) == (True, False)
        # Who has them goes on there, and whoever cannot take them reads no name.
        assert "Back to the sheet" in kim.client.get(address).content.decode()
        assert "night sheet of" not in Client().get(address).content.decode()
    page = put_back(Desk(other, club), night)
    assert said in page
    assert not NightSheet.objects.filter(author=pat).exists()
    kim.client.post(kim.address, {**kim.fields, "do": "discard"})
    assert "1 line is on the sheet again." in put_back(Desk(other, club), night)


def test_who_may_not_undo_a_change_cannot_take_its_lines(kim: Desk, club: League) -> None:
    night, _undoing = undone_night(kim, "Ana - Bo 3-0\n")
    join(club, sam := make_user("sam"), Membership.Role.SCORER)
    client = Client()
    client.force_login(sam)
    assert (
        "Back to the sheet" not in client.get(f"/l/club/r/autumn/{night.number}/").content.decode()
    )
    sent = {"do": "again", "change": f"autumn/{night.number}"}
    assert client.post(kim.address, sent).status_code == 403
    assert not NightSheet.objects.exists()


@pytest.mark.parametrize("is_late", [False, True])
def test_the_button_goes_by_the_age_of_the_entry(
    club: League, monkeypatch: pytest.MonkeyPatch, is_late: bool
) -> None:
    """A scorer undid a night within its day, and looks at the undo when that has passed."""
    join(club, sam := make_user("sam"), Membership.Role.SCORER)
    client = Client()
    client.force_login(sam)
    desk = Desk(client, club)
    night = entered(desk, "Ana - Bo 3-0\n", day=timezone.now().date().isoformat())
    undo(desk, night)
    undoing = Revision.objects.latest("pk")
    if is_late:
        now = night.created_at + access.OWN_ENTRY + timedelta(microseconds=1)
        monkeypatch.setattr(access, "timezone", SimpleNamespace(now=lambda: now))
    for one in (night, undoing):
        page = client.get(f"/l/club/r/autumn/{one.number}/").content.decode()
        assert ("Back to the sheet" in page) is not is_late
    sent = {"do": "again", "change": f"autumn/{night.number}"}
    assert client.post(desk.address, sent).status_code == (403 if is_late else 302)


def test_other_lines_in_the_place_of_those_put_back_do_not_stand_for_them(kim: Desk) -> None:
    night, undoing = undone_night(kim, "Ana - Bo 3-0\n")
    put_back(kim, night)
    entered(kim, "Cy - Dee 3-0\n")
    undo(kim, undoing)
    assert Match.objects.live().filter(revision=night).exists()


def test_an_emptied_sheet_holds_no_lines_of_an_undone_night(kim: Desk) -> None:
    night, undoing = undone_night(kim, "Ana - Bo 3-0\n")
    put_back(kim, night)
    kim.check("")
    kim.check("Cy - Dee 3-0\n")
    undo(kim, undoing)
    assert Match.objects.live().filter(revision=night).exists()


def test_seconds_of_a_message_are_no_part_of_a_result(kim: Desk) -> None:
    night = entered(kim, "[12.11.26, 19:31:40] Kim: Ana - Bo 3-1\n")
    undo(kim, night)
    page = put_back(kim, night)
    assert "1 line is on the sheet again." in page
    assert "do not say all" not in page
