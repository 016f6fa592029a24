"""The floor of the API: a view that stores results by the same inserts and does nothing else.

Who calls is looked up by the token, the players by their keys, the numbers of the season are read
and raised under its lock: all in one transaction. Nothing is checked, hashed, warned of or queued.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

CALLER = """SELECT t.league_id, t.source, s.id, m.id FROM leagues_apitoken t
JOIN leagues_season s ON s.league_id = t.league_id JOIN leagues_mode m ON m.league_id = t.league_id
WHERE t.public_id = %s AND t.secret_hash = %s"""
NUMBERS = "SELECT last_seq, last_revision FROM leagues_season WHERE id = %s"
REVISION = """INSERT INTO leagues_revision (league_id, season_id, number, kind, state, reason,
summary, source, digest, created_at) VALUES (%s, %s, %s, 'api', 'applied', '', %s, %s, '', %s)"""
MATCH = """INSERT INTO leagues_match (league_id, season_id, mode_id, seq, played_at, date_only,
same_time_order, kind, status, weight, rungs_lost, detail, sets, source, payload_hash, content_hash,
version, revision_id, touched_in_revision, recorded_at) VALUES (%s, %s, %s, %s, %s, %s, 0, 'played',
'live', 1.0, 0, '', '', %s, '', %s, 1, %s, %s, %s)"""
PARTICIPANT = """INSERT INTO leagues_participant (league_id, match_id, player_id, side, rank,
handicap, playing_share) VALUES (%s, %s, %s, %s, %s, 0, 1.0)"""
RAISED = "UPDATE leagues_season SET last_seq = %s, last_revision = %s WHERE id = %s"


@csrf_exempt
def store(request: HttpRequest) -> HttpResponse:
    """Store what a body of the API says, where every match has two players by key."""
    public_id, secret = request.headers["Authorization"].removeprefix("Bearer rungs_").split("_", 1)
    body = json.loads(request.body)
    sent = body.get("matches", [body])
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    is_sqlite = connection.vendor == "sqlite"
    returning, lock = ("", "") if is_sqlite else (" RETURNING id", " FOR NO KEY UPDATE")
    with connection.cursor() as cursor:
        cursor.execute(CALLER, [public_id, hashlib.sha256(secret.encode()).hexdigest()])
        league, source, season, mode = cursor.fetchone()

        def insert(statement: str, values: list[Any]) -> int:
            cursor.execute(statement + returning, values)
            return int(cursor.lastrowid if is_sqlite else cursor.fetchone()[0])

        with transaction.atomic():
            cursor.execute(NUMBERS + lock, [season])
            seq, number = cursor.fetchone()
            number += 1
            said = json.dumps({"matches": len(sent)})
            revision = insert(REVISION, [league, season, number, said, source, now])
            keys = [side["players"][0]["key"] for match in sent for side in match["sides"]]
            marks = ", ".join(["%s"] * len(keys))
            players = "SELECT key, id FROM leagues_player WHERE league_id = %s AND key IN"
            cursor.execute(f"{players} ({marks})", [league, *keys])
            ids = dict(cursor.fetchall())
            rows = []
            for match in sent:
                seq += 1
                at = match["played_at"]
                of_league = [league, season, mode, seq, at, False, source, bytes(32)]
                key = insert(MATCH, [*of_league, revision, number, now])
                rows += [
                    (league, key, ids[side["players"][0]["key"]], place, side["rank"])
                    for place, side in enumerate(match["sides"])
                ]
            cursor.executemany(PARTICIPANT, rows)
            cursor.execute(RAISED, [seq, number, season])
    return JsonResponse({"revision": number, "seq": seq}, status=201)
