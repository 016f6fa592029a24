"""Thirty results by keyboard: each form begins where the next result does, script or not."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.looks import SMALL, assert_fits


def type_result(page: Page, *scores: int) -> None:
    """Type a result from the first player on, and record it with the keyboard alone."""
    page.keyboard.type("Jun Park")
    page.keyboard.press("Tab")
    page.keyboard.type(str(scores[0]))
    page.fill("[name=two_1]", "Ana Ruiz")
    page.fill("[name=score_two]", str(scores[1]))
    page.locator("button[name=another][value=yes]").press("Enter")


@pytest.mark.parametrize("script", [True, False])
def test_the_next_form_begins_at_its_first_player(
    site, account, league, browser: Browser, script: bool
) -> None:
    """Story 14: the same result again is confirmed with one key."""
    context = browser.new_context(
        storage_state=account, base_url=site.url, java_script_enabled=script
    )
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto("/l/demo/enter/")
    page.focus("[name=one_1]")
    type_result(page, 41, 7 + script)
    expect(page).to_have_url(re.compile("recorded="))
    expect(page.locator("[name=one_1]")).to_be_focused()
    assert said == []
    type_result(page, 41, 7 + script)
    expect(page.locator("[role=alert]")).to_contain_text("Enter it again?")
    page.locator("button[name=settled]").press("Enter")
    expect(page.locator("[role=status] >> text=Saved.")).to_be_visible()
    context.close()


def test_what_a_step_of_the_admin_asks_shares_two_edges(organizer, league) -> None:
    page = organizer.new_page()
    page.goto("/admin/leagues/season/1/step/next/")
    left = "found => found.map(one => Math.round(one.getBoundingClientRect().left))"
    labels = page.locator(".confirm .form-row > label").evaluate_all(left)
    fields = page.locator(".confirm .form-row > input, .confirm .help").evaluate_all(left)
    assert len(set(labels)) == len(set(fields)) == 1
    size = "found => found.map(one => [one.offsetTop, one.offsetHeight])"
    buttons = page.locator(".confirm .submit-row > *").evaluate_all(size)
    assert len(buttons) == 2
    assert buttons[0] == buttons[1]


def test_an_arrow_and_enter_choose_a_name_and_send_nothing(organizer, league) -> None:
    page = organizer.new_page()
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.goto("/l/demo/enter/")
    expect(page.locator("[name=one_1]")).to_be_focused()
    page.keyboard.type("Jun")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator("[name=score_one]")).to_be_focused()
    assert "POST" not in sent


@pytest.mark.parametrize("address", ["night/", "enter/", "import/", "settings/"])
def test_what_is_typed_beside_a_form_does_not_leave_it(organizer, league, address: str) -> None:
    page = organizer.new_page()
    page.goto(f"/l/demo/{address}")
    expect(page.locator("main form[method=post]").first).to_be_visible()
    page.locator("h1").click()
    # The foot names no key that does nothing here.
    expect(page.locator(".key-hints")).to_be_hidden()
    page.keyboard.type("nina bo 3-1")
    # A key that leads elsewhere would have done so by now: the last one is one, too.
    page.wait_for_load_state("networkidle")
    expect(page).to_have_url(re.compile(re.escape(f"/l/demo/{address}")))
    page.goto("/l/demo/results/")
    for key in ("find", "enter"):
        expect(page.locator(f".key-hints [data-key={key}]")).to_be_visible()
    page.locator("h1").click()
    page.keyboard.press("n")
    expect(page).not_to_have_url(re.compile("/results/"))
    page.close()


def test_on_a_phone_the_button_is_within_a_screen_of_the_first_player(organizer, league) -> None:
    page = organizer.new_page()
    page.set_viewport_size(SMALL)
    page.goto("/l/demo/enter/")
    first = page.locator("[name=one_1]").bounding_box()
    button = page.get_by_role("button", name="Record the result").bounding_box()
    assert button["y"] + button["height"] - first["y"] < 740
    expect(page.locator("[name=kind]")).to_be_hidden()
    expect(page.locator("[name=one_2]")).to_have_count(0)
    page.close()


@pytest.mark.parametrize("width", [360, 1280])
def test_a_result_shows_what_it_would_do_before_it_is_recorded(
    organizer, league, width: int
) -> None:
    page = organizer.new_page()
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/l/demo/enter/")
    page.fill("[name=one_1]", "Jun Park")
    page.fill("[name=score_one]", "3")
    page.fill("[name=two_1]", "Ana Ruiz")
    page.fill("[name=score_two]", "1")
    page.get_by_role("button", name="Preview", exact=True).click()
    expect(page.locator("#preview-title")).to_be_focused()
    expect(page.locator("#preview .moves").first).to_contain_text("Jun Park")
    expect(page.locator("[name=score_one]")).to_have_value("3")
    assert_fits(page)
