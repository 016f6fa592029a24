"""The results that a call may say again: the same for a hundred results as for each alone."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leagues.models import League
from leagues.services.drafts import MatchDraft
from leagues.services.entry_warnings import WarningKind, entry_warnings
from leagues.services.near_results import read_near_results
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Di", "Eve")
NOW = START + timedelta(hours=8)


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    return new_club()


club = read_anew("built_club")


def some_results(club: League, count: int, seed: int) -> list[MatchDraft]:
    """Results of a few players within some hours, of which many say the same; doubles too."""
    source = random.Random(seed)
    drafts = []
    for _ in range(count):
        at = START + timedelta(minutes=source.randrange(480))
        names = source.sample(NAMES, 4)
        is_double = source.random() < 0.3
        sides = ("+".join(names[:2]), "+".join(names[2:])) if is_double else names[:2]
        drafts.append(result(club, *sides, scores=(source.randrange(3, 5), 1), at=at))
    return drafts


@pytest.mark.parametrize("seed", range(4))
def test_a_call_warns_of_each_result_as_if_it_came_alone(club: League, seed: int) -> None:
    record(club, *some_results(club, 60, seed))
    drafts = some_results(club, 40, seed + 100)
    season, mode = season_of(club), mode_of(club)

    def same_results(sent: list[MatchDraft]) -> list[tuple[MatchDraft, int]]:
        warnings = entry_warnings(sent, season=season, mode=mode, now=NOW)
        return [
            (warning.draft, warning.same.match_id)
            for warning in warnings
            if warning.kind == WarningKind.SAME_RESULT and warning.same
        ]

    alone = [pair for draft in drafts for pair in same_results([draft])]
    assert same_results(drafts) == alone
    assert len(alone) > 5


def test_other_matches_and_players_are_not_read(club: League) -> None:
    season, mode = season_of(club), mode_of(club)
    sent = [result(club, "Ana", "Bo"), result(club, "Cy+Eve", "Di+Finn")]
    assert read_near_results(sent, season, mode) == []
    same = record(club, result(club, "Bo", "Ana"), result(club, "Di", "Cy"))
    record(club, result(club, "Ana", "Cy"), result(club, "Bo", "Di"), result(club, "Eve", "Finn"))
    record(club, result(club, "Ana", "Bo", at=START + timedelta(hours=3)))
    near = read_near_results(sent, season, mode)
    assert {one.match_id for one in near} == {match.pk for match in same}


def test_as_many_statements_for_forty_results_as_for_two(club: League) -> None:
    record(club, *some_results(club, 60, 1))
    season, mode, drafts = season_of(club), mode_of(club), some_results(club, 40, 2)
    counts = []
    for sent in (drafts[:2], drafts):
        with CaptureQueriesContext(connection) as asked:
            entry_warnings(sent, season=season, mode=mode, now=NOW)
        counts.append(len(asked))
    assert counts == [3, 3]


def test_of_two_who_met_often_only_near_results_are_read(club: League) -> None:
    season, mode = season_of(club), mode_of(club)
    days = [START - timedelta(days=day) for day in range(60)]
    record(club, *(result(club, "Ana", "Bo", at=at) for at in days))
    (same, _late) = record(
        club, result(club, "Bo", "Ana"), result(club, "Ana", "Bo", at=START + timedelta(hours=3))
    )
    near = read_near_results([result(club, "Ana", "Bo")], season, mode)
    assert [one.match_id for one in near][:1] == [same.pk]
    assert len(near) == 2


def near_to(club: League, draft: MatchDraft) -> list[int]:
    """The stored result that a new one is said to be like."""
    warnings = entry_warnings([draft], season=season_of(club), mode=mode_of(club), now=NOW)
    return [one.same.match_id for one in warnings if one.same]


@pytest.mark.parametrize("meetings", [1, 60])
def test_a_result_without_a_time_is_like_every_same_one_of_its_night(
    club: League, meetings: int
) -> None:
    begin = club.midnight(START.date())
    record(
        club,
        *(result(club, "Ana", "Bo", at=START - timedelta(days=2 + day)) for day in range(meetings)),
    )
    late = begin + timedelta(hours=24, minutes=40)
    (stored,) = record(club, result(club, "Ana", "Bo", at=late))
    night = replace(result(club, "Ana", "Bo"), played_at=begin, date_only=True)
    assert near_to(club, night) == [stored.pk]
    next_day = replace(night, played_at=begin + timedelta(days=1))
    assert near_to(club, next_day) == [stored.pk]
    assert near_to(club, replace(night, played_at=begin - timedelta(days=1))) == []
    assert near_to(club, result(club, "Ana", "Bo", at=late - timedelta(hours=3))) == []
    after = replace(result(club, "Ana", "Bo", at=late - timedelta(hours=5)), is_after=True)
    assert near_to(club, after) == [stored.pk]


@pytest.mark.parametrize("meetings", [1, 60])
def test_a_result_with_a_time_is_like_the_same_one_without(club: League, meetings: int) -> None:
    begin = club.midnight(START.date())
    record(
        club,
        *(result(club, "Ana", "Bo", at=START - timedelta(days=2 + day)) for day in range(meetings)),
    )
    untimed = replace(result(club, "Ana", "Bo"), played_at=begin, date_only=True)
    (stored,) = record(club, untimed)
    for hours in (9, 23.5, 24.5):
        at = begin + timedelta(hours=hours)
        assert near_to(club, result(club, "Ana", "Bo", at=at)) == [stored.pk]
        assert near_to(club, result(club, "Bo", "Ana", at=at)) == []
    for hours in (-3, 31):
        assert near_to(club, result(club, "Ana", "Bo", at=begin + timedelta(hours=hours))) == []
