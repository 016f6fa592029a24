"""An organizer lists age classes, and standings are narrowed to one, also on a small screen."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.looks import SMALL


def test_standings_are_narrowed_to_an_age_class(organizer, league):
    page = organizer.new_page()
    page.goto("/l/demo/p/farah-siddiqui/edit/")
    page.fill("[name=birth_year]", "1960")
    page.click("button:has-text('Save player')")
    page.goto("/l/demo/settings/")
    page.fill("[name=age_classes]", "juniors")
    page.click("main button.main")
    expect(page.locator("main")).to_contain_text("“juniors” is no age class")
    page.fill("[name=age_classes]", "u15, 60+")
    page.click("main button.main")
    page.goto("/l/demo/")
    page.set_viewport_size(SMALL)
    page.click("summary:has-text('Filters')")
    page.select_option("[name=group]", label="Age: 60+")
    expect(page.locator("main")).to_contain_text("the rank within “Age: 60+”")
    expect(page.locator("table.board tbody tr bdi")).to_have_text(["Farah Siddiqui"])
    width = page.locator("main").bounding_box()
    assert width is not None
    assert width["x"] + width["width"] <= SMALL["width"]
    page.goto("/l/demo/settings/")
    expect(page.locator("[name=age_classes]")).to_have_value("U15, 60+")
    page.fill("[name=age_classes]", "")
    page.click("main button.main")
    page.goto("/l/demo/")
    expect(page.locator("[name=group]")).to_have_count(0)
