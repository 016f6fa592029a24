"""Thirty real results of one night: by keyboard, by thumb, without script, over a dead network.

Story 1. Every key and every click is counted: whoever presses five keys a second is done in four
minutes. Where the shared results are missing, these tests are skipped.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from tests.e2e.looks import SMALL, assert_fits
from tests.e2e.sites import Site
from tests.e2e.test_night import discard, refuse_posts
from tests.e2e.test_real_data import bring
from tests.shared_data import shared_data

PLAYED = 400
NIGHT = 30
KEYS_IN_FOUR_MINUTES = 4 * 60 * 5
SLOW = 60_000
MINUTE = 60_000


@dataclass
class Hands:
    """Somebody at a page, who counts what they press."""

    page: Page
    keys: int = 0
    clicks: int = 0

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.keys += len(text)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.keys += 1

    def click(self, target: Locator) -> None:
        target.click()
        self.clicks += 1

    def name(self, name: str) -> None:
        """Type a name until the list has it first, and take it."""
        first = self.page.locator("#offer:not([hidden]) [aria-selected=true]")
        for letters in range(1, len(name) + 1):
            self.type(name[letters - 1])
            if letters > 1 and first.count() and first.inner_text() == name:
                self.press("Tab")
                return


@dataclass
class Club:
    """A league of real results, and those that have yet to be entered."""

    address: str
    rest: Iterator[tuple[str, ...]]

    def night(self) -> list[tuple[str, ...]]:
        """The next thirty results."""
        return list(islice(self.rest, NIGHT))


def foosball_line(row: tuple[str, ...]) -> str:
    return "{}+{} {}+{} {}-{}\n".format(*row)


def imported(
    site: Site, folder: Path, name: str, file: str, people: tuple[str, ...]
) -> list[dict[str, str]]:
    """Import the first results of a file into a league; the others among the same people."""
    with shared_data(file).open(encoding="utf-8") as source:
        rows = list(csv.DictReader(source))
    former = folder / f"{name}.csv"
    with former.open("w", newline="", encoding="utf-8") as target:
        writer = csv.DictWriter(target, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows[:PLAYED])
    bring(site, name, former)
    # A newcomer whose name is like another's would be asked about.
    known = {row[name] for row in rows[:PLAYED] for name in people}
    return [row for row in rows[PLAYED:] if known.issuperset(row[name] for name in people)]


@pytest.fixture(scope="module")
def foosball(site: Site, account: Any, tmp_path_factory: pytest.TempPathFactory) -> Club:
    """Doubles with scores, by players of one short name each."""
    folder = tmp_path_factory.mktemp("foosball")
    sides = ("winner_offense", "winner_defense", "loser_offense", "loser_defense")
    rows = imported(site, folder, "night-foosball", "club/foosball_2v2.csv", sides)
    results = (tuple(row[name] for name in (*sides, "winner_score", "loser_score")) for row in rows)
    # Each once: the same result twice in a night would be asked about.
    once = {(*map(frozenset, (row[:2], row[2:4])), row[4:]): row for row in results}
    return Club("/l/night-foosball/", iter(once.values()))


@pytest.fixture(scope="module")
def table_tennis(site: Site, account: Any, tmp_path_factory: pytest.TempPathFactory) -> Club:
    """Singles without scores, by players of two names."""
    folder = tmp_path_factory.mktemp("table-tennis")
    file = "club/ntnu_table_tennis.csv"
    rows = imported(site, folder, "night-table-tennis", file, ("player1", "player2"))
    results = (
        (row["winner"], row["player2" if row["winner"] == row["player1"] else "player1"])
        for row in rows
        # Two rows spell the winner otherwise than the player.
        if row["winner"] in (row["player1"], row["player2"])
    )
    return Club("/l/night-table-tennis/", iter(dict.fromkeys(results)))


@pytest.fixture
def page(organizer: BrowserContext) -> Page:
    return organizer.new_page()


def open_sheet(hands: Hands, club: Club) -> Locator:
    """Go from the standings to an empty sheet by a click."""
    page = hands.page
    page.goto(club.address)
    hands.click(page.get_by_role("link", name="Enter", exact=True))
    discard(page)
    sheet = page.locator("#id_text")
    expect(sheet).to_be_focused()
    return sheet


def enter_night(hands: Hands, club: Club) -> None:
    """Review the sheet and enter it, with a click each; all thirty appear, and ratings follow."""
    page = hands.page
    hands.click(page.get_by_role("button", name="Check", exact=True))
    button = page.get_by_role("button", name=f"Enter {NIGHT} results")
    expect(button).to_be_visible(timeout=SLOW)
    hands.click(button)
    expect(page.locator("h1")).to_have_text(f"{NIGHT} results recorded", timeout=SLOW)
    # The lists of the report are tables too, and may be there already.
    results = page.locator("main table:not(.brief) tbody tr")
    expect(results).to_have_count(NIGHT, timeout=SLOW)
    expect(page.get_by_role("heading", name="Climbers")).to_be_visible(timeout=SLOW)


def test_story_1_thirty_doubles_by_keyboard(page: Page, foosball: Club) -> None:
    hands = Hands(page)
    expect(open_sheet(hands, foosball)).to_be_focused()
    for row in foosball.night():
        hands.type(foosball_line(row))
    enter_night(hands, foosball)
    assert hands.clicks == 3
    assert hands.keys <= KEYS_IN_FOUR_MINUTES


def test_story_1_thirty_singles_by_keyboard_and_completed_names(
    page: Page, table_tennis: Club
) -> None:
    hands = Hands(page)
    expect(open_sheet(hands, table_tennis)).to_be_focused()
    for winner, loser in table_tennis.night():
        hands.name(winner)
        hands.type(" > ")
        hands.name(loser)
        hands.press("Enter")
    enter_night(hands, table_tennis)
    assert hands.clicks == 3
    assert hands.keys <= KEYS_IN_FOUR_MINUTES


def test_story_1_thirty_singles_by_thumb(page: Page, table_tennis: Club) -> None:
    page.set_viewport_size(SMALL)
    hands = Hands(page)
    open_sheet(hands, table_tennis)
    page.click("summary:has-text('Tap instead of typing')")
    thumb, played = page.locator(".thumb"), 0
    while played < NIGHT:
        winner, loser = next(table_tennis.rest)
        chips = [thumb.locator(f"[data-name='{name}']") for name in (winner, loser)]
        if not all(chip.count() for chip in chips):
            # Whoever has not come for long is not among the thirty chips, and is typed.
            continue
        for chip in (*chips, thumb.locator("[data-score='']")):
            hands.click(chip)
        played += 1
    assert_fits(page)
    assert hands.clicks == 1 + 3 * NIGHT
    enter_night(hands, table_tennis)
    assert hands.clicks == 3 * NIGHT + 3
    # A tap takes no longer than five keys.
    assert hands.clicks * 5 <= KEYS_IN_FOUR_MINUTES


def test_story_1_thirty_doubles_without_script(
    site: Site, account: Any, browser: Browser, foosball: Club
) -> None:
    context = browser.new_context(
        storage_state=account, base_url=site.url, java_script_enabled=False
    )
    hands = Hands(page := context.new_page())
    page.goto(f"{foosball.address}enter/")
    hands.click(page.get_by_role("link", name="A whole night"))
    expect(page.locator("#id_text")).to_be_focused()
    for row in foosball.night():
        hands.type(foosball_line(row))
    enter_night(hands, foosball)
    assert hands.clicks == 3
    assert hands.keys <= KEYS_IN_FOUR_MINUTES
    context.close()


def test_story_1_a_dead_network_and_a_reload_lose_none_of_thirty(
    page: Page, organizer: BrowserContext, foosball: Club
) -> None:
    hands, night = Hands(page), foosball.night()
    page.clock.install()
    sheet = open_sheet(hands, foosball)
    saved, unsaved, last = night[:12], night[12:24], night[24:]
    for row in saved:
        hands.type(foosball_line(row))
    expect(page.locator("#readings ol.sheet > li")).to_have_count(len(saved))
    organizer.set_offline(True)
    for row in unsaved:
        hands.type(foosball_line(row))
    page.clock.run_for(MINUTE)
    expect(page.locator("#unsaved")).to_be_visible()
    expect(page.locator("#readings ol.sheet > li")).to_have_count(len(saved))
    # The pages come again before anything can be sent.
    page.route("**/night/", refuse_posts)
    organizer.set_offline(False)
    page.reload()
    expect(sheet).to_have_value("".join(foosball_line(row) for row in (*saved, *unsaved)))
    page.unroute("**/night/")
    page.clock.run_for(MINUTE)
    expect(page.locator("#unsaved")).to_be_hidden()
    sheet.press("Control+End")
    for row in last:
        hands.type(foosball_line(row))
    expect(page.locator("#readings ol.sheet > li")).to_have_count(NIGHT)
    enter_night(hands, foosball)
