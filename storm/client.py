"""A client that never gives up: the same request again until the server has answered it."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from storm.answers import LEAST_REFUSAL, Answer, problem_with
from storm.tally import Tally

TIMEOUT_SECONDS = 30.0
LONGEST_WAIT = 5.0
MOMENT_SECONDS = 0.01
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0


class GaveUp(Exception):
    """The storm ended before the server answered."""


@dataclass
class Client:
    """One actor's way to the server, with its cookies or its token."""

    actor: str
    port: int
    tally: Tally
    is_over: Callable[[], bool]
    patience: float
    token: str = ""
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """Send a request until it is answered for good; raises GaveUp at the storm's end."""
        pause = FIRST_PAUSE
        while True:
            answer = self.try_once(method, path, body, headers)
            if answer is not None and answer.status < LEAST_REFUSAL:
                return answer
            if answer is not None and answer.status < 500 and not answer.is_waiting:
                return answer
            if self.is_over():
                raise GaveUp(f"{method} {path}")
            if answer is not None and answer.is_waiting:
                time.sleep(min(answer.wait_seconds, LONGEST_WAIT))
            else:
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def try_once(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> Answer | None:
        """Send a request once; None where the connection broke or nobody answered in time."""
        began = time.monotonic()
        try:
            answer = self._exchange(method, path, body, dict(headers or {}))
        except (OSError, http.client.HTTPException) as error:
            ended = time.monotonic()
            kind = "timeout" if isinstance(error, TimeoutError) else "broken"
            self.tally.count(self.actor, kind, ended - began)
            # Felt or not when it broke: for a while before, it may only have waited.
            if self.tally.unexplained(ended, ended + MOMENT_SECONDS) > 0:
                self.tally.accuse(f"{kind} without a fault", f"{method} {path}: {error!r}")
            return None
        ended = time.monotonic()
        self.tally.count(self.actor, str(answer.status), ended - began)
        if (alone := self.tally.unexplained(began, ended)) > self.patience:
            self.tally.accuse(
                f"an answer took longer than {self.patience:g} s without a reason",
                f"{method} {path}: {alone:.1f} s",
            )
        problem = problem_with(answer, is_api=path.startswith("/api/"))
        if problem:
            # Names and numbers out, so that equal ones are counted together.
            where = "the API" if path.startswith("/api/") else "a page"
            self.tally.accuse(f"{where} {problem}", f"{method} {path}: {answer.text[:150]!r}")
        return answer

    def send_json(
        self, method: str, path: str, value: Any, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send JSON to the API."""
        more = {"Content-Type": "application/json", **(headers or {})}
        if not self.token:
            more["X-CSRFToken"] = self.cookies.get("csrf", "")
        return self.ask(method, path, json.dumps(value).encode(), more)

    def send_form(self, path: str, values: Mapping[str, str]) -> Answer:
        """Send a form as a browser does, with the token of its page."""
        words = {"csrfmiddlewaretoken": self.cookies.get("csrf", ""), **values}
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urlencode(words).encode(), kind)

    def _exchange(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Answer:
        headers["Connection"] = "close"
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT_SECONDS)
        try:
            connection.request(method, path, body or None, headers)
            response = connection.getresponse()
            content = response.read()
        finally:
            connection.close()
        for line in response.headers.get_all("Set-Cookie") or ():
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name.strip()] = value.strip()
        found = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status, found, content)
