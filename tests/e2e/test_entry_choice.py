"""One tap chooses what was played: the form has its shape, and what was typed stays."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.looks import assert_fits, violations

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
    assert_fits(page)
    page.get_by_role("button", name="Three or more").click()
    expect(page.locator("[name=places]")).to_have_value("Ana Ruiz: 3")
    page.get_by_role("button", name="Singles", exact=True).click()
    expect(page.get_by_label("Player").first).to_have_value("Ana Ruiz")
    expect(page.get_by_label("Team-mate")).to_have_count(0)


def test_without_script_it_is_one_press_too(plain: BrowserContext, league: str) -> None:
    choose_doubles(plain.new_page())


def test_the_key_enter_records(organizer: BrowserContext, league: str) -> None:
    page = organizer.new_page()
    page.goto(ADDRESS)
    page.get_by_label("Player").first.press("Enter")
    expect(page.get_by_text("Who played?").first).to_be_visible()
