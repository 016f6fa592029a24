"""A handicap from the page that compares two players to the match that was rated with it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.looks import assert_fits

STARTED = {1280: ("Ana Ruiz", "Mira Okonjo"), 360: ("Jun Park", "Bo Lindqvist")}
NIGHT = {1280: ("Cy Adeyemi", "Jun Park"), 360: ("Farah Siddiqui", "Ana Ruiz")}
PLAYERS = {1280: ("Ana Ruiz", "Jun Park"), 360: ("Bo Lindqvist", "Mira Okonjo")}


@pytest.mark.parametrize("width", PLAYERS)
def test_from_compare_to_a_match_with_a_handicap_without_script(
    plain: Any, league: Any, width: int
) -> None:
    page = plain.new_page()
    one, other = PLAYERS[width]
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/l/demo/compare/?a={one.replace(' ', '+')}&b={other.replace(' ', '+')}")
    expect(page.locator("main")).to_contain_text("it would be even.")
    assert_fits(page, f"handicap-compare-{width}")
    start = page.locator("a:has-text('Even at')").inner_text().removeprefix("Even at ").strip()
    points = int(re.sub(r"\D", "", start))
    receiver, field = (one, "one") if start.startswith("+") else (other, "two")
    page.click("a:has-text('Even at')")
    expect(page.locator(f"[name=handicap_{field}]")).to_have_value(str(points))
    expect(page.locator(f"[name=handicap_{field}]")).to_be_visible()
    assert_fits(page, f"handicap-form-{width}")
    page.fill("[name=score_one]", "3")
    page.fill("[name=score_two]", "1")
    page.click("button:has-text('Record the result')")
    expect(page.locator("h1")).to_have_text(f"{one} beat {other}")
    expect(page.locator("main")).to_contain_text(
        f"With a handicap, in rating points: {receiver} +{points}."
    )
    expect(page.locator("main")).to_contain_text(f"With the handicap: {receiver} +{points}")
    assert_fits(page, f"handicap-match-{width}")
    page.goto("/l/demo/results/")
    expect(page.locator("main")).to_contain_text(f"handicap: {receiver} +{points}")
    assert_fits(page, f"handicap-results-{width}")
    page.goto(f"/l/demo/p/{receiver.lower().replace(' ', '-')}/")
    expect(page.locator("main")).to_contain_text(f"handicap +{points}")
    assert_fits(page, f"handicap-profile-{width}")


@pytest.mark.parametrize("width", STARTED)
def test_a_match_is_started_even_and_its_result_has_the_handicap_without_script(
    plain: Any, league: Any, width: int
) -> None:
    page = plain.new_page()
    one, other = STARTED[width]
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/l/demo/compare/?a={one.replace(' ', '+')}&b={other.replace(' ', '+')}")
    expect(page.get_by_label(f"Handicap of {one}, in rating points")).to_be_visible()
    assert_fits(page, f"handicap-start-{width}")
    even = page.locator("button[name=handicap]")
    points = int(even.get_attribute("value") or "")
    even.click()
    expect(page.locator("h1")).to_have_text(f"{one} v {other}")
    said = f"{one} {'+' if points > 0 else '−'}{abs(points)}"
    expect(page.locator("main")).to_contain_text(f"With a handicap, in rating points: {said}.")
    assert_fits(page, f"handicap-started-{width}")
    page.click("a:has-text('Enter its result')")
    expect(page.locator("[name=handicap_one]")).to_have_value(str(points))
    page.fill("[name=score_one]", "3")
    page.fill("[name=score_two]", "1")
    page.click("button:has-text('Record the result')")
    expect(page.locator("h1")).to_have_text(f"{one} beat {other}")
    expect(page.locator("main")).to_contain_text(f"With the handicap: {said}")


@pytest.mark.parametrize("width", NIGHT)
def test_a_night_sheet_takes_a_handicap_without_script(plain: Any, league: Any, width: int) -> None:
    page = plain.new_page()
    one, other = NIGHT[width]
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/l/demo/night/")
    page.fill("textarea[name=text]", f"{one} +64 {other} 3:1")
    page.click("button:has-text('Check')")
    expect(page.locator("main")).to_contain_text(f"handicap: {one} +64")
    assert_fits(page, f"handicap-night-{width}")
    page.click("button:has-text('Enter 1 result')")
    expect(page.locator("h1")).to_contain_text("1 result recorded")
    page.goto("/l/demo/results/")
    expect(page.locator("main")).to_contain_text(f"handicap: {one} +64")
