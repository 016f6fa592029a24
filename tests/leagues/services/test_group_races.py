"""Whether a league has groups is right, whoever adds and removes them at the same time."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction

from leagues.models import League, Player
from leagues.services.player_groups import set_groups
from tests.leagues.play import new_club, record, result

pytestmark = pytest.mark.django_db(transaction=True)


def give(key: str, club: str) -> None:
    set_groups(player=Player.objects.get(key=key), groups={"club": club}, actor=None)


@pytest.mark.skipif(
    connection.vendor == "sqlite", reason="SQLite lets one transaction write at a time"
)
def test_a_group_added_while_the_last_one_is_removed_is_known() -> None:
    league = new_club()
    record(league, result(league, "Ana", "Bo"))
    give("ana", "Hill")

    def remove() -> None:
        try:
            give("ana", "")
        finally:
            connection.close()

    remover = threading.Thread(target=remove)
    with transaction.atomic():
        give("bo", "Riverside")
        remover.start()
        # It has removed its own, and then waits for whoever holds the league.
        remover.join(1)
        assert remover.is_alive()
    remover.join()
    assert League.objects.get(pk=league.pk).has_groups
