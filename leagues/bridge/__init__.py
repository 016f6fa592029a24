"""The one door between the rows of Django and the mathematics of `ratings`.

It turns facts into logs, boards into systems, and states into what people see. It writes nothing
and reads no clock.
"""

from __future__ import annotations

from leagues.bridge.computing import (
    Computed,
    compute,
    points_of,
    shared_board_state,
    standings_of,
)
from leagues.bridge.display import ShownValue, display_moment, has_levels, level_at, shown_now
from leagues.bridge.draws import draw_rate
from leagues.bridge.explanations import (
    CAUSES,
    Alternative,
    Explanation,
    Reason,
    alternatives_of,
    explanation_of,
    shown_step,
)
from leagues.bridge.formulas import Formula, formula_of
from leagues.bridge.histories import (
    HistoryPoint,
    Series,
    changes_for_player,
    read_series,
    read_series_of,
    rows_of,
    start_of,
)
from leagues.bridge.match_effects import (
    MatchAccount,
    Odds,
    RatedMatch,
    RatingChange,
    account_of,
    match_account,
    placing_of,
    rated_everywhere,
    rated_matches,
    refusal_of,
)
from leagues.bridge.prospects import (
    MatchForecast,
    MatchupForecast,
    Outcome,
    Stronger,
    chances_against,
    prospect,
    shown_entrant,
    stronger,
)
from leagues.bridge.rules import are_rules_pending, rules_obstacle, system_at
from leagues.bridge.simulating import Simulation, run_simulation
from leagues.bridge.stakes import (
    Entrant,
    OutcomeEffect,
    entrants_of,
    match_moment,
    stakes_against,
)
from leagues.bridge.starting import starting_widths
from leagues.bridge.steps import Steps, greatest_steps
from leagues.bridge.systems import (
    board_state,
    checked_parameters,
    describe_system,
    math_fingerprint,
    newest_system,
    system_info,
    system_of,
    systems,
)
from leagues.bridge.trials import (
    BacktestResult,
    foresight,
    foresight_of,
    gives_chances,
    margin_between,
    places_of,
    search,
    shown_decimals,
    unused_boards,
    uses_scores,
    with_parameters,
)

__all__ = [
    "CAUSES",
    "Alternative",
    "BacktestResult",
    "Computed",
    "Entrant",
    "Explanation",
    "Formula",
    "HistoryPoint",
    "MatchAccount",
    "MatchForecast",
    "MatchupForecast",
    "Odds",
    "Outcome",
    "OutcomeEffect",
    "RatedMatch",
    "RatingChange",
    "Reason",
    "Series",
    "ShownValue",
    "Simulation",
    "Steps",
    "Stronger",
    "account_of",
    "alternatives_of",
    "are_rules_pending",
    "board_state",
    "chances_against",
    "changes_for_player",
    "checked_parameters",
    "compute",
    "describe_system",
    "display_moment",
    "draw_rate",
    "entrants_of",
    "explanation_of",
    "foresight",
    "foresight_of",
    "formula_of",
    "gives_chances",
    "greatest_steps",
    "has_levels",
    "level_at",
    "margin_between",
    "match_account",
    "match_moment",
    "math_fingerprint",
    "newest_system",
    "places_of",
    "placing_of",
    "points_of",
    "prospect",
    "rated_everywhere",
    "rated_matches",
    "read_series",
    "read_series_of",
    "refusal_of",
    "rows_of",
    "rules_obstacle",
    "run_simulation",
    "search",
    "shared_board_state",
    "shown_decimals",
    "shown_entrant",
    "shown_now",
    "shown_step",
    "stakes_against",
    "standings_of",
    "start_of",
    "starting_widths",
    "stronger",
    "system_at",
    "system_info",
    "system_of",
    "systems",
    "unused_boards",
    "uses_scores",
    "with_parameters",
]
