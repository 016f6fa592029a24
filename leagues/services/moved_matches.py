"""Which results were moved to which season: what revisions say of it, and where a result counts.

A match keeps its season and its number there. One that is moved becomes void where it was, and
stands in the other season as a new match; both revisions name both, so that they are undone
together. At most one of the two counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from leagues.domain.linked_revisions import MOVE_SUMMARY, Part
from leagues.models import Match, MatchVersion, Revision, Season
from leagues.services.errors import Problem, refuse
from leagues.services.linked_revisions import next_parts
from leagues.services.revisions import LockedSeason


@dataclass(frozen=True, slots=True)
class Move:
    """What a revision says of a result that was moved to another season.

    `origin` and `target` are the match that became void and the new one: the ids of their seasons,
    and their numbers there. `parts` are the revisions that did it together.
    """

    origin: Part
    target: Part
    parts: tuple[Part, ...]
    is_undone: bool = False
    """Whether the revision takes the move back."""

    @classmethod
    def of(cls, revision: Revision) -> Move | None:
        """The move that a revision made or took back, if it is one."""
        said = revision.summary.get(MOVE_SUMMARY)
        if said is None:
            return None
        origin, target = tuple(said["origin"]), tuple(said["target"])
        parts = tuple((season, number) for season, number in said["parts"])
        return cls(origin, target, parts, is_undone=said["is_undone"])

    @property
    def counting(self) -> Part:
        """The match that counts since the revision."""
        return self.origin if self.is_undone else self.target

    def note_in(self, revision: Revision) -> None:
        """Let a revision say it."""
        revision.summary[MOVE_SUMMARY] = asdict(self)


def moving_revisions() -> QuerySet[Revision]:
    """The revisions that moved results or took that back, oldest first."""
    # Most revisions are of another kind, and then their summaries are not read.
    kinds = (Revision.Kind.CORRECTION, Revision.Kind.REVERT)
    revisions = Revision.objects.filter(kind__in=kinds, summary__has_key=MOVE_SUMMARY)
    return revisions.filter(state=Revision.State.APPLIED).order_by("pk")


def turn_move(revision: Revision, seasons: Sequence[LockedSeason]) -> Move | None:
    """What the revisions that undo a revision say of the move that it made or took back, if any."""
    move = Move.of(revision)
    if move is None:
        return None
    return replace(move, is_undone=not move.is_undone, parts=next_parts(seasons))


def match_left_by(revision: Revision, match: Match) -> Match:
    """The match that counts since a revision of it: another one where the revision moved it."""
    move = Move.of(revision)
    if move is None or match.seq is None or move.counting == (match.season_id, match.seq):
        return match
    return _at(match.league_id, move.counting)


def counting_half(match: Match) -> Match | None:
    """The match in another season that a result counts as, since it was moved."""
    if match.seq is None:
        return None
    places = {(match.season_id, match.seq)}
    ahead = [match]
    while ahead:
        one = ahead.pop()
        changed = MatchVersion.objects.filter(match=one.pk).values("revision")
        moves = map(Move.of, moving_revisions().filter(Q(pk=one.revision_id) | Q(pk__in=changed)))
        linked = {place for move in moves if move for place in (move.origin, move.target)}
        for place in sorted(linked - places):
            other = _at(match.league_id, place)
            if other.status == Match.Status.LIVE:
                return other
            ahead.append(other)
        places |= linked
    return None


def _at(league_id: int, place: Part) -> Match:
    season_id, seq = place
    rows = Match.objects.select_related("season__league", "mode")
    return rows.get(league=league_id, season=season_id, seq=seq)


def refuse_moved(match: Match) -> None:
    """Refuse to change or restore a match whose result counts in another season."""
    other = counting_half(match)
    if other is None:
        return
    words = _(
        "This result was moved to “%(season)s”, where it is match %(number)d. Change it there."
    )
    names = {"season": other.season.name, "number": other.seq}
    refuse([Problem("season", "moved", words % names)])


def moved_away(matches: QuerySet[Match], season_id: int) -> list[Match]:
    """The matches of a season whose results count in another one, void themselves."""
    void = _that_moved(matches.filter(status=Match.Status.VOID), season_id)
    return [match for match in void if counting_half(match) is not None]


def require_counted_once(season: Season, revision: Revision) -> None:
    """Refuse what a revision did if a result counts in two seasons by it."""
    touched = Match.objects.in_any_mode(season.pk).filter(touched_in_revision=revision.number)
    changed = touched.live()
    for match in _that_moved(changed, season.pk):
        refuse_moved(match)


def _that_moved(matches: QuerySet[Match], season_id: int) -> QuerySet[Match]:
    """Those of some matches of a season that one of its revisions moved away, or here."""
    if not matches.exists():
        return matches
    moves = map(Move.of, moving_revisions().filter(season=season_id))
    places = {place for move in moves if move for place in (move.origin, move.target)}
    seqs = sorted(seq for season, seq in places if season == season_id)
    return matches.filter(seq__in=seqs).order_by("seq")
