"""A whole night by keyboard: lines, readings, review; no network for a moment loses nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.e2e.looks import OVERFLOW, WIDTHS, keep, look_at, violations
from tests.e2e.sites import Site

ADDRESS = "/l/demo/night/"
SLOW = 30_000


@pytest.fixture
def page(organizer: BrowserContext, league: str) -> Any:
    page = organizer.new_page()
    page.goto(ADDRESS)
    discard(page)
    yield page
    page.goto(ADDRESS)
    discard(page)


SMALLEST_TARGET = """
Math.min(...[...document.querySelectorAll(".thumb .chip")].map((one) => one.offsetHeight || 99))
"""
SMALLEST_GAP = """
(() => {
  const chips = [...document.querySelectorAll(".thumb [data-players] .chip")];
  const boxes = chips.map((one) => one.getBoundingClientRect());
  const gap = (box, last) => Math.max(box.left - last.right, box.top - last.bottom);
  return Math.min(...boxes.slice(1).map((box, at) => gap(box, boxes[at])));
})()
"""
"""How far names to tap are from the next one, beside it or below it."""


def discard(page: Page) -> None:
    """Begin with an empty sheet."""
    if page.locator("summary", has_text="Discard").count():
        page.click("summary:has-text('Discard')")
        page.click("button[value=discard]")
    expect(page.locator("#id_text")).to_have_value("")


def refuse_posts(route: Route) -> None:
    """Let pages be opened, and nothing be sent."""
    if route.request.method == "POST":
        route.abort()
    else:
        route.continue_()


def test_a_night_is_typed_reviewed_and_entered_by_keyboard(page: Page) -> None:
    """Story 46: what the lines say is text, and each step is announced and has the focus."""
    expect(page.locator("#id_text")).to_be_focused()
    page.keyboard.type("an")
    expect(page.get_by_role("option", name="Ana Ruiz")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Tab")
    page.keyboard.type(" - jun")
    page.keyboard.press("Tab")
    expect(page.locator("#id_text")).to_have_value("Ana Ruiz - Jun Park ")
    expect(page.locator("#id_text")).to_be_focused()
    page.keyboard.type(" 31-7")
    page.keyboard.press("Enter")
    readings = page.locator("#readings")
    expect(readings).to_contain_text("Ana Ruiz beat Jun Park 31–7")
    expect(page.locator("#id_text")).to_be_focused()
    page.keyboard.type("mira okonja > cy")
    expect(readings).to_contain_text("1 name to identify")
    page.keyboard.press("Escape")
    page.get_by_label("mira okonja", exact=False).select_option(label="Mira Okonjo")
    expect(readings).to_contain_text("Mira Okonjo beat Cy Adeyemi")
    expect(readings).not_to_contain_text("to identify")
    page.focus("#id_text")
    page.keyboard.press("Control+Enter")
    enter = page.get_by_role("button", name="Enter 2 results")
    expect(enter).to_be_visible(timeout=SLOW)
    expect(readings).to_contain_text("would change", timeout=SLOW)
    assert violations(page) == []
    enter.press("Enter")
    expect(page.locator("h1")).to_have_text("2 results recorded")
    expect(page).to_have_url(re.compile("/l/demo/r/"))
    # What the night did fills in by itself once it is rated.
    chat = page.get_by_role("textbox", name="Text to copy for the club’s chat")
    expect(chat).to_have_value(re.compile("Ana Ruiz 31–7 Jun Park\nMira Okonjo beat Cy Adeyemi"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the text").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.replace("\r\n", "\n") == chat.input_value()
    assert violations(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(OVERFLOW) <= 0
    page.goto(ADDRESS)
    expect(page.locator("#id_text")).to_have_value("")


def test_a_night_is_entered_without_script(site: Site, account: Any, browser: Browser) -> None:
    context = browser.new_context(
        storage_state=account, base_url=site.url, java_script_enabled=False
    )
    page = context.new_page()
    page.goto(ADDRESS)
    page.fill("#id_text", "Bo Lindqvist - Jun Park 17-4\nfarah sidiqi > Jun Park\n")
    page.click("button[value=check]")
    page.get_by_label("farah sidiqi", exact=False).select_option(label="Farah Siddiqui")
    page.click("button[value=check]")
    page.click("button[value=enter]")
    expect(page.locator("h1")).to_have_text("2 results recorded")
    chat = page.locator("textarea[readonly]")
    expect(chat).to_have_value(re.compile("Farah Siddiqui beat Jun Park"), timeout=SLOW)
    expect(page.locator("[data-copy]")).to_be_hidden()
    page.click("button:has-text('Undo this night')")
    expect(page.locator("main")).to_contain_text("undone")
    context.close()


def test_without_network_and_over_a_reload_nothing_is_lost(
    page: Page, organizer: BrowserContext
) -> None:
    page.keyboard.type("Ana Ruiz > Jun Park\n")
    expect(page.locator("#readings")).to_contain_text("Ana Ruiz beat Jun Park")
    organizer.set_offline(True)
    page.keyboard.type("Bo Lindqvist > Jun Park")
    page.keyboard.press("Escape")
    expect(page.locator("#unsaved")).to_contain_text("kept on this device")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('no room'); }; }")
    page.keyboard.type(" ")
    expect(page.locator("#unsaved [data-lost]")).to_be_visible()
    expect(page.locator("#unsaved [data-kept]")).to_be_hidden()
    page.route("**/night/", refuse_posts)
    organizer.set_offline(False)
    page.reload()
    expect(page.locator("#id_text")).to_have_value("Ana Ruiz > Jun Park\nBo Lindqvist > Jun Park")
    expect(page.locator("#unsaved")).to_be_visible()
    page.unroute("**/night/")
    page.reload()
    expect(page.locator("#readings")).to_contain_text("Bo Lindqvist beat Jun Park")
    expect(page.locator("#unsaved")).to_be_hidden()
    assert page.evaluate("localStorage.length") == 0
    page.reload()
    expect(page.locator("#id_text")).to_have_value("Ana Ruiz > Jun Park\nBo Lindqvist > Jun Park")


def test_three_taps_are_a_line(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.click("summary:has-text('Tap instead of typing')")
    assert page.evaluate(SMALLEST_TARGET) >= 40
    assert page.evaluate(SMALLEST_GAP) >= 12
    chip = page.locator(".thumb")
    chip.get_by_role("button", name="Ana Ruiz").click()
    chip.get_by_role("button", name="Jun Park").click()
    chip.locator("[data-score]").first.click()
    expect(page.locator("#readings")).to_contain_text("Ana Ruiz beat Jun Park")
    chip.get_by_role("button", name="Jun Park").click()
    chip.get_by_role("button", name="Bo Lindqvist", exact=True).click()
    chip.get_by_role("button", name="no score").click()
    expect(page.locator("#id_text")).to_have_value(
        re.compile(r"^Ana Ruiz - Jun Park \d+-\d+\nJun Park > Bo Lindqvist\n$")
    )
    expect(chip.get_by_role("status")).to_have_text("Added: Jun Park > Bo Lindqvist")
    assert violations(page) == []
    assert page.evaluate(OVERFLOW) <= 0
    # Who is new on a line above can be tapped for the next one.
    page.locator("#id_text").press_sequentially("Zoe Park > Jun Park\n")
    page.keyboard.press("Escape")
    expect(chip.get_by_role("button", name="Zoe Park")).to_be_visible()
    page.locator("#id_text").press_sequentially("Zo")
    page.keyboard.press("Escape")
    page.fill("#id_text", "Jun Park > Bo Lindqvist\n")
    expect(chip.get_by_role("button", name="Zoe Park")).to_be_hidden()
    chip.get_by_role("button", name="Take back the last line").click()
    expect(chip.get_by_role("status")).to_have_text("Taken back: Jun Park > Bo Lindqvist")
    expect(page.locator("#readings")).not_to_contain_text("Bo Lindqvist")


def test_doubles_are_five_taps_and_no_chip_moves(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.click("summary:has-text('Tap instead of typing')")
    chip = page.locator(".thumb")
    chip.get_by_text("two players a side").click()
    expect(chip).to_contain_text("Tap both winners, both losers, then the score.")
    names = ["Ana Ruiz", "Jun Park", "Bo Lindqvist", "Mira Okonjo"]
    chips = "[...document.querySelectorAll('.thumb .chip')]"
    places = f"{chips}.map((one) => one.offsetLeft + 9999 * one.offsetTop)"
    before = page.evaluate(places)
    for name in names:
        chip.get_by_role("button", name=name, exact=True).click()
        assert page.evaluate(places) == before
    expect(chip.locator("[aria-pressed=true]")).to_have_text(
        [re.compile(r"(won|lost)$")] * 4, use_inner_text=True
    )
    assert violations(page) == []
    chip.get_by_role("button", name="walkover").click()
    expect(page.locator("#id_text")).to_have_value(
        "Ana Ruiz + Jun Park - Bo Lindqvist + Mira Okonjo wo\n"
    )
    recorded = "two teams, such as a doubles. Recorded in “Doubles”."
    expect(page.locator("#readings")).to_contain_text(recorded)
    expect(page.locator("#readings .asked")).to_have_count(0)
    page.click(f"summary:has-text('{recorded}')")
    page.get_by_label("Record it in “Singles” all the same").check()
    expect(page.locator("#readings")).to_contain_text("Recorded in “Singles”")
    page.reload()
    expect(page.locator("#readings")).to_contain_text("Recorded in “Singles”")


def test_who_is_here_comes_first_and_is_there_on_another_device(
    page: Page, organizer: BrowserContext
) -> None:
    first_line = page.locator("#id_text").bounding_box()
    page.set_viewport_size({"width": 360, "height": 740})
    page.keyboard.type("ju")
    page.keyboard.press("Escape")
    page.click("summary:has-text('Who is here')")
    page.get_by_label("Mira Okonjo", exact=True).check()
    page.get_by_label("Add names").fill("zoe park")
    page.get_by_label("Add names").press("Enter")
    zoe = page.get_by_label("Zoe Park", exact=True)
    expect(zoe).to_be_checked()
    expect(page.get_by_label("Add names")).to_have_value("")
    expect(page.get_by_label("Add names")).to_be_focused()
    expect(page.locator("#here-count")).to_have_text("· 2")
    assert violations(page) == []
    assert page.evaluate(OVERFLOW) <= 0
    # First among the names that a line completes, and among those to tap.
    page.fill("#id_text", "")
    page.locator("#id_text").press_sequentially("mi")
    expect(page.get_by_role("option").first).to_have_text("Mira Okonjo")
    page.keyboard.press("Escape")
    page.locator("#id_text").press_sequentially("\nzo")
    expect(page.get_by_role("option").first).to_have_text("Zoe Park")
    page.keyboard.press("Escape")
    # Who is here and new on a line above is offered once.
    page.fill("#id_text", "Zoe Park > Jun Park\n")
    expect(page.locator("#newcomers option")).to_have_count(1)
    page.locator("#id_text").press_sequentially("zo")
    expect(page.get_by_role("option", name="Zoe Park")).to_have_count(1)
    page.keyboard.press("Escape")
    page.click("summary:has-text('Tap instead of typing')")
    tapped = page.locator(".thumb [data-name]")
    expect(tapped.nth(0)).to_have_text("Mira Okonjo")
    expect(tapped.nth(1)).to_have_text("Zoe Park")
    page.fill("#id_text", "Mira Okonjo > Zoe Park")
    expect(page.locator("#readings")).to_contain_text("Mira Okonjo beat Zoe Park")
    other = organizer.new_page()
    other.goto(ADDRESS)
    expect(other.locator("#here-count")).to_have_text("· 2")
    assert other.locator("#id_text").bounding_box() == first_line
    other.click("summary:has-text('Who is here')")
    expect(other.get_by_label("Zoe Park", exact=True)).to_be_checked()
    other.get_by_label("Zoe Park", exact=True).uncheck()
    expect(other.locator("#here-count")).to_have_text("· 1")
    with other.expect_response(lambda answer: answer.request.method == "POST"):
        other.get_by_role("button", name="Same as last time").click()
    count = len(other.locator("#here input:checked").all())
    assert count > 1
    other.reload()
    expect(other.locator("#here-count")).to_have_text(f"· {count}")
    other.close()


def test_what_is_done_while_the_sheet_is_being_saved_is_kept(page: Page) -> None:
    page.click("summary:has-text('Who is here')")
    field = page.get_by_label("Add names")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/night/", hold)
    with page.expect_request("**/night/"):
        page.fill("#id_text", "Ana Ruiz > Jun Park")
    field.fill("zoe park")
    field.press("Enter")
    # Its request waits for the first one.
    page.evaluate("new Promise((done) => setTimeout(done, 50))")
    assert len(held) == 1
    held.pop().continue_()
    page.unroute("**/night/", hold)
    expect(page.get_by_label("Zoe Park", exact=True)).to_be_checked()
    expect(field).to_have_value("")
    page.route("**/night/", hold)
    with page.expect_request("**/night/"):
        field.fill("yan wu")
        field.press("Enter")
    page.get_by_label("Mira Okonjo", exact=True).check()
    page.get_by_label("Zoe Park", exact=True).uncheck()
    with page.expect_response(lambda answer: "Mira" in (answer.request.post_data or "")):
        held.pop().continue_()
        page.unroute("**/night/", hold)
    expect(page.get_by_label("Yan Wu", exact=True)).to_be_checked()
    expect(page.get_by_label("Mira Okonjo", exact=True)).to_be_checked()
    expect(page.get_by_label("Zoe Park", exact=True)).not_to_be_checked()
    page.reload()
    expect(page.locator("#here-count")).to_have_text("· 2")


SELECTED = "(box) => box.value.slice(box.selectionStart, box.selectionEnd)"


@pytest.mark.parametrize("width", [360, 1280])
def test_what_a_line_says_leads_to_the_line(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    text = page.locator("#id_text")
    games = [f"Ana Ruiz - Jun Park 21-{points}" for points in range(20)]
    page.fill("#id_text", "\n".join([*games, "", games[0], "mira okonja > Jun Park"]))
    expect(page.locator("#line-23")).to_contain_text("mira okonja")
    page.locator("#line-23 .typed").click()
    expect(text).to_be_focused()
    expect(text).to_be_in_viewport()
    assert text.evaluate(SELECTED) == "mira okonja > Jun Park"
    assert text.evaluate("(box) => box.scrollTop") > 0
    page.locator("#line-1 .typed").click()
    assert text.evaluate(SELECTED) == games[0]
    assert text.evaluate("(box) => box.scrollTop") == 0
    page.fill("#id_text", "\n".join([*games, "", games[0]]))
    page.click("button[value=check]")
    box = page.locator("#readings .asks p").first
    expect(box).to_have_text("Confirm before you enter")
    expect(box).to_be_focused()
    expect(box).to_be_in_viewport()
    keep(page, "night-confirm")
    assert page.evaluate(OVERFLOW) <= 0
    page.get_by_role("link", name="Line 22").click()
    expect(text).to_be_focused()
    assert text.evaluate("(box) => box.selectionStart") == len("\n".join([*games, "", ""]))
    assert text.evaluate(SELECTED) == games[0]
    expect(page.locator("input[name=settled]")).not_to_be_checked()
    assert violations(page) == []


def test_two_open_pages_keep_each_others_lines(page: Page, organizer: BrowserContext) -> None:
    other = organizer.new_page()
    other.goto(ADDRESS)
    page.keyboard.type("Ana Ruiz > Jun Park\n")
    expect(page.locator("#readings")).to_contain_text("Ana Ruiz beat Jun Park")
    other.keyboard.type("Bo Lindqvist > Jun Park\n")
    expect(other.locator("#readings")).to_contain_text("changed elsewhere")
    expect(other.locator("#id_text")).to_have_value(
        re.compile("Ana Ruiz > Jun Park\nBo Lindqvist > Jun Park")
    )
    other.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_a_sheet_looks_right(
    page: Page, account: Any, site: Site, browser: Browser, width: int
) -> None:
    page.fill(
        "#id_text",
        "Ana Ruiz - Bo Lindqvist 3-1\n@1.10.\nAna Ruiz + Cy Adeyemi - Jun Park + Mira Okonjo "
        "21-18 19-21 21-15\nzed > ana\njun > bo lindkvist\nFarah Siddiqui Ivo Petrov\n"
        "Jun Park, Ana Ruiz, Cy Adeyemi\n@2020-01-01\nMira Okonjo - Jun Park wo",
    )
    expect(page.locator("#readings")).to_contain_text("name to identify")
    context = browser.new_context(
        storage_state=account, base_url=site.url, viewport={"width": width, "height": 900}
    )
    shown = context.new_page()
    look_at(shown, "night", ADDRESS)
    shown.fill("#id_text", "Ana Ruiz - Bo Lindqvist 3-1\nAna Ruiz - Bo Lindqvist 3-1")
    shown.click("button[value=check]")
    expect(shown.locator("button[value=enter]")).to_be_visible(timeout=SLOW)
    keep(shown, "night-review")
    assert shown.evaluate(OVERFLOW) <= 0
    assert violations(shown) == []
    shown.focus("#id_text")
    shown.keyboard.press("Control+End")
    shown.keyboard.type("\nju")
    expect(shown.get_by_role("listbox")).to_be_visible()
    keep(shown, "night-offer")
    assert shown.evaluate(OVERFLOW) <= 0
    context.close()
