"""The words for a match that one side won without playing, wherever a file or a line has them."""

from __future__ import annotations

from typing import Final

WALKOVER_WORDS: Final = (
    "walkover", "walk over", "walk-over", "w/o", "wo", "w o", "w.o.", "w.o", "w. o.", "w. o",
    "forfeit", "ff", "kampflos", "kampfloser", "kampfloser sieg",
)  # fmt: skip
ABSENCE_WORDS: Final = (
    "nicht angetreten", "nicht erschienen", "nicht gekommen", "no show", "no-show", "noshow",
    *(f"{verb} {come}" for verb in ("did not", "didn't", "didn\u2019t")
      for come in ("show up", "show", "appear", "turn up")),
)  # fmt: skip
"""What is said of the side that did not come."""
