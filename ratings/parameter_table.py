"""The parameters of a system in words, as its documentation and the command line say them."""

from __future__ import annotations

from ratings.registry import info


def parameter_table(name: str) -> str:
    """Return the parameters of the system of that name as a Markdown table."""
    lines = ["| parameter | meaning | range | default |", "|---|---|---|---|"]
    for found in info(name).descriptions:
        default = found.default
        shown = "none" if default in (None, "") else str(default)
        if isinstance(default, bool):
            shown = "yes" if default else "no"
        elif isinstance(default, float):
            shown = f"{default:.6g}"
        lines.append(f"| `{found.name}` | {found.meaning} | {found.range} | {shown} |")
    return "\n".join(lines)
