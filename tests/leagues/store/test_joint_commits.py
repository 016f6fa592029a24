"""Those who wait to write to one season share a transaction, and none is touched by another."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.translation import get_language, override

from leagues.models import Player, RequestKey
from leagues.services.players import ensure_player
from leagues.store import joint_commits
from leagues.store.joint_commits import commit_jointly
from leagues.store.outages import is_busy, is_outage
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db(transaction=True)
Work = Callable[[], Any]
SEASON = 1


@pytest.fixture(autouse=True)
def _with_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take longer for the work of a test than a transaction takes in."""
    monkeypatch.setattr(joint_commits, "MAX_SECONDS", 60.0)


def waiting(season: int = SEASON) -> int:
    """How many wait behind the one that leads."""
    return joint_commits._queue_of(connection.vendor, season).length


def start(
    work: Work,
    outcomes: dict[int, Any],
    place: int,
    language: str = "en",
    *,
    season: int = SEASON,
) -> Any:
    """Do a work jointly in a thread of its own."""

    def do() -> None:
        try:
            with override(language):
                outcomes[place] = commit_jointly(work, season=season)
        except Exception as error:
            outcomes[place] = error
        finally:
            connection.close()

    thread = threading.Thread(target=do)
    thread.start()
    return thread


def do_jointly(first: Work, *others: Work) -> list[Any]:
    """What comes of works that wait for the first one, which runs when all are in the queue."""
    outcomes: dict[int, Any] = {}
    threads = []

    def lead() -> Any:
        if not threads:
            threads.extend(start(work, outcomes, place) for place, work in enumerate(others, 1))
            while waiting() < len(others):
                pass
        return first()

    leader = start(lead, outcomes, 0)
    leader.join()
    for thread in threads:
        thread.join()
    return [outcome for _place, outcome in sorted(outcomes.items())]


def bring(name: str, league: Any) -> Work:
    def work() -> tuple[str, int]:
        return ensure_player(league=league, name=name).key, threading.get_ident()

    return work


def refuse() -> None:
    ensure_player(league=new_club("other"), name="Nobody")
    raise ValueError


def break_off() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ROLLBACK")
    raise ValueError


def names() -> list[str]:
    return sorted(Player.objects.values_list("name", flat=True))


def test_the_first_one_does_the_work_of_those_who_wait() -> None:
    league = new_club()
    outcomes = do_jointly(*(bring(name, league) for name in ("Ana", "Bo", "Cy")))
    assert [key for key, _thread in outcomes] == ["ana", "bo", "cy"]
    assert len({thread for _key, thread in outcomes}) == 1
    assert names() == ["Ana", "Bo", "Cy"]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_what_one_is_refused_is_no_matter_of_the_others(place: int) -> None:
    league = new_club()
    works: list[Work] = [bring("Ana", league), bring("Bo", league)]
    works.insert(place, refuse)
    outcomes = do_jointly(*works)
    assert type(outcomes.pop(place)) is ValueError
    assert [key for key, _thread in outcomes] == ["ana", "bo"]
    assert names() == ["Ana", "Bo"]


@pytest.mark.parametrize("place", [0, 1])
def test_what_cannot_be_committed_is_one_s_own_failure(place: int) -> None:
    league = new_club()

    def dangle() -> None:
        RequestKey.objects.create(
            league=league, source="s", key="k", payload_hash="h", revision_id=10**9
        )

    works: list[Work] = [bring("Ana", league), bring("Bo", league)]
    works.insert(place, dangle)
    outcomes = do_jointly(*works)
    assert isinstance(outcomes.pop(place), IntegrityError)
    assert [key for key, _thread in outcomes] == ["ana", "bo"]
    assert names() == ["Ana", "Bo"]


def test_whoever_ends_the_transaction_of_all_ends_no_other_s_work() -> None:
    league = new_club()
    outcomes = do_jointly(bring("Ana", league), break_off, bring("Bo", league))
    assert type(outcomes.pop(1)) is ValueError
    assert [key for key, _thread in outcomes] == ["ana", "bo"]
    assert names() == ["Ana", "Bo"]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="others begin at the same time")
def test_all_who_wait_hear_that_nobody_can_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    league = new_club()
    monkeypatch.setitem(connections["default"].settings_dict["OPTIONS"], "queue_seconds", 1.0)
    outcomes: dict[int, Any] = {}
    with transaction.atomic():
        threads = [start(bring(name, league), outcomes, place) for place, name in enumerate("AB")]
        for thread in threads:
            thread.join()
    assert [type(outcome) for outcome in outcomes.values()] == [OperationalError] * 2
    assert len({id(outcome) for outcome in outcomes.values()}) == 2
    assert commit_jointly(bring("Cy", league), season=SEASON)[0] == "cy"


@pytest.mark.parametrize("place", [0, 1])
def test_what_a_hook_raises_has_nothing_done_again(place: int) -> None:
    league = new_club()
    names_of_runs: list[str] = []

    def fail() -> None:
        raise ValueError

    def count(name: str) -> Work:
        def work() -> str:
            names_of_runs.append(name)
            if name == "Dee":
                transaction.on_commit(fail)
            return ensure_player(league=league, name=name).key

        return work

    works = [count("Ana"), count("Bo")]
    works.insert(place, count("Dee"))
    first, *others = do_jointly(*works)
    assert sorted(names_of_runs) == ["Ana", "Bo", "Dee"]
    assert names() == ["Ana", "Bo", "Dee"]
    assert type(first) is ValueError
    assert all(type(key) is str for key in others)


def test_a_hook_cannot_wait_for_its_own_thread() -> None:
    league = new_club()

    def work() -> None:
        transaction.on_commit(lambda: commit_jointly(bring("Ana", league), season=SEASON))

    outcomes = do_jointly(work, bring("Bo", league))
    assert type(outcomes[0]) is RuntimeError
    assert outcomes[1][0] == "bo"
    assert names() == ["Bo"]


def test_a_transaction_takes_in_no_more_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    league = new_club()

    def out_of_time() -> Any:
        monkeypatch.setattr(joint_commits, "MAX_SECONDS", 0.0)
        return bring("Ana", league)()

    outcomes = do_jointly(out_of_time, bring("Bo", league), bring("Cy", league))
    assert len({thread for _key, thread in outcomes}) == 3
    assert names() == ["Ana", "Bo", "Cy"]


def test_work_has_the_language_of_its_caller() -> None:
    outcomes: dict[int, Any] = {}
    others: list[Any] = []

    def lead() -> str | None:
        others.append(start(get_language, outcomes, 1, "fr"))
        while not waiting():
            pass
        return get_language()

    start(lead, outcomes, 0, "de").join()
    others[0].join()
    assert outcomes == {0: "de", 1: "fr"}


def test_within_a_transaction_it_is_a_part_of_that() -> None:
    league = new_club()
    with transaction.atomic():
        commit_jointly(bring("Ana", league), season=SEASON)
        transaction.set_rollback(True)
    assert names() == []


@pytest.mark.skipif(connection.vendor == "sqlite", reason="it lets one write at a time")
def test_who_writes_to_another_season_waits_for_nobody() -> None:
    league = new_club()
    outcomes: dict[int, Any] = {}

    def lead() -> str:
        other = start(bring("Bo", league), outcomes, 1, season=SEASON + 1)
        other.join()
        return "led"

    start(lead, outcomes, 0).join()
    assert outcomes[0] == "led"
    assert outcomes[1][0] == "bo"


@pytest.mark.skipif(connection.vendor == "sqlite", reason="no answer of it can be lost")
def test_nothing_is_done_again_that_a_lost_commit_may_have_stored(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    league = new_club()
    commit, runs = BaseDatabaseWrapper.commit, list[str]()

    def commit_unheard(here: Any) -> None:
        commit(here)
        with here.wrap_database_errors:
            raise here.Database.OperationalError("server closed the connection unexpectedly")

    def count(name: str) -> Work:
        def work() -> str:
            runs.append(name)
            monkeypatch.setattr(BaseDatabaseWrapper, "commit", commit_unheard)
            return ensure_player(league=league, name=name).key

        return work

    outcomes = do_jointly(count("Ana"), count("Bo"), count("Cy"))
    monkeypatch.undo()
    assert runs == ["Ana", "Bo", "Cy"]
    # A busy database has saved nothing; of this one nobody knows.
    assert all(is_outage(outcome) and not is_busy(outcome) for outcome in outcomes)
    assert len({id(outcome) for outcome in outcomes}) == 3


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a server's answer can be lost")
def test_all_is_done_anew_where_the_file_refused_the_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    league = new_club()
    runs: list[str] = []

    def refuse_commit(here: Any) -> None:
        monkeypatch.undo()
        with here.wrap_database_errors:
            raise here.Database.OperationalError("disk I/O error")

    def count(name: str) -> Work:
        def work() -> str:
            runs.append(name)
            if runs == ["Ana", "Bo"]:
                monkeypatch.setattr(BaseDatabaseWrapper, "commit", refuse_commit)
            return ensure_player(league=league, name=name).key

        return work

    assert do_jointly(count("Ana"), count("Bo")) == ["ana", "bo"]
    assert sorted(runs) == ["Ana", "Ana", "Bo", "Bo"]
    assert names() == ["Ana", "Bo"]


@pytest.mark.skipif(connection.vendor == "sqlite", reason="it has no connection to lose")
def test_all_is_done_anew_where_the_connection_was_lost_before_the_commit() -> None:
    league = new_club()
    victims: list[int] = []

    def lose_connection() -> str:
        if not victims:
            victims.append(connection.connection.info.backend_pid)
            terminated(victims[0])
        return ensure_player(league=league, name="Bo").key

    outcomes = do_jointly(bring("Ana", league), lose_connection, bring("Cy", league))
    assert [outcomes[0][0], outcomes[1], outcomes[2][0]] == ["ana", "bo", "cy"]
    assert names() == ["Ana", "Bo", "Cy"]


def terminated(process: int) -> None:
    """End a connection from another one, as a server does that stops."""

    def end() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [process])
        connection.close()

    thread = threading.Thread(target=end)
    thread.start()
    thread.join()


@pytest.mark.skipif(connection.vendor == "sqlite", reason="it lets one write at a time")
def test_seasons_that_wait_for_each_other_s_new_players_store_them_all() -> None:
    league = new_club()
    both_hold = threading.Barrier(2)
    outcomes: dict[int, Any] = {}

    def pair_up(first: str, second: str, season: int) -> threading.Thread:
        others: list[threading.Thread] = []

        def lead() -> Any:
            if not others:
                others.append(start(bring(second, league), outcomes, 10 + season, season=season))
                while not waiting(season):
                    pass
                outcome = bring(first, league)()
                both_hold.wait()
                return outcome
            return bring(first, league)()

        def do() -> None:
            start(lead, outcomes, season, season=season).join()
            others[0].join()

        thread = threading.Thread(target=do)
        thread.start()
        return thread

    for thread in [pair_up("Ana", "Bo", 1), pair_up("Bo", "Ana", 2)]:
        thread.join()
    assert [error for error in outcomes.values() if isinstance(error, OperationalError)] == []
