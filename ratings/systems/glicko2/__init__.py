"""Glicko-2 (M. E. Glickman, "Example of the Glicko-2 system", 2013/2022; bounds, partial idle
periods, teams and Rank Points after R. Juckett, "INVERSUS: online skill ranking", 2018).

Internally mu = (R - 1500)/173.7178 and phi = RD/173.7178; states hold mu as `mean` and phi as
`deviation`.
"""

from __future__ import annotations

from ratings.systems.glicko2.period import reduction
from ratings.systems.glicko2.scale import CENTRE, SCALE
from ratings.systems.glicko2.system import Glicko2, Glicko2Parameters

__all__ = ["CENTRE", "SCALE", "Glicko2", "Glicko2Parameters", "reduction"]
