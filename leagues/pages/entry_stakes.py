"""What is at stake for two players before their result is entered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.urls import reverse

from leagues import bridge
from leagues.domain.civil_days import day_of
from leagues.domain.named_weights import USUAL_WEIGHT, usual_kind
from leagues.domain.who_plays import form_shape_of
from leagues.models import Board, Match, Mode, Player
from leagues.pages.match_kinds import kind_and_weight
from leagues.pages.matches import Side
from leagues.pages.player_head import StakeLine, stake_words
from leagues.pages.sides import join_names
from leagues.selectors.standing_rows import standing_of


@dataclass(frozen=True, slots=True)
class EntryStake:
    """A player, and what each outcome of the match would change."""

    name: str
    stake: StakeLine
    kind: str = ""
    """The kind of match with its weight, where the mode has some."""


def entry_stakes(
    board: Board, one: Player, other: Player, now: datetime, *, handicap: int = 0
) -> tuple[EntryStake, ...]:
    """The stakes of two players against each other, where the system knows any.

    `handicap` is what the first is given.
    """
    if one.pk == other.pk:
        return ()
    own, rival = (standing_of(board, player) or player for player in (one, other))
    kinds = _kinds(board.mode)
    weights = [weight for _kind, weight in kinds]
    pairs = bridge.stakes_between(board, own, rival, now, weights, handicap=handicap)
    return tuple(
        EntryStake(player.name, stake_words(board, effect), kind)
        for (kind, _weight), pair in zip(kinds, pairs, strict=True)
        for player, effect in zip((one, other), pair, strict=True)
        if effect is not None
    )


def _kinds(mode: Mode) -> list[tuple[str, float]]:
    """The kinds of match from which one is chosen, in words and with their weights."""
    kinds = [(kind_and_weight(kind), kind.weight) for kind in mode.weights]
    return kinds if usual_kind(mode.weights) else [("", USUAL_WEIGHT), *kinds]


def again_address(match: Match, sides: Sequence[Side]) -> str:
    """The address of a form with the players of a match."""
    return _again(match, match.mode, shape=form_shape_of([len(side.members) for side in sides]))


def reentry_address(match: Match, modes: Iterable[Mode]) -> str:
    """The address of a form for a match that is recorded in the wrong mode; empty without others.

    `modes` are those of the league. Of several others the reader chooses one there.
    """
    others = [mode for mode in modes if mode.pk != match.mode_id]
    if not others:
        return ""
    day = day_of(match.played_at, match.league.zone)
    return _again(match, others[0] if len(others) == 1 else match.mode, on=day.isoformat())


def _again(match: Match, mode: Mode, **more: str) -> str:
    words = {"season": match.season.slug, "mode": mode.slug, "again": match.seq, **more}
    return f"{reverse('leagues:enter', args=[match.league.slug])}?{urlencode(words)}"


def entry_address(board: Board, player: Player, me: Player | None) -> str:
    """The address of a form with a player, and the viewer where that is somebody else."""
    words = {"mode": board.mode.slug, "a": player.key}
    if me is not None and me.pk != player.pk:
        words |= {"a": me.key, "b": player.key}
    return f"{reverse('leagues:enter', args=[board.league.slug])}?{urlencode(words)}"


def even_address(board: Board, keys: Sequence[Sequence[str]], handicap: int) -> str:
    """The address of a form with two sides and the handicap that makes their match even."""
    words: dict[str, str] = {"season": board.season.slug, "mode": board.mode.slug}
    words["shape"] = form_shape_of([len(side) for side in keys])
    words |= {letter: join_names(side) for letter, side in zip("ab", keys, strict=True)}
    if handicap:
        words["handicap_one" if handicap > 0 else "handicap_two"] = str(abs(handicap))
    return f"{reverse('leagues:enter', args=[board.league.slug])}?{urlencode(words)}"
