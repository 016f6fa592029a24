"""Stories 10 and 11 in a browser: systems side by side, the back-test, trials, the simulator."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e.looks import violations

SOON = 30_000


def test_systems_are_compared_tried_and_simulated(
    organizer: BrowserContext, visitor: BrowserContext
) -> None:
    page = organizer.new_page()
    page.goto("/l/demo/systems/")
    expect(page.locator("h1")).to_contain_text("ways to rank them")
    expect(page.locator("svg.wide polyline").first).to_be_visible()
    expect(page.locator(".recap dl")).to_have_count(3)

    # The comparison is started by a button and arrives without a reload.
    page.click("#backtest button")
    expect(page.locator("#backtest .lede")).to_contain_text("predicts the winner", timeout=SOON)
    expect(page.locator("#backtest .job")).to_have_count(0, timeout=SOON)
    expect(page.locator("#backtest tbody tr").first).to_contain_text("best")
    expect(page.locator("#backtest figure svg").first).to_be_visible()
    assert violations(page) == []

    # Another board sorts the table, and its ranks ascend.
    page.click("#ranks summary")
    page.click("#ranks th a:has-text('Elo')")
    page.wait_for_url(re.compile("board=singles-elo"))
    page.click("#ranks summary")
    elo = page.locator("#ranks th[aria-sort]").evaluate("cell => cell.cellIndex")
    ranks = [
        int(text) for text in page.locator(f"#ranks td:nth-child({elo + 1})").all_inner_texts()
    ]
    assert ranks == sorted(ranks)

    # Other parameters are tried; the board keeps its own.
    page.click("#backtest >> text=Try other parameters")
    page.fill("[name=try-x_k]", "-1")
    page.click("text=Try these parameters")
    expect(page.locator(".errtext")).to_contain_text("over 0")
    page.fill("[name=try-x_k]", "60")
    page.click("text=Try these parameters")
    expect(page.locator("#outcome .lede")).to_contain_text(
        "log loss", ignore_case=True, timeout=SOON
    )
    expect(page.locator("text=Who would move most")).to_be_visible()
    assert violations(page) == []

    reads_as_a_visitor(visitor.new_page(), page.url)


def reads_as_a_visitor(page: Page, trial: str) -> None:
    """See what was found without an account, and step through a simulation."""
    page.goto(trial)
    expect(page.locator("#outcome .lede")).to_be_visible()
    page.goto("/l/demo/systems/")
    expect(page.locator("#backtest button")).to_have_count(0)
    page.click("text=Try the simulator")
    page.select_option("[name=players]", "20")
    page.fill("[name=rounds]", "5")
    page.click("text=Simulate")
    expect(page.locator("#simulation")).to_contain_text("Round 5 of 5")
    expect(page.locator("#simulation h2")).to_contain_text(
        re.compile("learns faster|learn about equally fast|Neither reaches")
    )
    expect(page.locator("#simulation svg.wide").last.locator("polyline")).to_have_count(2)
    page.click("#simulation nav >> text=First")
    expect(page.locator("#simulation")).to_contain_text("Round 1 of 5")
    expect(page).to_have_url(re.compile("round=1"))
    page.reload()
    expect(page.locator("#simulation")).to_contain_text("Round 1 of 5")
    expect(page.locator("#simulation svg.wide").first.locator("circle")).to_have_count(20)
    assert violations(page) == []
