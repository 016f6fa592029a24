"""Boards that rate events: by hand, in whatever order they come, and beside boards of results."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.utils import timezone

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, Imprint, League, Match, Mode, Standing
from leagues.services.drafts import MatchDraft
from leagues.services.history import check_league
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.matches import correct_match, restore_match, revert_revision, void_match
from leagues.services.modes import change_rated_by
from leagues.services.seasons import Step, take_step
from leagues.services.stored_drafts import draft_of
from leagues.store.match_columns import read_facts
from ratings.engine import numba_is_installed
from tests.leagues.happenings import game
from tests.leagues.play import START, mode_of, new_club, record, result, season_of
from tests.leagues.services.test_correction_preview import assert_previewed, correction

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Dee")
BOARDS = {
    "ladder": {},
    "zerosum": {},
    "becker": {},
    "static": {"least_events": 0, "least_opponents": 0},
    "trueskill": {},
    "glicko2": {},
}
BY_EVENTS = ("ladder", "zerosum", "becker", "static")
TEN = "Ana>Bo Ana>Bo Bo>Ana Cy! Cy>Ana Anaw Ana>Cy Cy>Bo Ana>Bo Bo!"
"""The ten events of docs/ratings/becker.md."""


@pytest.fixture
def club() -> League:
    return club_by("events")


def club_by(rated_by: str, slug: str = "club") -> League:
    """A club with a board of each kind, whose mode rates events or results."""
    club = new_club(slug)
    season_of(club).boards.all().delete()
    mode = change_rated_by(mode=mode_of(club), rated_by=rated_by, actor=None)
    for system, parameters in BOARDS.items():
        add_board(season=season_of(club), mode=mode, system=system, parameters=parameters)
    return club


def boards_of(club: League) -> dict[str, Board]:
    boards = club.boards.select_related("league", "season", "mode")
    return {board.system: board for board in boards}


def shown(board: Board) -> dict[str, float]:
    rows = Standing.objects.current(board).values_list("player__key", "shown")
    return dict(rows)


def digests(club: League) -> dict[str, str]:
    return {system: board_digest(board) for system, board in boards_of(club).items()}


def assert_sound(club: League) -> None:
    for system, board in boards_of(club).items():
        report = check_board(board)
        assert (report.is_behind, report.differences) == (False, ()), system
    report = check_league(club.pk)
    assert report.differences == 0, report


def by_hand(
    happened: str, *, k: float = 4.0, capture: float = 7.0
) -> tuple[dict[str, float], float]:
    """Becker's points after events, and the sum of what the accounts gave and took."""
    g: defaultdict[str, float] = defaultdict(float)
    account = 0.0

    def share(mine: float, theirs: float) -> float:
        return 1.0 / (1.0 + 10.0 ** ((theirs - mine) / 400.0))

    def lose(who: str, points: float) -> None:
        nonlocal account
        account += max(0.0, points - g[who])
        g[who] = max(0.0, g[who] - points)

    for word in happened.split():
        if ">" in word:
            one, other = word.split(">")
            points = k * share(g[other], g[one])
            g[one] += points
            lose(other, points)
        elif "x" in word:
            one, other = word.split("x")
            points = k * share(g[one], g[other])
            account -= points
            lose(one, points)
        else:
            account -= k * 0.5
            lose(word.rstrip("!w"), k * 0.5)
    return dict(g), account


def test_beckers_points_are_those_worked_out_by_hand(club: League) -> None:
    record(club, game(club, "Ana Bo Cy", TEN))
    points, account = by_hand(TEN)
    assert shown(boards_of(club)["becker"]) == pytest.approx(
        {key.lower(): value for key, value in points.items()}, abs=1e-9
    )
    assert math.isclose(math.fsum(points.values()), account, abs_tol=1e-9)
    clamped, suicides, team_kills, unopposed, decayed = bridge.board_state(
        boards_of(club)["becker"]
    )
    # The accounts add up to what there is.
    assert math.isclose(clamped - suicides - team_kills + unopposed - decayed, account)
    assert (suicides, team_kills, unopposed, decayed) == (6.0, 0.0, 0.0, 0.0)


def test_team_kills_and_captures_of_two_teams_by_hand(club: League) -> None:
    happened = "Ana>Bo AnaxCy Dee>Ana"
    record(club, game(club, "Ana+Cy Bo+Dee", f"{happened} Ana*"))
    points, _account = by_hand(happened)
    opposing = (points["Bo"] + points["Dee"]) / 2.0
    gain = 7.0 * 4.0 / (1.0 + 10.0 ** ((points["Ana"] - opposing) / 400.0))
    points["Ana"] += gain
    points.setdefault("Cy", 0.0)
    board = boards_of(club)["becker"]
    assert shown(board) == pytest.approx({key.lower(): value for key, value in points.items()})
    assert bridge.board_state(board)[3] == pytest.approx(gain)


def test_rungs_are_exchanged_event_by_event(club: League) -> None:
    # All join in order of key: Ana, Bo, Cy. Bo beats Ana, Cy beats Bo, then Ana beats Bo in vain.
    record(club, game(club, "Ana Bo Cy", "Bo>Ana Cy>Bo Cy>Ana Cy!"))
    assert shown(boards_of(club)["ladder"]) == {"cy": 1.0, "bo": 3.0, "ana": 2.0}


def test_the_ten_events_give_the_rungs_of_the_ladders_page(club: League) -> None:
    record(club, game(club, "Ana Cy Bo", TEN))
    assert shown(boards_of(club)["ladder"]) == {"cy": 1.0, "ana": 2.0, "bo": 3.0}


def test_zero_sum_points_go_from_one_to_the_other(club: League) -> None:
    record(club, game(club, "Ana Bo Cy", "Bo>Ana Bo>Ana Cy!"))
    one = 0.03 * 0.5
    two = one + 0.03 / (1.0 + math.exp(2.0 * one))
    states = {
        row.player.key: np.frombuffer(row.state, "<f8")[0]
        for row in Standing.objects.current(boards_of(club)["zerosum"]).select_related("player")
    }
    assert states == pytest.approx({"bo": two, "ana": -two, "cy": 0.0}, abs=1e-12)


def test_a_static_board_counts_who_got_whom(club: League) -> None:
    record(club, game(club, "Ana Bo", "Ana>Bo Ana>Bo Ana>Bo Bo>Ana"))
    # d = (3 - 1) / 4, and the strengths lie d apart around the middle.
    assert shown(boards_of(club)["static"]) == pytest.approx({"ana": 62.5, "bo": 37.5})


def evening(club: League, seed: int, count: int = 14) -> list[MatchDraft]:
    """Games of some players, some without events, an hour apart."""
    chance = random.Random(seed)
    drafts = []
    for number in range(count):
        players = chance.sample(NAMES, chance.randint(2, 4))
        words = []
        for _ in range(chance.choice((0, 5, 12))):
            one, other = chance.sample(players, 2)
            words.append(chance.choice((f"{one}>{other}", f"{one}>{other}", f"{one}!", f"{one}w")))
        at = START + timedelta(hours=number)
        drafts.append(game(club, " ".join(players), " ".join(words), at=at))
    return drafts


@pytest.mark.parametrize("seed", range(3))
def test_in_whatever_order_games_come_the_boards_are_those_of_a_replay(seed: int) -> None:
    club, other = club_by("events"), club_by("events", "other")
    record(other, *evening(other, seed))
    drafts = evening(club, seed)
    first, last = drafts[:9], drafts[9:]
    random.Random(seed).shuffle(first)
    for part in (first[:4], first[4:5], first[5:], last[:1], last[1:]):
        record(club, *part)
        assert_sound(club)
    assert digests(club) == digests(other)


def test_corrections_and_undoing_reach_event_boards(club: League) -> None:
    matches = record(club, *evening(club, 7))
    before = digests(club)
    chosen = next(match for match in matches if match.events.count() > 4)
    draft = draft_of(chosen)
    backwards = replace(draft, events=draft.events[::-1])
    corrected = correct_match(match=chosen, draft=backwards, expected_version=1, author=None)
    drain()
    assert_sound(club)
    after = digests(club)
    assert after["becker"] != before["becker"]
    # Neither the order nor the number of events means anything to a board of results.
    assert after["trueskill"] == before["trueskill"]
    assert corrected is not None
    void_match(match=chosen, author=None)
    drain()
    assert_sound(club)
    restore_match(match=chosen, author=None)
    revert_revision(revision=corrected, author=None)
    drain()
    assert_sound(club)
    assert digests(club) == before


def test_the_preview_of_a_correction_is_what_saving_it_does(club: League) -> None:
    matches = record(club, *evening(club, 3))
    chosen = next(match for match in matches if match.events.count() > 4)
    draft = draft_of(chosen)
    change = correction(chosen, replace(draft, events=draft.events[2:]))
    assert_previewed(club, change)


def test_boards_of_results_are_the_same_whether_events_count_or_not() -> None:
    by_events, by_results = club_by("events"), club_by("results", "other")
    for club in (by_events, by_results):
        record(club, *evening(club, 5))
        assert_sound(club)
    one, other = digests(by_events), digests(by_results)
    assert {system for system in BOARDS if one[system] != other[system]} == set(BY_EVENTS)


def test_a_changed_rule_of_the_mode_rates_its_boards_again(club: League) -> None:
    record(club, *evening(club, 5))
    by_events = digests(club)
    change_rated_by(mode=mode_of(club), rated_by="results", actor=None)
    drain()
    assert_sound(club)
    assert digests(club)["becker"] != by_events["becker"]
    entry = AuditEntry.objects.get(action="mode.rated_by", after__rated_by="results")
    assert (entry.subject, entry.before) == ("Blitz", {"rated_by": "events"})
    change_rated_by(mode=mode_of(club), rated_by="events", actor=None)
    change_rated_by(mode=mode_of(club), rated_by="events", actor=None)
    drain()
    assert digests(club) == by_events
    with pytest.raises(ValidationError, match="Choose results or events"):
        change_rated_by(mode=mode_of(club), rated_by="frags", actor=None)


def test_events_of_a_sealed_season_hold_the_rule(club: League) -> None:
    record(club, game(club, "Ana Bo", "Ana>Bo"))
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season_of(club), step, actor=None, now=timezone.now())
        drain()
    with pytest.raises(ValidationError, match="events of it in a sealed season"):
        change_rated_by(mode=mode_of(club), rated_by="results", actor=None)
    assert mode_of(club).rates_events
    assert_sound(club)


def test_without_events_a_sealed_season_does_not_hold_the_rule() -> None:
    club = club_by("results")
    record(club, result(club, "Ana", "Bo"))
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season_of(club), step, actor=None, now=timezone.now())
        drain()
    before = digests(club)
    change_rated_by(mode=mode_of(club), rated_by="events", actor=None)
    drain()
    assert_sound(club)
    assert digests(club) == before


def test_a_forged_rule_is_found_also_where_its_imprint_is_older_than_the_rule() -> None:
    club = club_by("results")
    mode = mode_of(club)
    imprint = Imprint.objects.get(table="leagues_mode", row=mode.pk)
    del imprint.content["rated_by"]
    Imprint.objects.filter(pk=imprint.pk).update(content=imprint.content)
    assert_sound(club)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE leagues_mode SET rated_by = 'events' WHERE id = %s", [mode.pk])
    findings = check_league(club.pk).settings
    assert [(one.what, one.stored, one.recorded) for one in findings] == [
        ("rated_by", "'events'", "'results'")
    ]
    Mode.objects.filter(pk=mode.pk).update(rated_by="events")
    assert_sound(club)


@pytest.mark.skipif(not numba_is_installed(), reason="needs Numba")
@pytest.mark.parametrize("system", BY_EVENTS)
def test_event_boards_are_the_same_plain_and_compiled(club: League, system: str) -> None:
    record(club, *evening(club, 11))
    board = boards_of(club)[system]
    computed = bridge.compute(board, read_facts(board))
    for engine in ("plain", "compiled"):
        replay = computed.system.replay(computed.log, engine=engine)
        assert replay.final.tobytes() == computed.replay.final.tobytes()
        assert replay.after.tobytes() == computed.replay.after.tobytes()


EVENT_RULES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "becker": (
        {"frag_k": 6.0, "frag": 0.5, "capture": 5.0},
        (
            "3 points are at stake in a frag: getting an equal gains half of them, 1.5,",
            "30 points are at stake in a capture, against the average of the other side: among "
            "equals it gains 15,",
            "A suicide or a death by the world costs 3 points.",
        ),
    ),
    "zerosum": (
        {"frag_gain": 0.05},
        (
            "A frag moves a rating by at most 8.7 points.",
            "These events count for nothing: captures, damage,",
        ),
    ),
    "ladder": ({}, ("A frag counts as a win over the player who was got.",)),
    "static": ({"suicides": "subtract"}, ("1 in 10 costs 5 points",)),
}


@pytest.mark.parametrize("system", EVENT_RULES)
def test_the_rules_say_what_each_kind_of_event_is_worth(client: Client, system: str) -> None:
    club = club_by("events")
    parameters, sentences = EVENT_RULES[system]
    board = add_board(
        season=season_of(club), mode=mode_of(club), system=system, name="own", parameters=parameters
    )
    address = f"/l/club/rules/?board={board.slug}"
    page = " ".join(client.get(address).content.decode().split())
    for sentence in sentences:
        assert sentence in page
    change_rated_by(mode=mode_of(club), rated_by="results", actor=None)
    page = " ".join(client.get(address).content.decode().split())
    for sentence in sentences:
        assert sentence not in page


def test_an_event_moves_as_much_as_the_rules_say(club: League) -> None:
    season, mode = season_of(club), mode_of(club)
    parameters = EVENT_RULES["becker"][0]
    board = add_board(
        season=season, mode=mode, system="becker", name="own", parameters=parameters | {"start": 99}
    )
    record(club, game(club, "Ana Bo", "Ana>Bo"))
    board.refresh_from_db()
    assert shown(board) == pytest.approx({"ana": 100.5, "bo": 97.5})
    record(club, game(club, "Cy Dee", "Cy* Dee!", at=START + timedelta(days=1)))
    board.refresh_from_db()
    assert shown(board)["cy"] == pytest.approx(114.0)
    assert shown(board)["dee"] == pytest.approx(96.0)


def test_pages_tell_events_and_no_outcomes_that_were_not(client, club: League) -> None:
    (match,) = record(club, game(club, "Ana Bo", "Ana>Bo Bo>Ana Ana>Bo"))
    boards = boards_of(club)
    assert Match.objects.get().pk == match.pk
    address = f"/l/club/m/autumn/{match.seq}/"
    page = client.get(f"{address}?board={boards['becker'].slug}").content.decode()
    assert "rated the 3 events of this match one after the other" in page
    assert "Other possible outcomes" not in page
    page = client.get(f"{address}?board={boards['trueskill'].slug}").content.decode()
    assert "one after the other" not in page
    rules = client.get(f"/l/club/rules/?board={boards['becker'].slug}").content.decode()
    assert "Where a match has events, such as frags" in rules
    rules = client.get(f"/l/club/rules/?board={boards['trueskill'].slug}").content.decode()
    assert "Where a match has events, such as frags" not in rules
