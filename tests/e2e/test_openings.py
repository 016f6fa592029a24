"""Starting ratings are drawn on a small screen, without script: previewed, named and undone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.sites import Site
from tests.e2e.test_merge import assert_fits, plain
from tests.e2e.test_pages import keep
from tests.e2e.test_real_data import bring

__all__ = ["plain"]
RESULTS = "date,winner,loser\n2026-11-02,Ana,Ben\n2026-11-02,Ben,Cleo\n"


@pytest.fixture
def club(site: Site, account: Any, tmp_path: Path) -> str:
    """A league of its own: one more game would stand on every page of the demo league."""
    source = tmp_path / "club.csv"
    source.write_text(RESULTS, encoding="utf-8")
    return bring(site, "lots-club", source)


def look(page: Page, name: str) -> None:
    keep(page, name)
    assert_fits(page)


def add_board(page: Page, club: str) -> None:
    """A zero-sum board of a game that nobody has played yet."""
    page.goto(f"{club}settings/modes/")
    page.fill("[name=name]", "Blitz with lots")
    page.check("[name=played_by][value=any]")
    page.click("main button.main")
    page.goto(f"{club}settings/boards/?system=zerosum#new")
    page.select_option("[name=board-mode]", label="Blitz with lots")
    page.fill("[name=board-name]", "Lots")
    page.locator("summary", has_text="Parameters").click()
    page.fill("[name=board-x_spread]", "0.5")
    page.click("text=Add the board")


def test_ratings_are_drawn_before_the_first_match(plain: Any, club: str) -> None:
    page = plain.new_page()
    add_board(page, club)
    row = page.get_by_role("row").filter(has_text="Lots")
    look(page, "settings-boards-opening")
    row.get_by_role("link", name="Random start").click()
    look(page, "opening")
    page.fill("[name=seed]", "7")
    page.get_by_role("button", name="Show who gets what").click()
    expect(page.get_by_role("table")).to_contain_text("Cleo")
    look(page, "opening-preview")
    page.get_by_role("button", name="Draw these ratings").click()
    expect(page.locator("main")).to_contain_text("by seed 7.")
    look(page, "opening-board")
    board = page.url.partition("?")[2]
    page.goto(f"{club}p/cleo/?{board}")
    expect(page.locator("main")).to_contain_text("(seed 7).")
    look(page, "opening-profile")
    page.goto(f"{club}rules/?{board}")
    expect(page.locator("main")).to_contain_text("registered before the first match")
    page.goto(f"{club}settings/boards/")
    row.get_by_role("link", name="Random start").click()
    look(page, "opening-undo")
    page.get_by_role("button", name="Undo the random start").click()
    expect(page.locator("main")).not_to_contain_text("by seed 7.")
