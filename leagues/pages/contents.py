"""What a match said at each of its versions, in lines that people can compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from leagues import wording
from leagues.models import League, Match, MatchVersion, Player

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
    """Return the versions of matches that were read with their players."""
    shown = {match.pk: match for match in matches}
    versions: dict[int, list[MatchVersion]] = {pk: [] for pk in shown}
    changed = [match.pk for match in shown.values() if match.version > 1]
    if changed:
        rows = MatchVersion.objects.filter(match__in=changed).select_related("revision__author")
        for row in rows.order_by("match", "version"):
            versions[row.match_id].append(row)
    by_match = {pk: _complete(versions[pk], match) for pk, match in shown.items()}
    return Contents(by_match, versions, _names(by_match.values(), shown.values(), league))


def _complete(versions: Sequence[MatchVersion], match: Match) -> list[Content]:
    """Fill in what a version left out: it keeps only what its revision changed."""
    following = _content_now(match)
    contents = [following]
    for row in reversed(versions):
        following = {**following, **row.content}
        contents.append(following)
    return contents[::-1]


def _content_now(match: Match) -> Content:
    sides: dict[int, dict[str, Any]] = {}
    for row in match.participants.all():
        side = sides.setdefault(row.side, {"rank": row.rank, "score": row.score, "members": []})
        side["members"].append({"player": row.player.key})
    return {
        "status": match.status,
        "played_at": match.played_at.astimezone(UTC).isoformat(),
        "date_only": match.date_only,
        "kind": match.kind,
        "detail": match.detail,
        "sides": list(sides.values()),
    }


def _names(
    contents: Iterable[Sequence[Content]], matches: Iterable[Match], league: League
) -> dict[str, str]:
    """Return the names behind the keys in contents; most of them the matches know already."""
    names = {
        row.player.key: row.player.name for match in matches for row in match.participants.all()
    }
    missing = {
        member["player"]
        for versions in contents
        for content in versions
        for side in content["sides"]
        for member in side["members"]
    } - names.keys()
    if missing:
        former = Player.objects.filter(league=league, key__in=missing)
        names |= dict(former.values_list("key", "name"))
    return names


def line_of(content: Content, names: Mapping[str, str]) -> str:
    """Return a result in one line, with the state that a reader must know of."""
    sides = sorted(content["sides"], key=lambda side: int(side["rank"]))
    labels = [
        " + ".join(names.get(member["player"], "?") for member in side["members"]) for side in sides
    ]
    if len(sides) == 2 and sides[0]["score"] is not None and sides[1]["score"] is not None:
        text = f"{labels[0]} {wording.tally(sides[0]['score'], sides[1]['score'])} {labels[1]}"
    else:
        text = labels[0]
        for one, other, label in zip(sides, sides[1:], labels[1:], strict=False):
            text += (" = " if one["rank"] == other["rank"] else " > ") + label
    tags = [content["detail"]] if content["detail"] else []
    if content["kind"] != Match.Kind.PLAYED:
        tags.append(str(Match.Kind(content["kind"]).label))
    if content["status"] == Match.Status.VOID:
        tags.append(_("void"))
    return f"{text} ({', '.join(tags)})" if tags else text


def lines_between(
    before: Content, after: Content, names: Mapping[str, str], zone: ZoneInfo
) -> tuple[str, str]:
    """Return both contents as lines; they name the time of play where it differs."""
    lines = line_of(before, names), line_of(after, names)
    if before["played_at"] == after["played_at"] and lines[0] != lines[1]:
        return lines
    return _dated(lines[0], before, zone), _dated(lines[1], after, zone)


def _dated(line: str, content: Content, zone: ZoneInfo) -> str:
    at = datetime.fromisoformat(content["played_at"])
    shown = (
        wording.day(at.astimezone(zone).date())
        if content["date_only"]
        else wording.moment(at, zone)
    )
    return f"{shown}: {line}"
