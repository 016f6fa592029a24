"""Let a storm rage: `python3 dev.py storm --minutes N [--postgres URL] [--redis URL] --seed S`."""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from storm.actors import LAST_WORDS_SECONDS, Actor, Storm
from storm.browsers import Importer, Reader, Scorer
from storm.checks import check_logs, check_results, verify, wait_until_rated
from storm.faults import strike_until
from storm.ledger import Ledger
from storm.organizers import Corrector, Sealer
from storm.servers import Missing
from storm.site import Site
from storm.summary import summary
from storm.tally import Tally
from storm.writers import Writer

READERS = 3


def say(text: str) -> None:
    print(text, flush=True)


def actors_of(storm: Storm, seed: int) -> list[Actor]:
    """Everybody who takes part."""
    access = storm.site.access
    return [
        *(
            Writer(storm, f"writer {n}", f"{seed} writer {n}", **place)
            for n, place in enumerate(access["tokens"])
        ),
        *(Scorer(storm, name, f"{seed} {name}", username=name) for name in access["scorers"]),
        *(Reader(storm, f"reader {n}", f"{seed} reader {n}") for n in range(READERS)),
        Corrector(storm, "corrector", f"{seed} corrector", league="harbour"),
        Sealer(storm, "sealer", f"{seed} sealer", league="seals"),
        Importer(storm, "importer", f"{seed} importer"),
    ]


def rage(storm: Storm, *, minutes: float, seed: int, pauses: float) -> None:
    """Let actors act and faults strike for so long; then let the actors get their answers."""
    actors = actors_of(storm, seed)
    threads = [threading.Thread(target=actor.run, daemon=True) for actor in actors]
    over = threading.Event()
    faults = threading.Thread(
        target=strike_until,
        args=(storm.site, storm.tally, random.Random(seed), over),
        kwargs={"pauses": pauses},
        daemon=True,
    )
    for thread in (*threads, faults):
        thread.start()
    time.sleep(60 * minutes)
    over.set()
    faults.join(LAST_WORDS_SECONDS)
    if faults.is_alive():
        storm.tally.accuse("a fault did not end")
    storm.calm.set()
    storm.gives_up_at = time.monotonic() + LAST_WORDS_SECONDS
    for actor, thread in zip(actors, threads, strict=True):
        thread.join(max(0.0, storm.gives_up_at + 35 - time.monotonic()))
        if thread.is_alive():
            storm.tally.accuse(f"{actor.name} did not come to an end")


def look_back(storm: Storm) -> None:
    """Hold the installation to everything that was promised."""
    site, tally = storm.site, storm.tally
    storm.gives_up_at = time.monotonic() + 5 * LAST_WORDS_SECONDS
    client = storm.new_client("judge")
    say(f"Boards had caught up after {wait_until_rated(client, tally):.1f} s.")
    say(f"{check_results(client, storm.ledger, tally)} results are stored.")
    say(f"{verify(site, tally)} boards were replayed.")


def main() -> int:
    """Run one storm; exit code 1 where anything was violated."""
    parser = argparse.ArgumentParser(prog="dev.py storm", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0, help="how long faults strike")
    parser.add_argument("--seed", type=int, default=1, help="the order of acts and faults")
    parser.add_argument(
        "--postgres", default="", metavar="URL", help="a server, or own: one that is stopped too"
    )
    parser.add_argument("--redis", default="", metavar="URL", help="a broker, or own")
    parser.add_argument("--pauses", type=float, default=4.0, help="mean seconds between faults")
    parser.add_argument(
        "--patience",
        type=float,
        default=8.0,
        help="seconds of a slow answer: more on a busy machine",
    )
    parser.add_argument("--rows", type=int, default=6000, help="rows of a large file")
    parser.add_argument("--keep", action="store_true", help="keep the folder of a storm that held")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="rungs-storm-"))
    # PostgreSQL's own user has to come to its files.
    folder.chmod(0o711)
    site = Site(folder, options.postgres, options.redis)
    # Whoever ends a storm early must not leave its processes behind.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    storm = Storm(
        site, Tally(), Ledger(), threading.Event(), patience=options.patience, rows=options.rows
    )
    try:
        site.start()
        say(f"A storm of {options.minutes:g} minutes on {site.engine}, seed {options.seed}.")
        rage(storm, minutes=options.minutes, seed=options.seed, pauses=options.pauses)
        look_back(storm)
    except Missing as missing:
        storm.tally.accuse(str(missing))
    except Exception as error:
        storm.tally.accuse("the storm itself failed", repr(error))
    finally:
        for problem in site.stop():
            storm.tally.accuse("not everything ended", problem)
        site.end_servers()
    check_logs(site, storm.tally)
    say(summary(storm.tally, storm.ledger))
    if storm.tally.problems or options.keep:
        say(f"\nData and logs are kept in {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    say("The storm was NOT weathered." if storm.tally.problems else "The storm was weathered.")
    return 1 if storm.tally.problems else 0


if __name__ == "__main__":
    sys.exit(main())
