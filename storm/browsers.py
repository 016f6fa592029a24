"""People with browsers: results by the form, files of results, and readers of everything."""

from __future__ import annotations

import re
import time
import uuid
from urllib.parse import urlencode

from storm.actors import Actor, Storm, Unexpected
from storm.prepare import API_LEAGUES, FILE_LEAGUES, PLAYERS

IMPORT_SECONDS = 300.0
SMALL_FILE = 40
LARGE_EVERY = 3


class Scorer(Actor):
    """Enters results by the form; a fifth of them is sent twice, as by a double click."""

    pause = 1.2
    league = "evening"

    def __init__(self, storm: Storm, name: str, seed: str, *, username: str) -> None:
        super().__init__(storm, name, seed)
        self.username = username

    def begin(self) -> None:
        self.sign_in(self.username)

    def act(self) -> None:
        page = self.client.ask("GET", f"/l/{self.league}/enter/")
        self.expect(page.status, 200, page.text)
        played_on = re.search(r'name="played_on"[^>]*value="([^"]*)"', page.text)
        mark = self.new_mark()
        one, two = self.two()
        self.ledger.send(self.league, mark, status="live", score=3)
        values = {
            "form_id": str(uuid.UUID(int=self.chance.getrandbits(128), version=4)),
            "played_on": played_on[1] if played_on else "",
            "kind": "played",
            "detail": mark,
            "one_1": one,
            "two_1": two,
            "score_one": "3",
            "score_two": "1",
            "outcome": "score",
        }
        for _click in range(2 if self.chance.random() < 0.2 else 1):
            answer = self.client.send_form(f"/l/{self.league}/enter/", values)
            if answer.status != 302:
                self.ledger.refuse(self.league, mark)
            self.expect(answer.status, 302, re.sub(r"<[^>]*>|\s+", " ", answer.text)[-800:])
            self.ledger.acknowledge(self.league, mark)


class Importer(Actor):
    """Brings files of results, every third a large one, by way of the check of the page.

    A league takes 30 files an hour, so two have their turns.
    """

    pause = 15.0

    def begin(self) -> None:
        self.sign_in(self.storm.site.access["organizer"])
        self.files = 0

    def act(self) -> None:
        self.files += 1
        league = FILE_LEAGUES[self.files % len(FILE_LEAGUES)]
        size = self.storm.rows if self.files % LARGE_EVERY == 1 else SMALL_FILE
        marks = [self.new_mark() for _ in range(size)]
        rows = ["date,match id,winner,loser,winner score,loser score,detail"]
        for index, mark in enumerate(marks):
            one, two = self.two()
            rows.append(f"2026-01-{index % 28 + 1:02d},{mark},{one},{two},3,1,{mark}")
            self.ledger.send(league, mark, status="live", score=3)
        path = f"/l/{league}/import/"
        self.client.ask("GET", path)
        answer = self.client.send_form(path, {"paste": "\n".join(rows), "mode": "singles"})
        self.expect(answer.status, 302, answer.text[-800:])
        address = answer.location
        number = self._wait_for(address, r'name="check" value="(\d+)"')
        written = self.client.send_form(address, {"do": "write", "check": number})
        # Sent again after a lost answer, it finds that the import has begun.
        self.expect(written.status, (302, 422), written.text[-800:])
        self._wait_for(address, rf'(/l/{league}/r/[^"/]+/\d+/)')
        self.ledger.acknowledge(league, *marks)

    def _wait_for(self, address: str, pattern: str) -> str:
        ends = time.monotonic() + IMPORT_SECONDS
        while time.monotonic() < ends:
            page = self.client.ask("GET", address)
            if found := re.search(pattern, page.text):
                return found[1]
            time.sleep(0.3)
        raise Unexpected(f"{address} does not come to {pattern}: {page.text[-800:]!r}")


class Reader(Actor):
    """Looks at pages, the API and exports, without an account."""

    pause = 0.4

    def act(self) -> None:
        answer = self.client.ask("GET", self._address())
        self.expect(answer.status, (200, 302, 304), answer.text)

    def _address(self) -> str:
        league = self.chance.choice(API_LEAGUES)
        player = self.chance.choice(PLAYERS)
        key = player.lower().replace(" ", "-")
        base, api = f"/l/{league}/", f"/api/v1/leagues/{league}/"
        rival = urlencode({"a": player, "b": self.chance.choice(PLAYERS)})
        return self.chance.choice(
            [
                *("/", base, f"{base}?list=unranked", f"{base}results/", f"{base}p/{key}/"),
                *(f"{base}rules/", f"{base}statistics/", f"{base}systems/", f"{base}changes/"),
                *(f"{base}compare/?{rival}", f"{base}seasons/", f"{base}opponents/?player={key}"),
                *(api, f"{api}matches/", f"{api}players/{key}/", f"{api}standings/"),
                *(f"{api}rating-state/", f"{api}revisions/"),
                *(
                    f"{base}seasons/first-season/{name}"
                    for name in ("results.csv", "standings.json")
                ),
            ]
        )
