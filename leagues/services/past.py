"""Reading a season's matches with everything that was said of them, in the order of their places.

One pass over four tables, a few thousand rows at a time, for those who compute or compare the
digests of revisions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from leagues.models import Match, MatchEvent, MatchVersion, Participant, Player, Season
from leagues.services.drafts import (
    events_of_content,
    handicaps_of_content,
    leaving_of_content,
    sides_of_content,
    start_of_content,
)
from leagues.store.hashes import MATCH_FIELDS, Event, Leaving, RevisionContent, Side, hash_match
from leagues.store.outages import is_outage
from leagues.store.stored_words import SAME_TIME_ORDER, SETS

CHUNK: Final = 2000
_COLUMNS: Final = (
    *("pk", "seq", "status", "version", "touched_in_revision", "revision_id", "entered_by_id"),
    *("content_hash", *MATCH_FIELDS),
)
_VERSION_FIELDS: Final = ("date_only", "kind", "weight", "detail")


@dataclass(slots=True)
class PastMatch:
    """A numbered match as it is stored, and its former versions, oldest first."""

    row: dict[str, Any]
    participants: list[dict[str, Any]]
    events: list[dict[str, Any]]
    versions: list[dict[str, Any]]
    present_hash: bytes

    @property
    def pk(self) -> int:
        """The number of its row."""
        return int(self.row["pk"])

    @property
    def seq(self) -> int:
        """Its place in the order of entry."""
        return int(self.row["seq"])

    def add_to(self, contents: Mapping[int, RevisionContent]) -> None:
        """Add what was said of it to the revisions that said it."""
        contents[self.row["revision_id"]].add_match(self._hash_since(0))
        states = [version["content"].get("status") for version in self.versions]
        for index, version in enumerate(self.versions):
            is_last = index + 1 == len(self.versions)
            contents[version["revision_id"]].add_change(
                self.row["seq"],
                self.row["version"] if is_last else self.versions[index + 1]["version"],
                self.row["status"] if is_last else str(states[index + 1]),
                self._hash_since(index + 1) if "sides" in version["content"] else None,
            )

    def _hash_since(self, index: int) -> bytes:
        """The hash of the content that was replaced first after so many versions."""
        for version in self.versions[index:]:
            if "sides" in version["content"]:
                return _hash_of_version(self.row, version["content"])
        return self.present_hash


def read_keys(league_id: int) -> dict[int, str]:
    """The keys of a league's players by their numbers."""
    return dict(Player.objects.filter(league_id=league_id).values_list("pk", "key"))


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A numbered match that holds what no release writes, so that it cannot be read."""

    pk: int
    seq: int
    error: Exception


def read_matches(season: Season, keys: Mapping[int, str]) -> Iterator[PastMatch | Unreadable]:
    """Yield the matches of a season that have a place, in its order."""
    after = 0
    numbered = Match.objects.filter(season_id=season.pk).order_by("seq")
    while chunk := [
        (pk, seq or 0)
        for pk, seq in numbered.filter(seq__gt=after).values_list("pk", "seq")[:CHUNK]
    ]:
        after = chunk[-1][1]
        yield from read_places(chunk, keys)


def read_places(
    places: Sequence[tuple[int, int]], keys: Mapping[int, str]
) -> list[PastMatch | Unreadable]:
    """Read matches, by id and seq, at once; if one of them cannot be read, find it by halves."""
    try:
        return _read_readable([pk for pk, _seq in places], keys)
    except Exception as error:
        if is_outage(error):
            raise
        if len(places) == 1:
            return [Unreadable(*places[0], error)]
    half = len(places) // 2
    return [*read_places(places[:half], keys), *read_places(places[half:], keys)]


def _read_readable(pks: list[int], keys: Mapping[int, str]) -> list[PastMatch | Unreadable]:
    rows = Match.objects.filter(pk__in=pks).order_by("seq").values(*_COLUMNS)
    participants = _by_match(Participant.objects.filter(match_id__in=pks).order_by().values())
    happened = MatchEvent.objects.filter(match_id__in=pks).order_by("position")
    events = _by_match(happened.values())
    former = MatchVersion.objects.filter(match_id__in=pks).order_by("version")
    versions = _by_match(former.values())
    return [
        PastMatch(
            row,
            participants[row["pk"]],
            events[row["pk"]],
            versions[row["pk"]],
            _hash_of_rows(row, participants[row["pk"]], events[row["pk"]], keys),
        )
        for row in rows
    ]


def _by_match(rows: Iterable[Mapping[str, Any]]) -> defaultdict[int, list[dict[str, Any]]]:
    grouped: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        grouped[row["match_id"]].append(dict(row))
    return grouped


def _hash_of_rows(
    row: dict[str, Any],
    participants: list[dict[str, Any]],
    events: list[dict[str, Any]],
    keys: Mapping[int, str],
) -> bytes:
    sides, handicaps = _sides(participants, keys)
    said = _events(events, keys), _leaving(participants, keys)
    return hash_match(row, sides, *said, handicaps)


def _sides(
    participants: list[dict[str, Any]], keys: Mapping[int, str]
) -> tuple[list[Side], list[int]]:
    """The sides of stored participants, and their handicaps.

    Rows of a side that disagree become sides of their own.
    """
    sides: dict[tuple[int, int, int | None, int], list[tuple[str, int | None, float]]] = {}
    for row in participants:
        side = sides.setdefault((row["side"], row["rank"], row["score"], row["handicap"]), [])
        side.append((_key(row["player_id"], keys), row["own_score"], row["playing_share"]))
    ordered = sorted(sides.items(), key=lambda item: item[0][0])
    return (
        [(rank, score, members) for (_side, rank, score, _handicap), members in ordered],
        [handicap for (*_side, handicap), _members in ordered],
    )


def _leaving(participants: list[dict[str, Any]], keys: Mapping[int, str]) -> list[Leaving]:
    """What became of the players of a stored start."""
    return [
        (_key(row["player_id"], keys), row["leaving"])
        for row in participants
        if row["leaving"] is not None
    ]


def _events(events: list[dict[str, Any]], keys: Mapping[int, str]) -> list[Event]:
    """Stored events, in their order."""
    return [
        (
            row["kind"],
            _key(row["player_id"], keys),
            None if row["opponent_id"] is None else _key(row["opponent_id"], keys),
            row["points"],
            row["milliseconds"],
        )
        for row in events
    ]


def _key(player_id: int, keys: Mapping[int, str]) -> str:
    """The key of a player; no key holds this sign: one who is not there is equal to none."""
    return keys.get(player_id, f"#{player_id}")


def _hash_of_version(row: dict[str, Any], content: dict[str, Any]) -> bytes:
    fields = row | {name: content.get(name) for name in _VERSION_FIELDS}
    fields["same_time_order"] = content.get(SAME_TIME_ORDER)
    fields["sets"] = content.get(SETS, "")
    fields["played_at"] = datetime.fromisoformat(content["played_at"])
    start = start_of_content(content)
    fields["started_at"] = start and start.at
    fields["deadline_at"] = start and start.deadline
    fields["rungs_lost"] = start.rungs if start else 0
    return hash_match(
        fields,
        sides_of_content(content),
        events_of_content(content),
        leaving_of_content(content),
        handicaps_of_content(content),
    )
