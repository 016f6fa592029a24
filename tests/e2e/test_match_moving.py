"""A result of the wrong season is moved to the right one, seen first, and undone."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.e2e.looks import assert_fits
from tests.e2e.sites import ROOT, Site
from tests.e2e.test_night_stories import SLOW, api, moved
from tests.e2e.test_real_data import bring
from tests.installed import PYTHON

BOARD = "matches-elo"
PLAYED = (
    ("2026-01-05", "Ana Ruiz", "Bo Berg"),
    ("2026-01-12", "Bo Berg", "Cy Adey"),
    ("2026-02-02", "Cy Adey", "Ana Ruiz"),
    ("2026-02-09", "Ana Ruiz", "Bo Berg"),
)


@pytest.fixture
def club(site: Site, account: Any, organizer: Any, tmp_path: Any, request: Any) -> str:
    """A league whose second season, with a result of its own, runs beside the first."""
    name = f"moving-{len(request.node.name)}"
    file = tmp_path / "club.csv"
    rows = ["date,winner,loser", *(",".join(row) for row in PLAYED)]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    league = bring(site, name, file)
    page = organizer.new_page()
    page.goto(f"{league}settings/seasons/")
    page.fill("[name=name]", "Cup")
    page.click("main .btn.main")
    page.goto(f"{league}enter/?season=cup")
    page.fill("[name=one_1]", "Bo Berg")
    page.fill("[name=two_1]", "Cy Adey")
    page.check("[name=outcome][value=one]")
    page.fill("[name=played_on]", "2026-01-20")
    page.click("text=Record the result")
    page.wait_for_selector("#account")
    return league


def boards(page: Page, league: str) -> dict[str, dict[str, Any]]:
    """The standings of both seasons, once every result is rated."""
    shown = {}
    for season in ("first-season", "cup"):
        page.goto(f"{league}?season={season}&board={BOARD}")
        expect(page.locator("#pulse")).to_be_empty(timeout=SLOW)
        answers = [
            api(page, league, f"boards/{season}/{BOARD}/standings/", list=name)
            for name in ("ranked", "unranked")
        ]
        shown[season] = {
            row["player"]["name"]: (row["rank"], row["rating"]["value"])
            for answer in answers
            for row in answer["results"]
        }
    return shown


def after_of(table: Locator) -> dict[str, str]:
    """What players would have, by name: the column is another where there is nothing before."""
    (column,) = [
        number
        for number, heading in enumerate(table.locator("thead th").all_inner_texts())
        if heading.endswith("after")
    ]
    return {name: cells[column - 1] for name, cells in moved(table).items()}


def test_a_result_is_moved_to_another_season_as_previewed_and_undone(
    site: Site, organizer: Any, club: str
) -> None:
    page: Page = organizer.new_page()
    before = boards(page, club)
    page.goto(f"{club}m/first-season/1/")
    page.click("text=Correct this match")
    page.select_option("[name=season]", label="Cup")
    page.get_by_role("button", name="Preview", exact=True).click()
    tables = page.locator("#preview .moves")
    expect(tables.first).to_be_visible(timeout=SLOW)
    headings = page.locator("#preview h3").all_inner_texts()
    foreseen = {
        "cup" if "Cup" in heading else "first-season": after_of(tables.nth(number))
        for number, heading in enumerate(headings)
        if "Elo" in heading
    }
    assert foreseen.keys() == {"first-season", "cup"}
    page.fill("[name=reason]", "it was the cup")
    page.click("text=Save the correction")
    sentence = "Match 1 of “First season” was moved to “Cup”, where it is match 2"
    expect(page.locator("main")).to_contain_text(sentence)
    address = page.url
    after = boards(page, club)
    for season, rows in foreseen.items():
        for name, then in rows.items():
            if name in after[season]:
                assert then == f"{after[season][name][1]:.0f}", (season, name)
    assert after != before
    page.goto(f"{club}m/first-season/1/")
    page.click("text=It counts in “Cup”, as match 2.")
    expect(page.locator("main")).to_contain_text("Moved here from “First season”")
    command = [PYTHON, "manage.py", "verify", "--league", club.split("/")[2]]
    done = subprocess.run(
        command, cwd=ROOT, env=site.environment, capture_output=True, text=True, check=True
    )
    assert "0 differences" in done.stdout
    page.goto(address)
    page.click("button:has-text('Undo this correction')")
    expect(page.locator("main")).to_contain_text("is back in “First season”, as match 1")
    assert boards(page, club) == before


def test_it_is_moved_without_script_on_a_small_screen(plain: BrowserContext, club: str) -> None:
    page = plain.new_page()
    page.goto(f"{club}m/first-season/2/correct/")
    assert_fits(page)
    page.select_option("[name=season]", label="Cup")
    page.click("button:has-text('Preview')")
    expect(page.locator("#preview")).to_contain_text("Cup")
    expect(page.locator("[name=season]")).to_have_value("cup")
    assert_fits(page)
    page.click("text=Save the correction")
    expect(page.locator("main")).to_contain_text("was moved to “Cup”")
    assert_fits(page)
