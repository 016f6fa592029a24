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
    draw_at: str
    """Where the words for the draw stand: below its middle, as far as the frame lets them."""
    draw_anchor: str


NEAR_END = 0.1


def odds_parts(win: float, draw: float, loss: float) -> OddsParts:
    """The parts of a bar for three chances that add up to one."""
    win, draw, loss = (max(0.0, chance) for chance in (win, draw, loss))
    middle = win + draw / 2.0
    is_late = middle > 1.0 - NEAR_END
    return OddsParts(
        win_width=share_width(win),
        draw_x=share_width(win),
        draw_width=share_width(draw),
        loss_x=share_width(win + draw),
        loss_width=share_width(loss),
        draw_at=share_width(0.0 if middle < NEAR_END else 1.0 if is_late else middle),
        draw_anchor="" if middle < NEAR_END else "fin" if is_late else "mid",
    )


def share_width(value: float) -> str:
    """A part of a whole as a width."""
    return f"{100 * value:.4g}%"
