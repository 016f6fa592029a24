"""A night is found again, shared and printed; a row of results is one link to its end."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, expect

DEVICE = """() => {
  window.shared = [];
  window.printed = 0;
  window.copied = [];
  navigator.clipboard.writeText = async (text) => { window.copied.push(text); };
  window.print = () => { window.printed += 1; };
  navigator.share = async (data) => { window.shared.push(data); };
}"""


def test_a_night_is_found_shared_and_printed(visitor: BrowserContext, league: str) -> None:
    page = visitor.new_page()
    page.add_init_script(f"({DEVICE})()")
    page.goto(f"{league}results/")
    page.click("main a:has-text('Nights')")
    page.locator("main tbody a").first.click()
    page.click("button:has-text('Share')")
    (data,) = page.evaluate("window.shared")
    assert data["title"] == page.title()
    assert data["text"].startswith("Tideway Table Football, ")
    page.click("button:has-text('Copy link')")
    expect(page.locator("[data-copy-link]")).to_have_text("Copied")
    assert page.evaluate("window.copied") == [page.url]
    page.click("button:has-text('Print')")
    assert page.evaluate("window.printed") == 1
    page.emulate_media(media="print")
    for hidden in ("button:has-text('Print')", ".chat", ".top nav"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator("table.results").first).to_be_visible()


def test_without_a_way_to_share_there_is_no_button(visitor: BrowserContext, league: str) -> None:
    page = visitor.new_page()
    page.add_init_script("delete Navigator.prototype.share")
    page.goto(f"{league}nights/")
    page.locator("main tbody a").first.click()
    expect(page.locator("button:has-text('Copy the text')")).to_be_visible()
    expect(page.locator("[data-share]")).to_be_hidden()


def test_standings_lead_to_the_last_night(visitor: BrowserContext, league: str) -> None:
    page = visitor.new_page()
    page.goto(league)
    page.click("main a:has-text('last played')")
    expect(page).to_have_url(re.compile("/nights/"))


def test_a_thumb_on_the_score_opens_the_match(visitor: BrowserContext, league: str) -> None:
    page = visitor.new_page()
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{league}results/")
    row = page.locator("table.results tbody tr").nth(3)
    expect(row.locator("a")).to_have_count(1)
    box = row.locator("a").bounding_box()
    assert box is not None and box["height"] >= 44
    address = row.locator("a").get_attribute("href") or ""
    row.locator(".num").click()
    expect(page).to_have_url(re.compile(re.escape(address)))
