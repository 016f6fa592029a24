"""What a season ends with is the same however busy workers were, and however often it was asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import Board, Job, League, Season, Standing
from leagues.selectors.standings import present
from leagues.services.errors import Refused
from leagues.services.inactivity_sweep import sweep
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board, create_season, ensure_mode, update_league
from leagues.services.matches import record_matches
from leagues.services.season_settings import update_season
from leagues.services.seasons import Step, start_next_season, take_step
from leagues.services.upkeep import verify_now
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.services.test_inactivity_sweep import club_with

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
NAMES = ("Ana", "Bo", "Cy", "Di")


def take(season: Season, *steps: Step, waits: bool = False) -> Season:
    for step in steps:
        take_step(season, step, actor=None, now=timezone.now(), reason="so it was agreed")
        if not waits:
            drain()
    season.refresh_from_db()
    return season


def only(club: League) -> Board:
    return club.boards.select_related("league", "season").get()


def test_a_check_is_written_down_also_where_another_kind_of_play_came_last():
    club = new_club()
    season = season_of(club)
    record(club, *rounds(club, NAMES, 2))
    other = ensure_mode(league=club, name="Rapid")
    board = season.boards.exclude(mode=other).first()
    record_matches(season=season, mode=other, drafts=rounds(club, NAMES, 1)[:1])
    drain()
    Standing.objects.filter(board=board, place_value__gt=0).update(won=77)
    verify_now(board=board)
    drain()
    board.refresh_from_db()
    assert board.differences > 0
    assert board.verified_at is not None


@pytest.mark.parametrize("system", ["becker", "zerosum"])
def test_absence_until_the_close_counts_also_where_results_were_not_rated_yet(system):
    rated, waiting = club_with(system, slug="rated"), club_with(system, slug="waiting")
    for club in (rated, waiting):
        record_matches(season=season_of(club), mode=mode_of(club), drafts=rounds(club, NAMES, 4))
        if club is rated:
            drain()
        take(season_of(club), Step.CLOSE, waits=club is waiting)
    drain()
    assert only(waiting).decayed_until == only(rated).decayed_until is not None
    assert board_digest(only(waiting)) == board_digest(only(rated))


def test_a_sealing_that_was_asked_for_does_not_outlive_the_closing():
    club = new_club()
    record(club, *rounds(club, NAMES, 2))
    season = take(season_of(club), Step.CLOSE)
    take(season, Step.SEAL, waits=True)
    take(season, Step.RESUME, Step.CLOSE)
    assert season.state == "closing"
    failed = Job.objects.get(kind="seal_season")
    Job.objects.filter(pk=failed.pk).update(state="queued", finished_at=None)
    drain()
    season.refresh_from_db()
    assert season.state == "closing"
    assert take(season, Step.SEAL).state == "closed"


def test_ranks_of_a_sealed_season_stay_until_it_takes_results_again():
    club = new_club()
    record(club, *rounds(club, NAMES, 2))
    season = take(season_of(club), Step.CLOSE, Step.SEAL)

    def ranks() -> list[int]:
        board = season.boards.select_related("league", "season", "mode").first()
        return present(board, timezone.now()).rank.tolist()

    before = ranks()
    assert before == [1, 2, 3, 4]
    update_league(league=club, changes={"ranked_after": 9, "active_days": 1}, actor=None)
    assert ranks() == before
    season = take(season, Step.REOPEN)
    assert ranks() == before
    season = take(season, Step.RESUME)
    assert ranks() == [0, 0, 0, 0]


def test_an_earlier_end_that_is_taken_back_while_closing_leaves_what_was():
    club = club_with("becker")
    record(club, *rounds(club, NAMES, 6))
    season = take(season_of(club), Step.CLOSE)
    until, digest = only(club).decayed_until, board_digest(only(club))
    for end in (club.midnight((START + 10 * DAY).date()), None):
        update_season(
            season, name="Autumn", starts_at=None, ends_at=end, actor=None, now=timezone.now()
        )
        drain()
    assert only(club).decayed_until == until
    assert board_digest(only(club)) == digest


def test_what_a_clock_that_was_far_ahead_took_comes_back():
    club = club_with("zerosum")
    record(club, *rounds(club, NAMES, 3))
    now = START + 20 * DAY
    sweep(now)
    drain()
    digest = board_digest(only(club))
    sweep(now + 300 * DAY)
    drain()
    assert board_digest(only(club)) != digest
    sweep(now)
    drain()
    assert board_digest(only(club)) == digest
    assert check_board(only(club)).differences == ()


def test_the_next_season_begins_where_absence_was_reckoned_with_up_to():
    club = club_with("zerosum")
    record(club, *rounds(club, NAMES, 3))
    season = season_of(club)
    take_step(season, Step.CLOSE, actor=None, now=START + 50 * DAY)
    drain()
    take(season, Step.SEAL)
    until = only(club).decayed_until
    after = start_next_season(season, carryover="keep", actor=None)
    assert after.starts_at == until
    early = (START + 10 * DAY, None)
    with pytest.raises(Refused, match="inactivity still counts in"):
        start_next_season(season, name="Early", days=early, carryover="keep", actor=None)


def test_the_next_season_may_have_no_days():
    club = new_club()
    season = season_of(club)
    Season.objects.filter(pk=season.pk).update(starts_at=START - DAY, ends_at=START + 30 * DAY)
    after = start_next_season(season, days=(None, None), actor=None)
    assert (after.starts_at, after.ends_at) == (None, None)


def test_a_sealed_season_gets_no_boards_and_says_so():
    club = new_club()
    record(club, *rounds(club, NAMES, 2))
    season = take(season_of(club), Step.CLOSE, Step.SEAL)
    with pytest.raises(ValidationError, match="“Autumn” is closed, so its boards can’t be changed"):
        add_board(season=season, mode=mode_of(club), system="trueskill")


def test_two_seasons_of_a_league_have_two_names():
    club = new_club()
    with pytest.raises(ValidationError) as refusal:
        create_season(league=club, name="AUTUMN ")
    assert refusal.value.message_dict == {"name": ["Another season already has this name."]}
    other = create_season(league=club, name="Winter")
    words = {"starts_at": None, "ends_at": None, "actor": None, "now": timezone.now()}
    with pytest.raises(ValidationError, match="Another season already has this name"):
        update_season(other, name="autumn", **words)
    assert update_season(other, name="WINTER", **words).name == "WINTER"


def test_a_season_that_has_not_begun_leaves_the_present_one_in_its_place(client):
    club = new_club()
    record(club, replace(result(club, "Ana", "Bo"), played_at=timezone.now() - DAY))
    next_year = create_season(league=club, name="Next", starts_at=timezone.now() + 40 * DAY)
    shown = client.get("/l/club/").content.decode()
    assert "Ana" in shown
    assert "Next" in shown
    Season.objects.filter(pk=next_year.pk).update(starts_at=timezone.now())
    assert "No results yet" in client.get("/l/club/seasons/next/").content.decode()
    assert "Ana" not in client.get("/l/club/").content.decode()
