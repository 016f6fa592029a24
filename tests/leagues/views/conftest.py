"""A league with a result, and its organizer at the page of a night sheet."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.leagues.shared_rows import read_anew

if TYPE_CHECKING:
    from django.test import Client

    from leagues.models import League, Mode
    from tests.leagues.views.desk import Desk


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    """Ana Ruiz and Bo Li have met once; tests of other leagues have their own."""
    # Models can be imported only when Django is set up, which is after this file is.
    from tests.leagues.people import make_user
    from tests.leagues.play import START, new_club, record, result

    league = new_club(owner=make_user("kim"))
    record(league, result(league, "Ana Ruiz", "Bo Li", at=START - timedelta(days=9)))
    return league


club = read_anew("built_club")


@pytest.fixture
def kim(client: Client, club: League) -> Desk:
    """The first member of the league, with an empty sheet."""
    from tests.leagues.views.desk import Desk

    client.force_login(club.memberships.get().user)
    return Desk(client, club)


@pytest.fixture
def organizer(client: Client, club: League) -> Client:
    """A browser in which the only member of the league is signed in."""
    client.force_login(club.memberships.get().user)
    return client


@pytest.fixture
def doubles(club: League) -> Mode:
    """Something else to play in the league, for two teams."""
    from leagues.models import Mode
    from leagues.services.leagues import add_mode

    return add_mode(league=club, name="Doubles", actor=None, played_by=Mode.PlayedBy.TWO_TEAMS)
