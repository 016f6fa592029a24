"""Lines that the mode of their night sheet is not for: asked about and recorded together."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from leagues.domain.civil_days import day_of
from leagues.domain.named_weights import NamedWeight
from leagues.domain.score_rules import read_rule
from leagues.jobs.runner import drain
from leagues.models import League, Match, Membership, Mode, NightSheet, Revision
from leagues.services.integrity import check_board
from leagues.services.leagues import add_mode
from leagues.services.matches import revert_revision
from leagues.services.modes import change_named_weights, change_played_by, change_score_rule
from tests.leagues.page_texts import words_of
from tests.leagues.people import join, make_user
from tests.leagues.play import mode_of
from tests.leagues.views.desk import Desk, singles_club

pytestmark = pytest.mark.django_db

PlayedBy = Mode.PlayedBy
LINES = "Ana > Bo\nAna+Cy > Bo+Dee\nCy > Dee\nAna+Dee > Bo+Cy"
RADIO = re.compile(
    r'<input type="radio" id="lines-teams-(\w+)" name="lines_teams"\s+[^>]*?(checked)?>'
)


@pytest.fixture
def club() -> League:
    return singles_club()


def singles_of(club: League) -> Mode:
    return club.modes.earliest("position")


def choices(page: str) -> list[tuple[str, bool]]:
    """The modes that are offered for lines of two teams, with which of them is chosen."""
    return [(slug, bool(checked)) for slug, checked in RADIO.findall(page)]


def test_questions_about_lines_stand_in_the_order_of_the_lines(kim: Desk, doubles: Mode) -> None:
    add_mode(league=doubles.league, name="Mixed", actor=None, played_by=PlayedBy.TWO_TEAMS)
    words = words_of(kim.check("Ana > Bo\nAna+Cy > Bo+Dee\nCy > Dee\nAna > Bo > Cy"))
    assert 0 < words.index("Line 2: two teams") < words.index("Line 4: three or more sides")


def test_all_lines_that_fit_another_mode_are_asked_about_at_once(kim: Desk, doubles: Mode) -> None:
    add_mode(league=doubles.league, name="Mixed", actor=None, played_by=PlayedBy.TWO_TEAMS)
    page = kim.check(LINES)
    assert words_of(page).count("Lines 2 and 4: two teams, such as a doubles.") == 2
    assert "“Blitz” is for one player against one. " in words_of(page)
    assert choices(page) == [("doubles", False), ("mixed", False), ("blitz", False)]
    assert "Record these 2 lines in “Doubles”" in page
    assert "Record them in “Blitz” all the same" in page
    assert 'name="settled"' not in page and 'value="enter"' not in page
    assert "2 lines to decide on" in words_of(page)
    assert re.findall(r'<span class="tag">([^<]*)</span>', page) == ["Blitz", "Blitz"]
    kim.send(LINES, status=422, do="enter")
    assert Match.objects.count() == 2


def test_what_only_one_mode_is_for_is_recorded_there_and_can_be_changed(
    kim: Desk, doubles: Mode
) -> None:
    page = kim.check(LINES)
    assert "Lines 2 and 4: two teams, such as a doubles. Recorded in “Doubles”." in words_of(page)
    assert choices(page) == [("doubles", True), ("blitz", False)]
    assert "to decide on" not in words_of(page)
    kim.enter(LINES)
    modes = Match.objects.order_by("-seq").values_list("mode__name", flat=True)
    assert list(modes[:4]) == ["Doubles", "Blitz", "Doubles", "Blitz"]


def test_one_against_two_is_asked_about(kim: Desk, doubles: Mode) -> None:
    text = "Ana/Bo - Cy 3-1\nAna/Bo - Cy/Dee 3-1"
    page = kim.check(text)
    said = "This result has 2 players against 1. No name is missing, record it"
    assert f"Line 1 : {said}" in words_of(page)
    assert words_of(page).count(said) == 1
    (code,) = re.findall(r'name="settled" value="([^"]*)"', page)
    assert kim.enter(text).status_code == 422
    assert "2 results recorded" in kim.enter(text, settled=code).content.decode()
    # Of what anybody may play in, one against two is as good as any other.
    change_played_by(mode=doubles, played_by=PlayedBy.ANYONE, actor=None)
    sheet = {"mode": "doubles"}
    assert "name is missing" not in Desk(kim.client, doubles.league).check(text, **sheet)


def test_a_free_for_all_has_points(kim: Desk, club: League) -> None:
    party = add_mode(league=club, name="Party", actor=None, played_by=PlayedBy.SEVERAL)
    page = kim.check("Ana: 10, Bo: 8 = Cy: 8, Dee: 7", mode="party")
    meanings = words_of(page).partition("What the lines say")[2]
    assert "Ana: 10, Bo: 8 = Cy: 8, Dee: 7" in meanings
    assert 'name="settled"' not in kim.check("Ana: 10, Bo: 8, Cy: 7", mode="party")
    kim.enter("Ana: 10, Bo: 8, Cy: 7", mode="party")
    match = Match.objects.get(mode=party)
    rows = match.participants.order_by("rank").values_list("player__name", "score")
    assert list(rows) == [("Ana", 10), ("Bo", 8), ("Cy", 7)]
    # The order says who won; points against it are asked about.
    assert 'name="settled"' in kim.check("Ana: 1, Bo: 8, Cy: 7", mode="party")


def test_the_answer_is_a_part_of_the_draft(kim: Desk, club: League, doubles: Mode) -> None:
    kim.send(LINES, part=True, lines_teams="doubles")
    assert NightSheet.objects.get().line_modes == {"teams": "doubles"}
    reloaded = html.unescape(kim.client.get(kim.address).content.decode())
    assert choices(reloaded) == [("doubles", True), ("blitz", False)]
    # It holds for later lines, too, and while there is none.
    page = kim.send("Ana > Bo", part=True, lines_teams="doubles")
    assert '<input type="hidden" name="lines_teams" value="doubles">' in page
    # Another device has its lines, and its answer, too.
    phone = Desk(kim.client, club)
    kim.send(LINES, part=True, lines_teams="doubles")
    page = phone.send("Ana+Bo > Cy+Dee", part=True, version="0", writer="")
    assert "changed elsewhere" in page and "Record these 3 lines in “Doubles”" in page
    assert choices(page) == [("doubles", True), ("blitz", False)]


def test_a_form_that_cannot_be_saved_keeps_the_answers(kim: Desk, doubles: Mode) -> None:
    answers = {"asked": ["anna"], "answer": ["ana"], "lines_teams": "doubles"}
    page = kim.send(LINES, status=422, do="check", day="31.2.", **answers)
    assert "Not saved." in page
    assert '<input type="hidden" name="lines_teams" value="doubles">' in page
    assert '<input type="hidden" name="asked" value="anna">' in page


def test_a_night_of_two_modes_is_one_change_and_one_undo(
    kim: Desk, club: League, doubles: Mode
) -> None:
    page = kim.check(LINES, lines_teams="doubles")
    assert "4 results 2 in “Blitz” 2 in “Doubles”" in words_of(page)
    tags = re.findall(r'<span class="tag">([^<]*)</span>', page)
    assert tags == ["Blitz", "Doubles", "Blitz", "Doubles"]
    response = kim.enter(LINES, lines_teams="doubles")
    shown = html.unescape(response.content.decode())
    assert "4 results recorded" in shown
    revision = Revision.objects.latest("pk")
    modes = revision.matches.order_by("seq").values_list("mode__name", flat=True)
    assert list(modes) == ["Blitz", "Doubles", "Blitz", "Doubles"]
    assert revision.summary["matches"] == 4
    drain()
    assert not NightSheet.objects.exists()
    for board in club.boards.all():
        assert board.rated_matches == (2 if board.mode == doubles else 4)
        assert not check_board(board).differences
    report = words_of(
        html.unescape(kim.client.get(response.redirect_chain[-1][0]).content.decode())
    )
    assert "Climbers, Blitz" in report and "Climbers, Doubles" in report
    assert "Doubles: Most rating gained: Ana" in report
    assert "Blitz: Ana beat Bo Cy beat Dee Doubles: Ana + Cy beat Bo + Dee" in report
    assert "Ana > Bo Blitz" in report and "Ana + Cy > Bo + Dee Doubles" in report
    revert_revision(revision=revision, author=None)
    drain()
    assert {board.rated_matches for board in club.boards.filter(mode=doubles)} == {0}
    assert {board.rated_matches for board in club.boards.exclude(mode=doubles)} == {2}


def test_one_answer_records_all_of_them_in_the_mode_of_the_sheet(kim: Desk, doubles: Mode) -> None:
    page = kim.check(LINES, lines_teams="blitz")
    assert choices(page) == [("doubles", False), ("blitz", True)]
    assert 'name="settled"' not in page
    assert "4 results recorded" in kim.enter(LINES, lines_teams="blitz").content.decode()
    assert {match.mode.slug for match in Match.objects.all()} == {"blitz"}


def test_where_nothing_fits_it_is_added_and_leads_back_to_the_sheet(
    kim: Desk, club: League
) -> None:
    change_score_rule(mode=mode_of(club), rule=read_rule("sets 5"), actor=None)
    page = kim.check(LINES)
    assert choices(page) == [("blitz", False)]
    (address,) = re.findall(r'<a href="([^"]*)">Add it under another name</a>', page)
    settings = kim.client.get(address.partition("#")[0]).content.decode()
    assert 'value="Doubles"' in settings
    assert re.search(r'value="two_teams"[^>]* checked', settings)
    sent = {"name": "Doubles", "played_by": "two_teams"}
    back = kim.client.post(address.partition("#")[0], sent, follow=True)
    assert back.redirect_chain[-1][0] == kim.address
    shown = html.unescape(back.content.decode())
    assert "“Doubles” was added" in shown and "Ana > Bo\nAna+Cy > Bo+Dee" in shown
    assert choices(shown) == [("doubles", True), ("blitz", False)]
    assert "to decide on" not in words_of(shown)
    assert club.modes.get(name="Doubles").score_rule == "sets 5"


def test_one_button_adds_it_and_the_lines_are_recorded_in_it(kim: Desk, club: League) -> None:
    change_score_rule(mode=mode_of(club), rule=read_rule("sets 5"), actor=None)
    page = kim.check(LINES)
    button = '<button class="btn" name="add" value="teams">Add “Doubles” to what is played</button>'
    assert button in page
    sent = {**kim.fields, "text": LINES + "Ana > Cy\n", "add": "teams"}
    back = kim.client.post(kim.address, sent, follow=True)
    assert back.redirect_chain == [(kim.address, 302)]
    shown = html.unescape(back.content.decode())
    assert "“Doubles” was added" in shown and "Bo+Dee" in shown
    assert "Ana > Cy" in shown, "what was typed since the check is saved"
    assert choices(shown) == [("doubles", True), ("blitz", False)]
    doubles = club.modes.get(name="Doubles")
    assert (doubles.score_rule, doubles.played_by) == ("sets 5", "two_teams")
    assert club.boards.filter(mode=doubles).exists()
    # A second press of the same page adds nothing, and asks for another name.
    again = kim.client.post(kim.address, sent)
    assert again["Location"].startswith("/l/club/settings/modes/?for=teams")
    assert club.modes.count() == 2


def test_where_the_usual_name_is_taken_it_is_named_first(kim: Desk, club: League) -> None:
    add_mode(league=club, name="Doubles", actor=None, played_by=PlayedBy.TWO_PLAYERS)
    page = kim.check(LINES)
    assert 'name="add"' not in page
    assert re.search(r'<a href="[^"]*for=teams#add">Add “Doubles” to what is played</a>', page)


@pytest.mark.parametrize("role", [Membership.Role.SCORER, None])
def test_who_may_not_change_settings_adds_nothing(club: League, role: str | None) -> None:
    lee, client = make_user("lee"), Client()
    if role:
        join(club, lee, role)
    client.force_login(lee)
    sent = {"text": LINES, "mode": "blitz", "day": "2025-10-02", "add": "teams"}
    assert client.post("/l/club/night/", sent).status_code == 403
    assert club.modes.count() == 1


@pytest.fixture
def cricket(club: League) -> Mode:
    return add_mode(league=club, name="Crickét 2", actor=None, played_by=PlayedBy.TWO_PLAYERS)


HEADED = "@2.10.2025\nAna > Bo\ncricket 2 :\nCy > Dee\n@3.10.2025\nAna > Cy\nBlitz:\nBo > Dee"


def test_a_line_names_what_those_below_it_are_recorded_in(
    kim: Desk, club: League, cricket: Mode
) -> None:
    page = kim.check(HEADED)
    shown = words_of(page)
    assert "“Crickét 2”, for the lines below" in shown
    assert "2 in “Blitz” 2 in “Crickét 2”" in shown
    assert choices(page) == []
    assert "4 results recorded" in kim.enter(HEADED).content.decode()
    entered = Match.objects.order_by("seq")[2:]
    days = [(match.mode.name, day_of(match.played_at, club.zone).day) for match in entered]
    assert days == [("Blitz", 2), ("Crickét 2", 2), ("Crickét 2", 3), ("Blitz", 3)]
    drain()
    for board in club.boards.all():
        assert check_board(board).differences == ()


def test_lines_below_a_heading_go_by_its_rules(kim: Desk, club: League, cricket: Mode) -> None:
    change_score_rule(mode=cricket, rule=read_rule("sets 5"), actor=None)
    cup = NamedWeight("Cup", 1.5)
    change_named_weights(mode=cricket, weights=[cup], actor=None)
    page = kim.check('Ana > Bo\nCricket 2:\nCy Dee 9-1\n" 3-1 cup')
    assert re.search(r'id="line-3" value="3"\s+class="look"', page)
    assert "Cup" in words_of(page.partition('id="line-4"')[2])
    kim.check("Cricket 2:\nCy Dee 3-1 cup")
    kim.enter("Cricket 2:\nCy Dee 3-1 cup")
    assert Match.objects.latest("seq").weight == 1.5


def test_what_does_not_fit_the_named_mode_is_asked_about_as_ever(
    kim: Desk, club: League, cricket: Mode
) -> None:
    page = kim.check("Cricket 2:\nAna+Cy > Bo+Dee\nAna > Bo")
    assert choices(page) == [("blitz", False)]
    assert "Line 2: two teams" in words_of(page)


def test_a_heading_makes_a_sheet_for_doubles_one_of_both(
    kim: Desk, club: League, doubles: Mode, cricket: Mode
) -> None:
    text = "Ana+Cy > Bo+Dee\nCricket 2:\nAna > Bo"
    page = kim.check(text, mode="doubles")
    assert choices(page) == [] and "to decide on" not in words_of(page)
    kim.enter(text, mode="doubles")
    assert [match.mode.name for match in Match.objects.order_by("seq")[2:]] == [
        *("Doubles", "Crickét 2")
    ]


def test_what_names_no_mode_is_no_heading(kim: Desk, cricket: Mode) -> None:
    page = kim.check("Darts:\nAna > Bo")
    assert "1 line to correct" in words_of(page)
    assert "for the lines below" not in words_of(page)
    help_of = kim.client.get(kim.address).content.decode()
    assert '<th scope="row" class="mono nw">Crickét 2:</th>' in help_of


def test_two_pages_merge_under_their_headings(kim: Desk, club: League, cricket: Mode) -> None:
    other = Desk(kim.client, club)
    kim.send("Ana > Bo\nCricket 2:\nCy > Dee", part=True)
    other.send("Cricket 2:\nAna > Cy\nCy > Dee\nBlitz:\nAna > Bo\nBo > Cy", part=True)
    assert NightSheet.objects.get().text == (
        "Ana > Bo\nCricket 2:\nCy > Dee\nAna > Cy\nBlitz:\nBo > Cy"
    )


def test_what_is_for_anyone_fits_where_nothing_is_for_teams_alone(kim: Desk, club: League) -> None:
    add_mode(league=club, name="Practice", actor=None)
    assert choices(kim.check(LINES)) == [("practice", False), ("blitz", False)]
    for name in ("Doubles", "Teams"):
        add_mode(league=club, name=name, actor=None, played_by=PlayedBy.TWO_TEAMS)
    page = kim.check(LINES)
    assert [slug for slug, _chosen in choices(page)] == ["doubles", "teams", "blitz"]


def test_who_may_not_add_it_is_told_who_may(club: League) -> None:
    lee, client = make_user("lee"), Client()
    join(club, lee, Membership.Role.SCORER)
    client.force_login(lee)
    page = Desk(client, club).check(LINES)
    assert "An organizer can add “Doubles” to what is played here." in page
    assert "/settings/" not in page


def test_an_answer_holds_only_for_a_mode_that_fits_or_the_sheets_own(
    kim: Desk, club: League, doubles: Mode
) -> None:
    add_mode(league=club, name="Rapid", actor=None, played_by=PlayedBy.TWO_PLAYERS)
    for sent in ("rapid", "chess", "", "\x00"):
        page = kim.check(LINES, lines_teams=sent)
        assert choices(page) == [("doubles", True), ("blitz", False)]
    # The sheet is changed to another mode: what was said of its own holds no more.
    page = kim.check(LINES, lines_teams="blitz", mode="rapid")
    assert choices(page) == [("doubles", True), ("rapid", False)]
    page = kim.check(LINES, mode="doubles")
    assert "Lines 1 and 3: one player a side." in words_of(page)
    assert "“Doubles” is for two teams." in words_of(page)


def test_each_line_is_checked_by_the_rules_of_its_own_mode(
    kim: Desk, club: League, doubles: Mode
) -> None:
    change_score_rule(mode=singles_of(club), rule=read_rule("sets 5"), actor=None)
    change_score_rule(mode=doubles, rule=read_rule("sets 3"), actor=None)
    change_named_weights(mode=doubles, weights=[NamedWeight("Cup", 2.0)], actor=None)
    lines = "Ana > Bo 3-1\nAna+Cy - Bo+Dee 3-1 cup\nAna+Cy - Bo+Dee 2-1\nAna+Cy - Bo+Dee 2-1"
    page = kim.check(lines, lines_teams="doubles")
    asked = [" ".join(one.split()) for one in re.findall(r"Line \d</a>: ([^<]*)<b>", page)]
    assert len(asked) == 2 and asked[0].startswith("3–1 is not possible:")
    assert asked[1].startswith("Line 3 says the same.")
    assert "Cup ×2" in page
    # The singles have no such kind of match.
    page = kim.check("Ana > Bo (cup)", lines_teams="doubles")
    assert "“Blitz” has no kind of match called “Cup”." in page


def test_an_empty_sheet_shows_a_line_of_all_that_is_played_its_own_first(
    kim: Desk, club: League, doubles: Mode
) -> None:
    def shown(mode: str) -> list[str]:
        page = kim.send("", mode=mode)
        return re.findall(r'placeholder="([^"]*)"', page)[0].split("\n")

    assert shown("blitz") == ["ana bo 3-1", "ana+cy bo+di 21-18 19-21 21-15"]
    assert shown("doubles") == ["ana+cy bo+di 21-18 19-21 21-15", "ana bo 3-1"]


def test_a_sheet_of_any_number_asks_nothing(kim: Desk, club: League, doubles: Mode) -> None:
    change_played_by(mode=singles_of(club), played_by=PlayedBy.ANYONE, actor=None)
    page = kim.check(LINES)
    assert choices(page) == [] and "Enter 4 results" in page
