"""Which function does the work of which kind of job, as services say when we start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from leagues.jobs.queue import Claim

Work = Callable[[Claim], Any]
OnAbandoned = Callable[[Claim, str], None]

_work: dict[str, Work] = {}
_on_abandoned: dict[str, OnAbandoned] = {}


def register(kind: str, work: Work, *, on_abandoned: OnAbandoned | None = None) -> None:
    """Let `work` do the jobs of a kind, and `on_abandoned` what follows one that never will."""
    _work[kind] = work
    if on_abandoned is not None:
        _on_abandoned[kind] = on_abandoned


def work_of(kind: str) -> Work:
    """What a job of this kind does; KeyError for a kind of another release."""
    return _work[kind]


def abandon(claim: Claim, problem: str) -> None:
    """Do what follows when a job will not be tried again."""
    if claim.job.kind in _on_abandoned:
        _on_abandoned[claim.job.kind](claim, problem)
