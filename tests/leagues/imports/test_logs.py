"""Logs of game servers in the import wizard: recognised, checked, imported, undone."""

from __future__ import annotations

import json

import pytest

from leagues.jobs.runner import drain
from leagues.models import League, Match, Mode, Player, Revision, Upload
from leagues.services.history import check_league
from leagues.services.integrity import check_board
from leagues.services.log_packing import pack_contents, unpack_contents
from leagues.services.log_reading import LogContents, LogOptions, read_log_into
from leagues.services.log_uploads import LOG_BYTES
from leagues.services.seasons import Step, take_step
from leagues.views.imports import UPLOADS
from tests.leagues.imports.sender import Sender, plain
from tests.leagues.play import season_of
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

OFFICE = "quake/osp_ffa_office.log"
HEAD = r'{"type": "game", "game": "hover", "map": "dome", "mode": "ffa"%s}'
GAME = "\n".join(
    (
        HEAD,
        '{"type": "player", "player": 1, "name": "Ana", "at": 0}',
        '{"type": "player", "player": 2, "name": "Bo", "at": 0}',
        '{"type": "event", "kind": "frag", "actor": 1, "target": 2, "at": 5}',
        '{"type": "end", "at": 60}',
        "",
    )
)
DATED = GAME % ', "started_at": "2026-01-02T20:00:00+00:00"'
UNDATED = GAME % ""


def assert_sound(league: League) -> None:
    for board in league.boards.select_related("league", "season", "mode"):
        report = check_board(board)
        assert (report.is_behind, report.differences) == (False, ()), board
    assert check_league(league.pk).differences == 0


def test_a_log_is_known_where_it_is_pasted_too(kim: Sender) -> None:
    address = kim.send(paste=DATED)["Location"]
    drain()
    assert "The log has 1 game with 1 event." in kim.page(address)
    assert "1 result imported" in kim.written(address)


def test_a_log_is_checked_and_imported_with_its_frags(kim: Sender) -> None:
    content = shared_data(OFFICE).read_bytes()
    address = kim.checked(content, name="games.log")
    page = kim.page(address)
    for words in (
        "log of a game server",
        "The log has 22 games with 1437 events.",
        "Free for all: 3",
        "18 games left out: warm-up",
        "1 game left out: broken off before the end",
        "10 new players",
        "Import 3 results",
    ):
        assert words in page
    assert not Match.objects.exists()
    page = kim.written(address)
    # Once, and as games: no row of them is listed.
    assert "19 games were left out" in page
    assert "19 more" not in page and "rows were skipped" not in page
    assert "3 results imported" in page
    upload = Upload.objects.get()
    assert bytes(upload.content) == b""
    assert upload.mode.name == "Free for all"
    revision = Revision.objects.get(number__isnull=False)
    assert (revision.author, revision.summary["file"]) == (upload.author, "games.log")
    assert Match.objects.earliest("seq").events.count() == 502
    assert_sound(kim.league)
    again = kim.page(kim.checked(content, name="games.log"))
    assert "Every result in this file is already recorded." in again


def test_a_log_without_anything_new_waits_for_nobody(kim: Sender) -> None:
    kim.written(kim.checked(DATED, name="games.log"))
    address = kim.checked(DATED, name="games.log")
    assert "Every result in this file is already recorded." in kim.page(address)
    assert "not imported" not in kim.page("/l/club/dashboard/")


def test_neither_chat_nor_addresses_are_kept_of_a_log(kim: Sender) -> None:
    kim.checked(shared_data("quake/qgames.log").read_bytes(), name="games.log")
    kim.checked(shared_data("gamelogs/source/csgo_nuel_train.log").read_bytes(), name="cs.log")
    for upload in Upload.objects.all():
        kept = bytes(upload.content)
        assert kept.startswith(b'{"version":2,"files":')
        for word in (b"say", b"ClientUserinfoChanged", b"connected, address", b"STEAM_"):
            assert word not in kept


@pytest.mark.parametrize(
    "name",
    [
        "quake/urt_ctf_lan.log",
        "gamelogs/openarena/oa_office_ffa.log",
        "gamelogs/source/csgo_nuel_overpass.log",
        "gamelogs/quakeworld/qw_4on4_dm3.json",
    ],
)
def test_what_is_kept_of_a_log_says_all_that_was_read(name: str) -> None:
    contents = LogContents()
    with shared_data(name).open("rb") as stream:
        read_log_into(contents, "games.log", stream, LogOptions())
    assert unpack_contents(pack_contents(contents)) == contents


def test_a_log_without_dates_gets_the_day_that_is_chosen(kim: Sender) -> None:
    address = kim.checked(UNDATED, name="games.log")
    assert "These results have no date." in kim.page(address)
    kim.client.post(address, {"do": "check", "day": "2026-01-05"})
    drain()
    assert "1 result imported" in kim.written(address)
    match = Match.objects.get()
    assert match.date_only
    assert match.played_at == kim.league.midnight(match.played_at.date())


def test_a_name_lets_all_games_go_into_one_new_mode(kim: Sender) -> None:
    address = kim.checked(DATED, name="games.log", new_mode="Arena")
    assert "Arena: 1" in kim.page(address)
    assert not Mode.objects.filter(name="Arena").exists()
    assert "1 result imported" in kim.written(address)
    mode = Mode.objects.get(name="Arena")
    assert mode.rates_events
    assert [board.system for board in mode.boards.all()] == ["becker", "zerosum", "trueskill"]


def test_who_undoes_an_imported_log_has_nothing_of_it_left(kim: Sender) -> None:
    page = kim.written(kim.checked(DATED, name="games.log"))
    assert "Undo" in page
    revision = Revision.objects.get(number__isnull=False)
    kim.client.post(f"/l/{kim.league.slug}/r/{season_of(kim.league).slug}/{revision.number}/undo/")
    drain()
    assert not Match.objects.filter(status="live").exists()
    assert not Player.objects.filter(is_listed=True).exists()
    assert "1 result imported" in kim.written(kim.checked(DATED, name="games.log"))
    assert_sound(kim.league)


def test_a_log_that_is_too_large_is_refused_and_not_kept(kim: Sender) -> None:
    response = kim.send(DATED.encode() + b" " * LOG_BYTES, name="games.log")
    assert response.status_code == 413
    assert "The log is larger than 10 MB." in plain(response)
    assert not Upload.objects.exists()


def test_a_mode_that_has_no_readable_name_is_a_problem_of_the_check(kim: Sender) -> None:
    address = kim.checked(DATED, name="games.log", new_mode="a\u202eb")
    if address:
        page = kim.page(address)
        assert "Import 1 result" not in page
    assert not Match.objects.exists()


def test_a_season_that_closes_meanwhile_keeps_the_log_out(kim: Sender) -> None:
    address = kim.checked(DATED, name="games.log")
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season_of(kim.league), step, actor=None, now=Upload.objects.get().created_at)
        drain()
    assert kim.answer(address, "write").status_code == 422
    assert not Match.objects.exists()
    assert not Player.objects.exists()
    assert not Mode.objects.filter(name="Free for all").exists()


def test_uploads_of_logs_count_as_uploads(kim: Sender) -> None:
    for _number in range(UPLOADS.uses):
        kim.send(DATED, name="games.log")
    assert kim.send(DATED, name="games.log").status_code == 429


def hostile_log(game: str = "dome", **more: str) -> str:
    """A game of people whose names are markup, directions of writing, noughts, colours and long."""
    names = ("<script>x</script>", "a\u202eb\x00c\u200b", "^1Red^7", "x" * 70_000, "'\";--")
    lines: list[dict[str, object]] = [
        {"type": "game", "game": "hover", "map": game, "mode": "<b>race</b>", **more},
        *({"type": "player", "player": place, "name": name} for place, name in enumerate(names)),
        *(
            {"type": "event", "kind": "frag", "actor": one, "target": (one + 1) % 3, "at": one}
            for one in range(3)
        ),
        {"type": "end", "at": 60},
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_names_in_a_log_are_text_on_every_page_of_the_wizard(kim: Sender) -> None:
    dated = {"started_at": "2026-01-02T20:00:00+00:00"}
    address = kim.checked(hostile_log("<img src=x>", **dated), name="<i>.log")
    pages = [kim.page(address)]
    assert "1 line not understood" in pages[0]
    pages += [kim.written(address), kim.page(kim.home)]
    for page in pages:
        for markup in ("<script>x", "<b>race", "<img src=x", "<i>.log", "\u202e", "\x00"):
            assert markup not in page
    assert Match.objects.count() == 1
    assert_sound(kim.league)


def test_of_a_log_with_ten_thousand_players_nothing_is_stored(kim: Sender) -> None:
    lines = [json.loads(HEAD % ', "started_at": "2026-01-02T20:00:00+00:00"')]
    lines += [{"type": "player", "player": one, "name": f"P{one}"} for one in range(10_000)]
    lines += [
        {"type": "event", "kind": "frag", "actor": 2 * one, "target": 2 * one + 1}
        for one in range(5_000)
    ]
    lines.append({"type": "end"})
    page = kim.page(kim.checked("".join(json.dumps(line) + "\n" for line in lines), name="a.log"))
    assert "1 game left out: more sides, players or events than a match can have" in page
    assert "Import 1 result" not in page
    assert not Match.objects.exists()
    assert not Player.objects.exists()


TWINS = """0:00 InitGame: \\mapname\\q3dm1\\gamename\\baseq3\\g_gametype\\0
0:00 ClientConnect: 0
0:00 ClientUserinfoChanged: 0 n\\Zed\\t\\0
0:00 ClientConnect: 1
0:00 ClientUserinfoChanged: 1 n\\bo\\t\\0
0:00 ClientConnect: 2
0:00 ClientUserinfoChanged: 2 n\\Bo\\t\\0
0:05 Kill: 0 1 7: Zed killed bo by MOD_ROCKET_SPLASH
0:06 Kill: 0 2 7: Zed killed Bo by MOD_ROCKET_SPLASH
0:09 Exit: Fraglimit hit.
"""


def test_a_game_of_players_whom_nothing_tells_apart_names_them(kim: Sender) -> None:
    page = kim.page(kim.checked(TWINS.encode(), name="games.log"))
    words = "1 game left out: two players had one name at once, and no id tells them apart: bo"
    assert words in page


def test_a_log_that_was_checked_before_an_upgrade_is_asked_for_again(kim: Sender) -> None:
    address = kim.checked(DATED.encode(), name="games.log")
    upload = Upload.objects.get()
    packed = json.loads(bytes(upload.content))
    del packed["version"]
    Upload.objects.update(content=json.dumps(packed).encode())
    assert "checked by another version of Rungs. Upload it again." in kim.written(address)
    assert not Match.objects.exists()
