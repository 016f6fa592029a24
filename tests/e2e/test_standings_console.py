"""Filtering the standings: a quiet console, and one row of filters where there is room."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.sites import Site
from tests.e2e.test_real_data import bring

PLAYED = "date,winner,loser\n2026-01-05,Ana Ruiz,Bo Berg\n2026-01-12,Bo Berg,Cy Adey\n"


@pytest.fixture
def small(site: Site, tmp_path: Any) -> str:
    """A league in which nobody's rating is certain, so that the filter has no choice of it."""
    file = tmp_path / "club.csv"
    file.write_text(PLAYED, encoding="utf-8")
    return bring(site, "small", file)


def test_filtering_the_standings_leaves_the_console_empty(
    visitor: Any, small: str, league: str
) -> None:
    page = visitor.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    for address in (small, league):
        page.goto(address)
        expect(page.locator("#pulse")).to_be_empty(timeout=30_000)
        with page.expect_response(lambda response: "q=ana" in response.url):
            page.fill("#find", "ana")
        expect(page.locator("#standings")).not_to_contain_text("Bo ")
    assert [line for line in said if line.startswith(("error", "warning"))] == []


def test_the_filters_open_as_one_row_where_there_is_room(visitor: Any, league: str) -> None:
    page = visitor.new_page()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(league)
    button = page.locator(".fold > summary")
    before = button.bounding_box()
    button.click()
    page.locator(".limits > summary").click()
    assert button.bounding_box() == before
    tops = [
        box["y"] + box["height"]
        for field in ("#since", "#active", "#on", "#most", "#least")
        if (box := page.locator(field).bounding_box())
    ]
    assert len(tops) == 5 and max(tops) - min(tops) < 2
    page.close()
