"""The check values of the shared logs, as they must stand in a league that imported them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from leagues.models import League, Match, MatchEvent

BOTS: Final = " (100)"
"""How the names of the bots of a server end."""
KILLS: Final = ("frag", "team-kill")
DEATHS: Final = (*KILLS, "suicide", "world-death")


@dataclass(frozen=True, slots=True)
class Found:
    """What stands in a file: games, deaths, and other events by kind."""

    games: int
    deaths: int
    kinds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stored:
    """A game as a match: scores by rank, and kills and deaths of players by the ends of names."""

    map: str
    """Empty where the log does not name it."""
    scores: tuple[int, ...] = ()
    own_scores: tuple[int, ...] = ()
    kills: int | None = None
    """By others."""
    deaths: int | None = None
    kinds: Mapping[str, int] = field(default_factory=dict)
    killers: Mapping[str, int] = field(default_factory=dict)
    died: Mapping[str, int] = field(default_factory=dict)
    players: int | None = None
    started: str = ""


FOUND: Final[Mapping[str, Found]] = {
    "quake/baseq3_bots.log": Found(1, 19, {"suicide": 3}),
    "quake/baseq3_warmups.log": Found(3, 0),
    "quake/jka_jappfz.log": Found(14, 0),
    "quake/osp_ffa_1.log": Found(1, 31, {"suicide": 1}),
    "quake/osp_ffa_2.log": Found(1, 393, {"world-death": 16, "suicide": 18}),
    "quake/osp_ffa_office.log": Found(22, 1437, {"world-death": 25, "suicide": 46}),
    # One of the kill lines is a change of team.
    "quake/osp_vsp.log": Found(13, 303 - 1, {"world-death": 65, "suicide": 5 - 1}),
    "quake/osp_warmups.log": Found(3, 0),
    "quake/qgames.log": Found(21, 1069, {"world-death": 240, "suicide": 61}),
    # 25 of them are.
    "quake/urt_ctf_lan.log": Found(
        74, 4548 - 25, {"world-death": 47, "suicide": 27 - 25, "capture": 177}
    ),
    "gamelogs/openarena/oa_insta_ctf.log": Found(2, 471, {"world-death": 1, "capture": 14}),
    "gamelogs/openarena/oa_office_ffa.log": Found(55, 3457, {"world-death": 268, "suicide": 96}),
    # Kills by others and of each other: suicides and deaths by the world are no kill lines there.
    "gamelogs/source/csgo_nuel_overpass.log": Found(9, 258 + 3 + 4, {"frag": 258}),
    "gamelogs/source/csgo_nuel_train.log": Found(7, 259 + 1 + 2, {"frag": 256, "team-kill": 3}),
    "gamelogs/source/cs16_podbot_udp.log": Found(2, 86),
    "gamelogs/source/tf2_ctf_doublecross.log": Found(2, 245, {"capture": 9}),
    "gamelogs/source/tf2_badlands_2halves.log": Found(3, 646, {"round-won": 6}),
    "gamelogs/source/tf2_koth_viaduct.log": Found(2, 461, {"round-won": 4}),
    "gamelogs/source/tf2_truncated_corrupt.log": Found(2, 7 + 3),
    "gamelogs/cod/cod4_games_mp.log": Found(306, 2159, {"world-death": 371}),
    "gamelogs/cod/cod4_efaya_games_mp.log": Found(258, 364, {"world-death": 142}),
    "gamelogs/quakeworld/qw_1on1_bravado.json": Found(1, 0),
    "gamelogs/quakeworld/qw_4on4_dm3.json": Found(1, 0),
    "gamelogs/quakeworld/qw_ctf_ctf5.json": Found(1, 0),
    "gamelogs/ut99/ut99_2019.07.08.14.16.47.log": Found(1, 122, {"suicide": 8}),
    "gamelogs/ut99/ut99_2019.07.09.13.56.14.log": Found(1, 236, {"suicide": 12}),
    # Without those who left the team or the game, and the kill of a killer who had left.
    "gamelogs/teeworlds/tw_06_changename.log": Found(1, 4 - 4),
    "gamelogs/teeworlds/tw_06_flag_cap.log": Found(1, 1 - 1, {"capture": 1}),
    "gamelogs/teeworlds/tw_06_high_hex_ids.log": Found(1, 20 - 17),
    "gamelogs/teeworlds/tw_07_end_spree_by_left.log": Found(1, 18 - 3 - 1),
    "gamelogs/teeworlds/tw_075_new_id_format.log": Found(1, 1 - 1),
    "gamelogs/xonotic/xonotic_end_of_match_blocks.log": Found(2, 0),
}

STORED: Final = (
    Stored(
        map="de_overpass",
        scores=(16, 14),
        kills=195,
        kinds={"team-kill": 0, "world-death": 2},
        killers={"Tobz": 31, "m_fx ☻": 26, "Enigma": 23},
        died={"Tobz": 15, "m_fx ☻": 21, "Enigma": 21},
        players=10,
        started="2018-02-24T16:01:13",
    ),
    Stored(
        map="de_train",
        scores=(16, 5),
        kills=135,
        kinds={"team-kill": 1},
        killers={"OriginalG x": 22, "oaK": 4},
        died={"OriginalG x": 6, "oaK": 17},
        started="2018-02-24T17:21:18",
    ),
    Stored(
        map="de_falling2",
        scores=(15, 4),
        kills=86,
        killers={"DaTa": 20},
        died={"DaTa": 10},
        players=7,
    ),
    Stored(
        map="",
        scores=(7, 2),
        kills=184,
        kinds={"capture": 9},
        killers={"Kellah": 29},
        died={"Kellah": 12},
        started="2011-01-24T18:38:09",
    ),
    Stored(
        map="",
        scores=(4, 0),
        kills=366,
        killers={"brown magic": 44},
        died={"brown magic": 13},
    ),
    Stored(
        map="mp_toysoldiers",
        deaths=176,
        killers={
            "Flo": 47,
            "P-A": 42,
            "Justin Bieber": 18,
            "ROBERT": 15,
            "Jonny": 14,
            "LadyGaga": 13,
            "HarpienKill": 8,
        },
    ),
    Stored(
        map="ps9ctf",
        scores=(8, 6),
        own_scores=(200, 196, 121, 115, 102, 89, 30),
        kinds={"capture": 14},
    ),
    Stored(map="bravado", scores=(34, 11)),
    Stored(map="dm3", scores=(199, 193)),
    Stored(map="ctf5", scores=(670, 96)),
    Stored(map="darkzone", scores=(30, 29, 21)),
    Stored(map="stormkeep", scores=(2, -1)),
)


def assert_stored(league: League) -> None:
    """Every check value of a game that is imported stands in one of the matches."""
    problems = []
    for expected in STORED:
        games = [_as_stored(match, expected) for match in league_matches(league, expected.map)]
        if expected not in games:
            problems.append((expected, games))
    assert problems == []


def league_matches(league: League, game_map: str) -> Iterable[Match]:
    return Match.objects.filter(league=league, detail=game_map).select_related("league")


def _as_stored(match: Match, expected: Stored) -> Stored:
    """What a match says of what is expected of it."""
    people = match.participants.select_related("player").order_by("rank", "-own_score")
    events = list(match.events.select_related("player", "opponent"))
    kinds = Counter(event.kind for event in events)
    killers = Counter(event.player.name for event in events if event.kind in KILLS)
    died = Counter(_who_died(event) for event in events if event.kind in DEATHS)
    scores = {one.side: one.score for one in people}
    own = sorted((one.own_score for one in people if one.own_score is not None), reverse=True)
    zone = match.league.zone
    return Stored(
        map=match.detail,
        scores=tuple(score for score in scores.values() if score is not None)
        if expected.scores
        else (),
        own_scores=tuple(own[: len(expected.own_scores)]),
        kills=sum(kinds[kind] for kind in KILLS) if expected.kills is not None else None,
        deaths=sum(kinds[kind] for kind in DEATHS) if expected.deaths is not None else None,
        kinds={kind: kinds[kind] for kind in expected.kinds},
        killers={who: killers[_name(killers, who)] for who in expected.killers},
        died={who: died[_name(died, who)] for who in expected.died},
        players=len(people) if expected.players is not None else None,
        started=f"{match.played_at.astimezone(zone):%Y-%m-%dT%H:%M:%S}" if expected.started else "",
    )


def _who_died(event: MatchEvent) -> str:
    who = event.opponent if event.kind in KILLS else event.player
    return who.name if who is not None else ""


def _name(counts: Counter[str], end: str) -> str:
    """The name that ends so, however a league that knew it before writes it."""
    ends = end.casefold()
    return next((name for name in counts if name.removesuffix(BOTS).casefold().endswith(ends)), "")
