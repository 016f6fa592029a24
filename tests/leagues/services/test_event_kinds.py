"""Damage, assists, and flags taken and returned: what boards make of them, by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from leagues import bridge
from leagues.models import Board, League, Match, MatchEvent
from leagues.pages.frag_table import frag_table
from leagues.selectors.matches import with_players
from leagues.services.integrity import board_digest
from leagues.services.leagues import add_board
from tests.leagues.happenings import game
from tests.leagues.play import mode_of, record, result, season_of
from tests.leagues.services.test_event_boards import assert_sound, boards_of, club_by, shown

pytestmark = pytest.mark.django_db

WORTHS = {"damage": 0.01, "assist": 0.5, "flag_taken": 2.0, "flag_returned": 1.0}
NINE = "Ana~Bo:50 Ana~Bo:50 Ana>Bo Cy+Bo Bo^ Ana= Cy! Bo~Cy:25 Bo~Ana:25"
"""The nine events with damage of docs/ratings/becker.md."""
POINTS = {"ana": 5.4751, "bo": 5.0250, "cy": 0.0}
BESIDES = "Ana~Bo:50 Cy+Bo Bo^ Ana="


@pytest.fixture
def club() -> League:
    return club_by("events")


def valued(club: League, **parameters: float) -> Board:
    """A board by Becker that gives a value to every kind of events."""
    chosen: dict[str, Any] = WORTHS | parameters
    return add_board(
        season=season_of(club), mode=mode_of(club), system="becker", name="All", parameters=chosen
    )


def fresh(board: Board) -> Board:
    return Board.objects.select_related("league", "season", "mode").get(pk=board.pk)


def test_nine_events_with_damage_give_the_points_of_beckers_page(club: League) -> None:
    board = valued(club)
    record(club, game(club, "Ana Bo Cy", NINE))
    assert shown(fresh(board)) == pytest.approx(POINTS, abs=1e-4)
    clamped, suicides, team_kills, unopposed, decayed = bridge.board_state(fresh(board))
    assert (clamped, unopposed) == pytest.approx((6.4798, 6.0202), abs=1e-4)
    assert (suicides, team_kills, decayed) == (2.0, 0.0, 0.0)
    assert sum(shown(fresh(board)).values()) == pytest.approx(clamped + unopposed - suicides)
    assert_sound(club)


def test_what_has_no_value_counts_nothing(club: League) -> None:
    other = club_by("events", "other")
    record(club, game(club, "Ana Bo Cy", "Ana~Bo:50 Ana>Bo Cy+Bo Bo^ Cy>Ana Ana="))
    record(other, game(other, "Ana Bo Cy", "Ana>Bo Cy>Ana"))
    for system, board in boards_of(club).items():
        assert shown(board) == shown(boards_of(other)[system]), system
    assert_sound(club)


def test_a_match_without_a_valued_event_is_rated_by_its_result(club: League) -> None:
    other = club_by("events", "other")
    record(club, game(club, "Ana Bo Cy", BESIDES))
    record(other, result(other, "Ana", "Bo", "Cy"))
    for system, board in boards_of(club).items():
        assert shown(board) == shown(boards_of(other)[system]), system
    assert_sound(club)


def test_explanations_add_up_and_pages_name_each_kind(club: League, client: Client) -> None:
    board = valued(club)
    (match,) = record(club, game(club, "Ana Bo Cy", NINE))
    rated = bridge.rated_matches([fresh(board)], Match.objects.get(pk=match.pk))[board.pk]
    for account in bridge.account_of(rated).accounts:
        points = bridge.event_points_of(rated, account)
        after = account.after
        change = bridge.shown_step(account.before.value, after.value, after.decimals)
        assert sum(one.units for one in points) == round(change * 10**after.decimals)
    address = f"/l/club/m/autumn/{match.seq}/?board={board.slug}&of="
    page = " ".join(client.get(f"{address}bo").content.decode().split())
    for words in (
        "Ana damaged Bo 2 times",
        "Cy assisted against Bo once",
        "Flags taken: 1",
        "Damaged by Ana",
        "Assist by Cy",
        "Flag taken",
    ):
        assert words in page
    assert "Flags returned: 1" in client.get(f"{address}ana").content.decode()


def test_the_table_has_columns_for_the_kinds_of_the_match(club: League) -> None:
    (match,) = record(club, game(club, "Ana Bo Cy", "Ana~Bo:50 Ana~Bo:12.5 Ana>Bo Cy+Bo"))
    table = frag_table(with_players(Match.objects.all()).get(pk=match.pk), None)
    assert table is not None
    assert [str(title) for title in table.others] == ["Damage", "Assists"]
    rows = [(row.name, row.frags, row.deaths, row.others) for row in table.rows]
    assert rows == [
        ("Ana", 1, 0, ("62", "0")),
        ("Bo", 0, 1, ("0", "0")),
        ("Cy", 0, 0, ("0", "1")),
    ]


def test_the_page_of_a_game_names_each_kind(club: League, client: Client) -> None:
    (match,) = record(club, game(club, "Ana Bo Cy", NINE))
    page = client.get(f"/l/club/m/autumn/{match.seq}/session/").content.decode()
    for words in (
        "Ana damaged Bo",
        "Cy assisted against Bo",
        "Bo took the flag",
        "Ana returned the flag",
    ):
        assert words in page


def test_the_rules_name_the_values_and_what_counts_for_nothing(
    club: League, client: Client
) -> None:
    board = valued(club, assist=0.0)
    page = client.get(f"/l/club/rules/?board={board.slug}").content.decode()
    page = " ".join(page.split())
    assert "0.04 points are at stake in each point of damage" in page
    assert "8 points are at stake in taking the flag" in page
    assert "4 points are at stake in returning the flag" in page
    assert "These events count for nothing: assists, kinds of the game’s own." in page
    plain = boards_of(club)["static"]
    page = " ".join(client.get(f"/l/club/rules/?board={plain.slug}").content.decode().split())
    nothing = "captures, damage, assists, flags taken, flags returned, kinds of the game’s own"
    assert f"These events count for nothing: {nothing}, team kills." in page


def log_of(*lines: dict[str, object]) -> str:
    head: list[dict[str, object]] = [
        {"type": "game", "game": "hover", "mode": "tdm", "started_at": "2026-01-02T20:30:00Z"}
    ]
    head += [
        {"type": "player", "player": number, "name": name, "team": team}
        for number, (name, team) in enumerate((("Ana", "a"), ("Cy", "a"), ("Bo", "b")), start=1)
    ]
    return "".join(json.dumps(line) + "\n" for line in (*head, *lines, {"type": "end"}))


def happened(kind: str, actor: int, target: int | None = None, value: float = 1) -> dict[str, Any]:
    line = {"type": "event", "kind": kind, "actor": actor, "value": value}
    return line | ({"target": target} if target else {})


def test_a_log_brings_every_kind_and_leaves_damage_to_the_own_side_out(
    club: League, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.log"
    file.write_text(
        log_of(
            happened("damage", 1, 3, 40),
            happened("damage", 1, 2, 40),
            happened("damage", 1, 1, 40),
            happened("frag", 1, 3),
            happened("assist", 2, 3),
            happened("flag-taken", 3),
            happened("flag-returned", 1),
        )
    )
    call_command("import_log", str(file), league="club", json=True)
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 1
    rows = MatchEvent.objects.order_by("position").values_list(
        "kind", "player__name", "opponent__name", "points"
    )
    assert list(rows) == [
        ("damage", "Ana", "Bo", 40.0),
        ("frag", "Ana", "Bo", 1.0),
        ("assist", "Cy", "Bo", 1.0),
        ("flag-taken", "Bo", None, 1.0),
        ("flag-returned", "Ana", None, 1.0),
    ]
    assert report["events_left_out"] == {"own_side": 2}
    assert_sound(club)


def test_a_game_with_too_much_damage_keeps_its_frags(
    club: League, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leagues.services.log_games.MOST_EVENTS", 3)
    file = tmp_path / "games.log"
    damage = [happened("damage", 1, 3, 40)] * 3
    file.write_text(log_of(*damage, happened("frag", 1, 3)))
    call_command("import_log", str(file), league="club")
    assert [event.kind for event in MatchEvent.objects.all()] == ["frag"]


def test_export_and_import_give_the_same_board(club: League, tmp_path: Path) -> None:
    board = valued(club)
    record(club, game(club, "Ana Bo Cy", NINE))
    file = tmp_path / "club.zip"
    call_command("export_league", "club", str(file))
    call_command("import_league", str(file), slug="again")
    copy = Board.objects.get(league__slug="again", slug=board.slug)
    assert board_digest(fresh(copy)) == board_digest(fresh(board))
