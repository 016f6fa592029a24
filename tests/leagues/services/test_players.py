"""Players: one per name and key, whoever brings them and however many at once."""

from __future__ import annotations

import re
import threading

import pytest
from django.db import connection

from leagues.models import Player, PlayerAlias
from leagues.services.errors import Refused
from leagues.services.players import ensure_player, rename_player
from leagues.services.rosters import hashed_key, key_of_name
from tests.leagues.play import new_club


def test_keys_of_plain_names_read_as_the_names():
    assert key_of_name("  Ana   RUIZ ") == "ana-ruiz"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Øystein", "oystein"),
        ("Harald Lønsethagen", "harald-lonsethagen"),
        ("Jürgen Müller", "jurgen-muller"),
        ("Ulf Großmann", "ulf-grossmann"),
        ("Ægir Þórðarson", "aegir-thordarson"),
        ("Łukasz Đokić", "lukasz-dokic"),
        ("Thomas H.", "thomas-h"),
        ("Sean O’Brien", "sean-o-brien"),
    ],
)
def test_keys_of_names_with_accents_are_their_plain_letters(name, key):
    assert key_of_name(name) == key_of_name(name.upper()) == key


@pytest.mark.parametrize("name", ["이건우", "Иван", "山田 Taro", "!?", "a" * 65])
def test_names_that_would_lose_letters_are_told_apart_by_a_hash(name):
    assert re.search(r"-[0-9a-f]{8}$", key_of_name(name))
    assert key_of_name(name) != key_of_name(f"{name}이")


@pytest.mark.django_db
def test_names_of_the_same_letters_are_players_of_their_own():
    club = new_club()
    players = [ensure_player(league=club, name=name) for name in ("Ana Ruiz", "Ána Ruiz")]
    assert [player.key for player in players] == ["ana-ruiz", "ana-ruiz-2"]
    assert [ensure_player(league=club, name=player.name) for player in players] == players


@pytest.mark.django_db
@pytest.mark.parametrize("is_listed", [True, False])
def test_a_player_keeps_the_key_that_was_made_from_the_name_in_former_days(is_listed):
    club = new_club()
    key = hashed_key("jürgen müller")
    Player.objects.create(
        league=club, key=key, name="Jürgen Müller", folded="jürgen müller", is_listed=is_listed
    )
    assert ensure_player(league=club, name="Jürgen Müller").key == key
    assert Player.objects.listed().get(league=club).key == key


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
@pytest.mark.parametrize("names", [("Zoe", "Zoe"), ("Zoe", "Zoë")])
def test_two_at_once_bring_one_player_of_each_name(names):
    club = new_club()
    barrier = threading.Barrier(2)
    made: list[Player] = []

    def bring(name: str) -> None:
        barrier.wait()
        try:
            made.append(ensure_player(league=club, name=name))
        finally:
            connection.close()

    threads = [threading.Thread(target=bring, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(player.name for player in made) == sorted(names)
    assert len({player.pk for player in made}) == len(set(names))
    assert Player.objects.filter(league=club).count() == len(set(names))
