"""What matches said at each of their versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from leagues.models import League, Match, MatchVersion
from leagues.selectors.matches import people_of
from leagues.selectors.names import names_by_key
from leagues.store.stored_words import HANDICAP, SETS, STARTED

Content = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Contents:
    """All that some matches ever said: by match, one content a version, the present one last."""

    by_match: Mapping[int, Sequence[Content]]
    revisions: Mapping[int, Sequence[MatchVersion]]
    """By match, the rows that say which revision replaced each content but the last."""
    names: Mapping[str, str]
    """Of all players ever mentioned, by key."""


def contents_of(matches: Iterable[Match], league: League) -> Contents:
    """The versions of matches that were read with their players."""
    by_id = {match.pk: match for match in matches}
    versions: dict[int, list[MatchVersion]] = {pk: [] for pk in by_id}
    changed = [match.pk for match in by_id.values() if match.version > 1]
    if changed:
        rows = MatchVersion.objects.filter(match__in=changed).select_related("revision__author")
        for row in rows.order_by("match", "version"):
            versions[row.match_id].append(row)
    by_match = {pk: _complete(versions[pk], match) for pk, match in by_id.items()}
    return Contents(by_match, versions, _names(by_match.values(), by_id.values(), league))


def _complete(versions: Sequence[MatchVersion], match: Match) -> list[Content]:
    """Fill in what a version left out: it keeps only what its revision changed."""
    following = _content_now(match)
    contents = [following]
    for row in reversed(versions):
        # Of a whole content, sets are left out where there were none, and a start likewise.
        unsaid = {SETS: "", STARTED: None} if "sides" in row.content else {}
        following = {**following, **unsaid, **row.content}
        contents.append(following)
    return contents[::-1]


def _content_now(match: Match) -> Content:
    sides: dict[int, dict[str, Any]] = {}
    for row in sorted(people_of(match), key=lambda row: row.side):
        said = {"rank": row.rank, "score": row.score, HANDICAP: row.handicap}
        side = sides.setdefault(row.side, {**said, "members": []})
        side["members"].append({"player": row.player.key})
    return {
        "status": match.status,
        "played_at": match.played_at.astimezone(UTC).isoformat(),
        "date_only": match.date_only,
        "kind": match.kind,
        "weight": match.weight,
        "detail": match.detail,
        SETS: match.sets,
        STARTED: match.started_at
        and {
            "leaving": {
                row.player.key: row.leaving for row in people_of(match) if row.leaving is not None
            }
        },
        "sides": list(sides.values()),
    }


def _names(
    contents: Iterable[Sequence[Content]], matches: Iterable[Match], league: League
) -> dict[str, str]:
    """The names behind the keys in contents; most of them the matches know already."""
    names = {row.player.key: row.player.name for match in matches for row in people_of(match)}
    missing = {
        member["player"]
        for versions in contents
        for content in versions
        for side in content["sides"]
        for member in side["members"]
    } - names.keys()
    if missing:
        names |= names_by_key(league.pk, missing)
    return names
