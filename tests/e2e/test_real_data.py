"""Real leagues from one page to the next: doubles, free-for-alls, large teams, a year of tennis."""

from __future__ import annotations

import csv
import gzip
import os
import subprocess
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.looks import WIDTHS, look_at
from tests.e2e.sites import ROOT, Site
from tests.installed import PYTHON
from tests.shared_data import shared_data

SETS = {
    "doubles": "club/foosball_2v2.csv",
    "free-for-all": "club/catan.csv",
    "large-teams": "halo2/halo2_largeteam.csv.gz",
    "tennis": "tennis/atp_singles.csv.gz",
}
MORE = {
    "duels": "halo2/halo2_headtohead.csv.gz",
    "football": "football/international.csv.gz",
}
"""Leagues for those who want to see the pages; what is checked of them the others show too."""
LETTERS = "abcdefgh"
if os.environ.get("RUNGS_SCREENSHOTS"):
    SETS |= MORE
SLOW = 60_000


def year_of_tennis(source: Path, folder: Path) -> Path:
    """Write one year of a long file."""
    target = folder / "tennis.csv"
    with gzip.open(source, "rt", encoding="utf-8") as file, target.open("w", newline="") as out:
        rows = csv.DictReader(file)
        writer = csv.writer(out)
        writer.writerow(["date", "winner", "loser"])
        for row in rows:
            if row["date"].startswith("2023-") and not row["flag"]:
                writer.writerow([row["date"], row["winner_name"], row["loser_name"]])
    return target


def bring(site: Site, name: str, source: Path) -> str:
    """Import a file by the command line and return the address of its league."""
    subprocess.run(
        [
            PYTHON,
            "manage.py",
            "import_matches",
            str(source),
            "--league",
            name,
            "--create",
            "--skip-bad",
        ],
        cwd=ROOT,
        env=site.environment,
        check=True,
        capture_output=True,
    )
    return f"/l/{name}/"


def wait_until_rated(page: Page, league: str) -> None:
    page.goto(league)
    expect(page.locator("#standings tbody tr").first).to_be_visible(timeout=SLOW)
    expect(page.locator("#standings progress")).to_have_count(0, timeout=SLOW)


def pages_of(page: Page, league: str) -> dict[str, str]:
    """Follow the links from the standings to a player, and from a number to its reason."""
    people = page.locator("#standings tbody th a")
    first, second = (people.nth(row).get_attribute("href") for row in (0, 1))
    one, two = (str(address).partition("?")[0].split("/")[-2] for address in (first, second))
    page.goto(f"{league}me/?player={two}&next={league}")
    page.goto(str(first))
    match = page.locator("#matches tbody a[href*='/m/']").first.get_attribute("href")
    return {
        "standings": league,
        "profile": str(first),
        "opponents-met": f"{league}p/{one}/?tab=opponents",
        "match": str(match),
        "compare": f"{league}compare/?a={one}&b={two}",
        "compare-sides": f"{league}compare/?{sides_of_the_last_match(page, league)}",
        "whom-to-play": f"{league}opponents/",
        "systems": f"{league}systems/",
        "statistics": f"{league}statistics/",
        "rules": f"{league}rules/",
        "results": f"{league}results/",
        "season": f"{league}seasons/first-season/",
    }


def sides_of_the_last_match(page: Page, league: str) -> str:
    """Return the sides of a match as the address of a comparison names them."""
    matches = page.request.get(f"/api/v1{league.replace('/l/', '/leagues/')}matches/").json()
    sides = matches["results"][0]["sides"]
    return urlencode(
        {
            letter: "+".join(player["key"] for player in side["players"])
            for letter, side in zip(LETTERS, sides, strict=False)
        }
    )


def check_one_day(page: Page, league: str) -> None:
    """The standings of a day are the same on the page and through the API (story 20)."""
    standings = f"/api/v1{league.replace('/l/', '/leagues/')}standings/"
    last = page.request.get(standings).json()["results"][0]["last_played_at"][:10]
    page.goto(f"{league}?on={last}")
    expect(page.locator("#standings tbody tr").first).to_be_visible(timeout=SLOW)
    shown = page.locator("#standings tbody th a").all_inner_texts()
    told = page.request.get(f"{standings}?on={last}").json()["results"]
    names = [row["player"]["name"] for row in told]
    assert len(names) > 1
    assert shown[: len(names)] == names[: len(shown)]


@pytest.mark.parametrize("name", SETS)
def test_a_real_league_is_told_from_the_standings_to_the_reasons(
    name: str, site: Site, account: object, browser: Browser, tmp_path: Path
) -> None:
    source = shared_data(SETS[name])
    if name == "tennis":
        source = year_of_tennis(source, tmp_path)
    league = bring(site, name, source)
    for width in WIDTHS:
        context = browser.new_context(base_url=site.url, viewport={"width": width, "height": 900})
        page = context.new_page()
        wait_until_rated(page, league)
        for title, address in pages_of(page, league).items():
            look_at(page, f"{name}-{title}", address)
            if title == "match":
                expect(page.locator("#account")).to_contain_text("Before and after")
                expect(page.locator("#account")).to_contain_text("add up to the change")
            if title == "compare-sides":
                expect(page.locator("h2", has_text="The next match")).to_be_visible()
            if title == "standings":
                expect(page.locator("#standings tr.mine")).to_have_count(1)
        check_one_day(page, league)
        context.close()
