"""S-28: one event, one line, whatever names contain."""

from __future__ import annotations

import io
import json
import logging

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied, TooManyFieldsSent
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils.log import log_response

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


@pytest.fixture
def written(request: pytest.FixtureRequest) -> io.StringIO:
    """Answer what the handler of the settings writes."""
    (handler,) = (one for one in logging.getLogger().handlers if one.name == "stderr")
    assert isinstance(handler, logging.StreamHandler)
    written = io.StringIO()
    former = handler.setStream(written)
    assert former is not None
    request.addfinalizer(lambda: handler.setStream(former))
    return written


@pytest.mark.parametrize("error", [TooManyFieldsSent("too many"), PermissionDenied("not you")])
def test_what_a_client_got_wrong_is_one_line(written: io.StringIO, error: Exception) -> None:
    logging.getLogger("django.security.Any").error("refused", exc_info=error)
    assert written.getvalue().count("\n") == 1 and "warning" in written.getvalue()


def test_what_we_got_wrong_keeps_its_traceback(written: io.StringIO) -> None:
    logging.getLogger("django.request").error("failed", exc_info=ValueError("ours"))
    assert "ValueError: ours" in written.getvalue().splitlines()[-1]


def test_an_invented_host_is_no_line_at_all(
    written: io.StringIO, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logger = logging.getLogger("django.security.DisallowedHost")
    # pytest adds handlers of its own; with none at all Python's last resort writes.
    ours = [one for one in logger.handlers if one.name in settings.LOGGING["handlers"]]
    monkeypatch.setattr(logger, "handlers", ours)
    assert Client().get("/nowhere/", HTTP_HOST="evil.example").status_code == 400
    assert capsys.readouterr().err == written.getvalue() == ""


def test_a_form_that_asks_again_is_no_line_and_a_program_is_one(
    written: io.StringIO, rf: RequestFactory
) -> None:
    def refused(path: str) -> None:
        response = HttpResponse(status=422)
        log_response("refused: %s", path, response=response, request=rf.post(path))

    refused("/l/club/settings/")
    assert written.getvalue() == ""
    refused("/api/v1/leagues/club/matches/")
    assert written.getvalue().count("\n") == 1
