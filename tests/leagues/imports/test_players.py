"""What files say of players: columns beside results, and lists of players without any."""

from __future__ import annotations

import html
import json
from datetime import timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from leagues.domain.leaving import has_left
from leagues.jobs.runner import drain
from leagues.models import (
    AuditEntry,
    Board,
    Player,
    PlayerAlias,
    PlayerGroup,
    Revision,
    Season,
    StartingState,
)
from leagues.selectors.player_columns import PlayersFile
from leagues.selectors.result_files import ResultFile
from leagues.services.history import check_league
from leagues.services.integrity import board_digest, check_board
from leagues.services.leagues import add_board
from leagues.services.leaving import set_left
from leagues.services.matches import revert_revision
from leagues.services.player_changes import PlayerChange, write_changes
from leagues.services.player_groups import set_groups
from leagues.services.player_merging import merge_players
from leagues.services.players import ensure_player
from leagues.services.seasons import Step, take_step
from leagues.services.spellings import Spelling
from leagues.services.starts import Start, set_start
from tests.leagues.imports.sender import Sender
from tests.leagues.play import START, mode_of, new_club, record, result, season_of

pytestmark = pytest.mark.django_db

LIST = """Name,Vorname,Verein,Mannschaft,Nation,Jahrgang,Aktiv
Ruiz,Ana,SV Nord,Nord 1,ESP,1990,ja
Li,Bo,SV Nord,,CHN,12.03.2014,nein
"""


def groups(player: Player) -> dict[str, str]:
    return dict(player.groups.values_list("kind", "name"))


def read(kim: Sender, content: str, **fields: Any) -> str:
    """Check and import a file; returns the page of the check as text."""
    address = kim.checked(content, **fields)
    page = html.unescape(kim.page(address))
    kim.written(address)
    return page


def test_a_list_of_players_is_read_previewed_imported_and_undone(kim: Sender) -> None:
    record(kim.league, result(kim.league, "Ana Ruiz", "Cy"))
    page = read(kim, LIST)
    assert "The file has players and no results" in page
    assert "What is taken over about 2 players" in page
    assert "SV Nord" in page
    assert "Import 2 players" in page
    assert "1 new player" in page
    ana, bo = (kim.league.players.get(name=name) for name in ("Ana Ruiz", "Bo Li"))
    assert groups(ana) == {"club": "SV Nord", "team": "Nord 1", "country": "ESP"}
    assert (ana.birth_year, ana.left_at) == (1990, None)
    assert (bo.birth_year, bo.is_listed, bo.left_at is not None) == (2014, True, True)
    revision = kim.league.revisions.get(kind=Revision.Kind.PLAYERS)
    assert revision.number == 2
    page = html.unescape(kim.page(f"/l/{kim.league.slug}/r/autumn/2/"))
    assert "What it changed about players" in page
    assert "2 players" in page
    undo = kim.client.post(f"/l/{kim.league.slug}/r/autumn/2/undo/", {"preview": "yes"})
    assert undo.status_code == 200
    changes = kim.page(f"/l/{kim.league.slug}/changes/")
    assert "with change 2 of autumn" in changes
    back = revert_revision(revision=revision, author=None)
    ana.refresh_from_db()
    bo.refresh_from_db()
    assert (groups(ana), ana.birth_year, bo.is_listed) == ({}, None, False)
    assert (groups(bo), bo.left_at) == ({}, None)
    revert_revision(revision=back, author=None)
    ana.refresh_from_db()
    bo.refresh_from_db()
    assert groups(ana) == {"club": "SV Nord", "team": "Nord 1", "country": "ESP"}
    assert (ana.birth_year, bo.is_listed, bo.left_at is not None) == (1990, True, True)
    assert check_league(kim.league.pk).differences == 0


def test_a_list_again_says_that_all_is_known(kim: Sender) -> None:
    read(kim, LIST)
    page = html.unescape(kim.page(kim.checked(LIST)))
    assert "All that this file says of players is already known." in page
    assert 'value="write"' not in page


def test_what_somebody_changed_since_stays_when_a_list_is_undone(kim: Sender) -> None:
    read(kim, LIST)
    ana = kim.league.players.get(name="Ana Ruiz")
    set_groups(player=ana, groups={"club": "TTC Süd"}, actor=None)
    record(kim.league, result(kim.league, "Ana Ruiz", "Cy"))
    revert_revision(revision=kim.league.revisions.get(kind="players"), author=None)
    ana.refresh_from_db()
    assert groups(ana) == {"club": "TTC Süd"}
    assert ana.is_listed


def test_empty_cells_say_nothing(kim: Sender) -> None:
    ana = ensure_player(league=kim.league, name="Ana", birth_year=1990)
    set_groups(player=ana, groups={"club": "SV Nord", "team": "1"}, actor=None)
    read(kim, "player,club,team,birth_year\nAna,,2,\n")
    ana.refresh_from_db()
    assert (groups(ana), ana.birth_year) == ({"club": "SV Nord", "team": "2"}, 1990)


def test_two_rows_that_differ_are_named(kim: Sender) -> None:
    address = kim.checked("player,club\nAna,SV Nord\nBo,SV Nord\nAna,TTC Süd\n")
    page = html.unescape(kim.page(address))
    assert "An earlier row says something else of this player." in page
    assert "Ana, see line 2" in page
    kim.written(address, skip_bad="on")
    assert groups(kim.league.players.get(name="Ana")) == {"club": "SV Nord"}


def test_starting_ratings_that_differ_are_named(kim: Sender) -> None:
    board = kim.league.boards.earliest("pk").slug
    rows = [("", 1500), ("autumn", 1600), ("autumn", 1500)]
    cells = [
        json.dumps([{"board": board, "rating": rating, "source": "TTR", "season": season}])
        for season, rating in rows
    ]
    lines = ["\t".join(("Ana", cell.replace('"', '""').join('""'))) for cell in cells]
    address = kim.checked("\n".join(("player\tstarting_ratings", *lines)))
    page = html.unescape(kim.page(address))
    assert "An earlier row says something else of this player." in page
    assert f"{board}: 1600" in page
    assert "1 row cannot be read" in page
    kim.written(address, skip_bad="on")
    assert [row.rating for row in StartingState.objects.filter(league=kim.league)] == [1500.0]


def test_other_names_in_several_lines_are_named(kim: Sender) -> None:
    page = html.unescape(kim.page(kim.checked('player,aliases\nAna,"An\nAnn"\n')))
    assert "Separate other names by semicolons, in one line." in page


def test_who_came_back_leaves_again(kim: Sender) -> None:
    ana = ensure_player(league=kim.league, name="Ana")
    before = START - timedelta(days=30)
    set_left(player=ana, left_at=before, was=None, actor=None)
    record(kim.league, result(kim.league, "Ana", "Cy"))
    read(kim, "player,active\nAna,no\n")
    ana.refresh_from_db()
    assert has_left(ana)
    left_at = ana.left_at
    assert "already known" in kim.page(kim.checked("player,active\nAna,no\n"))
    revert_revision(revision=kim.league.revisions.get(kind="players"), author=None)
    ana.refresh_from_db()
    assert left_at != ana.left_at == before


def test_names_of_who_was_merged_since_are_undone(kim: Sender) -> None:
    record(kim.league, result(kim.league, "Anna", "Cy"), result(kim.league, "Bo", "Cy"))
    read(kim, "player,club,aliases\nAnna,SV Nord,Annie\n")
    anna, bo = (kim.league.players.get(name=name) for name in ("Anna", "Bo"))
    merge_players(league=kim.league, keep=bo, drop=anna, author=None)
    back = revert_revision(revision=kim.league.revisions.get(kind="players"), author=None)
    assert (groups(anna), list(PlayerAlias.objects.values_list("name"))) == ({}, [])
    revert_revision(revision=back, author=None)
    assert PlayerAlias.objects.get().player.survivor() == bo
    assert groups(anna) == {"club": "SV Nord"}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("Ana,1.1.14,yes", "A year of birth must be from 1800 to 2200."),
        ("Ana,3014,yes", "A year of birth must be from 1800 to 2200."),
        ("Ana,1990,maybe", "This must be yes or no, or active or inactive."),
        (",1990,yes", "The name is missing."),
    ],
)
def test_what_cannot_be_is_named(kim: Sender, row: str, reason: str) -> None:
    page = html.unescape(kim.page(kim.checked(f"name,born,active\n{row}\nBo,1990,yes\n")))
    assert "1 row cannot be read" in page
    assert reason in page


def test_clubs_beside_results_are_taken_over(kim: Sender) -> None:
    rows = [
        "game_id,date,player,rank,Club,Fed",
        "1,2026-01-05,Ana,1,SV Nord,ESP",
        "1,2026-01-05,Bo,2,TTC Süd,CHN",
        "2,2026-01-06,Ana,1,SV Ost,ESP",
        "2,2026-01-06,Bo,2,,CHN",
    ]
    page = read(kim, "\n".join(rows))
    assert "Import 2 results" in page
    assert "1 player has several clubs, teams or countries in the file." in page
    ana, bo = (kim.league.players.get(name=name) for name in ("Ana", "Bo"))
    assert groups(ana) == {"club": "SV Ost", "country": "ESP"}
    assert groups(bo) == {"club": "TTC Süd", "country": "CHN"}
    revision = kim.league.revisions.get(kind="import")
    page = kim.page(f"/l/{kim.league.slug}/r/autumn/1/")
    assert "What it changed about players" in page
    revert_revision(revision=revision, author=None)
    assert not PlayerGroup.objects.exists()


def test_new_clubs_in_results_that_are_there_already_are_taken_over(kim: Sender) -> None:
    rows = "game_id,date,player,rank,club\n1,2026-01-05,Ana,1,{}\n1,2026-01-05,Bo,2,SV Ost\n"
    read(kim, rows.format("SV Nord"))
    page = read(kim, rows.format("SV West"))
    assert "What is taken over about 1 player" in page
    assert groups(kim.league.players.get(name="Ana")) == {"club": "SV West"}
    assert kim.league.matches.count() == 1


@pytest.mark.parametrize("name", ["csv", "json", "xlsx"])
def test_players_come_back_as_they_were(kim: Sender, name: str) -> None:
    league = kim.league
    ana = ensure_player(league=league, name="=Ana; Ruiz", birth_year=1990)
    bo = ensure_player(league=league, name="Bo", key="bo:7")
    set_groups(player=ana, groups={"club": "@SV", "country": "ESP"}, actor=None)
    set_left(player=bo, left_at=timezone.now() - timedelta(days=3), was=None, actor=None)
    for number in range(45):
        alias = f"A{number}"
        PlayerAlias.objects.create(
            league=league, player=ana, name=alias, folded=alias.lower(), is_public=number % 2 == 0
        )
    response = kim.client.get(f"/l/{league.slug}/players/players.{name}")
    content = b"".join(response.streaming_content)
    assert f"{league.slug}-players.{name}" in response["Content-Disposition"]
    copy = new_club("copy", owner=league.memberships.get().user)
    page = read(Sender(kim.client, copy), content, name=f"players.{name}")
    assert "2 new players" in page
    for player in (ana, bo):
        player.refresh_from_db()
        other = copy.players.get(key=player.key)
        assert (other.name, other.birth_year, other.left_at, groups(other)) == (
            player.name, player.birth_year, player.left_at, groups(player),
        )  # fmt: skip
        assert set(other.aliases.values_list("name", "is_public")) == set(
            player.aliases.values_list("name", "is_public")
        )
    revert_revision(revision=copy.revisions.get(), author=None)
    assert not copy.players.listed().exists()
    assert not copy.aliases.exists()


def test_visitors_get_no_private_columns(kim: Sender) -> None:
    ana = ensure_player(league=kim.league, name="Ana", birth_year=1990)
    PlayerAlias.objects.create(league=kim.league, player=ana, name="Hidden", folded="hidden")
    kim.client.logout()
    text = "".join(
        PlayersFile(kim.league, is_private=False, seasons=kim.league.seasons.all()).json()
    )
    response = kim.client.get(f"/l/{kim.league.slug}/players/players.json")
    assert b"".join(response.streaming_content).decode() == text
    assert json.loads(text)["players"] == [{"player": "Ana", "player_key": "ana", "aliases": ""}]
    assert kim.client.get(f"/l/{kim.league.slug}/players/players.pdf").status_code == 404


def test_the_log_is_the_last_that_a_file_locks(kim: Sender) -> None:
    """In as many statements for many other names as for one."""
    ana = ensure_player(league=kim.league, name="Ana")
    board = season_of(kim.league).boards.filter(system="elo").get()
    names = {f"Ana {number}": Spelling("ana") for number in range(30)}
    start = (board, None, Start(1700.0, None, "FIDE list"))
    change = PlayerChange(ana, {"club": ""}, {"club": "SV"}, names, starts=(start,))
    with CaptureQueriesContext(connection) as queries, transaction.atomic():
        write_changes(kim.league, [change], mark="autumn/1", actor=None)
    statements = [query["sql"] for query in queries]
    first = next(at for at, sql in enumerate(statements) if "leagues_loghead" in sql)
    assert not any("alias" in sql or "leagues_board" in sql for sql in statements[first:])
    assert sum("alias" in sql for sql in statements) < 6
    assert AuditEntry.objects.filter(action="player.spelling").count() == 30
    assert ana.aliases.count() == 30


def test_years_of_birth_to_come_are_left_out(kim: Sender) -> None:
    ana = ensure_player(league=kim.league, name="Ana", birth_year=1990)
    page = read(kim, "player,birth_year,club\nAna,2190,SV\nBo,2191,SV\nCy,1991,SV\n")
    words = "2 years of birth are left out. The year of birth must be from 1800 to this year."
    assert words in page
    ana.refresh_from_db()
    assert (ana.birth_year, groups(ana)) == (1990, {"club": "SV"})
    years = dict(kim.league.players.values_list("name", "birth_year"))
    assert years == {"Ana": 1990, "Bo": None, "Cy": 1991}


@pytest.mark.parametrize("name", ["csv", "json", "xlsx"])
def test_only_organizers_get_starting_ratings_of_drafts(kim: Sender, name: str) -> None:
    league = kim.league
    ana, played = ensure_player(league=league, name="Ana"), season_of(league)
    draft = Season.objects.create(
        league=league, slug="secret-plan", name="Secret", state=Season.State.DRAFT
    )
    add_board(season=draft, mode=mode_of(league), system="elo", name="Elo")
    for season, source in ((played, "FIDE list"), (draft, "secret list")):
        board = season.boards.filter(system="elo").first()
        assert board is not None
        start = Start(1700.0, None, source)
        set_start(board=board, player=ana, start=start, actor=None, was=None)
    address = f"/l/{league.slug}/players/players.{name}"

    def told() -> list[bool]:
        content = b"".join(kim.client.get(address).streaming_content)
        if name == "xlsx":
            with ZipFile(BytesIO(content)) as book:
                content = b"".join(map(book.read, book.namelist()))
        return [words in content for words in (b"FIDE list", b"secret-plan", b"secret list")]

    assert told() == [True, True, True]
    kim.client.logout()
    assert told() == [True, False, False]


def by_age(kim: Sender) -> Board:
    """A board by FIDE's K on which Ana has played forty matches."""
    league = kim.league
    add_board(
        season=season_of(league), mode=mode_of(league), system="elo", parameters={"policy": "fide"}
    )
    matches = (
        result(league, "Ana", f"Guest {number}", at=START + timedelta(hours=number))
        for number in range(40)
    )
    record(league, *matches)
    return league.boards.select_related("season").get(parameters__policy="fide")


def test_a_year_of_birth_from_a_file_rates_boards_by_age_again(kim: Sender) -> None:
    board = by_age(kim)
    before = board_digest(board)
    read(kim, f"player,born\nAna,{START.year - 15}\n")
    board.refresh_from_db()
    assert board_digest(board) != before
    assert check_board(board).differences == ()
    revert_revision(revision=kim.league.revisions.get(kind="players"), author=None)
    drain()
    board.refresh_from_db()
    assert board_digest(board) == before
    assert check_league(kim.league.pk).differences == 0


def test_a_year_of_birth_stays_where_a_sealed_season_was_rated_by_it(kim: Sender) -> None:
    board = by_age(kim)
    for step in (Step.CLOSE, Step.SEAL):
        take_step(season=board.season, step=step, actor=None, now=timezone.now())
    drain()
    kim.league.seasons.create(name="Next", slug="next", state="open")
    page = read(kim, "player,born,club\nAna,2010,SV Nord\n", season="next")
    assert "The year of birth of 1 player stays as it is: a sealed season" in page
    ana = kim.league.players.get(name="Ana")
    assert (ana.birth_year, groups(ana)) == (None, {"club": "SV Nord"})


def test_each_change_that_came_with_a_file_can_be_undone_by_itself(kim: Sender) -> None:
    read(kim, LIST)
    entry = AuditEntry.objects.get(action="player.groups", subject="ana-ruiz")
    assert entry.after == {
        "club": "SV Nord", "team": "Nord 1", "country": "ESP", "revision": "autumn/1",
    }  # fmt: skip
    page = kim.page(f"/l/{kim.league.slug}/changes/?kind=player.groups")
    assert page.count("with change 1 of autumn") == 2
    assert "/p/ana-ruiz/groups/" in page


def test_a_file_of_players_with_results_asks_for_matches(kim: Sender) -> None:
    page = html.unescape(kim.page(kim.checked("Nom,Prénom,Club,place\nSAVIOZ,Colin,VC,1\n")))
    assert "No column, such as game_id, shows which rows belong to one match." in page
    assert "To take only the players with their clubs, teams or countries, ignore" in page
    address = kim.checked("Nom,Prénom,Club,place\nSAVIOZ,Colin,VC,1\n")
    assert kim.answer(address, "check", column_3="ignore").status_code == 302
    drain()
    assert "Import 1 player" in kim.page(address)
    kim.written(address)
    assert kim.league.players.get().name == "Colin SAVIOZ"


def test_results_as_json_go_through_the_wizard(kim: Sender) -> None:
    record(kim.league, result(kim.league, "Ana", "Bo"))
    text = "".join(ResultFile(season_of(kim.league), is_private=True).json())
    copy = new_club("copy", owner=kim.league.memberships.get().user)
    assert "exported as JSON" in read(Sender(kim.client, copy), text, name="results.json")
    assert copy.matches.count() == 1
