"""Which answers a storm allows: none of 500, refusals in the API's own form, waits with a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

WAITING = (429, 503)
PROBLEM = "application/problem+json"
LEAST_REFUSAL, LEAST_FAILURE = 400, 500


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the server; `headers` have names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")

    @property
    def location(self) -> str:
        return self.headers.get("location", "")

    @property
    def is_waiting(self) -> bool:
        """Whether the same request should be sent again later."""
        return self.status in WAITING

    @property
    def wait_seconds(self) -> float:
        """How long the server asks to wait."""
        given = self.headers.get("retry-after", "")
        return float(given) if given.isdigit() else 1.0


def problem_with(answer: Answer, *, is_api: bool) -> str:
    """Say why an answer is none that a server may give, or nothing."""
    if answer.status >= LEAST_FAILURE and not answer.is_waiting:
        return f"answered {answer.status}"
    if answer.is_waiting and "retry-after" not in answer.headers:
        return f"answered {answer.status} without Retry-After"
    kind = answer.headers.get("content-type", "").partition(";")[0]
    if is_api and answer.status >= LEAST_REFUSAL and kind != PROBLEM:
        return f"answered {answer.status} as {kind or 'nothing'} in the API"
    return ""
