"""Players are merged, or leave and come back, without script on a small screen."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.looks import assert_fits


def enter_newcomer(page: Page, name: str, other: str) -> None:
    """Enter a result of a player who is new, though others have names like it."""
    page.goto("/l/demo/enter/")
    page.fill("[name=one_1]", name)
    page.fill("[name=two_1]", other)
    page.fill("[name=score_one]", "3")
    page.fill("[name=score_two]", "1")
    page.click("text=Record the result")
    page.select_option("[name=answer]", "new")
    page.locator(".asks .btn.main").click()
    expect(page.locator("main")).to_contain_text(name)


def test_two_players_who_met_are_refused(plain, league):
    """Story 30."""
    page = plain.new_page()
    page.goto("/l/demo/p/mira-okonjo/merge/?key=jun-park")
    expect(page.locator("main")).to_contain_text("so they are two people")
    expect(page.locator("button:has-text('Merge the players')")).to_have_count(0)
    assert_fits(page)


def test_two_names_become_one_and_two_again(site, organizer, plain, league):
    """Story 30."""
    enter_newcomer(organizer.new_page(), "Mira Okonjoe", "Bo Lindqvist")
    page = plain.new_page()
    page.goto("/l/demo/p/mira-okonjoe/")
    page.click("text=Merge with another player")
    assert_fits(page)
    page.get_by_role("link", name="Mira Okonjo", exact=True).click()
    expect(page.locator("h1")).to_contain_text("Mira Okonjoe and Mira Okonjo")
    expect(page.locator("[name=keep][value=mira-okonjo]")).to_be_checked()
    page.fill("[name=reason]", "misspelt")
    page.click("text=Preview")
    expect(page.locator("main")).to_contain_text("1 result of “Mira Okonjoe” will name")
    expect(page.locator("table.moves").first).to_contain_text("Mira Okonjoe")
    assert_fits(page)
    page.click("text=Merge the players")
    expect(page.locator("h1")).to_have_text("Mira Okonjo")
    page.click("main >> text=/^change [0-9]+$/")
    expect(page.locator("main")).to_contain_text("“Mira Okonjoe” was merged into “Mira Okonjo”")
    page.goto("/l/demo/p/mira-okonjoe/")
    expect(page).to_have_url(re.compile("/p/mira-okonjo/$"))
    page.goto("/l/demo/changes/?kind=merge")
    page.locator("button:has-text('Undo')").first.click()
    expect(page.locator("main")).to_contain_text("are two players again")
    page.goto("/l/demo/p/mira-okonjoe/")
    expect(page.locator("h1")).to_have_text("Mira Okonjoe")


def test_two_names_that_met_by_mistake_become_one_when_each_match_is_ticked(
    site, organizer, plain, league
):
    """Story 30."""
    enter_newcomer(organizer.new_page(), "Bo Lindqvistt", "Bo Lindqvist")
    page = plain.new_page()
    page.goto("/l/demo/p/bo-lindqvistt/merge/?key=bo-lindqvist")
    expect(page.locator("main")).to_contain_text("If this result was entered by mistake, tick it")
    assert_fits(page)
    page.click("button:has-text('Preview')")
    expect(page.locator("button:has-text('Merge the players')")).to_have_count(0)
    page.check("[name=mistakes]")
    page.click("button:has-text('Preview')")
    expect(page.locator("main")).to_contain_text("1 result with both players becomes void")
    expect(page.locator("[name=mistakes]")).to_be_checked()
    assert_fits(page)
    page.click("text=Merge the players")
    page.click("main >> text=/^change [0-9]+$/")
    expect(page.locator("main")).to_contain_text("void")
    page.locator("button:has-text('Undo')").first.click()
    expect(page.locator("main")).to_contain_text("are two players again")


def test_a_player_leaves_and_comes_back(plain, league):
    page = plain.new_page()
    page.goto("/l/demo/p/farah-siddiqui/edit/")
    page.click("button:has-text('No longer plays here')")
    expect(page.locator("main")).to_contain_text("no longer plays here since")
    assert_fits(page)
    page.goto("/l/demo/p/farah-siddiqui/")
    expect(page.locator(".head")).to_contain_text("no longer plays here since")
    page.goto("/l/demo/enter/")
    assert page.locator("datalist option[value='Farah Siddiqui']").count() == 0
    page.goto("/l/demo/p/farah-siddiqui/edit/")
    page.click("button:has-text('Plays here again')")
    page.goto("/l/demo/enter/")
    assert page.locator("datalist option[value='Farah Siddiqui']").count() > 0
