"""The players whom results name: found by key or name, and the new ones that results bring."""

from __future__ import annotations

import hashlib
import re
import string
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import count

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from leagues import wording
from leagues.domain.naming import SEEN_OTHERWISE, NameIndex, seen_as
from leagues.models import League, Player, PlayerAlias
from leagues.services.errors import Candidate, Problem, Refused
from leagues.store.bulk import insert_with_keys
from leagues.store.hashes import hash_player
from leagues.store.name_words import words_of
from leagues.store.prepared import new_row, prepare
from ratings.files.names import PARTICLES, NameProblem, clean_name, fold_name, normalized

KEY = re.compile(r"[A-Za-z0-9._:-]{1,128}\Z")
KEY_OF_NAME_LENGTH = 64
MOST_LOOKED_THROUGH = 5_000
"""Players whose names are all looked through for letters that look as others: some 10 ms."""
_SMALL_NAME = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+)*")
_LETTERS = str.maketrans(
    {
        "æ": "ae",
        "ð": "d",
        "ø": "o",
        "þ": "th",
        "đ": "d",
        "ħ": "h",
        "ı": "i",
        "ĸ": "k",
        "ł": "l",
        "ŋ": "n",
        "œ": "oe",
        "ŧ": "t",
    }
)
"""Latin letters, case folded, that no normal form takes apart."""


def key_of_name(name: str) -> str:
    """The key that a name alone gives, the same in every database.

    Latin letters lose their accents: “Jürgen Ørn” is jurgen-orn. Where letters would be lost, or
    none is left, a hash tells names apart.
    """
    folded = fold_name(name)
    letters = latin_letters(folded)
    slug = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")
    is_whole = all(char.isascii() or not char.isalnum() for char in letters)
    return slug if slug and is_whole and len(slug) <= KEY_OF_NAME_LENGTH else hashed_key(folded)


def hashed_key(folded: str) -> str:
    """A key with a hash of the name, which players of names with accents have from former days."""
    letters = normalized("NFKD", folded).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:KEY_OF_NAME_LENGTH]
    digest = hashlib.sha256(folded.encode()).hexdigest()[:8]
    return f"{slug}-{digest}" if slug else f"p-{digest}"


def latin_letters(folded: str) -> str:
    """Case folded letters without accents."""
    letters = normalized("NFKD", folded.translate(_LETTERS))
    return "".join(char for char in letters if not unicodedata.combining(char))


def name_as_written(name: str) -> str:
    """A name typed in small letters with the capitals it is written with: Ann-Kristin van Dahl.

    One with a digit or other signs is a nickname and stays.
    """
    if not name.islower() or not _SMALL_NAME.fullmatch(name):
        return name
    first, *words = name.split()
    rest = (word if word in PARTICLES else string.capwords(word, "-") for word in words)
    return " ".join([string.capwords(first, "-"), *rest])


def new_player(*, league: League, name: str, key: str | None = None) -> Player:
    """An unsaved player, its name cleaned and its key checked or made."""
    try:
        name = clean_name(name)
    except NameProblem as problem:
        raise Refused([Problem("name", "name", str(problem))]) from problem
    if key is None:
        key = key_of_name(name)
    elif not KEY.match(key):
        raise Refused(
            [
                Problem(
                    "key",
                    "key",
                    _(
                        "A player id has 1 to 128 characters: A–Z, a–z, 0–9, dot, underscore, "
                        "colon and hyphen."
                    ),
                )
            ]
        )
    row = {"name": name, "folded": fold_name(name), "words": words_of(name), "key": key}
    return new_row(Player, row, {"league": league})


def insert_players(players: Sequence[Player]) -> None:
    """Store new players, each with the hash of its identity, in the caller's transaction."""
    add_identities(players)
    if players:
        insert_with_keys(Player, players)


def add_identities(players: Iterable[Player]) -> None:
    """Give new players the hashes of their identities."""
    for player in players:
        player.identity = hash_player(player.league_id, player.key, player.birth_year)


def add_unlisted_players(league: League, keys: Iterable[str]) -> None:
    """Store players of whom only the keys are known, as if the import that brought them was undone.

    Those who are there stay as they are. Raises Refused for what is no key.
    """
    wanted = set(keys)
    wanted -= set(league.players.filter(key__in=wanted).values_list("key", flat=True))
    length = Player._meta.get_field("name").max_length or 0
    players = [new_player(league=league, name=key[:length], key=key) for key in sorted(wanted)]
    for player in players:
        player.is_listed = False
    insert_players(players)


def shared_name(name: str, bearers: Sequence[Player]) -> Problem:
    """The problem of a name that several players bear."""
    words = _("Several players are called “%(name)s”. Use the key of the right one.")
    return Problem(
        "name",
        "name_shared",
        words % {"name": name},
        name=name,
        candidates=tuple(Candidate(player.key, player.name) for player in bearers),
    )


def look_alike(name: str, others: Sequence[Player]) -> Problem:
    """The problem of a new name that cannot be told from those of some players by looking at it."""
    words = _(
        "“%(name)s” looks the same as %(player)s but has other characters. Type the name again, or "
        "use one that differs."
    )
    seen = {"name": name, "player": wording.listing([other.name for other in others])}
    # Those new with the same results have no key yet by which they could be meant.
    stored = (other for other in others if other.pk is not None)
    candidates = tuple(Candidate(other.key, other.name) for other in stored)
    return Problem("name", "name_taken", words % seen, name=name, candidates=candidates)


def has_small_names(league: League) -> bool:
    """Whether players of the league are called by small letters on purpose."""
    return league.players.listed().filter(name=Lower("name")).exists()


def spellings(league: League, at_most: int) -> list[str]:
    """What means a player of a league: names, then other spellings, so many of each."""
    names = league.players.listed().values_list("name", flat=True)
    others = league.aliases.filter(player__is_listed=True).values_list("name", flat=True)
    return [*names[:at_most], *others[:at_most]]


@prepare
def _players_by_fold(*, league: int, folds: list[str]) -> QuerySet[Player, Player]:
    return Player.objects.filter(league=league, folded__in=folds).order_by()


@prepare
def _players_by_key(*, league: int, keys: list[str]) -> QuerySet[Player, Player]:
    return Player.objects.filter(league=league, key__in=keys).order_by()


@prepare
def _aliases(*, league: int, folds: list[str]) -> QuerySet[PlayerAlias, PlayerAlias]:
    return PlayerAlias.objects.filter(league=league, folded__in=folds).select_related("player")


class Roster:
    """Players of a league by key and by name, and the new ones that some results bring.

    Nothing is written before `store`. Whoever is not listed, because the revision that brought
    them was undone, is meant by no name and comes back when the same key is brought again. Whoever
    was merged into another player never comes back: name and key mean the other one.
    """

    def __init__(
        self, league: League, players: Iterable[Player], aliases: Iterable[PlayerAlias]
    ) -> None:
        self.league = league
        self.by_key: dict[str, Player] = {}
        self.names = NameIndex(aliases=aliases)
        self.fresh: list[Player] = []
        """Players who are not stored yet, in the order they were brought."""
        self.returning: list[Player] = []
        """Stored players who were not listed and were brought again."""
        self._unlisted: dict[str, Player] = {}
        self._unlisted_keys: dict[int, list[str]] = {}
        """Under which keys somebody is unlisted: those merged into the player have their own."""
        self._knows_everybody = False
        self._knows_looks = False
        """Whether everybody was read whose name may look as another one."""
        known = {player.pk: player for player in players}
        for player in known.values():
            present = player.survivor(known)
            if not present.is_listed:
                self._unlisted[player.key] = present
                self._unlisted_keys.setdefault(present.pk, []).append(player.key)
            elif present is player:
                self._add(player)
            else:
                self.by_key[player.key] = present
                self.names.add_merged(player.folded, present)

    @classmethod
    def of_league(cls, league: League) -> Roster:
        """Read everybody."""
        roster = cls(league, league.players.all(), league.aliases.select_related("player"))
        roster._knows_everybody = roster._knows_looks = True
        return roster

    @classmethod
    def of_names(
        cls,
        league: League,
        *,
        names: Iterable[str] = (),
        keys: Iterable[str] = (),
        only_public: bool = False,
    ) -> Roster:
        """Read those who may be meant by some names and keys, in three queries.

        `only_public` leaves out the other names that not everyone can see.
        """
        names = list(names)
        folds = sorted({fold_name(name) for name in names})
        wanted = {key for key in keys if KEY.match(key)} | {key_of_name(name) for name in names}
        # Two queries, for each has an index of its own.
        bearers = _players_by_fold(league=league.pk, folds=folds)
        players = _players_by_key(league=league.pk, keys=sorted(wanted))
        found = {player.pk: player for player in (*bearers, *players)}
        aliases = _aliases(league=league.pk, folds=folds)
        seen = (alias for alias in aliases if alias.is_public or not only_public)
        return cls(league, found.values(), seen)

    def meant_by(self, *, name: str, key: str | None = None) -> tuple[Player, ...]:
        """The player whom a name means, or a key, which decides where both are given."""
        if key is None:
            return self.names.meant_by(name)
        player = self.by_key.get(key)
        return (player,) if player is not None else ()

    def bring(self, *, name: str, key: str | None = None, birth_year: int | None = None) -> Player:
        """A new player of this name, or one who is not listed and comes back.

        A key made from the name that somebody else has gets a number behind it. Refused where the
        name looks the same as that of a player and no key is given, which would tell them apart.
        """
        player = new_player(league=self.league, name=name, key=key)
        if key is None and (twins := self.twins_of(player.name)):
            raise Refused([look_alike(player.name, twins)])
        stored = self._unlisted_as(player, is_given=key is not None)
        if stored is not None:
            for own in self._unlisted_keys.pop(stored.pk):
                del self._unlisted[own]
                self.by_key[own] = stored
            self.returning.append(stored)
            self._add(stored)
            return stored
        if player.key in self._unlisted or player.key in self.by_key:
            player.key = self._free_key(player.key)
        player.birth_year = birth_year
        self.fresh.append(player)
        self._add(player)
        return player

    def twins_of(self, name: str) -> tuple[Player, ...]:
        """The listed players whose names look the same as a name, but are other letters."""
        if not self._knows_everybody:
            self._read_twins(name)
        return self.names.twins_of(name)

    def _read_twins(self, name: str) -> None:
        """Read who may look so: once those with letters that look as others, and each by name.

        Of more players than `MOST_LOOKED_THROUGH` only those with the name that is seen are read:
        the others are found in no index.
        """
        folded = fold_name(name)
        seen = seen_as(name, folded)
        players = self.league.players.listed().order_by()
        alike = Q()
        if not self._knows_looks:
            self._knows_looks = True
            if not self.league.players.order_by()[MOST_LOOKED_THROUGH:].exists():
                alike = Q(folded__regex=SEEN_OTHERWISE)
        if seen != folded:
            alike |= Q(folded=seen)
        for player in players.filter(alike) if alike else ():
            if player.key not in self.by_key:
                self._add(player)

    def _unlisted_as(self, player: Player, *, is_given: bool) -> Player | None:
        """Who was taken off the list and comes back: by the key that is given, else by name."""
        if is_given:
            return self._unlisted.get(player.key)
        keys = (player.key, hashed_key(player.folded))
        known = (self._unlisted.get(key) for key in keys)
        return next((one for one in known if one and one.folded == player.folded), None)

    def forget(self, count: int) -> None:
        """Keep the first new players only: the row that brought the others is left out."""
        for player in self.fresh[count:]:
            del self.by_key[player.key]
            self.names.remove(player)
        del self.fresh[count:]

    def store(self) -> None:
        """Store the new players and list those who came back, in the caller's transaction.

        They came with no revision yet, so no undo hides them: whoever brings them with one says so.
        """
        Player.objects.bulk_create(self.fresh)
        if self.returning:
            back = [player.pk for player in self.returning]
            self.league.players.filter(pk__in=back).update(is_listed=True, revision=None)

    def _add(self, player: Player) -> None:
        self.by_key[player.key] = player
        self.names.add(player)

    def _free_key(self, key: str) -> str:
        """The key with the first number behind it that nobody has."""
        alike = self.league.players.filter(key__startswith=f"{key}-")
        stored = frozenset(alike.values_list("key", flat=True))
        all_taken = (self.by_key, self._unlisted, stored)
        keys = (f"{key}-{number}" for number in count(2))
        return next(free for free in keys if not any(free in taken for taken in all_taken))
