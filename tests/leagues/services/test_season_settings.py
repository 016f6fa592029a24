"""The name and the days of a season change until it is sealed, and what depends on them follows."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError

from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, League, Season, StartingState
from leagues.services.inactivity_sweep import sweep
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import update_league
from leagues.services.matches import record_matches
from leagues.services.season_settings import describe_season_change, update_season
from leagues.services.seasons import Step, start_next_season, take_step
from tests.leagues.play import START, new_club, record, result, rounds, season_of
from tests.leagues.services.test_inactivity_sweep import club_with
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

FIRST, END = datetime(2025, 9, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 2, 1, tzinfo=UTC)
WEEK = timedelta(days=7)


def change(season: Season, now: datetime = NOW, **words) -> Season:
    """Change a season, and let its boards be rated."""
    season.refresh_from_db()
    told = {"name": season.name, "starts_at": season.starts_at, "ends_at": season.ends_at}
    changed = update_season(season, **(told | words), actor=None, now=now)
    drain()
    return changed


def only(club: League) -> Board:
    return club.boards.select_related("league", "season").get()


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    league = new_club()
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 2))
    return league


club = read_anew("built_club")


def sealed(season: Season) -> Season:
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season, step, actor=None, now=NOW)
        drain()
    season.refresh_from_db()
    return season


def test_what_changed_stands_in_the_log_and_what_did_not_leaves_no_trace(club):
    season = change(season_of(club), name=" Autumn cup ", starts_at=FIRST)
    assert (season.name, season.slug) == ("Autumn cup", "autumn")
    entry = AuditEntry.objects.get(action="season.change")
    assert entry.before == {"name": "Autumn", "first_day": "", "last_day": ""}
    assert entry.after == {"name": "Autumn cup", "first_day": "2025-09-01", "last_day": ""}
    change(season)
    assert AuditEntry.objects.filter(action="season.change").count() == 1


def test_results_outside_of_new_days_are_counted_and_stay(club):
    season = change(season_of(club), starts_at=START + timedelta(hours=12))
    assert describe_season_change(season) == (
        "“Autumn” was changed.",
        "3 results are outside these dates and still count.",
    )
    assert season.matches.count() == 6


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ({"starts_at": END, "ends_at": FIRST}, "ends_on"),
        ({"name": ""}, "name"),
        ({"name": "\x00"}, "name"),
        ({"name": "x" * 65}, "name"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(club, words, field):
    with pytest.raises(ValidationError) as refusal:
        change(season_of(club), **words)
    assert list(refusal.value.message_dict) == [field]
    assert season_of(club).name == "Autumn"


def test_a_sealed_season_takes_another_name_and_keeps_its_days(club):
    season = sealed(change(season_of(club), ends_at=END))
    digest = season.sealed_digest
    with pytest.raises(ValidationError, match="its dates can’t be changed"):
        change(season, ends_at=None)
    assert change(season, name="Autumn 2025").sealed_digest == digest


@pytest.mark.parametrize("system", ["zerosum", "becker"])
def test_what_absence_took_after_an_earlier_end_is_given_back(system):
    known, moved = club_with(system, slug="known"), club_with(system, slug="moved")
    for league in (known, moved):
        record(league, result(league, "Ana", "Bo"), result(league, "Bo", "Cy"))
    change(season_of(known), ends_at=START + 4 * WEEK)
    sweep(NOW)
    drain()
    without_end = board_digest(only(moved))
    drain()
    change(season_of(moved), ends_at=START + 4 * WEEK)
    assert board_digest(only(moved)) == board_digest(only(known)) != without_end
    assert check_board(only(moved)).differences == ()


def test_a_later_end_lets_absence_go_on():
    whole, cut = (club_with("zerosum", slug=slug) for slug in ("whole", "cut"))
    for league, weeks in ((whole, 8), (cut, 3)):
        record(league, result(league, "Ana", "Bo"))
        change(season_of(league), ends_at=START + weeks * WEEK)
        sweep(NOW)
        drain()
    assert board_digest(only(cut)) != board_digest(only(whole))
    change(season_of(cut), ends_at=START + 8 * WEEK)
    assert board_digest(only(cut)) == board_digest(only(whole))


def test_ratings_are_carried_over_to_another_first_day_until_there_are_results(club):
    season = sealed(change(season_of(club), ends_at=END))
    later = START + 40 * WEEK
    following = start_next_season(season, carryover="soft", share=0.5, actor=None)
    glicko = StartingState.objects.filter(board__season=following, board__system="glicko2")
    before = {row.player_id: bytes(row.state) for row in glicko}
    with pytest.raises(ValidationError, match="must be after the last result"):
        change(following, starts_at=START)
    following = change(following, starts_at=later)
    after = {row.player_id: bytes(row.state) for row in glicko.all()}
    assert before.keys() == after.keys()
    assert before != after

    take_step(following, Step.OPEN, actor=None, now=NOW)
    drafts = [result(club, "Ana", "Bo", at=later + WEEK)]
    record_matches(season=following, mode=club.modes.get(), drafts=drafts, author=None)
    drain()
    with pytest.raises(ValidationError, match="ratings were carried over to it"):
        change(following, starts_at=later - WEEK)
    assert change(following, name="Winter").name == "Winter"


def test_a_league_that_moves_before_its_first_result_keeps_the_days_of_its_seasons():
    league = new_club("harbour")
    season = change(season_of(league), starts_at=FIRST, ends_at=END)
    days = (season.first_day, season.last_day)
    update_league(league=league, changes={"time_zone": "Pacific/Auckland"}, actor=None)
    moved = Season.objects.select_related("league").get(pk=season.pk)
    assert (moved.first_day, moved.last_day) == days
    assert moved.first_day == date(2025, 9, 1)
    assert moved.starts_at != season.starts_at
