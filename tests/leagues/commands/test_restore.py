"""What a restore waits for before it compares."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.management.commands import restore
from leagues.models import Job, Season
from leagues.services.seasons import Step, take_step
from tests.leagues.play import new_club, record, result, season_of


@pytest.mark.django_db(transaction=True)
def test_a_sealing_that_was_put_off_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restore, "POSTPONE_FOR", timedelta(milliseconds=50))
    league = new_club()
    record(league, result(league, "Ana", "Bo"))
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season_of(league), step, actor=None, now=timezone.now())
    Job.objects.filter(key__startswith="seal:").update(
        run_after=timezone.now() + timedelta(milliseconds=200)
    )
    drain()
    assert season_of(league).state == Season.State.CLOSING
    restore._run_all()
    assert season_of(league).state == Season.State.CLOSED
