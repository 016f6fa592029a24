"""Whom the names of a night sheet mean: players, people who are new on it, or a question."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from leagues.models import League
from leagues.services.entry_drafts import (
    NEW,
    Answers,
    MatchEntry,
    ProposedDrafts,
    UnclearName,
    propose_drafts,
)
from leagues.services.errors import Candidate
from leagues.services.likeness import longer_names, names_behind_words, short_for, similar_players
from leagues.services.rosters import Roster, hashed_key, key_of_name
from ratings.files.names import fold_name

NEW_WITH_KEY: Final = "new:"
"""Begins the answer that a name is short for another new one: the key that this will have."""


def with_players(
    entries: Sequence[MatchEntry], league: League, answers: Answers, present: Collection[str]
) -> tuple[Sequence[MatchEntry], ProposedDrafts, Answers]:
    """Look for the players of a sheet.

    Names that nobody's is like are taken as new players', those short for one person as that one's,
    be it a player or one who is new on this sheet or among those `present`: of these the entries
    have the whole names then.
    """
    typed = propose_drafts(entries, league=league, answers=answers).names
    meanings = _Meanings(league, answers, present)
    meanings.find(typed)
    if meanings.whole:
        entries = [_renamed(entry, meanings.whole) for entry in entries]
        meanings.find(propose_drafts(entries, league=league, answers=answers).names)
    answers = replace(answers, chosen={**answers.chosen, **meanings.taken})
    proposed = propose_drafts(entries, league=league, answers=answers)
    names = {fold_name(name.name): name for name in (*typed, *proposed.names)}
    return (
        entries,
        replace(proposed, names=tuple(map(meanings.explain, names.values()))),
        answers,
    )


def arrivals_among(league: League, present: Collection[str]) -> tuple[str, ...]:
    """The names of those present that mean no player."""
    if not present:
        return ()
    roster = Roster.of_names(league, names=present)
    return tuple(name for name in present if not roster.meant_by(name=name))


class _Meanings:
    """Whom the unknown names of a sheet mean, as answered or because only one person is meant."""

    def __init__(self, league: League, answers: Answers, present: Collection[str]) -> None:
        self.league, self.answers, self.present = league, answers, present
        self.candidates: dict[str, tuple[Candidate, ...]] = {}
        self.taken: dict[str, str] = {}
        """The answers that nobody has to give, by folded name."""
        self.whole: dict[str, Candidate] = {}
        """The new people for whose names others are short."""
        self._short: dict[str, str | None] = {}
        self._arrivals: tuple[str, ...] | None = None

    def find(self, names: Iterable[UnclearName]) -> None:
        """Look for those whom names can mean that were not looked for yet."""
        unknown = [
            name
            for name in names
            if not name.is_shared and fold_name(name.name) not in self.candidates
        ]
        if not unknown:
            return
        if self._arrivals is None:
            self._arrivals = arrivals_among(self.league, self.present)
        texts = [name.name for name in unknown]
        similar = similar_players(self.league, texts, self.present, knows_spellings=True)
        new = [name.name for name in unknown if _is_new(name, similar[name.name])]
        behind = names_behind_words(texts, [*self._arrivals, *new])
        # Whoever said that a name is a new player's said that no word stands before it.
        said = {name.name for name in unknown if name.answer == NEW}
        whole = [name for name in new if name in said or name not in behind]
        longer = longer_names(texts, whole, self._arrivals)
        for name in unknown:
            # Who is behind a word may be short for somebody in turn.
            words = behind.get(name.name, ())
            meant = (one for other in words for one in longer.get(other) or (other,))
            others = dict.fromkeys([*longer[name.name], *meant])
            others.pop(name.name, None)
            self._decide(name, (*_new_candidates(others), *similar[name.name]))

    def _decide(self, name: UnclearName, candidates: tuple[Candidate, ...]) -> None:
        folded = fold_name(name.name)
        self.candidates[folded] = candidates
        short = short_for(name.name, candidates, self.present)
        self._short[folded] = None if short is None else short.key
        if name.answer:
            return
        said = self.answers.chosen.get(folded)
        one = next((one for one in candidates if one.key == said), short)
        if one is not None:
            self.taken[folded] = one.key
        elif replace(name, candidates=candidates).is_plainly_new:
            self.taken[folded] = NEW
        if one is not None and one.key.startswith(NEW_WITH_KEY):
            self.whole[folded] = one

    def explain(self, name: UnclearName) -> UnclearName:
        """A name with whom it can mean and does."""
        folded = fold_name(name.name)
        answer = self.taken.get(folded, name.answer)
        return replace(
            name,
            candidates=name.candidates or self.candidates.get(folded, ()),
            answer=answer,
            is_short=bool(answer) and answer == self._short.get(folded),
        )


def _new_candidates(names: Iterable[str]) -> list[Candidate]:
    """New people whom a name may mean, each with its own answer: no key tells accents."""
    by_fold = {fold_name(name): name for name in names}
    keys = [key_of_name(name) for name in by_fold.values()]
    return [
        Candidate(NEW_WITH_KEY + (key if keys.count(key) == 1 else hashed_key(folded)), name)
        for (folded, name), key in zip(by_fold.items(), keys, strict=True)
    ]


def _is_new(name: UnclearName, similar: Sequence[Candidate]) -> bool:
    """Whether a name is a new player's, as answered or since no player's is like it."""
    return name.answer == NEW or not (name.answer or similar)


def _renamed(entry: MatchEntry, whole: Mapping[str, Candidate]) -> MatchEntry:
    """An entry with whole names in place of those that are short for them."""
    sides = tuple(
        replace(
            side,
            players=tuple(
                replace(player, name=one.name)
                if (one := whole.get(fold_name(player.name or "")))
                else player
                for player in side.players
            ),
        )
        for side in entry.sides
    )
    return replace(entry, sides=sides)
