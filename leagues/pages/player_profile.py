"""What all parts of a player's page share, read once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from leagues import bridge, wording
from leagues.bridge import Series, ShownValue
from leagues.domain.civil_days import day_of
from leagues.models import Board, Player, Standing
from leagues.models.match import is_met
from leagues.pages.boards import player_address
from leagues.pages.matches import match_of_point
from leagues.pages.starts import start_sentence
from leagues.pages.unrated import unrated_words
from leagues.selectors.encounters import (
    DRAWN,
    LOST,
    WON,
    PlayerMatch,
    encounters_of,
    rated_among,
    with_expectations,
)
from leagues.selectors.revisions import revised_ratings
from leagues.selectors.standings import Standings, present

MOST_ROWS = 100
"""Rows of the tables of opponents and revisions."""


def _same_in_all_seasons(board: Board, everywhere: Sequence[Board]) -> list[Board]:
    """A board and, of each other season, the one like it: by its name, else its system."""
    by_season = {board.season_id: board}
    for other in everywhere:
        is_like = (other.system, other.mode_id) == (board.system, board.mode_id)
        if is_like and (other.season_id not in by_season or other.slug == board.slug):
            by_season[other.season_id] = other
    by_season[board.season_id] = board
    return list(by_season.values())


def score_of(one: PlayerMatch) -> str:
    """The score from the player's side; without one, the place or a word."""
    if one.sides > 2:
        is_shared = any(met.rank == one.rank for met in one.opponents)
        return wording.place(one.rank, is_shared=is_shared)
    other = one.opponents[0].score
    if one.score is None or other is None:
        return {WON: _("won"), DRAWN: _("drew"), LOST: _("lost")}[one.outcome]
    return wording.tally(one.score, other)


class Profile:
    """A player as of one board; what the parts of the page share, read once."""

    def __init__(
        self,
        player: Player,
        board: Board,
        boards: Sequence[Board],
        everywhere: Sequence[Board],
        words: Mapping[str, str],
        now: datetime,
    ) -> None:
        self.player, self.board, self.boards, self.words, self.now = (
            player,
            board,
            boards,
            words,
            now,
        )
        self.zone = board.league.zone
        self.today = day_of(now, self.zone)
        self.moment = bridge.display_moment(board, now)
        line = _same_in_all_seasons(board, everywhere)
        ends = [other for other in boards if other not in line]
        self.all_series = bridge.read_series(line, player.pk, ends=ends)
        self.line = [self.all_series[one.pk] for one in line if one.pk in self.all_series]
        self.series = self.all_series.get(board.pk)
        self.standings: Standings = present(board, now)
        self.row = self.standings.row_of(player.pk)
        self.encounters = encounters_of(board, player.pk)
        expected = self.series.expectations() if self.series else {}
        self.rated = [one for one in rated_among(board, self.encounters) if one.seq in expected]
        with_expectations(self.rated, expected)
        left = [one.seq for one in self.encounters if one.has_left and one.is_live]
        seqs = [*(one.seq for one in self.rated), *left]
        self.where = self.series.of_matches(seqs) if self.series else {}
        self.revisions = revised_ratings(board, player, MOST_ROWS)
        self.start_sentence = start_sentence(board, player)

    def address(self, words: Mapping[str, str]) -> str:
        base = player_address(self.board, self.player.key)
        return f"{base}&{urlencode(words)}" if words else base

    def current_value(self) -> ShownValue:
        if self.row is not None:
            value = self.standings.value(self.row)
            return value if bridge.has_levels(self.board) else value._replace(level="")
        if self.series is not None:
            return self.series.at(len(self.series) - 1)
        return bridge.start_of(self.board, self.player.pk)

    def standing(self) -> Standing | None:
        return None if self.row is None else self.standings.standing(self.row, self.player)

    def day(self, at: datetime) -> str:
        return wording.day(day_of(at, self.zone), self.today)

    def dot_address(self, series: Series, index: int) -> str:
        """The address behind a dot of the chart: that of the match."""
        return match_of_point(series, index, self.player.key)

    def results_among(self, matches: Iterable[PlayerMatch]) -> list[PlayerMatch]:
        """The matches that have a result, or that the player has lost by leaving."""
        return [one for one in matches if is_met(one.kind) or one.has_left]

    def unrated_words(self, matches: Iterable[PlayerMatch]) -> str:
        """How many of some results the rating leaves out, and why; empty for none."""
        left_out = [one for one in self.results_among(matches) if one.seq not in self.where]
        reasons = ((one.status, one.kind) for one in left_out)
        is_behind = self.board.rated_through_revision < self.board.season.last_revision
        return unrated_words(reasons, is_behind=is_behind)

    def opponent_count(self) -> int:
        """The number of different opponents."""
        return len({other.player_id for one in self.rated for other in one.opponents})
