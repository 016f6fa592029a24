"""A club and its organizer's browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from django.test import Client

    from leagues.models import League
    from tests.leagues.imports.sender import Sender


@pytest.fixture
def club(db: None) -> League:
    # Models can be imported only when Django is set up, which is after this file is.
    from tests.leagues.people import make_user
    from tests.leagues.play import new_club

    return new_club(owner=make_user("kim"))


@pytest.fixture
def kim(client: Client, club: League) -> Sender:
    from tests.leagues.imports.sender import Sender

    client.force_login(club.memberships.get().user)
    return Sender(client, club)
