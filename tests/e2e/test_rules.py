"""An organizer changes the rules from a day on, having seen what that does; everybody reads it."""

from __future__ import annotations

import re
from datetime import date, timedelta

from playwright.sync_api import Page, expect


def wait_until_rated(page: Page, address: str) -> None:
    for _ in range(100):
        if page.request.get(address).headers.get("hx-trigger") == "rated":
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{address} still waits")


def test_the_k_factor_is_changed_from_a_day_on_and_the_rules_tell_both_versions(
    site, organizer, visitor, league
):
    page = organizer.new_page()
    page.goto("/l/demo/settings/boards/")
    page.locator("tr", has_text="Singles, Elo").get_by_role("link", name="Change").click()
    expect(page.locator("h1")).to_contain_text("Change the rules of")
    page.click("text=Preview the change")
    expect(page.locator(".errtext, .note.look").first).to_contain_text("already uses these rules")

    first_day = date.today() - timedelta(days=30)
    page.fill("[name=try-x_k0]", "64")
    page.fill("[name=try-effective_on]", first_day.isoformat())
    page.click("text=Preview the change")
    expect(page.locator("h1")).to_contain_text("What the new rules would change")
    expect(page.locator("#outcome")).to_contain_text("Log loss", timeout=15_000)
    expect(page.locator("#outcome")).to_contain_text("would change rank")
    expect(page.locator("#outcome tr", has_text="First K")).to_contain_text("64")
    reader = visitor.new_page()
    reader.goto("/l/demo/rules/")
    reader.get_by_role("link", name=re.compile("Elo")).first.click()
    expect(reader.locator("#versions")).not_to_contain_text("64")

    page.fill("[name=reason]", "Newcomers moved too slowly")
    page.get_by_role("button", name="Change the rules").click()
    expect(page.locator("#versions tbody tr")).to_have_count(2)
    wait_until_rated(reader, "/l/demo/rating-state/?board=singles-elo")

    reader.reload()
    now, before = reader.locator("#versions tbody tr").all()
    expect(now).to_contain_text("First K 40 → 64")
    expect(now).to_contain_text("“Newcomers moved too slowly”")
    expect(now).to_contain_text("kim")
    expect(before).to_contain_text("from the first result on")
    expect(reader.locator("main")).to_contain_text("by at most 64 in a player’s first 30 matches")
    told = reader.locator("#example tbody tr").first.inner_text()
    reader.click("text=The full match")
    change = re.findall(r"[+−]\d+", told)[-1]
    expect(reader.locator("#account")).to_contain_text(change)
