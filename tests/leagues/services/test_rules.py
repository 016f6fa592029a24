"""Rules of a board that change: versions, and results rated by the rules of their time."""

from __future__ import annotations

import itertools
import random
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import AuditEntry, Board, Season, Standing
from leagues.pages.boards import board_address, player_address
from leagues.pages.matches import match_address
from leagues.pages.rules import rules_address
from leagues.services.errors import Refused
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.matches import record_matches
from leagues.services.rules import change_rules, in_force, preview_rules, rules_of
from leagues.services.trial_reports import trial_report
from tests.leagues.play import LATER, START, mode_of, new_club, record, result, season_of

pytestmark = pytest.mark.django_db

NAMES = ("Ana", "Bo", "Cy", "Dee")
MIDDLE = START + timedelta(days=9)
DATED = {
    "elo": {"k": 40.0, "k0": 60.0},
    "glicko2": {"tau": 1.2, "preset": "glickman"},
    "glicko": {"c": 90.0, "period_days": 2},
    "trueskill": {"beta": 6.0, "draw_probability": 0.0},
    "wenglin": {"model": "bradley-terry"},
    "zerosum": {"max_gain": 0.5},
    "becker": {"k": 64.0},
    "ladder": {"mode": "insert"},
}
WITH_PERIODS = {
    "zerosum": ({"decay": 0.2, "period_days": 2}, {"decay": 0.05, "max_gain": 0.4}),
    "becker": ({"decay": 7.0, "period_days": 2, "who": "all"}, {"decay": 1.0}),
    "glicko2": ({"period": "calendar", "period_days": 2}, {"tau": 1.1}),
    "trueskill": ({"idle_variance": 0.5}, {"idle_variance": 0.1}),
}


def results(club, count=6):
    """Return rounds three days apart, whoever wins."""
    source = random.Random(7)
    return [
        result(
            club,
            one,
            other,
            ranks=source.choice(((1, 2), (2, 1), (1, 1))),
            at=START + timedelta(days=3 * number, minutes=10 * index),
        )
        for number in range(count)
        for index, (one, other) in enumerate(itertools.combinations(NAMES, 2))
    ]


def fresh(board):
    board.refresh_from_db()
    return board


def club_with(system, parameters=None, slug="club"):
    """Return a new club whose only board is rated by this system."""
    club = new_club(slug)
    season_of(club).boards.all().delete()
    board = add_board(
        season=season_of(club), mode=mode_of(club), system=system, parameters=parameters or {}
    )
    return club, board


def changed(board, parameters, effective_at=None, **more):
    version = change_rules(
        board, parameters=parameters, effective_at=effective_at, actor=None, **more
    )
    drain()
    board.refresh_from_db()
    return version


def right(board):
    board.refresh_from_db()
    return check_board(board).differences == ()


CASES = [(name, {}, new) for name, new in DATED.items()] + [
    (name, old, new) for name, (old, new) in WITH_PERIODS.items()
]


@pytest.mark.parametrize(("system", "old", "new"), CASES)
def test_results_are_rated_by_the_rules_of_their_time_in_whatever_order_they_come(system, old, new):
    club, board = club_with(system, old)
    drafts = results(club, 6)
    early = [draft for draft in drafts if draft.played_at < MIDDLE]
    late = [draft for draft in drafts if draft.played_at >= MIDDLE]
    record(club, *early)
    by_the_old = board_digest(fresh(board))
    changed(board, new, MIDDLE)
    for draft in late:
        record(club, draft)
    assert right(board)

    other, one_go = club_with(system, old, "other")
    record(other, *results(other, 6))
    without = board_digest(fresh(one_go))
    changed(one_go, new, MIDDLE)
    assert right(one_go)
    assert board_digest(board) == board_digest(one_go) != without

    third, late_one = club_with(system, old, "third")
    mixed = results(third, 6)
    changed(late_one, new, MIDDLE)
    record(third, *mixed[1:3], *mixed[4:])
    record(third, mixed[3])
    record(third, mixed[0])
    assert right(late_one)
    assert board_digest(late_one) == board_digest(board)

    only, start = club_with(system, old, "only")
    record(only, *[draft for draft in results(only, 6) if draft.played_at < MIDDLE])
    assert board_digest(fresh(start)) == by_the_old


@pytest.mark.parametrize("system", DATED)
def test_rules_from_the_first_match_on_are_those_of_a_board_that_always_had_them(system):
    club, board = club_with(system)
    record(club, *results(club, 4))
    before = board_digest(fresh(board))
    changed(board, DATED[system])
    other, always = club_with(system, DATED[system], "other")
    record(other, *results(other, 4))
    assert board_digest(board) == board_digest(fresh(always)) != before
    changed(board, {name: board.rules.first().parameters[name] for name in DATED[system]})
    assert board_digest(board) == before
    assert right(board)


@pytest.mark.parametrize(("system", "old", "new"), CASES)
def test_rules_changed_back_from_the_same_day_on_have_never_changed(system, old, new):
    club, board = club_with(system, old)
    record(club, *results(club, 6))
    before = board_digest(fresh(board))
    first = dict(board.parameters)
    changed(board, new, MIDDLE)
    assert board_digest(board) != before
    changed(board, first, MIDDLE)
    assert board_digest(board) == before
    assert len(rules_of(board)) == 3


def test_versions_stay_and_say_who_changed_what_and_why():
    club, board = club_with("elo", {"k": 20.0})
    kim = User.objects.create_user("kim")
    record(club, *results(club, 2))
    change_rules(board, parameters={"k": 30.0}, effective_at=MIDDLE, actor=kim, reason="Cup time")
    change_rules(board, parameters={"k": 32.0}, effective_at=LATER, actor=kim)
    change_rules(board, parameters={"k": 24.0}, effective_at=MIDDLE, actor=kim, reason=" Too much ")
    board.refresh_from_db()
    found = [(row.number, row.parameters["k"], row.is_replaced) for row in rules_of(board)]
    assert found == [(1, 20.0, False), (2, 30.0, True), (3, 32.0, True), (4, 24.0, False)]
    assert [row.number for row in in_force(rules_of(board))] == [1, 4]
    assert (board.parameters["k"], board.rules_since) == (24.0, MIDDLE)
    entry = AuditEntry.objects.filter(action="board.rules").order_by("pk").last()
    before = {"system": "elo", "parameters": {"k": 20.0}}
    assert (entry.before, entry.actor) == (before, kim)
    after = {"system": "elo", "parameters": {"k": 24.0}}
    assert entry.after == {**after, "from": MIDDLE.isoformat(), "reason": "Too much"}
    changed(board, {"k": 10.0})
    assert [row.number for row in in_force(rules_of(board))] == [5]
    assert right(board)


def test_a_board_whose_rules_never_changed_has_one_version_that_is_not_stored():
    _club, board = club_with("elo")
    (only,) = rules_of(board)
    assert (only.number, only.parameters, only.effective_at) == (1, board.parameters, None)
    assert not board.rules.exists()


@pytest.mark.parametrize(
    ("system", "old", "new"),
    [
        ("static", {}, {"least_events": 1}),
        ("elo", {}, {"policy": "fide"}),
        ("zerosum", {}, {"decay": 0.1}),
        ("zerosum", {"decay": 0.1}, {"period_days": 14}),
        ("becker", {"decay": 1.0}, {"period_days": 14}),
        ("glicko2", {}, {"display": "points"}),
        ("glicko2", {"period": "calendar"}, {"period_days": 7}),
        ("trueskill", {}, {"idle_variance": 0.1}),
    ],
)
def test_what_is_kept_of_players_cannot_change_within_a_season(system, old, new):
    club, board = club_with(system, old)
    record(club, *results(club, 3))
    label = {row.name: row.label for row in describe(system)}.get(next(iter(new)), "")
    with pytest.raises(ValidationError) as refused:
        changed(board, new, MIDDLE)
    (words,) = refused.value.message_dict["effective_at"]
    assert label in words or "whole season" in words
    changed(board, new)
    assert right(board)


def describe(system):
    from leagues.bridge import describe_system

    return describe_system(system)


OTHER_COLUMNS = (
    ("glicko2", {}, {"period": "calendar"}),
    ("glicko2", {"period": "calendar"}, {"period": "per-match"}),
    ("glicko2", {}, {"display": "points"}),
    ("zerosum", {}, {"decay": 0.1}),
    ("zerosum", {}, {"display": "fixed-range"}),
    ("becker", {}, {"decay": 4.0}),
    ("trueskill", {}, {"idle_variance": 0.2}),
)


@pytest.mark.parametrize(("system", "old", "new"), OTHER_COLUMNS)
def test_until_new_rules_are_computed_everything_is_shown_by_the_old_ones(client, system, old, new):
    club, board = club_with(system, old)
    first, *_more = record(club, *results(club, 3))
    addresses = (
        board_address(fresh(board)),
        player_address(board, "ana"),
        match_address(first, club, board.season),
        f"/l/{club.slug}/",
        rules_address(board),
    )
    before, digest = bridge.match_account(board, first), board_digest(board)
    change_rules(board, parameters=new, effective_at=None, actor=None)
    board = Board.objects.select_related("league", "season", "mode").get(pk=board.pk)
    assert [client.get(address).status_code for address in addresses] == [200] * len(addresses)
    assert "still being computed" in client.get(addresses[-1]).content.decode()
    assert (bridge.match_account(board, first), board_digest(board)) == (before, digest)
    drain()
    assert [client.get(address).status_code for address in addresses] == [200] * len(addresses)
    assert "still being computed" not in client.get(addresses[-1]).content.decode()
    assert right(board)
    assert board_digest(board) != digest


def test_a_match_is_told_by_the_rules_of_its_time_that_rated_it():
    club, board = club_with("elo")
    matches = record(club, *results(club, 6))
    changed(board, {"k": 40.0, "k0": 40.0}, MIDDLE)
    told = [bridge.match_account(fresh(board), match) for match in matches]
    change_rules(board, parameters={"k": 9.0, "k0": 9.0}, effective_at=None, actor=None)
    board = Board.objects.select_related("league", "season", "mode").get(pk=board.pk)
    assert [bridge.match_account(board, match) for match in matches] == told
    assert bridge.system_at(board, START).parameters.k == 20.0


def test_an_upgrade_finds_out_which_rules_a_board_was_rated_by():
    club, board = club_with("elo")
    record(club, *results(club, 6))
    changed(board, {"k": 40.0}, MIDDLE)
    changed(board, {"k": 50.0}, MIDDLE + timedelta(days=3))
    changed(board, {"k": 60.0}, MIDDLE + timedelta(days=1))
    rated = fresh(board).rated_rules
    assert [parameters["k"] for _since, parameters in rated] == [20.0, 40.0, 60.0]
    change_rules(board, parameters={"k": 9.0}, effective_at=None, actor=None)
    Board.objects.update(rated_rules=[])
    import_module("leagues.migrations.0004_rated_rules").fill(apps, None)
    assert fresh(board).rated_rules == rated


@pytest.mark.parametrize("state", ["closing", "closed", "archived"])
def test_a_season_that_is_over_keeps_its_rules(state):
    _club, board = club_with("elo")
    Season.objects.update(state=state)
    with pytest.raises(Refused) as refused:
        change_rules(fresh(board), parameters={"k": 10.0}, effective_at=None, actor=None)
    assert refused.value.codes == {"season_closed"}
    assert not board.rules.exists()


@pytest.mark.parametrize(
    ("parameters", "effective_at", "field"),
    [
        ({"k": 1e9}, None, "k"),
        ({"k": "NaN"}, None, "k"),
        ({"k": None}, None, "k"),
        ({"k\x00": 3}, None, "k\x00"),
        ({"policy": "most"}, None, "policy"),
        ({"k": 10.0}, LATER + timedelta(days=40_000), "effective_at"),
        ({"k": 10.0}, LATER - timedelta(days=365 * 300), "effective_at"),
        ({"k": 10.0}, LATER.replace(tzinfo=None), "effective_at"),
        ({}, None, "__all__"),
        ({}, MIDDLE, "__all__"),
    ],
)
def test_rules_that_cannot_be_are_refused_in_words(parameters, effective_at, field):
    _club, board = club_with("elo")
    with pytest.raises(ValidationError) as refused:
        change_rules(board, parameters=parameters, effective_at=effective_at, actor=None)
    told = refused.value.message_dict if hasattr(refused.value, "error_dict") else {"__all__": 1}
    assert set(told) == {field}
    assert not board.rules.exists()


@pytest.mark.parametrize(
    ("parameters", "can_be"),
    [
        ({"scale": 1e6, "start": 1e6}, False),
        # Shown as the floor.
        ({"scale": 1e6, "start": -1e6}, True),
        ({"scale": 1e6, "start": 999.0, "spread": 1.0}, False),
        ({"scale": 1e6, "start": 998.0, "spread": 0.5}, True),
        ({"scale": 1000.0, "start": 1e6, "offset": 1.0}, False),
        ({"scale": 1000.0, "start": 1e6, "offset": 0.0}, True),
        ({"scale": 1e6, "start": 1e6, "display": "raw"}, True),
        ({"scale": 1e6, "start": 1e6, "display": "fixed-range"}, True),
        ({"scale": 1e6}, True),
    ],
)
def test_rules_by_which_newcomers_could_not_be_shown_are_refused_in_words(parameters, can_be):
    club, board = club_with("zerosum")
    other = {"season": season_of(club), "mode": mode_of(club), "system": "zerosum", "name": "Other"}
    ways = [
        lambda: change_rules(board, parameters=parameters, effective_at=None, actor=None),
        lambda: preview_rules(board, parameters=parameters, effective_at=None, actor=None),
        lambda: add_board(**other, parameters=parameters),
    ]
    for way in reversed(ways) if can_be else ways:
        if can_be:
            way()
            continue
        with pytest.raises(ValidationError, match="over a billion") as refused:
            way()
        assert set(refused.value.message_dict) == {"scale"}
    drain()
    assert check_board(fresh(board)).differences == ()


@pytest.mark.parametrize("reason", ["x" * 201, "a\x00b", "\u202eturned"])
def test_a_reason_that_nobody_could_read_is_refused(reason):
    _club, board = club_with("elo")
    with pytest.raises(ValidationError) as refused:
        change_rules(board, parameters={"k": 9}, effective_at=None, actor=None, reason=reason)
    assert set(refused.value.message_dict) == {"reason"}


def test_a_rating_under_way_notices_that_the_rules_change():
    club, board = club_with("elo")
    record_matches(season=season_of(club), mode=mode_of(club), drafts=results(club, 3), author=None)
    change_rules(board, parameters={"k": 9.0}, effective_at=MIDDLE, actor=None)
    drain()
    assert right(board)


@pytest.mark.parametrize(("system", "new"), DATED.items())
def test_what_a_preview_shows_is_what_the_change_brings(system, new):
    club, board = club_with(system)
    record(club, *results(club))
    trial = preview_rules(fresh(board), parameters=new, effective_at=MIDDLE, actor=None)
    before = board_digest(board)
    drain()
    assert board_digest(fresh(board)) == before
    trial.refresh_from_db()
    changed(board, new, MIDDLE)
    names = ranks(board)
    report = trial_report(trial)
    assert report.players == len(NAMES)
    for mover in report.movers:
        assert names[mover.player] == mover.new_rank
    has_moved = {mover.player for mover in report.movers}
    assert len(has_moved) == report.moved


def ranks(board):
    rows = Standing.objects.current(board)
    places = [row.place_value for row in rows]
    return {
        row.player.key: 1 + sum(place > row.place_value for place in places)
        for row in rows.select_related("player")
    }


def test_a_preview_refuses_what_the_change_would_refuse():
    _club, board = club_with("zerosum")
    for parameters in ({"decay": 0.1}, {"max_gain": -1.0}, {}):
        with pytest.raises(ValidationError):
            preview_rules(board, parameters=parameters, effective_at=MIDDLE, actor=None)
    assert not board.trials.exists()
