"""What the matches against each opponent add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues import bridge, wording
from leagues.domain.civil_days import day_of
from leagues.models import Player, Standing
from leagues.pages.boards import player_address
from leagues.pages.player_profile import MOST_ROWS, Profile
from leagues.pages.seats import format_change
from leagues.pages.sides import compare_address
from leagues.pages.tallies import TallyStyle
from leagues.selectors.encounters import (
    opponents_among,
)
from leagues.wording import NOTHING

MOST_STAKES = 25
"""Opponents for whom the next match is predicted."""


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """What the matches against one opponent add up to."""

    name: str
    url: str
    compare_url: str
    tally: str
    score: str
    expected: str
    over: str
    last: str
    next: str


def opponent_rows(profile: Profile) -> tuple[OpponentRow, ...]:
    met = opponents_among(profile.rated)[:MOST_ROWS]
    own = profile.standing() or profile.player
    next_opponents = met[:MOST_STAKES]
    rivals: list[Standing | Player] = []
    for one in next_opponents:
        rival = Player(pk=one.player_id, key=one.key)
        row = profile.standings.row_of(one.player_id)
        rivals.append(rival if row is None else profile.standings.standing(row, rival))
    stakes = bridge.stakes_against(profile.board, own, rivals, profile.now) if rivals else []
    ahead = {
        one.player_id: " / ".join(
            format_change(profile.board, stake.before, value, stake.decimals)
            for value in (stake.won, stake.lost)
        )
        for one, stake in zip(next_opponents, stakes, strict=True)
        if stake is not None
    }
    style = _tally_style(profile)
    return tuple(
        OpponentRow(
            name=one.name,
            url=player_address(profile.board, one.key),
            compare_url=compare_address(profile.board, [[profile.player.key], [one.key]]),
            tally=style.text(one.won, one.drawn, one.lost),
            score=wording.number(one.points, 1) if one.judged_matches else "",
            expected=wording.number(one.expected, 1) if one.judged_matches else "",
            over=wording.change(one.expected, one.points, 1) if one.judged_matches else "",
            last=wording.ago(day_of(one.last_at, profile.zone), profile.today),
            next=ahead.get(one.player_id, NOTHING),
        )
        for one in met
    )


def tally_heading(profile: Profile) -> str:
    """What stands above the wins and losses against each."""
    return _tally_style(profile).heading


def _tally_style(profile: Profile) -> TallyStyle:
    """Of pairs, which free-for-alls have too: two can share a place where nobody draws."""
    is_of_many = any(one.sides > 2 for one in profile.rated)
    return TallyStyle(is_of_many or TallyStyle.of_table(profile.standings.table).has_draws)


def opponents_note(profile: Profile, opponents: Sequence[OpponentRow]) -> str:
    legend = _opponents_legend(profile, any(row.score for row in opponents))
    if len(opponents) < profile.opponent_count():
        words = _("The %(count)s most frequent opponents.") % {
            "count": wording.count(len(opponents))
        }
        return f"{words} {legend}"
    return legend


def _opponents_legend(profile: Profile, has_expected: bool) -> str:
    is_of_many = any(one.sides > 2 for one in profile.rated)
    if is_of_many and not has_expected:
        return _("In matches with more than two sides, each pair counts as won, drawn or lost.")
    if not has_expected:
        return _("The record against each of them.")
    if is_of_many:
        return _(
            "In matches with more than two sides, each pair counts as won, drawn or lost; "
            "the score and the expected one come only from matches with two sides."
        )
    return _(
        "The score (a win is one, a draw is half), against the one expected from the ratings "
        "before each match."
    )
