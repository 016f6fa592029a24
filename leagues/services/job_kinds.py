"""The work of each kind of job and how pressing it is, for the registry of the queue."""

from __future__ import annotations

from leagues.jobs.priorities import Priority
from leagues.jobs.registry import Work, register
from leagues.services.boards import pause_board, rate_board_job
from leagues.services.days import prepare_board_job
from leagues.services.imports import import_job
from leagues.services.inactivity_sweep import sweep_job
from leagues.services.mending import mend_season_job
from leagues.services.nightly_checks import verify_boards_job
from leagues.services.preview_jobs import preview_job
from leagues.services.recalculation import recalculate_job
from leagues.services.sealing import seal_season_job
from leagues.services.started_matches import lose_overdue_job
from leagues.services.tidying import tidy_job
from leagues.services.trials import backtest_job, trial_job
from leagues.services.uploads import check_job
from leagues.services.verification import check_record_job, verify_board_job, verify_changes_job

KINDS: dict[str, tuple[Work, Priority]] = {
    "recalculate_board": (recalculate_job, Priority.READERS),
    "preview": (preview_job, Priority.READERS),
    "check": (check_job, Priority.READERS),
    "import": (import_job, Priority.READERS),
    "seal_season": (seal_season_job, Priority.READERS),
    "mend_season": (mend_season_job, Priority.READERS),
    "prepare_days": (prepare_board_job, Priority.READERS),
    "prepare_board": (prepare_board_job, Priority.PREPARING),
    "sweep": (sweep_job, Priority.PREPARING),
    "time_limits": (lose_overdue_job, Priority.READERS),
    "trial": (trial_job, Priority.CHECKING),
    "backtest": (backtest_job, Priority.CHECKING),
    "verify_changes": (verify_changes_job, Priority.CHECKING),
    "verify_board": (verify_board_job, Priority.CHECKING),
    "verify_boards": (verify_boards_job, Priority.CHECKING),
    "check_record": (check_record_job, Priority.CHECKING),
    "tidy": (tidy_job, Priority.CHECKING),
}
"""What each kind does and how pressing it is; ratings, which go before all, are registered below.

A page can ask for nothing that is more pressing than `READERS`.
"""


def register_all() -> None:
    """Register the work of each kind of job with the queue."""
    register("rate_board", rate_board_job, priority=Priority.RATING, on_abandoned=pause_board)
    for kind, (work, priority) in KINDS.items():
        register(kind, work, priority=priority)
