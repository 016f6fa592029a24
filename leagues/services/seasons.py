"""The life of a season: draft, open, closing, closed, archived, and the way back.

Each step is one transaction under the season's lock, only those that lead somewhere are legal,
and each says beforehand in words what it will do. Sealing alone takes time, and is a job.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from leagues import wording
from leagues.access import Action
from leagues.domain.ranking import final_ranking_rule, least_games
from leagues.models import Board, Job, League, Match, Season, Standing, Upload
from leagues.services.audit import record_audit
from leagues.services.carryover import (
    carry_over,
    start_next_season,
    undo_carryover,
)
from leagues.services.errors import Problem, Refused
from leagues.services.imports import UNDER_WAY
from leagues.services.inactivity_sweep import sweep
from leagues.services.leagues import restart_board
from leagues.services.sealing import (
    RULES,
    SEALS,
    open_matches_words,
    request_sealing,
    sealing_of,
    withdraw_sealing,
)
from leagues.services.season_settings import describe_outside_results
from leagues.services.validation import reason_problem

__all__ = [
    "REQUIRES_PASSWORD",
    "DryRun",
    "Step",
    "carry_over",
    "describe_absent_players",
    "dry_run",
    "next_steps",
    "sealing_of",
    "start_next_season",
    "take_step",
    "undo_carryover",
]

State = Season.State


class Step(models.TextChoices):
    """What can be done with a season; the label is the word on its button."""

    OPEN = "open", gettext_lazy("Open the season")
    CLOSE = "close", gettext_lazy("Stop accepting results")
    SEAL = "seal", gettext_lazy("Seal the standings")
    RESUME = "resume", gettext_lazy("Accept results again")
    REOPEN = "reopen", gettext_lazy("Reopen for corrections")
    ARCHIVE = "archive", gettext_lazy("Archive the season")
    UNARCHIVE = "unarchive", gettext_lazy("Bring it back from the archive")

    @property
    def needs_reason(self) -> bool:
        """Whether it takes a reason."""
        return self is Step.REOPEN

    @property
    def right(self) -> Action:
        """The right in the league that it takes."""
        return Action.REOPEN if self is Step.REOPEN else Action.SETTINGS


REQUIRES_PASSWORD = frozenset({Step.SEAL, Step.REOPEN})
"""Steps that nobody takes by accident: at every door the password must have been given lately."""

_RULE_LABELS = {
    "walkovers": gettext_lazy("walkovers"),
    "ranked_after": gettext_lazy("ranked after this many results"),
    "active_days": gettext_lazy("inactive after this many days without a result"),
}

_WAYS: dict[str, dict[Step, str]] = {
    State.DRAFT: {Step.OPEN: State.OPEN},
    State.OPEN: {Step.CLOSE: State.CLOSING},
    State.CLOSING: {Step.SEAL: State.CLOSED, Step.RESUME: State.OPEN},
    State.CLOSED: {Step.ARCHIVE: State.ARCHIVED, Step.REOPEN: State.CLOSING},
    State.ARCHIVED: {Step.UNARCHIVE: State.CLOSED},
}


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a step would do, in sentences, and why it cannot be done, if it cannot."""

    lines: tuple[str, ...]
    problems: tuple[str, ...]
    has_absent: bool = False
    """Whether the lines name players whom the league's days leave out as inactive."""

    @property
    def is_possible(self) -> bool:
        return not self.problems


def next_steps(season: Season) -> tuple[Step, ...]:
    """The steps that lead on from where a season is; the way on comes first."""
    return tuple(_WAYS[season.state])


def dry_run(season: Season, step: Step, now: datetime) -> DryRun:
    """What a step would do; nothing is changed."""
    if step not in _WAYS[season.state]:
        return DryRun((), (_no_way(season, step),))
    match step:
        case Step.OPEN:
            return DryRun(tuple(_opening(season)), tuple(_opening_problems(season)))
        case Step.CLOSE:
            return _ending(season, _closing(season, now))
        case Step.SEAL:
            return _ending(season, _sealing(season), _sealing_problems(season))
        case Step.RESUME:
            return DryRun(tuple(_resuming(season)), ())
        case Step.REOPEN:
            return DryRun(tuple(_reopening(season)), ())
        case Step.ARCHIVE:
            return DryRun(
                (
                    _("It is no longer listed, but all its pages keep their addresses."),
                    _("Its sealed standings stay as they are."),
                ),
                (),
            )
        case Step.UNARCHIVE:
            return DryRun((_("It is listed among the seasons again, and still sealed."),), ())


def _ending(season: Season, lines: Iterable[str], problems: Iterable[str] = ()) -> DryRun:
    """A step towards the end of a season: what it does, and who would be missing then."""
    absent = tuple(describe_absent_players(season))
    return DryRun((*lines, *absent), tuple(problems), has_absent=bool(absent))


def take_step(
    season: Season, step: Step, *, actor: User | None, now: datetime, reason: str = ""
) -> Season:
    """Take a step, or refuse with the reasons; returns the season as it is then.

    Sealing waits until every board has rated and proved everything: the season is still closing
    when this returns, and a job closes it.
    """
    with transaction.atomic():
        locked = (
            Season.objects.select_for_update(of=("self",), no_key=True)
            .select_related("league")
            .get(pk=season.pk)
        )
        problems = [
            Problem("step", "season_step", problem)
            for problem in dry_run(locked, step, now).problems
        ]
        if refusal := reason_problem(reason):
            problems.append(refusal)
        elif step.needs_reason and not reason.strip():
            problems.append(Problem("reason", "reason_missing", _("Give a reason.")))
        if problems:
            raise Refused(problems)
        if step is Step.SEAL:
            request_sealing(locked, actor)
            return locked
        if step is Step.CLOSE:
            # What absence took until now belongs to the season; afterwards nothing moves any more.
            locked.stopped_at = now
            sweep(now, season=locked)
        elif step is Step.RESUME:
            locked.stopped_at = None
            withdraw_sealing(locked)
        before = _state_entry(locked)
        locked.state = _WAYS[locked.state][step]
        # The database lets a closed season be reopened only where this record stands.
        record_audit(
            league=locked.league,
            actor=actor,
            action=f"season.{step.value}",
            subject=locked.name,
            season=locked,
            before=before,
            after={"state": locked.state} | ({"reason": reason.strip()} if reason.strip() else {}),
        )
        if step is Step.REOPEN:
            locked.stopped_at = locked.stopped_at or locked.sealed_at
            # The rules that it was sealed by stay with it: without corrections, so does its seal.
            locked.sealed_at, locked.sealed_digest = None, ""
        locked.save(update_fields=["state", "stopped_at", *SEALS])
        if step is Step.REOPEN:
            locked.boards.update(seal="")
        elif step is Step.RESUME:
            _take_present_rules(locked)
        return locked


def _take_present_rules(season: Season) -> None:
    """Let a season that was sealed once go by the league's rules of now, like any other."""
    is_rated_otherwise = season.sealed_walkovers not in ("", season.league.walkovers)
    season.sealed_walkovers, season.sealed_ranked_after, season.sealed_active_days = "", None, None
    season.save(update_fields=[f"sealed_{rule}" for rule in RULES])
    if is_rated_otherwise:
        for board in season.boards.select_related("season"):
            restart_board(board)


def _state_entry(season: Season) -> dict[str, str]:
    entry = {"state": season.state}
    if season.sealed_at:
        entry |= {"sealed": season.sealed_at.isoformat(), "digest": season.sealed_digest}
    return entry


def _no_way(season: Season, step: Step) -> str:
    steps = [f"“{possible.label}”" for possible in next_steps(season)]
    return _(
        "“%(season)s” is %(state)s, so “%(step)s” is not possible. Possible steps: %(steps)s."
    ) % {
        "season": season.name,
        "state": season.get_state_display(),
        "step": step.label,
        "steps": ", ".join(steps),
    }


def _opening(season: Season) -> Iterator[str]:
    yield _dates(season)
    boards = [board.name for board in season.boards.all()]
    if boards:
        yield _("Its boards: %(boards)s.") % {"boards": "; ".join(boards)}
    if season.carryover == Season.Carryover.FRESH:
        yield _("Everyone starts with a newcomer’s rating.")
    elif season.follows:
        yield _("Everyone starts with the ratings carried over from “%(season)s”.") % {
            "season": season.follows.name
        }
    others = season.league.seasons.filter(state=State.OPEN).exclude(pk=season.pk)
    for other in others:
        yield _("“%(season)s” is also open. New results go to the newest season.") % {
            "season": other.name
        }


def _opening_problems(season: Season) -> Iterator[str]:
    if not season.boards.exists():
        yield _("It has no board yet.")


def _closing(season: Season, now: datetime) -> Iterator[str]:
    yield _("From now on only organizers can enter and correct its results, until it is sealed.")
    if season.ends_at and season.last_day and season.ends_at > now:
        yield _(
            "Its last day is %(day)s. Only organizers can enter results played from now until then."
        ) % {"day": wording.day(season.last_day)}
    yield from _loose_ends(season)


def _sealing(season: Season) -> Iterator[str]:
    boards = season.boards.count()
    results = Match.objects.live().results().filter(season=season).count()
    yield _(
        "%(results)s and %(boards)s will be sealed: results, ratings and ranks can no longer "
        "change."
    ) % {
        "results": wording.results(results).capitalize(),
        "boards": ngettext(
            "the standings of %(count)d board", "the standings of %(count)d boards", boards
        )
        % {"count": boards},
    }
    yield _(
        "Before that, every board is replayed from its first result and compared with the "
        "stored ratings."
    )
    yield from _loose_ends(season)


def _sealing_problems(season: Season) -> Iterator[str]:
    for board in season.boards.all():
        if board.state == Board.State.PAUSED:
            yield _("The board “%(board)s” has stopped: %(problem)s") % {
                "board": board.name,
                "problem": board.problem,
            }
    if _imports_under_way(season):
        yield _("A file is being imported into it. Wait until the import is done.")


def _reopening(season: Season) -> Iterator[str]:
    yield _(
        "This breaks its seal: organizers can enter and correct results until it is sealed again. "
        "The log keeps the old seal."
    )
    if _changed_rules(season):
        yield _(
            "The league’s rules have changed since then. The season keeps the rules that it "
            "was sealed with, unless it accepts results again: %(rules)s."
        ) % {"rules": "; ".join(_changed_rules(season))}
    for follower in season.followers.exclude(carryover=Season.Carryover.FRESH):
        yield _("“%(season)s” keeps the ratings that were carried over into it.") % {
            "season": follower.name
        }


def _resuming(season: Season) -> Iterator[str]:
    yield _("Everyone who can enter results can do so again.")
    changed = _changed_rules(season)
    if not changed:
        return
    yield _(
        "From then on, the league’s current rules apply to it, not the rules that it was "
        "sealed with:"
    )
    yield from changed
    if season.sealed_walkovers not in ("", season.league.walkovers):
        yield _("Its boards are rated again from the first result, in the background.")


def _changed_rules(season: Season) -> list[str]:
    """Name the rules that a season was sealed by and that are others in its league now."""
    league, changed = season.league, []
    for rule in RULES:
        was, now = getattr(season, f"sealed_{rule}"), getattr(league, rule)
        if was in ("", None, now):
            continue
        if rule == "walkovers":
            was, now = League.Walkovers(was).label, League.Walkovers(now).label
        label = _RULE_LABELS[rule]
        words = {"rule": label, "then": was, "now": now}
        changed.append(_("%(rule)s: “%(then)s” when sealed, “%(now)s” now") % words)
    return changed


def _loose_ends(season: Season) -> Iterator[str]:
    """What is not settled in a season that comes to its end."""
    if words := open_matches_words(season):
        yield words
    waiting = _unrated_count(season)
    if waiting:
        yield ngettext(
            "%(count)s result is not rated yet, so the standings will still change.",
            "%(count)s results are not rated yet, so the standings will still change.",
            waiting,
        ) % {"count": wording.count(waiting)}
    yield from describe_outside_results(season)
    yield from _short_players(season)


def _unrated_count(season: Season) -> int:
    """The results that the board furthest behind has not seen."""
    boards = season.boards.all()
    return max(
        (
            Match.objects.played_on(board).touched_after(board.rated_through_revision).count()
            for board in boards
        ),
        default=0,
    )


def _short_players(season: Season) -> Iterator[str]:
    """Who lacks how many results to be ranked, of each kind of play by its first board."""
    for board in _first_boards(season):
        needed = least_games(board)
        if needed == 1:
            continue
        standings = Standing.objects.current(board)
        one_short = standings.filter(games=needed - 1).count()
        if one_short:
            yield ngettext(
                "%(mode)s: %(count)d player is one result short of being ranked.",
                "%(mode)s: %(count)d players are one result short of being ranked.",
                one_short,
            ) % {"mode": board.mode.name, "count": one_short}
        further = standings.filter(games__lt=needed - 1).count()
        if further:
            yield ngettext(
                "%(mode)s: %(count)d player needs two results or more to be ranked.",
                "%(mode)s: %(count)d players need two results or more to be ranked.",
                further,
            ) % {"mode": board.mode.name, "count": further}


def describe_absent_players(season: Season) -> Iterator[str]:
    """Who the final standings would leave out as inactive, of each mode by its first board."""
    for board in _first_boards(season):
        rule = final_ranking_rule(board)
        absent = Standing.objects.current(board).absent(rule).count() if rule else 0
        if rule is None or not absent:
            continue
        words = {"mode": board.mode.name, "count": wording.count(absent), "days": board.active_days}
        yield (
            ngettext(
                "%(mode)s: %(count)s inactive player will be missing from the final standings: "
                "the last match was more than %(days)d days before the season’s last one.",
                "%(mode)s: %(count)s inactive players will be missing from the final standings: "
                "their last match was more than %(days)d days before the season’s last one.",
                absent,
            )
            % words
        )
        if not Standing.objects.current(board).ranked(rule).exists():
            yield _("%(mode)s: no one else has enough results, so no one will be ranked.") % words


def _first_boards(season: Season) -> Iterator[Board]:
    """The first board of each mode."""
    seen: set[int] = set()
    for board in season.boards.select_related("mode", "league"):
        if board.mode_id not in seen:
            seen.add(board.mode_id)
            board.season = season
            yield board


def _imports_under_way(season: Season) -> bool:
    keys = Job.objects.filter(
        kind="import", league_id=season.league_id, state__in=UNDER_WAY
    ).values_list("key", flat=True)
    uploads = [int(key.rpartition(":")[2]) for key in keys]
    return Upload.objects.filter(pk__in=uploads, season=season).exists()


def _dates(season: Season) -> str:
    first, last = (wording.day(on) if on else "" for on in (season.first_day, season.last_day))
    words = {"first": first, "last": last, "zone": season.league.time_zone}
    if first and last:
        return _("It accepts results played from %(first)s to %(last)s (%(zone)s).") % words
    if first:
        return _("It accepts results played on or after %(first)s (%(zone)s).") % words
    if last:
        return _("It accepts results played on or before %(last)s (%(zone)s).") % words
    return _("It accepts results of any date.")
