"""What a file changes of players, written as part of one revision.

Each change is an entry of the log like the one that a person makes on a player's page, and says in
`revision` with which revision it came. So each can be undone by itself, and the revision with all
(`services/player_undo.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues.models import AuditEntry, Board, League, Player, PlayerGroup, Season
from leagues.services.audit import append_all
from leagues.services.birth_years import BirthYears
from leagues.services.errors import Refused
from leagues.services.leaving import LEFT, RETURNED
from leagues.services.player_editing import BIRTH_YEAR_SET, set_birth_years
from leagues.services.player_facts import BIRTH_YEAR, KINDS, LEFT_AT, CollectedFacts, PlayerFacts
from leagues.services.player_groups import GROUPED, write_groups
from leagues.services.rosters import Roster
from leagues.services.spellings import (
    REMEMBERED,
    REMOVED,
    Spelling,
    delete_spelling,
    insert_spellings,
    spelling_entry,
)
from leagues.services.starts import (
    Start,
    can_change_starts,
    change_start,
    check_start,
    start_of,
)

REVISION: Final = "revision"
"""The word of a log entry under which it says with which revision it came."""
PLAYERS_CHANGED: Final = "players_changed"
"""The word of a revision's summary for how many players it changed."""
FACTS_LEFT_OUT: Final = "player_facts_left_out"
"""The word of a report for whether some of what a file says of players is not taken over."""
_MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class PlayerChange:
    """What changes of one player, by field, before and after, and the names that are new."""

    player: Player
    before: dict[str, Any]
    after: dict[str, Any]
    names: dict[str, Spelling] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    """Other names that no longer mean the player."""
    starts: tuple[tuple[Board, Start | None, Start | None], ...] = ()
    """What was given on boards, and what is."""

    @property
    def groups(self) -> dict[str, str]:
        """The groups that change, by kind."""
        return {kind: self.after[kind] for kind in KINDS if kind in self.after}


@dataclass(frozen=True, slots=True)
class PlayerChanges:
    """All that a file changes of players, and in words what is to be known of it."""

    rows: tuple[PlayerChange, ...]
    left_out: tuple[str, ...]
    """Why some of what the file says is not taken over."""
    remarks: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        return (*self.left_out, *self.remarks)

    def as_dict(self, most: int) -> dict[str, Any]:
        """The changes as plain data for a report; at most so many are listed."""
        return {
            "player_changes": [_plain(row) for row in self.rows[:most]],
            PLAYERS_CHANGED: len(self.rows),
            FACTS_LEFT_OUT: bool(self.left_out),
        }


def changes_by(facts: CollectedFacts, roster: Roster, season: Season) -> PlayerChanges:
    """What a file changes of players whom a roster knows, as they are now."""
    league = roster.league
    stored = _groups(league, [said.player for said in facts])
    boards = _Boards(season)
    years = BirthYears(league)
    rows = []
    for said in facts:
        before = _before(said, stored.get(said.player.pk, {}))
        differs = {name for name, value in said.values.items() if before[name] != value}
        if BIRTH_YEAR in differs and (
            years.is_impossible(said.values[BIRTH_YEAR]) or years.are_sealed(said.player)
        ):
            differs.remove(BIRTH_YEAR)
        names = {name: one for name, one in said.names.items() if not roster.meant_by(name=name)}
        change = PlayerChange(
            said.player,
            {name: before[name] for name in said.values if name in differs},
            {name: value for name, value in said.values.items() if name in differs},
            names,
            starts=tuple(boards.starts(said)),
        )
        if change.after or change.names or change.starts:
            rows.append(change)
    left_out = (*boards.notes(), *years.notes())
    return PlayerChanges(tuple(rows), left_out, tuple(_several(facts)))


def write_changes(
    league: League, changes: Sequence[PlayerChange], *, mark: str, actor: User | None
) -> None:
    """Write changes of players with their entries of the log, which name the revision `mark`.

    Called in the transaction of that revision, which holds every season if boards depend on it.
    """
    keys = [change.player.pk for change in changes if change.after]
    rows = Player.objects.select_for_update(of=("self",), no_key=True).order_by("pk")
    held = {player.pk: player for player in rows.filter(pk__in=keys)}
    write_groups(league, {held[one.player.pk]: one.groups for one in changes if one.groups})
    leaving = []
    for change in changes:
        if LEFT_AT in change.after:
            player = held[change.player.pk]
            player.left_at = change.after[LEFT_AT]
            leaving.append(player)
    Player.objects.bulk_update(leaving, ["left_at"], batch_size=500)
    years = {
        held[one.player.pk]: one.after[BIRTH_YEAR] for one in changes if BIRTH_YEAR in one.after
    }
    set_birth_years(years)
    entries = [entry for one in changes for entry in _entries(league, one, mark, actor)]
    for change in changes:
        for name in change.removed:
            alias = delete_spelling(change.player, name)
            entries.append(spelling_entry(REMOVED, change.player, alias, actor, mark=mark))
    names = {name: said for change in changes for name, said in change.names.items()}
    for alias in insert_spellings(league, names):
        entries.append(spelling_entry(REMEMBERED, alias.player, alias, actor, mark=mark))
    for change in changes:
        for board, was, start in change.starts:
            entry = change_start(
                board=board, player=change.player, start=start, was=was, actor=actor, mark=mark
            )
            if entry is not None:
                entries.append(entry)
    # The log is the last lock, also of who adds one of these names at the same time.
    append_all(league, entries)


def mark_of(season: Season, number: int | None) -> str:
    """The word by which log entries name a revision."""
    return f"{season.slug}/{number}"


def _entries(
    league: League, change: PlayerChange, mark: str, actor: User | None
) -> Iterator[AuditEntry]:
    """An entry for each kind of fact that changes, as a page of the player writes it."""
    kinds = [kind for kind in KINDS if kind in change.after]
    left_at = change.after.get(LEFT_AT)
    for action, names in (
        (GROUPED, kinds),
        (BIRTH_YEAR_SET, [BIRTH_YEAR]),
        (RETURNED if left_at is None else LEFT, [LEFT_AT]),
    ):
        if any(name in change.after for name in names):
            yield AuditEntry(
                league=league,
                actor=actor if actor is not None and actor.pk else None,
                action=action,
                subject=change.player.key,
                player=change.player,
                before={name: _text(change.before[name]) for name in names},
                after={name: _text(change.after[name]) for name in names} | {REVISION: mark},
            )


def _text(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _plain(change: PlayerChange) -> dict[str, Any]:
    return {
        "name": change.player.name,
        "key": change.player.key,
        "before": {name: _text(value) for name, value in change.before.items()},
        "after": {name: _text(value) for name, value in change.after.items()},
        "names": {name: said.is_public for name, said in change.names.items()},
        "starts": [
            [board.name, None if was is None else was.rating, start.rating, start.source]
            for board, was, start in change.starts
            if start is not None
        ],
    }


def _groups(league: League, players: Sequence[Player]) -> dict[int, dict[str, str]]:
    groups: dict[int, dict[str, str]] = {}
    if not league.has_groups:
        return groups
    wanted = {player.pk for player in players}
    rows = PlayerGroup.objects.filter(league=league).values_list("player_id", "kind", "name")
    for player, kind, name in rows.iterator():
        if player in wanted:
            groups.setdefault(player, {})[kind] = name
    return groups


def _before(said: PlayerFacts, groups: Mapping[str, str]) -> dict[str, Any]:
    before: dict[str, Any] = {kind: groups.get(kind, "") for kind in KINDS}
    return before | {BIRTH_YEAR: said.player.birth_year, LEFT_AT: said.player.left_at}


def _several(facts: CollectedFacts) -> Iterator[str]:
    count = len(facts.changed)
    if count:
        yield ngettext(
            "%(count)d player has several clubs, teams or countries in the file. That of the "
            "newest result is taken over.",
            "%(count)d players have several clubs, teams or countries in the file. Those of the "
            "newest results are taken over.",
            count,
        ) % {"count": count}


class _Boards:
    """The boards that starting ratings of a file name: of the season it goes into, or another."""

    def __init__(self, season: Season) -> None:
        self._season = season
        self._seasons: dict[str, dict[str, Board]] = {}
        self._unknown: dict[str, None] = {}
        self._refused: dict[str, None] = {}

    def starts(self, said: PlayerFacts) -> Iterator[tuple[Board, Start | None, Start | None]]:
        """The starts of a player that are not there yet."""
        for (season, name), row in said.starts.items():
            board = self._of(season).get(name)
            wish = Start(row.rating, row.deviation, row.source)
            if board is None or not can_change_starts(board.season):
                self._unknown[name] = None
                continue
            now = start_of(board, said.player) if said.player.pk else None
            try:
                start = check_start(board, wish)
            except Refused as refused:
                words = "%(board)s, %(player)s: %(reason)s"
                values = {"board": name, "player": said.player.name, "reason": str(refused)}
                self._refused[words % values] = None
                continue
            if start != now:
                yield board, now, start

    def notes(self) -> Iterator[str]:
        if self._unknown:
            words = _(
                "Starting ratings are left out for boards that are not here, or whose season is "
                "closed: %(boards)s."
            )
            yield words % {"boards": ", ".join(list(self._unknown)[:_MOST_NAMED])}
        for reason in list(self._refused)[:_MOST_NAMED]:
            yield _("A starting rating is left out. %(reason)s") % {"reason": reason}

    def _of(self, season: str) -> dict[str, Board]:
        if season not in self._seasons:
            boards = Board.objects.select_related("season", "league")
            rows = boards.filter(league=self._season.league_id, season__slug=season)
            self._seasons[season] = {board.slug: board for board in rows}
        return self._seasons[season]
