"""The demo league: invented players and two seasons of simulated results, the same every time.

It shows what happens in leagues: nights entered by two organizers, singles and doubles, a walkover,
a late result, a correction that moved others, somebody inactive, and somebody not ranked yet.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from math import fsum
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from leagues.domain.civil_days import day_of
from leagues.models import League, Match, Mode, Player, Season
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
from leagues.services.leagues import (
    add_board,
    create_league,
    create_season,
    ensure_boards,
    ensure_mode,
)
from leagues.services.matches import correct_match, record_matches
from leagues.services.players import ensure_player
from leagues.services.seasons import Step, take_step
from leagues.services.stored_drafts import draft_of
from leagues.services.trials import request_backtest

SEED = 1859
ZONE = "Europe/London"
NIGHTS = 11
MATCHES_A_NIGHT = 34
GOALS = 7
MORE_SYSTEMS = ("trueskill", "ladder")
"""Beside the default ones, so that the boards differ in kind."""
NAMES = (
    "Bo Lindqvist", "Ana Ruiz", "Cy Adeyemi", "Farah Siddiqui", "Emil Novák", "Dina Haddad",
    "Ivo Petrov", "Mira Okonjo", "Jun Park", "Kim Varga", "Tess Molina", "Pau Ferrer",
    "Gus Oyelaran", "Hanne Dahl", "Luca Bianchi", "Noor Rahman", "Oskar Weiss", "Priya Nair",
    "Quinn Doyle", "Rosa Teixeira", "Sven Aalto", "Uma Krishnan", "Vera Sokolova",
)  # fmt: skip


KIM, ROSA = "demo: Kim Varga", "demo: Rosa Teixeira"
"""Who enters results, as sources of revisions: the demo has organizers and no accounts."""
AWAY, NEWCOMER = "Walter Brandt", "Yara Lopes"
INACTIVE_DAYS = 60
DOUBLES_A_NIGHT = 8
LATE = timedelta(weeks=2)
"""How long before the last night a result was forgotten, and another one entered wrongly."""
WRONG = 7
"""The number, on its night, of the match that is corrected."""


@transaction.atomic
def create_demo(*, now: datetime | None = None) -> League:
    """Create the demo league with its last club night shortly before `now`."""
    now = now or timezone.now()
    league = create_league(
        name="Tideway Table Football",
        slug="demo",
        description="A league of invented players with simulated results, to look around in.",
        time_zone=ZONE,
        mode="Singles",
        played_by=Mode.PlayedBy.TWO_PLAYERS,
        season=_season_name(now.date()),
        active_days=INACTIVE_DAYS,
    )
    League.objects.filter(pk=league.pk).update(is_demo=True)
    singles = league.modes.get()
    present = league.seasons.get()
    for system in MORE_SYSTEMS:
        add_board(season=present, mode=singles, system=system)
    doubles = ensure_mode(league=league, name="Doubles", played_by=Mode.PlayedBy.TWO_TEAMS)
    ensure_boards(season=present, mode=doubles)
    last_night = _last_thursday(now)
    chance = random.Random(SEED)
    skills = {ensure_player(league=league, name=name): chance.gauss(0.0, 1.0) for name in NAMES}
    first = last_night - timedelta(weeks=3 * NIGHTS)
    former = create_season(
        league=league,
        name=_season_name(first),
        starts_at=league.midnight(first),
        ends_at=league.midnight(first + timedelta(weeks=NIGHTS)),
    )
    regulars = list(skills)[:20]
    _play(former, singles, first, {player: skills[player] for player in regulars}, chance)
    # It is sealed as soon as its results are rated.
    take_step(former, Step.CLOSE, actor=None, now=now)
    take_step(former, Step.SEAL, actor=None, now=now)
    begin = last_night - timedelta(weeks=NIGHTS - 1)
    Season.objects.filter(pk=present.pk).update(starts_at=league.midnight(begin), follows=former)
    present.refresh_from_db()
    _play(present, singles, begin, skills, chance)
    _play_doubles(present, doubles, last_night, skills)
    _show_what_happens_in_leagues(present, singles, begin, last_night, skills)
    request_backtest(season=present, mode=singles)
    league.refresh_from_db()
    return league


def _play(
    season: Season,
    mode: Mode,
    first: date,
    skills: dict[Player, float],
    chance: random.Random,
) -> None:
    """Nights of singles, entered by the two organizers in turn."""
    for week in range(NIGHTS):
        night = first + timedelta(weeks=week)
        present = chance.sample(list(skills), k=round(0.7 * len(skills)))
        drafts = []
        for number in range(MATCHES_A_NIGHT):
            one, other = chance.sample(present, k=2)
            drafts.append(_match(night, number, [one], [other], skills, chance))
        _enter(season, mode, drafts, night, KIM if week % 2 else ROSA)


def _play_doubles(
    season: Season, mode: Mode, last_night: date, skills: dict[Player, float]
) -> None:
    """Eight nights of doubles."""
    chance = random.Random(SEED + 1)
    for week in range(8):
        night = last_night - timedelta(weeks=7 - week)
        drafts = []
        for number in range(DOUBLES_A_NIGHT):
            four = chance.sample(list(skills)[:14], k=4)
            drafts.append(_match(night, number, four[:2], four[2:], skills, chance, "doubles"))
        _enter(season, mode, drafts, night, ROSA)


def _show_what_happens_in_leagues(
    season: Season, mode: Mode, begin: date, last_night: date, skills: dict[Player, float]
) -> None:
    """A player who stayed away, a newcomer, a walkover and a late result."""
    chance = random.Random(SEED + 2)
    league = season.league
    regulars = list(skills)
    known = {
        **skills,
        ensure_player(league=league, name=AWAY): 0.5,
        ensure_player(league=league, name=NEWCOMER): 0.3,
    }
    *_others, away, newcomer = known
    early = [_match(begin, n, [away], [regulars[n]], known, chance, "early") for n in range(6)]
    _enter(season, mode, early, begin, KIM)
    new = [_match(last_night, n, [newcomer], [regulars[n]], known, chance, "new") for n in range(3)]
    walkover = replace(
        _match(last_night, 3, [regulars[3]], [regulars[9]], known, chance, "new"),
        kind=Match.Kind.WALKOVER,
    )
    winner, loser = (replace(side, score=None) for side in walkover.sides)
    sides = (replace(winner, rank=1), replace(loser, rank=2))
    _enter(season, mode, [*new, replace(walkover, sides=sides)], last_night, KIM)
    late_night = last_night - LATE
    late = _match(late_night, 40, [regulars[5]], [regulars[2]], known, chance, "late")
    _enter(season, mode, [late], late_night + timedelta(days=5), ROSA)


def correct_demo(league: League) -> None:
    """Correct a result of the demo, once its ratings are computed: so the correction moves them."""
    season = league.seasons.get(state=Season.State.OPEN)
    night = day_of(season.matches.latest("played_at").played_at, league.zone) - LATE
    wrong = season.matches.get(external_id=f"{night:%Y%m%d}-{WRONG}")
    draft = draft_of(wrong)
    one, other = draft.sides
    turned = (
        replace(one, rank=other.rank, score=other.score),
        replace(other, rank=one.rank, score=one.score),
    )
    correct_match(
        match=wrong,
        draft=replace(draft, sides=turned),
        expected_version=wrong.version,
        author=None,
        reason="The score was entered the wrong way round.",
        source=KIM,
        at=_evening(night + timedelta(days=6)),
    )


def _enter(season: Season, mode: Mode, drafts: list[MatchDraft], day: date, who: str) -> None:
    record_matches(season=season, mode=mode, drafts=drafts, source=who, at=_evening(day))


def _evening(day: date) -> datetime:
    return datetime.combine(day, time(22, 30), tzinfo=ZoneInfo(ZONE))


def _match(
    night: date,
    number: int,
    one: Sequence[Player],
    other: Sequence[Player],
    skills: dict[Player, float],
    chance: random.Random,
    what: str = "",
) -> MatchDraft:
    """A simulated match of two sides; `what` and `number` name it among those of its night."""
    ahead = fsum(skills[player] for player in other) - fsum(skills[player] for player in one)
    share = 1.0 / (1.0 + 10.0 ** (ahead * 0.16 / len(one)))
    goals = [0, 0]
    while max(goals) < GOALS and sum(goals) < 2 * GOALS - 2:
        goals[0 if chance.random() < share else 1] += 1
    started = datetime.combine(night, time(19, 0), tzinfo=ZoneInfo(ZONE))
    return MatchDraft(
        played_at=started + timedelta(minutes=5 * number),
        sides=tuple(
            SideDraft(
                rank=1 if mine >= theirs else 2,
                members=tuple(MemberDraft(player) for player in side),
                score=mine,
            )
            for side, mine, theirs in ((one, goals[0], goals[1]), (other, goals[1], goals[0]))
        ),
        external_id=f"{night:%Y%m%d}-{what}{number}",
    )


def _last_thursday(now: datetime) -> date:
    yesterday = day_of(now, ZoneInfo(ZONE)) - timedelta(days=1)
    return yesterday - timedelta(days=(yesterday.weekday() - 3) % 7)


def _season_name(day: date) -> str:
    return f"{('Winter', 'Spring', 'Summer', 'Autumn')[(day.month % 12) // 3]} {day.year}"
