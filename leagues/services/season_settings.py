"""What a season is called, and its first and last day; both can change until it is sealed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import wording
from leagues.models import Match, Season
from leagues.services.audit import record_audit
from leagues.services.carryover import carry_over
from leagues.services.errors import Refused
from leagues.services.inactivity_sweep import sweep_again
from leagues.services.leagues import at_field, season_name


@transaction.atomic
def update_season(
    season: Season,
    *,
    name: str,
    starts_at: datetime | None,
    ends_at: datetime | None,
    actor: User | None,
    now: datetime,
) -> Season:
    """Change a season's name and bounds; its address stays, and so do its results.

    What absence took beyond a new end is given back. Ratings that were carried over begin on the
    first day: they are taken over again while there is no result, and hold the day afterwards.
    Raises ValidationError, by field, where something cannot be so.
    """
    season = (
        Season.objects.select_for_update(of=("self",), no_key=True)
        .select_related("league")
        .get(pk=season.pk)
    )
    before = _settings_entry(season)
    was_start, was_end = season.starts_at, season.ends_at
    with at_field("name"):
        season.name = season_name(season.league, name, of=season)
    season.starts_at, season.ends_at = starts_at, ends_at
    after = _settings_entry(season)
    # A bound that keeps its day keeps its instant too: the league's zone may have been another.
    begins_anew = before["first_day"] != after["first_day"]
    ends_anew = before["last_day"] != after["last_day"]
    if not begins_anew:
        season.starts_at = was_start
    if not ends_anew:
        season.ends_at = was_end
    _check_days(season, begins_anew=begins_anew, ends_anew=ends_anew)
    season.full_clean(validate_constraints=False)
    if before == after:
        return season
    season.save(update_fields=["name", "starts_at", "ends_at"])
    record_audit(
        league=season.league,
        actor=actor,
        action="season.change",
        subject=season.name,
        season=season,
        before=before,
        after=after,
    )
    if begins_anew and season.carryover != Season.Carryover.FRESH:
        _carry_anew(season, actor)
    if ends_anew:
        sweep_again(season, now)
    return season


def season_days_lines(season: Season) -> tuple[str, ...]:
    """What changing a season's days does."""
    if season.is_sealed:
        return (_("It is sealed, so you can change its name but not its dates."),)
    return (
        _("Existing results stay. New results must be within the dates."),
        _("Its address stays the same."),
    )


def describe_season_change(season: Season) -> tuple[str, ...]:
    """How a season is now, and how many results its days leave outside."""
    sentence = _("“%(season)s” was changed.") % {"season": season.name}
    return sentence, *describe_outside_results(season)


def describe_outside_results(season: Season) -> Iterator[str]:
    """How many results lie outside of a season's days, if any do."""
    outside = Q()
    if season.starts_at:
        outside |= Q(played_at__lt=season.starts_at)
    if season.ends_at:
        outside |= Q(played_at__gte=season.ends_at)
    count = season.matches.filter(outside, status=Match.Status.LIVE).count() if outside else 0
    if count:
        yield ngettext(
            "%(count)s result is outside these dates and still counts.",
            "%(count)s results are outside these dates and still count.",
            count,
        ) % {"count": wording.count(count)}


def _check_days(season: Season, *, begins_anew: bool, ends_anew: bool) -> None:
    if season.is_sealed and (begins_anew or ends_anew):
        words = {"season": season.name, "state": season.get_state_display()}
        problem = _("“%(season)s” is %(state)s, so its dates can’t be changed.") % words
        raise ValidationError({"starts_on" if begins_anew else "ends_on": problem})
    if begins_anew and season.carryover != Season.Carryover.FRESH and season.last_seq:
        problem = _(
            "This day can’t be changed: ratings were carried over to it, and there are results "
            "since then."
        )
        raise ValidationError({"starts_on": problem})
    if season.starts_at and season.ends_at and season.ends_at <= season.starts_at:
        raise ValidationError({"ends_on": _("A season must end after it starts.")})


def _carry_anew(season: Season, actor: User | None) -> None:
    try:
        carry_over(
            season,
            carryover=season.carryover,
            share=season.carryover_share,
            deviation=season.carryover_deviation,
            actor=actor,
        )
    except Refused as refusal:
        reasons = [problem.message for problem in refusal.problems]
        raise ValidationError({"starts_on": reasons}) from refusal


def _settings_entry(season: Season) -> dict[str, str]:
    first, last = season.first_day, season.last_day
    return {
        "name": season.name,
        "first_day": first.isoformat() if first else "",
        "last_day": last.isoformat() if last else "",
    }
