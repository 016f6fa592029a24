"""Which function does the work of which kind of job."""

from __future__ import annotations

from leagues.jobs.runner import Work
from leagues.services.boards import rate_board_job, verify_board_job, verify_boards_job
from leagues.services.imports import import_job
from leagues.services.tidying import tidy_job
from leagues.services.uploads import check_job

KINDS: dict[str, Work] = {
    "rate_board": rate_board_job,
    "verify_board": verify_board_job,
    "verify_boards": verify_boards_job,
    "check": check_job,
    "import": import_job,
    "tidy": tidy_job,
}
