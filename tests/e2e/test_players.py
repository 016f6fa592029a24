"""A player is added, and a club's list of members comes from a file, on a small screen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.e2e.looks import assert_fits
from tests.e2e.test_import import MEMBERS, take


def test_a_list_of_members_is_imported_and_undone(organizer: Any, league: Any) -> None:
    page = organizer.new_page()
    take(page, MEMBERS, "members.csv")
    title = page.locator("h2", has_text="What is taken over about 3 players")
    expect(title).to_be_visible(timeout=15_000)
    expect(page.locator("main")).to_contain_text("Ivo Petrof")
    page.click("text=Import 3 players")
    expect(page.locator("h2", has_text="Players imported")).to_be_visible(timeout=15_000)
    page.click("text=See what changed")
    expect(page.locator("main")).to_contain_text("TTC Hafen")
    page.click("button:has-text('Undo this import')")
    expect(page.locator("h1")).to_contain_text("undone")


def test_a_player_is_added_with_a_club_and_a_starting_rating(plain: Any, league: Any) -> None:
    page = plain.new_page()
    page.goto("/l/demo/players/add/")
    assert_fits(page)
    page.fill("[name=name]", "Mira Okonjoh")
    page.click("summary:has-text('More about the player')")
    assert_fits(page)
    # What is wrong is unfolded again.
    page.fill("[name=birth_year]", "12")
    page.click("summary:has-text('More about the player')")
    page.click("button:has-text('Add the player')")
    expect(page.locator("[name=birth_year]")).to_be_focused()
    page.fill("[name=birth_year]", "1990")
    page.fill("[name=club]", "Hafen")
    page.fill("[name=rating]", "1850")
    page.fill("[name=source]", "FIDE list November 2026")
    page.click("button:has-text('Add the player')")
    expect(page.locator(".errtext").first).to_contain_text("This name is like that of Mira Okonjo")
    page.check("[name=is_another]")
    page.click("button:has-text('Add the player')")
    expect(page.locator("h1")).to_contain_text("Mira Okonjoh")
