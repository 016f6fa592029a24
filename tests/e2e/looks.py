"""What every page is held to, whoever is at it: nothing overflows, nothing complains."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Error, Page, expect

NARROW = 360
WIDTHS = (1280, NARROW)
SMALL: Any = {"width": NARROW, "height": 740}
"""The screen of a phone."""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CLIPPED = """() => [...document.querySelectorAll("main :is(td, th, .btn, .label, h1, h2, dd)")]
  .filter((node) => !node.closest(".scroll, .vh, .board, details:not([open])"))
  .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
  .map((node) => node.outerHTML.slice(0, 120))"""

CUT = """() => {
  const cut = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; text = texts.nextNode();) {
    const around = text.parentElement;
    if (around.closest("bdi, .vh, svg, option, .map, .err") || !around.checkVisibility()) continue;
    for (const word of text.data.matchAll(/[\\p{L}\\p{N}]{2,12}/gu)) {
      const place = document.createRange();
      place.setStart(text, word.index);
      place.setEnd(text, word.index + word[0].length);
      if (new Set([...place.getClientRects()].map((box) => box.top)).size > 1) cut.push(word[0]);
    }
  }
  return cut;
}"""
"""Short words that stand on two lines; names, and those of a file that is checked, may have to."""


def assert_fits(page: Page, name: str = "") -> None:
    """Nothing is wider than the screen; a picture of it is kept where it has a name."""
    if name:
        keep(page, name)
    # A link may have been followed a moment ago.
    page.wait_for_load_state()
    assert page.evaluate(OVERFLOW) <= 0


def look_at(page: Page, name: str, address: str, *, status: int = 200) -> None:
    """Open a page and hold it to everything that can be checked without eyes."""
    said: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        # The browser's hints to developers say nothing of the page.
        if message.type not in ("verbose", "info"):
            said.append(f"{message.type}: {message.text}")

    def fail(error: Error) -> None:
        said.append(f"error: {error}")

    page.on("console", hear)
    page.on("pageerror", fail)
    response = page.goto(address)
    assert response is not None
    assert response.status == status
    # The admin's pages load themselves again until a board has been computed.
    expect(page.locator("head > meta[http-equiv=refresh]")).to_have_count(0, timeout=60_000)
    page.evaluate("document.fonts.ready.then(() => true)")
    assert_fits(page, name)
    for script in (CLIPPED, CUT):
        assert not (found := page.evaluate(script)), (name, found)
    page.emulate_media(media="print")
    assert page.locator("main").inner_text().strip()
    page.emulate_media(media="screen")
    # What axe logs while it reads style sheets is not of the page.
    page.remove_listener("console", hear)
    page.remove_listener("pageerror", fail)
    assert violations(page) == []
    # In the dark only colours are others.
    page.emulate_media(color_scheme="dark")
    # The admin's change in a moment: of a colour on its way to another one, axe would see neither.
    page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")
    keep(page, name)
    assert violations(page, runOnly=["color-contrast"]) == []
    page.emulate_media(color_scheme="light")
    if status == 200:
        assert said == []
    else:
        assert all("Failed to load resource" in line for line in said)


def violations(page: Page, **options: Any) -> list[tuple[str, Any]]:
    """Return whatever axe finds, the least too; of what is right it tells nothing."""
    options["resultTypes"] = ["violations"]
    found = Axe().run(page, options=options).response["violations"]
    return [(rule["id"], [node["html"] for node in rule["nodes"]][:5]) for rule in found]


def keep(page: Page, name: str) -> None:
    folder = os.environ.get("RUNGS_SCREENSHOTS")
    if not folder:
        return
    size = page.viewport_size or {"width": 0}
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    path = Path(folder) / f"{name}-{size['width']}-{'dark' if dark else 'light'}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=path, full_page=True)
    if not dark and size["width"] > NARROW:
        page.emulate_media(media="print")
        page.screenshot(path=path.with_name(f"{name}-print.png"), full_page=True)
        page.emulate_media(media="screen")
