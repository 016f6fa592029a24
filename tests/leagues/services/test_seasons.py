"""Stories 21, 22 and 47: seasons come to an end, are sealed, and hand on what they should."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, Job, League, Match, Season, Standing, StartingState
from leagues.services.carryover import next_name
from leagues.services.carryover_preview import preview_carryover
from leagues.services.errors import Refused
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board, update_league
from leagues.services.matches import correct_match, record_matches, void_match
from leagues.services.ratings import enqueue_rating
from leagues.services.seasons import (
    Step,
    carry_over,
    dry_run,
    next_steps,
    sealing_of,
    start_next_season,
    take_step,
    undo_carryover,
)
from leagues.services.stored_drafts import draft_of
from tests.leagues.people import make_user
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.shared_rows import read_anew

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Di")
SYSTEMS = ("ladder", "zerosum", "becker", "glicko", "trueskill", "wenglin", "static")
SPRING = datetime(2026, 1, 1, tzinfo=UTC)


def now() -> datetime:
    return timezone.now()


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    """Return a club with results, rated by every system."""
    league = new_club("rated", ranked_after=7)
    season, mode = season_of(league), mode_of(league)
    for system in SYSTEMS:
        parameters = {"least_opponents": 1, "least_events": 1} if system == "static" else {}
        add_board(season=season, mode=mode, system=system, parameters=parameters)
    record(league, *rounds(league, NAMES, 2), result(league, "Di", "Ana", at=START))
    return league


club = read_anew("built_club")


def take(season: Season, *steps: Step, reason: str = "") -> Season:
    for step in steps:
        season = take_step(season, step, actor=None, now=now(), reason=reason)
        drain()
    season.refresh_from_db()
    return season


def sealed(league: League) -> Season:
    return take(season_of(league), Step.CLOSE, Step.SEAL)


def codes(caught: pytest.ExceptionInfo[Refused]) -> frozenset[str]:
    return caught.value.codes


def digests(season: Season) -> dict[str, str]:
    boards = season.boards.select_related("league", "season", "mode")
    return {board.system: board_digest(board) for board in boards}


# Steps


def test_a_season_goes_its_way_step_by_step(club: League) -> None:
    season = season_of(club)
    assert next_steps(season) == (Step.CLOSE,)
    season = take(season, Step.CLOSE)
    assert (season.state, next_steps(season)) == ("closing", (Step.SEAL, Step.RESUME))
    season = take(season, Step.RESUME, Step.CLOSE, Step.SEAL)
    assert (season.state, next_steps(season)) == ("closed", (Step.ARCHIVE, Step.REOPEN))
    season = take(season, Step.ARCHIVE)
    assert (season.state, next_steps(season)) == ("archived", (Step.UNARCHIVE,))
    assert take(season, Step.UNARCHIVE).state == "closed"


@pytest.mark.parametrize("state", Season.State.values)
@pytest.mark.parametrize("step", Step)
def test_only_the_legal_steps_are_taken(state: str, step: Step) -> None:
    season = season_of(new_club())
    Season.objects.filter(pk=season.pk).update(state=state)
    season.refresh_from_db()
    if step in next_steps(season):
        assert dry_run(season, step, now()).is_possible
        return
    assert not dry_run(season, step, now()).is_possible
    with pytest.raises(Refused) as caught:
        take_step(season, step, actor=None, now=now(), reason="because")
    assert codes(caught) == {"season_step"}
    season.refresh_from_db()
    assert season.state == state


def test_each_step_says_beforehand_what_it_does(club: League) -> None:
    season = season_of(club)
    record_matches(season=season, mode=mode_of(club), drafts=[result(club, "Ana", "Eve")])
    Season.objects.filter(pk=season.pk).update(starts_at=START + timedelta(hours=1))
    season.refresh_from_db()
    said = dry_run(season, Step.CLOSE, now()).lines
    assert "1 result is not rated yet, so the standings will still change." in said
    assert "Blitz: 2 players are one result short of being ranked." in said
    assert any(line.endswith("are outside these dates and still count.") for line in said)
    season = take(season, Step.CLOSE)
    said = dry_run(season, Step.SEAL, now()).lines
    assert said[0].startswith("14 results and the standings of 9 boards will be sealed")


def test_sealing_keeps_the_digest_of_every_board_and_of_all(club: League) -> None:
    organizer = make_user("kim")
    season = take(season_of(club), Step.CLOSE)
    take_step(season, Step.SEAL, actor=organizer, now=now())
    assert season.state == "closing"
    assert sealing_of(season).is_under_way
    drain()
    season.refresh_from_db()
    assert season.state == "closed"
    assert season.sealed_at
    assert len(season.sealed_digest) == 64
    seals = {board.system: board.seal for board in season.boards.all()}
    assert seals == digests(season)
    entry = AuditEntry.objects.get(action="season.seal")
    assert (entry.actor, entry.season, entry.after["digest"]) == (
        organizer,
        season,
        season.sealed_digest,
    )
    assert not sealing_of(season).problem


def test_sealing_waits_for_results_that_are_not_rated_yet(club: League) -> None:
    season = take(season_of(club), Step.CLOSE)
    late = result(club, "Cy", "Ana", at=START + timedelta(days=9))
    record_matches(season=season, mode=mode_of(club), drafts=[late], late=True)
    Job.objects.filter(kind="rate_board").update(run_after=now() + timedelta(hours=1))
    take_step(season, Step.SEAL, actor=None, now=now())
    drain()
    season.refresh_from_db()
    assert season.state == "closing"
    assert sealing_of(season).is_under_way
    Job.objects.update(run_after=now() - timedelta(hours=1))
    drain()
    Job.objects.update(run_after=now() - timedelta(hours=1))
    drain()
    season.refresh_from_db()
    assert season.state == "closed"
    assert not any(check_board(board).differences for board in season.boards.all())


def test_a_board_that_does_not_agree_with_its_replay_is_not_sealed(club: League) -> None:
    season = take(season_of(club), Step.CLOSE)
    board = season.boards.get(system="elo")
    Standing.objects.filter(board=board).update(games=99)
    season = take(season, Step.SEAL)
    assert season.state == "closing"
    assert sealing_of(season).problem.startswith(f"The board “{board.name}” differs from a replay")


def test_a_board_that_has_stopped_is_said_before_sealing(club: League) -> None:
    season = take(season_of(club), Step.CLOSE)
    season.boards.filter(system="elo").update(state="paused", problem="no such number")
    (problem,) = dry_run(season, Step.SEAL, now()).problems
    assert problem.endswith("has stopped: no such number")


def test_a_result_of_the_last_minute_counts_and_one_of_midnight_does_not() -> None:
    league = new_club(time_zone="Australia/Lord_Howe")
    season = season_of(league)
    end = league.midnight(datetime(2025, 10, 5, tzinfo=UTC).date())
    Season.objects.filter(pk=season.pk).update(ends_at=end)
    record(league, result(league, "Ana", "Bo", at=end - timedelta(minutes=1)))
    with pytest.raises(Refused) as caught:
        record(league, result(league, "Ana", "Bo", at=end))
    assert codes(caught) == {"outside_season"}


def test_while_closing_only_late_results_are_taken_and_corrections(club: League) -> None:
    season = take(season_of(club), Step.CLOSE)
    draft = result(club, "Ana", "Bo", at=START + timedelta(days=5))
    with pytest.raises(Refused) as caught:
        record_matches(season=season, mode=mode_of(club), drafts=[draft])
    assert codes(caught) == {"season_closed"}
    (match,) = record_matches(season=season, mode=mode_of(club), drafts=[draft], late=True).matches
    assert void_match(match=match, author=None)


def test_reopening_needs_a_reason_and_breaks_the_seal(club: League) -> None:
    season = sealed(club)
    old = season.sealed_digest
    with pytest.raises(Refused) as caught:
        take_step(season, Step.REOPEN, actor=None, now=now(), reason=" ")
    assert codes(caught) == {"reason_missing"}
    season = take(season, Step.REOPEN, reason="A result was typed wrongly.")
    assert (season.state, season.sealed_at, season.sealed_digest) == ("closing", None, "")
    assert not season.boards.exclude(seal="").exists()
    entry = AuditEntry.objects.get(action="season.reopen")
    assert entry.before["digest"] == old
    assert entry.after["reason"] == "A result was typed wrongly."
    match = season.matches.order_by("seq")[0]
    assert void_match(match=match, author=None)
    drain()
    season = take(season, Step.SEAL)
    assert season.state == "closed"
    assert season.sealed_digest != old


def test_a_reopened_season_keeps_the_rules_it_was_sealed_by(club: League) -> None:
    record(club, result(club, "Di", "Ana", at=START, kind=Match.Kind.WALKOVER))
    season = sealed(club)
    seal = season.sealed_digest
    update_league(league=club, changes={"walkovers": "win", "ranked_after": 3}, actor=None)
    told = " ".join(dry_run(Season.objects.get(pk=season.pk), Step.REOPEN, now()).lines)
    assert "The season keeps the rules that it was sealed with" in told
    assert "walkovers: “walkovers are listed and do not count” when sealed" in told
    season = take(season, Step.REOPEN, reason="A second look.")
    update_league(league=club, changes={"active_days": 5}, actor=None)
    season = take(season, Step.SEAL)
    assert (season.sealed_digest, season.sealed_ranked_after) == (seal, 7)


def test_a_reopened_season_that_takes_results_again_says_that_it_takes_the_rules_of_now(
    club: League,
) -> None:
    record(club, result(club, "Di", "Ana", at=START, kind=Match.Kind.WALKOVER))
    season = sealed(club)
    seal = season.sealed_digest
    update_league(league=club, changes={"walkovers": "win"}, actor=None)
    season = take(season, Step.REOPEN, reason="A second look.")
    told = " ".join(dry_run(season, Step.RESUME, now()).lines)
    assert "the league’s current rules apply to it" in told and "rated again" in told
    season = take(season, Step.RESUME)
    assert (season.sealed_walkovers, season.sealed_ranked_after) == ("", None)
    season = take(season, Step.CLOSE, Step.SEAL)
    assert season.sealed_digest != seal and season.sealed_walkovers == "win"


def test_a_correction_of_a_sealed_season_is_refused_and_changes_nothing(club: League) -> None:
    season = sealed(club)
    before = digests(season)
    match = season.matches.order_by("seq")[0]
    other = replace(draft_of(match), weight=2.0)
    with pytest.raises(Refused) as caught:
        correct_match(match=match, draft=other, expected_version=1, author=None)
    assert codes(caught) == {"season_closed"}
    drain()
    assert digests(season) == before


# Carrying over


def following(league: League, **carryover: object) -> Season:
    season = sealed(league)
    return start_next_season(season, days=(SPRING, None), actor=None, **carryover)


def test_the_next_season_has_the_boards_the_number_and_the_dates_after() -> None:
    league = new_club()
    season = season_of(league)
    Season.objects.filter(pk=season.pk).update(
        name="Season 2025",
        starts_at=league.midnight(datetime(2025, 1, 1).date()),
        ends_at=league.midnight(datetime(2026, 1, 1).date()),
    )
    add_board(season=season, mode=mode_of(league), system="elo", name="Quick", parameters={"k": 40})
    season.refresh_from_db()
    after = start_next_season(season, actor=None)
    assert (after.name, after.state, after.follows) == ("Season 2026", "draft", season)
    assert after.starts_at == season.ends_at
    assert after.ends_at == league.midnight(datetime(2027, 1, 1).date())
    assert [(board.name, board.system, board.parameters) for board in after.boards.all()] == [
        (board.name, board.system, board.parameters) for board in season.boards.all()
    ]


@pytest.mark.parametrize("carry", ["keep", "soft"])
def test_what_is_carried_over_agrees_with_its_replay_appended_or_not(
    club: League, carry: str
) -> None:
    after = following(club, carryover=carry, share=0.25, deviation=0.5)
    take_step(after, Step.OPEN, actor=None, now=now())
    assert StartingState.objects.filter(board__season=after).count() == 8 * len(NAMES)
    pairs = (("Ana", "Eve"), ("Cy", "Ana"), ("Bo", "Di"), ("Eve", "Cy"))
    for days, pair in enumerate(pairs, start=1):
        draft = result(club, *pair, scores=(3, 1), at=SPRING + timedelta(days=days))
        record_matches(season=after, mode=mode_of(club), drafts=[draft])
        drain()
    boards = list(after.boards.select_related("league", "season", "mode"))
    assert not [found for board in boards for found in check_board(board).differences]
    appended = digests(after)
    for board in boards:
        Board.objects.filter(pk=board.pk).update(rated_through_revision=-1)
        enqueue_rating(board)
    drain()
    assert digests(after) == appended


def test_kept_ratings_go_on_from_where_they_were(club: League) -> None:
    after = following(club, carryover="keep")
    take_step(after, Step.OPEN, actor=None, now=now())
    for preview in preview_carryover(after, carryover="keep"):
        assert preview.before == preview.after
        assert preview.players == len(NAMES)
    old = {
        standing.player.name: standing.shown
        for standing in Standing.objects.filter(board__season=after.follows, board__system="elo")
    }
    draft = result(club, "Ana", "Bo", at=SPRING + timedelta(days=1))
    record_matches(season=after, mode=mode_of(club), drafts=[draft])
    drain()
    new = {
        standing.player.name: standing.shown
        for standing in Standing.objects.filter(board__season=after, board__system="elo")
    }
    assert set(new) == {"Ana", "Bo"}
    assert new["Ana"] + new["Bo"] == pytest.approx(old["Ana"] + old["Bo"])
    assert new["Ana"] > old["Ana"]


def test_a_soft_reset_is_shown_beforehand_and_undone_until_the_first_result(club: League) -> None:
    after = following(club)
    previews = preview_carryover(after, carryover="soft", share=0.5, deviation=0.6)
    glicko = next(preview for preview in previews if preview.board.system == "glicko2")
    assert glicko.half_after > glicko.half_before
    assert sum(glicko.before.counts) == sum(glicko.after.counts) == len(NAMES)
    best = glicko.best
    assert {player.name for player in best} == set(NAMES)
    assert [player.before for player in best] == sorted(
        (player.before for player in best), reverse=True
    )
    assert all(player.half_after >= player.half_before for player in best)
    assert best[0].after < best[0].before
    assert not StartingState.objects.exists()
    after = carry_over(after, carryover="soft", share=0.5, deviation=0.6, actor=None)
    assert (after.carryover, after.carryover_share, after.carryover_deviation) == ("soft", 0.5, 0.6)
    after = undo_carryover(after, actor=None)
    assert after.carryover == "fresh"
    assert not StartingState.objects.exists()
    assert not after.boards.exclude(start_board_state=b"").exists()
    after = carry_over(after, carryover="keep", actor=None)
    take_step(after, Step.OPEN, actor=None, now=now())
    draft = result(club, "Ana", "Bo", at=SPRING + timedelta(days=1))
    record_matches(season=after, mode=mode_of(club), drafts=[draft])
    with pytest.raises(Refused) as caught:
        undo_carryover(after, actor=None)
    assert codes(caught) == {"has_results"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({"carryover": "half"}, "carry"),
        ({"carryover": "soft", "share": 1.5}, "share"),
        ({"carryover": "soft", "share": float("nan")}, "share"),
        ({"carryover": "soft", "deviation": -0.1}, "share"),
    ],
)
def test_carrying_over_refuses_what_makes_no_sense(
    club: League, words: dict[str, object], code: str
) -> None:
    after = following(club)
    with pytest.raises(Refused) as caught:
        carry_over(after, actor=None, **words)
    assert code in codes(caught)


def test_nothing_is_carried_over_from_a_season_that_can_still_change(club: League) -> None:
    season = season_of(club)
    after = start_next_season(season, days=(SPRING, None), actor=None)
    with pytest.raises(Refused) as caught:
        preview_carryover(after, carryover="keep")
    assert codes(caught) == {"former_open"}
    take(season, Step.CLOSE, Step.SEAL)
    Season.objects.filter(pk=after.pk).update(starts_at=START)
    with pytest.raises(Refused) as caught:
        carry_over(after, carryover="keep", actor=None)
    assert codes(caught) == {"too_early"}


def test_who_was_only_pushed_down_a_ladder_has_no_standing_on_earlier_days(
    club: League, client: Client
) -> None:
    second = following(club, carryover="keep")
    take_step(second, Step.OPEN, actor=None, now=now())
    board = second.boards.get(system="ladder")
    Board.objects.filter(pk=board.pk).update(parameters={**board.parameters, "mode": "insert"})
    ladder = StartingState.objects.filter(board=board).select_related("player")
    rungs = {float(np.frombuffer(bytes(row.state))[0]): row.player.name for row in ladder}
    drafts = [
        result(club, rungs[4.0], rungs[1.0], at=SPRING + timedelta(days=day)) for day in (1, 2)
    ]
    record_matches(season=second, mode=mode_of(club), drafts=drafts)
    drain()
    asked = f"season={second.slug}&board={board.slug}&on=2026-01-02"
    assert client.get(f"/l/rated/?{asked}").status_code == 200
    address = f"/api/v1/leagues/rated/standings/?{asked}"
    named = {
        row["player"]["name"]
        for listed in ("ranked", "unranked", "inactive")
        for row in client.get(f"{address}&list={listed}").json()["results"]
    }
    assert named == {rungs[4.0], rungs[1.0]}


def test_who_did_not_play_for_a_season_keeps_the_place_on_the_ladder(club: League) -> None:
    second = following(club, carryover="keep")
    take_step(second, Step.OPEN, actor=None, now=now())
    board = second.boards.get(system="ladder")
    Board.objects.filter(pk=board.pk).update(parameters={**board.parameters, "mode": "insert"})
    old = {
        row.player.name: row.shown
        for row in Standing.objects.filter(board__season=second.follows, board__system="ladder")
    }
    last, first = max(old, key=old.get), min(old, key=old.get)
    draft = result(club, last, first, at=SPRING + timedelta(days=1))
    record_matches(season=second, mode=mode_of(club), drafts=[draft])
    drain()
    second = take(second, Step.CLOSE, Step.SEAL)
    third = start_next_season(
        second, days=(SPRING + timedelta(days=60), None), carryover="keep", actor=None
    )
    states = StartingState.objects.filter(board__season=third, board__system="ladder")
    rungs = {row.player.name: float(np.frombuffer(bytes(row.state))[0]) for row in states}
    assert sorted(rungs.values()) == [1.0, 2.0, 3.0, 4.0]
    assert rungs[last] == 1.0
    assert rungs[first] == 2.0


@pytest.mark.parametrize(
    ("name", "following"),
    [
        ("First season", "Season 2"),
        ("Season 2", "Season 3"),
        ("Season 99", "Season 100"),
        ("Autumn", "Autumn 2"),
        ("First half 2026/27", "First half 2027/28"),
        ("2026-2027", "2027-2028"),
        ("Winter 98/99", "Winter 99/00"),
        ("2026, part 2", "2026, part 3"),
        ("Season 1, part 2", "Season 1, part 3"),
    ],
)
def test_the_name_of_the_next_season_counts_on(name, following):
    assert next_name(Season(name=name)) == following
