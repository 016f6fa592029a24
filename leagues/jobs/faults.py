"""Named places where a test can kill the process, to show that nothing is lost there."""

from __future__ import annotations

import os
import signal
from collections import Counter

_NAME, _, _NTH = os.environ.get("RUNGS_FAULTPOINT", "").partition(":")
_pass_counts: Counter[str] = Counter()


def faultpoint(name: str) -> None:
    """Kill this process the nth time it passes `name`, when RUNGS_FAULTPOINT says `name:nth`."""
    if name != _NAME:
        return
    _pass_counts[name] += 1
    if _pass_counts[name] == int(_NTH or 1):
        os.kill(os.getpid(), signal.SIGKILL)
