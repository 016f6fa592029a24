"""A bot becomes an anchor of a zero-sum board on a small screen, is named, and is one no more."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.looks import assert_fits
from tests.e2e.sites import remove_board

WHY = "bot of the server"
STARTS = "/l/demo/p/jun-park/starts/"


def add_board(page: Page) -> None:
    page.goto("/l/demo/settings/boards/?system=zerosum#new")
    page.fill("[name=board-name]", "Singles with a bot")
    page.locator("summary", has_text="Parameters").click()
    page.check("[name=board-x_anchors]")
    page.click("text=Add the board")


def section(page: Page) -> Any:
    return page.locator("section.flow", has_text="the player is an anchor on this board")


def test_a_bot_is_made_an_anchor_and_named(plain: Any, league: Any) -> None:
    page = plain.new_page()
    add_board(page)
    page.goto(STARTS)
    assert_fits(page)
    form = section(page).locator("form")
    form.locator("[name=rating]").fill("1")
    form.locator("button:has-text('Preview')").click()
    expect(page.locator(".errtext")).to_contain_text("Give the reason why")
    form.locator("[name=source]").fill(WHY)
    form.locator("button:has-text('Save')").click()
    expect(section(page)).to_contain_text("This player is an anchor here")
    assert_fits(page)
    address = page.get_by_role("link", name="Singles with a bot").get_attribute("href")
    assert address is not None
    for _ in range(100):
        page.goto(address)
        if page.locator("text=anchor: the rating stays").count():
            break
        page.wait_for_timeout(100)
    row = page.get_by_role("row").filter(has_text="Jun Park").first
    expect(row).to_contain_text("anchor: the rating stays")
    assert_fits(page)
    row.get_by_role("link", name="Jun Park").click()
    expect(page.locator("main")).to_contain_text(f"An anchor, whose rating stays: {WHY}.")
    assert_fits(page)
    page.goto("/l/demo/rules/?" + address.partition("?")[2])
    expect(page.locator("main")).to_contain_text(re.compile("Jun Park is an anchor at"))
    page.goto(STARTS)
    form.locator("[name=rating]").fill("")
    form.locator("[name=source]").fill("")
    form.locator("button:has-text('Save')").click()
    expect(section(page)).not_to_contain_text("This player is an anchor here")
    remove_board(page, "Singles with a bot")
