"""Which function does which kind of job, and how pressing it is, as services say when we start."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from leagues.jobs.priorities import Priority

if TYPE_CHECKING:
    from leagues.jobs.queue import Claim

Work = Callable[["Claim"], Any]
OnAbandoned = Callable[["Claim", str], None]

_work: dict[str, Work] = {}
_priorities: dict[str, Priority] = {}
_on_abandoned: dict[str, OnAbandoned] = {}


def register(
    kind: str, work: Work, *, priority: Priority, on_abandoned: OnAbandoned | None = None
) -> None:
    """Let `work` do the jobs of a kind, and `on_abandoned` what follows one that never will."""
    _work[kind] = work
    _priorities[kind] = priority
    if on_abandoned is not None:
        _on_abandoned[kind] = on_abandoned


def work_of(kind: str) -> Work:
    """What a job of this kind does; KeyError for a kind of another release."""
    return _work[kind]


def kinds_of(priority: Priority) -> list[str]:
    """The kinds of job of one priority; a kind of another release has none."""
    return [kind for kind, own in _priorities.items() if own is priority]


def known_kinds() -> frozenset[tuple[str, Priority]]:
    """All kinds of job with their priorities."""
    return frozenset(_priorities.items())


def is_rating(kind: str) -> bool:
    """Whether the jobs of a kind go before all others."""
    return _priorities.get(kind) is Priority.RATING


def abandon(claim: Claim, problem: str) -> None:
    """Do what follows when a job will not be tried again."""
    if claim.job.kind in _on_abandoned:
        _on_abandoned[claim.job.kind](claim, problem)
