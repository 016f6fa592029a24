"""What must hold when the wind has dropped: caught up, complete, equal to a replay, quiet logs."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from storm.client import Client
from storm.ledger import Ledger, Stored
from storm.logs import unexpected
from storm.prepare import LEAGUES
from storm.site import MANAGE, Site
from storm.tally import Tally

CATCH_UP_SECONDS = 30.0
PATIENCE_SECONDS = 90.0


def wait_until_rated(client: Client, tally: Tally) -> float:
    """Wait until all boards have rated all results; more than half a minute is a violation."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE_SECONDS:
        behind = [
            f"{league}/{row['board']}"
            for league in LEAGUES
            for row in _read(client, f"/api/v1/leagues/{league}/rating-state/")["results"]
            if row["behind"]
        ]
        if not behind:
            break
        time.sleep(0.2)
    else:
        tally.accuse("boards never caught up", ", ".join(behind))
    waited = time.monotonic() - began
    if waited > CATCH_UP_SECONDS:
        tally.accuse(
            f"boards were behind for more than {CATCH_UP_SECONDS:.0f} s", f"{waited:.1f} s"
        )
    return waited


def check_results(client: Client, ledger: Ledger, tally: Tally) -> int:
    """Compare everything that is stored with what was acknowledged; return how much is stored."""
    count = 0
    for league in ledger.leagues:
        stored = list(_stored(client, league))
        count += len(stored)
        for problem in ledger.judge(league, stored):
            tally.accuse("the ledger disagrees", problem)
    return count


def _stored(client: Client, league: str) -> Iterator[Stored]:
    address = f"/api/v1/leagues/{league}/matches/?page_size=200"
    while address:
        page = _read(client, address)
        for match in page["results"]:
            score = next((side["score"] for side in match["sides"] if side["rank"] == 1), None)
            facts = {"status": match["status"], "score": score}
            yield Stored(match["season"], match["seq"], match["detail"], facts)
        following = page["next"] or ""
        address = following[following.index("/api/") :] if following else ""


def _read(client: Client, path: str) -> Any:
    answer = client.ask("GET", path)
    if answer.status != 200:
        raise RuntimeError(f"{path} answered {answer.status}: {answer.text[:300]!r}")
    return json.loads(answer.body)


def verify(site: Site, tally: Tally) -> int:
    """Replay every board; return how many there are."""
    report = json.loads(site.run(*MANAGE, "verify", "--json", check=False) or "{}")
    if report.get("differences", -1) != 0:
        tally.accuse("verify found differences", json.dumps(report)[:2000])
    for board in report.get("boards", ()):
        if board["behind"]:
            tally.accuse("verify found a board behind", f"{board['league']}/{board['board']}")
    return len(report.get("boards", ()))


def check_logs(site: Site, tally: Tally) -> Counter[str]:
    """Look for tracebacks that no fault explains."""
    found: Counter[str] = Counter()
    for path in site.logs():
        if path.name == "redis.log":
            continue
        with path.open(errors="replace") as lines:
            for error, count in unexpected(lines).items():
                found[error] += count
                tally.accuse("a log has a traceback", f"{path.name} ({count}): {error}")
    return found
