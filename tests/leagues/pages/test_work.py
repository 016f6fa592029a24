"""Every kind of work has words."""

from __future__ import annotations

from leagues.api.warnings import WARNING_CODES
from leagues.jobs.periodic import PERIODIC
from leagues.pages.work import SENTENCES
from leagues.selectors.work import ROUTINE
from leagues.services.entry_warnings import WarningKind
from leagues.services.job_kinds import KINDS


def test_every_kind_of_job_is_put_into_words() -> None:
    assert set(SENTENCES) == {"rate_board", *KINDS}


def test_what_comes_by_the_clock_is_no_news_while_it_waits() -> None:
    assert {periodic.kind for periodic in PERIODIC} <= set(ROUTINE) <= set(SENTENCES)


def test_every_warning_has_a_code_for_programs() -> None:
    assert set(WARNING_CODES) == set(WarningKind)
