"""Previews of changes on request: small ones at once, those that a request cannot bear by a job.

A job is found again by what it previews. Its result holds for an hour, as long as the boards are
as they were; after that it is computed anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from leagues.domain.ranking import least_games
from leagues.jobs.queue import Claim, enqueue
from leagues.models import Board, Job, Season
from leagues.services.correction_preview import (
    BoardEffect,
    BoardPlan,
    ChangePreview,
    Mover,
    plan_boards,
    preview_change,
    read_boards,
)
from leagues.services.tried_changes import TriedChange, change_as_json, change_from_json
from leagues.store.snapshot import snapshot

MAX_RATED_AT_ONCE = 60_000
"""What a request rates, in players of duels, added up over all boards; more is a job.

A third of what it takes for a long log to be worth a compiler, which no web process loads.
"""
EXPIRY = timedelta(hours=1)
RETRY = timedelta(minutes=1)
UNDER_WAY = (Job.State.QUEUED, Job.State.RUNNING)


@dataclass(frozen=True, slots=True)
class PreviewState:
    """A preview, or the job that computes it."""

    preview: ChangePreview | None
    job: Job | None = None
    is_stale: bool = False
    """Whether there was a preview, which the boards have left behind since."""
    boards: tuple[Board, ...] = field(default=(), compare=False)
    """Those that rate what the change touches."""


def request_preview(
    tried: TriedChange, *, season: Season, actor: User | None = None
) -> PreviewState:
    """Preview a tried change now, or see how far the job is that does; queue it if there is none.

    Small enough is what has to be rated: matches times players of a changed match.
    """
    with snapshot():
        plans = plan_boards(tried)
        planned = tuple(plan.board for plan in plans)
        if _work(tried, plans) <= MAX_RATED_AT_ONCE:
            boards = read_boards(tried, plans)
            # Where the change reaches most players, all matches are rated after all.
            plans = [
                plan
                if found.tail or plan.since is None
                else BoardPlan.of_all(plan.board, is_behind=plan.is_behind)
                for plan, found in zip(plans, boards, strict=True)
            ]
            if _work(tried, plans) <= MAX_RATED_AT_ONCE:
                return PreviewState(preview_change(tried, boards), boards=planned)
        base = _base(plans)
    return replace(_by_job(tried, base, season, actor), boards=planned)


def _work(tried: TriedChange, plans: Iterable[BoardPlan]) -> int:
    """How much would be rated, if all matches were like the changed ones.

    Each player is compared with each side, so that one of eight in a free-for-all counts as four
    of duels. An event is a duel.
    """
    work = 0
    for plan in plans:
        facts = tried.facts[plan.board.mode_id]
        changed = max(1, len(facts))
        sides = len(set(zip(facts.match.tolist(), facts.side.tolist(), strict=True)))
        players = max(2, len(facts.player_id) // changed)
        events = len(facts.event_kind) // changed
        work += (players * max(2, sides // changed) // 2 + 2 * events) * plan.matches
    return work


def _by_job(tried: TriedChange, base: str, season: Season, actor: User | None) -> PreviewState:
    stored = change_as_json(tried)
    key = preview_key(stored)
    job = Job.objects.filter(key=key).order_by("-pk").first()
    now = timezone.now()
    is_stale = False
    if job is not None:
        finished = job.finished_at or now
        if job.state in UNDER_WAY or (job.state == Job.State.FAILED and now - finished < RETRY):
            return PreviewState(None, job)
        if job.state == Job.State.DONE and job.result and now - finished < EXPIRY:
            if job.result["base"] == base:
                return PreviewState(_preview_from_json(job.result["preview"]))
            is_stale = True
    with transaction.atomic():
        job_id = enqueue(
            "preview",
            key=key,
            params={"season": season.pk, "change": stored},
            league_id=season.league_id,
            author_id=actor.pk if actor else None,
        )
    return PreviewState(None, Job.objects.get(pk=job_id), is_stale)


def preview_key(stored: dict[str, Any]) -> str:
    """The key of the job that previews a change, whatever was committed in the meantime."""
    content = {name: value for name, value in stored.items() if name != "based_on"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return f"preview:{hashlib.sha256(text.encode()).hexdigest()[:32]}"


def preview_job(claim: Claim) -> dict[str, Any]:
    """Compute the preview of a change; what the league shows stays as it is."""
    tried = change_from_json(claim.params["change"])
    with snapshot():
        plans = plan_boards(tried)
        base = _base(plans)
        facts = read_boards(tried, plans)
    preview = preview_change(
        tried, facts, lambda done, total: claim.progress(done, total, "preview")
    )
    return {"base": base, "preview": asdict(preview)}


def _base(plans: Iterable[BoardPlan]) -> str:
    """What a preview is computed from, as a hash: the facts, the rules and what is shown."""
    said = [
        [
            board.pk,
            board.season.last_revision,
            board.generation,
            board.rated_through_revision,
            board.rules_since and board.rules_since.isoformat(),
            board.parameters,
            least_games(board),
            board.active_days,
        ]
        for board in (plan.board for plan in plans)
    ]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _preview_from_json(stored: dict[str, Any]) -> ChangePreview:
    return ChangePreview(
        stored["based_on"],
        tuple(
            BoardEffect(**{**effect, "movers": tuple(Mover(**row) for row in effect["movers"])})
            for effect in stored["boards"]
        ),
    )
