"""The acceptance stories of a club night, each as the people in it live it.

Each test says which story it is. Of the others, story 1 is in `test_thirty_results.py`, 9 in
`test_profile_match.py`, 14 in `test_keyboard_entry.py`, 30 in `test_merge.py`, 43 in
`test_stories.py`, and 46 in `test_night.py` and `test_leaderboard.py`.
"""

from __future__ import annotations

import csv
import re
import subprocess
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.sites import ROOT, Site
from tests.e2e.test_night import discard
from tests.e2e.test_real_data import bring
from tests.installed import PYTHON

NAMES = ("Ana Ruiz", "Bo Berg", "Cy Adey", "Di Lund", "Eve Marsh", "Flo Nagy")
ROUNDS = 3
SLOW = 60_000
Standings = dict[str, tuple[int | None, float]]


@pytest.fixture(scope="module")
def club(site: Site, account: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A league whose players have met each other in each of the last weeks but one."""
    file = tmp_path_factory.mktemp("club") / "club.csv"
    today = datetime.now(UTC).date()
    with file.open("w", newline="", encoding="utf-8") as target:
        rows = csv.writer(target)
        rows.writerow(("date", "winner", "loser", "winner_score", "loser_score"))
        for week in range(ROUNDS):
            for number, (one, other) in enumerate(combinations(NAMES, 2)):
                winner, loser = (other, one) if (week + number) % 4 == 0 else (one, other)
                day = today - timedelta(days=21 - 7 * week)
                rows.writerow((day, winner, loser, 3, number % 3))
    return bring(site, "story-club", file)


@pytest.fixture
def page(organizer: Any, club: str) -> Page:
    return organizer.new_page()


def api(page: Page, league: str, path: str, **words: str) -> Any:
    """What the API answers at an address of a league."""
    slug = league.split("/")[2]
    answer = page.request.get(f"/api/v1/leagues/{slug}/{path}", params=words)
    assert answer.ok, answer.text()
    return answer.json()


def wait_until_rated(page: Page, league: str) -> None:
    """Look at the standings until they have every result."""
    page.goto(league)
    expect(page.locator("#pulse")).to_be_empty(timeout=SLOW)


def standings(page: Page, league: str) -> Standings:
    """Rank and rating of everybody, once every result is rated."""
    wait_until_rated(page, league)
    lists = (api(page, league, "standings/", list=name) for name in ("ranked", "unranked"))
    return {
        row["player"]["name"]: (row["rank"], row["rating"]["value"])
        for answer in lists
        for row in answer["results"]
    }


def enter_sheet(page: Page, league: str, *lines: str) -> str:
    """Enter a night of these lines, and return the address of its page."""
    page.goto(f"{league}night/")
    discard(page)
    page.fill("#id_text", "\n".join(lines))
    page.get_by_role("button", name="Check", exact=True).click()
    page.locator("button[value=enter]").click()
    page.wait_for_url(re.compile("/r/"))
    chat = page.get_by_role("textbox", name="Text to copy for the club’s chat")
    expect(chat).to_be_visible(timeout=SLOW)
    return page.url


def open_match(page: Page, words: str) -> None:
    """Open the first match that a page shows with these words, and wait for its account."""
    number = page.locator("th a[href*='/m/']")
    page.locator("tr", has=number, has_text=words).first.locator("th a").click()
    page.wait_for_url(re.compile("/m/"))
    expect(page.locator("#account .job")).to_have_count(0, timeout=SLOW)


def moved(table: Locator) -> dict[str, list[str]]:
    """The cells of a table of players, by name."""
    rows = table.locator("tbody tr")
    cells = [rows.nth(number).locator("th, td").all_inner_texts() for number in range(rows.count())]
    return {name.split("\n")[0].strip(): [one.strip() for one in rest] for name, *rest in cells}


def test_a_score_of_three_weeks_ago_is_corrected_after_seeing_who_will_move(
    site: Site, page: Page, club: str
) -> None:
    """Stories 2 and 3."""
    before = standings(page, club)
    page.goto(f"{club}m/first-season/2/")
    page.click("text=Correct this match")
    one, other = (page.locator(f"[name=score_{side}]") for side in ("one", "two"))
    scores = one.input_value(), other.input_value()
    one.fill(scores[1])
    other.fill(scores[0])
    page.get_by_role("button", name="Preview", exact=True).click()
    expect(page.locator("#preview .moves").first).to_be_visible(timeout=SLOW)
    preview = moved(page.locator("#preview .moves").first)
    assert preview
    page.fill("[name=reason]", "the wrong way round")
    page.click("text=Save the correction")
    expect(page.locator("#moves table").first).to_be_visible(timeout=SLOW)
    # Each board comes when it is rated, and the first one need not be the first to come.
    expect(page.locator("#computing")).to_have_count(0, timeout=SLOW)
    told = moved(page.locator("#moves table").first)
    after = standings(page, club)
    shown = {name: f"{value:.0f}" for name, (_rank, value) in after.items()}
    for name, (now, then, change, rank) in preview.items():
        assert now == f"{before[name][1]:.0f}", name
        assert then == shown[name], name
        assert (f"to {after[name][0]}" in rank) or (f"stays {after[name][0]}" in rank), name
        if now != then:
            assert told[name] == [now, then, change]
    assert {name for name in after if after[name] != before[name]} >= set(preview)
    # A replay of all results from the first one on finds the same.
    command = [PYTHON, "manage.py", "verify", "--league", "story-club"]
    done = subprocess.run(
        command, cwd=ROOT, env=site.environment, capture_output=True, text=True, check=True
    )
    assert "0 differences" in done.stdout


def test_what_is_at_stake_beside_an_opponent_is_what_the_match_changes(
    page: Page, club: str
) -> None:
    """Stories 4 and 5."""
    wait_until_rated(page, club)
    page.goto(f"{club}me/?player=ana-ruiz&next={club}")
    row = page.locator("#standings .board tbody tr", has_text="Eve Marsh")
    stake = row.locator(".stake b").inner_text()
    assert re.fullmatch(r"\+\d+", stake)
    page.goto(f"{club}enter/")
    page.fill("[name=one_1]", "Ana Ruiz")
    page.fill("[name=two_1]", "Eve Marsh")
    page.check("[name=outcome][value=one]")
    page.click("text=Record the result")
    expect(page.locator("#account h2", has_text="Before and after")).to_be_visible(timeout=SLOW)
    table = page.get_by_role("region", name="Before and after")
    rows = table.locator("tbody tr")
    expect(rows).to_have_count(2)
    assert stake in rows.filter(has_text="Ana Ruiz").inner_text()
    # The number on the profile leads to its reason, in words.
    page.goto(f"{club}p/ana-ruiz/")
    change = page.locator("table.played tbody tr").first.locator("td.num a")
    assert change.inner_text() == stake
    change.click()
    expect(page.locator("h1")).to_contain_text("Why your rating")
    expect(page.locator("#account")).to_contain_text("They add up to the change exactly")


def test_undoing_a_night_brings_the_earlier_standings_back(page: Page, club: str) -> None:
    """Story 6."""
    before = standings(page, club)
    night = enter_sheet(page, club, "flo > ana", "flo > bo", "di cy 3-1")
    number = re.findall(r"/r/first-season/(\d+)/", night)[0]
    assert standings(page, club) != before
    page.goto(night)
    page.get_by_role("button", name="Undo this night").click()
    expect(page.locator("main")).to_contain_text(f"change {number} (results entered) was undone")
    assert standings(page, club) == before
    page.goto(f"{club}changes/")
    log = page.locator("ol.log > li")
    expect(log.nth(0)).to_contain_text(f"change {int(number) + 1}")
    expect(log.nth(1)).to_contain_text(f"change {number}")


def test_a_late_result_lands_in_its_place_and_the_order_of_entry_changes_nothing(
    page: Page, club: str
) -> None:
    """Story 8."""
    today = datetime.now(UTC).date()
    late = f"@{today - timedelta(days=5)}\nbo > ana\n"
    now = f"@{today}\nana > di\n"
    first = enter_sheet(page, club, late)
    second = enter_sheet(page, club, now)
    one_order = standings(page, club)
    page.goto(f"{club}results/")
    newest = page.locator("main tbody tr").all_inner_texts()
    beats = [
        next(at for at, row in enumerate(newest) if words in row)
        for words in ("Ana Ruiz beat Di Lund", "Bo Berg beat Ana Ruiz")
    ]
    assert beats == sorted(beats)
    for night in (second, first):
        page.goto(night)
        page.get_by_role("button", name="Undo this result").click()
        expect(page.locator("main")).to_contain_text("undone")
    enter_sheet(page, club, now)
    enter_sheet(page, club, late)
    assert standings(page, club) == one_order


def test_an_unknown_spelling_is_asked_about_once(page: Page, club: str) -> None:
    """Story 12."""
    page.goto(f"{club}night/")
    discard(page)
    page.fill("#id_text", "ana ruis > flo\n")
    readings = page.locator("#readings")
    expect(readings).to_contain_text("1 name to identify")
    # The answer is taken when it is chosen; nothing is chosen beforehand.
    answer = page.get_by_label("ana ruis", exact=False)
    expect(answer).to_have_value("")
    expect(page.get_by_role("button", name="Take this answer")).to_have_count(0)
    answer.select_option(label="Ana Ruiz")
    expect(readings).to_contain_text("Ana Ruiz beat Flo Nagy")
    expect(readings).not_to_contain_text("to identify")
    page.get_by_role("button", name="Check", exact=True).click()
    page.locator("button[value=enter]").click()
    page.wait_for_url(re.compile("/r/"))
    page.goto(f"{club}night/")
    page.fill("#id_text", "ana ruis > bo\n")
    expect(readings).to_contain_text("Ana Ruiz beat Bo Berg")
    expect(readings).not_to_contain_text("to identify")
    discard(page)


def test_the_same_request_twice_creates_its_results_once(page: Page, club: str) -> None:
    """Story 13."""
    slug = club.split("/")[2]
    page.goto(f"{club}enter/")
    token = page.locator("[name=csrfmiddlewaretoken]").first.input_value()
    today = datetime.now(UTC).date().isoformat()
    matches = [
        {
            "played_on": today,
            "sides": [{"rank": rank, "players": [{"name": name}]} for rank, name in sides],
        }
        for sides in (((1, "Cy Adey"), (2, "Eve Marsh")), ((1, "Di Lund"), (1, "Flo Nagy")))
    ]
    answers = [
        page.request.post(
            f"/api/v1/leagues/{slug}/matches/",
            data={"matches": matches},
            headers={"X-CSRFToken": token, "Idempotency-Key": "friday-17"},
        )
        for _time in range(2)
    ]
    assert [answer.status for answer in answers] == [201, 200]
    first, second = ([one["id"] for one in answer.json()["matches"]] for answer in answers)
    assert first == second


def test_a_winner_against_the_score_is_asked_about_on_the_sheet_and_the_form(
    page: Page, club: str
) -> None:
    page.goto(f"{club}night/")
    discard(page)
    page.fill("#id_text", "Ana Ruiz > Bo Berg 1-3")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("body")).to_contain_text("Line 1: With 1–3, the other side won.")
    page.get_by_label("The winner is right, record it").check()
    page.locator("button[value=enter]").click()
    page.wait_for_url(re.compile("/r/"))
    # By keyboard alone, and answered where the focus is put.
    page.goto(f"{club}enter/")
    page.fill("[name=one_1]", "Cy Adey")
    page.fill("[name=two_1]", "Di Lund")
    page.fill("[name=score_one]", "2")
    page.fill("[name=score_two]", "2")
    # In the small hours the form has the day before.
    page.fill("[name=played_on]", datetime.now(UTC).date().isoformat())
    page.locator("[name=outcome][value=two]").check()
    page.keyboard.press("Enter")
    asked = page.locator(".asks")
    expect(asked).to_contain_text(
        "2–2 is a draw, but a side is said to have won. Is the winner right?"
    )
    expect(asked).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(asked).to_have_count(0)
    newest = api(page, club, "matches/")["results"][0]
    assert [(side["rank"], side["score"]) for side in newest["sides"]] == [(2, 2), (1, 2)]


def test_doubles_change_four_ratings_and_say_each_partners_share(page: Page, club: str) -> None:
    """Story 15."""
    night = enter_sheet(page, club, "ana+cy bo+di 21-18 19-21 21-15")
    page.goto(night)
    open_match(page, "Ana Ruiz + Cy Adey")
    expect(page.get_by_role("region", name="Before and after").locator("tbody tr")).to_have_count(4)
    shares = page.get_by_role("region", name="Each partner’s share")
    for name in ("Ana Ruiz", "Cy Adey"):
        expect(shares).to_contain_text(name)


def test_a_free_for_all_with_a_tie_for_third_is_one_line(page: Page, club: str) -> None:
    """Story 16."""
    night = enter_sheet(page, club, "eve, ana, bo=cy, flo")
    page.goto(night)
    open_match(page, "Eve Marsh")
    expect(page.locator("main ol").first).to_contain_text(re.compile("1st.*2nd.*3rd.*3rd.*5th"))
    rows = page.get_by_role("region", name="Before and after").locator("tbody tr")
    expect(rows).to_have_count(5)


def test_the_check_of_a_file_names_bad_lines_and_writes_nothing(page: Page, club: str) -> None:
    """Story 29."""
    before = api(page, club, "matches/", page_size="1")["results"]
    lines = ["date,winner,loser", "2026-01-05,Ana Ruiz,Bo Berg", "2026-01-05,Cy Adey,Cy Adey"]
    page.goto(f"{club}import/")
    page.fill("[name=paste]", "\n".join(lines))
    page.click("text=Check the file")
    expect(page.locator("h2", has_text="1 row cannot be read")).to_be_visible(timeout=SLOW)
    expect(page.locator("main table", has_text="on both sides")).to_contain_text("3")
    # Nothing is written by halves: the row has to be left out by a tick.
    page.click("text=Import 1 result")
    expect(page.locator("[name=skip_bad]")).to_be_focused()
    assert api(page, club, "matches/", page_size="1")["results"] == before


def test_what_does_not_count_moves_no_rating_as_the_rules_say(page: Page, club: str) -> None:
    """Story 34."""
    night = enter_sheet(page, club, "ana bo wo", "cy di 3-0 friendly", "eve flo ret 2-1")
    for words, tag, is_rated in (
        ("Bo Berg", "walkover", False),
        ("Di Lund", "not rated", False),
        ("Flo Nagy", "retire", True),
    ):
        page.goto(night)
        open_match(page, words)
        expect(page.locator("main")).to_contain_text(re.compile(tag, re.IGNORECASE))
        said = "Before and after" if is_rated else "No rating changed."
        expect(page.locator("#account")).to_contain_text(said, timeout=SLOW)
    page.goto(f"{club}rules/")
    expect(page.locator("main")).to_contain_text(re.compile("walkover", re.IGNORECASE))
