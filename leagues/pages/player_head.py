"""The head of a profile: the place, the form, and what a match would bring the viewer."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, charts, wording
from leagues.bridge import OutcomeEffect
from leagues.domain.civil_days import day_of
from leagues.domain.ranking import least_games
from leagues.models import Board, Player
from leagues.pages.boards import Choice, player_address
from leagues.pages.player_profile import Profile
from leagues.pages.seats import format_change
from leagues.rulebook import describe_rules
from leagues.selectors.encounters import (
    rated_among,
)


@dataclass(frozen=True, slots=True)
class StakeLine:
    """What a match against the player would bring to the one who looks."""

    win: str
    draw: str
    loss: str


def has_carried_rating(profile: Profile) -> bool:
    if profile.row is not None or profile.series is not None:
        return False
    entrants = bridge.entrants_of(profile.board, [profile.player], {})
    return entrants[profile.player.pk].state is not None


def former_profile(profile: Profile) -> Choice | None:
    """The profile in the last season before, of who is not rated in this one."""
    if profile.row is not None or profile.series is not None:
        return None
    last = None
    for board in (one.board for one in profile.line):
        is_earlier = board.season.comes_before(profile.board.season)
        if is_earlier and (last is None or last.season.comes_before(board.season)):
            last = board
    if last is None:
        return None
    url = player_address(last, profile.player.key)
    return Choice(last.season.slug, last.season.name, False, url=url)


def unplaced_reason(profile: Profile) -> str:
    if profile.row is not None or not rated_among(profile.board, profile.encounters):
        return ""
    return describe_rules(profile.board.system, profile.board.shown_parameters).placing_rule


def place_sentence(profile: Profile) -> str:
    row = profile.row
    if row is None:
        return ""
    rank = int(profile.standings.rank[row])
    if not rank:
        missing = least_games(profile.board) - int(profile.standings.table.games[row])
        if missing > 0:
            return ngettext(
                "not ranked yet: %(count)d more result needed",
                "not ranked yet: %(count)d more results needed",
                missing,
            ) % {"count": missing}
        return _("not ranked: inactive")
    words = {
        "place": wording.place(rank, is_shared=profile.standings.is_shared(row)),
        "players": wording.count(int(profile.standings.is_ranked.sum())),
    }
    (likely,) = profile.standings.likely([row])
    if likely is None or words["players"] == "1":
        return _("%(place)s of %(players)s") % words
    low, high = (wording.ordinal(value) for value in likely)
    if low == high:
        return _("%(place)s of %(players)s, likely exactly there") % words
    return _("%(place)s of %(players)s, likely %(low)s to %(high)s") % {
        **words,
        "low": low,
        "high": high,
    }


def rated_results(profile: Profile) -> str:
    """How many results the rating rests on, and which others the list below has."""
    games = int(profile.series.games[-1]) if profile.series else 0
    count = wording.results(games)
    left_out = profile.unrated_words(profile.encounters)
    if not left_out:
        return count
    return _("%(results)s rated, besides %(others)s") % {"results": count, "others": left_out}


def last_played(profile: Profile) -> str:
    if profile.row is None:
        return ""
    played_on = day_of(profile.standings.last_match_at(profile.row), profile.zone)
    return _("last played %(day)s") % {"day": wording.ago(played_on, profile.today)}


def recent_form(profile: Profile) -> charts.Form | None:
    own = profile.standing()
    return charts.form(own.form, most=len(own.form)) if own else None


def stake_line(profile: Profile, me: Player | None) -> StakeLine | None:
    if me is None or me.pk == profile.player.pk:
        return None
    row = profile.standings.row_of(me.pk)
    mine = me if row is None else profile.standings.standing(row, me)
    entrant = profile.standing() or profile.player
    (stake,) = bridge.stakes_against(profile.board, mine, [entrant], profile.now)
    return None if stake is None else stake_words(profile.board, stake)


def stake_words(board: Board, stake: OutcomeEffect) -> StakeLine:
    """What each outcome of a match would change, as it is written."""
    decimals = stake.decimals
    return StakeLine(
        win=format_change(board, stake.before, stake.won, decimals),
        draw=""
        if stake.drawn is None
        else format_change(board, stake.before, stake.drawn, decimals),
        loss=format_change(board, stake.before, stake.lost, decimals),
    )
