"""Results as somebody enters them, their players by name or key, and the drafts they become."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

from leagues.models import League, Mode, Player
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
from leagues.services.entry_events import EventEntry, MatchPlayers
from leagues.services.errors import Candidate, Problem, Refused, refuse
from leagues.services.rosters import Roster, has_small_names, name_as_written, shared_name
from ratings.files.names import fold_name, looks_like_name, stands_for_nobody

NEW: Final = "new"
"""The answer that a name is a new player's."""


@dataclass(frozen=True, slots=True)
class PlayerEntry:
    """A player as the enterer names one: the key decides, the name is for those without one."""

    name: str | None = None
    key: str | None = None
    own_score: int | None = None
    playing_share: float = 1.0


@dataclass(frozen=True, slots=True)
class SideEntry:
    """Players who win or lose together; `handicap` is in points of Elo's scale.

    None: it is not said. A correction keeps what the side has then, and a result has none.
    """

    rank: int
    score: int | None
    players: tuple[PlayerEntry, ...]
    handicap: int | None = 0


@dataclass(frozen=True, slots=True)
class MatchEntry:
    """A match as it is entered, before anybody knows who its players are.

    `mode` is what it is entered in, where that is not what the others of its call are. `follows`
    is the moment after which it was played, of one without a time of its own.
    """

    played_at: datetime
    sides: tuple[SideEntry, ...]
    date_only: bool = False
    same_time_order: int = 0
    kind: str = "played"
    weight: float = 1.0
    detail: str = ""
    sets: str = ""
    external_id: str | None = None
    events: tuple[EventEntry, ...] = ()
    mode: Mode | None = None
    follows: datetime | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """What the enterer says of names that mean nobody, or several.

    `chosen` has a player's key, or `NEW`, by folded name; `creates_players` lets every name that
    nobody bears be a new player's.
    """

    chosen: Mapping[str, str] = field(default_factory=dict)
    creates_players: bool = False


@dataclass(frozen=True, slots=True)
class UnclearName:
    """A name that means nobody, or several: who may be meant, and what was answered so far.

    `is_short`: the answer is the only player whom the name can be short for.
    """

    name: str
    candidates: tuple[Candidate, ...]
    is_shared: bool
    answer: str
    is_short: bool = False

    @property
    def is_plainly_new(self) -> bool:
        """Whether nobody is called like it: of a person it is taken as a new player's.

        What is not written as names are may be a slip and is asked about.
        """
        return not self.candidates and looks_like_name(self.name)

    @property
    def may_be_nobody(self) -> bool:
        """Whether the name may be written where nobody played."""
        return stands_for_nobody(self.name)


class UnclearNames(Refused):
    """Nothing was written: `names` are to be answered for, those answered already among them."""

    def __init__(self, problems: Sequence[Problem], names: Sequence[UnclearName]) -> None:
        self.names = tuple(names)
        super().__init__(problems)

    @property
    def newcomers(self) -> tuple[str, ...]:
        """The names that are taken as new players'."""
        return tuple(name.name for name in self.names if name.is_plainly_new)

    @property
    def questions(self) -> tuple[UnclearName, ...]:
        """The names that somebody has to answer for."""
        return tuple(name for name in self.names if not name.is_plainly_new)


@dataclass(frozen=True, slots=True)
class FoundSides:
    """The sides of several matches with their players, and which of those are new."""

    sides: tuple[tuple[SideDraft, ...], ...]
    newcomers: tuple[Player, ...]


def draft_entries(
    entries: Sequence[MatchEntry], *, league: League, answers: Answers
) -> tuple[list[MatchDraft], tuple[Player, ...]]:
    """The drafts of entries, and the new players whom they bring, who are stored.

    Refused with every name that belongs to nobody or to several and is not answered for, and
    with events of players who are not in their match.
    """
    found = find_players([entry.sides for entry in entries], league=league, answers=answers)
    problems: list[Problem] = []
    drafts = []
    for index, (entry, sides) in enumerate(zip(entries, found.sides, strict=True)):
        draft = _draft(entry, sides)
        if entry.events:
            players = players_of_match(sides, entry.sides)
            draft = replace(draft, events=players.drafts_of(entry.events, problems, index))
        drafts.append(draft)
    refuse(problems)
    return drafts, found.newcomers


def players_of_match(sides: Sequence[SideDraft], entered: Sequence[SideEntry] = ()) -> MatchPlayers:
    """The players of a match by what its events may call them."""
    players = MatchPlayers(sides)
    for side, entry in zip(sides, entered, strict=False):
        for member, named in zip(side.members, entry.players, strict=True):
            players.add_names(named.name, named.key, member.player)
    return players


def _draft(entry: MatchEntry, sides: tuple[SideDraft, ...]) -> MatchDraft:
    return MatchDraft(
        played_at=entry.played_at,
        sides=sides,
        date_only=entry.date_only,
        same_time_order=entry.same_time_order,
        kind=entry.kind,
        weight=entry.weight,
        detail=entry.detail,
        sets=entry.sets,
        external_id=entry.external_id,
        mode=entry.mode,
    )


@dataclass(frozen=True, slots=True)
class ProposedDrafts:
    """The drafts that entries would become: None where a name is unclear or refused.

    New players are not stored. `names` are those that are asked or were answered.
    """

    drafts: tuple[MatchDraft | None, ...]
    names: tuple[UnclearName, ...]
    problems: tuple[Problem, ...]


def propose_drafts(
    entries: Sequence[MatchEntry], *, league: League, answers: Answers
) -> ProposedDrafts:
    """What `draft_entries` would answer so far; nothing is stored and nothing refused."""
    matches = [entry.sides for entry in entries]
    search = _Search(matches, league, answers)
    found = search.find_sides(matches)
    unclear = {problem.index for problem in search.problems}
    return ProposedDrafts(
        tuple(
            None if index in unclear else _draft(entry, found[index])
            for index, entry in enumerate(entries)
        ),
        tuple(search.unclear.values()),
        tuple(search.problems),
    )


def find_players(
    matches: Sequence[Sequence[SideEntry]], *, league: League, answers: Answers
) -> FoundSides:
    """The sides of several matches with their players, the new ones among them stored."""
    search = _Search(matches, league, answers)
    found = search.find_sides(matches)
    search.refuse_unclear()
    search.roster.store()
    return FoundSides(found, (*search.roster.fresh, *search.roster.returning))


class _Search:
    """Looks for the players of some entries, and collects what is in the way."""

    def __init__(
        self, matches: Sequence[Sequence[SideEntry]], league: League, answers: Answers
    ) -> None:
        entries = list(_players(matches))
        self.answers = answers
        self.roster = Roster.of_names(
            league,
            names=[entry.name for entry in entries if entry.name],
            keys=[
                *(entry.key for entry in entries if entry.key is not None),
                *answers.chosen.values(),
            ],
        )
        self.problems: list[Problem] = []
        self.unclear: dict[str, UnclearName] = {}
        self.chosen: dict[str, Player] = {}
        self._small_names: bool | None = None

    def find_sides(
        self, matches: Sequence[Sequence[SideEntry]]
    ) -> tuple[tuple[SideDraft, ...], ...]:
        """The sides of matches, without the players who are unclear."""
        return tuple(
            tuple(
                SideDraft(
                    side.rank,
                    tuple(
                        MemberDraft(player, entry.own_score, entry.playing_share)
                        for place, entry in enumerate(side.players)
                        if (player := self._player(entry, index, f"sides.{number}.players.{place}"))
                    ),
                    side.score,
                    side.handicap or 0,
                )
                for number, side in enumerate(sides)
            )
            for index, sides in enumerate(matches)
        )

    def _player(self, entry: PlayerEntry, index: int, field: str) -> Player | None:
        try:
            return self._find(entry)
        except Refused as refused:
            self.problems += (
                replace(problem, index=index, field=field) for problem in refused.problems
            )
        return None

    def _find(self, entry: PlayerEntry) -> Player:
        meant = self.roster.meant_by(name=entry.name or "", key=entry.key)
        if len(meant) == 1:
            return meant[0]
        if entry.key is None and (chosen := self._answer_for(entry.name or "", meant)):
            return chosen
        if not meant and self.answers.creates_players and entry.name is not None:
            return self.roster.bring(name=entry.name, key=entry.key)
        raise Refused([_unclear(entry, meant)])

    def _answer_for(self, name: str, meant: tuple[Player, ...]) -> Player | None:
        """The player whom a name means by an answer; a name that stays unclear is asked about."""
        folded = fold_name(name)
        if folded in self.chosen:
            return self.chosen[folded]
        answer = self.answers.chosen.get(folded, "")
        if answer == NEW:
            name = self._as_written(name)
            self.chosen[folded] = self.roster.bring(name=name)
        elif answer in self.roster.by_key:
            self.chosen[folded] = self.roster.by_key[answer]
        candidates = tuple(Candidate(player.key, player.name) for player in meant)
        chosen = self.chosen.get(folded)
        # Of a name in two ways of writing the first is shown, as it is where an answer is known.
        unclear = UnclearName(name, candidates, bool(meant), answer if chosen else "")
        self.unclear.setdefault(folded, unclear)
        return chosen

    def _as_written(self, name: str) -> str:
        if self._small_names is None:
            self._small_names = has_small_names(self.roster.league)
        return name if self._small_names else name_as_written(name)

    def refuse_unclear(self) -> None:
        """Raise Refused where something is in the way."""
        if not self.problems:
            return
        if all(problem.code in ("unknown_player", "name_shared") for problem in self.problems):
            raise UnclearNames(self.problems, list(self.unclear.values()))
        raise Refused(self.problems)


def _unclear(entry: PlayerEntry, meant: tuple[Player, ...]) -> Problem:
    name = entry.name if entry.key is None else entry.key
    if not meant:
        words = _("This league has no player called “%(name)s”.") % {"name": name}
        return Problem("sides", "unknown_player", words, name=name or "")
    return shared_name(entry.name or "", meant)


def _players(matches: Sequence[Sequence[SideEntry]]) -> Iterator[PlayerEntry]:
    for sides in matches:
        for side in sides:
            yield from side.players
