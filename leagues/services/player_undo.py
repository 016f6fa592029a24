"""What undoing a revision takes back of players: what came with it and still holds.

That is what its file said of them, or the spellings that were answered for with its results. A
value that a person has changed since stays. One that a later file changed does not: undone in the
order in which they came, two files would leave what the first one said, so the later one is to be
undone first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from leagues.domain.linked_revisions import parts_of, seasons_of_undo
from leagues.models import AuditEntry, Board, Player, Revision
from leagues.services.batches import batches
from leagues.services.birth_years import BirthYears
from leagues.services.errors import Problem, refuse
from leagues.services.leaving import LEFT, RETURNED
from leagues.services.player_changes import PLAYERS_CHANGED, REVISION, PlayerChange, mark_of
from leagues.services.player_editing import BIRTH_YEAR_SET
from leagues.services.player_facts import BIRTH_YEAR, KINDS, LEFT_AT
from leagues.services.player_groups import GROUPED
from leagues.services.players import RENAMED
from leagues.services.revisions import lock_seasons
from leagues.services.spellings import REMEMBERED, REMOVED, SHOWN, Spelling
from leagues.services.starts import STARTED, can_change_starts, start_from, start_of
from ratings.files.names import fold_name

STARTS_KEPT: Final = "starts_kept"
"""The word of a revision's summary for how many starting ratings of closed seasons it left."""
YEARS_KEPT: Final = "birth_years_kept"
"""The word of a revision's summary for how many years of birth it left to sealed seasons."""
_UNDOABLE: Final = (GROUPED, BIRTH_YEAR_SET, LEFT, RETURNED, REMEMBERED, REMOVED, STARTED)
_VALUES: Final = (*KINDS, BIRTH_YEAR, LEFT_AT)
_ANSWERED: Final = (Revision.Kind.ENTRY, Revision.Kind.CORRECTION)
"""Kinds of revisions with which answers about names are remembered."""
_MAX_NAMED: Final = 3
_BATCH: Final = 500

_Fact = tuple[int, str]
"""A player's id, and a field or a board: what one entry changed after another one."""


@dataclass(slots=True)
class PlayersUndo:
    """What takes back the changes of players that a revision brought, as far as they hold."""

    changes: list[PlayerChange] = field(default_factory=list)
    rest: Counter[str] = field(default_factory=Counter)
    """How many values stay since a season that was rated by them is closed, by their word."""
    overwritten: set[_Fact] = field(default_factory=set)
    """What is no longer as the revision left it."""

    def note_in(self, revision: Revision) -> None:
        """Put into the summary of the undoing revision how many players it changes."""
        if self.changes:
            revision.summary[PLAYERS_CHANGED] = len(self.changes)
        revision.summary |= {word: count for word, count in self.rest.items() if count}


def hold_for_players(revision: Revision) -> None:
    """Lock all seasons before a revision is undone that changed players: boards may follow.

    Not for answers about names, which no board knows.
    """
    if revision.summary.get(PLAYERS_CHANGED):
        lock_seasons(revision.league_id)


def undo_of_players(revision: Revision) -> PlayersUndo:
    """What takes back a revision's changes of players; Refused where a later file's stand."""
    undo = PlayersUndo()
    if not may_change_players(revision):
        return undo
    entries = list(
        entries_of(revision)
        .select_related("player")
        .prefetch_related("player__groups", "player__aliases")
        .order_by("-number")
    )
    if not entries:
        return undo
    years = BirthYears(revision.league)
    taken_up = _names_taken_up(revision, entries)
    for entry in entries:
        if entry.player is not None and _name_remembered(entry) not in taken_up:
            _undo_entry(undo, entry, entry.player, years)
    if undo.overwritten:
        _refuse_later(revision, undo.overwritten, min(entry.number or 0 for entry in entries))
    return undo


def may_change_players(revision: Revision) -> bool:
    """Whether entries of the log about players may have come with a revision.

    Its summary counts those of a file. Answers about names are remembered after their results were
    stored under a digest, which the summary is part of, so that only the log knows them.
    """
    return bool(revision.summary.get(PLAYERS_CHANGED)) or revision.kind in _ANSWERED


def entries_of(revision: Revision) -> QuerySet[AuditEntry]:
    """The entries of the log about players that came with a revision, or with a part of it."""
    numbers: dict[int, int | None] = dict(parts_of(revision))
    numbers = numbers or {revision.season_id: revision.number}
    marks = [mark_of(season, numbers[season.pk]) for season in seasons_of_undo(revision)]
    return AuditEntry.objects.filter(
        league=revision.league_id,
        created_at__gte=revision.created_at,
        action__in=_UNDOABLE,
        **{f"after__{REVISION}__in": marks},
    )


def _names_taken_up(revision: Revision, entries: Sequence[AuditEntry]) -> set[str]:
    """The names remembered by entries, newest first, that somebody made a player's own since.

    They were given again after they were removed, by an answer or by hand, shown or hidden, or
    borne by a player.
    """
    names = {name for entry in entries if (name := _name_remembered(entry))}
    if not names:
        return set()
    later = AuditEntry.objects.filter(
        league=revision.league_id,
        number__gt=entries[0].number or 0,
        action__in=(REMEMBERED, SHOWN, RENAMED),
    )
    said = later.values_list("before", "after").iterator()
    rows = (values for both in said for values in both if values)
    return names & {fold_name(str(values.get("name", ""))) for values in rows}


def _name_remembered(entry: AuditEntry) -> str:
    """The name, folded, that an entry let mean a player; empty for entries of another kind."""
    if entry.action != REMEMBERED:
        return ""
    return fold_name(str((entry.after or {}).get("name", "")))


def _undo_entry(undo: PlayersUndo, entry: AuditEntry, player: Player, years: BirthYears) -> None:
    if entry.action in (REMEMBERED, REMOVED):
        change = _undoing_name(entry, player)
    elif entry.action == STARTED:
        change = _undoing_start(undo, entry, player)
    else:
        change = _undoing_values(undo, entry, player, years)
    if change is not None:
        undo.changes.append(change)


def _undoing_values(
    undo: PlayersUndo, entry: AuditEntry, player: Player, years: BirthYears
) -> PlayerChange | None:
    then, back = (_moments(values or {}) for values in (entry.after, entry.before))
    stored = {group.kind: group.name for group in player.groups.all()}
    now: dict[str, Any] = {kind: stored.get(kind, "") for kind in KINDS}
    now |= {BIRTH_YEAR: player.birth_year, LEFT_AT: player.left_at}
    said = [name for name in _VALUES if name in then]
    holds = [name for name in said if now[name] == then[name]]
    undo.overwritten.update((player.pk, name) for name in said if name not in holds)
    if BIRTH_YEAR in holds and years.are_sealed(player):
        undo.rest[YEARS_KEPT] += 1
        holds.remove(BIRTH_YEAR)
    if not holds:
        return None
    return PlayerChange(
        player, {name: then[name] for name in holds}, {name: back.get(name) for name in holds}
    )


def _moments(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of an entry as players have them."""
    plain = dict(values)
    if plain.get(LEFT_AT):
        plain[LEFT_AT] = datetime.fromisoformat(plain[LEFT_AT])
    return plain


def _undoing_name(entry: AuditEntry, player: Player) -> PlayerChange | None:
    said = (entry.after if entry.action == REMEMBERED else entry.before) or {}
    name = str(said.get("name", ""))
    if entry.action == REMEMBERED:
        is_known = any(alias.folded == fold_name(name) for alias in player.aliases.all())
        # A name of who was merged since means the player into whom that was.
        return PlayerChange(player.survivor(), {}, {}, removed=(name,)) if is_known else None
    spelling = Spelling(player.key, bool(said.get("is_public")))
    return PlayerChange(player, {}, {}, {name: spelling})


def _undoing_start(undo: PlayersUndo, entry: AuditEntry, player: Player) -> PlayerChange | None:
    before, after = entry.before or {}, entry.after or {}
    boards = Board.objects.select_related("season", "league")
    board = boards.filter(season=entry.season_id, slug=after.get("board")).first()
    if board is None or player.merged_into_id:
        return None
    now = start_of(board, player)
    if now != start_from(after):
        undo.overwritten.add((player.pk, _place_of(entry.season_id, after)))
        return None
    if not can_change_starts(board.season):
        undo.rest[STARTS_KEPT] += 1
        return None
    return PlayerChange(player, {}, {}, starts=((board, now, start_from(before)),))


def _place_of(season_id: int | None, after: Mapping[str, Any]) -> str:
    """The board of a start, by the id of its season and its slug."""
    return f"{season_id}/{after.get('board')}"


def _refuse_later(revision: Revision, overwritten: set[_Fact], first: int) -> None:
    """Raise Refused where what no longer holds was changed by later revisions that stand.

    `first` is the number of the revision's first entry in the log.
    """
    marks = set(_marks_after(revision, overwritten, first))
    changes = {_change_of(later) for later in _named_by(revision, marks)} - {_change_of(revision)}
    standing = [last for change in changes if (last := _standing(change)) is not None]
    if not standing:
        return
    standing.sort(key=lambda one: (one.created_at, one.pk), reverse=True)
    words = _("What this file said of players was changed by a later one. Undo %(later)s first.")
    newest = tuple(standing[:_MAX_NAMED])
    later = ", ".join(_name_of(one, revision) for one in newest)
    problem = Problem("revision", "touched_later", words % {"later": later}, revisions=newest)
    refuse([problem])


def _marks_after(revision: Revision, overwritten: set[_Fact], first: int) -> Iterator[str]:
    """The words by which later entries about the same facts name their revisions."""
    own = mark_of(revision.season, revision.number)
    rows = AuditEntry.objects.filter(
        league=revision.league_id,
        number__gt=first,
        action__in=_UNDOABLE,
        **{f"after__{REVISION}__isnull": False},
    ).exclude(**{f"after__{REVISION}": own})
    for batch in batches(sorted({player for player, _fact in overwritten}), _BATCH):
        found = rows.filter(player__in=batch).values_list("player", "season", "after")
        for player, season, after in found.iterator():
            values = after or {}
            facts = {_place_of(season, values), *values}
            if any((player, fact) in overwritten for fact in facts):
                yield values[REVISION]


def _named_by(revision: Revision, marks: Iterable[str]) -> Iterator[Revision]:
    """The revisions of a league that entries of the log name."""
    for mark in sorted(marks):
        season, _slash, number = mark.rpartition("/")
        rows = Revision.objects.filter(
            league=revision.league_id, season__slug=season, number=int(number)
        )
        yield from rows.select_related("season")


def _change_of(revision: Revision) -> Revision:
    """The change that an undo, the undo of an undo and so on are about."""
    while revision.reverts is not None:
        revision = revision.reverts
    return revision


def _standing(change: Revision) -> Revision | None:
    """The revision to be undone if a change stands: itself, or what brought it back."""
    last, is_undone = change, False
    while later := Revision.objects.filter(reverts=last).select_related("season").first():
        last, is_undone = later, not is_undone
    return None if is_undone else last


def _name_of(later: Revision, revision: Revision) -> str:
    if later.season_id == revision.season_id:
        return _("change %(number)d") % {"number": later.number}
    values = {"number": later.number, "season": later.season.name}
    return _("change %(number)d, %(season)s") % values
