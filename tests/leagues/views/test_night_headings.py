"""What lines of a night sheet are recorded in: another choice, headings of other games."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client

from leagues.models import League, Match, Membership, Mode, NightSheet
from leagues.services.leagues import add_mode
from leagues.services.modes import change_played_by
from tests.leagues.page_texts import words_of
from tests.leagues.people import join, make_user
from tests.leagues.play import mode_of
from tests.leagues.views.desk import Desk, singles_club
from tests.leagues.views.test_night_lines import LINES

pytestmark = pytest.mark.django_db

PlayedBy = Mode.PlayedBy


@pytest.fixture
def club() -> League:
    return singles_club()


@pytest.fixture
def cricket(club: League) -> Mode:
    return add_mode(league=club, name="Crickét 2", actor=None, played_by=PlayedBy.TWO_PLAYERS)


def lines_of_sheet(page: str) -> list[str]:
    (text,) = re.findall(r"<textarea name=\"text\"[^>]*>([^<]*)</textarea>", page)
    return str(text).strip().split("\n")


def test_lines_typed_so_far_stay_in_their_mode_when_another_one_is_chosen(
    kim: Desk, club: League, cricket: Mode
) -> None:
    kim.check("@2.10.2025\nAna > Bo")
    kim.fields |= {"mode": cricket.slug, "scores_of": "blitz"}
    page = kim.check("@2.10.2025\nAna > Bo")
    assert lines_of_sheet(page) == ["Blitz:", "@2.10.2025", "Ana > Bo", "Crickét 2:"]
    assert (
        "The lines above stay in “Blitz”, those that follow are recorded in “Crickét 2”"
        in words_of(page)
    )
    text = "Blitz:\n@2.10.2025\nAna > Bo\nCrickét 2:\nCy > Dee\n"
    kim.fields |= {"scores_of": cricket.slug}
    page = kim.check(text)
    assert "2 results 1 in “Blitz” 1 in “Crickét 2”" in words_of(page)
    assert "The lines above stay" not in words_of(page)
    # And back: the heading that has no line below goes.
    kim.fields |= {"mode": "blitz"}
    page = kim.check(text)
    assert lines_of_sheet(page)[-1] == "Blitz:"
    kim.fields |= {"mode": cricket.slug, "scores_of": "blitz"}
    page = kim.check(f"{text}Blitz:\n")
    assert lines_of_sheet(page) == text.strip().split("\n")
    assert "2 results recorded" in kim.enter(text).content.decode()
    modes = Match.objects.order_by("seq").values_list("mode__name", flat=True)
    assert list(modes)[2:] == ["Blitz", "Crickét 2"]


@pytest.mark.parametrize(
    "heading", ["Cricket 2 🎯", "🎯 crickét 2:", "Cricket 2 🎯:", "Cricket 2: 🎯"]
)
def test_emoji_around_a_heading_are_no_part_of_it(
    kim: Desk, club: League, cricket: Mode, heading: str
) -> None:
    page = kim.check(f"Ana > Bo\n{heading}\nCy > Dee")
    assert "2 results 1 in “Blitz” 1 in “Crickét 2”" in words_of(page)
    cricket.name = "🎯 Darts"
    cricket.save()
    assert "1 in “🎯 Darts”" in words_of(kim.check("Ana > Bo\nDarts:\nCy > Dee"))


def test_the_script_is_told_the_heading_of_the_lines_above(
    kim: Desk, club: League, cricket: Mode
) -> None:
    kim.send("Ana > Bo", part=True)
    sent: dict[str, Any] = {"mode": cricket.slug, "scores_of": "blitz"}
    page = kim.send("Ana > Bo\nCrickét 2:\nCy > Dee", part=True, **sent)
    assert 'data-above="Blitz:"' in page
    assert NightSheet.objects.get().text == "Blitz:\nAna > Bo\nCrickét 2:\nCy > Dee\n"
    # The answer may be lost: what the page sends again is headed once.
    kim.send("Ana > Bo\nCrickét 2:\nCy > Dee", part=True, **sent)
    assert NightSheet.objects.get().text.count("Blitz:") == 1


def test_without_lines_another_mode_is_only_chosen(kim: Desk, cricket: Mode) -> None:
    page = kim.check("@2.10.2025\n# tonight", mode=cricket.slug, scores_of="blitz")
    assert lines_of_sheet(page) == ["@2.10.2025", "# tonight"]
    assert "The lines above stay" not in words_of(page)


def test_singles_and_doubles_need_no_headings(kim: Desk, doubles: Mode) -> None:
    page = kim.check(LINES, mode="doubles", scores_of="blitz")
    assert lines_of_sheet(html.unescape(page)) == LINES.split("\n")
    shown = kim.client.get(kim.address).content.decode()
    assert "Lines typed so far" not in shown and "data-headings" not in shown


def test_each_line_says_what_it_is_recorded_in_where_its_players_do_not(
    kim: Desk, cricket: Mode
) -> None:
    page = kim.check("Ana > Bo\nCy > Dee")
    assert re.findall(r'<span class="tag">([^<]*)</span>', page) == ["Blitz", "Blitz"]
    assert "Lines typed so far stay in what they are recorded in." in page
    assert f'data-mode="{cricket.slug}"' in page


def test_the_name_of_a_mode_needs_no_colon(kim: Desk, cricket: Mode) -> None:
    page = kim.check("cricket 2\nAna > Bo\nblitz\nCy > Dee")
    assert "1 in “Crickét 2” 1 in “Blitz”" in words_of(page)


def test_the_numbers_of_the_modes_add_up_to_the_results(kim: Desk, doubles: Mode) -> None:
    page = kim.check("Ana > Bo\nAna > Ana\nAna+Cy > Bo+Dee")
    assert "2 results 1 in “Blitz” 1 in “Doubles” 1 line to correct" in words_of(page)


def test_players_of_the_lines_can_be_tapped_after_a_check(kim: Desk, club: League) -> None:
    page = kim.check("Dee > Bo\nZoe > Bo")
    taps = re.findall(r'data-name="([^"]*)"', page)
    assert {"Dee", "Bo"} < set(taps)
    # They stay in their places, whoever is on the next line.
    assert re.findall(r'data-name="([^"]*)"', kim.check("Zoe > Bo\nCy > Ana")) == taps
    newcomers = page.partition('<datalist id="newcomers">')[2].partition("</datalist>")[0]
    assert "Zoe" in newcomers


def test_a_free_for_all_is_tapped_in_the_order_of_the_places(kim: Desk, club: League) -> None:
    change_played_by(mode=mode_of(club), played_by=PlayedBy.SEVERAL, actor=None)
    page = kim.client.get(kim.address).content.decode()
    assert "data-order" in page and "Add the line" in page
    assert "walkover</button>" not in page


def test_a_heading_of_what_is_not_played_says_so_and_leads_to_adding_it(
    kim: Desk, club: League
) -> None:
    page = kim.check("Ana > Bo\nCricket 2:\nCy > Dee")
    assert "“Cricket 2” is not played here. Add “Cricket 2” to what is played" in words_of(page)
    assert "names one side" not in page
    (address,) = re.findall(r'<a href="([^"]*name=Cricket[^"]*)"', page)
    settings = kim.client.get(address.partition("#")[0]).content.decode()
    assert 'value="Cricket 2"' in settings
    assert re.search(r'value="two_players"[^>]* checked', settings)
    sent = {"name": "Cricket 2", "played_by": "two_players"}
    back = kim.client.post(address.partition("#")[0], sent, follow=True)
    assert back.redirect_chain[-1][0] == kim.address
    shown = words_of(html.unescape(back.content.decode()))
    assert "1 in “Blitz” 1 in “Cricket 2”" in shown
    assert NightSheet.objects.get().line_modes == {}


@pytest.mark.parametrize(
    ("lines", "played_by"),
    [
        ("Ana+Bo > Cy+Dee\nAna+Cy > Bo+Dee", "two_teams"),
        ("Ana, Bo, Cy", "several"),
        ("Ana > Bo", "two_players"),
        ("Ana > Bo\nAna+Bo > Cy+Dee", ""),
    ],
)
def test_what_is_added_for_a_heading_is_for_who_plays_below_it(
    kim: Desk, cricket: Mode, lines: str, played_by: str
) -> None:
    page = kim.check(f"Ana > Bo\nKicker:\n{lines}\nCrickét 2:\nCy > Dee\nTarock:\n@yesterday")
    addresses = re.findall(r'<a href="([^"]*name=[^"]*)"', page)
    settings = kim.client.get(html.unescape(addresses[0]).partition("#")[0]).content.decode()
    chosen = re.findall(r'name="played_by"[^>]*value="(\w*)"[^>]* checked', settings)
    assert chosen == [played_by] * bool(played_by)
    assert "for=pair" in addresses[1], "without lines it is for who plays on the sheet"


def test_lines_below_a_heading_of_what_is_not_played_are_asked_nothing_else(
    kim: Desk, cricket: Mode
) -> None:
    text = "Kicker:\nAna+Bo > Cy+Dee\nAna+Bo > Cy+Dee\nBlitz:\nCy > Dee"
    page = kim.check(text)
    assert "is for one player against one" not in page
    assert "What is it recorded in?" not in page and "says the same" not in page
    assert re.findall(r'<span class="tag">([^<]*)</span>', page) == ["Kicker", "Kicker", "Blitz"]
    assert "3 results 1 line to correct" in words_of(page)
    add_mode(league=cricket.league, name="Kicker", actor=None, played_by=PlayedBy.TWO_TEAMS)
    assert "2 in “Kicker” 1 in “Blitz”" in words_of(kim.check(text))


def test_a_name_alone_above_a_match_says_how_it_becomes_a_heading(kim: Desk) -> None:
    page = words_of(kim.check("Kicker\nAna+Bo > Cy+Dee"))
    assert "If the lines below were played in “Kicker”, write “Kicker:”." in page


@pytest.mark.parametrize(
    "line",
    [
        *("Crickét 2: Ana - Dee 3-2", "cricket 2: Ana Dee 3-2", "🎯 Cricket 2: Ana - Dee 3-2"),
        *("19:40 Cricket 2: Ana - Dee 3-2", "[20:15] Kim: Cricket 2: Ana - Dee 3-2"),
        "- Cricket 2: Ana\tDee\t3-2",
    ],
)
def test_a_line_can_name_what_its_match_was_played_in(
    kim: Desk, club: League, cricket: Mode, line: str
) -> None:
    text = f"Ana > Bo\n{line}\nDee > Cy"
    page = kim.check(text)
    assert "2 in “Blitz” 1 in “Crickét 2”" in words_of(page)
    assert "Ana beat Dee 3–2" in page
    kim.enter(text)
    modes = Match.objects.order_by("seq").values_list("mode__name", flat=True)
    assert list(modes)[2:] == ["Blitz", "Crickét 2", "Blitz"]


@pytest.mark.parametrize("word", ["Doppel", "Doubles"])
def test_a_word_for_who_plays_can_stand_in_front_of_a_match(
    kim: Desk, club: League, word: str
) -> None:
    add_mode(league=club, name="501 (Teams)", actor=None, played_by=PlayedBy.TWO_TEAMS)
    page = kim.check(f"Ana > Bo\n{word}: Ana+Bo - Cy+Dee 3-2\nDee > Cy")
    assert "2 in “Blitz” 1 in “501 (Teams)”" in words_of(page)


@pytest.mark.parametrize("line", ["Crikket 2:", "crickte 2"])
def test_a_heading_with_a_slip_says_what_is_played(kim: Desk, cricket: Mode, line: str) -> None:
    page = words_of(kim.check(f"Ana > Bo\n{line}\nCy > Dee"))
    assert f"“{line.rstrip(':')}” is not played here. Do you mean “Crickét 2:”?" in page
    assert "to what is played" not in page


def test_a_scorer_is_told_who_can_add_what_a_line_names(club: League) -> None:
    lee, client = make_user("lee"), Client()
    join(club, lee, Membership.Role.SCORER)
    client.force_login(lee)
    page = words_of(Desk(client, club).check("Ana > Bo\nCricket:\nCy > Dee"))
    assert "“Cricket” is not played here. An organizer can add it to what is played." in page


def test_a_name_alone_is_no_heading(kim: Desk) -> None:
    assert "The line names one side" in kim.check("Ana > Bo\nZoe")


@pytest.fixture
def two_doubles(club: League) -> list[Mode]:
    """Two things that two teams play, beside the singles."""
    return [
        add_mode(league=club, name=name, actor=None, played_by=PlayedBy.TWO_TEAMS)
        for name in ("501 (Doubles)", "Cricket doubles")
    ]


@pytest.mark.parametrize("heading", ["Doubles:", "Doppel:", "🎯 doubles:"])
def test_a_heading_that_can_mean_two_things_is_asked_about_once_and_remembered(
    kim: Desk, club: League, two_doubles: list[Mode], heading: str
) -> None:
    text = f"Ana > Bo\n{heading}\nAna+Bo > Cy+Dee\nBlitz:\nCy > Ana\n{heading}\nAna+Cy > Bo+Dee"
    page = kim.check(text)
    name = heading.strip("🎯: ")
    shown = words_of(page)
    assert shown.count(f"Lines 2 and 6: what is “{name}”?") == 2, "its legend and its sentence"
    assert "two teams, such as a doubles" not in shown and "is not played here" not in shown
    (field,) = set(re.findall(r'name="(lines_named:[^"]*)"', page))
    assert "Enter 4 results" not in page
    answered = kim.check(text, **{field: two_doubles[1].slug})
    assert "2 in “Blitz” 2 in “Cricket doubles”" in words_of(answered)
    assert "2 in “Cricket doubles”" in words_of(kim.client.get(kim.address).content.decode())
    kim.enter(text, **{field: two_doubles[1].slug})
    modes = Match.objects.order_by("seq").values_list("mode__name", flat=True)
    assert list(modes)[2:] == ["Blitz", "Cricket doubles", "Blitz", "Cricket doubles"]


def test_a_heading_that_can_mean_one_thing_is_that(
    kim: Desk, club: League, doubles: Mode, cricket: Mode
) -> None:
    page = kim.check("Doppel:\nAna+Bo > Cy+Dee\nCricket:\nAna > Cy")
    assert "1 in “Doubles” 1 in “Crickét 2”" in words_of(page)
    assert "“Doubles”, for the lines below" in page


def test_an_answer_that_names_nothing_that_is_played_is_none(
    kim: Desk, two_doubles: list[Mode]
) -> None:
    text = "Doubles:\nAna+Bo > Cy+Dee"
    page = words_of(kim.check(text, **{"lines_named:doubles": "chess"}))
    assert "1 line to decide on" in page
    page = words_of(kim.check(text, **{"lines_named:doubles": "blitz"}))
    assert "1 line to decide on" in page, "it is none of those that it can mean"


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Crickét 2: 2.10.2025", "2025-10-02"),
        ("Crickét 2: @2.10.2025", "2025-10-02"),
        ("2.10.2025 Crickét 2:", "2025-10-02"),
        ("3.10.2025 Crickét 2: gestern", "2025-10-02"),
        ("Crickét 2: #", "2025-10-01"),
        ("Crickét 2: # tonight", "2025-10-01"),
        ("Crickét 2: Home\tAway\tScore", "2025-10-01"),
        ("Crickét 2: \u200e", "2025-10-01"),
    ],
)
def test_a_heading_may_say_a_day_or_nothing_behind_its_mark(
    kim: Desk, club: League, cricket: Mode, line: str, day: str
) -> None:
    text = f"Ana > Bo\n{line}\nDee > Cy"
    page = kim.check(text)
    assert "1 in “Blitz” 1 in “Crickét 2”" in words_of(page)
    assert kim.client.get(kim.address).status_code == 200
    kim.send(text, part=True)
    kim.enter(text)
    match = Match.objects.get(mode=cricket)
    assert match.played_at.astimezone(club.zone).date().isoformat() == day


def test_a_heading_of_yesterday_keeps_its_mode_and_its_day(kim: Desk, cricket: Mode) -> None:
    page = words_of(kim.check("Ana > Bo\nCrickét 2: gestern\nDee > Cy"))
    assert "“Crickét 2”, for the lines below" in page
    assert "1 in “Crickét 2”" in page


def test_the_day_of_a_heading_that_cannot_be_is_a_problem(kim: Desk, cricket: Mode) -> None:
    page = words_of(kim.check("Crickét 2: 31.2.2025\nDee > Cy"))
    assert "is not a date" in page
    page = words_of(kim.check("Crickét 2: 1.1.2199\nDee > Cy"))
    assert "This day is in the future." in page


def test_lines_of_two_pages_keep_their_night(kim: Desk, club: League, cricket: Mode) -> None:
    other = Desk(kim.client, club)
    both = "23:30 Ana - Bo 3-1"
    kim.send(both, part=True)
    other.fields |= {"version": kim.fields["version"], "key": kim.fields["key"]}
    kim.send(f"{both}\n@2025-09-30\nCy - Dee 3-1", part=True)
    other.send(f"{both}\n0:30 Cy - Dee 3-0", part=True)
    text = NightSheet.objects.get().text
    assert text.split("\n")[-2:] == ["@2025-10-02", "0:30 Cy - Dee 3-0"]
    page = kim.client.get(kim.address).content.decode()
    kim.fields |= kim.hidden(page)
    kim.enter(text)
    last = Match.objects.order_by("seq").last()
    assert last is not None
    assert f"{last.played_at.astimezone(club.zone):%Y-%m-%d %H:%M}" == "2025-10-02 00:30"


def test_a_word_for_doubles_before_a_match_needs_no_mode_of_its_own(
    kim: Desk, club: League
) -> None:
    change_played_by(mode=mode_of(club), played_by=PlayedBy.ANYONE, actor=None)
    page = words_of(kim.check("Doppel: Ana/Bo : Cy/Dee 3:1\nEinzel: Ana 3:1 Bo"))
    assert "Ana + Bo beat Cy + Dee" in page and "2 results" in page
    assert "to correct" not in page
