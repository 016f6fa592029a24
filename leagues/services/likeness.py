"""Names that may be one name: a letter off, other accents, another order, a part left out."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from leagues.domain.leaving import players_who_left
from leagues.domain.near_texts import NearTexts
from leagues.models import League, Player
from leagues.models.player import PlayerQuerySet
from leagues.services.errors import Candidate
from leagues.services.name_forms import (
    LEAST_PART_LIKENESS,
    SHORTEST,
    SHORTEST_PART,
    WORD,
    are_initials,
    has_initial,
    initials_of,
    is_form_of,
    is_part,
    is_part_mistyped,
    is_short_slip,
    is_turned,
    numbers_in,
    parts_of,
    size_of,
    sound_of,
    stands_behind_word,
    words_in,
)
from leagues.store.search import plain_name
from ratings.files.names import fold_name

MOST_SIMILAR = 3
MOST_OFFERED = 12
"""Players among whom somebody can choose for a name of a file, which cannot be typed anew."""
MOST_COMPARED = 5000
MOST_SPELLINGS = 1000
LEAST_LIKENESS = 0.72
LEAST_LIKENESS_OF_MANY = 0.8
"""Of the names of a file: among many, two of which only the first name is one are nothing odd."""
FIRST_LETTERS = 4
"""Letters with which a name there begins as another that may be meant."""


def similar_names(names: Iterable[str], others: Iterable[str]) -> dict[str, list[str]]:
    """For each of `names` those of `others` that read almost alike, where there are any.

    Names meet in buckets, so that ten thousand of them take no longer than their letters.
    """
    buckets: dict[str, list[str]] = {}
    for other in others:
        for trace in _traces(other):
            buckets.setdefault(trace, []).append(other)
    similar: dict[str, list[str]] = {}
    for name in names:
        alike = {other for trace in _traces(name) for other in buckets.get(trace, ())}
        alike = {other for other in alike if fold_name(other) != fold_name(name)}
        if alike:
            similar[name] = sorted(alike)[:MOST_SIMILAR]
    return similar


def alike_pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs among some names that may be one person's, in the order of the names.

    Much alike, one a part of the other, or a first name as it would be asked about beside a player.
    """
    similar = similar_names(names, names)
    parts = {name: parts_of(name) for name in names}
    return [
        (one, other)
        for index, one in enumerate(names)
        for other in names[index + 1 :]
        if other in similar.get(one, ())
        or is_part(parts[one], parts[other])
        or is_part(parts[other], parts[one])
        or is_part_mistyped(parts[one], parts[other])
        or is_part_mistyped(parts[other], parts[one])
        or is_short_slip(parts[one], parts[other])
    ]


def _traces(name: str) -> Iterator[str]:
    """Yield the letters of a name, and what is left of them without each one.

    Two names that are one letter apart share a trace. Numbers and initials must agree: with them
    people tell teams and namesakes apart.
    """
    words = WORD.findall(plain_name(name))
    exact = " ".join(sorted(word for word in words if len(word) == 1 or word.isdecimal()))
    letters = "".join(sorted(word for word in words if len(word) > 1 and word.isalpha()))
    if letters:
        yield f"{exact} {letters}"
    if len(letters) >= SHORTEST:
        for index in range(len(letters)):
            yield f"{exact} {letters[:index]}{letters[index + 1 :]}"


def similar_players(
    league: League,
    names: Iterable[str],
    present: Iterable[str] = (),
    *,
    knows_spellings: bool = False,
) -> dict[str, tuple[Candidate, ...]]:
    """Up to three players for each name that may have been meant.

    Those whom it may be a short or turned form of come first, then those spelt much like it; of
    each those whose names are among `present` before others. Whoever left comes last. For those
    who enter results and `knows_spellings`, a former name counts as the present one does.
    """
    names = list(names)
    if not names:
        return {}
    players = league.players.listed()
    here = {fold_name(name) for name in present}
    spellings = _spellings(league) if knows_spellings else []
    everyone = _present_first([*_comparable(players), *spellings], here)
    left = frozenset(players_who_left(league.pk).values_list("key", flat=True))
    if len(everyone) <= MOST_COMPARED:
        like = PlayersLike(everyone, left, is_thorough=True)
        return {name: like.candidates(name) for name in names}
    return {
        name: _most_alike(
            name,
            _present_first([*_comparable(_like(players, name, league)), *spellings], here),
            left,
        )
        for name in names
    }


class PlayersLike:
    """Whom each of many names may mean, asked one after the other.

    A name is compared with those alone who share initials, a sound, or a word or its beginning
    with it. With `NearTexts` those are among them, too, whose letters are nearly the same, so that
    nobody is left out; without, for files of any length, those of a word that is a letter off.
    """

    def __init__(
        self, everyone: Sequence[_Comparable], left: Collection[str], *, is_thorough: bool
    ) -> None:
        self._everyone, self._left = everyone, left
        self._knows_slips = not is_thorough and len(everyone) <= MOST_COMPARED
        near = everyone if is_thorough else ()
        self._words = NearTexts(list({part for one in near for part in one.parts}))
        self._spellings = NearTexts(list({one.spelling for one in near}))
        self._places: dict[str, list[int]] = {}
        for place, one in enumerate(everyone):
            for clue in {*self._clues(one.parts, one.sound), one.spelling}:
                self._places.setdefault(clue, []).append(place)

    @classmethod
    def of_league(cls, league: League) -> PlayersLike:
        """For the names of a file: everybody, by their other names too."""
        players = league.players.listed().order_by("folded", "key")
        everyone = [*_all_comparable(players), *_spellings(league)]
        left = frozenset(players_who_left(league.pk).values_list("key", flat=True))
        return cls(everyone, left, is_thorough=False)

    def candidates(
        self, name: str, *, most: int = MOST_SIMILAR, least: float = LEAST_LIKENESS
    ) -> tuple[Candidate, ...]:
        """Those whom a name may mean, the likeliest first."""
        parts = parts_of(name)
        clues = self._clues(parts, sound_of(parts))
        clues.update(self._spellings.near_to(" ".join(parts), least))
        if len(parts) == 1:
            # A slip leaves more of a word's letters than a likeness asks for.
            clues.update(self._words.with_letters_of(parts[0], LEAST_PART_LIKENESS))
        places = {place for clue in clues for place in self._places.get(clue, ())}
        alike = [self._everyone[place] for place in sorted(places)]
        return _most_alike(name, alike, self._left, most=most, least=least)

    def _clues(self, parts: Sequence[str], sound: str) -> set[str]:
        """What two names have in common that may be one."""
        clues = {f"letters {text}" for text in ("".join(parts), initials_of(parts)) if text}
        if sound:
            clues.add(f"sound {sound}")
        for part in parts:
            clues |= {part, part[:SHORTEST_PART]}
            if self._knows_slips and len(part) >= SHORTEST_PART:
                clues |= {part[:at] + part[at + 1 :] for at in range(len(part))}
        return clues


def short_for(
    name: str, candidates: Sequence[Candidate], present: Iterable[str] = ()
) -> Candidate | None:
    """The only one of those like it whom a name can be short for.

    A first name or initials are short for whoever has them alone; other accents and another order
    of the whole name come before that. Of several, it is short for the only one whose name is
    among `present`. A name there that no candidate has is a new player's: that has to be asked.
    """
    parts = parts_of(name)
    named = [(one, parts_of(one.name)) for one in candidates]
    whole = [one for one, own in named if sorted(own) == sorted(parts)]
    forms = whole or [
        one for one, own in named if is_form_of(parts, own) or are_initials(name, own)
    ]
    here = {fold_name(other): other for other in present}
    known = {fold_name(one.name) for one in candidates}
    if any(is_form_of(parts, parts_of(here[folded])) for folded in here.keys() - known):
        return None
    if len(forms) > 1:
        forms = [one for one in forms if fold_name(one.name) in here]
    # Max Berg is not short for Max B., in whose name the initial stands for something else.
    if len(forms) != 1 or size_of(parts) > size_of(parts_of(forms[0].name)):
        return None
    return forms[0]


def all_short_for(name: str, candidates: Iterable[Candidate]) -> list[Candidate]:
    """All of those like it whom a name can be short for."""
    return [one for one in candidates if short_for(name, [one])]


def longer_names(
    names: Sequence[str], new: Sequence[str], present: Sequence[str] = ()
) -> dict[str, tuple[str, ...]]:
    """For each of some names the longer ones, of new people, that it can be short for.

    One in another order stands for whoever was written before it. Those `present` first. Not a name
    with an initial of somebody who is not: people write it to tell two apart, Thomas is not Thomas
    H. Nor has a name of one who is present a longer one.
    """
    here = {fold_name(name) for name in present}
    others = dict.fromkeys([*present, *new])
    parts = {name: parts_of(name) for name in (*others, *names)}
    bearers: dict[str, list[str]] = {}
    first: dict[tuple[str, ...], tuple[str, ...]] = {}
    for other in others:
        # One in another order is whoever was written before it.
        is_same = first.setdefault(tuple(sorted(parts[other])), parts[other]) == parts[other]
        if fold_name(other) in here or (is_same and not has_initial(other)):
            for part in {*parts[other], initials_of(parts[other])}:
                bearers.setdefault(part, []).append(other)
    longer = {}
    for name in names:
        own = parts[name]
        shared = {**dict.fromkeys(own), "".join(own): None}
        sharing = dict.fromkeys(other for part in shared for other in bearers.get(part, ()))
        longer[name] = tuple(
            {
                fold_name(other): other
                for other in sharing
                if (size_of(parts[other]) > size_of(own) or is_turned(own, parts[other]))
                and (is_form_of(own, parts[other]) or are_initials(name, parts[other]))
            }.values()
            if fold_name(name) not in here
            else ()
        )
    return longer


def names_behind_words(names: Iterable[str], others: Iterable[str]) -> dict[str, list[str]]:
    """For each of some names the others that stand in it behind a word, where there are any.

    As Dan Weiss in “then Dan”, and Ben in “Final Ben”: there the word may be none of a name.
    """
    by_first: dict[str, list[str]] = {}
    for other in others:
        for part in parts_of(other)[:1]:
            by_first.setdefault(part, []).append(other)
    found = {}
    for name in names:
        parts = parts_of(name)
        alike = (one for word in words_in(parts)[-1:] for one in by_first.get(word, ()))
        if behind := [one for one in alike if stands_behind_word(parts, parts_of(one))]:
            found[name] = behind[:MOST_SIMILAR]
    return found


def possible_duplicates(player: Player) -> tuple[Candidate, ...]:
    """Up to three other players who may be this one under another name.

    Whoever left is among them: who comes back under another name is one of two, too.
    """
    others = player.league.players.listed().exclude(pk=player.pk)
    everyone = _comparable(others)
    if len(everyone) > MOST_COMPARED:
        everyone = _comparable(_like(others, player.name, player.league))
    return _most_alike(player.name, everyone)


@dataclass(frozen=True, slots=True)
class _Comparable:
    """A player whom a name is compared with, by the parts of the player's own name."""

    candidate: Candidate
    parts: tuple[str, ...]
    sound: str

    @property
    def spelling(self) -> str:
        return " ".join(self.parts)


def _comparable(players: QuerySet[Player]) -> list[_Comparable]:
    return _all_comparable(players.order_by("folded", "key")[: MOST_COMPARED + 1])


def _all_comparable(players: QuerySet[Player]) -> list[_Comparable]:
    rows = players.values_list("key", "name")
    return [_comparable_of(Candidate(key, name), name) for key, name in rows]


def _comparable_of(candidate: Candidate, spelling: str) -> _Comparable:
    parts = parts_of(spelling)
    return _Comparable(candidate, parts, sound_of(parts))


def _spellings(league: League) -> list[_Comparable]:
    """The other names of players; of very many those that were added last, as few are."""
    aliases = league.aliases.filter(player__is_listed=True)
    rows = aliases.order_by("-pk").values_list("player__key", "player__name", "name")
    return [
        _comparable_of(Candidate(key, name), spelling)
        for key, name, spelling in rows[:MOST_SPELLINGS]
    ]


def _like(players: PlayerQuerySet, name: str, league: League) -> PlayerQuerySet:
    """The players of a large league with a word that begins as a name does, or with a part of it.

    Indexes tell them: an unknown name on a sheet looks through no million others.
    """
    parts = (part for part in parts_of(name) if len(part) >= SHORTEST_PART)
    return players.with_words(dict.fromkeys([fold_name(name)[:FIRST_LETTERS], *parts]), league)


def _present_first(players: list[_Comparable], here: Collection[str]) -> list[_Comparable]:
    if not here:
        return players
    # The sort is stable: only those who are here go before others.
    return sorted(players, key=lambda one: fold_name(one.candidate.name) not in here)


def _most_alike(
    name: str,
    players: list[_Comparable],
    left: Collection[str] = frozenset(),
    most: int = MOST_SIMILAR,
    least: float = LEAST_LIKENESS,
) -> tuple[Candidate, ...]:
    """Those whom a name may mean; whose keys are among `left` after the others."""
    parts = parts_of(name)
    alike = [
        player.candidate
        for player in players
        if is_form_of(parts, player.parts) or are_initials(name, player.parts)
    ]
    # Numbers must agree: with them people tell teams and namesakes apart.
    numbers = numbers_in(parts)
    by_spelling = {
        player.spelling: player.candidate
        for player in players
        if numbers_in(player.parts) == numbers
    }
    close = difflib.get_close_matches(" ".join(parts), by_spelling, n=MOST_SIMILAR, cutoff=least)
    mistyped = [one.candidate for one in players if is_part_mistyped(parts, one.parts)]
    sound = sound_of(parts)
    alike_spoken = [one.candidate for one in players if sound and one.sound == sound]
    spelt_alike = (by_spelling[spelling] for spelling in close)
    behind = [one.candidate for one in players if stands_behind_word(parts, one.parts)]
    found = dict.fromkeys([*alike, *spelt_alike, *mistyped, *alike_spoken, *behind])
    return tuple(sorted(found, key=lambda one: one.key in left))[:most]
