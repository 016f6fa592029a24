"""What a storm says at its end."""

from __future__ import annotations

from collections import Counter

from storm.ledger import Ledger
from storm.tally import Tally


def summary(tally: Tally, ledger: Ledger) -> str:
    """All counts as lines: by actor, by status, by fault; then what was wrong."""
    lines = ["", "Answers by actor (lost ones are broken or timed out):"]
    actors = sorted({actor for actor, _status in tally.answers})
    for actor in actors:
        counts = {status: n for (who, status), n in sorted(tally.answers.items()) if who == actor}
        answers = ", ".join(f"{status} × {count}" for status, count in counts.items())
        lines.append(f"  {actor:<12} {answers}; longest wait {tally.longest[actor]:.2f} s")
    lines.append("Faults: " + (_counted(tally.faults) or "none"))
    told = ledger.counts()
    lines.append(
        f"Results: {told['acknowledged']} acknowledged, {told['refused']} refused, "
        f"{told['sent']} never answered"
    )
    if tally.problems:
        lines += ["", "Violations:"]
        lines += [f"  {count} × {what}" for what, count in tally.problems.most_common()]
        lines += ["", "How it went:", *(f"  {line}" for line in tally.story)]
    return "\n".join(lines)


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} × {count}" for name, count in sorted(counts.items()))
