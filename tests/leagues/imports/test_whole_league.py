"""A whole league as a file: exported, imported, rated alike; and files that are refused."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse

from leagues.domain.named_weights import NamedWeight
from leagues.domain.openings import RandomStart, random_start
from leagues.domain.score_rules import read_rule
from leagues.jobs.runner import drain
from leagues.models import AuditEntry, League, Season
from leagues.selectors.league_file import league_zip
from leagues.selectors.openings import session_name
from leagues.services.carryover import start_next_season
from leagues.services.demo import create_demo
from leagues.services.inactivity_sweep import sweep
from leagues.services.integrity import check_board, league_digest
from leagues.services.league_import import REASON
from leagues.services.leagues import add_mode, update_league
from leagues.services.matches import record_matches, revert_revision, void_match
from leagues.services.modes import (
    change_named_weights,
    change_played_by,
    change_rated_by,
    change_score_rule,
    change_start_rules,
)
from leagues.services.rules import change_rules
from leagues.services.season_settings import update_season
from leagues.services.seasons import Step, take_step
from leagues.services.started_matches import lose_overdue
from leagues.services.starts import Start
from tests.leagues.happenings import game
from tests.leagues.imports.test_round_trip import a_club, know_players, take
from tests.leagues.people import make_user
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.leagues.services.test_correction_preview import with_all_systems
from tests.leagues.services.test_openings import club_with_lottery, draw, drawn, zero_sum
from tests.leagues.services.test_session_rungs import club_with_session, duel, ladder_of, place
from tests.leagues.services.test_started_matches import played, start
from tests.leagues.services.test_starts import digest, give
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 1, 10, 12, tzinfo=UTC)
NAMES = ("Ana", "Bo", "Cy", "Dee", "Eve")


def whole(league: League) -> bytes:
    return b"".join(league_zip(League.objects.get(pk=league.pk)))


def parts(content: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def packed(files: dict[str, str | bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return target.getvalue()


def copied(path: Path, content: bytes, capsys: Any, slug: str = "copy") -> dict[str, Any]:
    """Import a file by the command, and return what it says."""
    path.write_bytes(content)
    capsys.readouterr()
    call_command("import_league", str(path), slug=slug, json=True)
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert said["league"] == slug
    return said


def facts(content: bytes, slug: str) -> dict[str, Any]:
    """What a file says, but for the address of the league and the numbers of results."""
    files: dict[str, Any] = {name: json.loads(text) for name, text in parts(content).items()}
    for name, said in files.items():
        if name == "league.json":
            assert said["league"].pop("slug") == slug
            continue
        assert said.pop("league") == slug
        numbers: dict[int, int] = {}
        for row in said.get("results", ()):
            row["match"] = numbers.setdefault(row["match"], len(numbers))
    return files


def assert_comes_back(league: League, path: Path, capsys: Any) -> League:
    """Export, import, and export again: the same digests, the same files."""
    drain()
    content = whole(league)
    assert whole(league) == content
    said = copied(path, content, capsys)
    assert [board for board in said["boards"] if not board["same"]] == []
    assert len(said["boards"]) == league.boards.count()
    # What was warned of when it was entered is warned of again.
    assert [note for note in said["notes"] if "left out" in note] == []
    copy = League.objects.get(slug="copy")
    assert facts(whole(copy), "copy") == facts(content, league.slug)
    assert league_digest(copy) == league_digest(league)
    for board in copy.boards.all():
        assert check_board(board).differences == ()
    return copy


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "league.zip"


def test_the_demo_comes_back(path: Path, capsys: Any) -> None:
    demo = create_demo(now=NOW)
    drain()
    sweep(NOW)
    copy = assert_comes_back(demo, path, capsys)
    assert not copy.is_demo
    assert copy.seasons.filter(state=Season.State.CLOSED).count() == 1
    assert not copy.memberships.exists()


@pytest.mark.parametrize("name", ["[ACE] Ana", "{x}", 'a "quoted" one', "a]b", "back\\slash"])
def test_a_first_player_with_any_signs_in_the_name_comes_back(
    name: str, path: Path, capsys: Any
) -> None:
    league = new_club()
    record(league, result(league, name, "Zoe"))
    copy = assert_comes_back(league, path, capsys)
    assert set(copy.players.values_list("name", flat=True)) == {name, "Zoe"}


def test_a_handicap_comes_back_with_its_result_and_its_start(path: Path, capsys: Any) -> None:
    league = new_club()
    with_all_systems(league)
    record(league, result(league, "Ana", "Bo", "Cy", handicaps=(0, 30, -7)))
    start(league, "Ana", "Bo", at=START + timedelta(days=1), handicaps=(64, 0))
    start(league, "Ana", "Cy", at=START + timedelta(days=1, hours=1), handicaps=(-5, 0))
    lose_overdue(START + timedelta(days=9))
    copy = assert_comes_back(league, path, capsys)
    starts = copy.matches.filter(started_at__isnull=False).order_by("started_at")
    given = [sorted(one.participants.values_list("handicap", flat=True)) for one in starts]
    assert given == [[0, 64], [-5, 0]]


def test_started_matches_and_their_rules_come_back(path: Path, capsys: Any) -> None:
    league = a_club()
    with_all_systems(league)
    change_start_rules(
        mode=mode_of(league), start_hours=2, released_by="players", start_rungs=3, actor=None
    )
    start(league, "Ana", "Kid", at=START + timedelta(days=3), external_id="g1")
    start(league, "Ana", "Bo; the 2nd", at=START + timedelta(days=3, hours=1))
    played(league, "Ana", "Bo; the 2nd", at=START + timedelta(days=3, hours=2))
    copy = assert_comes_back(league, path, capsys)
    assert mode_of(copy).start_hours == 2
    kinds = copy.matches.filter(started_at__isnull=False).order_by("started_at")
    assert list(kinds.values_list("kind", flat=True)) == ["left", "ended"]
    assert (mode_of(copy).released_by, mode_of(copy).start_rungs) == ("players", 3)


def test_real_football_comes_back(path: Path, capsys: Any) -> None:
    source = shared_data("messy/football_data_E0.csv")
    league = new_club(time_zone="Europe/London")
    take(league, source.name, source.read_bytes())
    assert league.matches.count() > 200
    with_all_systems(league)
    assert_comes_back(league, path, capsys)


def test_all_that_a_result_and_a_player_can_have_comes_back(path: Path, capsys: Any) -> None:
    league = a_club(
        walkovers=League.Walkovers.WIN,
        age_classes="U15, 40+",
        description="Two\nlines",
        visibility=League.Visibility.UNLISTED,
        active_days=30,
    )
    mode = mode_of(league)
    change_named_weights(
        mode=mode, weights=[NamedWeight("Cup", 1.5), NamedWeight("Practice", 1 / 3)], actor=None
    )
    change_score_rule(mode=mode, rule=read_rule("sets 5"), actor=None)
    change_rated_by(mode=mode, rated_by="events", actor=None)
    change_played_by(mode=mode, played_by="two_teams", actor=None)
    with_all_systems(league)
    know_players(league)
    drain()
    other = add_mode(league=league, name="Doubles", actor=None)
    season = season_of(league)
    drafts = [game(league, "Ana+Kid Bo+Dee", "Ana>Bo AnaxKid Kidw Dee! Ana* Bo>Kid")]
    record_matches(season=season, mode=mode, drafts=drafts)
    record_matches(season=season, mode=other, drafts=[result(league, "Ana", "Kid")])
    void_match(match=league.matches.order_by("seq")[1], author=None)
    copy = assert_comes_back(league, path, capsys)
    assert copy.visibility == League.Visibility.UNLISTED
    # A copy of the copy has the same bytes but for its address.
    again = whole(copy)
    copied(path, again, capsys, slug="copy-2")
    second = parts(whole(League.objects.get(slug="copy-2")))
    assert {name: text.replace('"copy-2"', '"copy"') for name, text in second.items()} == parts(
        again
    )


def sealed(season: Season) -> Season:
    take_step(season, Step.CLOSE, actor=None, now=NOW)
    drain()
    take_step(season, Step.SEAL, actor=None, now=NOW)
    drain()
    season.refresh_from_db()
    assert season.is_sealed
    return season


def two_seasons(carryover: str) -> League:
    """A sealed season and an open one that goes on from it, with rules that changed in both."""
    league = new_club()
    with_all_systems(league)
    record(league, *rounds(league, NAMES, 3))
    first = season_of(league)
    elo = first.boards.get(slug="all-by-elo")
    change_rules(
        elo,
        parameters={"k": 40.0},
        effective_at=START + timedelta(days=1),
        actor=None,
        reason="More",
    )
    drain()
    sweep(NOW)
    drain()
    # A result before its first day stays.
    update_season(
        first,
        name="The first one",
        starts_at=league.midnight((START + timedelta(days=1)).date()),
        ends_at=league.midnight((START + timedelta(days=20)).date()),
        actor=None,
        now=NOW,
    )
    drain()
    second = start_next_season(
        sealed(first), name="2", carryover=carryover, share=0.25, deviation=0.5, actor=None
    )
    drain()
    change_rules(
        second.boards.get(slug="all-by-elo"),
        parameters={"k": 17.0},
        effective_at=None,
        actor=None,
    )
    take_step(second, Step.OPEN, actor=None, now=NOW)
    later = [
        result(league, one, two, at=START + timedelta(days=25, hours=hour))
        for hour, (one, two) in enumerate([("Ana", "Bo"), ("Cy", "Bo"), ("Eve", "Fay")])
    ]
    record_matches(season=second, mode=mode_of(league), drafts=later)
    update_league(league=league, changes={"walkovers": "win", "active_days": 12}, actor=None)
    drain()
    return league


@pytest.mark.parametrize("carryover", Season.Carryover.values)
def test_seasons_come_back_sealed_and_carried_over(carryover: str, path: Path, capsys: Any) -> None:
    league = two_seasons(carryover)
    draft = start_next_season(league.seasons.get(name="2"), name="Next", actor=None)
    assert draft.state == Season.State.DRAFT
    take_step(league.seasons.get(name="The first one"), Step.ARCHIVE, actor=None, now=NOW)
    copy = assert_comes_back(league, path, capsys)
    first = copy.seasons.get(name="The first one")
    assert (first.sealed_walkovers, first.sealed_active_days) == ("unrated", 90)
    assert first.slug == "autumn"


def test_a_season_that_was_reopened_comes_back_so(path: Path, capsys: Any) -> None:
    league = two_seasons(Season.Carryover.KEEP)
    first = league.seasons.get(name="The first one")
    take_step(first, Step.REOPEN, actor=None, now=NOW, reason="A mistake")
    copy = assert_comes_back(league, path, capsys)
    first = copy.seasons.get(name="The first one")
    assert first.state == Season.State.CLOSING
    assert AuditEntry.objects.filter(
        league=copy, action="season.reopen", after__reason=REASON
    ).exists()


def test_what_a_later_correction_left_is_told_as_a_difference(path: Path, capsys: Any) -> None:
    league = two_seasons(Season.Carryover.KEEP)
    first = league.seasons.get(name="The first one")
    take_step(first, Step.REOPEN, actor=None, now=NOW, reason="A mistake")
    void_match(match=first.matches.order_by("seq").first(), author=None)
    drain()
    path.write_bytes(whole(league))
    with pytest.raises(SystemExit) as end:
        call_command("import_league", str(path), slug="copy")
    assert end.value.code == 1
    lines = capsys.readouterr().out.splitlines()
    assert "autumn/all-by-elo: same" in lines
    assert any(line.startswith("2/all-by-elo: differs: ") for line in lines)
    assert lines[-2].startswith("Not included: accounts, members, invitations and API tokens; ")
    assert lines[-1] == "Done: copy. It has no members yet."


def test_the_command_writes_what_the_page_gives(tmp_path: Path) -> None:
    league = a_club()
    target = tmp_path / "club.zip"
    call_command("export_league", league.slug, str(target))
    assert target.read_bytes() == whole(league)
    with pytest.raises(CommandError, match="There is no league “nowhere”"):
        call_command("export_league", "nowhere", str(target))
    assert [one.name for one in tmp_path.iterdir()] == ["club.zip"]


Change = Callable[[dict[str, Any]], Any]


def without(*path: Any) -> Change:
    return lambda said: _at(said, path[:-1]).pop(path[-1])


def having(value: Any, *path: Any) -> Change:
    return lambda said: _at(said, path[:-1]).__setitem__(path[-1], value)


def _at(said: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        said = said[step]
    return said


BOARD = ("seasons", 0, "boards", 0)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (having(2, "rungs_league"), "The league has format 2, but this release can only read"),
        (having(True, "rungs_league"), "league.json, rungs_league: must be a number"),
        (without("modes"), "league.json, modes: must be a list"),
        (having([1], "modes"), "league.json, modes 1 must be an object"),
        (having("x", "league", "active_days"), "league, active_days: must be a number"),
        (having(0, "league", "active_days"), "active_days: Ensure this value is greater"),
        (having("Mars/Base", "league", "time_zone"), "time_zone: There is no time zone"),
        (having("a\0b", "league", "name"), "league, name: must be text"),
        (having("tennis", "modes", 0, "score_rule"), "“tennis” is not a score rule"),
        (having("x", "modes", 0, "rated_by"), "rated_by: must be one of results, events"),
        (having("x", "modes", 0, "played_by"), "played_by: must be one of two_players"),
        (having([{"name": "+", "weight": 1}], "modes", 0, "kinds"), "cannot be told apart"),
        (having("gone", "seasons", 0, "state"), "seasons 1, state: must be one of draft, open"),
        (having("draft", "seasons", 0, "state"), "a draft has no results"),
        (having("other", "seasons", 0, "follows"), "the season that it follows is not before it"),
        (having("yesterday", "seasons", 0, "ends_at"), "ends_at: must be a moment with an offset"),
        (having("2500-01-01T00:00Z", "seasons", 0, "ends_at"), "in the years 1800 to 2199"),
        (having(" ", "modes", 0, "name"), "mode: "),
        (having("keep", "seasons", 0, "carryover", "kind"), "needs a first day and a season"),
        (having("1900-01-01T00:00Z", "seasons", 0, "ends_at"), "A season must end after it starts"),
        (having("2100-01-01T00:00Z", *BOARD, "rules", 0, "since"), "cannot start in the future"),
        (having({"x": 1}, "seasons", 0, "results"), "there is no mode “x”"),
        (having({}, "seasons", 0, "results"), "does not belong to a league"),
        (having({"blitz": 7}, "seasons", 0, "results"), "9 results, not 7"),
        (having("chess", *BOARD, "system"), "system: "),
        (having({"k": -1}, *BOARD, "rules", 0, "parameters"), "k: "),
        (having([], *BOARD, "rules"), "rules: must not be empty"),
        (having("other", *BOARD, "mode"), "there is no mode “other”"),
        (having("glicko 2", *BOARD, "slug"), "slug: Enter a valid"),
    ],
)
def test_a_league_that_cannot_be_is_refused_in_words(
    change: Change, reason: str, path: Path
) -> None:
    league = a_club()
    files: dict[str, Any] = dict(parts(whole(league)))
    said = json.loads(files["league.json"])
    said["seasons"][0]["starts_at"] = "2025-01-01T00:00Z"
    change(said)
    path.write_bytes(packed(files | {"league.json": json.dumps(said)}))
    with pytest.raises(CommandError) as refused:
        call_command("import_league", str(path), slug="copy")
    assert reason in str(refused.value)
    assert str(refused.value).endswith("Nothing was imported.")
    assert list(League.objects.all()) == [league]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"league.json": None}, "The file is not a league: it has no league.json"),
        ({"players.json": None}, "The file is incomplete: players.json is missing"),
        ({"results/autumn/blitz.json": None}, "results/autumn/blitz.json is missing"),
        ({"../x": "x"}, "“../x” does not belong to a league"),
        ({"league.json": "{"}, "league.json is damaged"),
        ({"league.json": b"\xff"}, "league.json is damaged"),
        ({"league.json": "[" * 100_000}, "league.json is damaged"),
        ({"league.json": '{"rungs_league": NaN}'}, "NaN is no number"),
        ({"players.json": "[]"}, "players.json must be an object"),
        ({"players.json": '{"players": [{"player": 1}]}'}, "players.json: "),
        ({"results/autumn/blitz.json": "x"}, "results/autumn/blitz.json: "),
        ({"x": "0" * 50_000_000}, "The file is too long to be a league"),
        ({f"{number}": "x" for number in range(2001)}, "The file is too long to be a league"),
    ],
)
def test_a_damaged_file_is_refused_in_words(
    change: dict[str, str | bytes | None], reason: str, path: Path
) -> None:
    league = a_club()
    files = parts(whole(league)) | change
    path.write_bytes(packed({name: text for name, text in files.items() if text is not None}))
    with pytest.raises(CommandError) as refused:
        call_command("import_league", str(path), slug="copy")
    assert reason in str(refused.value)
    assert list(League.objects.all()) == [league]


def test_bad_rows_are_named_before_anything_is_written(path: Path) -> None:
    league = a_club()
    files = parts(whole(league))
    name = "results/autumn/blitz.json"
    files[name] = files[name].replace('"rank": 1,', '"rank": "first",')
    path.write_bytes(packed(dict(files)))
    with pytest.raises(CommandError, match=f"{name}: bad rows .11.. line 2, rank"):
        call_command("import_league", str(path), slug="copy")
    assert list(League.objects.all()) == [league]


@pytest.mark.parametrize("content", [b"", b"PK", b"name,score\n", b"PK\x05\x06" + bytes(18)])
def test_other_files_are_no_league(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(CommandError, match="is not a league"):
        call_command("import_league", str(path))


def test_any_damaged_byte_is_noticed(path: Path) -> None:
    content = bytearray(whole(new_club()))
    content[100] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(CommandError, match="The file is damaged or is not a league"):
        call_command("import_league", str(path), slug="copy")


def test_a_file_without_its_beginning_is_damaged(path: Path) -> None:
    path.write_bytes(whole(new_club())[6:])
    with pytest.raises(CommandError, match="The file is damaged or is not a league"):
        call_command("import_league", str(path), slug="copy")


def test_an_address_that_is_taken_is_refused(path: Path) -> None:
    league = a_club()
    path.write_bytes(whole(league))
    with pytest.raises(CommandError, match="Another league has the address “club”"):
        call_command("import_league", str(path))
    assert list(League.objects.all()) == [league]


def test_what_stops_half_way_stays_private_and_says_how_to_go_on(path: Path) -> None:
    league = two_seasons(Season.Carryover.KEEP)
    files: dict[str, Any] = dict(parts(whole(league)))
    said = json.loads(files["league.json"])
    # Before the last result of the season that it goes on from.
    said["seasons"][1]["starts_at"] = "2025-10-02T00:00Z"
    path.write_bytes(packed(files | {"league.json": json.dumps(said)}))
    with pytest.raises(CommandError) as stopped:
        call_command("import_league", str(path), slug="copy")
    words = str(stopped.value)
    assert words.startswith("The import stopped: Its first day must be after the last result")
    assert "The league “copy” is incomplete and private." in words
    copy = League.objects.get(slug="copy")
    assert copy.visibility == League.Visibility.PRIVATE
    assert copy.seasons.get(name="2").matches.count() == 0


def test_organizers_get_the_same_file_from_the_settings() -> None:
    league = a_club(owner=make_user("boss"))
    client = Client()
    client.force_login(User.objects.get(), "django.contrib.auth.backends.ModelBackend")
    address = reverse("leagues:league_file", args=[league.slug])
    assert address in client.get(reverse("leagues:settings", args=[league.slug])).content.decode()
    response = client.get(address)
    assert response.headers["Content-Type"] == "application/zip"
    assert response.headers["Content-Disposition"] == 'attachment; filename="club.zip"'
    assert b"".join(response.streaming_content) == whole(league)
    assert "2014" in parts(whole(league))["players.json"]


def with_random_start() -> League:
    """A league whose zero-sum board began at random, with a later player and a later anchor."""
    league = club_with_lottery(anchors=True)
    draw(league)
    record(league, *rounds(league, (*NAMES[:3], "Flo"), 2))
    board = zero_sum(league)
    give(board, "Di", Start(0.5, None, "bot"))
    parameters = {**board.parameters, "spread": 0.0}
    change_rules(board, parameters=parameters, effective_at=None, actor=None, reason="drawn once")
    drain()
    return league


def test_ratings_that_were_drawn_are_drawn_again(tmp_path: Path, capsys: Any) -> None:
    league = with_random_start()
    content = whole(league)
    (said,) = json.loads(parts(content)["league.json"])["seasons"][0]["boards"]
    assert said["random_start"] == ["ana", "bo", "cy", "di", "eve"]
    boards = copied(tmp_path / "league.zip", content, capsys)["boards"]
    assert [board["same"] for board in boards] == [True]
    board, copy = zero_sum(league), zero_sum(League.objects.get(slug="copy"))
    assert random_start(copy) == random_start(board) == RandomStart(7, 0.5)
    assert drawn(copy) == drawn(board)
    assert digest(copy) == digest(board)
    assert not check_board(copy).differences


@pytest.mark.parametrize(
    ("players", "reason"),
    [
        ("ana", "random_start: must be a list"),
        (["ana", 1], "2: must be text"),
        (["ana", "nobody"], "no player with the id “nobody”"),
        (["ana", "ana"], "At least two players"),
    ],
)
def test_a_drawing_that_cannot_be_is_refused(
    tmp_path: Path, capsys: Any, players: object, reason: str
) -> None:
    files = parts(whole(with_random_start()))
    said = json.loads(files["league.json"])
    said["seasons"][0]["boards"][0]["random_start"] = players
    with pytest.raises(CommandError, match=reason):
        copied(tmp_path / "league.zip", packed(files | {"league.json": json.dumps(said)}), capsys)


def test_only_zero_sum_boards_draw(tmp_path: Path, capsys: Any) -> None:
    files = parts(whole(a_club()))
    said = json.loads(files["league.json"])
    said["seasons"][0]["boards"][0]["random_start"] = ["ana", "bo"]
    with pytest.raises(CommandError, match="are not drawn at random"):
        copied(tmp_path / "league.zip", packed(files | {"league.json": json.dumps(said)}), capsys)


def test_rungs_from_a_session_are_those_of_the_copy(tmp_path: Path, capsys: Any) -> None:
    league = club_with_session()
    place(league)
    duel(league, "Eve", "Ana", 1)
    # Whoever leaves later keeps the rung.
    league.players.filter(key="bo").update(left_at=START)
    content = whole(league)
    boards = json.loads(parts(content)["league.json"])["seasons"][0]["boards"]
    assert [board["session_rungs"] for board in boards if "session_rungs" in board] == [
        {"session": "Autumn, match 1", "players": ["cy", "bo", "di", "ana"]}
    ]
    copied(tmp_path / "league.zip", content, capsys)
    board, copy = ladder_of(league), ladder_of(League.objects.get(slug="copy"))
    assert session_name(copy) == session_name(board) == "Autumn, match 1"
    assert (drawn(copy), digest(copy)) == (drawn(board), digest(board))


def test_who_was_drawn_before_the_import_was_undone_is_drawn_again(
    tmp_path: Path, capsys: Any
) -> None:
    league = club_with_lottery()
    take(league, "results.csv", b"player,club\nZoe,X\nYan,Y\n")
    draw(league)
    revert_revision(revision=league.revisions.order_by("-pk")[0], author=None)
    drain()
    content = whole(league)
    (said,) = json.loads(parts(content)["league.json"])["seasons"][0]["boards"]
    assert said["unlisted_players"] == ["yan", "zoe"]
    copied(tmp_path / "league.zip", content, capsys)
    copy = League.objects.get(slug="copy")
    assert drawn(zero_sum(copy)) == drawn(zero_sum(league))
    assert set(copy.players.filter(is_listed=False).values_list("key", flat=True)) == {"yan", "zoe"}
