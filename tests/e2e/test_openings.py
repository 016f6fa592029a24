"""What players begin with together, previewed, named and undone: lots, or a session's order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.looks import assert_fits, keep
from tests.e2e.sites import Site
from tests.e2e.test_gamelogs import bring as bring_log
from tests.e2e.test_gamelogs import match_of, new_league
from tests.e2e.test_real_data import bring

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


def add_ladder(page: Page, league: str) -> None:
    """A ladder of a game that nobody has played yet."""
    page.goto(f"{league}settings/modes/")
    page.fill("[name=name]", "Duels")
    page.check("[name=played_by][value=any]")
    page.click("main button.main")
    page.goto(f"{league}settings/boards/?system=ladder#new")
    page.select_option("[name=board-mode]", label="Duels")
    page.fill("[name=board-name]", "Rungs")
    page.click("text=Add the board")
    expect(page.locator("main")).to_contain_text("Rungs")


@pytest.mark.parametrize(("width", "has_script"), [(360, False), (360, True), (1280, True)])
def test_the_order_of_a_session_is_that_of_the_rungs(
    site: Any, account: Any, browser: Browser, width: int, has_script: bool
) -> None:
    context = browser.new_context(
        storage_state=account,
        base_url=site.url,
        java_script_enabled=has_script,
        viewport={"width": width, "height": 800},
    )
    page = context.new_page()
    league = new_league(page, f"Arena rungs {width} {has_script}")
    bring_log(page, league, "quake.log")
    page.goto(match_of(page, league, "2 Jan"))
    page.click("text=This session alone")
    names = page.locator("#board tbody th a")
    expect(names).to_have_count(3)
    order = names.all_inner_texts()
    add_ladder(page, league)
    page.goto(f"{league}settings/boards/")
    row = page.get_by_role("row").filter(has_text="Rungs")
    row.get_by_role("link", name="Rungs from a game session").click()
    look(page, f"rungs-{width}-{has_script}")
    page.get_by_role("button", name="Show who gets what").click()
    expect(page.locator("main table tbody th")).to_have_text(order)
    expect(page.locator("main table tbody td")).to_have_text(["1", "2", "3"])
    look(page, f"rungs-preview-{width}-{has_script}")
    page.get_by_role("button", name="Place them so").click()
    expect(page.locator("main")).to_contain_text("Starting ratings saved for 3 players.")
    look(page, f"rungs-placed-{width}-{has_script}")
    board = page.url.partition("?")[2]
    page.goto(f"{league}rules/?{board}")
    expect(page.locator("main")).to_contain_text("3 players began on their rungs by the order")
    page.goto(f"{league}settings/boards/")
    row.get_by_role("link", name="Rungs from a game session").click()
    look(page, f"rungs-undo-{width}-{has_script}")
    page.get_by_role("button", name="Undo the rungs").click()
    expect(page.locator("main")).to_contain_text("Everyone begins as a newcomer.")
    context.close()
