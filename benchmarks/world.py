"""A large league, written past the services."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction
from numpy.typing import NDArray

from benchmarks.generated import PLAYERS, generated_log, name_of
from leagues.models import League, Match, Membership, Mode, Participant, Player, Revision, Season
from leagues.services.leagues import create_league
from leagues.services.ratings import request_rating
from leagues.store.bulk import insert_rows, reserve_keys
from leagues.store.hashes import hash_player
from leagues.store.name_words import words_of

MATCHES = 200_000
NO_HASH = bytes(32)
"""Nobody verifies these results: hashing them would take longer than rating them."""
DAYS = 120


@dataclass(frozen=True, slots=True)
class World:
    """What is looked at."""

    league: League
    season: Season
    organizer: User
    busiest: str
    """Key of the player with the most matches."""
    rival: str
    days: tuple[datetime, ...]
    """The first instant and the last."""


def make_world(
    slug: str = "large", *, players: int = PLAYERS, matches: int = MATCHES, days_ago: int = 0
) -> World:
    """Write the league, its players and its results; its boards wait to be rated.

    The last result was played on the eve of today, or so many days before.
    """
    organizer = User.objects.create_user(f"organizer-{slug}")
    league = create_league(name=slug.title(), slug=slug, owner=organizer, mode="Duels")
    season, mode = league.seasons.get(), league.modes.get()
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    end, apart = today - timedelta(days=days_ago), timedelta(days=DAYS) / matches
    at = [end - timedelta(days=DAYS) + number * apart for number in range(matches)]
    pairs, drawn = _pairs(players, matches)
    with transaction.atomic():
        revision = Revision.objects.create(
            league=league, season=season, number=1, kind=Revision.Kind.IMPORT, source="bench"
        )
        Season.objects.filter(pk=season.pk).update(last_revision=1, last_seq=matches)
        player_ids = _write_players(league, players, today)
        match_ids = _write_matches(revision, mode, at, today)
        _write_participants(league, player_ids, match_ids, pairs, drawn)
        request_rating(season=season, mode_id=mode.pk)
    busiest = int(np.bincount(pairs.ravel()).argmax())
    Player.objects.filter(pk=player_ids[busiest]).update(user=organizer)
    Membership.objects.get_or_create(league=league, user=organizer, defaults={"role": "organizer"})
    return World(
        league=league,
        season=season,
        organizer=organizer,
        busiest=f"p{busiest:06d}",
        rival=f"p{int(pairs[pairs[:, 0] == busiest][0, 1]):06d}",
        days=(at[0], at[-1]),
    )


def _write_players(league: League, count: int, today: datetime) -> list[int]:
    players = list(reserve_keys(Player, count))
    insert_rows(
        Player,
        (
            *("id", "league_id", "key", "name", "folded", "words"),
            *("identity", "is_listed", "created_at"),
        ),
        (
            (
                player,
                league.pk,
                f"p{number:06d}",
                (name := name_of(number)),
                name.casefold(),
                words_of(name),
                hash_player(league.pk, f"p{number:06d}", None),
                True,
                today,
            )
            for number, player in enumerate(players)
        ),
    )
    return players


def _write_matches(
    revision: Revision, mode: Mode, at: Sequence[datetime], today: datetime
) -> list[int]:
    matches = list(reserve_keys(Match, len(at)))
    insert_rows(
        Match,
        (
            *("id", "league_id", "season_id", "mode_id", "seq", "played_at", "date_only"),
            *(
                "same_time_order",
                "kind",
                "status",
                "weight",
                "detail",
                "sets",
                "rungs_lost",
                "source",
                "payload_hash",
            ),
            *("content_hash", "version", "revision_id", "touched_in_revision", "recorded_at"),
        ),
        (
            (
                *(
                    match,
                    revision.league_id,
                    revision.season_id,
                    mode.pk,
                    number + 1,
                    at[number],
                    False,
                ),
                *(0, "played", "live", 1.0, "", "", 0, "bench", "", NO_HASH, 1),
                *(revision.pk, 1, today),
            )
            for number, match in enumerate(matches)
        ),
    )
    return matches


def _write_participants(
    league: League,
    players: Sequence[int],
    matches: Sequence[int],
    pairs: NDArray[np.int64],
    drawn: NDArray[np.bool_],
) -> None:
    insert_rows(
        Participant,
        ("league_id", "match_id", "player_id", "side", "rank", "handicap", "playing_share"),
        (
            (league.pk, match, players[pairs[number, side]], side, rank, 0, 1.0)
            for number, match in enumerate(matches)
            for side, rank in enumerate((1, 1 if drawn[number] else 2))
        ),
    )


def _pairs(players: int, matches: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return who beat whom, and where that was a draw: everybody once, then as they turn up."""
    random = np.random.default_rng(1)
    first = random.permutation(players).reshape(-1, 2)
    log = generated_log(matches - len(first), sides=2, size=1, players=players)
    rank = log.rank.reshape(-1, 2)
    order = np.argsort(rank, axis=1, kind="stable")
    rest = np.take_along_axis(log.player.reshape(-1, 2), order, axis=1)
    drawn = np.concatenate([np.zeros(len(first), bool), rank[:, 0] == rank[:, 1]])
    return np.concatenate([first, rest]), drawn
