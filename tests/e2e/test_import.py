"""Importing a file: followed by itself, or by reloading; wide, narrow, light and dark."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.looks import WIDTHS, look_at

HEAD = "date,winner,loser,winner_score,loser_score,table"
ROWS = (
    "2026-02-03,Ana Ruiz,Ivo Petrof,7,4,1",
    "2026-02-03,Bo Lindqvist,Jun Park,7,2,2",
    "2026-02-10,Jun Park,Jun Park,7,5,1",
    "2026-02-31,Ana Ruiz,Bo Lindqvist,7,6,2",
)
EITHER = "date,winner,loser\n03/04/2026,Ana Ruiz,Bo Lindqvist\n05/06/2026,Jun Park,Ana Ruiz\n"
MEMBERS = (
    "Nachname;Vorname;Verein;Mannschaft;Nation;Jahrgang;Aktiv\n"
    "Marchetti;Zoe;TTC Hafen;Hafen 1;ITA;1988;ja\n"
    "Nkemelu;Ola;TTC Hafen;Hafen 2;NGA;2014;ja\n"
    "Petrof;Ivo;SV Nord;;BUL;1990;nein\n"
)
ASKED = "game_id,date,player,score,rank\n" + "".join(
    f"{game},2019-02-07,{name},{score},{place}\n"
    for game, names in enumerate((("VOID", "Ana Riuz", "Bo"), ("Zoe", "Guest 2", "Ola")), 1)
    for place, (name, score) in enumerate(zip(names, (31, 22, 8), strict=True), 1)
)
SCHEDULE = "date,home,away\n2026-03-03,Ana Ruiz,Bo Lindqvist\n"


def take(page: Page, text: str, name: str = "winter.csv") -> None:
    page.goto("/l/harbour-go-club/import/")
    page.set_input_files(
        "[name=file]", {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
    )
    page.click("text=Check the file")


def results(*rows: str) -> str:
    return "\n".join((HEAD, *rows)) + "\n"


def test_an_import_follows_by_itself_and_is_undone(organizer, league):
    page = organizer.new_page()
    take(page, results(*ROWS))
    expect(page.locator("h2", has_text="2 rows cannot be read")).to_be_visible(timeout=15_000)
    expect(page.locator("main")).to_contain_text("4 new players")
    page.click("text=Import 2 results")
    expect(page.locator("[name=skip_bad]")).to_be_focused()
    page.check("[name=skip_bad]")
    page.dblclick("text=Import 2 results")
    expect(page.locator("h2", has_text="2 results imported")).to_be_visible(timeout=15_000)
    expect(page.locator("#said")).to_have_text("2 results imported")
    expect(page.locator("main progress")).to_have_count(0, timeout=15_000)
    page.click("main >> text=Standings")
    expect(page.locator("#standings tbody tr")).to_have_count(4)
    page.goto("/l/harbour-go-club/import/")
    expect(page.locator("main table tbody tr", has_text="winter.csv")).to_have_count(1)
    page.click("main >> text=winter.csv")
    page.click("button:has-text('Undo')")
    expect(page.locator("h1")).to_contain_text("undone")


def test_columns_are_corrected_and_dates_are_answered(organizer, league):
    page = organizer.new_page()
    take(page, EITHER, "spring.csv")
    page.check("[name=dates][value=mdy]", timeout=15_000)
    page.select_option("[aria-label='Meaning of column winner']", "loser")
    page.select_option("[aria-label='Meaning of column loser']", "winner")
    page.click("button:has-text('Check again')")
    expect(page.locator("main")).to_contain_text("4 Mar 2026", timeout=15_000)
    expect(page.locator("[aria-label='Meaning of column winner']")).to_have_value("loser")
    expect(page.locator("text=Import 2 results")).to_be_visible()


def test_without_script_an_import_is_followed_by_reloading(plain: BrowserContext, league):
    page = plain.new_page()
    take(page, results("2026-04-01,Zoe Marchetti,Ola Nkemelu,7,3,1"), "april.csv")
    expect(page.locator("text=Import 1 result")).to_be_visible(timeout=20_000)
    page.click("text=Import 1 result")
    expect(page.locator("h2", has_text="1 result imported")).to_be_visible(timeout=20_000)
    expect(page).to_have_url(re.compile(r"/l/harbour-go-club/import/\d+/"))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("import-check", results(*ROWS), "rows cannot be read"),
        ("import-dates", EITHER, "the day or the month?"),
        ("import-names", ASKED, "this may not be a player"),
        ("import-schedule", SCHEDULE, "looks like a schedule"),
        ("import-players", MEMBERS, "What is taken over about 3 players"),
    ],
)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_pages_look_right(site, account, league, browser: Browser, name, text, words, width):
    context = browser.new_context(
        storage_state=account, base_url=site.url, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    if name == "import-check":
        look_at(page, "import", "/l/harbour-go-club/import/")
    take(page, text, f"{name}.csv")
    expect(page.locator("main")).to_contain_text(words, timeout=15_000)
    look_at(page, name, page.url)
    context.close()
