"""Who uses the installation during a storm; each actor is a thread with its own chance."""

from __future__ import annotations

import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from storm.client import Client, GaveUp
from storm.ledger import Ledger
from storm.prepare import PASSWORD, PLAYERS
from storm.site import Site
from storm.tally import Tally

LAST_WORDS_SECONDS = 90.0
"""So long after the last fault a writer goes on to ask for an answer that it was not given."""


class Unexpected(Exception):
    """The server refused what it should have taken."""


@dataclass
class Storm:
    """What all actors share; `calm` is set when they begin nothing new."""

    site: Site
    tally: Tally
    ledger: Ledger
    calm: threading.Event
    gives_up_at: float = float("inf")

    patience: float = 8.0
    """Seconds after which an answer was slow, where no fault had stopped whoever gives it."""

    rows: int = 6000
    """Of a large file."""

    def new_client(self, actor: str, token: str = "") -> Client:
        return Client(actor, self.site.port, self.tally, self.is_over, self.patience, token=token)

    def is_over(self) -> bool:
        return time.monotonic() > self.gives_up_at


class Actor(ABC):
    """Somebody who does one thing after the other until the storm calms down."""

    pause = 0.2

    def __init__(self, storm: Storm, name: str, seed: str) -> None:
        self.storm = storm
        self.name = name
        self.ledger = storm.ledger
        self.chance = random.Random(seed)
        self.client = storm.new_client(name)
        self.number = 0

    def run(self) -> None:
        """Act until the storm is over; what goes wrong is told, and does not end the actor."""
        act, begins = self.begin, True
        while not self.storm.calm.wait(self.chance.uniform(0, 2 * self.pause)):
            if self._guarded(act) and begins:
                act, begins = self.act, False

    def begin(self) -> None:
        """Do what has to be done once: look at the first page, or sign in."""
        self.client.ask("GET", "/")

    @abstractmethod
    def act(self) -> None:
        """Do one thing, to its acknowledged end."""

    def new_mark(self) -> str:
        """A name that no other result has."""
        self.number += 1
        return f"{self.name.replace(' ', '-')}-{self.number:05d}"

    def two(self) -> tuple[str, str]:
        one, other = self.chance.sample(PLAYERS, 2)
        return one, other

    def sign_in(self, username: str) -> None:
        """Sign in as a browser does."""
        self.client.ask("GET", "/account/sign-in/")
        answer = self.client.send_form(
            "/account/sign-in/", {"username": username, "password": PASSWORD}
        )
        self.expect(answer.status, 302, answer.text)

    def expect(self, status: int, wanted: int | tuple[int, ...], text: str) -> None:
        allowed = wanted if isinstance(wanted, tuple) else (wanted,)
        if status not in allowed:
            raise Unexpected(f"{status} instead of {wanted}: {text[:300]!r}")

    def _guarded(self, act: Callable[[], None]) -> bool:
        try:
            act()
            return True
        except GaveUp as error:
            self.storm.tally.accuse(f"{self.name} was never answered", str(error))
        except Unexpected as error:
            self.storm.tally.accuse(f"{self.name} was refused", str(error))
        except Exception as error:
            self.storm.tally.accuse(f"{self.name} failed", repr(error))
        # Whatever refuses is not asked at once again.
        time.sleep(1)
        return False
