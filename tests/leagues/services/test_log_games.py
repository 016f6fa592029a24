"""Which sessions of a log are games, and why others are none."""

from __future__ import annotations

import pytest

from leagues.services.log_games import NO_TEAM_SCORE, LeftOut, LoggedGame, game_of
from tests.ratings.gamelogs.logs import only, read
from tests.ratings.gamelogs.test_half_life import kill, log

RED, BLUE = '"Ana<2><[U:1:11]><Red>"', '"Bo<3><[U:1:12]><Blue>"'


def game_with(*scores: str) -> LoggedGame | LeftOut:
    over = 'World triggered "Game_Over" reason "Reached Win Limit"'
    said = log('World triggered "Round_Start"', kill(RED, BLUE), over, *scores)
    return game_of(only(read(said)), 1, with_bots=False, with_broken_off=False)


@pytest.mark.parametrize("team", ["Red", "Blue"])
def test_a_score_is_never_compared_with_frags_of_another_team(team: str) -> None:
    assert game_with(f'Team "{team}" final score "2" with "1" players') == NO_TEAM_SCORE


def test_a_game_of_teams_has_the_scores_that_its_log_states() -> None:
    game = game_with('Team "Red" final score "2"', 'Team "Blue" final score "7"')
    assert isinstance(game, LoggedGame)
    assert [(side.rank, side.score) for side in game.sides] == [(1, 7), (2, 2)]
