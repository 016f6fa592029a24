"""What becomes of started matches follows from the facts, in whatever order they are told."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from leagues.domain.started_matches import ResultFact, StartFact, Verdict, verdicts_of

BEGIN = datetime(2026, 3, 1, 18, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LATE = BEGIN + 90 * DAY
ANA, BO, CY = 1, 2, 3


def start(number: int, hours: float, *players: int, released: Any = ()) -> StartFact:
    at = BEGIN + hours * HOUR
    return StartFact(number, number, at, at + DAY, frozenset(players), frozenset(released))


def result(number: int, hours: float, *players: int) -> ResultFact:
    at = BEGIN + hours * HOUR
    return ResultFact(number, number, at, at, at, frozenset(players))


def without_time(number: int, day: int, *players: int, entered: datetime = LATE) -> ResultFact:
    at = BEGIN.replace(hour=0) + day * DAY
    last = at + DAY - timedelta(microseconds=1)
    return ResultFact(number, number, at, last, entered, frozenset(players))


def left(hours: float, *leavers: int) -> Verdict:
    return Verdict("left", BEGIN + hours * HOUR, frozenset(leavers))


def ended(hours: float, by: int | None = None) -> Verdict:
    return Verdict("ended", BEGIN + hours * HOUR, result=by)


def test_a_start_is_open_until_its_deadline_and_lost_by_all_then() -> None:
    one = start(1, 0, ANA, BO)
    before = verdicts_of([one], [], BEGIN + DAY - timedelta(microseconds=1))
    assert before == {1: Verdict("started", BEGIN)}
    assert verdicts_of([one], [], BEGIN + DAY) == {1: left(24, ANA, BO)}


def test_who_starts_another_match_leaves_and_the_first_to_do_so_ends_it() -> None:
    starts = [start(1, 0, ANA, BO), start(2, 3, BO, CY), start(3, 2, ANA, CY)]
    assert verdicts_of(starts, [], BEGIN + 4 * HOUR) == {
        1: left(2, ANA),
        2: Verdict("started", BEGIN + 3 * HOUR),
        3: left(3, CY),
    }


def test_who_was_let_go_may_start_another() -> None:
    starts = [start(1, 0, ANA, BO, released=[ANA]), start(2, 1, ANA, CY)]
    assert verdicts_of(starts, [], LATE)[1] == left(24, BO)
    assert verdicts_of([start(1, 0, ANA, BO, released=[ANA, BO])], [], LATE) == {1: ended(0)}


def test_a_result_ends_the_start_that_was_open_when_it_was_played() -> None:
    starts = [start(1, 0, ANA, BO), start(2, 5, ANA, BO)]
    played = [result(7, 4, ANA, BO), result(8, 5, ANA, BO), result(9, 29.5, ANA, BO)]
    assert verdicts_of(starts, played, LATE) == {1: ended(0, 7), 2: ended(5, 8)}
    assert verdicts_of(starts, played[1:], LATE) == {1: left(5, ANA, BO), 2: ended(5, 8)}
    assert verdicts_of(starts, [result(7, -1, ANA, BO)], LATE)[1] == left(5, ANA, BO)
    assert verdicts_of(starts, [result(7, 1, ANA, CY)], LATE)[1] == left(5, ANA, BO)


def test_a_result_without_a_time_may_be_of_any_time_of_its_day() -> None:
    """The matches begin at six in the evening; the deadline is on the day after."""
    starts = [start(1, 0, ANA, BO)]
    for day, is_over in ((-1, False), (0, True), (1, True), (2, False)):
        verdict = verdicts_of(starts, [without_time(7, day, ANA, BO)], LATE)[1]
        assert (verdict == ended(0, 7)) is is_over, day
    earlier = without_time(7, 0, ANA, BO, entered=BEGIN - HOUR)
    assert verdicts_of(starts, [earlier], LATE)[1] == left(24, ANA, BO)


PAIRS = st.sampled_from([(ANA, BO), (ANA, CY), (BO, CY)])
HOURS = st.one_of(st.integers(0, 60), st.integers(0, 60).map(lambda hour: hour + 27 / 3600))


@given(
    st.lists(st.tuples(PAIRS, HOURS), max_size=6, unique_by=lambda told: told[1]),
    st.lists(st.tuples(PAIRS, HOURS, st.booleans()), max_size=6),
    st.randoms(use_true_random=False),
)
def test_no_order_makes_a_difference_and_a_result_ends_one_start(
    starts: Any, results: Any, random: Any
) -> None:
    told = [start(number, hours, *pair) for number, (pair, hours) in enumerate(starts)]
    played = [
        without_time(100 + number, int(hours) // 24, *pair)
        if is_day
        else result(100 + number, hours, *pair)
        for number, (pair, hours, is_day) in enumerate(results)
    ]
    verdicts = verdicts_of(told, played, LATE)
    random.shuffle(told)
    random.shuffle(played)
    assert verdicts_of(told, played, LATE) == verdicts
    ends = [verdict.result for verdict in verdicts.values() if verdict.result is not None]
    assert len(ends) == len(set(ends))
    assert all(verdict.kind in ("ended", "left") for verdict in verdicts.values())


def test_a_result_at_a_whole_minute_ends_the_start_of_that_minute() -> None:
    """People type minutes; starts have seconds."""
    one = start(1, 27 / 3600, ANA, BO)
    played = ResultFact(7, 7, BEGIN, BEGIN, LATE, frozenset([ANA, BO]))
    assert verdicts_of([one], [played], LATE) == {1: ended(27 / 3600, 7)}
    for at in (BEGIN - timedelta(minutes=1), BEGIN + timedelta(seconds=26)):
        other = ResultFact(7, 7, at, at, LATE, frozenset([ANA, BO]))
        assert verdicts_of([one], [other], LATE)[1].kind == "left", at
    before = ResultFact(7, 7, BEGIN, BEGIN, BEGIN + timedelta(seconds=5), frozenset([ANA, BO]))
    assert verdicts_of([one], [before], LATE)[1].kind == "left"


def test_a_start_before_the_minute_takes_its_result_first() -> None:
    """A rematch within the minute of a result leaves nobody the loser of what was played."""
    starts = [start(1, -0.25, ANA, BO), start(2, 10 / 3600, ANA, BO)]
    played = ResultFact(7, 7, BEGIN, BEGIN, LATE, frozenset([ANA, BO]))
    assert verdicts_of(starts, [played], LATE)[1] == ended(-0.25, 7)
    again = ResultFact(8, 8, BEGIN, BEGIN, LATE, frozenset([ANA, BO]))
    for results in ([played, again], [again, played]):
        verdicts = verdicts_of(starts, results, LATE)
        assert verdicts == {1: ended(-0.25, 7), 2: ended(10 / 3600, 8)}
