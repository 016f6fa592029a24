"""`import_log`: the logs of game servers, from bytes to rated boards."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from leagues.jobs.runner import drain
from leagues.models import League, Match, MatchEvent, Participant, Player, Revision, Standing
from leagues.services.history import check_league
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_mode, update_league
from leagues.services.log_imports import MAX_NEW_MODES
from leagues.services.matches import revert_revision
from leagues.services.players import create_player, rename_player
from leagues.services.seasons import Step, take_step
from tests.leagues.play import new_club, season_of
from tests.leagues.shared_rows import read_anew
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

DEATHS = ("frag", "team-kill", "suicide", "world-death")


@pytest.fixture(scope="module")
def built_club(shared_rows: None) -> League:
    return new_club()


club = read_anew("built_club")


def run(*words: object, league: str = "club") -> dict[str, Any]:
    """What the command reports as JSON."""
    output = io.StringIO()
    call_command("import_log", *map(str, words), league=league, json=True, stdout=output)
    report: dict[str, Any] = json.loads(output.getvalue())
    return report


def said(*words: object) -> str:
    output = io.StringIO()
    call_command("import_log", *map(str, words), league="club", stdout=output)
    return output.getvalue()


def assert_sound(league: League) -> None:
    for board in league.boards.select_related("league", "season", "mode"):
        report = check_board(board)
        assert (report.is_behind, report.differences) == (False, ()), board
    assert check_league(league.pk).differences == 0


def digests(league: League) -> dict[str, str]:
    boards = league.boards.select_related("league", "season", "mode")
    return {f"{board.mode.name} {board.system}": board_digest(board) for board in boards}


def deaths(report: dict[str, Any]) -> int:
    return sum(report["events"].get(kind, 0) for kind in DEATHS)


FILES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    # As docs/gamelogs.md and the sources of the files count them.
    "quake/osp_ffa_office.log": (
        (),
        {"games": 22, "deaths": 1437, "imported": 3, "modes": {"Free for all": 3}},
    ),
    "quake/osp_ffa_2.log": ((), {"games": 1, "deaths": 393, "imported": 1, "stored": 393}),
    "quake/osp_ffa_1.log": (("--bots",), {"games": 1, "deaths": 31, "imported": 1, "stored": 31}),
    "quake/baseq3_warmups.log": ((), {"games": 3, "deaths": 0, "imported": 0}),
    "quake/qgames.log": (
        ("--date", "2005-03-01"),
        {
            "games": 21,
            "deaths": 1069,
            "imported": 8,
            "modes": {"Free for all": 6, "Capture the flag": 2},
        },
    ),
    "quake/urt_ctf_lan.log": (
        ("--date", "2012-03-01"),
        {
            "games": 74,
            # Changes of team among the kill lines are no deaths.
            "deaths": 4548 - 25,
            "captures": 177,
            "imported": 40,
            "modes": {"Free for all": 2, "Capture the flag": 26, "Gun game": 12},
        },
    ),
    "gamelogs/openarena/oa_insta_ctf.log": (
        ("--bots",),
        {"games": 2, "deaths": 471, "imported": 1, "scores": [8, 6]},
    ),
    "gamelogs/openarena/oa_office_ffa.log": (
        ("--date", "2012-06-17"),
        {"games": 55, "deaths": 3457, "imported": 28},
    ),
    "gamelogs/source/csgo_nuel_overpass.log": ((), {"imported": 1, "scores": [16, 14]}),
    "gamelogs/source/csgo_nuel_train.log": ((), {"imported": 1, "scores": [16, 5]}),
    "gamelogs/source/cs16_podbot_udp.log": (("--bots",), {"imported": 1, "scores": [15, 4]}),
    "gamelogs/source/tf2_ctf_doublecross.log": ((), {"imported": 1, "scores": [7, 2]}),
    "gamelogs/source/tf2_badlands_2halves.log": ((), {"imported": 1, "scores": [4, 0]}),
    "gamelogs/quakeworld/qw_1on1_bravado.json": ((), {"imported": 1, "scores": [34, 11]}),
    "gamelogs/quakeworld/qw_4on4_dm3.json": ((), {"imported": 1, "scores": [199, 193]}),
    "gamelogs/quakeworld/qw_ctf_ctf5.json": ((), {"imported": 1, "scores": [670, 96]}),
    "gamelogs/cod/cod4_games_mp.log": (
        ("--date", "2010-01-01", "--broken-off"),
        {"games": 306, "deaths": 2159},
    ),
    "gamelogs/cod/cod4_efaya_games_mp.log": (
        ("--date", "2010-01-01", "--broken-off"),
        {"games": 258, "deaths": 364},
    ),
    # They end in the middle of a game, which a longer version may still bring.
    "gamelogs/source/tf2_koth_viaduct.log": ((), {"games": 2, "imported": 0}),
    "gamelogs/source/tf2_truncated_corrupt.log": ((), {"games": 2, "imported": 0}),
    "gamelogs/teeworlds/tw_06_flag_cap.log": ((), {"games": 1, "captures": 1, "imported": 0}),
    "gamelogs/teeworlds/tw_07_end_spree_by_left.log": (
        (),
        {"games": 1, "deaths": 14, "imported": 0},
    ),
    "gamelogs/ut99/ut99_2019.07.08.14.16.47.log": (
        ("--bots",),
        {"imported": 1, "scores": [30, 20, 13, 12, 11, 10, 6, 4]},
    ),
    "gamelogs/ut99/ut99_2019.07.09.13.56.14.log": (
        ("--bots",),
        {"imported": 1, "scores": [30, 29, 27, 23, 21, 16, 10, 0]},
    ),
    "gamelogs/xonotic/xonotic_end_of_match_blocks.log": (
        ("--date", "2011-01-01"),
        {"games": 2, "imported": 1, "scores": [30, 29, 21]},
    ),
    "quake/osp_vsp.log": (("--bots", "--date", "2005-03-01"), {"games": 13, "deaths": 302}),
    "quake/jka_jappfz.log": ((), {"games": 14, "deaths": 0, "imported": 0}),
    "quake/osp_warmups.log": ((), {"games": 3, "deaths": 0, "imported": 0}),
    "gamelogs/teeworlds/tw_06_changename.log": ((), {"games": 1, "deaths": 4 - 4}),
    "gamelogs/teeworlds/tw_06_high_hex_ids.log": ((), {"games": 1, "deaths": 20 - 17}),
    "gamelogs/teeworlds/tw_075_new_id_format.log": ((), {"games": 1, "deaths": 1 - 1}),
    "quake/baseq3_bots.log": (("--bots", "--broken-off"), {"games": 1, "deaths": 19}),
}


@pytest.mark.parametrize("name", FILES)
def test_a_log_is_imported_with_its_check_values_and_once(club: League, name: str) -> None:
    path = shared_data(name)
    words, expected = FILES[name]
    report = run(path, *words)
    for key in ("games", "imported", "modes"):
        assert report[key] == expected.get(key, report[key]), key
    assert deaths(report) == expected.get("deaths", deaths(report))
    assert report["events"].get("capture", 0) == expected.get(
        "captures", report["events"].get("capture", 0)
    )
    assert report["imported"] + sum(report["left_out"].values()) == report["games"]
    assert Match.objects.count() == report["imported"]
    assert MatchEvent.objects.count() == report["events_imported"]
    assert report["events_imported"] == expected.get("stored", report["events_imported"])
    if "scores" in expected:
        rows = Participant.objects.values_list("rank", "score").distinct().order_by("rank")
        assert [score for _rank, score in rows] == expected["scores"]
    assert Revision.objects.filter(number__isnull=False).count() == bool(report["imported"])
    assert_sound(club)
    before, players = digests(club), Player.objects.count()
    again = run(path, *words)
    assert (again["imported"], again["already_there"]) == (0, report["imported"])
    assert again["revision"] is None
    assert (digests(club), Player.objects.count()) == (before, players)
    assert Match.objects.count() == report["imported"]


def shown(league: League, system: str) -> dict[str, float]:
    rows = Standing.objects.filter(board__league=league, board__system=system)
    return dict(rows.values_list("player__name", "shown"))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("quake/osp_ffa_office.log", ()),
        ("quake/qgames.log", ("--date", "2005-03-01")),
        ("quake/urt_ctf_lan.log", ("--date", "2012-03-01")),
    ],
)
def test_a_longer_version_of_a_log_adds_only_what_is_new(
    club: League, tmp_path: Path, name: str, words: tuple[str, ...]
) -> None:
    content = shared_data(name).read_bytes()
    whole, log = tmp_path / "whole.log", tmp_path / "games.log"
    whole.write_bytes(content)
    counted = 0
    for part in (3, 5, 8):
        log.write_bytes(content[: len(content) * part // 8])
        report = run(log, *words)
        assert report["already_there"] == counted
        counted += report["imported"]
    other = new_club("other")
    report = run(whole, *words, league="other")
    assert counted == report["imported"] > 1
    assert digests(club) == digests(other)
    assert_sound(club)


def test_several_logs_are_one_revision_with_a_page(club: League, client: Client) -> None:
    logs = [shared_data(f"quake/{name}") for name in ("osp_ffa_2.log", "osp_ffa_office.log")]
    report = run(*logs, "--mode", "Office")
    # The game of the first log is in the second one too.
    assert (report["imported"], report["left_out"]["twice"]) == (3, 1)
    assert report["modes"] == {"Office": 3}
    revision = Revision.objects.get(number__isnull=False)
    assert revision.summary["file"] == "osp_ffa_2.log, osp_ffa_office.log"
    page = client.get(f"/l/club/r/autumn/{revision.number}/")
    assert page.status_code == 200
    assert "imported from a file" in page.content.decode()
    assert set(digests(club)) >= {"Office becker", "Office zerosum", "Office trueskill"}
    match = Match.objects.earliest("seq")
    body = client.get(f"/l/club/m/autumn/{match.seq}/").content.decode()
    assert "one after the other" in body


# Logs of our own, in which every line is what the test is about.

Line = dict[str, Any]


def written(path: Path, *games: Iterable[Line]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for game in games:
            for line in game:
                file.write(json.dumps(line) + "\n")
    return path


def played(
    names: dict[str, str],
    *happened: str,
    mode: str = "ffa",
    day: int = 1,
    ids: dict[str, str] | None = None,
    teams: dict[str, str] | None = None,
    **end: Any,
) -> list[Line]:
    """A game of players by their slots; `1>2` is a frag, `1!` a suicide."""
    start = f"2026-01-{day:02}T20:00:00+00:00"
    head: Line = {"type": "game", "game": "hover", "map": "dome", "mode": mode, "started_at": start}
    lines = [head]
    for slot, name in names.items():
        line: Line = {"type": "player", "player": slot, "name": name, "at": 0}
        line |= {"id": ids[slot]} if ids and slot in ids else {}
        line |= {"team": teams[slot]} if teams else {}
        line |= {"bot": True} if name.startswith("Bot") else {}
        lines.append(line)
    for second, word in enumerate(happened, start=1):
        event: Line = {"type": "event", "at": second}
        if ">" in word:
            one, other = word.split(">")
            event |= {"kind": "frag", "actor": one, "target": other}
        else:
            event |= {"kind": "suicide", "actor": word.rstrip("!")}
        lines.append(event)
    return [*lines, {"type": "end", "at": 100, **end}]


def test_scores_rank_and_whoever_left_before_the_end_comes_last(
    club: League, tmp_path: Path
) -> None:
    game = played({"1": "Ana", "2": "Bo", "3": "Cy"}, "1>2", "3>1", "3>1", players={"1": 5, "2": 9})
    report = run(written(tmp_path / "a.log", game))
    assert report["events"] == {"frag": 3}
    rows = Participant.objects.order_by("rank").values_list("player__name", "rank", "score")
    assert list(rows) == [("Bo", 1, 9), ("Ana", 2, 5), ("Cy", 3, 2)]
    match = Match.objects.get()
    assert (match.detail, match.source, match.date_only) == ("dome", "import-log", False)
    kinds = match.events.order_by("position").values_list("player__name", "milliseconds")
    assert list(kinds) == [("Ana", 1000), ("Cy", 2000), ("Cy", 3000)]


def test_an_id_is_a_person_whatever_the_name_and_tells_nobody_the_id(
    club: League, tmp_path: Path
) -> None:
    ids = {"1": "secret-guid", "2": "b2"}
    first = played({"1": "Ana", "2": "Bo"}, "1>2", ids=ids)
    second = played({"1": "Queen", "2": "Ana"}, "1>2", ids=ids, day=2)
    run(written(tmp_path / "a.log", first, second))
    assert sorted(Player.objects.values_list("name", flat=True)) == ["Ana", "Bo"]
    of_ana = Match.objects.filter(events__player__name="Ana").distinct()
    assert list(of_ana.order_by("seq")) == list(Match.objects.order_by("seq"))
    assert not any("secret" in key for key in Player.objects.values_list("key", flat=True))


def test_a_name_means_who_bears_it_or_bore_it(club: League, tmp_path: Path) -> None:
    ana, _is_new = create_player(league=club, name="Ana")
    rename_player(player=ana, name="Ana Ruiz", actor=None)
    report = run(written(tmp_path / "a.log", played({"1": "ANA", "2": "Bo"}, "1>2")))
    assert report["players_created"] == 1
    assert ana.participations.count() == 1


def test_a_name_that_several_bear_leaves_its_game_out(club: League, tmp_path: Path) -> None:
    for key in ("one", "two"):
        Player.objects.create(league=club, name="Ana", folded="ana", key=key)
    games = played({"1": "Ana", "2": "Bo"}, "1>2"), played({"1": "Cy", "2": "Bo"}, "1>2", day=2)
    report = run(written(tmp_path / "a.log", *games))
    assert report["left_out"] == {"name_shared": 1}
    assert report["imported"] == 1
    assert sorted(Player.objects.values_list("name", flat=True)) == ["Ana", "Ana", "Bo", "Cy"]


def test_a_dry_run_reports_the_same_and_writes_nothing(club: League, tmp_path: Path) -> None:
    log = written(tmp_path / "a.log", played({"1": "Ana", "2": "Bo"}, "1>2", "2>1", "1>2"))
    before = [model.objects.count() for model in (Match, Player, Revision)], club.modes.count()
    tried = run(log, "--dry-run")
    after = [model.objects.count() for model in (Match, Player, Revision)], club.modes.count()
    assert before == after
    report = run(log)
    assert tried == report | {"revision": None}
    assert report["imported"] == report["revision"] == 1


def test_who_undoes_an_import_can_import_it_again(club: League, tmp_path: Path) -> None:
    log = written(tmp_path / "a.log", played({"1": "Ana", "2": "Bo"}, "1>2"))
    run(log)
    before = digests(club)
    revert_revision(revision=Revision.objects.get(), author=None)
    drain()
    assert not Player.objects.filter(is_listed=True).exists()
    report = run(log)
    assert (report["imported"], report["players_created"]) == (1, 0)
    assert Match.objects.get().status == "live"
    assert Player.objects.filter(is_listed=True).count() == 2
    assert digests(club) == before
    assert_sound(club)


def test_a_mode_that_was_there_keeps_its_rule_and_that_is_said(
    club: League, tmp_path: Path
) -> None:
    mode = add_mode(league=club, name="Free for all", actor=None)
    words = said(written(tmp_path / "a.log", played({"1": "Ana", "2": "Bo"}, "1>2")))
    assert "“Free for all” rates results: its events are stored but do not count" in words
    assert "Done: 1 game imported (Free for all: 1), 0 already there, 2 new players." in words
    assert mode.matches.get().events.count() == 1
    assert [board.system for board in mode.boards.all()] == ["glicko2", "elo"]
    assert_sound(club)


def test_games_that_cannot_be_stored_are_left_out_with_the_reason(
    club: League, tmp_path: Path
) -> None:
    League.objects.update(draws_allowed=False, negative_scores=False)
    games = (
        played({"1": "Ana", "2": "Bo"}, "1>2", "2>1"),
        played({"1": "Ana", "2": "Bo"}, "1>2", "2!", day=2),
        played({"1": "Ana"}, "1!", day=3),
        played({"1": "Ana", "2": "Bo"}, "1>2", "1>2", day=4),
    )
    lines = said(written(tmp_path / "a.log", *games)).splitlines()
    assert lines == [
        "a.log (json-lines): 4 games, 2 players, 7 events",
        "1 game left out: fewer than two sides took part",
        "1 game left out: No side won, and this league has no draws",
        "1 game left out: Scores can’t be negative in this league",
        "Whether scores can be negative and matches drawn is a setting of the league: games that "
        "it lets in can be imported afterwards, by the same log",
        "Done: 1 game imported (Free for all: 1), 0 already there, 2 new players.",
    ]


def test_a_game_of_one_with_bots_says_how_it_would_count(club: League, tmp_path: Path) -> None:
    log = written(tmp_path / "a.log", played({"1": "Ana", "2": "Bot One"}, "1>2"))
    left_out = "fewer than two sides without bots; choose “Bots are players too” if they count"
    assert f"1 game left out: {left_out}" in said(log)
    assert "Done: 1 game imported" in said(log, "--bots")


def test_the_league_says_whether_games_count_that_broke_off_unless_the_command_does(
    club: League,
) -> None:
    log = (shared_data("quake/baseq3_bots.log"), "--bots", "--date", "2005-03-01", "--dry-run")
    assert run(*log)["left_out"] == {"broken_off": 1}
    update_league(league=club, changes={"counts_broken_off": True}, actor=None)
    assert run(*log)["imported"] == 1
    assert run(*log, "--no-broken-off")["left_out"] == {"broken_off": 1}
    assert check_league(club.pk).differences == 0


def test_hostile_names_and_words_are_text_on_every_page(
    club: League, client: Client, tmp_path: Path
) -> None:
    names = {"1": "<script>x</script>", "2": "a\u202eb\x00c\u200b", "3": "x" * 500, "4": "'\";--"}
    game = played(names, "1>2", "2>3", "3>4", mode="<b>race</b>")
    game[0]["map"] = "<img src=x>"
    report = run(written(tmp_path / "<i>.log", game))
    assert report["imported"] == 1
    addresses = ["/l/club/", "/l/club/m/autumn/1/", "/l/club/changes/", "/l/club/results/"]
    board = club.boards.get(system="becker")
    addresses.append(f"/l/club/?board={board.slug}")
    for address in addresses:
        page = client.get(address, follow=True)
        assert page.status_code == 200, address
        body = page.content.decode()
        for markup in ("<script>x", "<b>race", "<img src=x", "<i>.log", "\u202e", "\x00"):
            assert markup not in body, address
    assert_sound(club)


def test_a_game_of_too_many_is_left_out_whole(club: League, tmp_path: Path) -> None:
    names = {str(number): f"P{number}" for number in range(10_000)}
    crowd = played(names, *(f"{number}>{number + 1}" for number in range(9_999)))
    long = played({"1": "Ana", "2": "Bo"}, *["1>2"] * 10_001, day=2)
    report = run(written(tmp_path / "a.log", crowd, long))
    assert report["players"] == 10_002
    assert report["left_out"] == {"too_many": 2}
    assert not Match.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize("how", [(), ("--dry-run",)])
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("nothing.log",), r"nothing\.log cannot be read: No such file"),
        (("text.log",), r"text\.log: This is not a game log of a known format.*--format"),
        (("empty.log",), r"empty\.log: The file is empty"),
        (("good.log", "text.log"), r"text\.log: This is not a game log"),
        (("good.log", "--date", "1.2.2026"), "must be a date such as 2026-11-25"),
        (("good.log", "--format", "doom"), "invalid choice: 'doom'"),
        (("good.log", "--mode", "a\u202eb"), "The name"),
    ],
)
def test_what_cannot_be_read_is_refused_and_nothing_is_saved(
    club: League, tmp_path: Path, words: tuple[str, ...], reason: str, how: tuple[str, ...]
) -> None:
    written(tmp_path / "good.log", played({"1": "Ana", "2": "Bo"}, "1>2"))
    (tmp_path / "text.log").write_text("Dear diary,\n")
    (tmp_path / "empty.log").touch()
    modes = club.modes.count()
    with pytest.raises(CommandError, match=reason):
        run(*(tmp_path / word if word.endswith(".log") else word for word in words), *how)
    assert not Match.objects.exists()
    assert not Player.objects.exists()
    assert club.modes.count() == modes


def test_a_league_that_is_not_there_and_a_closed_season_are_refused(
    club: League, tmp_path: Path
) -> None:
    log = written(tmp_path / "a.log", played({"1": "Ana", "2": "Bo"}, "1>2"))
    with pytest.raises(CommandError, match="There is no league “nowhere”"):
        run(log, league="nowhere")
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season_of(club), step, actor=None, now=timezone.now())
        drain()
    for how in ((), ("--dry-run",)):
        with pytest.raises(CommandError, match="does not accept results"):
            run(log, *how)
    assert not Match.objects.exists()
    assert not Player.objects.exists()
    assert club.modes.count() == 1


def test_a_moment_that_no_clock_can_show_leaves_its_game_out(club: League, tmp_path: Path) -> None:
    first = played({"1": "Ana", "2": "Bo"}, "1>2")
    first[0]["started_at"] = "0001-01-01T00:00:00+14:00"
    last = played({"1": "Ana", "2": "Bo"}, "1>2")
    last[0]["started_at"] = "9999-12-31T23:59:59-12:00"
    log = written(tmp_path / "a.log", first, last, played({"1": "Ana", "2": "Bo"}, "1>2", day=2))
    report = run(log)
    assert (report["imported"], report["left_out"]) == (1, {"out_of_range": 2})
    assert_sound(club)


def test_the_name_of_a_mode_means_the_same_however_it_is_spelt(
    club: League, tmp_path: Path
) -> None:
    log = written(tmp_path / "a.log", played({"1": "Ana", "2": "Bo"}, "1>2"))
    report = run(log, "--mode", "Are\u0301na")
    assert report["modes"] == {"Ar\xe9na": 1}
    more = played({"1": "Ana", "2": "Bo"}, "1>2", day=2)
    report = run(written(tmp_path / "b.log", more), "--mode", "are\u0301na")
    assert report["modes"] == {"Ar\xe9na": 1}
    assert sorted(club.modes.values_list("name", flat=True)) == ["Ar\xe9na", "Blitz"]


def test_a_log_brings_only_so_many_new_modes(club: League, tmp_path: Path) -> None:
    games = [
        played({"1": "Ana", "2": "Bo"}, "1>2", mode=f"race{number}", day=number + 1)
        for number in range(MAX_NEW_MODES + 3)
    ]
    log = written(tmp_path / "a.log", *games)
    report = run(log)
    assert (report["imported"], report["left_out"]) == (MAX_NEW_MODES, {"new_modes": 3})
    assert club.modes.count() == 1 + MAX_NEW_MODES
    report = run(log, "--mode", "Race1")
    assert (report["imported"], report["modes"]) == (3, {"Race1": 3})
    assert_sound(club)


def test_the_same_game_in_another_log_is_imported_and_said(club: League, tmp_path: Path) -> None:
    names, end = {"1": "Ana", "2": "Bo"}, {"players": {"1": 20, "2": 7}}
    whole = played(names, "1>2", "2>1", "1>2", **end)
    begun_later = [whole[0], *whole[1:3], *whole[4:]]
    next_day = played(names, "1>2", day=2, **end)
    run(written(tmp_path / "a.log", whole))
    other = written(tmp_path / "b.log", begun_later, next_day)
    words = "1 game has the players, scores and time of another result. It will count twice"
    assert words in said(other, "--dry-run").splitlines()
    assert run(other)["same_results"] == 1
    assert run(other)["same_results"] == 0
    both = written(tmp_path / "c.log", whole, begun_later)
    assert run(both, "--mode", "Arena", "--dry-run")["same_results"] == 0
    league = new_club("other")
    assert run(both, league="other")["same_results"] == 1
    assert_sound(league)


def test_games_that_do_not_count_are_sessions_alone(club: League, client: Client) -> None:
    report = run(shared_data("quake/osp_ffa_office.log"), "--not-rated")
    assert report["imported"] == Match.objects.filter(kind=Match.Kind.UNRATED).count() > 1
    assert not Standing.objects.exists()
    assert_sound(club)
    match = Match.objects.select_related("league", "season").earliest("seq")
    address = f"/l/{club.slug}/m/{match.season.slug}/{match.seq}/session/"
    for words in ("", "?games=all"):
        response = client.get(address + words)
        assert response.status_code == 200
        assert "These games do not count for the season." in response.content.decode()
