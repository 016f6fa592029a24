"""Filtering the standings says nothing in the browser's console."""

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
