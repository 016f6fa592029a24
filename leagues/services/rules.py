"""The rules of a board: which held when, what others would change, and changing them.

Rules are never changed in silence: every version stays and is listed, with who made it and why.
A new version holds from a moment on, or from the first match on; either way the board is rated
again in the background, each match by the rules of its time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge
from leagues.models import Board, BoardRules, Season, Trial
from leagues.models.checks import FIRST_INSTANT
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, Refused
from leagues.services.leagues import restart_board
from leagues.services.starts import anchors_of, can_show, prepare_for_anchors
from leagues.services.texts import REASON_LENGTH, clean_text
from leagues.services.trials import start_trial


def rules_of(board: Board) -> tuple[BoardRules, ...]:
    """Every version there was, oldest first; the first is not stored until it changes."""
    stored = tuple(board.rules.select_related("author").order_by("number"))
    return stored or (_first_rules(board),)


def in_force(versions: tuple[BoardRules, ...]) -> tuple[BoardRules, ...]:
    """The versions that hold one after the other, by when they begin to."""
    versions_in_force = [version for version in versions if not version.is_replaced]
    return tuple(
        sorted(versions_in_force, key=lambda version: version.effective_at or FIRST_INSTANT)
    )


def check_rules(
    board: Board, *, parameters: Mapping[str, Any], effective_at: datetime | None, now: datetime
) -> dict[str, Any]:
    """The parameters in full, if a board could have them from that moment on.

    Raises Refused for a season that is over, else ValidationError by parameter, or by
    `effective_at`.
    """
    if board.season.state not in (Season.State.DRAFT, Season.State.OPEN):
        words = _("“%(season)s” no longer accepts results, so its rules can’t be changed.")
        message = words % {"season": board.season.name}
        raise Refused([Problem("season", "season_closed", message)])
    checked = bridge.checked_parameters(board.system, {**board.parameters, **parameters})
    _check_anchors(board, checked)
    versions = rules_of(board)
    former, _replaced = _divide(versions, effective_at)
    if effective_at is not None:
        _check_moment(effective_at, now)
        if obstacle := bridge.rules_obstacle(board.system, former[-1].parameters, checked):
            raise ValidationError({"effective_at": obstacle})
    course, present = (
        [
            (one.effective_at, bridge.full_parameters(board.system, one.parameters))
            for one in versions_in_force
        ]
        for versions_in_force in (former, in_force(versions))
    )
    if _changes([*course, (effective_at, checked)]) == _changes(present):
        raise ValidationError(_("The board already uses these rules."), code="unchanged")
    return checked


def preview_rules(
    board: Board,
    *,
    parameters: Mapping[str, Any],
    effective_at: datetime | None,
    actor: User | None,
    now: datetime | None = None,
) -> Trial:
    """Queue the computation of what other rules would change; raises as `change_rules` does."""
    checked = check_rules(
        board, parameters=parameters, effective_at=effective_at, now=now or timezone.now()
    )
    return start_trial(board=board, parameters=checked, actor=actor, effective_at=effective_at)


@transaction.atomic
def change_rules(
    board: Board,
    *,
    parameters: Mapping[str, Any],
    effective_at: datetime | None,
    actor: User | None,
    reason: str = "",
    now: datetime | None = None,
) -> BoardRules:
    """Let a board be rated by other rules, from a moment or (None) from the first match on.

    Versions that begin later are replaced. Raises what `check_rules` raises.
    """
    # The order of all writes of facts: the season first, so that none is closed meanwhile.
    season = Season.objects.select_for_update(no_key=True).get(pk=board.season_id)
    board = Board.objects.select_related("league").get(pk=board.pk)
    board.season = season
    try:
        reason = clean_text(reason, most=REASON_LENGTH)
    except ValidationError as error:
        raise ValidationError({"reason": error}) from error
    checked = check_rules(
        board, parameters=parameters, effective_at=effective_at, now=now or timezone.now()
    )
    versions = rules_of(board)
    if versions[0]._state.adding:
        versions[0].save()
    former_versions, replaced = _divide(versions, effective_at)
    BoardRules.objects.filter(pk__in=[version.pk for version in replaced]).update(is_replaced=True)
    version = BoardRules.objects.create(
        league_id=board.league_id,
        board=board,
        number=versions[-1].number + 1,
        effective_at=effective_at,
        parameters=checked,
        reason=reason,
        author=actor if actor is not None and actor.pk else None,
    )
    former = bridge.full_parameters(board.system, (former_versions or replaced)[-1].parameters)
    _record_change(board, former, version, actor=actor)
    Board.objects.filter(pk=board.pk).update(parameters=checked, rules_since=effective_at)
    prepare_for_anchors(Board.objects.get(pk=board.pk))
    restart_board(board)
    return version


def _record_change(
    board: Board, former: Mapping[str, Any], version: BoardRules, *, actor: User | None
) -> None:
    """Write into the log what a version of the rules changes of those before it."""
    checked, since = version.parameters, version.effective_at
    changed = [name for name in checked if checked[name] != former[name]]
    record_audit(
        league=board.league,
        actor=actor,
        action="board.rules",
        subject=board.name,
        season=board.season,
        before={
            "system": board.system,
            "parameters": {name: former[name] for name in changed},
        },
        after={
            "system": board.system,
            "parameters": {name: checked[name] for name in changed},
            **({"from": since.isoformat()} if since else {"whole_season": True}),
            **({"reason": version.reason} if version.reason else {}),
        },
    )


def _changes(
    course: Sequence[tuple[datetime | None, Mapping[str, Any]]],
) -> list[tuple[datetime | None, Mapping[str, Any]]]:
    """Leave out of a course of rules those that are as the ones before them."""
    return [
        row
        for row, former in zip(course, [None, *course], strict=False)
        if former is None or row[1] != former[1]
    ]


def _first_rules(board: Board) -> BoardRules:
    return BoardRules(
        league_id=board.league_id,
        board=board,
        number=1,
        parameters=board.parameters,
        created_at=board.created_at,
    )


def _divide(
    versions: tuple[BoardRules, ...], effective_at: datetime | None
) -> tuple[tuple[BoardRules, ...], tuple[BoardRules, ...]]:
    """The versions in force that a new one follows, and those that it replaces."""
    former: list[BoardRules] = []
    replaced: list[BoardRules] = []
    for version in in_force(versions):
        begins = version.effective_at
        follows = effective_at is not None and (begins is None or begins < effective_at)
        (former if follows else replaced).append(version)
    return tuple(former), tuple(replaced)


def _check_anchors(board: Board, checked: Mapping[str, Any]) -> None:
    """Refuse rules under which the anchors of a board could not keep what they have.

    Without anchors those of the board would play with it, and move.
    """
    anchors = anchors_of(board)
    if not anchors:
        return
    if not bridge.system_has_anchors(board.system, checked):
        words = ngettext(
            "%(count)d player is an anchor on this board. Remove the starting rating first.",
            "%(count)d players are anchors on this board. Remove their starting ratings first.",
            len(anchors),
        )
        raise ValidationError({"anchors": words % {"count": len(anchors)}})
    changed = copy(board)
    changed.parameters = {**checked}
    if not all(can_show(changed, anchor) for anchor in anchors.values()):
        words = _("The rating of an anchor would be shown as a number over a billion.")
        raise ValidationError({"scale": words})


def _check_moment(effective_at: datetime, now: datetime) -> None:
    if timezone.is_naive(effective_at) or effective_at < FIRST_INSTANT:
        raise ValidationError({"effective_at": _("Rules cannot start on this date.")})
    if effective_at > now:
        raise ValidationError(
            {
                "effective_at": _(
                    "New rules cannot start in the future. Change them on the day itself."
                )
            }
        )
