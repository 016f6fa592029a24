"""Every page, wide and narrow, light and dark: nothing overflows, nothing complains."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, expect

from tests.e2e.sites import Site

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CLIPPED = """() => [...document.querySelectorAll("main :is(td, th, .btn, .label, h1, h2, dd)")]
  .filter((node) => !node.closest(".scroll, .vh, .board, details:not([open])"))
  .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
  .map((node) => node.outerHTML.slice(0, 120))"""

CUT = """() => {
  const cut = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; text = texts.nextNode();) {
    const around = text.parentElement;
    if (around.closest(".vh, svg, option") || !around.checkVisibility()) continue;
    for (const word of text.data.matchAll(/[\\p{L}\\p{N}]{2,12}/gu)) {
      const place = document.createRange();
      place.setStart(text, word.index);
      place.setEnd(text, word.index + word[0].length);
      if (new Set([...place.getClientRects()].map((box) => box.top)).size > 1) cut.push(word[0]);
    }
  }
  return cut;
}"""
"""Short words that stand on two lines."""


def first_link(page: Page, address: str, selector: str) -> str:
    page.goto(address)
    return str(page.locator(selector).first.get_attribute("href"))


def at(address: str) -> Callable[[Page], str]:
    return lambda page: address


def found(address: str, text: str) -> Callable[[Page], str]:
    return lambda page: first_link(page, address, f"main a:has-text('{text}')")


def match_of(text: str) -> Callable[[Page], str]:
    return lambda page: first_link(page, "/l/demo/results/", f"tr:has-text('{text}') th a")


def correction(page: Page) -> str:
    return first_link(page, "/l/demo/changes/", ".log li:has-text('corrected') a")


PAGES: dict[str, Callable[[Page], str]] = {
    "home": at("/"),
    "board": at("/l/demo/"),
    "board-elo": found("/l/demo/", "Elo"),
    "board-hidden": at("/l/demo/?q=zzz"),
    "board-inactive": at("/l/demo/?list=inactive"),
    "me": at("/l/demo/me/?q=an"),
    "board-empty": at("/l/harbour-go-club/"),
    "player": at("/l/demo/p/farah-siddiqui/"),
    "players": at("/l/demo/players/"),
    "player-edit": at("/l/demo/p/farah-siddiqui/edit/"),
    "player-add": at("/l/demo/players/add/"),
    "player-starts": at("/l/demo/p/farah-siddiqui/starts/"),
    "player-elo": found("/l/demo/p/farah-siddiqui/", "Elo"),
    "results": at("/l/demo/results/"),
    "nights": at("/l/demo/nights/"),
    "played-night": lambda page: first_link(page, "/l/demo/nights/", "main th a"),
    "match": match_of("Mira Okonjo beat Jun Park"),
    "match-free-for-all": match_of("1st"),
    "match-walkover": match_of("walkover"),
    "match-void": match_of("void"),
    "enter": at("/l/demo/enter/"),
    "night": at("/l/demo/night/"),
    "enter-list": at("/l/demo/enter/?shape=list"),
    "correct": lambda page: match_of("Mira Okonjo beat Jun Park")(page) + "correct/",
    "void": lambda page: match_of("Mira Okonjo beat Jun Park")(page) + "void/",
    "compare": at("/l/demo/compare/?a=Mira+Okonjo&b=Dina+Haddad"),
    "compare-teams": at("/l/demo/compare/?a=Ana+Ruiz%2BBo+Lindqvist&b=Cy+Adeyemi%2BTess+Molina"),
    "compare-several": at("/l/demo/compare/?a=Ana+Ruiz&b=Bo+Lindqvist&c=Cy+Adeyemi&d=Jun+Park"),
    "compare-unknown": at("/l/demo/compare/?a=Ana+Ruz&b=Nobody"),
    "compare-one-unknown": at("/l/demo/compare/?a=Ana+Ruz"),
    "board-ladder": found("/l/demo/", "Ladder"),
    "opponents": at("/l/demo/opponents/?player=Dina+Haddad"),
    "statistics": at("/l/demo/statistics/"),
    "systems": at("/l/demo/systems/"),
    "simulator": at("/l/demo/systems/simulator/?players=20&rounds=5&round=3"),
    "try-parameters": at("/l/demo/systems/try/"),
    "rules": at("/l/demo/rules/"),
    "rules-elo": found("/l/demo/rules/", "Elo"),
    "changes": at("/l/demo/changes/"),
    "revision": correction,
    "undo": lambda page: correction(page) + "undo/",
    "import": at("/l/demo/import/"),
    "settings": at("/l/demo/settings/"),
    "settings-boards": at("/l/demo/settings/boards/"),
    "settings-modes": at("/l/demo/settings/modes/"),
    "settings-mode": lambda page: first_link(page, "/l/demo/settings/modes/", "main th a"),
    "table-code": at("/l/demo/enter/code/"),
    "settings-board-remove": found("/l/demo/settings/boards/", "Remove"),
    "settings-rules": lambda page: first_link(page, "/l/demo/settings/boards/", "main td a"),
    "settings-seasons": at("/l/demo/settings/seasons/"),
    "settings-members": at("/l/demo/settings/members/"),
    "settings-tokens": at("/l/demo/settings/tokens/"),
    "dashboard": at("/l/demo/dashboard/"),
    "new-league": at("/new/"),
    "account": at("/account/"),
    "password": at("/account/password/"),
    "admin": at("/admin/"),
    "admin-seasons": at("/admin/leagues/season/"),
    "admin-season": lambda page: first_link(
        page, "/admin/leagues/season/", "#result_list tbody th a"
    ),
    "admin-next": at("/admin/leagues/season/1/step/next/"),
    "admin-board": lambda page: first_link(
        page, "/admin/leagues/board/", "#result_list tbody th a"
    ),
    "admin-matches": at("/admin/leagues/match/"),
    "admin-log": at("/admin/leagues/auditentry/"),
    "admin-user": lambda page: first_link(page, "/admin/auth/user/", "#result_list tbody th a"),
}
OPEN = {"sign-in": "/account/sign-in/", "reset": "/account/reset/", "visitor": "/l/demo/"}
MISSING = {"nothing-here": "/l/nowhere/", "sign-in-first": "/l/demo/enter/"}

NARROW = 360
WIDTHS = (1280, NARROW)


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
    keep(page, name)
    assert page.evaluate(OVERFLOW) <= 0
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate(CUT) == []
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
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
    keep(page, name)
    assert violations(page, runOnly=["color-contrast"]) == []
    page.emulate_media(color_scheme="light")
    if status == 200:
        assert said == []
    else:
        assert all("Failed to load resource" in line for line in said)


def violations(page: Page, **options: Any) -> list[tuple[str, Any]]:
    """Return whatever axe finds, the least too."""
    found = Axe().run(page, options=options or None).response["violations"]
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


@pytest.fixture(scope="module", params=WIDTHS)
def seen(request: pytest.FixtureRequest, site: Site, browser: Browser) -> Any:
    """How to open a browser of one width, signed in or not.

    One page goes on to the next address: a browser takes longer to open than a page to load.
    Nothing of ours moves.
    """
    opened: dict[bool, Page] = {}

    def open_page(state: Any = None) -> Page:
        if bool(state) not in opened:
            context = browser.new_context(
                storage_state=state,
                base_url=site.url,
                viewport={"width": request.param, "height": 900},
                color_scheme="light",
                reduced_motion="reduce",
            )
            opened[bool(state)] = context.new_page()
        return opened[bool(state)]

    yield open_page
    for page in opened.values():
        page.context.close()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_organizer_looks_right(seen, account, league, name):
    page = seen(account)
    address = PAGES[name](page)
    look_at(page, name, address)


@pytest.mark.parametrize("name", OPEN)
def test_a_page_for_everybody_looks_right(seen, league, name):
    look_at(seen(), name, OPEN[name])


@pytest.mark.parametrize("name", MISSING)
def test_a_page_that_refuses_looks_right(seen, league, name):
    look_at(seen(), name, MISSING[name], status=404 if name == "nothing-here" else 403)


def test_the_menu_of_organizers_is_one_row_on_a_small_phone(browser: Browser, account, site):
    context = browser.new_context(
        storage_state=account, base_url=site.url, viewport={"width": 320, "height": 640}
    )
    page = context.new_page()
    page.goto("/l/demo/")
    tops = "[...document.querySelectorAll('.top nav > *')].map(e => e.getBoundingClientRect().top)"
    rows = page.evaluate(tops)
    context.close()
    assert len(rows) == 6 and len(set(rows)) == 1


def test_the_cursor_stands_in_the_first_field_of_the_sign_in(visitor: BrowserContext) -> None:
    page = visitor.new_page()
    console: list[str] = []
    page.on("console", lambda message: console.append(message.text))
    page.goto("/account/sign-in/?next=/l/demo/enter/")
    expect(page.locator("[name=username]")).to_be_focused()
    assert console == []
    page.keyboard.type("nobody-here")
    page.keyboard.press("Enter")
    expect(page.locator("[name=username]")).to_have_value("nobody-here")
