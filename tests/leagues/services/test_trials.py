"""Back-tests and trials: what they find, and that they change nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from leagues import bridge
from leagues.domain.ranking import RankingRule
from leagues.jobs.runner import drain
from leagues.models import Job, Standing, Trial
from leagues.pages.trials import trial_page
from leagues.selectors.backtests import latest_backtest
from leagues.services import trials
from leagues.services.integrity import league_digest
from leagues.services.leagues import add_board
from leagues.services.matches import void_match
from leagues.services.started_matches import lose_overdue
from leagues.services.trial_reports import trial_report
from leagues.services.trials import (
    backtest_key,
    consider_backtest,
    request_backtest,
    start_search,
    start_trial,
)
from leagues.store.match_columns import read_facts
from tests.leagues import play
from tests.leagues.services.test_started_matches import start
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Dee")


@pytest.fixture(scope="module")
def built_league(shared_rows: None):
    club = play.new_club("rated")
    play.record(club, *play.rounds(club, NAMES, 4), play.result(club, "Dee", "Ana", at=play.LATER))
    return club


league = read_anew("built_league")


def backtested(league):
    season, mode = play.season_of(league), play.mode_of(league)
    request_backtest(season=season, mode=mode)
    drain()
    return latest_backtest(season, mode)


def test_every_system_is_judged_by_the_same_results(league):
    found = backtested(league)
    assert found.results == 25
    assert {row.system for row in found.systems} == {info.name for info in bridge.systems()}
    told = {row.system: row for row in found.systems}
    assert told["glicko2"].board and told["elo"].board
    assert not told["trueskill"].board
    assert all(row.matches == 25 for row in found.systems if row.system != "static")
    assert told["static"].log_loss is None and told["static"].accuracy is None
    assert told["ladder"].log_loss is None and told["ladder"].accuracy > 0.8
    assert found.best.log_loss == min(row.log_loss for row in found.systems if row.log_loss)


def test_a_match_that_was_left_is_no_result_to_predict(league):
    """Some systems rate its loss, Becker's leave it out: they are judged by the same results."""
    start(league, "Ana", "Bo", at=play.START + timedelta(days=1, hours=12))
    lose_overdue(timezone.now())
    found = backtested(league)
    told = {row.system: row for row in found.systems}
    assert {told[name].matches for name in ("becker", "elo", "glicko2", "ladder")} == {25}
    assert told["becker"].log_loss is not None
    assert not Job.objects.filter(state=Job.State.FAILED).exists()


def test_the_margin_to_the_best_is_paired_over_the_matches(league):
    found = backtested(league)
    (elo,) = (row for row in found.systems if row.system == "elo")
    if elo is found.best:
        (elo,) = (row for row in found.systems if row.system == "glicko2")
    assert elo.against_best.matches == 25
    assert elo.against_best.mean == pytest.approx(elo.log_loss - found.best.log_loss)
    assert elo.against_best.error > 0
    assert found.best.against_best is None


def test_the_greatest_upset_is_the_win_of_the_last(league):
    found = backtested(league)
    (glicko,) = (row for row in found.systems if row.system == "glicko2")
    assert next(upset.seq for upset in glicko.upsets) == 25
    assert glicko.upsets[0].expected < 0.3
    assert sum(line.pairs for line in glicko.calibration) == pytest.approx(25)


def test_a_backtest_reads_and_changes_nothing(league):
    before = league_digest(league), Standing.objects.count()
    backtested(league)
    assert (league_digest(league), Standing.objects.count()) == before


def test_a_second_request_while_one_waits_is_the_same_one(league):
    season, mode = play.season_of(league), play.mode_of(league)
    first = request_backtest(season=season, mode=mode)
    assert request_backtest(season=season, mode=mode) == first
    drain()
    assert Trial.objects.count() == 1


def test_what_a_dead_process_left_is_taken_up_and_not_left_lying(league):
    season, mode = play.season_of(league), play.mode_of(league)
    Trial.objects.create(
        league=league, season=season, mode=mode, kind="backtest", report={"results": 3}
    )
    backtested(league)
    assert Trial.objects.get().finished_at is not None


def test_a_season_of_nothing_has_a_report_of_nothing():
    club = play.new_club()
    found = backtested(club)
    assert found.results == 0 and found.best is None
    assert all(row.log_loss is None for row in found.systems)


def test_a_league_of_draws_only_names_no_best():
    club = play.new_club()
    play.record(club, *(play.result(club, "Ana", "Bo", ranks=(1, 1)) for _ in range(3)))
    assert backtested(club).best is None


def test_corrections_are_looked_at_at_once_and_in_large_seasons_once_a_day(league, monkeypatch):
    backtested(league)
    void_match(match=league.matches.first(), author=None)
    monkeypatch.setattr(trials, "MOST_AT_ONCE", 5)
    assert not considered(league)
    monkeypatch.undo()
    assert considered(league)
    drain()
    assert not considered(league)


def test_old_reports_are_thrown_away(league):
    for _ in range(5):
        backtested(league)
    assert Trial.objects.count() == 3


def considered(league):
    board = league.boards.select_related("season", "mode").first()
    return consider_backtest(board)


def test_backtests_come_by_themselves_when_there_is_something_new(league):
    assert considered(league)
    drain()
    assert not considered(league)
    season, mode = play.season_of(league), play.mode_of(league)
    play.record(league, play.result(league, "Ana", "Cy", at=play.LATER + timedelta(hours=1)))
    assert not considered(league)
    Trial.objects.update(finished_at=timezone.now() - timedelta(days=2))
    assert considered(league)
    drain()
    later = play.LATER + timedelta(hours=2)
    play.record(league, *(play.result(league, "Ana", "Cy", at=later) for _ in range(4)))
    assert considered(league)
    drain()
    add_board(season=season, mode=mode, system="trueskill")
    drain()
    assert considered(league)


def test_backtests_of_few_results_or_very_many_wait_for_somebody_to_ask(league):
    league.boards.update(rated_matches=5)
    assert not considered(league)
    league.boards.update(rated_matches=1_000_000)
    assert not considered(league)


def test_a_waiting_backtest_is_hurried_by_who_asks(league):
    season, mode = play.season_of(league), play.mode_of(league)
    job_id = request_backtest(season=season, mode=mode)
    Job.objects.filter(pk=job_id).update(run_after=timezone.now() + timedelta(hours=1))
    backtested(league)
    assert Job.objects.get(key=backtest_key(season.pk, mode.pk)).state == Job.State.DONE


def tried(board, parameters, **more):
    trial = start_trial(board=board, parameters=parameters, actor=None, **more)
    drain()
    trial.refresh_from_db()
    return trial


def elo_of(league):
    return league.boards.select_related("league", "season", "mode").get(system="elo")


def test_a_trial_says_who_would_move_and_how_well_it_would_predict(league):
    board = elo_of(league)
    before = league_digest(league)
    report = trial_report(tried(board, {**board.parameters, "k": 5, "k0": 400}))
    assert league_digest(league) == before
    assert report.players == 4 and report.results == 25
    assert 0 < report.moved <= 4
    assert len(report.movers) == report.moved
    assert report.before.log_loss != report.after.log_loss
    assert report.margin.mean == pytest.approx(report.after.log_loss - report.before.log_loss)
    board.refresh_from_db()
    assert board.parameters["k"] == 20


def test_a_trial_of_the_present_parameters_moves_nobody(league):
    board = elo_of(league)
    report = trial_report(tried(board, board.parameters))
    assert report.moved == 0 and report.margin.mean == 0 and report.margin.error == 0


def test_the_ranks_of_a_trial_are_those_of_the_board(league):
    board = elo_of(league)
    facts = read_facts(board)
    computed, last = bridge.compute(board, facts), board.last_at
    standings = Standing.objects.current(board)
    resting = standings.filter(last_played_at__lt=last).count()
    active = bridge.places_of(board, computed, RankingRule(1, last))
    assert 0 < len(active) == standings.count() - resting
    places = bridge.places_of(board, computed, RankingRule(1, play.START))
    assert {pk: row.place_value for pk, (_rank, row) in places.items()} == dict(
        standings.values_list("player_id", "place_value")
    )
    assert sorted(rank for rank, _row in places.values())[0] == 1


def test_a_trial_of_a_system_without_chances_tells_ranks_only(league):
    season, mode = play.season_of(league), play.mode_of(league)
    board = add_board(season=season, mode=mode, system="static")
    drain()
    report = trial_report(tried(board, {**board.parameters, "least_events": 0}))
    assert report.margin is None and report.after.log_loss is None


@pytest.mark.parametrize(
    "parameters", [{"k": "many"}, {"k": -1}, {"nonsense": 1}, {"k": float("nan")}]
)
def test_refused_parameters_start_nothing(league, parameters):
    with pytest.raises(ValidationError):
        start_trial(board=elo_of(league), parameters=parameters, actor=None)
    assert not Trial.objects.exists()


def test_only_a_few_trials_of_a_board_wait_at_once(league):
    board = elo_of(league)
    for k in (11, 12, 13):
        start_trial(board=board, parameters={"k": k}, actor=None)
    with pytest.raises(ValidationError, match="still running"):
        start_trial(board=board, parameters={"k": 14}, actor=None)
    drain()
    assert tried(board, {"k": 14}).finished_at


def test_a_search_tries_parameters_that_results_it_has_not_seen_judge(league):
    board = elo_of(league)
    play.record(
        league,
        *(
            play.result(league, *pair, at=play.LATER + timedelta(hours=number))
            for number, pair in enumerate((("Ana", "Bo"), ("Bo", "Cy"), ("Cy", "Dee")) * 10)
        ),
    )
    board.refresh_from_db()
    trial = start_search(board=board, actor=None)
    drain()
    trial.refresh_from_db()
    assert trial_report(trial) is not None
    assert trial.options["found"]["searched"] == 44 and trial.options["found"]["held_out"] == 11
    changed = {
        name for name in trial.parameters if trial.parameters[name] != board.parameters[name]
    }
    assert changed and changed <= {"k0", "games", "k"}
    board.refresh_from_db()
    assert board.parameters["k"] == 20


def test_a_search_needs_results_and_parameters_to_search(league):
    with pytest.raises(ValidationError, match="between"):
        start_search(board=elo_of(league), actor=None)
    ladder = add_board(season=play.season_of(league), mode=play.mode_of(league), system="ladder")
    with pytest.raises(ValidationError, match="no parameters"):
        start_search(board=ladder, actor=None)


@pytest.fixture
def drawish():
    """A league that has seen nothing but draws."""
    club = play.new_club()
    pairs = [(one, two) for one in NAMES for two in NAMES if one < two] * 9
    play.record(
        club,
        *(
            play.result(club, *pair, ranks=(1, 1), at=play.START + timedelta(hours=number))
            for number, pair in enumerate(pairs)
        ),
    )
    return club


def test_draws_alone_are_nothing_to_judge_a_system_by(drawish):
    found = backtested(drawish)
    assert found.results == 54
    assert found.best is None
    for row in found.systems:
        assert (row.log_loss, row.brier, row.accuracy, row.calibration) == (None, None, None, ())


def test_a_search_among_draws_alone_says_so_and_tries_nothing_else(drawish):
    board = elo_of(drawish)
    trial = start_search(board=board, actor=None)
    drain()
    trial.refresh_from_db()
    assert trial.options["found"] is None
    assert trial.parameters == board.parameters
    report = trial_report(trial)
    assert report.before == report.after and report.before.accuracy is None
    page = trial_page(trial, timezone.now())
    assert page.scores == ()
    assert page.search_result == "The search found nothing: there are too few decisive results."
    assert page.verdict == "There are too few decisive results to compare predictions."
