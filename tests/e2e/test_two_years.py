"""Two years of a league by the admin's buttons: opened, played, changed, sealed, gone on from."""

from __future__ import annotations

import csv
import gzip
import random
import re
import sqlite3
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

import psycopg
import pytest
from playwright.sync_api import Page, expect

from tests.e2e.sites import Site
from tests.shared_data import SHARED

TOUR = SHARED / "data" / "tennis" / "atp_singles.csv.gz"
LEAGUE = "/l/two-years/"
SLOW = 60_000
Result = tuple[str, str, str]


def results(year: int) -> list[Result]:
    """Return who beat whom on which day: of the men's tour where its file is, else invented."""
    return sorted(_tour(year) if TOUR.exists() else _invented(year))


def _tour(year: int) -> Iterator[Result]:
    with gzip.open(TOUR, "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["date"].startswith(f"{year}-") and not row["flag"]:
                yield row["date"], row["winner_name"], row["loser_name"]


def _invented(year: int) -> Iterator[Result]:
    chance = random.Random(year)
    names = [f"Player {letter}" for letter in "ABCDEFGHIJKLMNOPQRST"]
    for number in range(400):
        one, two = sorted(chance.sample(range(len(names)), 2))
        winner, loser = (one, two) if chance.random() < 0.7 else (two, one)
        day = date(year, 1, 3) + timedelta(days=number * 9 // 10)
        yield day.isoformat(), names[winner], names[loser]


def bring(page: Page, rows: Iterable[Result], name: str) -> None:
    """Import results and wait until every board has rated them."""
    lines = ["date,winner,loser", *(",".join(row) for row in rows)]
    page.goto(f"{LEAGUE}import/")
    page.set_input_files(
        "[name=file]", {"name": name, "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}
    )
    page.click("text=Check the file")
    button = page.locator("text=/^Import .* results?$/")
    button.wait_for(timeout=SLOW)
    # Who is like a player of the year before is asked about, and so are equal results of one day.
    for agreed in ("others_are_new", "may_repeat"):
        tick = page.locator(f"[name={agreed}]")
        if tick.count():
            tick.check()
    button.click()
    expect(page.locator("h2", has_text="results imported")).to_be_visible(timeout=SLOW)
    expect(page.locator("main progress")).to_have_count(0, timeout=SLOW)


def go_to(page: Page, table: str, row: str) -> None:
    """Go to a row's page from the admin's front page, as somebody does who was never there."""
    page.goto("/admin/")
    page.click(f"#content-main >> text='{table}'")
    page.fill("#searchbar", row)
    page.press("#searchbar", "Enter")
    page.click(f"#result_list th a >> text='{row}'")


def step(page: Page, label: str, *, why: str = "") -> None:
    """Press a button, read what it will do, and press it there."""
    page.click(f".steps >> text='{label}'")
    expect(page.locator("#content h1")).to_contain_text(label)
    if why:
        page.fill("[name$=reason]", why)
    if page.locator("[name=name]").count():
        # What cannot simply be taken back asks for the name of the season.
        page.fill("[name=name]", page.inner_text("#content h1").partition(": ")[2])
    page.click(".submit-row input[type=submit]")


def seal_of(page: Page) -> str:
    """Return the digest on a season's page, once it is sealed."""
    expect(page.locator(".states [aria-current]")).to_have_text("closed", timeout=SLOW)
    return re.findall(r"[0-9a-f]{64}", page.inner_text(".field-seal"))[0]


def seal(page: Page, season: str) -> str:
    """Close a season by its buttons and return its seal."""
    go_to(page, "Seasons", season)
    step(page, "Seal the standings")
    return seal_of(page)


def enter(page: Page, one: str, two: str, day: str) -> None:
    """Enter a late result by the league's own form."""
    page.goto(f"{LEAGUE}enter/?season=tour-2022")
    page.fill("[name=one_1]", one)
    page.fill("[name=two_1]", two)
    page.check("[name=outcome][value=one]")
    page.fill("[name=played_on]", day)
    page.click("text=Record the result")
    page.wait_for_selector("#account")


@pytest.fixture
def page(organizer) -> Page:
    return organizer.new_page()


def test_two_years_by_the_buttons_of_the_admin(site: Site, page: Page) -> None:
    first, second = results(2022), results(2023)
    page.goto("/new/")
    page.fill("[name=name]", "Two Years")
    page.fill("[name=time_zone]", "London")
    page.click("main .btn.main")
    page.wait_for_url(f"**{LEAGUE}")
    page.goto(f"{LEAGUE}settings/seasons/")
    page.fill("[name=name]", "Tour 2022")
    page.fill("[name=starts_on]", "2022-01-01")
    page.fill("[name=ends_on]", "2022-12-31")
    page.click("main .btn.main")

    # The season that a new league begins with is put away unused.
    go_to(page, "Seasons", "First season")
    step(page, "Stop accepting results")
    seal(page, "First season")
    step(page, "Archive the season")
    expect(page.locator(".states [aria-current]")).to_have_text("archived")

    # Play, late results, a change of the rules.
    bring(page, first, "2022.csv")
    _day, winner, loser = first[0]
    enter(page, loser, winner, "2022-06-01")
    go_to(page, "Boards", "Matches, Glicko-2")
    step_to_rules(page)
    expect(page.locator(".field-rules_now")).to_contain_text("Change of volatility: 0.7")

    # The end of the year: closing, a last result by an organizer, sealing.
    go_to(page, "Seasons", "Tour 2022")
    page.click(".steps >> text='Stop accepting results'")
    expect(page.locator("#content")).to_contain_text("only organizers can enter and correct")
    page.click(".submit-row input[type=submit]")
    enter(page, loser, winner, "2022-12-31")
    digest = seal(page, "Tour 2022")

    # Reopening is refused without a reason; with one it is written down, and the seal comes back.
    page.click(".steps >> text='Reopen for corrections'")
    page.fill("[name=name]", "Tour 2022")
    page.evaluate("document.querySelector('[name=reason]').required = false")
    page.click(".submit-row input[type=submit]")
    expect(page.locator(".errorlist")).to_be_visible()
    page.fill("[name=reason]", "a doubt about the last result")
    page.click(".submit-row input[type=submit]")
    expect(page.locator(".states [aria-current]")).to_have_text("closing")
    step(page, "Seal the standings")
    assert seal_of(page) == digest

    # The next season, softly reset; what it brings is looked at before it is opened.
    page.click(".steps >> text='Start the next season'")
    assert page.input_value("[name=name]") == "Tour 2023"
    assert page.input_value("[name=starts_on]") == "2023-01-01"
    assert page.input_value("[name=ends_on]") == "2023-12-31"
    page.check("[name=carry][value=soft]")
    page.fill("[name=share]", "20")
    page.fill("[name=deviation]", "60")
    page.click(".submit-row input[type=submit]")
    expect(page.locator(".messagelist")).to_contain_text("was created as a draft")
    page.click(".steps >> text='Carry ratings over'")
    page.click("text=Show before and after")
    expect(page.locator("table.bars").first).to_contain_text("Players before")
    go_to(page, "Seasons", "Tour 2023")
    step(page, "Open the season")
    expect(page.locator(".states [aria-current]")).to_have_text("open")
    bring(page, second, "2023.csv")
    go_to(page, "Seasons", "Tour 2023")
    expect(page.locator(".steps")).not_to_contain_text("Carry ratings over")

    # Whatever tries to change the sealed year is refused, and its seal is what it was.
    attack(site, page)
    go_to(page, "Seasons", "Tour 2022")
    assert seal_of(page) == digest
    page.click("#content >> text='Matches, Elo'")
    step(page, "Verify by a replay")
    expect(page.locator("#content")).to_contain_text("A replay agreed", timeout=SLOW)
    log = page.goto(f"{LEAGUE}changes/?kind=season.reopen")
    assert "a doubt about the last result" in log.text()


def step_to_rules(page: Page) -> None:
    """Change a parameter from the first match on."""
    page.click(".steps >> text='Change the rules'")
    page.fill("[name$=x_tau]", "0.7")
    page.fill("[name$=reason]", "results swing more than we thought")
    page.click(".submit-row input[type=submit]")


def attack(site: Site, page: Page) -> None:
    """Try to change a match of the sealed season by its page, by the admin and by SQL."""
    match = f"{LEAGUE}m/tour-2022/1/"
    for address in (f"{match}void/", f"{match}correct/"):
        assert page.goto(address).status == 403
    page.goto("/admin/leagues/match/?of=tour-2022&in=two-years")
    page.check("#result_list tbody tr:first-child input")
    page.select_option("[name=action]", "void_selected")
    page.click("button:has-text('Go')")
    page.fill("[name=reason]", "rigged")
    page.click(".submit-row input[type=submit]")
    expect(page.locator(".errornote")).to_be_visible()
    with site.database() as database:
        for statement in (
            "UPDATE leagues_match SET played_at = '2022-01-02'",
            "DELETE FROM leagues_standing",
            "UPDATE leagues_season SET sealed_digest = 'x'",
            "UPDATE leagues_auditentry SET created_at = '2022-01-02'",
        ):
            with pytest.raises((sqlite3.IntegrityError, psycopg.Error), match=r"is sealed|is kept"):
                database.execute(statement)
