"""Stories that seasons and admins live through, each as the people in it see it."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import PASSWORD, enter
from tests.e2e.sites import Site

SLOW = 60_000


@pytest.fixture
def page(organizer) -> Page:
    return organizer.new_page()


def new_league(page: Page, name: str, *, visibility: str = "public") -> str:
    page.goto("/new/")
    page.fill("[name=name]", name)
    page.fill("[name=time_zone]", "London")
    page.select_option("[name=visibility]", visibility)
    page.click("main .btn.main")
    page.wait_for_url(re.compile("/l/[a-z-]+/$"))
    return page.url.removeprefix(page.url.split("/l/")[0])


def bring(page: Page, league: str, rows: list[tuple[date, str, str]]) -> None:
    """Import results, pasted, and wait until they are rated."""
    lines = ["date,winner,loser", *(f"{day},{one},{two}" for day, one, two in rows)]
    page.goto(f"{league}import/")
    page.fill("[name=paste]", "\n".join(lines))
    page.click("text=Check the file")
    page.click("text=/^Import .* results?$/", timeout=SLOW)
    expect(page.locator("h2", has_text=re.compile("results? imported"))).to_be_visible(timeout=SLOW)
    expect(page.locator("main progress")).to_have_count(0, timeout=SLOW)


def test_whoever_stays_away_is_listed_apart_less_sure_and_returns_with_one_result(page):
    league = new_league(page, "Away Club")
    today = datetime.now(UTC).date()
    long_ago = [(today - timedelta(days=200 - day), "Ana Ruiz", "Bo Berg") for day in range(8)]
    lately = [(today - timedelta(days=8 - day), "Cy Adey", "Di Lund") for day in range(8)]
    bring(page, league, long_ago + lately)

    page.goto(league)
    expect(page.locator("#standings tbody").first).not_to_contain_text("Ana Ruiz")
    away = page.locator("section[aria-labelledby=inactive]")
    expect(away).to_contain_text("Ana Ruiz")
    expect(away).to_contain_text("returns with the next result")
    away.locator("a", has_text="Ana Ruiz").click()
    expect(page.locator("h1")).to_contain_text("Ana Ruiz")
    # Of two who played alike, the one who was away is known less well today.
    halves = []
    for name in ("ana-ruiz", "cy-adey"):
        page.goto(f"{league}p/{name}/")
        halves.append(int(re.findall(r"±\s*([0-9]+)", page.inner_text("main"))[0]))
    assert halves[0] > halves[1]

    page.goto(f"{league}enter/")
    page.fill("[name=one_1]", "Ana Ruiz")
    page.fill("[name=two_1]", "Cy Adey")
    page.check("[name=outcome][value=one]")
    page.click("text=Record the result")
    page.wait_for_selector("#account")
    page.goto(league)
    expect(page.locator("#standings tbody").first).to_contain_text("Ana Ruiz", timeout=SLOW)


def test_a_recalculation_shows_its_progress_and_the_old_standings_until_it_is_done(
    site: Site, page, league
):
    page.goto(f"{league}?board=singles-elo")
    before = page.locator("#standings .board tbody").inner_text()
    page.goto("/admin/leagues/board/?q=Elo")
    page.locator("#result_list th a", has_text="Elo").first.click()
    with site.paused_runners():
        page.click(".steps >> text='Recalculate'")
        page.click(".submit-row input[type=submit]")
        expect(page.locator("#content progress").first).to_be_attached()
        other = page.context.new_page()
        other.goto(f"{league}?board=singles-elo")
        assert other.locator("#standings .board tbody").inner_text() == before
    expect(page.locator("#content")).to_contain_text("Recalculated", timeout=SLOW)
    other.reload()
    assert other.locator("#standings .board tbody").inner_text() == before


def test_the_log_says_who_changed_what_and_is_filtered_by_player_user_and_day(
    page, league, visitor
):
    """Story 43."""
    enter(page, "Ana Ruiz", "Bo Lindqvist", scores=(2, 0))
    page.click("text=Correct")
    page.fill("[name=score_two]", "1")
    page.fill("[name=reason]", "one goal was forgotten")
    page.click("button:has-text('Preview')")
    page.click("text=Save the correction")
    page.wait_for_selector("text=Undo")
    page.goto(f"{league}changes/")
    page.click("summary:has-text('Filter')")
    page.fill("[name=player]", "Ana Ruiz")
    page.fill("[name=user]", "kim")
    page.fill("[name=since]", datetime.now(UTC).date().isoformat())
    page.press("[name=since]", "Enter")
    page.wait_for_url("**player=Ana*")
    expect(page.locator("ol.log li").first).to_contain_text("one goal was forgotten")
    expect(page.locator("ol.log li").first).to_contain_text("kim")
    page.fill("[name=user]", "nobody-else")
    page.press("[name=user]", "Enter")
    page.wait_for_url("**user=nobody-else*")
    expect(page.locator("ol.log li")).to_have_count(0)

    page.goto("/admin/leagues/auditentry/")
    page.locator("#result_list th a").first.click()
    expect(page.locator("#content input[type=submit], .deletelink")).to_have_count(0)
    stranger = visitor.new_page()
    stranger.goto(f"{league}changes/")
    expect(stranger.locator("main")).to_contain_text("one goal was forgotten")
    expect(stranger.locator("main")).not_to_contain_text("kim")


def test_a_match_at_the_last_minute_counts_and_is_told_in_the_zone_of_the_reader(
    site: Site, account, browser: Browser
):
    here = browser.new_context(
        storage_state=account, base_url=site.url, timezone_id="Europe/London"
    )
    page = here.new_page()
    league = new_league(page, "Midnight Club")
    page.goto(f"{league}settings/seasons/first-season/days/")
    page.fill("[name=ends_on]", "2026-06-30")
    page.click("main .btn.main")
    page.goto(f"{league}enter/")
    page.fill("[name=one_1]", "Ana Ruiz")
    page.fill("[name=two_1]", "Bo Berg")
    page.check("[name=outcome][value=one]")
    page.fill("[name=played_on]", "2026-07-01")
    page.click("text=Time, walkover")
    page.fill("[name=played_time]", "00:00")
    page.click("text=Record the result")
    expect(page.locator("main")).to_contain_text("outside the season")
    page.fill("[name=played_on]", "2026-06-30")
    page.fill("[name=played_time]", "23:59")
    page.click("text=Record the result")
    page.wait_for_selector("#account")
    expect(page.locator(".facts-line")).to_contain_text("Tuesday 30 Jun 2026, 23:59")
    match = page.url

    context = browser.new_context(timezone_id="Asia/Tokyo")
    there = context.new_page()
    there.goto(match)
    # Results and nights list it on the league's day, which is named beside the reader's.
    expect(there.locator(".facts-line")).to_contain_text(
        "Wednesday 1 Jul 2026, 07:59 (Tuesday 30 Jun 2026, 23:59, Europe/London)"
    )
    expect(there.locator("footer")).to_contain_text("times in your time zone")
    expect(there.locator("footer")).to_contain_text("Europe/London")
    context.close()

    context = browser.new_context(timezone_id="Atlantic/Azores")
    near = context.new_page()
    near.goto(match)
    expect(near.locator(".facts-line")).to_contain_text(
        "Tuesday 30 Jun 2026, 22:59 (23:59, Europe/London)"
    )
    context.close()
    here.close()


@pytest.mark.parametrize(
    ("device", "offered"), [("Asia/Tokyo", "Asia/Tokyo"), ("UTC", ""), ("Etc/GMT+3", "")]
)
def test_a_new_league_takes_the_zone_of_the_device_unless_that_hides_where_it_is(
    site: Site, account, browser: Browser, device: str, offered: str
):
    context = browser.new_context(storage_state=account, base_url=site.url, timezone_id=device)
    page = context.new_page()
    page.goto("/new/")
    expect(page.locator("[name=time_zone]")).to_have_value(offered)
    context.close()


def test_two_clubs_on_one_server_see_nothing_private_of_each_other(site: Site, page, browser):
    mine = new_league(page, "Closed Club", visibility="private")
    bring(page, mine, [(date(2026, 5, 1), "Ana Ruiz", "Bo Berg")])
    page.goto("/admin/auth/user/add/")
    page.fill("[name=username]", "lena")
    for field in ("password1", "password2"):
        page.fill(f"[name={field}]", PASSWORD)
    page.click("[name=_save]")

    context = browser.new_context(base_url=site.url)
    theirs = context.new_page()
    theirs.goto("/account/sign-in/")
    theirs.fill("[name=username]", "lena")
    theirs.fill("[name=password]", PASSWORD)
    theirs.click("main .btn.main")
    own = new_league(theirs, "Other Club", visibility="private")
    bring(theirs, own, [(date(2026, 5, 1), "Cy Adey", "Di Lund")])
    slug = mine.split("/")[2]
    for address in (
        *(mine, f"{mine}p/ana-ruiz/", f"{mine}results/", f"{mine}m/first-season/1/"),
        *(f"{mine}seasons/", f"{mine}compare/", f"{mine}statistics/", f"{mine}systems/"),
        *(f"{mine}rules/", f"{mine}settings/", f"{mine}changes/", f"{mine}dashboard/"),
        *(f"{mine}enter/", f"{mine}import/", f"/api/v1/leagues/{slug}/", "/admin/"),
        f"/api/v1/leagues/{slug}/seasons/first-season/",
    ):
        answer = theirs.goto(address)
        assert answer.status in (403, 404) or "/sign-in" in theirs.url or "/login" in theirs.url
        assert "Ana Ruiz" not in theirs.content()
    theirs.goto("/")
    expect(theirs.locator("main")).to_contain_text("Other Club")
    expect(theirs.locator("main")).not_to_contain_text("Closed Club")
    context.close()
