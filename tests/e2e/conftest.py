"""The real thing: an installation of its own, and Debian's Chromium.

Screenshots of every page are kept where RUNGS_SCREENSHOTS names a folder.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.looks import SMALL
from tests.e2e.sites import Site, new_site

PASSWORD = "correct horse battery staple"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--no-first-run",
    "--disable-gpu",
]


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """Use the browser of the machine: the one that Playwright would fetch is not needed."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no Chromium here (Debian: apt install chromium)")
    return {"executable_path": chromium, "args": ARGUMENTS}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve a new installation with its demo league until the tests are over."""
    with new_site(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture(scope="session")
def account(site: Site, browser: Browser) -> Any:
    """Make the first account by its link, and return the state of the browser that has it."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(site.setup)
    page.fill("[name=username]", "kim")
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    for field in page.locator("input[type=email]").all():
        field.fill("kim@example.org")
    page.click("main .btn.main")
    page.goto(f"{site.url}/account/")
    assert "kim" in page.inner_text("h1")
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def organizer(site: Site, account: Any, browser: Browser) -> Iterator[BrowserContext]:
    """A browser in which the first account is signed in."""
    context = browser.new_context(storage_state=account, base_url=site.url)
    yield context
    context.close()


@pytest.fixture
def plain(site: Site, account: Any, browser: Browser) -> Iterator[BrowserContext]:
    """A browser without script on a small screen, in which the first account is signed in."""
    context = browser.new_context(
        storage_state=account, base_url=site.url, java_script_enabled=False, viewport=SMALL
    )
    yield context
    context.close()


@pytest.fixture
def visitor(site: Site, browser: Browser) -> Iterator[BrowserContext]:
    """A browser in which nobody is signed in."""
    context = browser.new_context(base_url=site.url)
    yield context
    context.close()


@pytest.fixture(scope="session")
def league(site: Site, account: Any, browser: Browser) -> str:
    """Fill the demo league with what simulations lack, and return its address.

    A correction, a void match, a walkover, a free-for-all; an empty league beside it.
    """
    context = browser.new_context(
        storage_state=account, base_url=site.url, timezone_id="Europe/London"
    )
    page = context.new_page()
    page.goto("/l/demo/enter/?shape=list")
    page.fill("[name=places]", "Bo Lindqvist: 31\nAna Ruiz = Cy Adeyemi: 24\nJun Park: 12")
    page.click("text=Record the result")
    page.click("button:has-text('Record it in “Singles”')")
    page.wait_for_selector("text=Before and after")
    enter(page, "Farah Siddiqui", "Ivo Petrov", kind="walkover", outcome="one")
    enter(page, "Mira Okonjo", "Jun Park", scores=(5, 3))
    page.click("text=Correct")
    page.fill("[name=score_two]", "4")
    page.fill("[name=reason]", "the last goal was missing")
    page.click("button:has-text('Preview')")
    page.click("text=Save the correction")
    page.wait_for_selector("text=Undo")
    enter(page, "Bo Lindqvist", "Mira Okonjo", scores=(9, 0))
    # What is made void before it was rated has moved nobody.
    page.wait_for_selector("text=Before and after")
    page.click("main >> text=Void")
    page.fill("[name=reason]", "a friendly")
    page.click("button:has-text('Void this match')")
    page.wait_for_selector("text=Undo")
    page.goto("/new/")
    page.fill("[name=name]", "Harbour Go Club")
    page.click("main .btn.main")
    page.wait_for_url("**/l/harbour-go-club/")
    context.close()
    return "/l/demo/"


def enter(
    page: Page,
    one: str,
    two: str,
    *,
    scores: tuple[int, int] | None = None,
    outcome: str = "",
    kind: str = "",
) -> None:
    """Enter a result by the form and wait for its page."""
    page.goto("/l/demo/enter/")
    page.fill("[name=one_1]", one)
    page.fill("[name=two_1]", two)
    if scores:
        page.fill("[name=score_one]", str(scores[0]))
        page.fill("[name=score_two]", str(scores[1]))
    if outcome:
        page.check(f"[name=outcome][value={outcome}]")
    if kind:
        page.click("text=Time, walkover")
        page.select_option("[name=kind]", kind)
    page.click("text=Record the result")
    page.wait_for_selector("#account")
