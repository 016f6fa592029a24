"""Which results are challenges on a ladder, and which rules of the ladder they break."""

from __future__ import annotations

from collections.abc import Iterable


def is_out_of_range(one: int, other: int, challenge_range: int) -> bool:
    """Whether two rungs are further apart than a challenge goes; 0: any distance."""
    return challenge_range > 0 and abs(one - other) > challenge_range


def meeting_in_pause(day: int, meetings: Iterable[int], rematch_days: int) -> int | None:
    """The nearest day on which the same two met within the pause, before or after a day."""
    near = [met for met in meetings if abs(day - met) < rematch_days]
    return min(near, key=lambda met: abs(day - met), default=None)
