"""Writers by API: single results, batches, repeated requests, corrections, voids and undos."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from storm.actors import Actor, Storm, Unexpected
from storm.answers import Answer

REPEATED = 0.2
BATCHED = 0.15
LARGEST_BATCH = 40
MOST_REMEMBERED = 40


def played(name: str, other: str, mark: str, at: datetime, score: int = 3) -> dict[str, Any]:
    """A result as the API takes it; its detail is the mark by which it is found again."""
    return {
        "played_at": at.isoformat(),
        "detail": mark,
        "sides": [
            {"rank": 1, "score": score, "players": [{"name": name}]},
            {"rank": 2, "score": 1, "players": [{"name": other}]},
        ],
    }


class Writer(Actor):
    """A program that sends results with a token; a fifth of its requests it sends twice."""

    pause = 0.25

    def __init__(self, storm: Storm, name: str, seed: str, *, league: str, token: str) -> None:
        super().__init__(storm, name, seed)
        self.league = league
        self.client.token = token

    def act(self) -> None:
        count = self.chance.randint(2, LARGEST_BATCH) if self.chance.random() < BATCHED else 1
        marks = [self.new_mark() for _ in range(count)]
        at = datetime.now(UTC) - timedelta(minutes=self.chance.randint(1, 300))
        matches = [
            played(*self.two(), mark, at + timedelta(seconds=index))
            for index, mark in enumerate(marks)
        ]
        if self.chance.random() < 0.3:
            for match in matches:
                match["external_id"] = match["detail"]
        for mark in marks:
            self.ledger.send(self.league, mark, status="live", score=3)
        body = matches[0] if count == 1 else {"matches": matches}
        first = self._send(body, marks)
        self.ledger.acknowledge(self.league, *marks)
        if self.chance.random() < REPEATED:
            again = self._send(body, marks)
            if _ids(again) != _ids(first):
                raise Unexpected(f"{marks[0]} sent again is {_ids(again)} and was {_ids(first)}")

    def _send(self, body: Any, marks: list[str]) -> Answer:
        path = f"/api/v1/leagues/{self.league}/matches/"
        answer = self.client.send_json("POST", path, body, {"Idempotency-Key": marks[0]})
        if answer.status not in (200, 201):
            self.ledger.refuse(self.league, *marks)
        self.expect(answer.status, (200, 201), answer.text)
        return answer


def _ids(answer: Answer) -> list[str]:
    return [match["id"] for match in json.loads(answer.body)["matches"]]
