"""Who was merged into whom: what revisions say of it, and what players hold of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from leagues.domain.linked_revisions import MERGE_SUMMARY
from leagues.models import Match, Participant, Player, Revision
from leagues.services.errors import Problem, Refused, refuse
from leagues.services.linked_revisions import next_parts
from leagues.services.revisions import LockedSeason


@dataclass(frozen=True, slots=True)
class Merge:
    """What a revision says of a merge: by keys, so that names can be erased.

    `parts` are the revisions that did it together, one in each season that it reached: the ids of
    the seasons, and their numbers there.
    """

    player: str
    into: str
    parts: tuple[tuple[int, int], ...]
    has_passed_account: bool
    """Whether the account of the merged player became that of the other one."""
    is_undone: bool = False
    """Whether the revision takes the merge back."""

    @classmethod
    def of(cls, revision: Revision) -> Merge | None:
        """The merge that a revision made or took back, if it is one."""
        said = revision.summary.get(MERGE_SUMMARY)
        if said is None:
            return None
        parts = tuple((season, number) for season, number in said["parts"])
        return cls(**{**said, "parts": parts})

    def note_in(self, revision: Revision) -> None:
        """Let a revision say it."""
        revision.summary[MERGE_SUMMARY] = asdict(self)


def merging_revisions() -> QuerySet[Revision]:
    """The revisions that merged players or took that back, oldest first."""
    revisions = Revision.objects.filter(summary__has_key=MERGE_SUMMARY)
    return revisions.filter(state=Revision.State.APPLIED).order_by("pk")


def recorded_merges(league_id: int) -> dict[str, str]:
    """Whom the revisions of a league merged into whom, as far as none took it back: by keys."""
    merged: dict[str, str] = {}
    for revision in merging_revisions().filter(league=league_id).iterator():
        merge = Merge.of(revision)
        if merge is not None and not merge.is_undone:
            merged[merge.player] = merge.into
        elif merge is not None:
            merged.pop(merge.player, None)
    return merged


def turn_merge(revision: Revision, seasons: Sequence[LockedSeason]) -> Merge | None:
    """Take back, in the players, the merge that a revision made, or make what it took back.

    Answers what the revisions that undo it are to say of it; None where it is about no merge.
    """
    merge = Merge.of(revision)
    if merge is None:
        return None
    turned = replace(merge, is_undone=not merge.is_undone, parts=next_parts(seasons))
    keys = (merge.player, merge.into)
    players = Player.objects.filter(league=revision.league_id, key__in=keys).order_by("pk")
    rows = {player.key: player for player in players.select_for_update(no_key=True)}
    drop, keep = (rows[key] for key in keys)
    if turned.is_undone:
        refuse(_later_merge_problems(keep))
        split_player(drop, keep, has_passed_account=merge.has_passed_account)
    else:
        refuse([merged_problem(one) for one in (drop, keep) if one.merged_into_id is not None])
        refuse(account_problems(keep, drop))
        turned = replace(turned, has_passed_account=join_player(drop, keep))
    return turned


def _later_merge_problems(keep: Player) -> list[Problem]:
    """Why a merge stays as long as a later one stands on it: that may have passed the account on.

    Where there are results, the later merge has renamed them once more, which says the same.
    """
    if keep.merged_into_id is None:
        return []
    words = _("“%(player)s” was merged into “%(into)s” afterwards. Undo that first.")
    names = {"player": keep.name, "into": keep.survivor().name}
    return [Problem("revision", "touched_later", words % names)]


def require_all_renamed(revision: Revision, merge: Merge) -> None:
    """Refuse to merge again whoever has played since the merge was undone."""
    keys = (merge.player, merge.into)
    rows = {row.key: row for row in Player.objects.filter(league=revision.league_id, key__in=keys)}
    drop, keep = (rows[key] for key in keys)
    if merge.is_undone:
        return
    if matches_to_rename(drop, keep).exists() or meetings(drop, keep).exists():
        words = _(
            "“%(player)s” has new results since the merge was undone. Merge the two players again "
            "from their page."
        )
        raise Refused([Problem("revision", "touched_later", words % {"player": drop.name})])


def join_player(drop: Player, keep: Player) -> bool:
    """Let a player be another one from now on; tells whether the account is passed on."""
    passes_account = keep.user_id is None and drop.user_id is not None
    if passes_account:
        keep.user_id = drop.user_id
        keep.save(update_fields=["user"])
    drop.merged_into, drop.is_listed = keep, False
    drop.save(update_fields=["merged_into", "is_listed"])
    return passes_account


def split_player(drop: Player, keep: Player, *, has_passed_account: bool) -> None:
    """Let a merged player be one again."""
    if drop.merged_into_id != keep.pk:
        words = _("“%(player)s” is no longer merged into “%(into)s”.")
        raise Refused(
            [Problem("revision", "merged", words % {"player": drop.name, "into": keep.name})]
        )
    if has_passed_account and keep.user_id == drop.user_id:
        keep.user_id = None
        keep.save(update_fields=["user"])
    drop.merged_into, drop.is_listed = None, True
    drop.save(update_fields=["merged_into", "is_listed"])


def account_problems(keep: Player, drop: Player) -> list[Problem]:
    """Why two players cannot be one if two accounts have claimed them."""
    if not (keep.user_id and drop.user_id) or keep.user_id == drop.user_id:
        return []
    words = _("“%(one)s” and “%(other)s” belong to two accounts, so they are two people.")
    names = {"one": keep.name, "other": drop.name}
    return [Problem("player", "two_accounts", words % names)]


def matches_to_rename(drop: Player, keep: Player) -> QuerySet[Match]:
    """The matches of a player that are another's once the two are merged.

    A void match in which both stand keeps its words: it cannot name one player twice.
    """
    both = Participant.objects.filter(player=keep).values("match")
    return (
        Match.objects.filter(participants__player=drop)
        .exclude(status=Match.Status.STAGED)
        .exclude(status=Match.Status.VOID, pk__in=both)
    )


def meetings(one: Player, other: Player) -> QuerySet[Match]:
    """The results that count in which both of two players took part, the newest first."""
    both = Match.objects.live().filter(participants__player=one)
    both = both.filter(pk__in=Participant.objects.filter(player=other).values("match"))
    return both.order_by("-played_at", "-same_time_order", "-seq")


def merged_problem(player: Player) -> Problem:
    """Why a merged player takes part in nothing any more."""
    words = _("“%(player)s” has been merged into “%(into)s”.")
    into = player.survivor().name
    return Problem("player", "merged", words % {"player": player.name, "into": into})


def naming_merged(matches: QuerySet[Match], league_id: int) -> QuerySet[Participant]:
    """Where matches of a league name a player who was merged into another one."""
    merged = Player.objects.filter(league=league_id, merged_into__isnull=False)
    # Hardly any league has one: then the matches, of which there may be a million, are not read.
    keys = list(merged.values_list("pk", flat=True))
    rows = Participant.objects.filter(player__in=keys)
    return rows.filter(match__in=matches) if keys else rows.none()


def require_unmerged(matches: QuerySet[Match], league_id: int) -> None:
    """Refuse to let matches count that name a player who was merged into another one."""
    rows = naming_merged(matches, league_id).select_related("player")
    refuse([merged_problem(row.player) for row in rows[:1]])
