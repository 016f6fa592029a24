"""Comparing before a match, playing it, and finding the surprises."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.e2e.conftest import enter
from tests.e2e.looks import SMALL, assert_fits
from tests.e2e.test_real_data import bring, wait_until_rated


def test_what_a_comparison_shows_is_what_the_match_does(organizer, visitor, league):
    page = visitor.new_page()
    page.goto("/l/demo/")
    page.click("header >> text=More")
    page.click("header >> text=Compare")
    expect(page.locator("h1")).to_contain_text(" and ")
    page.fill("[name=a]", "Ana Ruz")
    page.fill("[name=b]", "Cy Adeyemi")
    page.keyboard.press("Enter")
    expect(page.locator("[role=alert]")).to_contain_text("No player is called Ana Ruz.")
    page.click("[role=alert] >> text=Ana Ruiz")
    expect(page.locator("h1")).to_have_text("Ana Ruiz and Cy Adeyemi")
    won = page.locator("tr", has_text="Ana Ruiz wins").locator("td b")
    shown = won.all_inner_texts()

    played = organizer.new_page()
    enter(played, "Ana Ruiz", "Cy Adeyemi", scores=(7, 3))
    expect(played.locator("#account")).to_contain_text("Before and after", timeout=5000)
    for change in shown:
        expect(played.locator("#account")).to_contain_text(change)

    page.reload()
    expect(page.locator("main")).to_contain_text("Ana Ruiz won")
    page.click("text=Who should I play?")
    expect(page.locator("h1")).to_have_text("Who should Ana Ruiz play?")
    page.locator("table.worth tbody th a").first.click()
    expect(page.locator("h1")).to_contain_text("Ana Ruiz and ")


def test_a_comparison_begins_at_its_first_name(visitor, league):
    page = visitor.new_page()
    page.goto("/l/demo/")
    page.click("header >> text=More")
    page.click("header >> text=Compare")
    first = page.locator("[name=a]")
    expect(first).to_be_focused()
    # The name that was chosen for the visitor gives way to the one that is typed.
    page.keyboard.type("Cy Adeyemi")
    expect(first).to_have_value("Cy Adeyemi")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Cy Adeyemi and ")
    expect(first).not_to_be_focused()
    page.keyboard.press("/")
    expect(first).to_be_focused()


LONG = ("Bosnia and Herzegovina", "Saint Vincent and the Grenadines", "Mexico")
WIDER = """() => [...document.querySelectorAll("main table")]
  .filter((node) => !node.closest("details:not([open])"))
  .filter((node) => node.getBoundingClientRect().width > node.parentElement.clientWidth + 1)
  .map((node) => node.innerText)"""


def test_long_names_leave_both_sides_of_a_comparison_in_sight(visitor, site, tmp_path):
    source = tmp_path / "long.csv"
    rows = [
        f"2026-01-{day:02d},{LONG[day % 3]},{LONG[(day + 1) % 3]},2,{day % 3}"
        for day in range(1, 28)
    ]
    source.write_text("\n".join(["date,player1,player2,score1,score2", *rows]))
    league = bring(site, "long-names", source)
    page = visitor.new_page()
    page.set_viewport_size(SMALL)
    wait_until_rated(page, league)
    page.goto(f"{league}compare/?a={LONG[0]}&b={LONG[1]}")
    expect(page.locator("main")).to_contain_text("Common opponents")
    assert_fits(page)
    assert page.evaluate(WIDER) == []


def test_statistics_lead_to_the_surprises_and_fit_a_phone(visitor, league):
    page = visitor.new_page()
    page.set_viewport_size(SMALL)
    for path in (
        "compare/",
        "compare/?a=Ana+Ruiz&b=Bo+Lindqvist&c=Cy+Adeyemi",
        "compare/?a=Ana+Ruiz%2BTess+Molina&b=Bo+Lindqvist%2BCy+Adeyemi",
        "opponents/?player=Ana+Ruiz",
        "statistics/",
    ):
        page.goto(f"/l/demo/{path}")
        assert_fits(page)
    expect(page.locator("figure.chart svg.narrow").first).to_be_visible()
    upset = page.locator("section", has_text="Upsets").locator("tbody th a").first
    expect(upset).to_contain_text("beat")
    upset.click()
    expect(page).to_have_url(re.compile(r"/l/demo/m/"))
