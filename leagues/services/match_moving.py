"""Moving a result to another season of its league; undone as any revision is."""

from __future__ import annotations

from dataclasses import replace

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from leagues.models import Match, Revision, Season
from leagues.services.drafts import MatchDraft
from leagues.services.errors import Problem, refuse
from leagues.services.leagues import ensure_boards
from leagues.services.linked_revisions import next_parts
from leagues.services.matches import flip_matches, store_matches
from leagues.services.moved_matches import Move, refuse_moved
from leagues.services.revisions import LockedSeason, commit_to
from leagues.services.validation import season_problem


def move_checked(
    held: LockedSeason,
    stored: Match,
    *,
    target: LockedSeason,
    draft: MatchDraft,
    author: User | None,
    reason: str = "",
    source: str = "browser",
) -> Revision:
    """Let a match be void, and a draft that `check_drafts` has passed count in another season.

    One revision in each of the two seasons, which are undone together: the answer is that of the
    season where the result counts now. All seasons of the league are locked. An id that it has at
    its source stays with the match that is void: what is sent again under it is there already.
    """
    move = Move(
        (held.pk, stored.seq or 0), (target.pk, target.last_seq + 1), next_parts((held, target))
    )
    ensure_boards(season=target, mode=stored.mode)
    kind = Revision.Kind.CORRECTION
    with commit_to(held, kind=kind, author=author, source=source, reason=reason) as commit:
        move.note_in(commit.revision)
        flip_matches(commit, Match.objects.filter(pk=stored.pk), Match.Status.VOID)
    with commit_to(target, kind=kind, author=author, source=source, reason=reason) as commit:
        move.note_in(commit.revision)
        moved = replace(draft, external_id=None)
        store_matches(commit, stored.mode, [moved], stored.source, author)
    return commit.revision


def refuse_move(stored: Match, target: Season, *, late: bool) -> None:
    """Refuse to move a match that is void, or between seasons that do not both take changes.

    `late` says that whoever moves it may change results while a season is closing.
    """
    refuse_moved(stored)
    if stored.status != Match.Status.LIVE:
        words = _("A void result can’t be moved to another season. Restore it first.")
        refuse([Problem("season", "void", words)])
    problems = (season_problem(season, late=late) for season in (stored.season, target))
    refuse([problem for problem in problems if problem is not None])


def refuse_outside(draft: MatchDraft, season: Season, *, origin: Season) -> None:
    """Refuse a date outside a season with the seasons that the match could be moved to instead.

    `origin` is where the match is: it cannot be moved there.
    """
    if season.holds(draft.played_at):
        return
    fitting = [
        other.name
        for other in season.league.seasons.exclude(pk=origin.pk)
        if other.takes_late_results and other.holds(draft.played_at)
    ]
    if fitting:
        words = _(
            "The match is outside the season “%(season)s”. Choose “%(other)s” to move it there."
        )
        names = {"season": season.name, "other": fitting[0]}
        refuse([Problem("played_at", "outside_season", words % names)])
