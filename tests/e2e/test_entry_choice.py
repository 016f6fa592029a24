"""One tap chooses what was played: the form has its shape, and what was typed stays."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.sites import Site
from tests.e2e.test_pages import OVERFLOW, violations

ADDRESS = "/l/demo/enter/"


def choose_doubles(page: Page) -> None:
    page.goto(ADDRESS)
    page.get_by_label("Player").first.fill("Ana Ruiz")
    page.get_by_label("Score").first.fill("3")
    page.get_by_role("button", name="Doubles", exact=True).click()
    expect(page.get_by_label("Team-mate")).to_have_count(6)
    expect(page.get_by_label("Player").first).to_have_value("Ana Ruiz")
    expect(page.get_by_label("Score").first).to_have_value("3")
    expect(page.get_by_role("button", name="Doubles", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )


@pytest.mark.parametrize("width", [360, 1280])
def test_another_mode_is_one_tap(organizer: BrowserContext, league: str, width: int) -> None:
    page = organizer.new_page()
    page.set_viewport_size({"width": width, "height": 740})
    choose_doubles(page)
    # The first field that is still empty is where one goes on.
    expect(page.get_by_label("Player").nth(1)).to_be_focused()
    assert violations(page) == []
    assert page.evaluate(OVERFLOW) <= 0
    page.get_by_role("button", name="Three or more").click()
    expect(page.locator("[name=places]")).to_have_value("Ana Ruiz: 3")
    page.get_by_role("button", name="Singles", exact=True).click()
    expect(page.get_by_label("Player").first).to_have_value("Ana Ruiz")
    expect(page.get_by_label("Team-mate")).to_have_count(0)


def test_without_script_it_is_one_press_too(
    site: Site, account: Any, browser: Browser, league: str
) -> None:
    context = browser.new_context(
        storage_state=account, base_url=site.url, java_script_enabled=False
    )
    choose_doubles(context.new_page())
    context.close()


def test_the_key_enter_records(organizer: BrowserContext, league: str) -> None:
    page = organizer.new_page()
    page.goto(ADDRESS)
    page.get_by_label("Player").first.press("Enter")
    expect(page.get_by_text("Who played?").first).to_be_visible()
