"""The rules of a mode: whether results or events count, and which scores are possible."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from leagues.domain.score_rules import ScoreRule
from leagues.models import MatchEvent, Mode
from leagues.services.audit import record_audit
from leagues.services.leagues import UNSEALED, boards_by_present_rules, restart_board
from leagues.services.revisions import lock_seasons


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
            "This mode has events in a sealed season, which must stay as it was rated. Add another "
            "mode to rate new matches otherwise."
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


@transaction.atomic
def change_score_rule(*, mode: Mode, rule: ScoreRule, actor: User | None) -> Mode:
    """Let another rule say which scores are possible; results that are stored stay as they are."""
    mode = Mode.objects.select_for_update(no_key=True).get(pk=mode.pk)
    before, mode.score_rule = mode.score_rule, rule.words
    if before == mode.score_rule:
        return mode
    mode.full_clean()
    mode.save(update_fields=["score_rule"])
    record_audit(
        league=mode.league,
        actor=actor,
        action="mode.score_rule",
        subject=mode.name,
        before={"score_rule": before},
        after={"score_rule": mode.score_rule},
    )
    return mode
