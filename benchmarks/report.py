"""What was measured, against which bar, for people and for machines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

Direction = Literal["at least", "at most"]


def p99(seconds: Sequence[float]) -> float:
    """The wait that one in a hundred exceeds."""
    return sorted(seconds)[int(0.99 * len(seconds))]


@dataclass(frozen=True, slots=True)
class Row:
    """A figure that has a bar."""

    name: str
    value: float
    unit: str
    bar: float
    direction: Direction

    @property
    def met(self) -> bool:
        """Tell whether the figure reaches its bar."""
        return self.value >= self.bar if self.direction == "at least" else self.value <= self.bar


@dataclass(slots=True)
class Report:
    """Figures with a bar, figures without one, and what could not be measured here."""

    rows: list[Row] = field(default_factory=list)
    info: list[dict[str, Any]] = field(default_factory=list)
    not_measured: list[dict[str, str]] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """Add a figure that has a bar, and print it."""
        self.rows.append(row)
        verdict = "met" if row.met else "MISSED"
        print(f"{row.name}: {row.value:.4g} {row.unit} ({row.direction} {row.bar:g}: {verdict})")

    def note(self, name: str, value: float, unit: str) -> None:
        """Add a figure without a bar, and print it."""
        self.info.append({"name": name, "value": value, "unit": unit})
        print(f"{name}: {value:.4g} {unit}")

    def leave_out(self, name: str, reason: str) -> None:
        """Add what could not be measured here, and print why."""
        self.not_measured.append({"name": name, "reason": reason})
        print(f"{name}: not measured. {reason}")

    @property
    def all_met(self) -> bool:
        """Tell whether every bar is reached."""
        return all(row.met for row in self.rows)

    def write(self, path: Path) -> None:
        """Write everything as JSON."""
        content = {
            "rows": [{**asdict(row), "met": row.met} for row in self.rows],
            "info": self.info,
            "not_measured": self.not_measured,
        }
        path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
