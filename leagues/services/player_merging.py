"""Merging two players of a league that are one person; undone as any revision is.

The matches of one name the other from now on, as corrections of all of them at once. Nothing else
moves: names, aliases and keys of the merged player lead to the other one as long as the merge
holds, so that undoing it gives back exactly what was. Results in which both took part are void
with it, and count again with its undoing: whoever merges has named each as a mistake.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.models import League, Match, Player, Revision, Season, StartingState
from leagues.services.batches import batches
from leagues.services.drafts import with_players
from leagues.services.errors import Problem, refuse
from leagues.services.linked_revisions import next_parts
from leagues.services.matches import flip_matches, rewrite_matches
from leagues.services.merged_players import (
    Merge,
    account_problems,
    join_player,
    matches_to_rename,
    meetings,
    merged_problem,
)
from leagues.services.revisions import Commit, LockedSeason, commit_to, lock_season, lock_seasons
from leagues.services.stored_drafts import drafts_of

BATCH = 500
MAX_MEETINGS: Final = 20
"""Of more matches with both players nobody believes that each was entered by mistake."""


def merge_players(
    *,
    league: League,
    keep: Player,
    drop: Player,
    author: User | None,
    reason: str = "",
    source: str = "browser",
    expected_matches: int | None = None,
    mistakes: Collection[int] = (),
) -> Revision:
    """Let the matches of `drop` be those of `keep`, and `drop` be nobody of its own any more.

    One revision, in the season of its matches; where these lie in several seasons one in each,
    which are undone together: the answer is that of the newest one. Holds all seasons of the
    league, then both players. `expected_matches` is the number that the author was shown: Refused
    where it is another by now. `mistakes` are the matches, by id, in which both took part and that
    the author calls mistakes: they are void from now on, and Refused is a merge that leaves one.
    """
    with transaction.atomic():
        lock_seasons(league.pk)
        rows = Player.objects.filter(pk__in=(keep.pk, drop.pk)).order_by("pk")
        held = {player.pk: player for player in rows.select_for_update(no_key=True)}
        keep, drop = held[keep.pk], held[drop.pk]
        problems = merge_problems(
            league, keep, drop, expected_matches=expected_matches, mistakes=mistakes
        )
        refuse(problems)
        seasons = [lock_season(season.pk) for season in seasons_to_write(league, keep, drop)]
        parts = next_parts(seasons)
        merge = Merge(drop.key, keep.key, parts, has_passed_account=join_player(drop, keep))
        revisions = []
        for season in seasons:
            with commit_to(
                season, kind=Revision.Kind.MERGE, author=author, source=source, reason=reason
            ) as commit:
                merge.note_in(commit.revision)
                both = meetings(keep, drop).filter(season=season.pk)
                flip_matches(commit, both, Match.Status.VOID)
                _rename(commit, season, drop, keep)
            revisions.append(commit.revision)
        return revisions[-1]


def merge_problems(
    league: League,
    keep: Player,
    drop: Player,
    *,
    expected_matches: int | None = None,
    mistakes: Collection[int] = (),
) -> list[Problem]:
    """Why two players cannot be merged; empty where they can."""
    if keep.pk == drop.pk:
        return [Problem("player", "same_player", _("Choose another player: this is the same one."))]
    if {keep.league_id, drop.league_id} != {league.pk}:
        return [Problem("player", "other_league", _("There is no such player here."))]
    merged = [merged_problem(one) for one in (drop, keep) if one.merged_into_id is not None]
    return merged or [
        *account_problems(keep, drop),
        *_meeting_problems(keep, drop, mistakes),
        *_seal_problems(keep, drop),
        *_carryover_problems(drop),
        *_count_problems(keep, drop, expected_matches),
    ]


def seasons_to_rename(keep: Player, drop: Player) -> list[Season]:
    """The seasons in which matches of `drop` would name `keep`, oldest first."""
    seasons = Season.objects.filter(pk__in=matches_to_rename(drop, keep).values("season"))
    return list(seasons.select_related("league").order_by("pk"))


def seasons_to_write(league: League, keep: Player, drop: Player) -> list[Season]:
    """Where a merge is recorded: in the seasons of its matches, else in the newest open one."""
    seasons = seasons_to_rename(keep, drop)
    if seasons:
        return seasons
    open_seasons = league.seasons.filter(state__in=(Season.State.OPEN, Season.State.CLOSING))
    newest = list(open_seasons.order_by("-pk")[:1])
    words = _("A merge is recorded in a season, and none accepts results at present.")
    refuse([] if newest else [Problem("season", "season_closed", words)])
    return newest


def _rename(commit: Commit, season: LockedSeason, drop: Player, keep: Player) -> None:
    def renamed(player: Player) -> Player:
        return keep if player.pk == drop.pk else player

    rows = matches_to_rename(drop, keep).filter(season=season.pk).order_by("seq")
    rows = rows.select_related("season__league", "mode")
    for matches in batches(list(rows), BATCH):
        drafts = [with_players(draft, renamed) for draft in drafts_of(matches)]
        rewrite_matches(commit, matches, drafts, [match.status for match in matches])


def _meeting_problems(keep: Player, drop: Player, mistakes: Collection[int]) -> list[Problem]:
    met = set(meetings(keep, drop).values_list("pk", flat=True))
    if len(met) > MAX_MEETINGS:
        words = _(
            "“%(one)s” and “%(other)s” played in the same match %(count)d times. That many results "
            "are no mistake: they are two people."
        )
        values = {"one": keep.name, "other": drop.name, "count": len(met)}
        return [Problem("player", "met_often", words % values)]
    if met <= set(mistakes):
        return []
    words = ngettext(
        "“%(one)s” and “%(other)s” played in the same match, so they are two people. If this "
        "result was entered by mistake, tick it: it becomes void with the merge.",
        "“%(one)s” and “%(other)s” played in the same match %(count)d times, so they are two "
        "people. If all these results were entered by mistake, tick each of them: they become "
        "void with the merge.",
        len(met),
    )
    values = {"one": keep.name, "other": drop.name, "count": len(met)}
    return [Problem("mistakes", "met", words % values)]


def _seal_problems(keep: Player, drop: Player) -> list[Problem]:
    sealed = _sealed_seasons(keep, drop)
    if not sealed:
        return []
    words = _(
        "“%(player)s” has results in “%(season)s”, which is sealed. A site admin can reopen the "
        "season."
    )
    if not _sealed_seasons(drop, keep):
        words = _(
            "“%(player)s” has results in “%(season)s”, which is sealed. Keep “%(player)s” and "
            "merge “%(other)s” into it; or let a site admin reopen the season."
        )
    names = {"player": drop.name, "other": keep.name}
    return [
        Problem("season", "sealed", words % {**names, "season": season.name}) for season in sealed
    ]


def _sealed_seasons(keep: Player, drop: Player) -> list[Season]:
    return [season for season in seasons_to_rename(keep, drop) if season.is_sealed]


def _carryover_problems(drop: Player) -> list[Problem]:
    """A rating that was carried over or given is a fact of its own, and no match's."""
    brought = StartingState.objects.filter(player=drop)
    given = Season.objects.filter(boards__starting_states__in=brought.from_elsewhere()).distinct()
    seasons = Season.objects.filter(boards__starting_states__in=brought.carried_over()).distinct()
    words = _(
        "“%(player)s” began “%(season)s” with a rating from the season before. Keep this player, "
        "or undo the carry-over first."
    )
    chosen_words = _(
        "“%(player)s” begins “%(season)s” with a rating drawn at random, or on a rung from a game "
        "session. Keep this player, or undo that first."
    )
    given_words = _(
        "“%(player)s” was given a starting rating in “%(season)s”. Keep this player, or remove the "
        "starting rating first."
    )
    return [
        Problem("season", "given_start", given_words % {"player": drop.name, "season": season.name})
        for season in given
    ] + [
        Problem(
            "season",
            "carried_over",
            (chosen_words if season.carryover == Season.Carryover.FRESH else words)
            % {"player": drop.name, "season": season.name},
        )
        for season in seasons
    ]


def _count_problems(keep: Player, drop: Player, expected_matches: int | None) -> list[Problem]:
    if expected_matches in (None, count_to_rename(keep, drop)):
        return []
    words = _("The results of “%(player)s” have changed since you opened this page.")
    return [Problem("player", "changed", words % {"player": drop.name})]


def count_to_rename(keep: Player, drop: Player) -> int:
    """How many matches of `drop` would name `keep`."""
    return matches_to_rename(drop, keep).count()
