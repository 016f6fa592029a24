"""A small part of what `dev.py fuzz logs` does, and then the whole way into a league."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from leagues.jobs.runner import drain
from leagues.models import League, Match, MatchEvent, Player
from leagues.services.errors import Refused
from leagues.services.history import check_league
from leagues.services.integrity import check_board
from leagues.services.log_imports import GameOptions, import_logs
from leagues.services.log_reading import LogContents, LogOptions, read_log_into
from tests.fuzz import logs
from tests.fuzz.logs import FORMATS, fuzz, mutated_logs
from tests.leagues.play import START, new_club, season_of

LINES = 2_000
STORED = 12
"""Logs of each format that go all the way."""
MARKUP = ("<script>", "</bdi></bdi>", "\u202e", "\u2066", "\0")


@pytest.mark.parametrize("log_format", FORMATS)
def test_mutated_logs_are_read_to_their_end(log_format: str) -> None:
    outcome = fuzz(log_format, lines=LINES, seed=17)
    assert outcome.broken == []
    assert outcome.lines >= LINES
    assert outcome.bad_lines or log_format == "quakeworld"
    assert str(outcome).startswith(f"{log_format}: 2,")


def test_the_same_seed_makes_the_same_logs() -> None:
    first, again, other = (next(mutated_logs("quake3", seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_log_that_breaks_a_reader_is_kept_and_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(logs.tempfile, "tempdir", str(tmp_path))

    def breaks(data: bytes) -> None:
        raise ValueError(len(data))

    outcome = fuzz("quake3", lines=1, seed=1, then=breaks)
    (path,) = outcome.broken
    assert Path(path).read_bytes() == next(mutated_logs("quake3", 1))[0]
    assert f"BROKEN: {path}" in str(outcome)


def store(club: League, data: bytes, log_format: str) -> int:
    """Import a log; returns how many games of it are stored now."""
    options = LogOptions(log_format=log_format, with_bots=True, with_broken_off=True)
    contents = LogContents()
    read_log_into(contents, "fuzz.log", io.BytesIO(data), options)
    counts = Match.objects.count(), Player.objects.count()
    try:
        into = GameOptions(day=START.date())
        report = import_logs(season=season_of(club), contents=contents, options=into)
    except (Refused, ValidationError):
        assert (Match.objects.count(), Player.objects.count()) == counts
        return 0
    return report.imported


@pytest.mark.django_db
@pytest.mark.parametrize("log_format", FORMATS)
def test_what_is_stored_of_mutated_logs_is_whole_and_no_markup(
    client: Client, log_format: str
) -> None:
    club = new_club()
    imported = 0
    for _number, (data, _mutated) in zip(range(STORED), mutated_logs(log_format, 5), strict=False):
        imported += store(club, data, log_format)
    drain()
    assert Match.objects.count() == imported
    assert MatchEvent.objects.exclude(match__status="live").count() == 0
    assert check_league(club.pk).differences == 0
    for board in club.boards.select_related("league", "season", "mode"):
        report = check_board(board)
        assert (report.is_behind, report.differences) == (False, ()), board
    last = Match.objects.order_by("-seq").values_list("seq", flat=True)[:2]
    addresses = [f"/l/club/m/autumn/{seq}/" for seq in last]
    for address in ("/l/club/", "/l/club/results/", "/l/club/changes/", *addresses):
        page = client.get(address, follow=True)
        assert page.status_code == 200, address
        body = page.content.decode()
        assert [word for word in MARKUP if word in body] == [], address
