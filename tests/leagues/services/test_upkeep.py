"""Voiding many results at once, verifying at once, trying failed work again, recalculating."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from leagues.domain.ranking import RankingRule
from leagues.jobs.queue import enqueue
from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, Job, League, Match, Season, Standing
from leagues.services.errors import Refused
from leagues.services.integrity import board_digest
from leagues.services.leagues import create_season
from leagues.services.matches import record_matches, revert_revision
from leagues.services.recalculation import rank_changes, recalculate_board
from leagues.services.upkeep import retry_jobs, verify_now, void_matches
from leagues.store.hashes import EPOCH
from tests.leagues.people import make_user
from tests.leagues.play import mode_of, new_club, record, result, rounds, season_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def boss() -> User:
    return make_user("boss")


@pytest.fixture
def league(boss: User) -> League:
    league = new_club(owner=boss)
    record(league, *rounds(league, ("Ana", "Bo", "Cy"), 2), by=boss)
    return league


def keys(league: League, count: int) -> list[int]:
    return list(league.matches.order_by("seq").values_list("pk", flat=True)[:count])


class TestVoiding:
    def test_many_results_are_one_revision_that_is_undone_as_one(
        self, league: League, boss: User
    ) -> None:
        before = board_digest(league.boards.first())
        revision = void_matches(
            season=season_of(league), matches=keys(league, 3), author=boss, reason="rigged"
        )
        drain()
        assert (revision.kind, revision.summary["matches"], revision.reason) == (
            "void",
            3,
            "rigged",
        )
        assert league.matches.filter(status="void").count() == 3
        assert board_digest(league.boards.first()) != before
        revert_revision(revision=revision, author=boss)
        drain()
        assert board_digest(league.boards.first()) == before

    def test_what_is_void_already_is_left_as_it_is(self, league: League, boss: User) -> None:
        season = season_of(league)
        void_matches(season=season, matches=keys(league, 2), author=boss, reason="rigged")
        again = void_matches(season=season, matches=keys(league, 2), author=boss, reason="rigged")
        assert again is None and season_of(league).last_revision == 2

    def test_it_needs_a_reason(self, league: League, boss: User) -> None:
        with pytest.raises(Refused) as refused:
            void_matches(season=season_of(league), matches=keys(league, 1), author=boss, reason=" ")
        assert refused.value.codes == {"reason_missing"}

    def test_results_of_two_seasons_are_refused(self, league: League, boss: User) -> None:
        first = season_of(league)
        second = create_season(league=league, name="Spring")
        record_matches(season=second, mode=mode_of(league), drafts=[result(league, "Ana", "Bo")])
        everything = list(league.matches.values_list("pk", flat=True))
        with pytest.raises(Refused) as refused:
            void_matches(season=first, matches=everything, author=boss, reason="rigged")
        assert refused.value.codes == {"seasons"}
        assert not Match.objects.filter(status="void").exists()

    def test_too_many_are_refused(self, league: League, boss: User) -> None:
        with pytest.raises(Refused) as refused:
            void_matches(
                season=season_of(league), matches=range(1001), author=boss, reason="rigged"
            )
        assert refused.value.codes == {"too_many"}

    def test_a_sealed_season_keeps_its_results(self, league: League, boss: User) -> None:
        Season.objects.update(state="closed")
        with pytest.raises(Refused):
            void_matches(
                season=season_of(league), matches=keys(league, 1), author=boss, reason="rigged"
            )
        assert not Match.objects.filter(status="void").exists()


class TestVerifying:
    def test_it_does_not_wait(self, league: League) -> None:
        board = league.boards.first()
        Job.objects.filter(key=f"verify:{board.pk}").delete()
        verify_now(board=board)
        drain()
        board.refresh_from_db()
        assert board.verified_at is not None and board.differences == 0

    def test_one_that_waits_is_hurried(self, league: League) -> None:
        board = league.boards.first()
        assert Job.objects.filter(key=f"verify:{board.pk}", state="queued").count() == 1
        verify_now(board=board)
        drain()
        assert Job.objects.get(key=f"verify:{board.pk}").state == "done"


class TestTryingAgain:
    def test_a_paused_board_goes_on(self, league: League, boss: User) -> None:
        board = league.boards.first()
        Job.objects.filter(key=f"rate:{board.pk}").update(state="failed", error="a\nValueError: x")
        Board.objects.filter(pk=board.pk).update(state="paused", problem="ValueError: x")
        assert retry_jobs(jobs=Job.objects.filter(state="failed"), actor=boss) == 1
        drain()
        board.refresh_from_db()
        assert (board.state, board.problem) == ("ready", "")
        assert Job.objects.filter(key=f"rate:{board.pk}", state="done").exists()
        entry = AuditEntry.objects.get(action="job.retry")
        assert entry.actor == boss and entry.before == {"error": "ValueError: x"}

    def test_what_did_not_fail_is_left_alone(self, league: League, boss: User) -> None:
        enqueue("tidy", key="tidy:1", params={})
        assert retry_jobs(jobs=Job.objects.exclude(state="failed"), actor=boss) == 0
        assert not AuditEntry.objects.filter(action="job.retry").exists()


class TestRecalculating:
    def test_nothing_moves_where_nothing_was_wrong(self, league: League, boss: User) -> None:
        board = league.boards.first()
        before = board_digest(board)
        job = recalculate_board(board=board, actor=boss)
        drain()
        report = Job.objects.get(pk=job).result
        assert (report["players"], report["moved"], report["other_values"]) == (3, 0, 0)
        board.refresh_from_db()
        assert board_digest(board) == before and board.generation > 1
        assert AuditEntry.objects.get(action="board.recalculate").season == season_of(league)

    def test_what_was_wrong_is_told_and_put_right(self, league: League, boss: User) -> None:
        board = league.boards.first()
        before = board_digest(board)
        best, *_, last = Standing.objects.filter(board=board).order_by("-place_value")
        Standing.objects.filter(pk=best.pk).update(place_value=last.place_value - 1)
        job = recalculate_board(board=board, actor=boss)
        drain()
        report = Job.objects.get(pk=job).result
        assert report["moved"] == 3 and report["other_values"] == 1
        assert report["movers"][0] == {"name": best.player.name, "before": 3, "after": 1}
        board.refresh_from_db()
        assert board_digest(board) == before

    def test_a_sealed_season_is_left_alone(self, league: League, boss: User) -> None:
        Season.objects.update(state="closed")
        with pytest.raises(Refused):
            recalculate_board(board=league.boards.first(), actor=boss)
        assert not Job.objects.filter(kind="recalculate_board").exists()


def test_equal_places_share_a_rank(league: League) -> None:
    players = league.players.order_by("key").values_list("pk", flat=True)

    def standings(*places: int) -> list[Standing]:
        return [
            Standing(player_id=pk, place_value=place, games=1, last_played_at=EPOCH)
            for pk, place in zip(players, places, strict=True)
        ]

    report = rank_changes(standings(9, 9, 5), standings(9, 4, 9), *2 * [RankingRule(1, EPOCH)])
    assert report["movers"] == [
        {"name": "Cy", "before": 3, "after": 1},
        {"name": "Bo", "before": 1, "after": 3},
    ]


def test_whom_the_board_does_not_rank_has_no_rank_in_the_report_either(league: League) -> None:
    ana, bo, cy = league.players.order_by("key").values_list("pk", flat=True)

    def standings(**places: int) -> list[Standing]:
        games, keys = {"ana": 2, "bo": 1, "cy": 2}, {"ana": ana, "bo": bo, "cy": cy}
        return [
            Standing(player_id=keys[key], place_value=place, games=games[key], last_played_at=EPOCH)
            for key, place in places.items()
        ]

    before, after = standings(ana=7, bo=9, cy=5), standings(ana=5, bo=9, cy=7)
    report = rank_changes(before, after, *2 * [RankingRule(2, EPOCH)])
    assert report["players"] == 2
    assert report["movers"] == [
        {"name": "Cy", "before": 2, "after": 1},
        {"name": "Ana", "before": 1, "after": 2},
    ]


def test_a_newest_result_that_no_longer_counts_makes_nobody_inactive(league: League) -> None:
    ana, bo, _cy = league.players.order_by("key").values_list("pk", flat=True)
    standings = [
        Standing(player_id=ana, place_value=9, games=1, last_played_at=EPOCH),
        Standing(player_id=bo, place_value=7, games=1, last_played_at=EPOCH + timedelta(days=1)),
    ]
    before, after = RankingRule(1, EPOCH + timedelta(days=1)), RankingRule(1, EPOCH)
    report = rank_changes(standings, standings, before, after)
    assert (report["came"], report["gone"]) == (1, 0)
    assert report["movers"] == [{"name": "Bo", "before": 1, "after": 2}]
