"""The static board of a real evening: its matrix, its suicide rules, and whom it leaves out."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from numpy.typing import NDArray

from leagues.jobs.runner import drain
from leagues.models import Board, League, MatchEvent, Standing
from leagues.selectors import statistics
from leagues.services.integrity import check_board
from leagues.services.leagues import add_board
from leagues.services.log_imports import GameOptions, import_logs
from leagues.services.log_reading import LogOptions, read_logs
from leagues.services.modes import change_rated_by
from leagues.services.rules import change_rules
from tests.leagues.happenings import game
from tests.leagues.play import mode_of, new_club, record, result, season_of
from tests.shared_data import shared_data

pytestmark = pytest.mark.django_db

Matrix = NDArray[np.float64]
OWN = ("suicide", "world-death")
SUICIDES = {
    "ignore": "Suicides and deaths by the world change nothing.",
    "subtract": "Suicides and deaths by the world cost strength",
    "distribute": "Suicides and deaths by the world count for the opponents",
}


def an_evening() -> League:
    """The office's three games of Quake, in which ten people took part."""
    club = new_club()
    season_of(club).boards.all().delete()
    change_rated_by(mode=mode_of(club), rated_by="events", actor=None)
    contents = read_logs([shared_data("quake/osp_ffa_office.log")], LogOptions())
    into = GameOptions(mode="Blitz")
    import_logs(season=season_of(club), contents=contents, options=into)
    return club


def a_board(club: League, **parameters: Any) -> Board:
    board = add_board(
        season=season_of(club),
        mode=mode_of(club),
        system="static",
        name=" ".join(map(str, parameters.values())),
        parameters=parameters,
    )
    drain()
    report = check_board(Board.objects.select_related("league", "season", "mode").get(pk=board.pk))
    assert (report.is_behind, report.differences) == (False, ())
    return board


def counted(club: League) -> tuple[list[str], Matrix, Matrix]:
    """Names, who got whom how often, and suicides, straight from the events."""
    names = list(club.players.order_by("key").values_list("name", flat=True))
    place = {name: index for index, name in enumerate(names)}
    got, own = np.zeros((len(names), len(names))), np.zeros(len(names))
    for kind, one, other in MatchEvent.objects.values_list(
        "kind", "player__name", "opponent__name"
    ):
        if kind == "frag":
            got[place[one], place[other]] += 1
        elif kind in OWN:
            own[place[one]] += 1
    return names, got, own


def dense_core(got: Matrix, m: int, k: int) -> NDArray[np.bool_]:
    met = got + got.T
    inside = met.sum(axis=1) > 0
    while True:
        opponents = ((met >= max(m, 1)) & inside).sum(axis=1)
        out = inside & (opponents < k)
        if not out.any():
            return inside
        inside &= ~out


def dense(got: Matrix, own: Matrix, method: str, suicides: str) -> Matrix:
    """The strengths, by whole matrices and no sparse one."""
    met = got + got.T
    events = met.sum(axis=1)
    if suicides == "distribute":
        got = got + ((own / events)[:, None] * met).T
    both = got + got.T
    if method == "average":
        shares = np.divide(got - got.T, both, out=np.zeros_like(both), where=both > 0)
        g = shares.sum(axis=1) / ((met > 0).sum(axis=1) + 1)
    else:
        laplacian = np.diag(both.sum(axis=1)) - both
        g = np.linalg.lstsq(laplacian, (got - got.T).sum(axis=1), rcond=None)[0]
    if suicides == "subtract":
        g = g - own / (events + own)
    return 100.0 * (g + 1.0) / 2.0


@pytest.mark.parametrize("suicides", SUICIDES)
def test_a_real_evening_equals_a_dense_calculation(suicides: str) -> None:
    club = an_evening()
    names, got, own = counted(club)
    sizes = []
    for method, m, k in (("average", 5, 3), ("exact", 5, 3), ("average", 30, 4), ("exact", 30, 4)):
        board = a_board(club, method=method, suicides=suicides, least_events=m, least_opponents=k)
        inside = dense_core(got, m, k)
        strengths = dense(got[inside][:, inside], own[inside], method, suicides)
        expected = dict(zip(np.array(names)[inside].tolist(), strengths.tolist(), strict=True))
        shown = Standing.objects.current(Board.objects.get(pk=board.pk))
        assert dict(shown.values_list("player__name", "shown")) == pytest.approx(expected, abs=1e-9)
        sizes.append(int(inside.sum()))
    # The filter of a new board leaves all of the club.
    assert sizes == [10, 10, 7, 7]


def section(client: Client, board: Board) -> str:
    page = client.get(f"/l/club/statistics/?board={board.slug}")
    assert page.status_code == 200
    text = " ".join(page.content.decode().split())
    found = re.search(r'<section id="encounters".*?</section>', text)
    assert found
    return found[0]


@pytest.mark.parametrize("suicides", SUICIDES)
def test_the_page_shows_the_matrix_and_the_rule_for_suicides(client: Client, suicides: str) -> None:
    club = an_evening()
    board = a_board(club, suicides=suicides, least_events=0, least_opponents=0)
    names, got, own = counted(club)
    text = section(client, board)
    assert SUICIDES[suicides] in text
    rows = re.findall(r'<tr>\s*<th scope="row">(.*?)</tr>', text)
    assert len(rows) == len(names)
    order = [re.search(r"<bdi>(.*?)</bdi>", row) for row in rows]
    places = [names.index(name[1].replace("&#x27;", "'")) for name in order if name]
    for row, one in zip(rows, places, strict=True):
        cells = re.findall(r'class="num">(?:<b>)?(.*?)(?:</b>)?</td>', row)
        told = [0 if cell in ("", "–") else int(cell) for cell in cells]
        assert told[:-3] == got[one, places].astype(int).tolist()
        assert told[-3:] == [got[one].sum(), got[:, one].sum(), own[one]]
    rules = client.get(f"/l/club/rules/?board={board.slug}").content.decode()
    assert SUICIDES[suicides] in rules
    assert "one after the other" not in rules


def test_the_page_says_whom_the_core_leaves_out_and_why(client: Client) -> None:
    club = an_evening()
    board = a_board(club, least_events=30, least_opponents=4)
    names, got, _own = counted(club)
    inside = dense_core(got, 30, 4)
    out = [name for name, is_in in zip(names, inside.tolist(), strict=True) if not is_in]
    assert out
    text = section(client, board)
    assert "A player counts who met at least 4 opponents often enough." in text
    assert "Often enough means at least 30 times each." in text
    table, _heading, listed = text.partition("Who is left out")
    for name in out:
        assert f"<bdi>{name}</bdi>" in listed
        assert f"<bdi>{name}</bdi>" not in table
    assert "met often enough, 4 needed" in listed


def test_results_are_encounters_where_there_are_no_events(client: Client) -> None:
    club = new_club(draws_allowed=True)
    record(
        club,
        result(club, "Ana", "Bo"),
        result(club, "Ana", "Bo", ranks=(1, 1)),
        result(club, "Cy", "Dee"),
    )
    board = a_board(club, least_events=2, least_opponents=1)
    text = section(client, board)
    assert "Who beat whom" in text
    assert "a draw is half a win" in text
    assert '<td class="num">1.5</td>' in text
    assert "0 opponents met often enough, 1 needed" in text
    assert "Suicides" not in text
    assert "A player counts who met at least 1 opponent often enough." in text
    assert "Often enough means at least 2 times each." in text


def test_a_count_of_little_weight_is_not_shown_as_none(client: Client) -> None:
    club = new_club()
    record(club, result(club, "Ana", "Bo", weight=0.04), result(club, "Ana", "Cy"))
    text = section(client, a_board(club, least_events=0, least_opponents=0))
    assert '<td class="num">under 0.1</td>' in text
    assert '<td class="num">0.0</td>' not in text


def test_counts_are_those_of_the_rules_that_stand_beside_them(client: Client) -> None:
    club = new_club()
    record(club, result(club, "Ana", "Bo"), result(club, "Ana", "Bo"), result(club, "Cy", "Dee"))
    board = a_board(club, least_events=2, least_opponents=1)
    assert "0 opponents met often enough" in section(client, board)
    parameters = board.parameters | {"least_events": 1}
    change_rules(board, parameters=parameters, effective_at=None, actor=None)
    # Its new ratings are not computed yet.
    text = section(client, board)
    assert "Often enough means at least 1 time." in text
    assert "No one is left out." in text


def test_events_of_too_many_are_not_read_for_a_page(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = new_club()
    season_of(club).boards.all().delete()
    change_rated_by(mode=mode_of(club), rated_by="events", actor=None)
    record(club, game(club, "Ana Bo", "Ana>Bo Bo>Ana Ana>Bo"))
    monkeypatch.setattr(statistics, "MOST_EVENTS", 2)
    board = a_board(club, least_events=0, least_opponents=0)
    address = f"/l/club/statistics/?board={board.slug}"
    with CaptureQueriesContext(connection) as queries:
        page = client.get(address).content.decode()
    assert "Who got whom is not shown here: this board has too many events." in page
    assert 'id="encounters"' not in page
    events = [row["sql"] for row in queries if MatchEvent._meta.db_table in row["sql"]]
    assert len(events) == 1
    assert "LIMIT 3" in events[0]
    monkeypatch.setattr(statistics, "MOST_EVENTS", 3)
    record(club, game(club, "Ana Bo", ""))
    drain()
    assert 'id="encounters"' in client.get(address).content.decode()


def test_boards_of_other_systems_have_no_matrix(client: Client) -> None:
    club = new_club()
    record(club, result(club, "Ana", "Bo"))
    for board in club.boards.all():
        page = client.get(f"/l/club/statistics/?board={board.slug}").content.decode()
        assert 'id="encounters"' not in page
