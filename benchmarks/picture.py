"""Draw how costs grow with a league, from the figures that benches wrote as JSON.

    python -m benchmarks.picture append.json page-sizes.json > docs/growth.svg

Both axes are logarithmic: what does not depend on the size is level, and what doubles with it
rises as the frame does.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

Series = Mapping[str, Sequence[tuple[int, float]]]
"""Milliseconds by size, by what was measured."""

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM, LINE = 460, 300, 52, 40, 118, 40, 13
COLOURS = ("#1f5fa8", "#b4530a", "#2f7d4f", "#7a4fa3")
NAME = re.compile(r"([\d,]+) matches(?: and players)?: (.+?)(?:: processor time)?$")
APPENDS = {"one more": "one result", "500 more": "500 at once"}
PAGES = {"uncached": "full page", "floor": "query alone", "304": "304", "cached": "kept page"}


@dataclass(frozen=True, slots=True)
class Panel:
    """One chart: its title, what the sizes count, and what it shows."""

    title: str
    sizes: str
    series: Series


def main() -> None:
    """Write the picture of two files of figures."""
    appends, pages = (_figures(Path(name)) for name in sys.argv[1:3])
    panels = (
        Panel("A result, with all that follows", "results", _chosen(appends, APPENDS)),
        Panel("A leaderboard’s page", "results and players", _chosen(pages, PAGES)),
    )
    sys.stdout.write(draw(panels))


def _figures(path: Path) -> dict[str, list[tuple[int, float]]]:
    """The milliseconds of a file by size, by what was measured."""
    figures: dict[str, list[tuple[int, float]]] = {}
    for row in json.loads(path.read_text(encoding="utf-8"))["info"]:
        match = NAME.match(row["name"])
        if match and row["unit"] == "ms":
            size = int(match[1].replace(",", ""))
            figures.setdefault(match[2], []).append((size, row["value"]))
    return figures


def _chosen(figures: Series, names: Mapping[str, str]) -> Series:
    return {label: sorted(figures[name]) for name, label in names.items()}


def draw(panels: Sequence[Panel]) -> str:
    """The panels side by side, as SVG."""
    size = f'width="{WIDTH * len(panels)}" height="{HEIGHT}"'
    words = 'font-family="system-ui, sans-serif" font-size="12" fill="#222"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} {words}>']
    parts.append("<title>Milliseconds of processor time by the size of a league</title>")
    parts.append('<rect width="100%" height="100%" fill="#fff"/>')
    for place, panel in enumerate(panels):
        parts += [f'<g transform="translate({place * WIDTH} 0)">', *_panel(panel), "</g>"]
    return "\n".join((*parts, "</svg>")) + "\n"


def _panel(panel: Panel) -> Iterator[str]:
    points = [point for row in panel.series.values() for point in row]
    sizes = _decades([size for size, _ in points])
    costs = _decades([cost for _, cost in points])

    def x(size: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * _part(size, sizes)

    def y(cost: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * _part(cost, costs)

    yield f'<text x="{LEFT}" y="20" font-weight="600">{escape(panel.title)}</text>'
    for cost in costs:
        yield f'<path d="M{LEFT} {y(cost):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 6}" y="{y(cost) + 4:.1f}" text-anchor="end">{cost:g}</text>'
    for size in sizes:
        at = f'x="{x(size):.1f}" y="{HEIGHT - 22}" text-anchor="middle"'
        yield f"<text {at}>{_short(size)}</text>"
    axes = escape(f"{panel.sizes}; milliseconds")
    yield f'<text x="{LEFT}" y="{HEIGHT - 6}" fill="#666">{axes}</text>'
    for colour, row in zip(COLOURS, panel.series.values(), strict=False):
        line = " ".join(f"{x(size):.1f},{y(cost):.1f}" for size, cost in row)
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for size, cost in row:
            yield f'<circle cx="{x(size):.1f}" cy="{y(cost):.1f}" r="3" fill="{colour}"/>'
    at_ends = _apart([y(row[-1][1]) + 4 for row in panel.series.values()])
    for colour, name, end in zip(COLOURS, panel.series, at_ends, strict=False):
        at = f'x="{WIDTH - RIGHT + 8}" y="{end:.1f}"'
        yield f'<text {at} fill="{colour}">{escape(name)}</text>'


def _apart(places: Sequence[float]) -> list[float]:
    """The heights of words, moved down where they would stand on each other."""
    moved = list(places)
    above = -math.inf
    for index in sorted(range(len(places)), key=places.__getitem__):
        above = moved[index] = max(moved[index], above + LINE)
    return moved


def _decades(values: Sequence[float]) -> list[float]:
    """The powers of ten that hold all values."""
    first, last = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return [10.0**power for power in range(first, last + 1)]


def _part(value: float, decades: Sequence[float]) -> float:
    """How far a value lies between the first and the last power of ten, from 0 to 1."""
    first, last = math.log10(decades[0]), math.log10(decades[-1])
    return (math.log10(value) - first) / (last - first)


def _short(size: float) -> str:
    return "1 million" if size == 1_000_000 else f"{size:,.0f}"


if __name__ == "__main__":
    main()
