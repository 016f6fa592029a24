"""A started match from its start to the loss and to the late result, on a small screen."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.looks import assert_fits

PLAYERS = {
    1280: ("Ana Ruiz", "Bo Lindqvist", "Cy Adeyemi"),
    360: ("Jun Park", "Mira Okonjo", "Farah Siddiqui"),
}


def start(page: Page, one: str, other: str) -> str:
    """Start a match on the page that compares two players; return its address."""
    page.goto(f"/l/demo/compare/?a={one.replace(' ', '+')}&b={other.replace(' ', '+')}")
    page.click("button:has-text('Start this match')")
    expect(page.locator("h1")).to_have_text(f"{one} v {other}")
    return page.url


@pytest.mark.parametrize("width", PLAYERS)
def test_from_start_to_loss_to_late_result_without_script(
    plain: Any, league: Any, width: int
) -> None:
    page = plain.new_page()
    one, other, third = PLAYERS[width]
    page.set_viewport_size({"width": width, "height": 800})
    first = start(page, one, other)
    expect(page.locator("main")).to_contain_text("has no result yet")
    expect(page.locator("main")).to_contain_text("While it is open")
    assert_fits(page, f"started-open-{width}")
    page.goto(f"/l/demo/p/{one.lower().replace(' ', '-')}/")
    expect(page.locator("main")).to_contain_text(f"Open match against {other}")
    assert_fits(page, f"started-profile-{width}")
    page.goto("/l/demo/")
    expect(page.locator("main")).to_contain_text("while a match is open")
    assert_fits(page, f"started-board-{width}")
    page.goto("/l/demo/results/")
    expect(page.locator("main")).to_contain_text("while it is open")
    assert_fits(page, f"started-results-{width}")
    second = start(page, one, third)
    page.goto(first)
    expect(page.locator("h1")).to_have_text(f"{one} left the match against {other}")
    expect(page.locator("main")).to_contain_text(f"No loss for: {other}.")
    assert_fits(page, f"started-left-{width}")
    page.click("a:has-text('Enter its result')")
    expect(page.locator("[name=score_one]")).to_be_visible()
    page.fill("[name=score_one]", "3")
    page.fill("[name=score_two]", "1")
    assert_fits(page, f"started-result-{width}")
    page.click("button:has-text('Record the result')")
    expect(page.locator("h1")).to_have_text(f"{one} beat {other}")
    page.goto(first)
    expect(page.locator("main")).to_contain_text("has its result")
    assert_fits(page, f"started-ended-{width}")
    page.goto(second)
    page.click("summary:has-text('Call it off')")
    page.click("button:has-text('Call it off')")
    expect(page.locator("main")).to_contain_text("was called off")
    assert_fits(page, f"started-called-off-{width}")
