"""Groups and other names of players are right, whoever adds and removes them at the same time."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction

from leagues.models import AuditEntry, League, Player, PlayerAlias
from leagues.services.audit import append_all
from leagues.services.player_changes import PlayerChange, write_changes
from leagues.services.player_groups import set_groups
from leagues.services.spellings import REMEMBERED, Spelling, insert_spellings, spelling_entry
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


@pytest.mark.skipif(
    connection.vendor == "sqlite", reason="SQLite lets one transaction write at a time"
)
def test_a_name_that_a_file_and_somebody_add_at_once_is_added_once() -> None:
    league = new_club()
    record(league, result(league, "Ana", "Bo"))
    ana, bo = (league.players.get(key=key) for key in ("ana", "bo"))
    names = {"Annie": Spelling("ana"), "Bobby": Spelling("bo")}
    changes = [
        PlayerChange(bo, {"club": ""}, {"club": "Hill"}, {"Bobby": names["Bobby"]}),
        PlayerChange(ana, {}, {}, {"Annie": names["Annie"]}),
    ]
    failures: list[Exception] = []

    def write() -> None:
        try:
            with transaction.atomic():
                write_changes(league, changes, mark="autumn/2", actor=None)
        except Exception as failure:
            failures.append(failure)
        finally:
            connection.close()

    writer = threading.Thread(target=write)
    with transaction.atomic():
        (alias,) = insert_spellings(league, {"Annie": names["Annie"]})
        writer.start()
        # It has written the group, and then waits for whoever adds the same name.
        writer.join(1)
        assert writer.is_alive()
        append_all(league, [spelling_entry(REMEMBERED, ana, alias, None)])
    writer.join()
    assert not failures
    assert set(PlayerAlias.objects.values_list("name", flat=True)) == {"Annie", "Bobby"}
    added = AuditEntry.objects.filter(action=REMEMBERED).order_by("number")
    assert [entry.subject for entry in added] == ["ana", "bo"]
