"""What htmx swaps stands where the former part stood: nothing around it moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

MOVED = """new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    for (const { node } of entry.sources) (window.moved ??= []).push(node);
}).observe({ type: "layout-shift" })"""
PLACE = "(node) => [node.getBoundingClientRect().top + scrollY, node.offsetWidth]"
"""Where a part begins on the page, in one look: the page may be scrolling to it."""

AROUND = """(part) => (window.moved ?? [])
  .filter((node) => node?.isConnected)
  .filter((node) => !(part.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING))
  .map((node) => node.outerHTML?.slice(0, 120))"""
"""What moved but for what follows the part, whose place depends on the part's length."""
MOVING = """() => [...document.querySelectorAll("*")].some((node) => {
  const { transitionDuration, animationName } = getComputedStyle(node);
  return animationName !== "none" || !/^0s(, 0s)*$/.test(transitionDuration);
})"""


@dataclass(frozen=True)
class Swap:
    """A page, the part that is swapped, what somebody does there, and how it can be told."""

    address: str
    part: str
    act: Callable[[Page], None]
    url: str


def press(selector: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).click()


def write(selector: str, text: str) -> Callable[[Page], None]:
    return lambda page: page.locator(selector).press_sequentially(text)


SWAPS = {
    "profile, opponents": Swap(
        "/l/demo/p/mira-okonjo/",
        "#details",
        press("#details .tabs a:has-text('Opponents')"),
        "tab=",
    ),
    "profile, against": Swap("/l/demo/p/mira-okonjo/", "#details", write("#against", "ju"), "q=ju"),
    "profile, lost": Swap(
        "/l/demo/p/mira-okonjo/",
        "#details",
        lambda page: page.select_option("#outcome", index=2) and None,
        "result=",
    ),
    "results of a player": Swap("/l/demo/results/", "#list", write("#find", "mira"), "q=mira"),
    "results, older": Swap(
        "/l/demo/results/", "#list", press("#list .pager a:has-text('Older')"), "after="
    ),
    "simulator, next round": Swap(
        "/l/demo/systems/simulator/?players=20&rounds=5&round=2",
        "#simulation",
        press(".rounds a.btn:nth-of-type(3)"),
        "round=",
    ),
}


@pytest.mark.parametrize("name", SWAPS)
@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_moves_around_a_swap(visitor, league, name, width):
    swap = SWAPS[name]
    page = visitor.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(swap.address)
    page.evaluate("document.fonts.ready.then(() => true)")
    former = page.locator(swap.part)
    former.scroll_into_view_if_needed()
    former.evaluate("(node) => { node.dataset.old = 'yes' }")
    before = former.evaluate(PLACE)
    page.evaluate(MOVED)
    swap.act(page)
    expect(page.locator(f"{swap.part}[data-old]")).to_have_count(0)
    expect(page).to_have_url(re.compile(swap.url))
    part = page.locator(swap.part)
    assert part.evaluate(PLACE) == before
    assert part.evaluate(AROUND) == []


@pytest.mark.parametrize(("asked", "moves"), [("reduce", False), ("no-preference", True)])
def test_nothing_moves_for_those_who_asked_for_less_motion(browser, site, league, asked, moves):
    context = browser.new_context(base_url=site.url, reduced_motion=asked)
    page = context.new_page()
    for address in (league, f"{league}p/mira-okonjo/", f"{league}compare/", f"{league}systems/"):
        page.goto(address)
        assert page.evaluate(MOVING) is moves
    context.close()
