"""Glicko (M. E. Glickman, "The Glicko system", 1995; "Parameter estimation in large dynamic
paired comparison experiments", 1999).

On Glicko-2's internal scale it is Glicko-2 with a volatility that never changes: the deviation
grows by c per root of a period, RD <- min(350, sqrt(RD^2 + c^2 t)).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ratings import fields
from ratings.parameters import Parameters, integer, number
from ratings.system import NEVER, State
from ratings.systems.glicko2.family import GlickoFamily
from ratings.systems.glicko2.per_match import per_match_body
from ratings.systems.glicko2.scale import CENTRE, SCALE
from ratings.systems.glicko2.teams import TEAMS

_MOST_DEVIATION = 350.0


@dataclass(frozen=True, slots=True)
class GlickoParameters(Parameters):
    """The parameters of Glicko."""

    rating: float = fields.new_rating()
    deviation: float = number(
        350.0, "New deviation", "The rating deviation of a newcomer.", symbol="RD", over=0, most=350
    )
    c: float = number(
        34.6,
        "Growth",
        "How much the deviation grows per square root of an idle period.",
        symbol="c",
        least=0,
        most=350,
    )
    period_days: int = integer(
        14,
        "Length of a period",
        "How many days without a match count as one period.",
        least=1,
        most=366,
    )
    teams: str = fields.composite_teams()
    pairs: str = fields.pairs_of_sides()
    size_advantage: float = fields.size_advantage(
        "Points that each player adds to the strength of a side."
    )
    pending_hours: int = fields.pending_hours()
    fairly_sure: float = fields.fairly_sure_deviation()
    sure: float = fields.sure_deviation()


class Glicko(GlickoFamily[GlickoParameters]):
    """Glicko: a mean and a deviation that grows with absence; every match is rated by itself.

    State: mean and deviation on Glicko-2's internal scale, c on that scale, time of the last match.
    """

    name = "glicko"
    title = "Glicko"
    parameter_class = GlickoParameters
    fitted = ("deviation", "c")
    break_even = 100_000
    partial_play_refusal = "Glicko cannot rate partial play"

    def __init__(self, parameters: GlickoParameters | None = None, **settings: object) -> None:
        super().__init__(parameters, **settings)
        chosen = self.parameters
        self.body = per_match_body
        self.columns = ("mean", "deviation", "growth", "last_at")
        self.bounds = (np.inf, 0.0, _MOST_DEVIATION / SCALE, 0.0, np.inf)
        self.settings = (
            TEAMS[chosen.teams],
            chosen.pairs == "full",
            chosen.size_advantage,
            0.0,
            0.0,
            self.bounds,
            float(chosen.period_days),
            False,
            (False, (0.0, 0.0, 0.0, False)),
        )

    def new_player(self, board: State | None = None) -> State:
        chosen = self.parameters
        mean = (chosen.rating - CENTRE) / SCALE
        return mean, chosen.deviation / SCALE, chosen.c / SCALE, float(NEVER)
