"""Seasons that are drafts: through the API too they are there for organizers alone."""

from __future__ import annotations

import pytest

from leagues.models import League, Season
from leagues.services.leagues import create_season
from leagues.services.trials import start_trial
from tests.leagues.api.calls import Caller, browser, program
from tests.leagues.people import join, make_user
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db

PATHS = (
    "seasons/spring/",
    "boards/spring/blitz-elo/rules/",
    "boards/spring/blitz-elo/standings/",
    "systems/spring/blitz/",
    "backtests/spring/blitz/",
    "standings/?season=spring",
    "matches/?season=spring",
    "revisions/?season=spring",
)


@pytest.fixture
def club() -> League:
    league = new_club(owner=make_user("organizer"))
    create_season(league=league, name="Spring", state=Season.State.DRAFT)
    return league


@pytest.mark.parametrize("path", PATHS)
def test_a_draft_is_to_others_like_a_season_that_is_not_there(club: League, path: str) -> None:
    scorer = make_user("scorer")
    join(club, scorer, "scorer")
    for caller in (Caller(), program(club, "results"), browser(scorer)):
        draft = caller.get(f"leagues/club/{path}")
        unknown = caller.get(f"leagues/club/{path.replace('spring', 'summer')}")
        assert draft.status_code in (400, 404)
        assert (draft.status_code, draft.content) == (unknown.status_code, unknown.content)


@pytest.mark.parametrize("path", [path for path in PATHS if "standings" not in path])
def test_organizers_see_the_drafts_of_their_league(club: League, path: str) -> None:
    caller = browser(club.memberships.get().user)
    assert caller.get(f"leagues/club/{path}").status_code == 200


def test_a_trial_of_a_draft_is_not_there_for_others(club: League) -> None:
    board = club.boards.get(season__slug="spring", system="elo")
    trial = start_trial(board=board, parameters=board.parameters, actor=None)
    organizer = browser(club.memberships.get().user)
    for address in (
        f"/api/v1/leagues/club/trials/{trial.pk}/",
        f"/l/club/systems/trials/{trial.pk}/",
    ):
        assert organizer.get(address).status_code == 200
        assert Caller().get(address).status_code == 404
