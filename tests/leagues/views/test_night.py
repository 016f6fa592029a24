"""The page of a night sheet, as browsers without script use it and as its script does."""

from __future__ import annotations

import html
import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from leagues import wording
from leagues.domain.named_weights import NamedWeight
from leagues.domain.score_rules import read_rule
from leagues.jobs.runner import drain
from leagues.models import League, Match, Membership, NightSheet, Player, PlayerAlias, Revision
from leagues.services.integrity import check_board, league_digest
from leagues.services.leagues import add_mode, create_league, update_league
from leagues.services.modes import change_named_weights, change_score_rule
from leagues.services.seasons import Step, take_step
from tests.leagues.imports.sender import Sender
from tests.leagues.imports.test_written_lines import standings_of
from tests.leagues.people import join, make_user
from tests.leagues.play import START, mode_of, new_club, record, result
from tests.leagues.views.desk import DAY, Desk
from tests.ratings.files.reading import read_path
from tests.ratings.files.test_written_text import lines_of
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db


def test_a_night_is_checked_previewed_entered_and_undone(kim: Desk, club: League) -> None:
    before = league_digest(club)
    text = "Ana Ruiz Bo Li 3-1\nCy > Bo Li\n"
    page = kim.check(text)
    assert "Ana Ruiz beat Bo Li 3–1" in page
    assert "Cy will be added as a new player" in page
    assert "Enter 2 results" in page
    assert "would change" in page
    assert league_digest(club) == before, "a preview writes nothing"
    response = kim.enter(text)
    shown = html.unescape(response.content.decode())
    assert response.redirect_chain[-1][0].startswith("/l/club/r/autumn/")
    assert "2 results recorded" in shown
    assert 'Ana Ruiz <span class="nw">3–1</span> Bo Li' in shown
    assert not NightSheet.objects.exists()
    assert list(Match.objects.order_by("seq").values_list("date_only", flat=True)) == [
        *(False, True, True)
    ]
    assert Revision.objects.get(number=2).matches.count() == 2


def test_what_was_played_after_midnight_is_of_the_next_day_and_still_of_this_sheet(
    kim: Desk, club: League
) -> None:
    text = "Cy > Dee\n23:50 Ana Ruiz Bo Li 3-1\n0:20 Ana Ruiz Bo Li 1-3\nBo Li > Cy"
    page = kim.check(text)
    after = date.fromisoformat(DAY) + timedelta(days=1)
    # What has no time below one after midnight was played then, too.
    assert page.count("After midnight: played on") == 2
    assert f"After midnight: played on {wording.day(after)}." in page
    kim.enter(text)
    played = [match.played_at.astimezone(club.zone) for match in club.matches.order_by("seq")]
    assert [f"{at:%Y-%m-%d %H:%M}" for at in played[-4:]] == [
        f"{DAY} 00:00",
        f"{DAY} 23:50",
        f"{after} 00:20",
        f"{after} 00:20",
    ]
    assert club.matches.latest("seq").revision.summary["matches"] == 4


def test_a_second_press_enters_nothing_twice(kim: Desk) -> None:
    text = "Ana Ruiz > Bo Li"
    kim.check(text)
    first = kim.enter(text)
    again = kim.enter(text)
    assert first.redirect_chain[-1][0] == again.redirect_chain[-1][0]
    assert Match.objects.count() == 2
    # What a script sends late does not bring the sheet back either.
    page = kim.send(text, part=True)
    assert "already entered" in page
    assert 'data-saved="no"' in page
    assert not NightSheet.objects.exists()
    page = kim.check("Bo Li > Ana Ruiz")
    assert "These lines are a new sheet now." in page
    kim.enter("Bo Li > Ana Ruiz")
    assert Match.objects.count() == 3


def test_what_was_not_reviewed_is_not_entered(kim: Desk) -> None:
    kim.check("Ana Ruiz > Bo Li")
    response = kim.enter("Ana Ruiz > Bo Li\nAna Ruiz > Bo Li")
    assert response.status_code == 422
    assert "not what you checked last" in response.content.decode()
    assert Match.objects.count() == 1
    assert kim.enter("no match at all").status_code == 422


def test_names_are_asked_once_and_the_next_night_asks_nothing(kim: Desk) -> None:
    text = "ana ruis - bo lee 3-1\nbo lee - ana ruis 3-2"
    page = kim.check(text)
    assert page.count("no player has exactly this name") == 2
    assert "Enter 2 results" not in page
    answers = {"asked": ["ana ruis", "bo lee"], "answer": ["ana-ruiz", "bo-li"]}
    page = kim.check(text, **answers)
    assert "Ana Ruiz beat Bo Li 3–1" in page
    assert "no player has exactly this name" not in page
    assert kim.enter(text, **answers).status_code == 200
    assert PlayerAlias.objects.count() == 2
    assert Player.objects.count() == 2
    next_night = Desk(kim.client, League.objects.get())
    page = next_night.check("ana ruis - bo lee 1-3")
    assert "Who is it?" not in page
    assert "Bo Li beat Ana Ruiz 3–1" in page


def test_answers_and_lines_come_back_after_a_reload(kim: Desk) -> None:
    kim.send("ana ruis > bo li", part=True, asked=["ana ruis"], answer=["ana-ruiz"])
    page = html.unescape(kim.client.get(kim.address).content.decode())
    assert "ana ruis > bo li</textarea>" in page
    assert '<option value="ana-ruiz" selected' in page
    kim.send("bo li > cy", part=True, asked=["ana ruis"], answer=["ana-ruiz"])
    assert NightSheet.objects.get().answers == {"ana ruis": "ana-ruiz"}


def test_a_result_that_says_the_same_is_confirmed_by_a_tick(kim: Desk) -> None:
    text = "Ana Ruiz Bo Li 3-1\nAna Ruiz Bo Li 3-1"
    page = kim.check(text)
    assert "Line 1 says the same." in page
    code = re.search(r'name="settled" value="([^"]+)"', page)
    assert code
    response = kim.enter(text)
    assert response.status_code == 422
    assert "Tick what is right, or correct the line." in response.content.decode()
    assert kim.enter(text, settled=[code[1]]).status_code == 200
    assert Match.objects.count() == 3


def test_two_devices_lose_no_line(kim: Desk, club: League) -> None:
    phone = Desk(kim.client, club)
    kim.send("Ana Ruiz > Bo Li", part=True)
    page = phone.send("Bo Li > Ana Ruiz", part=True)
    assert "changed elsewhere" in page
    assert 'data-text="Ana Ruiz > Bo Li\nBo Li > Ana Ruiz"' in page
    assert phone.enter("Bo Li > Ana Ruiz").status_code == 422
    assert Match.objects.count() == 1


def test_a_sheet_is_its_authors_alone_and_goes_with_the_league(kim: Desk, club: League) -> None:
    kim.send("Ana Ruiz > Bo Li", part=True)
    lee = make_user("lee")
    join(club, lee, Membership.Role.SCORER)
    other = Client()
    other.force_login(lee)
    assert "Ana Ruiz &gt; Bo Li" not in other.get(kim.address).content.decode()
    Desk(other, club).send("Bo Li > Ana Ruiz", part=True)
    assert NightSheet.objects.count() == 2
    lee.delete()
    assert NightSheet.objects.get().text == "Ana Ruiz > Bo Li"


def test_names_and_scores_of_late_come_first(kim: Desk, club: League) -> None:
    scores = [(3, 1), (3, 1), (3, 0)]
    record(
        club,
        *(
            result(club, "Zed", "Cy", scores=score, at=START + timedelta(hours=number))
            for number, score in enumerate(scores)
        ),
    )
    page = kim.client.get(kim.address).content.decode()
    assert re.findall(r'data-score="([^"]*)"', page) == ["3-0", "3-1", "", "wo"]
    assert set(re.findall(r'data-name="([^"]*)"', page)[:2]) == {"Cy", "Zed"}


def test_an_impossible_score_is_ticked_before_it_is_entered(kim: Desk, club: League) -> None:
    change_score_rule(mode=mode_of(club), rule=read_rule("points to 11+2"), actor=None)
    before = Match.objects.count()
    lines = "Ana Ruiz - Bo Li 11-9\nAna Ruiz - Bo Li 11-10"
    page = kim.check(lines)
    assert '<a href="#line-2">Line 2</a>: 11–10 is not possible.' in page
    assert re.search(r'<li id="line-2" value="2"\s+class="look">', page)
    assert "The score is right, record it" in page
    (code,) = re.findall(r'name="settled" value="([^"]*)"', page)
    assert "11–10 is not possible" in kim.send(lines, status=422, do="enter")
    assert Match.objects.count() == before
    kim.client.post(kim.address, {**kim.fields, "text": lines, "do": "enter", "settled": code})
    assert Match.objects.count() == before + 2


def test_a_winner_against_the_score_is_ticked_before_it_is_entered(kim: Desk, club: League) -> None:
    line = "Ana Ruiz > Bo Li 1-3"
    page = kim.check(line)
    assert '<a href="#line-1">Line 1</a>: With 1–3, the other side won.' in page
    assert "The winner is right, record it" in page
    (code,) = re.findall(r'name="settled" value="([^"]*)"', page)
    kim.client.post(kim.address, {**kim.fields, "text": line, "do": "enter", "settled": code})
    sides = Match.objects.latest("pk").participants.order_by("side")
    assert [(row.rank, row.score) for row in sides] == [(1, 1), (2, 3)]


def test_scores_to_tap_are_those_that_the_rule_of_the_mode_knows(kim: Desk, club: League) -> None:
    def offered() -> list[str]:
        page = kim.client.get(kim.address).content.decode()
        return re.findall(r'data-score="(\d[^"]+)"', page)

    assert offered() == []
    change_score_rule(mode=mode_of(club), rule=read_rule("sets 5"), actor=None)
    assert offered() == ["3-0", "3-1", "3-2"]
    scores = [(3, 1), (3, 1), (11, 9), (11, 9), (11, 9)]
    for number, score in enumerate(scores):
        record(club, result(club, "Zed", "Cy", scores=score, at=START + timedelta(hours=number)))
    assert offered() == ["3-0", "3-1", "3-2"]
    change_score_rule(mode=mode_of(club), rule=read_rule("frames 8"), actor=None)
    assert offered() == ["5-0", "5-1", "5-2", "5-3", "4-4"]
    change_score_rule(mode=mode_of(club), rule=read_rule(""), actor=None)
    assert offered() == ["3-1", "11-9"]


def test_a_sheet_is_discarded_by_a_second_button(kim: Desk) -> None:
    assert "Discard all lines" in kim.check("Ana Ruiz > Bo Li")
    response = kim.client.post(kim.address, {**kim.fields, "do": "discard"}, follow=True)
    assert "The sheet was discarded." in response.content.decode()
    assert not NightSheet.objects.exists()


def test_a_page_discards_no_lines_that_it_has_never_had(kim: Desk, club: League) -> None:
    other = Desk(kim.client, club)
    kim.check("Ana Ruiz > Bo Li")
    response = kim.client.post(kim.address, {**other.fields, "do": "discard"}, follow=True)
    assert "Not discarded" in response.content.decode()
    assert NightSheet.objects.get().text == "Ana Ruiz > Bo Li"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Ana Ruiz Bo Li -3-1", ""),
        ("Ana Ruiz - Bo Li 1.0-3", ""),
        ("Ana Ruiz - Bo Li NaN-1", ""),
        ("Ana Ruiz Bo Li 9999999-1", ""),
        ("Ana Ruiz Bo Li ٣-١", ""),
        ("Ana Ruiz > Ana Ruiz", "is in this match twice"),
        ("Ana Ruiz+Bo Li - Ana Ruiz+Cy 3-1", "is in this match twice"),
        ("Ana Ruiz", ""),
        ("25:00 Ana Ruiz > Bo Li", ""),
        ("@30.2.\nAna Ruiz > Bo Li", "not a date"),
        ("@01/02/2026", "not clear"),
        ("@2199-01-01\nAna Ruiz > Bo Li", "in the future"),
        ("@0001-01-01\nAna Ruiz > Bo Li", ""),
        ("Ana Ruiz > \u202ebo", ""),
        ("Ana Ruiz > \u3164", ""),
        ("Ana Ruiz > \x1bBo", "control character"),
        ("x" * 600, "longer than"),
    ],
)
def test_bad_lines_are_named_and_never_entered(kim: Desk, line: str, words: str) -> None:
    page = kim.check(line)
    assert words in page
    assert "errtext" in page
    assert 'value="enter"' not in page
    assert kim.enter(line).status_code == 422
    assert Match.objects.count() == 1


def test_a_future_day_is_said_once_at_its_line(kim: Desk) -> None:
    ahead = timezone.now().date() + timedelta(days=400)
    page = kim.check(f"@{ahead.isoformat()}\nAna Ruiz > Bo Li\nBo Li > Ana Ruiz")
    assert page.count("in the future") == 1
    assert "1 line to correct" in page
    assert kim.enter(f"@{ahead.isoformat()}\nAna Ruiz > Bo Li").status_code == 422
    assert Match.objects.count() == 1


def test_below_a_date_that_cannot_be_read_no_match_has_the_date_above(kim: Desk) -> None:
    page = kim.check("@1.2.\nAna Ruiz > Bo Li\n@31.2.\nBo Li > Ana Ruiz\n@2.2.\nBo Li > Ana Ruiz")
    assert "“31.2.” is not a date" in page
    assert page.count("The date above it, in line 3, cannot be read.") == 1
    assert "2 lines to correct" in page


def test_an_unknown_name_hides_no_other_problem_of_its_line(kim: Desk) -> None:
    page = kim.check("ana ruis > bo\n2999-01-01\nana ruis > bo\n@1.2.\nana ruis = ana ruis")
    assert "in the future" in page
    assert "Who is “ana ruis”?" in page
    assert "twice" in page.partition("Who is it?")[0]


def test_a_name_like_another_is_asked_with_a_button_beside_it(kim: Desk) -> None:
    page = kim.check("Bo Lee > Ana Ruiz")
    assert "Who is “Bo Lee”?" in page
    assert page.count("Take this answer") == 1
    assert not kim.check("Tomoko > Ana Ruiz").count("Take this answer")


def test_a_very_long_line_is_cut_and_draws_are_explained_where_there_are_any(
    kim: Desk, club: League
) -> None:
    page = kim.check("x" * 5000)
    assert "x" * 119 + "…</span>" in page
    assert "ana = bo" in page
    club.draws_allowed = False
    club.save()
    assert "ana = bo" not in kim.check("Ana Ruiz > Bo Li")


def test_a_scorer_keeps_the_lines_when_the_season_stops_accepting_results(club: League) -> None:
    client, scorer = Client(), make_user("sam")
    join(club, scorer, "scorer")
    client.force_login(scorer)
    desk = Desk(client, club)
    today = timezone.now().date().isoformat()
    assert "Enter 1 result" in desk.check("Ana Ruiz > Bo Li", day=today)
    take_step(club.seasons.get(), Step.CLOSE, actor=None, now=timezone.now())
    sent = {**desk.fields, "text": "Ana Ruiz > Bo Li", "day": today, "do": "enter"}
    refused = desk.client.post(desk.address, sent)
    assert refused.status_code == 422
    for page in (refused, client.get(desk.address)):
        words = html.unescape(page.content.decode())
        assert words.count("does not accept results") == 1
        assert "Ana Ruiz &gt; Bo Li</textarea>" in page.content.decode()
        assert "Ana Ruiz beat Bo Li" in words
    assert club.matches.count() == 1


def test_the_examples_are_of_what_the_league_plays(kim: Desk, club: League) -> None:
    def examples() -> tuple[str, list[str]]:
        page = html.unescape(kim.client.get(kim.address).content.decode())
        shown = re.search(r'placeholder="([^"]*)"', page)
        assert shown
        return shown[1], re.findall(r'<th scope="row" class="mono nw">(.*?)</th>', page)

    placeholder, lines = examples()
    assert placeholder == "ana bo 3-1"
    # Everything else can be written too, and stands below.
    assert [line for line in lines if "+cy" in line or ", " in line] == lines[-2:]
    record(club, result(club, "Ana Ruiz+Cy", "Bo Li+Dee", at=START))
    placeholder, lines = examples()
    assert placeholder == "ana bo 3-1\nana+cy bo+di 21-18 19-21 21-15"
    assert lines[-1] == "ana, bo, cy=di, eve"
    new_club("fresh", owner=club.memberships.get().user)
    kim.address = "/l/fresh/night/"
    assert examples()[0].count("\n") == 2


def test_text_is_shown_as_text(kim: Desk) -> None:
    text = "<script>alert(1)</script> > {{7*7}} javascript:\n</textarea><b>x</b>"
    page = kim.client.post(kim.address, {**kim.fields, "text": text, "do": "check"})
    assert b"<script>alert" not in page.content
    assert b"</textarea><b>" not in page.content


@pytest.mark.parametrize(
    "bad",
    [
        {"text": "a\x00b"},
        {"text": "x" * 50_000},
        {"day": "2026-02-30"},
        {"day": "0001-01-01"},
        {"mode": "nothing"},
    ],
)
def test_forms_that_cannot_be_saved_say_so(kim: Desk, bad: dict[str, str]) -> None:
    kim.fields |= bad
    page = kim.send(bad.get("text", "Ana Ruiz > Bo Li"), 422, part=True)
    assert "Not saved." in page
    assert 'data-saved="no"' in page
    assert not NightSheet.objects.exists()


def test_states_of_pages_that_are_none_do_no_harm(kim: Desk) -> None:
    for version in ("-1", "9" * 5000, "x", "٣"):
        sent = {**kim.fields, "text": "Ana Ruiz > Bo Li", "version": version, "writer": "x" * 99}
        answer = {"asked": ["\x00", "a"], "answer": ["ana-ruiz", "\x00"], "key": "nobody"}
        assert kim.client.post(kim.address, {**sent, **answer}).status_code == 200
    assert NightSheet.objects.get().answers == {}


@pytest.mark.parametrize("name", ["foosball_2v2", "ntnu_table_tennis"])
def test_three_nights_of_real_results_rate_as_their_file(
    client: Client, club: League, name: str
) -> None:
    results, _bad = read_path(shared_data(f"club/{name}.csv"))
    results = results[:30]
    user = club.memberships.get().user
    words = {"owner": user, "time_zone": "UTC", "mode": "Blitz", "season": "Autumn"}
    night = create_league(slug="night", name="Night", **words)
    file = create_league(slug="file", name="File", **words)
    client.force_login(user)
    table = Sender(client, file)
    table.written(table.checked("", paste="\n".join(lines_of(results))), may_repeat="on")
    for first in range(0, 30, 10):
        desk = Desk(client, night)
        text = "\n".join(lines_of(results[first : first + 10]))
        page = desk.check(text)
        asked = re.findall(r'name="asked" value="([^"]*)"', page)
        answers = {"asked": asked, "answer": ["new"] * len(asked)}
        if asked:
            page = desk.check(text, **answers)
        settled = re.findall(r'name="settled" value="([^"]*)"', page)
        response = desk.enter(text, settled=settled, **answers)
        assert "10 results recorded" in response.content.decode()
    drain()
    assert night.matches.count() == 30
    # A sheet writes the names of new players with capitals.
    typed, imported = ([(*row[:2], *row[3:]) for row in standings_of(one)] for one in (night, file))
    assert typed == imported
    for board in night.boards.all():
        assert check_board(board).differences == ()


def test_a_league_without_results_leads_to_the_sheet(client: Client) -> None:
    kim = make_user("bo")
    new_club("fresh", owner=kim)
    client.force_login(kim)
    page = client.get("/l/fresh/").content.decode()
    assert re.search(r'<a class="btn main" href="/l/fresh/night/">\s*Enter a whole night', page)


TABS = [("night", "A whole night"), ("enter", "One result"), ("import", "A file")]


@pytest.mark.parametrize("chosen", [route for route, _label in TABS])
def test_the_ways_to_enter_results_are_tabs_of_each_other(client: Client, chosen: str) -> None:
    owner = make_user("bo")
    new_club("fresh", owner=owner)
    client.force_login(owner)
    page = client.get(f"/l/fresh/{chosen}/").content.decode()
    tabs = re.search('<nav class="tabs" aria-label="How to enter results">(.*?)</nav>', page, re.S)
    links = re.findall(r'href="/l/fresh/(\w+)/"( aria-current="page")?>\s*(.*?)\s*</a>', tabs[1])
    assert [(route, label) for route, _current, label in links] == TABS
    assert [route for route, current, _label in links if current] == [chosen]
    # The menu marks what the tabs are of.
    (enter,) = re.findall(r"<a ([^>]*)>Enter</a>", page)
    assert 'aria-current="page"' in enter
    assert not re.search(r"<summary aria-current[^>]*>More", page)


def test_a_scorer_has_no_tab_of_files_and_enter_is_the_night_sheet(client: Client) -> None:
    club = new_club("fresh", owner=make_user("bo"))
    join(club, scorer := make_user("sam"), "scorer")
    client.force_login(scorer)
    page = client.get("/l/fresh/enter/").content.decode()
    assert "/l/fresh/import/" not in page
    (enter,) = re.findall(r"<a ([^>]*)>Enter</a>", page)
    assert 'href="/l/fresh/night/"' in enter and 'aria-current="page"' in enter


def test_sets_stand_in_the_order_of_the_sides_beside_them(kim: Desk) -> None:
    page = kim.check("Ana Ruiz Bo Li 18-21 15-21")
    assert "Bo Li beat Ana Ruiz 2–0" in page
    assert "21-18, 21-15" in page.replace("21-18 21-15", "21-18, 21-15")


def test_lines_with_problems_are_not_counted_as_results(kim: Desk) -> None:
    page = kim.check(
        "Ana Ruiz > Bo Li\nAna Ruiz > Ana Ruiz\nAna Ruiz Bo Li 3-x\nAna Ruiz > Bo Li wo"
    )
    assert re.search(r"<span>2 results</span><span>2 lines to correct</span>", page)


def test_a_walkover_that_does_not_count_says_so(kim: Desk, club: League) -> None:
    assert "walkover, not rated" in kim.check("Ana Ruiz > Bo Li wo")
    assert "walkover, not rated" not in kim.check("Ana Ruiz > Bo Li ret")
    update_league(league=club, changes={"walkovers": "win"}, actor=None)
    page = kim.check("Ana Ruiz > Bo Li wo")
    assert "walkover" in page and "walkover, not rated" not in page


def test_another_mode_brings_its_own_scores_and_examples(kim: Desk, club: League) -> None:
    doubles = add_mode(league=club, name="Doubles", actor=None)
    change_score_rule(mode=doubles, rule=read_rule("frames 5"), actor=None)
    change_named_weights(mode=doubles, weights=[NamedWeight("Cup", 2.0)], actor=None)
    whole = kim.send("Ana Ruiz Bo Li 3-1", do="check")
    assert 'name="scores_of" value="blitz"' in whole and "another kind of match" not in whole
    part = kim.send("Ana Ruiz Bo Li 3-1", part=True, scores_of="blitz")
    assert 'id="scores"' not in part
    part = kim.send("Ana Ruiz Bo Li 3-1", part=True, scores_of="blitz", mode="doubles")
    assert 'name="scores_of" value="doubles"' in part and 'data-score="3-2"' in part
    assert part.count("hx-swap-oob") == 3 and "another kind of match: Cup ×2" in part


def test_the_day_of_a_stamp_is_named_where_it_is_another_one(kim: Desk) -> None:
    stamp = f"{START - timedelta(days=2):%d.%m.%Y}, 20:15 - Kim: "
    told = f"Played on {wording.day((START - timedelta(days=2)).date())}, as this line says."
    page = kim.check(f"{stamp}Ana Ruiz Bo Li 3-1\n{stamp}Bo Li > Ana Ruiz\nBo Li > Ana Ruiz")
    assert page.count(told) == 2
    told_below = f"{wording.day((START - timedelta(days=2)).date())}, after 20:15"
    assert page.count(told_below) == 1, "what a message says of its day holds for all its lines"
    day = (START - timedelta(days=2)).date()
    assert told not in kim.check(f"@{day}\n{stamp}Ana Ruiz Bo Li 3-1")
    assert told not in kim.check(f"{stamp}Ana Ruiz Bo Li 3-1", day=day.isoformat())
    below = kim.check(f"{day:%d.%m.%Y} Ana Ruiz - Bo Li 3-1\nBo Li > Ana Ruiz")
    assert below.count(told) == 1
    assert below.count(told.replace("this line", "a line above")) == 1


def test_a_sheet_of_a_future_day_says_so_once(kim: Desk) -> None:
    page = kim.send("Ana Ruiz > Bo Li\nBo Li > Ana Ruiz", do="check", day="2199-01-01")
    assert page.count("in the future") == 1
    assert "1 Jan 2199 is in the future. Choose the day of the matches above the lines." in page
    assert 'value="enter"' not in page
