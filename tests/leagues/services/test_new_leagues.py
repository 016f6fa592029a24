"""What a new league begins with, and that leagues of before keep what they have."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
import time_machine
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client

from leagues import bridge
from leagues.jobs.runner import drain
from leagues.models import Board, League
from leagues.services.demo import create_demo
from leagues.services.import_reading import ImportOptions
from leagues.services.imports import start_import
from leagues.services.integrity import board_digest
from leagues.services.leagues import add_board, create_league, create_season, ensure_mode
from ratings.log import MatchLog
from tests.leagues.people import make_user
from tests.leagues.play import START, mode_of, new_club, record, result, rounds, season_of
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

DAY = 86_400_000_000
EPOCH = date(1970, 1, 1)
SINCE = datetime(2026, 10, 31, tzinfo=UTC)


def by_form(_folder: Path) -> None:
    client = Client()
    client.force_login(make_user("boss"))
    typed = {"name": "Club", "time_zone": "London", "visibility": "public"}
    typed |= {"mode": "Chess", "played_by": "two_players"}
    assert client.post("/new/", typed).status_code == 302


def by_command(folder: Path) -> None:
    file = folder / "results.csv"
    file.write_text("date,winner,loser\n2025-10-01,Ana,Bo\n", encoding="utf-8")
    call_command("import_matches", str(file), "--league", "club", "--create", stdout=StringIO())


def by_service(_folder: Path) -> None:
    create_league(name="Club", slug="club")


def by_demo(_folder: Path) -> None:
    create_demo(now=SINCE)


@pytest.mark.parametrize("way", [by_form, by_command, by_service, by_demo])
def test_a_new_league_has_no_bounds_and_ranks_after_five_results(
    way: Callable[[Path], None], tmp_path: Path
) -> None:
    way(tmp_path)
    league = League.objects.get()
    assert league.ranked_after == 5
    for season in league.seasons.all():
        first, second = season.boards.filter(mode=league.modes.first()).order_by("position")[:2]
        assert (first.system, second.system) == ("glicko2", "elo")
        for board in season.boards.all():
            assert bridge.newest_system(board).shown_bounds == (-np.inf, np.inf)


def test_the_form_says_what_a_new_league_begins_with() -> None:
    client = Client()
    client.force_login(make_user("boss"))
    body = re.sub(r"\s+", " ", client.get("/new/").content.decode())
    assert "Ratings are computed by Glicko-2, a method" in body
    assert "ranked after 5 results" in body


def test_bounds_stay_a_choice_with_their_reason() -> None:
    client, boss = Client(), make_user("boss")
    client.force_login(boss)
    create_league(name="Club", slug="club", owner=boss)
    body = client.get("/l/club/settings/boards/?system=glicko2").content.decode()
    assert '<option value="glickman" selected>' in body
    assert "between 450 and 2550, as in INVERSUS; needed for Rank Points" in body
    add_board(
        season=League.objects.get().seasons.get(),
        mode=League.objects.get().modes.get(),
        system="glicko2",
        name="Points",
        parameters={"preset": "inversus", "display": "points"},
    )


def bounded_club() -> League:
    """A league as former releases made it, where newcomers begin near the upper bound."""
    club = new_club()
    Board.objects.filter(league=club, system="glicko2").update(
        parameters=bridge.checked_parameters("glicko2", {"rating": 2500.0})
    )
    cache.clear()
    return club


def test_a_league_of_before_keeps_its_bounds_in_its_next_season_and_its_digest() -> None:
    club = bounded_club()
    record(club, *rounds(club, ["Ana", "Bo", "Cy"], 2))
    board = club.boards.get(system="glicko2")
    digest, settings = board_digest(board), (board.parameters, club.ranked_after)
    ensure_mode(league=club, name="Rapid")
    following = create_season(league=club, name="Spring", starts_at=START + timedelta(days=90))
    again = following.boards.get(system="glicko2", mode=board.mode)
    assert again.parameters == board.parameters
    assert again.parameters["preset"] == "inversus"
    drain()
    board, club = club.boards.get(pk=board.pk), League.objects.get()
    assert board_digest(board) == digest
    assert (board.parameters, club.ranked_after) == settings


@pytest.mark.parametrize(("losers", "words"), [
    (("Bo",), "1 player is at 2550, the highest rating that this board allows, and cannot gain"),
    (("Bo", "Cy"), "2 players are at 2550, the highest rating that this board allows, and can"),
])  # fmt: skip
def test_a_board_says_who_stands_at_a_bound(losers: tuple[str, ...], words: str) -> None:
    club = bounded_club()
    winners = ("Ana", "Dee")[: len(losers)]
    pairs = zip(winners, losers, strict=True)
    (match, *_) = record(club, *(result(club, one, other) for one, other in pairs))
    pages = ("/l/club/", "/l/club/seasons/autumn/")
    for address in pages:
        assert words in Client().get(address).content.decode()
        assert "stand" not in Client().get(f"{address}?board=blitz-elo").context["page"].notes
    reasons = Client().get(f"/l/club/m/autumn/{match.seq}/").content.decode()
    assert "Kept within the limits" in reasons


def test_a_board_says_who_stands_at_the_floor() -> None:
    club = new_club()
    add_board(
        season=season_of(club),
        mode=mode_of(club),
        system="elo",
        name="Floor",
        parameters={"start": 1000, "floor": 1000},
    )
    record(club, result(club, "Ana", "Bo"))
    notes = Client().get("/l/club/?board=floor").context["page"].notes
    assert notes == (
        "1 player is at 1000, the lowest rating that this board allows, and cannot lose any "
        "more points.",
    )
    with time_machine.travel(START + timedelta(days=1), tick=False):
        assert Client().get("/l/club/").context["page"].notes == ()


def test_the_best_of_tennis_rises_above_the_bounds_in_a_new_league() -> None:
    data = gzip.decompress(shared_data("tennis/atp_singles.csv.gz").read_bytes()).decode()
    league = create_league(name="ATP", slug="atp")
    system = bridge.newest_system(league.boards.get(system="glicko2"))
    rows = [row for row in csv.DictReader(data.splitlines()) if row["winner_id"] != row["loser_id"]]
    pairs = [(row["winner_name"], row["loser_name"]) for row in rows]
    keys = sorted({name for pair in pairs for name in pair})
    number = {name: index for index, name in enumerate(keys)}
    days = np.array([(date.fromisoformat(row["date"]) - EPOCH).days for row in rows])
    log, _order = MatchLog.build(
        keys=keys,
        at=days * DAY,
        day=days,
        match=np.repeat(np.arange(len(rows)), 2),
        side=np.tile([0, 1], len(rows)),
        rank=np.tile([0, 1], len(rows)),
        player=[number[name] for pair in pairs for name in pair],
    )
    values = system.display_many(system.replay(log).final).value
    assert keys[int(values.argmax())] == "Jannik Sinner"
    assert values.max() > 2700


def test_halo_2_is_ranked_by_who_was_best_in_2004_with_the_uncertainty_of_then() -> None:
    content = gzip.decompress(shared_data("halo2/halo2_headtohead.csv.gz").read_bytes())
    cache.clear()
    league = create_league(name="Halo 2", slug="halo-2", mode="Head to head")
    start_import(
        season=league.seasons.get(),
        mode=league.modes.get(),
        name="halo2_headtohead.csv",
        content=content,
        options=ImportOptions(is_upload=False, skip_bad=True),
    )
    drain()
    with time_machine.travel(datetime(2004, 8, 10, 12, tzinfo=UTC), tick=False):
        then = Client().get("/l/halo-2/").context["page"]
    with time_machine.travel(SINCE, tick=False):
        page = Client().get("/l/halo-2/").context["page"]
        profile = Client().get(page.rows[0].url).context["page"]
    assert [row.rank for row in page.rows[:3]] == ["1", "2", "3"]
    assert [(row.name, row.rating, row.likely) for row in page.rows] == [
        (row.name, row.rating, row.likely) for row in then.rows
    ]
    assert then.notes == ()
    assert page.notes == ("Uncertainty is shown as of 9 Aug 2004, the last day with results.",)
    assert profile.rating == page.rows[0].rating
    assert profile.chart.wide.end_range == profile.rating.plus_minus
    assert int(re.sub(r"\D", "", page.rows[0].rating.plus_minus)) < 250
