"""A player begins with a rating from elsewhere: previewed, saved and undone on a small screen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.looks import assert_fits

PLAYER = "/l/demo/p/mira-okonjo/"
SOURCE = "FIDE list November 2026"


def send(page: Page, button: str) -> None:
    form = page.locator("section.flow form")
    form.first.locator(f"button:has-text('{button}')").click()


def test_a_rating_from_elsewhere_is_given_and_taken_back(plain: Any, league: Any) -> None:
    """Story 30."""
    page = plain.new_page()
    page.goto(PLAYER)
    page.click("text=Edit player")
    page.click("text=Begin with a rating from elsewhere")
    assert_fits(page)
    form = page.locator("section.flow form").first
    form.locator("[name=rating]").fill("1850,5")
    send(page, "Preview")
    expect(page.locator(".errtext")).to_contain_text("Write a decimal point")
    form.locator("[name=rating]").fill("1850")
    form.locator("[name=source]").fill(SOURCE)
    send(page, "Preview")
    expect(page.locator("#preview")).to_contain_text("would change")
    assert_fits(page)
    send(page, "Save")
    expect(page.locator("main, .messages").first).to_be_visible()
    expect(form.locator("[name=rating]")).to_have_value("1850")
    page.goto("/l/demo/changes/")
    row = page.locator(".log li").filter(has_text="starting rating")
    expect(row.first).to_contain_text(SOURCE)
    row.first.locator("button:has-text('Undo')").click()
    page.goto(f"{PLAYER}starts/")
    expect(page.locator("section.flow form").first.locator("[name=rating]")).to_have_value("")
