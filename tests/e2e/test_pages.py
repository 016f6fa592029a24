"""Every page, wide and narrow, light and dark: nothing overflows, nothing complains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.looks import WIDTHS, look_at
from tests.e2e.sites import Site


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
