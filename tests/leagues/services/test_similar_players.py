"""Whom names may mean: the index finds the same as a comparison with everybody."""

from __future__ import annotations

import csv
import gzip
import random
from pathlib import Path

import pytest

from leagues.models import League, PlayerAlias
from leagues.services import likeness
from leagues.services.rosters import insert_players, new_player
from ratings.files.names import fold_name
from tests.leagues.play import new_club
from tests.shared_data import shared_data

FIRST = ("Abe", "Ann-Kristin", "Bo", "Daniel", "Daniela", "Håkon", "Jürgen", "Maks", "Zoë", "Ян")
LAST = ("Berg", "Bergs", "Burg", "B.", "Lindqvist", "Novák", "Nováková", "Ó Briain", "Team 2", "")
OTHERS = ("!!!", "李", "X Æ A-12", "Team 12", "mh", "MH", "then Bo", "Maria Ann Berg", "Bo Berg 2")


def _club_names() -> list[str]:
    return [*(f"{one} {other}".strip() for one in FIRST for other in LAST), *OTHERS]


def _names_in(path: Path, columns: tuple[str, ...], most: int) -> list[str]:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
    names = {row[column] for row in csv.DictReader(text.splitlines()) for column in columns}
    return random.Random(7).sample(sorted(names), min(most, len(names)))


def _slips(name: str, chance: random.Random) -> set[str]:
    """A name as people write it: short, turned round, with a slip, as initials, behind a word."""
    words, at = name.split(), chance.randrange(len(name))
    return {
        *(words[0], words[-1], words[-1].lower(), f"then {words[0]}", f"{words[0]} 2"),
        *(" ".join(reversed(words)), "".join(word[0] for word in words), f"{words[0]} Xyz"),
        *(name[:at] + name[at + 1 :], name[:at] + name[at : at + 2][::-1] + name[at + 2 :]),
        *(name[:at] + "e" + name[at:], words[0][:4], f"{words[0][:1]}. {words[-1]}"),
    } - {""}


def _assert_same(league: League, names: list[str]) -> None:
    """Compare what the index finds for slips of some names with a walk through everybody."""
    chance = random.Random(5)
    asked = sorted({slip for name in names for slip in _slips(name, chance)})
    present = names[::9]
    players = likeness._comparable(league.players.listed())
    everyone = [*players, *likeness._spellings(league)]
    here = {fold_name(name) for name in present}
    walked = likeness._present_first(everyone, here)
    found = likeness.similar_players(league, asked, present, knows_spellings=True)
    assert found == {name: likeness._most_alike(name, walked) for name in asked}
    assert sum(map(bool, found.values())) > len(asked) / 3


def _league_of(names: list[str]) -> League:
    league = new_club()
    rows = [new_player(league=league, name=name, key=f"p{at}") for at, name in enumerate(names)]
    insert_players(rows)
    for player in league.players.all()[::7]:
        name = f"{player.name[:5]} Alias {player.pk}"
        PlayerAlias.objects.create(league=league, player=player, name=name, folded=fold_name(name))
    return league


@pytest.mark.django_db
def test_the_same_players_are_found_as_by_comparing_with_everybody() -> None:
    names = _club_names()
    _assert_same(_league_of(names), [*names, "Nobody Else"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("file", "columns"),
    [
        ("club/ntnu_table_tennis.csv", ("player1", "player2")),
        ("tennis/atp_singles.csv.gz", ("winner_name", "loser_name")),
    ],
)
def test_the_same_players_are_found_among_real_names(file: str, columns: tuple[str, ...]) -> None:
    names = _names_in(shared_data(file), columns, 300)
    _assert_same(_league_of(names), names[:60])
