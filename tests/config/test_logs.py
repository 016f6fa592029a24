"""S-28: one event, one line, whatever names contain."""

from __future__ import annotations

import json
import logging

import pytest

from config.logs import JsonFormatter, PlainFormatter, RequestIdFilter, request_id


@pytest.fixture
def record() -> logging.LogRecord:
    record = logging.LogRecord("rungs", logging.INFO, "", 0, "joined: %s", ("a\nb\x1b[31m",), None)
    token = request_id.set("abc")
    RequestIdFilter().filter(record)
    request_id.reset(token)
    return record


def test_s28_a_name_cannot_begin_a_line_or_command_a_terminal(record: logging.LogRecord) -> None:
    line = PlainFormatter().format(record)
    assert line.endswith(r"info    rungs [abc] joined: a\nb\x1b[31m")


def test_s28_the_json_line_carries_the_request(record: logging.LogRecord) -> None:
    event = json.loads(JsonFormatter().format(record))
    assert event["request"] == "abc"
    assert event["message"] == r"joined: a\nb\x1b[31m"
