"""What happens by the clock: one table that Celery beat and the embedded runner share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Periodic:
    """A kind of job that becomes due every so many seconds, counted from the epoch."""

    kind: str
    every_seconds: int


PERIODIC: tuple[Periodic, ...] = (
    Periodic("sweep", 900),
    Periodic("time_limits", 300),
    Periodic("verify_boards", 3600),
    Periodic("tidy", 3600),
)
