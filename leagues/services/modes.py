"""The rules of a mode: what counts, who plays, the possible scores, and the kinds of match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from leagues.domain.named_weights import MAX_NAME, NamedWeight
from leagues.domain.score_rules import ScoreRule
from leagues.models import MatchEvent, Mode
from leagues.services.audit import record_audit
from leagues.services.leagues import UNSEALED, boards_by_present_rules, restart_board
from leagues.services.revisions import lock_seasons
from leagues.services.texts import clean_label
from ratings.files.names import fold_kind
from ratings.files.written import can_name_kind


@transaction.atomic
def change_rated_by(*, mode: Mode, rated_by: str, actor: User | None) -> Mode:
    """Let results or events of a mode count; its boards are rated again from the first match.

    Refused where events of the mode lie in a season that was sealed: its seal says what they gave.
    """
    lock_seasons(mode.league_id)
    mode = Mode.objects.select_for_update(no_key=True).get(pk=mode.pk)
    if mode.rated_by == rated_by:
        return mode
    if rated_by not in Mode.RatedBy.values:
        raise ValidationError({"rated_by": _("Choose results or events.")})
    unsealed = mode.league.seasons.filter(sealed_walkovers="", state__in=UNSEALED)
    events = MatchEvent.objects.filter(match__mode=mode)
    if events.exclude(match__season__in=unsealed).exists():
        words = _(
            "There are events of it in a sealed season, which must stay as it was rated. Add "
            "something else to what is played to rate new matches otherwise."
        )
        raise ValidationError({"rated_by": words})
    before, mode.rated_by = mode.rated_by, rated_by
    mode.save(update_fields=["rated_by"])
    record_audit(
        league=mode.league,
        actor=actor,
        action="mode.rated_by",
        subject=mode.name,
        before={"rated_by": before},
        after={"rated_by": rated_by},
    )
    for board in boards_by_present_rules(mode.league).filter(mode=mode):
        restart_board(board)
    return mode


def change_played_by(*, mode: Mode, played_by: str, actor: User | None) -> Mode:
    """Let a mode be for other sides; results that are stored stay as they are."""
    return _change(mode, "played_by", played_by, actor)


def change_score_rule(*, mode: Mode, rule: ScoreRule, actor: User | None) -> Mode:
    """Let another rule say which scores are possible; results that are stored stay as they are."""
    return _change(mode, "score_rule", rule.words, actor)


def change_named_weights(*, mode: Mode, weights: Sequence[NamedWeight], actor: User | None) -> Mode:
    """Name other kinds of match, or other weights; results that are stored stay as they are.

    Raises ValidationError for a name that a line of a night sheet could not end with.
    """
    named = [[clean_kind_name(one.name), float(one.weight)] for one in weights]
    if len({fold_kind(str(name)) for name, _weight in named}) < len(named):
        raise ValidationError(_("Give each kind of match another name."))
    return _change(mode, "named_weights", named, actor)


def change_start_rules(
    *, mode: Mode, start_hours: int, released_by: str, start_rungs: int, actor: User | None
) -> Mode:
    """Let other rules hold for matches that start from now on; who may let players go, for all."""
    for column, value in (
        ("start_hours", start_hours),
        ("released_by", released_by),
        ("start_rungs", start_rungs),
    ):
        mode = _change(mode, column, value, actor)
    return mode


@transaction.atomic
def _change(mode: Mode, column: str, value: Any, actor: User | None) -> Mode:
    """Store another value of a column by which nothing that is stored is rated."""
    mode = Mode.objects.select_for_update(no_key=True).get(pk=mode.pk)
    before = getattr(mode, column)
    if before == value:
        return mode
    setattr(mode, column, value)
    mode.full_clean()
    mode.save(update_fields=[column])
    record_audit(
        league=mode.league,
        actor=actor,
        action=f"mode.{column}",
        subject=mode.name,
        before={column: before},
        after={column: value},
    )
    return mode


def clean_kind_name(name: str) -> str:
    """The name of a kind of match as it is stored."""
    name = clean_label(name, most=MAX_NAME)
    if not can_name_kind(name):
        words = _(
            "“%(name)s” cannot be told apart from the other words of a night sheet. Use other "
            "words without signs, such as Cup or Practice."
        )
        raise ValidationError(words % {"name": name}, code="kind_name")
    return name
