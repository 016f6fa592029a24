"""Started matches of which something is taken back, or that share an instant."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from leagues.domain.leaving import has_left
from leagues.jobs.runner import drain
from leagues.models import League, Match, Mode
from leagues.services.leagues import add_board
from leagues.services.leaving import set_left
from leagues.services.matches import revert_revision, void_match
from leagues.services.player_merging import merge_players
from leagues.services.preview_jobs import request_preview
from leagues.services.started_matches import lose_overdue
from leagues.services.tried_changes import try_change
from tests.leagues.play import START, mode_of, new_club, season_of
from tests.leagues.services.test_started_matches import (
    HOUR,
    LATE,
    assert_sound,
    boards_of,
    club_of,
    finish,
    kind_of,
    played,
    release,
    shown,
    start,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sparse_corrections")]

TAKEN_BACK: dict[str, Callable[[League, Match, Match], object]] = {
    "all are let go": lambda club, first, _second: release(
        club, first, "Ana", "Cy", sent=START + 4 * HOUR
    ),
    "it is void": lambda _club, first, _second: void_match(match=first, author=None),
    "its result came": lambda club, first, _second: finish(club, first, sent=START + 4 * HOUR),
    "the other start is undone": lambda _club, _first, second: revert_revision(
        revision=second.revision, author=None
    ),
}


@pytest.mark.parametrize("how", TAKEN_BACK)
@pytest.mark.parametrize("mode", ["swap", "insert"])
def test_whom_a_fall_on_a_ladder_had_passed_come_back_to_their_rungs(
    mode: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are in no match that has changed: Bo and Cy stood below Ana, who fell two rungs."""
    monkeypatch.setattr("leagues.services.board_corrections.MAX_SHARE_REACHED", 2.0)
    club = new_club()
    season_of(club).boards.all().delete()
    add_board(
        season=season_of(club), mode=mode_of(club), system="ladder", parameters={"mode": mode}
    )
    Mode.objects.update(start_rungs=2)
    for minute, pair in enumerate((("Ana", "Bo"), ("Cy", "Dee"), ("Eve", "Flo"))):
        played(club, *pair, at=START + timedelta(minutes=minute))
    first = start(club, "Ana", "Cy", at=START + HOUR).match
    second = start(club, "Ana", "Flo", at=START + 2 * HOUR).match
    assert_sound(club)
    rungs = shown(boards_of(club)["ladder"])
    assert [rungs[name] for name in ("Bo", "Cy", "Ana", "Dee")] == [1.0, 2.0, 3.0, 4.0]
    played(club, "Eve", "Flo", at=START + 3 * HOUR)
    drain()
    with time_machine.travel(START + 4 * HOUR, tick=False):
        TAKEN_BACK[how](club, first, second)
    assert_sound(club)
    rungs = shown(boards_of(club)["ladder"])
    assert [rungs[name] for name in ("Ana", "Bo", "Cy", "Dee")] == [1.0, 2.0, 3.0, 4.0]


@pytest.mark.parametrize("sides", [("Bo", "Ana"), ("Ana", "Bo"), ("Dee+Bo", "Cy+Ana")])
def test_the_sides_of_a_start_keep_their_order_whatever_is_undone(sides: tuple[str, str]) -> None:
    """Its result comes in this order: the side that was started first has won."""
    club = club_of("elo")
    first = start(club, *sides).match
    second = start(club, "Bo", "Eve", at=START + HOUR).match
    bo, robert = (club.players.get(name="Bo"), start(club, "Robert", "Flo").match)
    with time_machine.travel(START + 2 * HOUR, tick=False):
        revert_revision(revision=second.revision, author=None)
        keep = robert.participants.get(player__name="Robert").player
        void_match(match=robert, author=None)
        merged = merge_players(league=club, keep=keep, drop=bo, author=None)
        revert_revision(revision=merged, author=None)
        released = release(club, first, "Bo", sent=START + 2 * HOUR)
        assert released is not None
        revert_revision(revision=released, author=None)
    assert kind_of(first) == Match.Kind.STARTED
    (match,) = finish(club, first, sent=START + 3 * HOUR).matches
    winners = set(match.participants.filter(rank=1).values_list("player__name", flat=True))
    assert winners == set(sides[0].split("+"))
    assert_sound(club)


def test_a_match_that_was_left_at_the_instant_of_its_start_can_have_a_result() -> None:
    """Two names start a match each at one instant, and turn out to be one player."""
    club = club_of("elo", "ladder")
    first = start(club, "Ana", "Bo").match
    start(club, "Anna", "Cy")
    with time_machine.travel(START + HOUR, tick=False):
        keep, drop = (club.players.get(name=name) for name in ("Ana", "Anna"))
        merge_players(league=club, keep=keep, drop=drop, author=None)
    assert (kind_of(first), first.played_at) == (Match.Kind.LEFT, START)
    (one,) = finish(club, first, sent=START + HOUR).matches
    assert kind_of(first) == Match.Kind.ENDED
    (again,) = finish(club, first, sent=START + HOUR).matches
    assert again.pk == one.pk
    assert_sound(club)


def test_voiding_the_newest_start_is_previewed() -> None:
    """It changes no result, and none comes after it."""
    club = club_of("elo", "ladder", "zerosum")
    played(club, "Ana", "Bo", at=START)
    match = start(club, "Ana", "Bo", at=START + HOUR).match
    drain()
    with time_machine.travel(START + 2 * HOUR, tick=False):
        tried = try_change(season_of(club), lambda: void_match(match=match, author=None))
        assert tried is not None
        preview = request_preview(tried, season=season_of(club)).preview
    assert preview is not None
    assert [effect.movers_in_all for effect in preview.boards] == [0, 0, 0]


def test_a_time_limit_that_passes_is_no_match_of_a_player_who_left() -> None:
    club = club_of("elo")
    start(club, "Ana", "Bo")
    ana = club.players.get(name="Ana")
    set_left(player=ana, left_at=START + HOUR, was=None, actor=None)
    ana.refresh_from_db()
    lose_overdue(LATE)
    assert has_left(ana)
    start(club, "Ana", "Bo", at=timezone.now() - HOUR, sent=timezone.now())
    assert not has_left(ana)
