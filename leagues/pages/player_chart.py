"""The chart of a player's rating through the seasons."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from leagues.bridge import ShownValue
from leagues.models import Season
from leagues.pages.player_profile import Profile
from leagues.pages.player_revisions import revision_marks
from leagues.pages.timelines import Timeline, timeline


def profile_chart(profile: Profile, value: ShownValue, chosen: str) -> Timeline | None:
    """The ratings over the chosen range; None before the first result."""
    if not profile.series:
        return None
    return timeline(
        profile.line,
        board=profile.board,
        value=value,
        until=_chart_end(profile),
        chosen=chosen,
        marks=revision_marks(profile),
        titles=profile.dot_address,
        today=profile.today,
    )


def chart_label(profile: Profile) -> str:
    words = {"name": profile.player.name, "board": profile.board.name}
    return _("Rating of %(name)s, %(board)s") % words


def _chart_end(profile: Profile) -> datetime:
    """The end of the chart: as of when the head shows the uncertainty."""
    assert profile.series is not None  # noqa: S101
    return max(profile.series.moment(len(profile.series) - 1), profile.moment)


def fresh_start_sentence(profile: Profile) -> str:
    """Why the line jumps where a season began without what players had before."""
    own, season = profile.series, profile.board.season
    if own is None or season.carryover != Season.Carryover.FRESH or profile.start_sentence:
        return ""
    if all(series.moment(0) >= own.moment(0) for series in profile.line if len(series)):
        return ""
    return _("In %(season)s, everyone started with a newcomer’s rating.") % {"season": season.name}


def steps_sentence(value_name: str, drawn: Timeline) -> str:
    """What a step of the chart is: on a ladder, a player moves without playing too."""
    if drawn.is_by_match:
        text = (
            _("%(value)s after each match and each change without a match.")
            if drawn.has_moves
            else _("%(value)s after each match.")
        )
    else:
        text = (
            _("%(value)s after each day with a match or a change.")
            if drawn.has_moves
            else _("%(value)s after each day with a match.")
        )
    return text % {"value": value_name}
