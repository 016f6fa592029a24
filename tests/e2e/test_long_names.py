"""The longest names that a league may have, on a phone and on a screen."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.sites import Site
from tests.e2e.test_stories import bring, new_league

LONGEST, LONG = "W" * 64, "Wolfeschlegelsteinhausenberg"
WIDTHS = "[innerWidth, document.documentElement.scrollWidth]"


@pytest.fixture(scope="module")
def club(site: Site, account, browser: Browser) -> str:
    context = browser.new_context(storage_state=account, base_url=site.url)
    page = context.new_page()
    league = new_league(page, "Long Club")
    today = datetime.now(UTC).date()
    pairs = [(LONGEST, LONG), (LONG, "Ana Ruiz"), ("Ana Ruiz", LONGEST)] * 2
    # Equal results of one day would be asked about.
    days = [today - timedelta(days=number // 3) for number in range(len(pairs))]
    bring(page, league, [(day, *pair) for day, pair in zip(days, pairs, strict=True)])
    context.close()
    return league


def pages_of(league: str, today: date) -> list[str]:
    longest, long = LONGEST.lower(), LONG.lower()
    return [
        *("/", league, f"{league}results/", f"{league}players/", f"{league}nights/"),
        *(f"{league}nights/first-season/{today}/", f"{league}statistics/", f"{league}rules/"),
        *(f"{league}systems/", f"{league}changes/", f"{league}r/first-season/1/"),
        *(f"{league}p/{longest}/", f"{league}p/{long}/", f"{league}p/{longest}/edit/"),
        *(f"{league}p/{longest}/merge/?key={long}", f"{league}compare/?a={longest}&b={long}"),
        *(f"{league}m/first-season/1/", f"{league}m/first-season/1/correct/"),
        *(f"{league}m/first-season/1/void/", f"{league}enter/?a={longest}&b={long}"),
        *(f"{league}night/", f"{league}seasons/first-season/"),
    ]


@pytest.mark.parametrize("width", [360, 1280])
def test_the_longest_names_break_and_push_no_page_wide(
    site: Site, account, browser: Browser, club: str, width: int
) -> None:
    context = browser.new_context(
        storage_state=account,
        base_url=site.url,
        viewport={"width": width, "height": 780},
        is_mobile=width == 360,
        has_touch=width == 360,
    )
    page: Page = context.new_page()
    wide = {}
    for address in pages_of(club, datetime.now(UTC).date()):
        answer = page.goto(address)
        widths = page.evaluate(WIDTHS)
        if max(widths) > width or answer is None or answer.status != 200:
            wide[address] = (answer and answer.status, *widths)
    assert wide == {}
    context.close()
