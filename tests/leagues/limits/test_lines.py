"""Lines: few at once, nobody fills one alone, and whoever left makes room."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from leagues.limits.lines import Line


def test_a_full_line_sends_away_and_whoever_leaves_makes_room() -> None:
    line = Line(at_once=2, waiting=0, each=2, patience=0.0)
    one, two = line.enter("ana"), line.enter("bo")
    assert one and two and line.enter("cy") is None
    one.end()
    one.end()
    assert line.enter("cy") and line.enter("di") is None


def test_nobody_fills_a_line_alone() -> None:
    line = Line(at_once=4, waiting=0, each=1, patience=0.0)
    assert line.enter("ana") and line.enter("ana") is None
    assert line.enter("bo")


def test_who_waited_in_vain_stands_in_the_line_no_more() -> None:
    line = Line(at_once=1, waiting=1, each=2, patience=0.0)
    inside = line.enter("ana")
    assert inside
    assert [line.enter("bo") for _ in range(9)] == [None] * 9
    inside.end()
    assert line.enter("bo")


def test_those_who_wait_get_in_when_it_is_their_turn() -> None:
    line = Line(at_once=1, waiting=3, each=1, patience=60.0)
    first = line.enter("ana")
    assert first
    with ThreadPoolExecutor(3) as pool:

        def pass_through(caller: str) -> bool:
            turn = line.enter(caller)
            if turn is not None:
                turn.end()
            return turn is not None

        waiting = [pool.submit(pass_through, caller) for caller in ("bo", "cy", "di")]
        first.end()
        assert all(one.result() for one in waiting)
    assert not line._present and not line._inside


def test_a_turn_that_ends_after_the_line_was_forgotten_makes_no_room() -> None:
    line = Line(at_once=1, waiting=0, each=2, patience=0.0)
    before = line.enter("ana")
    line.forget()
    assert before and line.enter("bo")
    before.end()
    assert line.enter("cy") is None
