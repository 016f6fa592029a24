"""Make the golden installation: an invented site with something of everything the program stores.

Run by hand with the release whose format it is to show (README.md beside this says which one made
the files that are kept), and never again for that release:

    RUNGS_DATA=/tmp/golden python tests/golden/installation/make.py

It leaves `rungs.sqlite3.xz`, `backup.json.gz` and `expected.json` in that folder. People are
invented; the football results are the CC0 excerpt beside this folder, and the baseball games those
of the American League's east of 1987 as counted in Agresti, "Categorical Data Analysis".
"""

from __future__ import annotations

import json
import lzma
import os
import random
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2]), str(HERE)]
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

import django  # noqa: E402
import time_machine  # noqa: E402

django.setup()

from describe import describe  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import Q  # noqa: E402
from django.test.client import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402

from leagues.jobs.runner import drain  # noqa: E402
from leagues.models import Board, Job, League, Match, Mode, Revision, Season  # noqa: E402
from leagues.services.backups import write_backup  # noqa: E402
from leagues.services.demo import create_demo  # noqa: E402
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft  # noqa: E402
from leagues.services.import_reading import ImportOptions  # noqa: E402
from leagues.services.imports import start_import  # noqa: E402
from leagues.services.leagues import add_board, create_league, create_season, ensure_mode  # noqa: E402
from leagues.services.matches import (  # noqa: E402
    correct_match,
    record_matches,
    restore_match,
    revert_revision,
    void_match,
)
from leagues.services.members import set_role  # noqa: E402
from leagues.services.players import ensure_player, rename_player  # noqa: E402
from leagues.services.rules import change_rules  # noqa: E402
from leagues.services.seasons import Step, start_next_season, take_step  # noqa: E402
from leagues.services.stored_drafts import draft_of  # noqa: E402
from leagues.services.tokens import create_token, revoke_token  # noqa: E402
from ratings.registry import _class  # noqa: E402

NOW = datetime(2026, 9, 12, 12, 30, 15, 123000, tzinfo=UTC)
CHANCE = random.Random(1312)
DOUBLES = ("zerosum", "glicko", "trueskill", "wenglin", "becker")
SINGLES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("ladder", "Ladder", {}),
    ("ladder", "Ladder with insertion", {"mode": "insert", "penalty": 2}),
    ("zerosum", "Zero-sum", {}),
    ("zerosum", "Zero-sum that fades", {"decay": 0.1, "period_days": 7}),
    ("elo", "Elo by FIDE", {"policy": "fide"}),
    ("elo", "Elo", {}),
    ("becker", "Becker", {}),
    ("becker", "Becker that fades", {"decay": 0.05, "period_days": 7}),
    ("static", "Static exact", {}),
    ("static", "Static average", {"method": "average"}),
    ("static", "Bradley-Terry", {"method": "bradley-terry", "alpha": 0.5}),
    ("glicko2", "Glicko-2", {}),
    ("glicko2", "Glicko-2 in periods", {"preset": "glickman", "period": "calendar"}),
    ("glicko", "Glicko", {}),
    ("trueskill", "TrueSkill", {}),
    ("wenglin", "Plackett-Luce", {}),
    ("wenglin", "Weng-Lin Bradley-Terry", {"model": "bradley-terry"}),
    ("wenglin", "Thurstone-Mosteller", {"model": "thurstone-mosteller"}),
)
NAMES = (
    *("Ada Quill", "Bram Óskarsson", "Chidi Lark", "Dagny Vale", "Eero Stone", "Fenna Marsh"),
    *("Gwil Thorne", "Hedda Åkers", "Ines Rook", "Jonty Field"),
)
BASEBALL = {
    "Milwaukee": (0, 7, 9, 7, 7, 9, 11),
    "Detroit": (6, 0, 7, 5, 11, 9, 9),
    "Toronto": (4, 6, 0, 7, 7, 8, 12),
    "New York": (6, 8, 6, 0, 6, 7, 10),
    "Boston": (6, 2, 6, 7, 0, 7, 12),
    "Cleveland": (4, 4, 5, 6, 6, 0, 6),
    "Baltimore": (2, 4, 1, 3, 1, 7, 0),
}
NO_PENALTY = {"method": "bradley-terry", "alpha": 0.0, "least_events": 1, "least_opponents": 1}


def main() -> None:
    """Make the installation, and the files that tell of it."""
    setup_test_environment()
    call_command("migrate", interactive=False, verbosity=0)
    told: dict[str, Any] = {}
    with time_machine.travel(NOW, tick=False):
        people = make_people()
        create_demo(now=NOW)
        drain()
        told["requests"] = make_harbour(people)
        make_football(people["olga"])
        make_baseball()
        make_islands()
        make_reefs()
        make_compiled()
        make_stopwatch()
        drain()
    failed = Job.objects.filter(state="failed")
    print([(job.key, job.error.strip().rpartition("\n")[2]) for job in failed])
    save(told)


def save(told: dict[str, Any]) -> None:
    """Write the database, a backup of it, and what both hold."""
    with (settings.DATA / "backup.json.gz").open("wb") as file:
        write_backup(file)
    Job.objects.filter(Q(state="done") | Q(kind="verify_board")).delete()
    told |= describe()
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("VACUUM INTO %s", [str(settings.DATA / "golden.sqlite3")])
    with (
        (settings.DATA / "golden.sqlite3").open("rb") as plain,
        lzma.open(settings.DATA / "rungs.sqlite3.xz", "wb", preset=9) as packed,
    ):
        shutil.copyfileobj(plain, packed)
    text = json.dumps(told, indent=1, sort_keys=True, ensure_ascii=False)
    (settings.DATA / "expected.json").write_text(text + "\n", encoding="utf-8")


def make_people() -> dict[str, User]:
    """Make a site admin, and accounts for every role."""
    people = {
        name: User.objects.create_user(name, f"{name}@example.org", f"golden-{name}-password")
        for name in ("olga", "sam", "pia", "guest")
    }
    people["root"] = User.objects.create_superuser("root", "root@example.org", "golden-root-word")
    return people


def make_harbour(people: dict[str, User]) -> dict[str, Any]:
    """Make the league that has everything: three modes, every system, a sealed season, a draft."""
    olga, sam = people["olga"], people["sam"]
    league = create_league(
        name="Harbour Games Club",
        slug="harbour",
        owner=olga,
        mode="Singles",
        season="Season 1",
        time_zone="Europe/Oslo",
        ranked_after=2,
        walkovers=League.Walkovers.WIN,
    )
    set_role(league=league, user=sam, role="scorer", actor=olga)
    set_role(league=league, user=people["pia"], role="player", actor=olga)
    begin = NOW - timedelta(days=70)
    first = league.seasons.get()
    Season.objects.filter(pk=first.pk).update(
        starts_at=league.midnight(begin.date()),
        ends_at=league.midnight((begin + timedelta(days=35)).date()),
    )
    first.refresh_from_db()
    singles = league.modes.get()
    doubles, melee = (ensure_mode(league=league, name=name) for name in ("Doubles", "Melee"))
    for player, name in enumerate(NAMES):
        ensure_player(league=league, name=name)
        if player == 3:
            rename_player(
                player=ensure_player(league=league, name=name), name="Dagny Vale-Ström", actor=olga
            )
    league.players.filter(name="Pia").update(user=people["pia"])
    add_boards(first, singles, doubles, melee)
    play_season(league, first, begin, sam)
    with time_machine.travel(begin + timedelta(days=40), tick=False):
        take_step(first, Step.CLOSE, actor=olga, now=begin + timedelta(days=40))
        take_step(first, Step.SEAL, actor=olga, now=begin + timedelta(days=40))
        drain()
    first.refresh_from_db()
    assert first.state == "closed", Job.objects.filter(kind="seal_season").order_by("-pk")[0].result
    following = begin + timedelta(days=41)
    second = start_next_season(
        first,
        days=(league.midnight(following.date()), None),
        carryover=Season.Carryover.SOFT,
        share=0.25,
        deviation=0.5,
        actor=olga,
    )
    take_step(second, Step.OPEN, actor=olga, now=NOW)
    second.refresh_from_db()
    play_season(league, second, following, sam, weeks=2)
    board = second.boards.get(name="Elo")
    change_rules(
        board,
        parameters={"k": 24.0, "k0": 48.0},
        effective_at=league.midnight((following + timedelta(days=8)).date()),
        actor=olga,
        reason="Agreed at the spring meeting",
        now=NOW,
    )
    drain()
    requests = send(league, olga)
    drain()
    return requests


def add_boards(season: Season, singles: Mode, doubles: Mode, melee: Mode) -> None:
    """Let every system rate the mode it can rate, the default boards aside."""
    for system, name, parameters in SINGLES:
        add_board(season=season, mode=singles, system=system, name=name, parameters=parameters)
    for mode in (doubles, melee):
        for system in DOUBLES:
            add_board(season=season, mode=mode, system=system, name=f"{mode.name} {system}")


def play_season(
    league: League, season: Season, begin: datetime, scorer: User, weeks: int = 3
) -> None:
    """Record evenings of every mode, then correct, void, restore and undo some of it."""
    modes = {mode.name: mode for mode in league.modes.all()}
    for week in range(weeks):
        evening = begin + timedelta(days=7 * week, hours=6, minutes=7)
        for mode in modes.values():
            drafts = [
                draft(
                    league,
                    mode.name,
                    evening + timedelta(minutes=15 * number, milliseconds=1 + number),
                    number,
                )
                for number in range(12)
            ]
            record_matches(season=season, mode=mode, drafts=drafts, author=scorer)
        drain()
    stored = list(season.matches.filter(mode=modes["Singles"]).order_by("seq"))
    said = draft_of(stored[2])
    turned = tuple(
        SideDraft(side.rank, side.members, score)
        for side, score in zip(said.sides, (9, 4), strict=True)
    )
    correct_match(
        match=stored[2],
        draft=MatchDraft(
            played_at=said.played_at,
            sides=tuple(
                SideDraft(rank, side.members, side.score) for rank, side in enumerate(turned, 1)
            ),
            detail="misread",
            weight=0.75,
        ),
        expected_version=1,
        author=scorer,
        reason="Score was misread",
    )
    void_match(match=stored[5], author=scorer, reason="Played twice")
    void_match(match=stored[6], author=scorer)
    restore_match(match=stored[6], author=scorer)
    wrong = record_matches(
        season=season,
        mode=modes["Singles"],
        drafts=[draft(league, "Singles", begin + timedelta(days=2), 1)],
        author=scorer,
    )
    revert_revision(revision=wrong.revision, author=scorer, reason="Another club's result")
    one, other = (ensure_player(league=league, name=name) for name in NAMES[:2])
    sides = (SideDraft(1, (MemberDraft(one),)), SideDraft(2, (MemberDraft(other),)))
    late = begin + timedelta(days=3, hours=4)
    record_matches(
        season=season,
        mode=modes["Singles"],
        drafts=[
            MatchDraft(played_at=late, sides=sides, kind=Match.Kind.WALKOVER),
            MatchDraft(played_at=late, sides=sides, kind=Match.Kind.RETIREMENT, detail="6–2 3–1"),
            MatchDraft(played_at=late, sides=sides, kind=Match.Kind.UNRATED),
            MatchDraft(
                played_at=league.midnight(late.date()),
                sides=sides,
                date_only=True,
                same_time_order=-3,
            ),
        ],
        author=scorer,
    )
    drain()


def draft(league: League, mode: str, at: datetime, number: int) -> MatchDraft:
    """Return a result among the ten: a duel, two pairs, or five who end in shared places."""
    people = [ensure_player(league=league, name=name) for name in CHANCE.sample(NAMES, 5)]
    members = [MemberDraft(player) for player in people]
    if mode == "Melee":
        ranks = CHANCE.choice(((1, 2, 2, 4, 5), (1, 1, 1, 4, 4), (1, 2, 3, 4, 5)))
        return MatchDraft(
            played_at=at,
            sides=tuple(
                SideDraft(rank, (member,)) for rank, member in zip(ranks, members, strict=True)
            ),
        )
    scores = (CHANCE.randint(2, 5), CHANCE.randint(0, 2))
    sides = (members[:2], members[2:4]) if mode == "Doubles" else (members[:1], members[1:2])
    return MatchDraft(
        played_at=at,
        sides=tuple(
            SideDraft(1 if score == max(scores) else 2, tuple(side), score)
            for side, score in zip(sides, scores, strict=True)
        ),
        external_id=f"{mode}-{at:%Y%m%d}-{number}" if number % 3 == 0 else None,
    )


def send(league: League, olga: User) -> dict[str, Any]:
    """Let a program send results: one, many, and the same once more; return what was sent."""
    _token, plain = create_token(league=league, name="Scoreboard", scope="results", actor=olga)
    former, _ = create_token(league=league, name="Old board", scope="read", actor=olga)
    revoke_token(token=former, actor=olga)
    client = Client(headers={"Authorization": f"Bearer {plain}"})
    path = f"/api/v1/leagues/{league.slug}/matches/"
    bodies = {
        "night-1": won(0, 1, NOW - timedelta(hours=3)) | {"mode": "singles"},
        "night-2": {
            "mode": "singles",
            "matches": [won(number, number + 5, NOW - timedelta(hours=2)) for number in range(3)]
            + [won(4, 5, NOW - timedelta(hours=1)) | {"external_id": "board-17"}],
        },
    }
    answers = {}
    for key, body in bodies.items():
        for status in (201, 200):
            answer = client.post(
                path,
                json.dumps(body),
                content_type="application/json",
                headers={"Idempotency-Key": key},
            )
            assert answer.status_code == status, answer.content
        answers[key] = {
            "body": body,
            "revision": answer.json()["revision"],
            "matches": [match["id"] for match in answer.json()["matches"]],
        }
    return {"token": plain, "path": path, "sent": answers}


def won(one: int, other: int, at: datetime) -> dict[str, Any]:
    """Return a result as a program says it."""
    return {
        "played_at": at.isoformat(),
        "sides": [
            {"rank": rank, "players": [{"name": NAMES[who]}]}
            for rank, who in enumerate((one, other), 1)
        ],
    }


def make_football(owner: User) -> None:
    """Import the football excerpt, its first lines once more, and undo that."""
    league = create_league(
        name="Internationals",
        slug="football",
        owner=owner,
        mode="Football",
        season="All",
        visibility=League.Visibility.PRIVATE,
    )
    season, mode = league.seasons.get(), league.modes.get()
    content = (HERE.parent / "football_excerpt.csv").read_bytes()
    lines = content.splitlines(keepends=True)
    for part in (lines[:200], lines[:1] + lines[180:260]):
        start_import(
            season=season,
            mode=mode,
            name="football.csv",
            content=b"".join(part),
            options=ImportOptions(),
            author=owner,
        )
        drain()
    last = Revision.objects.filter(season=season, kind="import").order_by("-number")[0]
    revert_revision(revision=last, author=owner, reason="Half of a file")
    create_season(
        league=league,
        name="Plans",
        state=Season.State.DRAFT,
        actor=owner,
        starts_at=league.midnight((NOW + timedelta(days=60)).date()),
    )
    drain()


def play_table(league: League, table: dict[str, Sequence[int]], at: datetime) -> None:
    """Record a table of how often each beat each, a game after the other."""
    names = list(table)
    players = {name: ensure_player(league=league, name=name) for name in names}
    games = [
        (winner, loser)
        for winner, row in table.items()
        for loser, count in zip(names, row, strict=True)
        for _ in range(count)
    ]
    CHANCE.shuffle(games)
    record_matches(
        season=league.seasons.get(),
        mode=league.modes.get(),
        drafts=[
            MatchDraft(
                played_at=at + timedelta(hours=number),
                sides=tuple(
                    SideDraft(rank, (MemberDraft(players[name]),))
                    for rank, name in enumerate((winner, loser), 1)
                ),
            )
            for number, (winner, loser) in enumerate(games)
        ],
    )


def make_baseball() -> None:
    """Agresti's table, which Bradley-Terry without a penalty did not settle on."""
    league = create_league(name="Baseball of 1987", slug="baseball", mode="Baseball", season="1987")
    season, mode = league.seasons.get(), league.modes.get()
    add_board(season=season, mode=mode, system="static", name="No penalty", parameters=NO_PENALTY)
    add_board(
        season=season,
        mode=mode,
        system="static",
        name="Penalty",
        parameters=NO_PENALTY | {"alpha": 0.5},
    )
    play_table(league, BASEBALL, NOW - timedelta(days=60))
    drain()


def make_islands() -> None:
    """Leagues of few on whom it settled, in a season that is sealed and in one that runs."""
    for slug, is_sealed in (("islands", True), ("atolls", False)):
        league = create_league(name=slug.title(), slug=slug, mode="Darts", season="First")
        season, mode = league.seasons.get(), league.modes.get()
        add_board(
            season=season, mode=mode, system="static", name="No penalty", parameters=NO_PENALTY
        )
        names = ("Alma", "Birk", "Cleo", "Dorn", "Esme")
        table = {
            name: tuple(0 if other == name else CHANCE.randint(1, 4) for other in names)
            for name in names
        }
        play_table(league, table, NOW - timedelta(days=30))
        drain()
        if is_sealed:
            seal(season)


def make_reefs() -> None:
    """Seven players on whom Bradley-Terry without a penalty did not settle: the board stopped."""
    league = create_league(name="Reefs", slug="reefs", mode="Darts", season="First")
    season, mode = league.seasons.get(), league.modes.get()
    add_board(season=season, mode=mode, system="static", name="No penalty", parameters=NO_PENALTY)
    names = ("Arlo", "Bess", "Cato", "Dora", "Elis", "Fern", "Gus")
    chance = random.Random(0)
    table = {
        name: tuple(0 if other == name else chance.randint(0, 4) for other in names)
        for name in names
    }
    play_table(league, table, NOW - timedelta(days=30))
    board = season.boards.get(system="static")
    while board.state == Board.State.READY:
        Job.objects.filter(state="queued", kind="rate_board").update(run_after=NOW)
        drain()
        board.refresh_from_db()
    print(board, board.problem)


def make_compiled() -> None:
    """Boards of one column as a process with compiled kernels computed them, one season sealed."""
    for slug, is_sealed in (("foundry", True), ("smithy", False)):
        league = create_league(name=slug.title(), slug=slug, mode="Duels", season="First")
        season, mode = league.seasons.get(), league.modes.get()
        names = ("Anvil", "Bellows", "Coal", "Dross", "Ember", "Flux")
        for system in ("ladder", "zerosum", "becker"):
            add_board(season=season, mode=mode, system=system, name=f"Compiled {system}")
        with compiled_everywhere():
            table = {
                name: tuple(0 if other == name else CHANCE.randint(0, 4) for other in names)
                for name in names
            }
            play_table(league, table, NOW - timedelta(days=30))
            drain()
            if is_sealed:
                seal(season)


def make_stopwatch() -> None:
    """Results at instants finer than the milliseconds that backups of this format keep."""
    league = create_league(name="Stopwatch", slug="stopwatch", mode="Races", season="First")
    names = ("Ilse", "Jory", "Kit")
    table = {name: tuple(int(other != name) for other in names) for name in names}
    play_table(league, table, NOW - timedelta(days=3, microseconds=456))
    drain()


def seal(season: Season) -> None:
    """Close and seal a season."""
    take_step(season, Step.CLOSE, actor=None, now=NOW)
    season.refresh_from_db()
    take_step(season, Step.SEAL, actor=None, now=NOW)
    drain()
    season.refresh_from_db()
    result = Job.objects.filter(kind="seal_season").order_by("-pk")[0]
    print(season, season.state, result.result, result.error)


@contextmanager
def compiled_everywhere() -> Iterator[None]:
    """Let compiled kernels rate logs of any length, as they rate those of a million matches."""
    kinds = [_class(name) for name in ("ladder", "zerosum", "becker")]
    before = [kind.break_even for kind in kinds]
    for kind in kinds:
        kind.break_even = 1
    try:
        yield
    finally:
        for kind, matches in zip(kinds, before, strict=True):
            kind.break_even = matches


if __name__ == "__main__":
    main()
