"""Win, draw and loss as parts of one bar."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OddsParts:
    """Positions and widths in percent of the bar."""

    win_width: str
    draw_x: str
    draw_width: str
    loss_x: str
    loss_width: str


def odds_parts(win: float, draw: float, loss: float) -> OddsParts:
    """Return the parts of a bar for three chances that add up to one."""
    win, draw, loss = (max(0.0, chance) for chance in (win, draw, loss))
    return OddsParts(
        win_width=share_width(win),
        draw_x=share_width(win),
        draw_width=share_width(draw),
        loss_x=share_width(win + draw),
        loss_width=share_width(loss),
    )


def share_width(value: float) -> str:
    """Return a part of a whole as a width."""
    return f"{100 * value:.4g}%"
