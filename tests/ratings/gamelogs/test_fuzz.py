"""Whatever the lines are, reading ends in sessions and counted problems."""

from __future__ import annotations

import contextlib
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ratings.gamelogs import building
from ratings.gamelogs.reading import NoGameLog, read_log, read_sessions
from ratings.gamelogs.sessions import LogFormat, Problems
from tests.ratings.gamelogs.seeds import SEEDS, check

ODD = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        [
            *("\0", "\u202e", "\\", ";", ":", "::", "<", ">", '"', "'", "\t", "-1", "99999999999"),
            *("1e999", "NaN", "null", "[", "{", "}", "^", "^x", " by ", "' victim='", "\u2028"),
            *("9999999:59", "999999999.9", "\ue041", "é", "\udcff", "12/31/9999", "[ffffffff]"),
        ]
    ),
)
EDIT = st.tuples(st.integers(0, 10_000), st.integers(0, 12), ODD)


@pytest.mark.parametrize("log_format", SEEDS)
def test_the_seeds_are_read_without_a_problem(log_format: LogFormat) -> None:
    report = read_log(SEEDS[log_format].encode())
    assert report.format == log_format
    assert report.sessions


@pytest.mark.parametrize("log_format", SEEDS)
def test_the_limits_hold_in_every_family(
    log_format: LogFormat, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in range(3):
        monkeypatch.setattr(building, "MAX_CONNECTIONS", limit)
        monkeypatch.setattr(building, "MAX_EVENTS", limit)
        problems = Problems()
        data = SEEDS[log_format].encode()
        sessions = list(read_sessions(io.BytesIO(data), log_format, problems))
        assert problems.total or limit
        for session in sessions:
            check(session)
            assert len(session.players) <= limit


@pytest.mark.parametrize("log_format", SEEDS)
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(edits=st.lists(EDIT, min_size=1, max_size=6), lines=st.permutations(range(40)))
def test_no_change_of_a_log_makes_a_reader_raise(
    log_format: LogFormat, edits: list[tuple[int, int, str]], lines: list[int]
) -> None:
    text = SEEDS[log_format]
    for place, cut, put in edits:
        at = place % (len(text) + 1)
        text = text[:at] + put + text[at + cut :]
    rows = text.split("\n")
    mixed = "\n".join(rows[at % len(rows)] for at in lines)
    for version in (text, mixed):
        data = version.encode("utf-8", "surrogateescape" if "\udcff" in version else "replace")
        for session in read_sessions(io.BytesIO(data), log_format, Problems()):
            check(session)


@pytest.mark.parametrize("log_format", SEEDS)
@given(data=st.binary(max_size=300))
def test_no_bytes_make_a_reader_raise(log_format: LogFormat, data: bytes) -> None:
    head = SEEDS[log_format].split("\n", 1)[0].encode()
    for content in (data, head + b"\n" + data):
        for session in read_sessions(io.BytesIO(content), log_format, Problems()):
            check(session)
    with contextlib.suppress(NoGameLog):
        read_log(data)


@pytest.mark.parametrize("log_format", SEEDS)
def test_a_log_that_ends_anywhere_is_read_to_there(log_format: LogFormat) -> None:
    data = SEEDS[log_format].encode()
    for end in range(len(data)):
        for session in read_sessions(io.BytesIO(data[:end]), log_format, Problems()):
            check(session)
