"""Leagues of every shape: invented ones, and excerpts of the shared results files."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import cycle
from pathlib import Path

from django.contrib.auth.models import User
from django.utils import timezone

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import League, Mode, Season
from leagues.services.drafts import MatchDraft, SideDraft
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import start_import, store_upload
from leagues.services.leagues import add_board, ensure_mode
from leagues.services.matches import correct_match, record_matches, revert_revision, void_match
from leagues.services.seasons import Step, start_next_season, take_step
from leagues.services.started_matches import lose_overdue
from leagues.services.stored_drafts import draft_of
from leagues.services.tokens import create_token
from leagues.services.trials import request_backtest, start_trial
from leagues.services.uploads import check_upload
from tests.leagues.people import join
from tests.leagues.play import START, new_club, result
from tests.leagues.services.test_started_matches import HOUR, finish, release, start
from tests.shared_data import shared_data

GOLDEN = Path(__file__).parents[2] / "golden"
NAMES = (
    *("Ana", "Bo", "Cy", "Dina", "Eve", "Finn", "Ğuz", "Hå", "李", "Jo-Ann O'Neil"),
    *("Kim", "Lu", "Max", "Nia", "Ola", "Pia", "Quin", "Rex", "Sue", "Tom"),
    *("Uma", "Vic", "Wim", "Xia"),
)

Results = Sequence[MatchDraft]
Ranks = Sequence[Sequence[int]]


@dataclass(frozen=True)
class Shape:
    """A kind of league, and how one is made; `lines` of a file are read, where it is from one."""

    name: str
    make: Callable[[User], League]


def of_results(
    name: str,
    sizes: Sequence[Sequence[int]],
    ranks: Ranks,
    *,
    count: int = 14,
    is_scored: bool = True,
    **settings: object,
) -> Shape:
    """A league whose matches have sides of these sizes and end so, each in its turn."""

    def make(owner: User) -> League:
        league = _new(name, owner, **settings)
        _record(league, league.modes.get(), _draw(league, sizes, ranks, count, is_scored))
        return league

    return Shape(name, make)


def _draw(
    league: League, sizes: Sequence[Sequence[int]], ranks: Ranks, count: int, is_scored: bool
) -> Results:
    """Let chance choose who plays, the same every time."""
    chance = random.Random(count)
    drafts = []
    endings = cycle(ranks)
    for number, sides in zip(range(count), cycle(sizes), strict=False):
        ending = next(end for end in endings if len(end) == len(sides))
        crowd = chance.sample(NAMES, sum(sides))
        names = [" + ".join(crowd.pop() for _ in range(size)) for size in sides]
        drafts.append(
            result(
                league,
                *names,
                ranks=ending,
                scores=[9 - rank for rank in ending] if is_scored else None,
                at=START + timedelta(days=number // 3, minutes=number),
            )
        )
    return drafts


def _new(name: str, owner: User, **settings: object) -> League:
    return new_club(slug=name.replace(" ", "-"), owner=owner, ranked_after=2, **settings)


def _record(league: League, mode: Mode, drafts: Results) -> None:
    record_matches(season=league.seasons.first(), mode=mode, drafts=drafts)


def _several_modes(owner: User) -> League:
    league = _new("several modes", owner)
    blitz = league.modes.get()
    teams = ensure_mode(league=league, name="Teams")
    crowd = ensure_mode(league=league, name="Everybody")
    _record(league, blitz, _draw(league, [(1, 1)], [(1, 2), (1, 1)], 8, True))
    _record(league, teams, _draw(league, [(2, 2), (3, 2)], [(1, 2)], 6, False))
    _record(league, crowd, _draw(league, [(1, 1, 1, 1)], [(1, 2, 2, 4), (1, 1, 1, 1)], 5, True))
    return league


def _seasons(owner: User) -> League:
    """A league of three seasons: one sealed, one that follows it with softened ratings, a draft."""
    league = _new("seasons", owner)
    mode, first = league.modes.get(), league.seasons.get()
    add_all_boards(first, mode)
    _record(league, mode, _draw(league, [(1, 1)], [(1, 2), (1, 1), (1, 2)], 12, True))
    drain()
    now = timezone.now()
    take_step(first, Step.CLOSE, actor=owner, now=now)
    take_step(first, Step.SEAL, actor=owner, now=now)
    drain()
    first.refresh_from_db()
    second = start_next_season(
        first, days=(START + timedelta(days=30), None), carryover="soft", share=0.5,
        actor=owner,
    )  # fmt: skip
    take_step(second, Step.OPEN, actor=owner, now=now)
    later = [
        replace(draft, played_at=draft.played_at + timedelta(days=40))
        for draft in _draw(league, [(1, 1)], [(1, 2), (1, 1)], 7, True)
    ]
    record_matches(season=second, mode=mode, drafts=later, author=owner)
    start_next_season(second, days=(now + timedelta(days=90), None), actor=owner)
    return league


def _started(owner: User) -> League:
    """A league in which every match was started: with a result, lost, called off, void, or open."""
    league = _new("started", owner)
    add_all_boards(league.seasons.get(), league.modes.get())
    _record(league, league.modes.get(), _draw(league, [(1, 1)], [(1, 2), (1, 1)], 8, True))
    drain()
    day = START + timedelta(days=20)
    finish(league, start(league, "Ana", "Bo", at=day).match, sent=day + HOUR)
    start(league, "Cy", "Dina", at=day + 2 * HOUR)
    start(league, "Cy", "Eve", at=day + 3 * HOUR)
    released = start(league, "Kim + Lu", "Max + Nia", at=day).match
    release(league, released, "Kim", sent=day + HOUR)
    called_off = start(league, "Pia", "Quin", at=day).match
    release(league, called_off, "Pia", "Quin", sent=day + HOUR)
    void_match(match=start(league, "Rex", "Sue", at=day).match, author=owner)
    lose_overdue(timezone.now())
    now = timezone.now()
    for pair in (("Ana", "Cy"), ("Vic", "Wim"), ("Tom + Uma", "Xia + Jo-Ann O'Neil")):
        start(league, *pair, at=now, sent=now)
    return league


def _without_boards(owner: User) -> League:
    league = _new("without boards", owner)
    league.boards.all().delete()
    return league


INVENTED = (
    Shape("empty", lambda owner: _new("empty", owner)),
    Shape("without boards", _without_boards),
    of_results("duels with draws", [(1, 1)], [(1, 2), (1, 1), (1, 2)]),
    of_results(
        "duels without draws", [(1, 1)], [(1, 2)],
        is_scored=False, draws_allowed=False, walkovers="win", time_zone="Pacific/Apia",
    ),
    of_results("teams", [(2, 2), (5, 8), (12, 11), (3, 1)], [(1, 2), (1, 1)]),
    of_results(
        "free for all with ties", [(1,) * 3, (1,) * 5, (1,) * 8, (2, 2, 2)],
        [(1, 1, 3), (1, 2, 2, 2, 5), (1, 1, 1, 4, 5, 6, 7, 7), (1, 1, 1), (1,) * 8],
    ),
    Shape("several modes", _several_modes),
    Shape("seasons", _seasons),
    Shape("started", _started),
)  # fmt: skip


def of_file(path: str, lines: int) -> Shape:
    """A league of the first lines of a results file; skipped where the file is not."""

    def make(owner: User) -> League:
        file = GOLDEN / path
        data = (file if file.exists() else shared_data(path)).read_bytes()
        league = _new("from a file", owner)
        start_import(
            season=league.seasons.get(),
            mode=league.modes.get(),
            name=path.rpartition("/")[2].removesuffix(".gz"),
            content=_first_lines(path, data, lines),
            options=ImportOptions(is_upload=False, skip_bad=True),
        )
        drain()
        return league

    return Shape(path, make)


def _first_lines(path: str, data: bytes, lines: int) -> bytes:
    if path.endswith((".xlsx", ".ods")):
        return data
    text = gzip.decompress(data) if path.endswith(".gz") else data
    return b"".join(text.splitlines(keepends=True)[: lines + 1])


def add_all_boards(season: Season, mode: Mode) -> None:
    """Let every system rate a mode, ladders in both of their ways."""
    present = set(season.boards.filter(mode=mode).values_list("system", flat=True))
    for name in sorted({info.name for info in bridge.systems()} - present):
        add_board(season=season, mode=mode, system=name)
    add_board(
        season=season, mode=mode, system="ladder", name="Insert", parameters={"mode": "insert"}
    )


def furnish(league: League, people: dict[str, User]) -> None:
    """Give a league all that addresses lead to: boards, corrections, an upload, trials, a token."""
    owner = people["organizer"]
    for role in ("player", "scorer"):
        join(league, people[role], role)
    season = current(league)
    if league.boards.exists():
        for mode in league.modes.all():
            if season.boards.filter(mode=mode).count() < len(bridge.systems()):
                add_all_boards(season, mode)
    matches = list(league.matches.filter(season=season).order_by("seq")[:3])
    if len(matches) > 2:
        draft = replace(draft_of(matches[0]), detail="corrected")
        correct_match(match=matches[0], draft=draft, expected_version=1, author=owner, reason="x")
        voided = void_match(match=matches[1], author=owner, reason="no show")
        assert voided is not None
        revert_revision(revision=voided, author=owner)
        void_match(match=matches[2], author=owner)
    create_token(league=league, name="bot", scope="results", actor=owner)
    drain()
    for board in season.boards.filter(system__in=["elo", "static"])[:2]:
        start_trial(board=board, parameters={}, actor=owner)
        request_backtest(season=season, mode=board.mode, actor=owner)
        drain()
    for content in (b"date,winner,loser\n2026-01-05,Ana,Zed\n", b"date,winner\n2026-01-05,Ana\n"):
        _upload(season, league.modes.first(), content)


def _upload(season: Season, mode: Mode, content: bytes) -> None:
    """Keep a file that was checked and waits to be written."""
    upload = store_upload(
        season=season, mode=mode, name="night.csv", content=content, options=ImportOptions()
    )
    check_upload(upload=upload, options=ImportOptions())
    drain()


def current(league: League) -> Season:
    """The newest season that takes results."""
    return league.seasons.filter(state=Season.State.OPEN).order_by("-pk")[0]


LAST_RESULTS = ("win", "draw", "shared first place", "walkover", "void", "not rated yet")


def record_last(league: League, kind: str, *, turn: int) -> bool:
    """Record one more result that ends so, played like one of the last ones; False: none can."""
    season = current(league)
    last = season.matches.live().results().order_by("-played_at", "-seq")[:4]
    newest = last[turn % len(last)] if last else None
    draft = draft_of(newest) if newest else result(league, "Ana", "Bo", scores=(3, 1), at=START)
    ranks = list(range(1, len(draft.sides) + 1))
    if kind == "draw":
        ranks = [1] * len(ranks)
    elif kind == "shared first place":
        if len(ranks) < 3:
            return False
        ranks[1] = 1
    if ranks[1] == 1 and not league.draws_allowed:
        return False
    recorded = record_matches(
        season=season,
        mode=newest.mode if newest else league.modes.get(),
        drafts=[
            replace(
                draft,
                # Files without dates are of today.
                played_at=min(draft.played_at + timedelta(days=9), timezone.now()),
                same_time_order=0,
                external_id=None,
                kind="walkover" if kind == "walkover" else "played",
                sides=tuple(map(_ending, draft.sides, ranks)),
            )
        ],
    )
    if kind == "void":
        void_match(match=recorded.matches[0], author=None)
    if kind != "not rated yet":
        drain()
    return True


def _ending(side: SideDraft, rank: int) -> SideDraft:
    return replace(side, rank=rank, score=None if side.score is None else 30 - rank)
