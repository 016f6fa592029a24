"""The demo league: invented players and two seasons of simulated results, the same every time."""

from __future__ import annotations

import random
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from leagues.domain.civil_days import day_of
from leagues.models import League, Mode, Player, Revision, Season
from leagues.services.drafts import MatchDraft, MemberDraft, SideDraft
from leagues.services.leagues import add_board, create_league, create_season
from leagues.services.matches import record_matches
from leagues.services.players import ensure_player
from leagues.services.seasons import Step, take_step
from leagues.services.trials import request_backtest

SEED = 1859
ZONE = "Europe/London"
NIGHTS = 11
MATCHES_A_NIGHT = 34
GOALS = 7
RANKED_AFTER = 5
MORE_SYSTEMS = ("trueskill", "ladder")
"""Beside the default ones, so that the boards differ in kind."""
NAMES = (
    "Bo Lindqvist", "Ana Ruiz", "Cy Adeyemi", "Farah Siddiqui", "Emil Novák", "Dina Haddad",
    "Ivo Petrov", "Mira Okonjo", "Jun Park", "Kim Varga", "Tess Molina", "Pau Ferrer",
    "Gus Oyelaran", "Hanne Dahl", "Luca Bianchi", "Noor Rahman", "Oskar Weiss", "Priya Nair",
    "Quinn Doyle", "Rosa Teixeira", "Sven Aalto", "Uma Krishnan", "Vera Sokolova",
)  # fmt: skip


@transaction.atomic
def create_demo(*, now: datetime | None = None) -> League:
    """Make the demo league with its last club night shortly before `now`."""
    now = now or timezone.now()
    league = create_league(
        name="Tideway Table Football",
        slug="demo",
        description="A league of invented players with simulated results, to look around in.",
        time_zone=ZONE,
        mode="Singles",
        season=_season_name(now.date()),
        ranked_after=RANKED_AFTER,
    )
    League.objects.filter(pk=league.pk).update(is_demo=True)
    mode = league.modes.get()
    present = league.seasons.get()
    for system in MORE_SYSTEMS:
        add_board(season=present, mode=mode, system=system)
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
    _play(former, mode, first, {player: skills[player] for player in regulars}, chance)
    # It is sealed as soon as its results are rated.
    take_step(former, Step.CLOSE, actor=None, now=now)
    take_step(former, Step.SEAL, actor=None, now=now)
    begin = last_night - timedelta(weeks=NIGHTS - 1)
    Season.objects.filter(pk=present.pk).update(starts_at=league.midnight(begin), follows=former)
    present.refresh_from_db()
    _play(present, mode, begin, skills, chance)
    request_backtest(season=present, mode=mode)
    league.refresh_from_db()
    return league


def _play(
    season: Season,
    mode: Mode,
    first: date,
    skills: dict[Player, float],
    chance: random.Random,
) -> None:
    for week in range(NIGHTS):
        night = first + timedelta(weeks=week)
        present = chance.sample(list(skills), k=round(0.7 * len(skills)))
        drafts = []
        for number in range(MATCHES_A_NIGHT):
            one, other = chance.sample(present, k=2)
            drafts.append(_match(night, number, one, other, skills, chance))
        record_matches(
            season=season, mode=mode, drafts=drafts, source="demo", kind=Revision.Kind.DEMO
        )


def _match(
    night: date,
    number: int,
    one: Player,
    other: Player,
    skills: dict[Player, float],
    chance: random.Random,
) -> MatchDraft:
    share = 1.0 / (1.0 + 10.0 ** ((skills[other] - skills[one]) * 0.16))
    goals = [0, 0]
    while max(goals) < GOALS and sum(goals) < 2 * GOALS - 2:
        goals[0 if chance.random() < share else 1] += 1
    started = datetime.combine(night, time(19, 0), tzinfo=ZoneInfo(ZONE))
    return MatchDraft(
        played_at=started + timedelta(minutes=5 * number),
        sides=tuple(
            SideDraft(rank=1 if mine >= theirs else 2, members=(MemberDraft(player),), score=mine)
            for player, mine, theirs in (
                (one, goals[0], goals[1]),
                (other, goals[1], goals[0]),
            )
        ),
        external_id=f"{night:%Y%m%d}-{number}",
    )


def _last_thursday(now: datetime) -> date:
    yesterday = day_of(now, ZoneInfo(ZONE)) - timedelta(days=1)
    return yesterday - timedelta(days=(yesterday.weekday() - 3) % 7)


def _season_name(day: date) -> str:
    return f"{('Winter', 'Spring', 'Summer', 'Autumn')[(day.month % 12) // 3]} {day.year}"
