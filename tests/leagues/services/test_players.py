"""Players: one per name and key, whoever brings them and however many at once."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from leagues.models import Player, PlayerAlias
from leagues.services.errors import Refused
from leagues.services.players import ensure_player, rename_player
from leagues.services.rosters import key_of_name
from tests.leagues.play import new_club


def test_keys_of_plain_names_read_as_the_names():
    assert key_of_name("  Ana   RUIZ ") == "ana-ruiz"


@pytest.mark.parametrize(
    ("one", "other"), [("Ana Ruiz", "Ana-Ruiz"), ("Müller", "Muller"), ("이건우", "이규호")]
)
def test_names_that_only_look_alike_have_keys_of_their_own(one, other):
    assert key_of_name(one) != key_of_name(other)
    assert key_of_name(one) == key_of_name(one.upper())


@pytest.mark.django_db
def test_a_renamed_player_is_found_by_both_names():
    club = new_club()
    player = ensure_player(league=club, name="Ana Ruiz")
    rename_player(player=player, name="Ana Ruiz-Meyer", actor=None)
    assert ensure_player(league=club, name="ana ruiz") == player
    assert ensure_player(league=club, name="Ana Ruiz-Meyer") == player
    assert PlayerAlias.objects.get().name == "Ana Ruiz"


@pytest.mark.django_db
def test_a_name_that_somebody_bears_is_not_given_twice():
    club = new_club()
    ensure_player(league=club, name="Ana")
    other = ensure_player(league=club, name="Bo")
    with pytest.raises(Refused) as caught:
        rename_player(player=other, name="ANA", actor=None)
    assert caught.value.codes == {"name_taken"}


@pytest.mark.django_db(transaction=True)
def test_two_at_once_who_bring_the_same_newcomer_bring_one_player():
    club = new_club()
    barrier = threading.Barrier(2)
    made: list[int] = []

    def bring() -> None:
        barrier.wait()
        try:
            made.append(ensure_player(league=club, name="Zoe").pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=bring) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 1
    assert len(made) == 2
    assert Player.objects.filter(league=club).count() == 1
