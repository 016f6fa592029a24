"""Names that may be one name: a letter off, other accents, another order, a part left out."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from leagues.domain.leaving import players_who_left
from leagues.domain.naming import skeleton
from leagues.domain.near_texts import NearTexts
from leagues.models import League, Player
from leagues.models.player import PlayerQuerySet
from leagues.services.errors import Candidate
from leagues.store.search import plain_name
from ratings.files.names import fold_name

SHORTEST = 5
"""Letters a name needs before one of them may be wrong: Ana and Ann are two people."""

MOST_SIMILAR = 3
MOST_OFFERED = 12
"""Players among whom somebody can choose for a name of a file, which cannot be typed anew."""
MOST_COMPARED = 5000
MOST_SPELLINGS = 1000
LEAST_LIKENESS = 0.72
LEAST_LIKENESS_OF_MANY = 0.8
"""Of the names of a file: among many, two of which only the first name is one are nothing odd."""
LEAST_PART_LIKENESS = 0.8
SHORTEST_MISTYPED = 4
"""Letters that a first name needs before it is taken for another one's: Ole is not Ola."""
SHORTEST_PART = 3
"""Letters that a part of a name needs to be looked for in a league of very many players."""

FIRST_LETTERS = 4
"""Letters with which a name there begins as another that may be meant."""
_SPELLINGS_OF_SOUNDS = (
    *(("ks", "x"), ("chs", "x"), ("ph", "f"), ("ck", "k"), ("c", "k"), ("y", "i")),
    *(("ae", "a"), ("oe", "o"), ("ue", "u")),
)
_DOUBLED = re.compile(r"([^\W\d_])\1+")
_VOWELS = frozenset("aeiouy")
_WORD = re.compile(r"[^\W\d_]+|\d+")


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
    parts = {name: _parts(name) for name in names}
    return [
        (one, other)
        for index, one in enumerate(names)
        for other in names[index + 1 :]
        if other in similar.get(one, ())
        or _is_part(parts[one], parts[other])
        or _is_part(parts[other], parts[one])
        or _is_part_mistyped(parts[one], parts[other])
        or _is_part_mistyped(parts[other], parts[one])
        or _is_short_slip(parts[one], parts[other])
    ]


def _is_short_slip(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two names of a word each are a slip apart, or are spoken alike: Mia, Miaa."""
    if len(one) != 1 or len(other) != 1:
        return False
    is_slip = _is_slip(one[0], other[0]) or _is_slip(other[0], one[0])
    return is_slip or _sound(one) == _sound(other) != ""


def _is_part(words: Sequence[str], all_words: Sequence[str]) -> bool:
    """Whether a name is some words of another, or its beginning but for hyphens and spaces."""
    letters = "".join(words)
    if not letters:
        return False
    is_beginning = len(letters) >= SHORTEST and "".join(all_words).startswith(letters)
    return is_beginning or set(words) < set(all_words)


def _traces(name: str) -> Iterator[str]:
    """Yield the letters of a name, and what is left of them without each one.

    Two names that are one letter apart share a trace. Numbers and initials must agree: with them
    people tell teams and namesakes apart.
    """
    words = _WORD.findall(plain_name(name))
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
        parts = _parts(name)
        clues = self._clues(parts, _sound(parts))
        clues.update(self._spellings.near_to(" ".join(parts), least))
        if len(parts) == 1:
            # A slip leaves more of a word's letters than a likeness asks for.
            clues.update(self._words.with_letters_of(parts[0], LEAST_PART_LIKENESS))
        places = {place for clue in clues for place in self._places.get(clue, ())}
        alike = [self._everyone[place] for place in sorted(places)]
        return _most_alike(name, alike, self._left, most=most, least=least)

    def _clues(self, parts: Sequence[str], sound: str) -> set[str]:
        """What two names have in common that may be one."""
        clues = {f"letters {text}" for text in ("".join(parts), _initials(parts)) if text}
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
    parts = _parts(name)
    named = [(one, _parts(one.name)) for one in candidates]
    whole = [one for one, own in named if sorted(own) == sorted(parts)]
    forms = whole or [
        one for one, own in named if _is_form_of(parts, own) or _are_initials(name, own)
    ]
    here = {fold_name(other): other for other in present}
    known = {fold_name(one.name) for one in candidates}
    if any(_is_form_of(parts, _parts(here[folded])) for folded in here.keys() - known):
        return None
    if len(forms) > 1:
        forms = [one for one in forms if fold_name(one.name) in here]
    # Max Berg is not short for Max B., in whose name the initial stands for something else.
    if len(forms) != 1 or _size(parts) > _size(_parts(forms[0].name)):
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
    parts = {name: _parts(name) for name in (*others, *names)}
    bearers: dict[str, list[str]] = {}
    for other in others:
        if fold_name(other) in here or not _has_initial(other):
            for part in {*parts[other], _initials(parts[other])}:
                bearers.setdefault(part, []).append(other)
    longer = {}
    order = {other: at for at, other in enumerate(others)}
    for name in names:
        own = parts[name]
        at = order.get(name, len(order))
        shared = {**dict.fromkeys(own), "".join(own): None}
        sharing = dict.fromkeys(other for part in shared for other in bearers.get(part, ()))
        longer[name] = tuple(
            {
                fold_name(other): other
                for other in sharing
                if (
                    _size(parts[other]) > _size(own)
                    or (order[other] < at and _is_turned(own, parts[other]))
                )
                and (_is_form_of(own, parts[other]) or _are_initials(name, parts[other]))
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
        for part in _parts(other)[:1]:
            by_first.setdefault(part, []).append(other)
    found = {}
    for name in names:
        parts = _parts(name)
        alike = (one for word in _words_in(parts)[-1:] for one in by_first.get(word, ()))
        if behind := [one for one in alike if _stands_behind_word(parts, _parts(one))]:
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
    parts = _parts(spelling)
    return _Comparable(candidate, parts, _sound(parts))


def _spellings(league: League) -> list[_Comparable]:
    """The other names of players; of very many those that were added last, as few are."""
    aliases = league.aliases.filter(player__is_listed=True)
    rows = aliases.order_by("-pk").values_list("player__key", "player__name", "name")
    return [
        _comparable_of(Candidate(key, name), spelling)
        for key, name, spelling in rows[:MOST_SPELLINGS]
    ]


def _parts(name: str) -> tuple[str, ...]:
    """The words of a name as one sees them, without accents."""
    return tuple(_WORD.findall(plain_name(skeleton(name))))


def _sound(parts: Iterable[str]) -> str:
    """How a name is spoken, roughly and in any order: Maks is Max; empty for one too short to say.

    An umlaut may be written without its dots or with an e: Juerg is Jürg.
    """
    sound = _DOUBLED.sub(r"\1", " ".join(sorted(parts)))
    for spelling, one in _SPELLINGS_OF_SOUNDS:
        sound = sound.replace(spelling, one)
    return sound if len(sound) >= SHORTEST_PART else ""


def _like(players: PlayerQuerySet, name: str, league: League) -> PlayerQuerySet:
    """The players of a large league with a word that begins as a name does, or with a part of it.

    Indexes tell them: an unknown name on a sheet looks through no million others.
    """
    parts = (part for part in _parts(name) if len(part) >= SHORTEST_PART)
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
    parts = _parts(name)
    alike = [
        player.candidate
        for player in players
        if _is_form_of(parts, player.parts) or _are_initials(name, player.parts)
    ]
    # Numbers must agree: with them people tell teams and namesakes apart.
    numbers = _numbers(parts)
    by_spelling = {
        player.spelling: player.candidate for player in players if _numbers(player.parts) == numbers
    }
    close = difflib.get_close_matches(" ".join(parts), by_spelling, n=MOST_SIMILAR, cutoff=least)
    mistyped = [one.candidate for one in players if _is_part_mistyped(parts, one.parts)]
    sound = _sound(parts)
    alike_spoken = [one.candidate for one in players if sound and one.sound == sound]
    spelt_alike = (by_spelling[spelling] for spelling in close)
    behind = [one.candidate for one in players if _stands_behind_word(parts, one.parts)]
    found = dict.fromkeys([*alike, *spelt_alike, *mistyped, *alike_spoken, *behind])
    return tuple(sorted(found, key=lambda one: one.key in left))[:most]


def _numbers(parts: Iterable[str]) -> list[str]:
    return [part for part in parts if part.isdecimal()]


def _is_form_of(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether every part of the shorter name is one of the longer, an initial standing for it.

    Ana, Ana R. and Ruiz, Ana are forms of Ana Ruiz; Ana Diaz is somebody else.
    """
    shorter, longer = sorted((one, other), key=len)
    rest = list(longer)
    has_whole_part = False
    for part in sorted(shorter, key=len, reverse=True):
        match = next((own for own in rest if own == part), None)
        if match is None:
            match = next((own for own in rest if _is_initial(part, own)), None)
        else:
            has_whole_part = has_whole_part or len(part) > 1
        if match is None:
            return False
        rest.remove(match)
    return has_whole_part


def _is_turned(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two names are one in another order."""
    return sorted(one) == sorted(other) and one != other


def _size(parts: Sequence[str]) -> tuple[int, int]:
    """How long a name is, in words and then in letters."""
    return len(parts), sum(map(len, parts))


def _initials(parts: Sequence[str]) -> str:
    return "".join(part[0] for part in parts) if len(parts) > 1 else ""


def _has_initial(name: str) -> bool:
    """Whether a word of a name is one letter: that of O'Brien is none."""
    return any(len(word.strip(".")) == 1 for word in re.split(r"[\s.]", name) if word)


def _are_initials(name: str, own: Sequence[str]) -> bool:
    """Whether a name is written as initials, and has another's in their order: MH, m. h., mh.

    Small letters with a vowel among them are rather a name, as Bo is.
    """
    parts = _parts(name)
    letters = "".join(parts)
    is_apart = len(parts) == len(letters)
    is_written_so = is_apart or name.isupper() or _VOWELS.isdisjoint(letters)
    return is_written_so and letters != "" and letters == _initials(own)


def _stands_behind_word(parts: Sequence[str], own: Sequence[str]) -> bool:
    """Whether a name ends in the first of another, as “then Dan” in that of Dan Weiss.

    A number behind the first name is such a word, too. The same parts in another order, or a name
    of initials and itself, are one name.
    """
    if sorted(parts) == sorted(own):
        return False
    words = _words_in(parts)
    if len(parts) < 2 or not words or _words_in(own) != list(own):
        return False
    return words[-1:] == list(own[:1]) and (len(words) > 1 or words != list(own))


def _words_in(parts: Iterable[str]) -> list[str]:
    return [part for part in parts if not part.isdecimal()]


def _is_part_mistyped(parts: Sequence[str], own: Sequence[str]) -> bool:
    """Whether the only part of a name reads almost like one of several others: sirri, Siri Moe."""
    if len(parts) != 1 or len(own) < 2:
        return False
    (part,) = parts
    if any(_is_slip(part, other) or _is_begun(part, other) for other in own):
        return True
    is_long = len(part) >= SHORTEST_MISTYPED
    return is_long and bool(difflib.get_close_matches(part, own, n=1, cutoff=LEAST_PART_LIKENESS))


def _is_begun(one: str, other: str) -> bool:
    """Whether a word is the beginning of another: Car of Carol."""
    return len(one) >= SHORTEST_PART and other.startswith(one)


def _is_slip(one: str, other: str) -> bool:
    """Whether a word has two neighbours of another's letters swapped, or one letter too few.

    Mrak and Mrk may be Mark, however short they are.
    """
    if len(one) < SHORTEST_PART or not 0 <= len(other) - len(one) <= 1:
        return False
    pairs = enumerate(zip(one, other, strict=False))
    at = next((at for at, (own, letter) in pairs if own != letter), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    swapped = one[at + 1 : at + 2] + one[at : at + 1] + one[at + 2 :]
    return one != other and swapped == other[at:]


def _is_initial(one: str, other: str) -> bool:
    return min(len(one), len(other)) == 1 and one[0] == other[0]
