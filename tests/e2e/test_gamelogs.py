"""Logs of three games in the wizard, and a match with its frags: wide, narrow, without script."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.looks import WIDTHS, look_at

NAMES = ("Ana", "Bo <b>", "Cy")
OTHERS = ("Dee", "Eli", "Flo")


def quake3() -> str:
    joins = [
        rf"  0:0{slot} ClientUserinfoChanged: {slot} n\^1{name}\t\0\model\sarge"
        for slot, name in enumerate(NAMES)
    ]
    kills = [
        f"  1:{second:02} Kill: {one} {other} 7: {NAMES[one]} killed {NAMES[other]} by MOD_ROCKET"
        for second, (one, other) in enumerate([(0, 1), (0, 2), (1, 0), (2, 1), (2, 2)] * 3)
    ]
    head = r"  0:00 InitGame: \g_gametype\0\mapname\q3dm17\g_timestamp\2026-01-02 20:30:00"
    return "\n".join([head, *joins, *kills, " 10:00 Exit: Timelimit hit.", " 10:01 ShutdownGame:"])


def half_life() -> str:
    stamp = "L 01/03/2026 - 20:00:{:02}: "
    people = [
        f'"{name}<{slot}><STEAM_1:0:{slot}1><{("CT", "TERRORIST")[slot % 2]}>"'
        for slot, name in enumerate(OTHERS, start=2)
    ]
    kills = [
        stamp.format(at) + f'{people[one]} killed {people[other]} with "ak47"'
        for at, (one, other) in enumerate([(0, 1), (1, 0), (1, 2), (0, 1)], start=1)
    ]
    start = stamp.format(0) + 'World triggered "Match_Start" on "de_test"'
    over = stamp.format(59) + "Game Over: competitive mg_active de_test score 16:14 after 1 min"
    return "\n".join([start, *kills, over, ""])


def json_lines() -> str:
    rows = [
        {
            "type": "game",
            "game": "hover",
            "map": "dome",
            "mode": "ffa",
            "started_at": "2026-01-04T20:00:00+00:00",
        },
        *({"type": "player", "player": slot, "name": name} for slot, name in enumerate(NAMES)),
        *(
            {"type": "event", "kind": "frag", "actor": one, "target": other, "at": at}
            for at, (one, other) in enumerate([(0, 1), (2, 1), (2, 0)])
        ),
        {"type": "end", "at": 60},
    ]
    return "\n".join(map(json.dumps, rows)) + "\n"


LOGS = {"quake.log": quake3, "counter.log": half_life, "hover.jsonl": json_lines}


def new_league(page: Page, name: str) -> str:
    page.goto("/new/")
    page.fill("[name=name]", name)
    page.fill("[name=time_zone]", "London")
    page.click("main .btn.main")
    page.wait_for_url("**/l/arena-*/")
    return page.url


def send(page: Page, league: str, name: str) -> None:
    page.goto(f"{league}import/")
    buffer = LOGS[name]().encode()
    page.set_input_files("[name=file]", {"name": name, "mimeType": "text/plain", "buffer": buffer})
    page.click("text=Check the file")
    expect(page.locator("main")).to_contain_text("log of a game server", timeout=20_000)


def bring(page: Page, league: str, name: str) -> None:
    send(page, league, name)
    page.click("text=Import 1 result", timeout=20_000)
    expect(page.locator("h2", has_text="1 result imported")).to_be_visible(timeout=20_000)


def assert_frags(page: Page) -> None:
    # Nine of the fifteen events are hers.
    expect(page.locator("#course svg:visible")).to_have_count(1)
    page.click("#course summary")
    expect(page.locator("#course tbody tr")).to_have_count(9)
    table = page.locator("#frags table")
    expect(table.locator("tbody tr")).to_have_count(3)
    row = table.locator("tbody tr", has_text="Ana")
    # She got Bo and Cy three times each, and Bo got her three times.
    expect(row.locator("td")).to_have_text(["–", "3", "3", "6", "3", "0"])
    expect(table).to_contain_text("Bo <b>")


def assert_session(page: Page) -> None:
    expect(page.locator("#board tbody tr")).to_have_count(3)
    expect(page.locator("#course svg:visible")).to_have_count(1)
    expect(page.locator("#stakes tbody tr")).to_have_count(3)
    page.click("#events summary")
    expect(page.locator("#events tbody tr")).to_have_count(15)
    expect(page.locator("#events tbody tr").first).to_contain_text("Ana got Bo <b>")


def match_of(page: Page, league: str, day: str) -> str:
    page.goto(f"{league}results/")
    return str(page.locator(f"tr:has-text('{day}') th a").first.get_attribute("href"))


@pytest.mark.parametrize("width", WIDTHS)
def test_three_logs_become_matches_with_frags(site, account, browser: Browser, width):
    context = browser.new_context(
        storage_state=account, base_url=site.url, viewport={"width": width, "height": 800}
    )
    page = context.new_page()
    league = new_league(page, f"Arena {width}")
    for name in LOGS:
        send(page, league, name)
        look_at(page, f"log-check-{name}", page.url)
        bring(page, league, name)
        look_at(page, f"log-imported-{name}", page.url)
    address = match_of(page, league, "2 Jan")
    look_at(page, "match-frags", address)
    assert_frags(page)
    page.click("text=This session alone")
    look_at(page, "game-session", page.url)
    assert_session(page)
    context.close()


@pytest.mark.parametrize("width", [1280, 360])
def test_logs_are_imported_and_frags_read_without_script(site, account, browser: Browser, width):
    context = browser.new_context(
        storage_state=account,
        base_url=site.url,
        java_script_enabled=False,
        viewport={"width": width, "height": 800},
    )
    page = context.new_page()
    league = new_league(page, f"Arena plain {width}")
    for name in LOGS:
        bring(page, league, name)
    page.goto(match_of(page, league, "2 Jan"))
    assert_frags(page)
    page.click("text=This session alone")
    assert_session(page)
    main = page.locator("main").bounding_box()
    assert main is not None
    assert main["x"] + main["width"] <= width
    context.close()
