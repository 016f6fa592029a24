"""Say what an installation holds, in numbers and digests that no upgrade may change.

Reads the database through as little of the program as it can, so that the same file tells of an
installation of any release: the generator writes what it says, the tests compare.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    import django

    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    django.setup()

from django.contrib.auth.models import User

from leagues.models import (
    ApiToken,
    AuditEntry,
    Board,
    BoardRules,
    League,
    Match,
    MatchVersion,
    Membership,
    Mode,
    Participant,
    Player,
    PlayerAlias,
    RatingSegment,
    Revision,
    Season,
    Standing,
    StartingState,
)
from leagues.services.integrity import board_digest, site_digest

COUNTED = (
    *(User, League, Membership, Mode, Season, Revision, Player, PlayerAlias, Match, Participant),
    *(MatchVersion, AuditEntry, ApiToken, Board, BoardRules, StartingState),
)

OF_UPGRADES = ("league.baseline",)
"""What upgrades write into the log of every league."""


def describe() -> dict[str, Any]:
    """Return everything that is to stay as it is."""
    return {
        "site": site_digest(),
        "counts": {model._meta.label_lower: model.objects.count() for model in COUNTED},
        "seasons": {_name(season): _season(season) for season in Season.objects.all()},
        "boards": {name_of(board): _board(board) for board in _boards()},
        "facts": {league.slug: _facts(league) for league in League.objects.all()},
    }


def name_of(board: Board) -> str:
    """Return league, season and board, the same in every database."""
    return f"{board.league.slug}/{board.season.slug}/{board.slug}"


def _boards() -> Iterable[Board]:
    return Board.objects.select_related("league", "season", "mode")


def _name(season: Season) -> str:
    return f"{season.league.slug}/{season.slug}"


def _season(season: Season) -> dict[str, Any]:
    return {
        "state": season.state,
        "digest": season.sealed_digest,
        "sealed_at": season.sealed_at.isoformat() if season.sealed_at else None,
        "last_seq": season.last_seq,
        "last_revision": season.last_revision,
    }


def _board(board: Board) -> dict[str, Any]:
    """Return the digest that is published, and the hashes of the bytes that stand below it."""
    published = {"board": board, "generation": board.generation}
    standings = Standing.objects.filter(**published).select_related("player")
    segments = RatingSegment.objects.filter(**published).select_related("player")
    starts = StartingState.objects.filter(board=board).select_related("player")
    return {
        "system": board.system,
        "parameters": _hash([board.parameters]),
        "state": board.state,
        "seal": board.seal,
        "rated_matches": board.rated_matches,
        "refused_matches": board.refused_matches,
        "digest": board_digest(board),
        "standings": _hash([row.player.key, bytes(row.state).hex()] for row in standings),
        "histories": _hash(
            [row.player.key, row.number, row.count, bytes(row.data).hex()] for row in segments
        ),
        "expected": _hash(
            [row.player.key, row.number, bytes(row.expected).hex()] for row in segments
        ),
        "started_from": _hash([row.player.key, bytes(row.state).hex()] for row in starts),
    }


def _facts(league: League) -> dict[str, str]:
    """Return the hashes of what was said: matches with all their players, versions, revisions."""
    matches = Match.objects.filter(league=league).select_related("season", "mode", "revision")
    versions = MatchVersion.objects.filter(league=league).select_related("match__season")
    revisions = Revision.objects.filter(league=league).select_related("season")
    participants = Participant.objects.filter(league=league).select_related("match__season")
    return {
        "content_hashes": _hash(
            [row.season.slug, row.seq, row.external_id, row.payload_hash] for row in matches
        ),
        "matches": _hash(
            [
                *(
                    row.season.slug,
                    row.seq,
                    row.mode.slug,
                    row.played_at.isoformat(),
                ),
                *(row.date_only, row.same_time_order, row.kind, row.status, _bits(row.weight)),
                *(
                    row.detail,
                    row.source,
                    row.version,
                    row.revision.number,
                    row.touched_in_revision,
                ),
            ]
            for row in matches
        ),
        "participants": _hash(
            [
                *(row.match.season.slug, row.match.seq, row.player.key, row.side, row.rank),
                *(row.score, row.own_score, _bits(row.playing_share)),
            ]
            for row in participants.select_related("player")
        ),
        "versions": _hash(
            [row.match.season.slug, row.match.seq, row.version, row.content] for row in versions
        ),
        "revisions": _hash(
            [row.season.slug, row.number, row.kind, row.reason, row.source, row.summary]
            for row in revisions
        ),
        "players": _hash(
            [row.key, row.name, row.birth_year, row.is_listed] for row in league.players.all()
        ),
        "log": _hash(
            [
                row.action,
                row.subject,
                row.before,
                row.after,
                row.created_at.isoformat(),
            ]
            for row in AuditEntry.objects.filter(league=league).exclude(action__in=OF_UPGRADES)
        ),
    }


def _bits(value: float) -> str:
    return struct.pack("<d", value).hex()


def _hash(rows: Iterable[Any]) -> str:
    lines = sorted(json.dumps(row, sort_keys=True, separators=(",", ":")) for row in rows)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


if __name__ == "__main__":
    json.dump(describe(), sys.stdout)
