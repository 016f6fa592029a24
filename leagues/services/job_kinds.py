"""The work of each kind of job, for the registry of the queue."""

from __future__ import annotations

from leagues.jobs.registry import Work, register
from leagues.services.boards import pause_board, rate_board_job
from leagues.services.days import prepare_board_job
from leagues.services.imports import import_job
from leagues.services.inactivity_sweep import sweep_job
from leagues.services.mending import mend_season_job
from leagues.services.recalculation import recalculate_job
from leagues.services.sealing import seal_season_job
from leagues.services.tidying import tidy_job
from leagues.services.trials import backtest_job, trial_job
from leagues.services.uploads import check_job
from leagues.services.verification import check_record_job, verify_board_job, verify_boards_job

KINDS: dict[str, Work] = {
    "verify_board": verify_board_job,
    "verify_boards": verify_boards_job,
    "check_record": check_record_job,
    "check": check_job,
    "import": import_job,
    "prepare_board": prepare_board_job,
    "seal_season": seal_season_job,
    "recalculate_board": recalculate_job,
    "mend_season": mend_season_job,
    "sweep": sweep_job,
    "tidy": tidy_job,
    "backtest": backtest_job,
    "trial": trial_job,
}


def register_all() -> None:
    """Register the work of each kind of job with the queue."""
    register("rate_board", rate_board_job, on_abandoned=pause_board)
    for kind, work in KINDS.items():
        register(kind, work)
