"""Values for kinds of events on boards of each system that rates events, by hand."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import Board, League, Match, Standing
from leagues.rulebook.events import describe_events
from leagues.services.drafts import MatchDraft
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.matches import correct_match
from leagues.services.modes import change_rated_by
from leagues.services.rules import change_rules, check_rules
from leagues.services.stored_drafts import draft_of
from leagues.store.match_columns import read_facts
from ratings.engine import numba_is_installed
from tests.leagues.happenings import game
from tests.leagues.people import join, make_user
from tests.leagues.play import START, mode_of, new_club, record, season_of
from tests.leagues.services.test_event_boards import assert_sound, boards_of, digests

pytestmark = pytest.mark.django_db

ELEVEN = "Ana~Bo:50 Ana>Bo Cy+Bo Bo^ Ana= Dee* Cy! Deew AnaxCy Bo>Ana Dee~Cy:25"
"""The eleven events of the pages of the systems in docs/ratings."""
TEAMS = "Ana+Cy Bo+Dee"
VALUES: dict[str, Any] = {
    **{"damage": 0.01, "assist": 0.5, "capture": 7},
    **{"flag_taken": 2, "flag_returned": 1},
}
NEW = {
    "zerosum": ("frag", *VALUES, "own", "own_words"),
    "static": ("frag", *VALUES, "own", "own_words"),
    "ladder": ("frag", "damage", "assist", "own", "own_words"),
    "becker": ("own", "own_words"),
}
"""Parameters that boards of an earlier release do not have."""
BOARDS: dict[str, dict[str, Any]] = {
    "zerosum": {**VALUES, "frag_gain": 0.1, "display": "raw"},
    "becker": VALUES,
    "static": {**VALUES, "least_events": 0, "least_opponents": 0, "method": "average"},
    "ladder": {"damage": True, "assist": True},
}
BY_HAND = {
    "zerosum": {"ana": -0.1569, "bo": 0.0323, "cy": -0.2177, "dee": 0.3422},
    "becker": {"ana": 0.9660, "bo": 6.0169, "cy": 0.0, "dee": 12.6032},
    "static": {"ana": -0.25, "bo": 0.1111, "cy": -0.4444, "dee": 0.5833},
    "ladder": {"ana": 3.0, "bo": 1.0, "cy": 4.0, "dee": 2.0},
}
"""What the tables there end with."""


@pytest.fixture
def club() -> League:
    return club_with(BOARDS)


def club_with(boards: dict[str, dict[str, Any]], slug: str = "club") -> League:
    """A club whose mode rates events, with a board of each system."""
    club = new_club(slug)
    season_of(club).boards.all().delete()
    mode = change_rated_by(mode=mode_of(club), rated_by="events", actor=None)
    for system, parameters in boards.items():
        add_board(season=season_of(club), mode=mode, system=system, parameters=parameters)
    return club


def states(board: Board) -> dict[str, float]:
    rows = Standing.objects.current(board).values_list("player__key", "state")
    return {key: float(np.frombuffer(state, "<f8")[0]) for key, state in rows}


def evening(club: League, seed: int, count: int = 10) -> list[MatchDraft]:
    """Games of two teams or of single players with events of every kind, an hour apart."""
    chance = random.Random(seed)
    drafts = []
    for number in range(count):
        words = []
        for _ in range(chance.choice((0, 4, 9))):
            one, foe = chance.choice((("Ana", "Bo"), ("Cy", "Dee"), ("Bo", "Cy"), ("Dee", "Ana")))
            happened = [f"{one}>{foe}", f"{one}~{foe}:{chance.randint(1, 99)}", f"{one}+{foe}"]
            words.append(chance.choice([*happened, *(f"{one}{sign}" for sign in "*^=!w")]))
        sides = chance.choice((TEAMS, "Bo+Dee Ana+Cy", "Ana Bo Cy Dee"))
        at = START + timedelta(hours=number)
        drafts.append(game(club, sides, " ".join(words), at=at))
    return drafts


@pytest.mark.parametrize("system", BY_HAND)
def test_eleven_events_give_what_the_page_of_the_system_works_out(
    club: League, system: str
) -> None:
    sides = "Ana Bo Cy Dee" if system == "ladder" else TEAMS
    record(club, game(club, sides, ELEVEN))
    board = boards_of(club)[system]
    assert states(board) == pytest.approx(BY_HAND[system], abs=1e-4)
    if system == "zerosum":
        assert sum(states(board).values()) == pytest.approx(0.0, abs=1e-12)
    if system == "becker":
        clamped, suicides, team_kills, unopposed, _decayed = bridge.board_state(board) or ()
        account = clamped + unopposed - suicides - team_kills
        assert sum(states(board).values()) == pytest.approx(account)
    assert_sound(club)


def test_a_board_that_drifts_beyond_all_numbers_is_rated_and_shown(client: Client) -> None:
    """Values, points and gains at their bounds: 10^13 points for a touch, shown as a billion."""
    most = {**dict.fromkeys(VALUES, 100.0), "frag": 100.0, "own": 100.0, "temperature": 1e4}
    most |= {"frag_gain": 1e5, "own_words": "goal 100"}
    kinds = {name: value for name, value in most.items() if name in NEW["static"]}
    club = club_with({"zerosum": most, "becker": {**kinds, "frag_k": 400.0}, "static": kinds})
    for hour in range(3):
        at = START + timedelta(hours=hour)
        events = "Ana~Bo:1000000 Cy* Dee@ Bo@Cy Dee^ Ana="
        record(club, game(club, TEAMS, events, at=at, weight=10.0))
    assert_sound(club)
    shown = dict(Standing.objects.filter(board__system="zerosum").values_list("player", "shown"))
    assert {min(shown.values()), max(shown.values())} == {100.0, 1e9}
    for board in club.boards.all():
        for address in ("", "p/ana/", "m/autumn/3/", "statistics/"):
            assert client.get(f"/l/club/{address}?board={board.slug}").status_code == 200


@pytest.mark.parametrize("system", ["zerosum", "becker"])
def test_what_each_kind_gave_adds_up_and_has_its_value(club: League, system: str) -> None:
    record(club, game(club, TEAMS, "Ana>Bo Dee* Cy~Dee:80"))
    (match,) = record(club, game(club, TEAMS, ELEVEN, at=START + timedelta(days=1)))
    board = boards_of(club)[system]
    rated = bridge.rated_matches([board], Match.objects.get(pk=match.pk))[board.pk]
    for account in bridge.account_of(rated).accounts:
        points = bridge.event_points_of(rated, account)
        before, after = account.before.value, account.after.value
        change = bridge.shown_step(before, after, account.after.decimals)
        assert sum(one.units for one in points) == round(change * 10**account.after.decimals)
        for one in points:
            counted = VALUES.get(one.kind.replace("-", "_"), 1.0)
            assert one.value == counted
        steps = bridge.event_steps_of(rated, account)
        assert steps[-1].value == pytest.approx(after, abs=1e-9)


def test_the_match_page_names_who_captured_and_what_it_counts(club: League, client: Client) -> None:
    (match,) = record(club, game(club, TEAMS, ELEVEN))
    board = boards_of(club)["zerosum"]
    address = f"/l/club/m/autumn/{match.seq}/?board={board.slug}&of="
    page = " ".join(client.get(f"{address}ana").content.decode().split())
    for words in (
        "Captures by Dee: 1",
        "Each counts as 7 frags.",
        "Flags taken by Bo: 1",
        "Flags returned: 1",
        "Ana damaged Bo once",
        "Each point of damage counts as 0.01 frags.",
        "Capture by Dee",
    ):
        assert words in page


def test_a_ladder_says_how_many_events_of_which_kinds_were_wins(
    club: League, client: Client
) -> None:
    (match,) = record(club, game(club, "Ana Bo Cy Dee", ELEVEN))
    board = boards_of(club)["ladder"]
    page = client.get(f"/l/club/m/autumn/{match.seq}/?board={board.slug}&of=bo").content.decode()
    page = " ".join(page.split())
    assert "rated the 5 events of this match one after the other" in page
    assert "Counted as wins: frags 2, damage 2, assists 1." in page


RULES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "zerosum": (
        {"display": "offset", "damage": 0.01, "capture": 7},
        (
            "A frag moves a rating by at most 5.22 points.",
            "A capture moves a rating by at most 36.54 points.",
            "Each point of damage moves a rating by at most 0.05 points.",
            "whose players pay for it in equal parts.",
            "These events count for nothing: assists, flags taken, flags returned, "
            "kinds of the game’s own, suicides, deaths by the world, team kills.",
        ),
    ),
    "static": (
        {"capture": 7, "frag": 0.5},
        (
            "A frag counts 0.5 times.",
            "A capture counts as 7 frags.",
            "is shared out equally over the players of the other side.",
        ),
    ),
    "ladder": (
        {"damage": True, "frag": False},
        (
            "Each damage counts as a win over the player who took it.",
            "These events count for nothing: frags, assists, kinds of the game’s own, suicides,",
        ),
    ),
}


@pytest.mark.parametrize("system", RULES)
def test_the_rules_say_what_a_board_gives_each_kind(client: Client, system: str) -> None:
    parameters, sentences = RULES[system]
    club_with({system: parameters})
    page = " ".join(client.get("/l/club/rules/").content.decode().split())
    for sentence in sentences:
        assert sentence in page


@pytest.mark.parametrize("seed", range(2))
def test_in_whatever_order_games_come_the_boards_are_those_of_a_replay(seed: int) -> None:
    club, other = club_with(BOARDS), club_with(BOARDS, "other")
    record(other, *evening(other, seed))
    drafts = evening(club, seed)
    record(club, *drafts[3:7])
    record(club, *drafts[:2])
    matches = record(club, *drafts[2:3], *drafts[7:])
    assert_sound(club)
    assert digests(club) == digests(other)
    chosen = max(matches, key=lambda match: match.events.count())
    draft = draft_of(chosen)
    backwards = replace(draft, events=draft.events[::-1])
    assert backwards.events != draft.events
    correct_match(match=chosen, draft=backwards, expected_version=1, author=None)
    drain()
    assert_sound(club)


@pytest.mark.skipif(not numba_is_installed(), reason="needs Numba")
@pytest.mark.parametrize("system", BOARDS)
def test_boards_with_values_are_the_same_plain_and_compiled(club: League, system: str) -> None:
    record(club, *evening(club, 11))
    board = boards_of(club)[system]
    computed = bridge.compute(board, read_facts(board))
    for engine in ("plain", "compiled"):
        replay = computed.system.replay(computed.log, engine=engine)
        assert replay.after.tobytes() == computed.replay.after.tobytes()


def test_export_and_import_give_the_same_boards(club: League, tmp_path: Path) -> None:
    record(club, *evening(club, 5))
    file = tmp_path / "club.zip"
    call_command("export_league", "club", str(file))
    call_command("import_league", str(file), slug="again")
    again = League.objects.get(slug="again")
    assert digests(again) == digests(club)


def test_a_value_is_changed_like_any_other_rule(club: League, client: Client) -> None:
    record(club, *evening(club, 5))
    board = boards_of(club)["zerosum"]
    before = board_digest(board)
    change_rules(board, parameters={"damage": 0.5}, effective_at=None, actor=None)
    drain()
    assert board_digest(boards_of(club)["zerosum"]) != before
    assert_sound(club)
    page = " ".join(client.get(f"/l/club/rules/?board={board.slug}").content.decode().split())
    assert "Value of damage 0.01 → 0.5" in page
    for value in (-1, 101, "much"):
        with pytest.raises(ValidationError):
            check_rules(board, parameters={"damage": value}, effective_at=None, now=timezone.now())


@pytest.mark.parametrize("system", NEW)
def test_a_board_from_before_there_were_values_is_rated_and_shown_as_it_was(
    client: Client, system: str
) -> None:
    club = club_with({system: {}})
    record(club, *evening(club, 5))
    board = boards_of(club)[system]
    digest = board_digest(board)
    old = {name: value for name, value in board.parameters.items() if name not in NEW[system]}
    Board.objects.filter(pk=board.pk).update(
        parameters=old, rated_rules=[[since, old] for since, _now in board.rated_rules]
    )
    board = boards_of(club)[system]
    assert check_board(board).differences == ()
    assert board_digest(board) == digest
    page = client.get("/l/club/rules/")
    assert page.status_code == 200
    assert "none</td>" not in page.content.decode()
    with pytest.raises(ValidationError, match="already uses these rules"):
        check_rules(board, parameters={}, effective_at=None, now=timezone.now())


@pytest.mark.parametrize("system", BOARDS)
def test_every_value_can_be_told(system: str) -> None:
    for row in bridge.describe_system(system):
        for value in (0, 0.5, 100, True, False, *row.choices):
            try:
                parameters = bridge.checked_parameters(system, {row.name: value})
            except ValidationError:
                continue
            sentences = describe_events(system, parameters)
            assert all(sentence.endswith(".") for sentence in sentences)
            assert not any("%(" in sentence for sentence in sentences)


@pytest.mark.parametrize(
    ("system", "typed", "change"),
    [
        ("ladder", {"try-x_damage": "on"}, "Damage no → yes"),
        ("static", {"try-x_capture": "7"}, "Value of a capture 0 → 7"),
        ("zerosum", {"try-x_assist": "0.5"}, "Value of an assist 0 → 0.5"),
    ],
)
def test_an_organizer_gives_a_kind_a_value_on_the_form_of_the_rules(
    client: Client, system: str, typed: dict[str, str], change: str
) -> None:
    club = club_with({system: {}})
    record(club, *evening(club, 5))
    client.force_login(join(club, make_user("kim"), "organizer").user)
    board = boards_of(club)[system]
    address = f"/l/club/settings/boards/{season_of(club).slug}/{board.slug}/"
    form = client.get(address).context["form"]
    usual = {form.add_prefix(name): form[name].value() for name in form.fields}
    usual = {name: value for name, value in usual.items() if value not in (None, False)}
    for name, wrong in (("try-x_capture", "-1"), ("try-x_capture", "NaN")):
        if name in usual:
            assert client.post(address, usual | {name: wrong}).status_code == 422
    preview = client.post(address, usual | typed)
    drain()
    changed = client.post(preview["Location"], {"reason": "We play for flags"})
    drain()
    assert_sound(club)
    page = client.get(changed["Location"]).content.decode()
    assert change in " ".join(page.replace("<bdi>", "").replace("</bdi>", "").split())
