"""From a profile to the reason of every number on it, by mouse and by keyboard."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect

from tests.e2e.looks import CLIPPED, assert_fits, violations
from tests.e2e.sites import Site


def number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-"))


def hold(page: Page) -> None:
    """Hold a page to what can be checked without eyes."""
    assert_fits(page)
    assert page.evaluate(CLIPPED) == []
    assert violations(page) == []


def test_a_player_follows_a_number_to_its_reason(site: Site, browser: Browser, league: str) -> None:
    context = browser.new_context(base_url=site.url, viewport={"width": 360, "height": 800})
    page = context.new_page()
    page.goto(f"{league}me/?player=mira-okonjo&next={league}p/farah-siddiqui/")
    expect(page.get_by_text("If you play Farah Siddiqui next")).to_be_visible()
    hold(page)

    # The dot of the chart tells its day, and so does the table.
    page.set_viewport_size({"width": 1280, "height": 900})
    dot = page.locator("svg.wide a").last
    dot.focus()
    said = dot.get_attribute("aria-label") or ""
    expect(dot.locator(".tip")).to_have_text(said)
    expect(dot.locator(".tip")).to_be_visible()
    day, _, value = said.partition(": ")
    page.locator("#chart details.more summary").click()
    first = page.locator("#chart tbody tr").first
    assert first.locator("td").first.inner_text() == day
    assert value.startswith(first.locator("td.num").first.inner_text())

    # The dots are one stop of the tabulator key, and arrows go along the line.
    dot.focus()
    page.keyboard.press("ArrowLeft")
    dots = page.locator("svg.wide a")
    expect(dots.nth(dots.count() - 2)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(dot).to_be_focused()
    assert page.locator("svg.wide a[tabindex='0']").count() == 1

    # So are those of a comparison and of a season's ranks; each says whose point it is.
    for address, name in (
        (f"{league}compare/?a=mira-okonjo&b=farah-siddiqui", "Farah Siddiqui"),
        (f"{league}seasons/", ""),
    ):
        page.goto(address)
        if not name:
            page.locator("main table a, main li a").first.click()
        point = page.locator("figure.chart svg.wide a[data-point]").last
        point.focus()
        expect(point.locator(".tip")).to_be_visible()
        assert name in (point.get_attribute("aria-label") or "")
        page.keyboard.press("ArrowLeft")
        expect(point).not_to_be_focused()
        hold(page)

    # A change leads to its reasons, which add up to it.
    page.goto(f"{league}p/mira-okonjo/")
    row = page.locator("table.played tbody tr:not(.void)").first
    change = row.locator("td.num a").inner_text()
    row.locator("td.num a").click()
    expect(page.locator("h1")).to_contain_text("Why your rating")
    points = [number(text) for text in page.locator("table.why td.num").all_inner_texts()]
    assert sum(points[:-1]) == points[-1] == number(change)
    page.get_by_text("Show the formula").click()
    expect(page.locator("details[open] .mono").first).to_be_visible()
    real = page.locator("tr:has-text('what happened') td.num").first.inner_text()
    assert number(real) == number(change)
    hold(page)

    # The same match, as Elo explains it, for the opponent; with the keyboard.
    page.locator("a", has_text="Elo").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator("text=In the standings “Singles, Elo”")).to_be_visible()
    other = page.locator("nav.people a:not([aria-current])").first
    name = other.inner_text()
    other.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#why h2")).to_contain_text(name)
    page.set_viewport_size({"width": 360, "height": 800})
    hold(page)

    # Tabs and filters, without leaving the page.
    page.goto(f"{league}p/mira-okonjo/")
    page.locator("nav[aria-label='About this player'] a", has_text="Opponents").click()
    expect(page.locator("#details caption")).to_contain_text(
        "The score (a win is one, a draw is half), against the one expected"
    )
    assert re.search("tab=opponents", page.url)
    with page.expect_event("load"):
        # Keeping no pages of the past, htmx loads the one that is gone back to.
        page.go_back()
    assert "tab=" not in page.url
    page.select_option("#outcome", "won")
    expect(page.locator("table.played tbody tr", has_text="Lost")).to_have_count(0)
    hold(page)
    # The other boards, outside of what was swapped, are asked for the same.
    page.locator("#boards a:not([aria-current])").first.click()
    page.wait_for_url(re.compile("result=won"))
    expect(page.locator("#outcome")).to_have_value("won")
    context.close()


def test_whoever_was_touched_by_a_correction_alone_reads_why(
    site: Site, browser: Browser, league: str
) -> None:
    """Story 9."""
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.goto(f"{league}p/bo-lindqvist/?tab=revisions")
    page.locator("#details tbody tr a", has_text="an organizer voided match").first.click()
    expect(page.locator("h2", has_text="History of this match")).to_be_visible()
    context.close()
