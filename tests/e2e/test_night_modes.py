"""A night of 501 and Cricket, by thumb: lines stay in what they were played in."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.looks import OVERFLOW, keep
from tests.e2e.sites import Site
from tests.e2e.test_night_stories import SLOW
from tests.e2e.test_real_data import bring

PLAYED = "date,winner,loser\n2026-01-05,Ana Ruiz,Bo Berg\n2026-01-12,Bo Berg,Cy Adey\n"


@pytest.fixture
def page(site: Site, account: Any, organizer: Any, tmp_path: Any, request: Any) -> Page:
    """A phone at the sheet of a league that plays Matches, 501 and a free-for-all."""
    file = tmp_path / "club.csv"
    file.write_text(PLAYED, encoding="utf-8")
    league = bring(site, f"modes-{len(request.node.name)}", file)
    page = organizer.new_page()
    for name, played_by in (("Cricket", "two_players"), ("Killer", "several")):
        page.goto(f"{league}settings/modes/")
        page.locator("#add [name=name]").fill(name)
        page.locator(f"#add [name=played_by][value={played_by}]").check()
        page.locator("#add .btn.main, form:has(#add) .btn.main").first.click()
        expect(page.locator("main")).to_contain_text(f"“{name}” was added")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{league}night/")
    return page


def tap(page: Page, *selectors: str) -> None:
    for selector in selectors:
        page.locator(f".thumb {selector}").click()


def test_another_mode_holds_for_the_lines_below(page: Page) -> None:
    text = page.locator("#id_text")
    page.click("summary:has-text('Tap instead of typing')")
    expect(page.locator(".thumb [data-mode=matches]")).to_have_attribute("aria-pressed", "true")
    tap(page, "[data-name='Ana Ruiz']", "[data-name='Bo Berg']", "[data-score='']")
    tap(page, "[data-mode=cricket]")
    expect(page.locator("[name=mode][value=cricket]")).to_be_checked()
    expect(page.locator(".thumb [data-mode=cricket]")).to_have_attribute("aria-pressed", "true")
    # The lines above are headed once the server has them; typing goes on meanwhile.
    tap(page, "[data-name='Cy Adey']", "[data-name='Bo Berg']", "[data-score='']")
    lines = "Matches:\nAna Ruiz > Bo Berg\nCricket:\nCy Adey > Bo Berg\n"
    expect(text).to_have_value(lines)
    expect(page.locator("#readings")).to_contain_text("1 in “Matches”", timeout=SLOW)
    expect(page.locator("#readings")).to_contain_text("1 in “Cricket”")
    expect(page.locator("#line-2 .tag")).to_have_text("Matches")
    expect(page.locator("#line-4 .tag")).to_have_text("Cricket")
    assert page.evaluate(OVERFLOW) <= 0
    keep(page, "night-modes")
    page.reload()
    expect(text).to_have_value(lines)
    expect(page.locator("[name=mode][value=cricket]")).to_be_checked()
    # A choice that was a slip leaves no line.
    page.locator("[name=mode][value=matches]").check()
    page.locator("[name=mode][value=cricket]").check()
    expect(text).to_have_value(lines)


def test_players_who_are_new_on_the_sheet_are_tapped_after_a_check(page: Page) -> None:
    page.fill("#id_text", "Zoe Quist > Bo Berg\n")
    page.click("button[value=check]")
    page.click("summary:has-text('Tap instead of typing')")
    players = page.locator(".thumb [data-players]")
    expect(players.locator("[data-name='Zoe Quist']")).to_be_visible()
    tap(page, "[data-name='Zoe Quist']", "[data-name='Cy Adey']", "[data-score='']")
    expect(page.locator("#id_text")).to_have_value("Zoe Quist > Bo Berg\nZoe Quist > Cy Adey\n")


def test_a_free_for_all_is_tapped_best_first(page: Page) -> None:
    page.locator("[name=mode][value=killer]").check()
    page.click("summary:has-text('Tap instead of typing')")
    expect(page.locator(".thumb [data-taps=order]")).to_be_visible()
    expect(page.locator("#pairs")).to_be_hidden()
    add = page.locator(".thumb [data-order]")
    for name in ("Cy Adey", "Ana Ruiz", "Bo Berg"):
        expect(add).to_be_disabled()
        tap(page, f"[data-name='{name}']")
    expect(page.locator(".thumb [data-name='Bo Berg'] small")).to_have_text("3")
    add.click()
    expect(page.locator("#id_text")).to_have_value("Cy Adey, Ana Ruiz, Bo Berg\n")
    expect(page.locator("#readings")).to_contain_text("Cy Adey", timeout=SLOW)
    expect(page.locator("#line-1 .errtext")).to_have_count(0)
    keep(page, "night-free-for-all")
