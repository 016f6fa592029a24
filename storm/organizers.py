"""An organizer who corrects, voids and undoes results, and one who seals seasons."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from storm.actors import Actor, Storm, Unexpected
from storm.answers import Answer
from storm.writers import played

SEALING_SECONDS = 60.0
RESULTS_A_SEAL = 4
SEASON = "first-season"
"""The one that every new league begins with."""


class Organizer(Actor):
    """Somebody signed in who uses the API of one league."""

    def __init__(self, storm: Storm, name: str, seed: str, *, league: str) -> None:
        super().__init__(storm, name, seed)
        self.league = league
        self.base = f"/api/v1/leagues/{league}"

    def begin(self) -> None:
        self.sign_in(self.storm.site.access["organizer"])

    def record(self) -> dict[str, Any]:
        """Send one result and return it as it is stored."""
        mark = self.new_mark()
        at = datetime.now(UTC) - timedelta(minutes=self.chance.randint(1, 300))
        self.ledger.send(self.league, mark, status="live", score=3)
        body = played(*self.two(), mark, at)
        answer = self.client.send_json(
            "POST", f"{self.base}/matches/", body, {"Idempotency-Key": mark}
        )
        self.expect(answer.status, (200, 201), answer.text)
        self.ledger.acknowledge(self.league, mark)
        told = json.loads(answer.body)
        stored: dict[str, Any] = told["matches"][0]
        return stored | {"revision": told["revision"]}

    def read(self, path: str) -> Any:
        answer = self.client.ask("GET", f"{self.base}{path}")
        self.expect(answer.status, 200, answer.text)
        return json.loads(answer.body)


class Corrector(Organizer):
    """Enters a result, then changes it: a correction, a void, sometimes back, or an undo."""

    pause = 0.6

    def act(self) -> None:
        match = self.record()
        change = self.chance.choice((self._correct, self._void, self._void_and_restore, self._undo))
        change(match)

    def _correct(self, match: dict[str, Any]) -> None:
        mark, score = match["detail"], self.chance.randint(4, 30)
        self.ledger.try_change(self.league, mark, score=score)
        sides = [
            {
                "rank": side["rank"],
                "score": score if side["rank"] == 1 else side["score"],
                "players": [{"key": player["key"]} for player in side["players"]],
            }
            for side in match["sides"]
        ]
        body = {"version": match["version"], "sides": sides, "reason": "storm"}
        answer = self.client.send_json("PATCH", f"{self.base}/matches/{match['id']}/", body)
        if answer.status == 409 and self._score(match) == score:
            # The answer to an earlier try was lost on its way.
            answer = Answer(200, answer.headers, answer.body)
        self.expect(answer.status, 200, answer.text)
        self.ledger.settle_change(self.league, mark, score=score)

    def _score(self, match: dict[str, Any]) -> int:
        sides = self.read(f"/matches/{match['id']}/")["sides"]
        return int(next(side["score"] for side in sides if side["rank"] == 1))

    def _void(self, match: dict[str, Any]) -> None:
        self._set(match, "void", "void")

    def _void_and_restore(self, match: dict[str, Any]) -> None:
        self._set(match, "void", "void")
        self._set(match, "restore", "live")

    def _set(self, match: dict[str, Any], verb: str, status: str) -> None:
        self.ledger.try_change(self.league, match["detail"], status=status)
        answer = self.client.send_json("POST", f"{self.base}/matches/{match['id']}/{verb}/", {})
        self.expect(answer.status, 200, answer.text)
        self.ledger.settle_change(self.league, match["detail"], status=status)

    def _undo(self, match: dict[str, Any]) -> None:
        self.ledger.try_change(self.league, match["detail"], status="void")
        path = f"{self.base}/revisions/{match['season']}/{match['revision']}/undo/"
        answer = self.client.send_json("POST", path, {})
        # 409: it was undone by an earlier try whose answer was lost.
        self.expect(answer.status, (201, 409), answer.text)
        self.ledger.settle_change(self.league, match["detail"], status="void")


class Sealer(Organizer):
    """Closes a season, seals it by pressing thrice while results are rated, and reopens it."""

    pause = 1.5

    def act(self) -> None:
        self._open(SEASON)
        for _result in range(RESULTS_A_SEAL):
            season = self.record()["season"]
        self._step(season, "close", "closing")
        for _press in range(3):
            self._press(season, "seal")
        sealed = self._wait_for(season, "closed")
        if not sealed["sealed_digest"]:
            raise Unexpected(f"{season} is closed without a digest")
        self._open(season)

    def _open(self, season: str) -> None:
        """Bring a season back to where it takes results, from wherever a fault has left it."""
        if self.read(f"/seasons/{season}/")["state"] == "closed":
            self._step(season, "reopen", "closing")
        if self.read(f"/seasons/{season}/")["state"] == "closing":
            self._step(season, "resume", "open")

    def _step(self, season: str, step: str, state: str) -> None:
        """Take a step; where it was taken by a try without an answer, that is as good."""
        answer = self._press(season, step)
        if answer.status != 200 and self.read(f"/seasons/{season}/")["state"] != state:
            raise Unexpected(f"{step}: {answer.status} {answer.text[:300]!r}")

    def _press(self, season: str, step: str) -> Answer:
        return self.client.send_json(
            "POST", f"{self.base}/seasons/{season}/steps/", {"step": step, "reason": "storm"}
        )

    def _wait_for(self, season: str, state: str) -> Any:
        ends = time.monotonic() + SEALING_SECONDS
        while time.monotonic() < ends:
            found = self.read(f"/seasons/{season}/")
            if found["state"] == state:
                return found
            time.sleep(0.3)
        raise Unexpected(f"{season} is not {state} after {SEALING_SECONDS:.0f} s")
