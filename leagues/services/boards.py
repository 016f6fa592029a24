"""Bringing boards up to date: new matches are appended, older ones that change are rated again.

Where a change of older matches reaches few players, only they are rewritten, in one transaction.
Anything else is replayed in full: a replay writes a new generation beside the old one and switches
the board to it in one short transaction; whatever dies on the way leaves the old one as it was.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from leagues import bridge
from leagues.jobs.faults import faultpoint
from leagues.jobs.queue import Claim
from leagues.models import (
    Board,
    BoardDay,
    Match,
    PackedStandings,
    RatingSegment,
    RevisedRating,
    Season,
    Standing,
)
from leagues.services.batches import batches
from leagues.services.board_corrections import (
    BoardCorrection,
    delete_ends,
    read_correction,
    rewriting_of,
)
from leagues.services.change_checks import request_check
from leagues.services.days import (
    carry_moments,
    forget_days,
    keep_prepared,
    prepare_board,
    write_moments,
)
from leagues.services.ratings import enqueue_rating
from leagues.services.revised import revised_ratings, revising, shown_values
from leagues.store import segments
from leagues.store.bulk import insert_models, show_generation
from leagues.store.column_writes import ROWS_AT_ONCE, insert_columns
from leagues.store.match_columns import Facts, read_facts
from leagues.store.snapshot import snapshot
from leagues.store.standing_rows import KEY as STANDING_KEY
from leagues.store.standing_rows import StandingColumns, StandingRow
from leagues.store.upserts import upsert_rows
from ratings.system import Reach

BATCH = 500
MOST_APPENDED = 1000
FULL_REPLAY_SHARE = 0.3
"""More new matches than both make a new generation cheaper than rewriting the last segments."""

MOST_REWRITTEN = 20_000
"""Of more players than this an append is not written in one transaction: others would wait."""
MIN_SHOWN = 2_000
"""A generation of fewer rows is read in a moment, whatever the database thinks of it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a board lacks: the revision to reach, and the facts to rate for it."""

    target: int
    is_full: bool
    facts: Facts | None
    """None: nothing that this board rates has changed."""
    correction: BoardCorrection | None = None
    """Older matches that changed and reach few; `facts` are those that are rated again."""


class BoardRestarted(Exception):
    """The board was told to start again while it was being rated."""


def rate_board_job(claim: Claim) -> None:
    """Rate what a board has not seen yet."""
    try:
        _rate(claim)
    except Board.DoesNotExist:
        # It was removed while it was being rated.
        delete_computed(claim.params["board"])
    except BoardRestarted:
        with transaction.atomic():
            claim.finish()
            # A removed board has been asked for too: whoever removed it queued the job.
            for board in Board.objects.filter(pk=claim.params["board"]):
                enqueue_rating(board)


def _rate(claim: Claim) -> None:
    with snapshot():
        board = (
            Board.objects.select_related("league", "season", "mode")
            .filter(pk=claim.params["board"])
            .first()
        )
        if board is not None and board.season.is_sealed:
            return
        plan = plan_for(board) if board is not None else None
    if board is None or plan is None:
        delete_computed(claim.params["board"])
        return
    total = 0 if plan.facts is None else len(plan.facts)
    if plan.is_full or plan.correction is not None:
        claim.progress(0, total, "rate")
    else:
        claim.count(total)
    if plan.facts is None:
        _skip_to(claim, board, plan.target)
    elif plan.is_full:
        _replay(claim, board, plan.target, plan.facts)
    elif plan.correction is not None:
        _rewrite(claim, board, plan.target, plan.correction)
    else:
        _append(claim, board, plan.target, plan.facts)


def plan_for(board: Board) -> Plan:
    """The next work of a board; to be called inside a snapshot."""
    target = board.season.last_revision
    touched = Match.objects.played_on(board).touched_after(board.rated_through_revision)
    if board.generation == 0 or board.rated_through_revision <= 0:
        return Plan(target, True, _read_facts(board))
    if bridge.forfeit_refusal(board):
        touched = touched.results()
    if touched.corrected().exists():
        return _plan_revision(board, target)
    fresh = touched.rated_on(board)
    if fresh.lost().exists():
        # It is lost to the numbers of its start, which only a replay comes by.
        return Plan(target, True, _read_facts(board))
    oldest = fresh.order_by("played_at", "same_time_order", "seq").first()
    if oldest is None:
        return Plan(target, False, None)
    most = max(MOST_APPENDED, FULL_REPLAY_SHARE * board.rated_matches)
    if not _can_append(board, oldest) or fresh.count() > most:
        return _plan_revision(board, target)
    return Plan(target, False, _read_facts(board, after_revision=board.rated_through_revision))


def _plan_revision(board: Board, target: int) -> Plan:
    """The work of a board of which older results have changed."""
    correction = read_correction(board, after=board.rated_through_revision, at_most=MOST_REWRITTEN)
    if correction is None:
        return Plan(target, True, _read_facts(board))
    return Plan(target, False, correction.tail.facts, correction)


def _read_facts(board: Board, **limits: Any) -> Facts:
    """What a board rates of what `read_facts` reads."""
    return bridge.rated_facts(board, read_facts(board, **limits))


def _can_append(board: Board, oldest: Match) -> bool:
    """Whether the oldest new match, and so all of them, can be rated from what stands."""
    system = bridge.newest_system(board)
    if system.reach is Reach.BATCH or not _follows(board, oldest):
        return False
    if system.period_days is None:
        return True
    # What absence takes has been applied up to there: to everyone where rules have changed, on
    # boards that share it out each time.
    ended = [board.rules_since, board.decayed_until if system.reach is Reach.BOARD else None]
    return all(at is None or at <= oldest.played_at for at in ended)


def _follows(board: Board, match: Match) -> bool:
    if board.last_at is None:
        return True
    last = (board.last_at, board.last_same_time_order or 0, board.last_seq or 0)
    return (match.played_at, match.same_time_order, match.seq or 0) > last


def _skip_to(claim: Claim, board: Board, target: int) -> None:
    computed_at = board.computed_at
    with transaction.atomic():
        claim.fence()
        _write_board(board, generation=board.generation, rated_through_revision=target)
        if not keep_prepared(board, computed_at):
            prepare_board(board)
        claim.finish()


def _append(claim: Claim, board: Board, target: int, facts: Facts) -> None:
    before = bridge.read_before(board, facts)
    computed = bridge.compute(board, facts, before=before)
    points = bridge.points_of(computed)
    if len(points) > MOST_REWRITTEN:
        _replay_all(claim, board)
        return
    history = segments.extend(board, points.by_player(), len(computed.system.columns))
    standings = bridge.changed_standings(board, before, computed)
    moments = carry_moments(board, facts, before, computed, standings)
    with transaction.atomic():
        claim.fence()
        upsert_rows(RatingSegment, segments.SegmentRow._fields, history, key=segments.KEY)
        faultpoint("after_segments")
        upsert_rows(Standing, StandingRow._fields, standings, key=STANDING_KEY)
        faultpoint("after_standings")
        _write_board(
            board,
            generation=board.generation,
            rated_through_revision=target,
            last_place=facts.last_place,
            computed=computed,
            rated=board.rated_matches + len(computed.log),
            refused=board.refused_matches + len(computed.refused),
        )
        write_moments(board, moments)
        claim.finish()
        faultpoint("before_rating_commit")


def _rewrite(claim: Claim, board: Board, target: int, correction: BoardCorrection) -> None:
    """Rate again what a change of older results reaches, and rewrite that in place."""
    tail = correction.tail
    computed = bridge.compute(board, tail.facts, before=tail.before)
    if computed.refused:
        _replay_all(claim, board)
        return
    rewriting = rewriting_of(board, tail, computed)
    if len(rewriting.segments) > MOST_REWRITTEN:
        _replay_all(claim, board)
        return
    cause = revising(board, target)
    before = {row.player_id: (row.place_value, row.shown) for row in tail.stored.values()}
    revised = []
    if cause is not None:
        changes = (board, target, cause, board.generation, before, rewriting.standings)
        revised = list(revised_ratings(*changes))
    with transaction.atomic():
        claim.fence()
        upsert_rows(
            RatingSegment, segments.SegmentRow._fields, rewriting.segments, key=segments.KEY
        )
        faultpoint("after_segments")
        upsert_rows(Standing, StandingRow._fields, rewriting.changed_standings, key=STANDING_KEY)
        delete_ends(board, rewriting)
        faultpoint("after_standings")
        _forget_unseen_revisions(board)
        insert_models(RevisedRating, revised)
        _write_board(
            board,
            generation=board.generation,
            rated_through_revision=target,
            last_place=correction.last_place,
            computed=computed,
            rated=correction.matches,
            refused=0,
        )
        forget_days(board, correction.since)
        prepare_board(board)
        claim.finish()
        faultpoint("before_rating_commit")


def _replay_all(claim: Claim, board: Board) -> None:
    """Replay a board that could have been brought up to date otherwise."""
    with snapshot():
        season = Season.objects.only("last_revision").get(pk=board.season_id)
        facts = _read_facts(board)
    _replay(claim, board, season.last_revision, facts)


def _replay(claim: Claim, board: Board, target: int, facts: Facts) -> None:
    generation = _new_generation(claim, board)
    total = len(facts)
    computed = bridge.compute(
        board, facts, progress=lambda done, _all: claim.progress(done, 2 * total, "rate")
    )
    faultpoint("after_replay")
    written = rows = 0
    for part in bridge.points_of(computed).parts():
        packed = segments.pack(part)
        with transaction.atomic():
            claim.fence()
            insert_columns(RatingSegment, packed.columns(board, generation), len(packed))
        written += int(packed.count.sum())
        rows += len(packed)
        faultpoint("replay_batch")
        claim.progress(total + min(written // 2, total), 2 * total, "write")
    standings = bridge.standing_columns(board, generation, computed)
    for first in range(0, len(standings), ROWS_AT_ONCE):
        end = min(first + ROWS_AT_ONCE, len(standings))
        with transaction.atomic():
            claim.fence()
            insert_columns(Standing, standings.part(first, end), end - first)
    if rows + len(standings) >= MIN_SHOWN:
        show_generation(RatingSegment, Standing)
    _note_revised(claim, board, target, generation, standings)
    faultpoint("before_swap")
    with transaction.atomic():
        claim.fence()
        _write_board(
            board,
            generation=generation,
            rated_through_revision=target,
            last_place=facts.last_place,
            computed=computed,
            rated=len(computed.log),
            refused=len(computed.refused),
        )
        prepare_board(board)
        claim.finish()
    faultpoint("after_swap")
    delete_old_generations(board.pk, generation)


def _note_revised(
    claim: Claim, board: Board, target: int, generation: int, standings: StandingColumns
) -> None:
    """Note whose rating moves without a match because older results were changed."""
    with transaction.atomic():
        claim.fence()
        _forget_unseen_revisions(board)
    cause = revising(board, target)
    if cause is None:
        return
    rows = revised_ratings(board, target, cause, generation, shown_values(board), standings.rows())
    for batch in batches(rows, BATCH):
        with transaction.atomic():
            claim.fence()
            insert_models(RevisedRating, batch)


def _forget_unseen_revisions(board: Board) -> None:
    """Throw away what a replay has noted that was killed or restarted: it is never to be seen."""
    RevisedRating.objects.filter(board=board, generation__gt=board.generation).delete()


def _new_generation(claim: Claim, board: Board) -> int:
    with transaction.atomic():
        claim.fence()
        Board.objects.filter(pk=board.pk).update(last_generation=F("last_generation") + 1)
        generation: int = Board.objects.values_list("last_generation", flat=True).get(pk=board.pk)
    return generation


def _write_board(
    board: Board,
    *,
    generation: int,
    rated_through_revision: int,
    last_place: tuple[datetime, int, int] | None = None,
    computed: bridge.Computed | None = None,
    rated: int | None = None,
    refused: int | None = None,
) -> None:
    values: dict[str, Any] = {
        "generation": generation,
        "rated_through_revision": rated_through_revision,
        "state": Board.State.READY,
        "problem": "",
        "computed_at": timezone.now(),
        "math_fingerprint": bridge.math_fingerprint(board.system),
    }
    if computed is not None:
        last_at, last_same_time_order, last_seq = last_place or (None, None, None)
        values |= {
            "board_state": bridge.shared_board_state(computed),
            "rated_rules": computed.rules,
            "rated_matches": rated,
            "refused_matches": refused,
            "last_at": last_at,
            "last_same_time_order": last_same_time_order,
            "last_seq": last_seq,
        }
    if generation != board.generation:
        values["verified_through_revision"] = None
    same = Board.objects.filter(
        pk=board.pk,
        rated_through_revision=board.rated_through_revision,
        generation=board.generation,
    )
    if not same.update(**values):
        raise BoardRestarted
    if rated_through_revision < Season.objects.values_list("last_revision", flat=True).get(
        pk=board.season_id
    ):
        enqueue_rating(board)
    request_check(board, is_new_generation=generation != board.generation)
    for name, value in values.items():
        setattr(board, name, value)


def delete_old_generations(board_id: int, generation: int) -> None:
    """Throw away what no reader sees any more, a little at a time."""
    for model in (RatingSegment, Standing):
        _delete_slowly(model.objects.filter(board_id=board_id, generation__lt=generation))


def _delete_slowly(rows: QuerySet[Any]) -> None:
    some = rows.model._base_manager.filter(pk__in=rows.values("pk")[:ROWS_AT_ONCE])
    deleted = ROWS_AT_ONCE
    while deleted == ROWS_AT_ONCE:
        with transaction.atomic():
            _count, by_model = some.all().delete()
        deleted = by_model.get(rows.model._meta.label, 0)


def delete_computed(board_id: int) -> None:
    """Throw away all that was computed for a board that was removed."""
    for model in (RatingSegment, Standing, RevisedRating, BoardDay, PackedStandings):
        _delete_slowly(model.objects.filter(board_id=board_id))


def pause_board(claim: Claim, problem: str) -> None:
    """Note on the board that its ratings cannot go on, and why; facts are still accepted."""
    Board.objects.filter(pk=claim.params["board"]).update(state=Board.State.PAUSED, problem=problem)
