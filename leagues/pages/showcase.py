"""The front page's proof: one explained match, its other systems, and a player's stakes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.core.cache import cache
from django.urls import reverse
from django.utils.translation import get_language

from leagues import bridge
from leagues.domain.civil_days import day_of
from leagues.models import Board, League
from leagues.pages.boards import board_address
from leagues.pages.match import SystemRow, match_page
from leagues.pages.matches import explained_address
from leagues.pages.reasons import Reasons
from leagues.pages.revisions import revision_address
from leagues.pages.seats import format_change
from leagues.pages.systems import systems_address
from leagues.selectors.showcase import Example, demo_board, example_of


@dataclass(frozen=True, slots=True)
class StakeRow:
    """What a match against an opponent would change for the player shown."""

    name: str
    win: str
    loss: str


@dataclass(frozen=True, slots=True)
class Showcase:
    league: str
    url: str
    finding: str
    why: Reasons
    match_url: str
    systems: tuple[SystemRow, ...]
    systems_url: str
    viewer: str
    viewer_url: str
    stakes: tuple[StakeRow, ...]
    correction_url: str
    """The page of a correction with everybody whom it moved; empty where there was none."""


def showcase(*, league: League, now: datetime) -> Showcase | None:
    """The demo's showcase, computed once for what its boards hold on a day."""
    selection = demo_board(league)
    if selection is None:
        return None
    board, digest = selection
    today = day_of(now, league.zone)
    words = repr((league.pk, league.name, digest, today, get_language()))
    key = f"showcase:{hashlib.sha256(words.encode()).hexdigest()}"
    known: Showcase | None = cache.get(key)
    if known is None:
        example = example_of(board, now)
        known = None if example is None else _showcase(board, example, now)
        cache.set(key, known)
    return known


def _showcase(board: Board, example: Example, now: datetime) -> Showcase | None:
    page = match_page(match=example.match, now=now)
    if page.account is None or page.account.why is None or not page.account.why.lines:
        return None
    player = example.viewer.player
    here = board_address(board)
    stakes = bridge.stakes_against(board, example.viewer, example.opponents, now)
    return Showcase(
        league=board.league.name,
        url=here,
        finding=page.finding,
        why=page.account.why,
        match_url=explained_address(example.match, board),
        systems=page.systems,
        systems_url=systems_address(board),
        viewer=player.name,
        viewer_url=reverse("leagues:me", args=[board.league.slug])
        + f"?{urlencode({'player': player.key, 'next': here})}",
        stakes=tuple(
            StakeRow(
                opponent.player.name,
                format_change(board, stake.before, stake.won, stake.decimals),
                format_change(board, stake.before, stake.lost, stake.decimals),
            )
            for opponent, stake in zip(example.opponents, stakes, strict=True)
            if stake is not None
        ),
        correction_url=revision_address(board.league, board.season, example.correction.number)
        if example.correction
        else "",
    )
