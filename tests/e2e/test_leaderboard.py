"""The leaderboard as people use it: by keyboard, as one of its players, on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.looks import assert_fits
from tests.e2e.sites import Site

SHIFTS = """new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    for (const { node } of entry.sources)
      (window.shifted ??= []).push(node?.id || node?.className || node?.nodeName);
}).observe({ type: "layout-shift" })"""
ROWS = "#standings .board tbody tr"


def test_the_board_by_keyboard_filters_without_moving_what_stands_around(visitor, league):
    """Stories 7, 24, 46."""
    page = visitor.new_page()
    page.goto(league)
    page.evaluate("document.fonts.ready")
    page.evaluate(SHIFTS)
    everybody = page.locator(ROWS).count()
    where = page.locator("#standings").bounding_box()
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("k")
    expect(page.locator(f"{ROWS} th a").first).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.type("ko")
    expect(page).to_have_url(re.compile("q=ko"))
    expect(page.locator(ROWS)).not_to_have_count(everybody)
    assert page.locator("#standings").bounding_box()["y"] == where["y"]
    assert page.evaluate("window.shifted ?? []") == []
    page.keyboard.press("Escape")
    page.fill("#find", "")
    expect(page.locator(ROWS)).to_have_count(everybody)
    page.check("[name=sure][value=sure]", force=True)
    expect(page.locator("#standings")).to_contain_text("not shown: their ratings are less certain")
    page.locator(f"{ROWS} th a").first.focus()
    name = page.locator(f"{ROWS} th a").first.inner_text()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text(name)


@pytest.mark.parametrize("is_filtered", [False, True])
def test_enter_after_j_opens_the_profile(
    visitor: BrowserContext, league: str, is_filtered: bool
) -> None:
    """Also while the filter that was just chosen has the focus, as no letter is typed there."""
    page = visitor.new_page()
    page.goto(league)
    if is_filtered:
        page.check("[name=sure][value=fairly]", force=True)
        expect(page).to_have_url(re.compile("sure=fairly"))
        expect(page.locator("[name=sure][value=fairly]")).to_be_focused()
    page.keyboard.press("j")
    first = page.locator(f"{ROWS} th a").first
    expect(first).to_be_focused()
    name = first.inner_text()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/p/"))
    expect(page.locator("h1")).to_contain_text(name)


def test_changes_name_their_day_and_lead_to_their_reason(visitor, league):
    """Stories 5 and 39."""
    page = visitor.new_page()
    page.goto(league)
    expect(page.locator(".board caption")).to_contain_text(re.compile(r"Change since \d+ \w+"))
    page.click("summary:has-text('Filters')")
    page.select_option("#since", "season")
    expect(page).to_have_url(re.compile("since=season"))
    change = page.locator(f"{ROWS} .chg a:has(.d)").first
    assert re.match(r"(up|down) \d+", (change.text_content() or "").strip())
    change.click()
    expect(page).to_have_url(re.compile(r"/p/[^/]+/.*#matches$"))


def test_a_day_of_the_past_is_shown_and_left_again(visitor, league):
    """Story 20."""
    page = visitor.new_page()
    page.goto(league)
    day = page.evaluate("new Date(Date.now() - 20 * 864e5).toISOString().slice(0, 10)")
    page.click("summary:has-text('Filters')")
    page.fill("#on", day)
    expect(page.locator("#standings")).to_contain_text("As of the end of that day")
    expect(page).to_have_url(re.compile(f"on={day}"))
    page.click("text=Show today’s")
    expect(page.locator("#standings")).not_to_contain_text("As of the end")


def say_who(page: Page, name: str) -> None:
    page.click("summary:has-text('Which player are you?')")
    page.fill("#iam", name)
    page.keyboard.press("Enter")
    page.click(f".chip:has-text('{name}')")


def test_whoever_says_who_it_is_sees_stakes_until_they_are_hidden(visitor, league):
    """Stories 4 and 18."""
    page = visitor.new_page()
    page.goto(f"{league}?sure=fairly")
    expect(page.locator(".stake")).to_have_count(0)
    say_who(page, "Uma Krishnan")
    expect(page).to_have_url(re.compile("sure=fairly"))
    expect(page.locator(".whoami")).to_contain_text("You are Uma Krishnan.")
    stake = page.locator(f"{ROWS}:not(.mine) .stake").first.inner_text()
    assert re.match(r"\+\d+\s", stake)
    page.click("text=Hide ratings and stakes")
    expect(page.locator(".stake, .rate")).to_have_count(0)
    page.click("text=Show ratings and stakes")
    page.click("text=Not me")
    expect(page.locator(".stake")).to_have_count(0)
    expect(page.locator(".rate").first).to_be_visible()


def test_a_phone_shows_two_lines_a_player_and_keeps_mine_in_sight(
    site: Site, browser: Browser, league: str
):
    """Story 19."""
    context = browser.new_context(
        base_url=site.url, viewport={"width": 360, "height": 640}, has_touch=True
    )
    page = context.new_page()
    page.goto(f"{league}me/?q=tess")
    page.click(".chip:has-text('Tess Molina')")
    expect(page.locator("#me")).to_contain_text("Tess Molina")
    assert_fits(page)
    page.locator(ROWS).first.scroll_into_view_if_needed()
    expect(page.locator("#me")).to_be_in_viewport()
    row = page.locator(f"{ROWS}:not(.mine)").first
    assert row.bounding_box()["height"] < 72
    expect(row.locator(".stake b")).to_be_visible()
    expect(page.locator("#since")).not_to_be_visible()
    page.tap("summary:has-text('Filters')")
    expect(page.locator("#since")).to_be_visible()
    assert_fits(page)
    context.close()


@pytest.mark.parametrize(("width", "height", "least"), [(1280, 800, 14), (360, 740, 5)])
def test_the_first_screen_is_rows(
    visitor: BrowserContext, league: str, width: int, height: int, least: int
) -> None:
    page = visitor.new_page()
    page.set_viewport_size({"width": width, "height": height})
    page.goto(league)
    page.evaluate("document.fonts.ready.then(() => true)")
    ends = page.locator(ROWS).evaluate_all(
        "rows => rows.map(r => r.getBoundingClientRect().bottom)"
    )
    assert sum(end <= height for end in ends) >= least


def test_on_paper_it_is_a_table_with_wins_and_losses(visitor: BrowserContext, league: str) -> None:
    page = visitor.new_page()
    page.set_viewport_size({"width": 718, "height": 1000})
    page.goto(league)
    tally = page.locator(".board td.wl").first
    page.emulate_media(media="print")
    expect(tally).to_be_visible()
    expect(page.locator(".board thead th.wl")).to_be_visible()
    assert_fits(page)


def test_a_first_visit_is_light(visitor: BrowserContext, league: str) -> None:
    page = visitor.new_page()
    session = visitor.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(league)
    page.wait_for_load_state("networkidle")
    assert sum(sizes) <= 60_000
