"""Sealing a season: when every board has rated everything and a replay agrees, it closes.

The seal of a board is the digest of what it shows; that of a season stands for all its boards.
Whatever dies on the way leaves the season closing and the work to be done again.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from leagues.jobs.faults import faultpoint
from leagues.jobs.queue import Claim, Postponed, enqueue
from leagues.models import Board, Job, League, Season
from leagues.services.audit import record_audit
from leagues.services.integrity import (
    board_digest,
    check_board,
    joined_digest,
    note_report,
)
from leagues.services.ratings import enqueue_rating
from leagues.services.started_matches import lose_overdue_of
from leagues.store.match_columns import is_behind
from leagues.store.snapshot import snapshot

log = logging.getLogger(__name__)

KIND = "seal_season"
RULES = ("walkovers", "ranked_after", "active_days")
SEALS = ("sealed_at", "sealed_digest", *(f"sealed_{rule}" for rule in RULES))
UNDER_WAY = (Job.State.QUEUED, Job.State.RUNNING)


@dataclass(frozen=True, slots=True)
class Sealing:
    """How far the sealing of a season is, or why it was not sealed."""

    is_under_way: bool
    stage: str
    done: int
    total: int
    problem: str


@dataclass(frozen=True, slots=True)
class Proof:
    """A board as a replay has found it to be right, and its digest."""

    generation: int
    rated_through_revision: int
    digest: str


class Unsealable(Exception):
    """The season cannot be sealed as it is; the message says why, in words."""


def request_sealing(
    season: Season,
    actor: User | None,
    *,
    state: str = Season.State.CLOSED,
    sealed_at: datetime | None = None,
    expected: str = "",
    otherwise: Collection[int] = (),
) -> int:
    """Queue the sealing of a closing season, in the caller's transaction.

    It is meant for this time of closing: if results are taken again meanwhile, it comes to
    nothing. A season that comes from a backup brings its seal: it gets back the state it had, if
    the digest is the expected one. The boards that are computed `otherwise` since, by their ids,
    may have other digests: then the seal is a new one, and the log keeps the old.
    """
    return enqueue(
        KIND,
        key=f"seal:{season.pk}",
        params={
            "season": season.pk,
            "state": str(state),
            "sealed_at": sealed_at.isoformat() if sealed_at else None,
            "expected": expected,
            "otherwise": list(otherwise),
            "stopped_at": season.stopped_at.isoformat() if season.stopped_at else None,
        },
        league_id=season.league_id,
        author_id=actor.pk if actor is not None else None,
    )


def withdraw_sealing(season: Season) -> None:
    """Let a sealing that waits come to nothing, in the caller's transaction."""
    Job.objects.filter(key=f"seal:{season.pk}", state=Job.State.QUEUED).update(
        state=Job.State.DONE,
        result={"sealed": False, "problem": _("The season accepts results again.")},
        finished_at=Now(),
    )


def sealing_of(season: Season) -> Sealing | None:
    """The progress or the end of the last sealing of a season; None where none was asked for."""
    return sealings_of([season]).get(season.pk)


def sealings_of(seasons: Iterable[Season]) -> dict[int, Sealing]:
    """The progress or the end of the last sealing of each season, by the season's key."""
    keys = {f"seal:{season.pk}": season.pk for season in seasons}
    jobs = Job.objects.filter(key__in=keys).order_by("pk")
    last = {keys[job.key]: job for job in jobs}
    return {season: _sealing(job) for season, job in last.items()}


def _sealing(job: Job) -> Sealing:
    under_way = job.state in UNDER_WAY
    problem = str((job.result or {}).get("problem", ""))
    if job.state == Job.State.FAILED:
        problem = job.error.strip().rpartition("\n")[2]
    return Sealing(under_way, job.stage, job.done, job.total, "" if under_way else problem)


def seal_season_job(claim: Claim) -> dict[str, Any] | None:
    """Prove every board of a closing season, and close it; wait while one lags."""
    season = Season.objects.select_related("league").get(pk=claim.params["season"])
    try:
        # What a job says is read by everybody, in the language of the installation.
        with override(None):
            if not claim.params.get("expected"):
                # Whatever was open at the end is lost before anything is proved.
                lose_overdue_of(season.pk, timezone.now())
                _refuse_open_matches(season)
            proofs = _prove(claim, season)
            _close(claim, season, proofs)
    except Unsealable as problem:
        return {"sealed": False, "problem": str(problem)}
    return None


def _prove(claim: Claim, season: Season) -> dict[int, Proof]:
    """Replay the boards one after the other; `Postponed` as soon as one has not caught up."""
    boards = list(season.boards.order_by("pk"))
    for board in boards:
        _check_ready(board)
    proofs = {}
    for number, board in enumerate(boards):
        claim.progress(number, len(boards) + 1, "verify")
        proofs[board.pk] = _proof(board)
        faultpoint("board_proved")
    return proofs


def _refuse_open_matches(season: Season) -> None:
    """A season whose started matches may still be lost cannot be sealed."""
    if words := open_matches_words(season):
        raise Unsealable(words)


def open_matches_words(season: Season) -> str:
    """How many started matches are open, and what to do about them; empty where none is."""
    count = season.matches.started().count()
    words = ngettext(
        "%(count)d started match is still open. Enter its result or call it off first.",
        "%(count)d started matches are still open. Enter their results or call them off first.",
        count,
    )
    return words % {"count": count} if count else ""


def _check_ready(board: Board) -> None:
    if board.state == Board.State.PAUSED:
        raise Unsealable(
            _("The board “%(board)s” has stopped: %(problem)s")
            % {"board": board.name, "problem": board.problem}
        )
    if is_behind(board):
        with transaction.atomic():
            enqueue_rating(board)
        raise Postponed
    if Job.objects.filter(key=f"rate:{board.pk}", state__in=UNDER_WAY).exists():
        raise Postponed


def _proof(board: Board) -> Proof:
    report = check_board(board)
    if report.is_behind:
        raise Postponed
    board_report = report.board
    with snapshot():
        digest = board_digest(board_report)
    note_report(report)
    if report.differences:
        raise Unsealable(
            _(
                "The board “%(board)s” differs from a replay. Recalculate it, then seal the "
                "season again."
            )
            % {"board": board_report.name}
        )
    return Proof(board_report.generation, board_report.rated_through_revision, digest)


def _close(claim: Claim, season: Season, proofs: Mapping[int, Proof]) -> None:
    params = claim.params
    with transaction.atomic():
        claim.fence()
        locked = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
        stopped_at = locked.stopped_at.isoformat() if locked.stopped_at else None
        if locked.state != Season.State.CLOSING or params.get("stopped_at") != stopped_at:
            raise Unsealable(_("The season has accepted results again since."))
        if locked.last_revision != season.last_revision:
            raise Postponed
        boards = list(locked.boards.select_related("mode").order_by("pk"))
        for board in boards:
            _check_proof(board, proofs)
        digests = {board: proofs[board.pk].digest for board in boards}
        digest = joined_digest(digests)
        expected = params.get("expected", "")
        others = _differing_boards(digests, params) if expected not in ("", digest) else []
        for board in boards:
            Board.objects.filter(pk=board.pk).update(seal=digests[board])
        faultpoint("boards_sealed")
        sealed_at = None if others else params.get("sealed_at")
        locked.sealed_at = datetime.fromisoformat(sealed_at) if sealed_at else timezone.now()
        locked.sealed_digest = digest
        _keep_rules(locked, season.league)
        locked.state = params.get("state", Season.State.CLOSED)
        if not sealed_at:
            record_audit(
                league=season.league,
                actor=claim.job.author,
                action="season.seal",
                subject=locked.name,
                season=locked,
                before={"state": Season.State.CLOSING.value}
                | ({"digest": expected} if others else {}),
                after={"state": locked.state, "digest": digest}
                | ({"computed_again": [board.name for board in others]} if others else {}),
            )
        locked.save(update_fields=[*SEALS, "state"])
        claim.finish({"sealed": True, "digest": digest})
        faultpoint("before_seal_commit")
    if others:
        names = "; ".join(board.name for board in others)
        log.warning(
            "%s was sealed again because these boards are computed differently now: %s",
            season,
            names,
        )
    faultpoint("after_seal")


def _differing_boards(digests: Mapping[Board, str], params: Mapping[str, Any]) -> list[Board]:
    """The boards with another digest than was sealed; refuse any that may not have it."""
    others = [board for board, digest in digests.items() if board.seal != digest]
    allowed = params.get("otherwise", ())
    if not (others and all(board.pk in allowed for board in others)):
        raise Unsealable(
            _(
                "The replayed standings differ from the sealed ones. Recalculate the boards, "
                "or reopen the season."
            )
        )
    return others


def _keep_rules(season: Season, league: League) -> None:
    """Keep the rules that ranks depend on; one from a backup brings those of its time."""
    season.sealed_walkovers = season.sealed_walkovers or league.walkovers
    if season.sealed_ranked_after is None:
        season.sealed_ranked_after = league.ranked_after
    if season.sealed_active_days is None:
        season.sealed_active_days = league.active_days


def _check_proof(board: Board, proofs: Mapping[int, Proof]) -> None:
    """Wait where a board has moved since it was proved, or is about to move."""
    proof = proofs.get(board.pk)
    if proof is None or (board.generation, board.rated_through_revision) != (
        proof.generation,
        proof.rated_through_revision,
    ):
        raise Postponed
    if Job.objects.filter(key=f"rate:{board.pk}", state__in=UNDER_WAY).exists():
        raise Postponed
