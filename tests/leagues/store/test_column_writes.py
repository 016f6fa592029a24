"""Rows that are given as columns are stored as those that are given one by one."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.db import connection

from leagues.models import Board, Match, Player, RatingSegment, Revision, Standing
from leagues.store import segments
from leagues.store.column_writes import NULL_INSTANT, insert_columns
from leagues.store.standing_rows import StandingColumns, StandingRow, read_standings
from tests.leagues.play import new_club

pytestmark = pytest.mark.django_db

AT = (-1_000_000_000_000_001, 0, 1_759_345_200_000_000, 1_759_345_200_000_001)
"""Instants before and after 1970, with and without a fraction of a second."""
FORMS = (b"W", b"LDWLDWLDWL", b"DD", b"L")


@pytest.fixture
def board() -> Board:
    return new_club().boards.first()


def stored_on(board: Board) -> list[StandingRow]:
    return [row for _player, row in sorted(read_standings(board).items())]


def standings_of(board: Board, *, many: int = 1) -> StandingColumns:
    count = len(AT) * many

    def repeated(*values):
        return np.array(values * many)

    return StandingColumns(
        league_id=board.league_id,
        board_id=board.pk,
        generation=board.generation,
        player_id=np.arange(1, count + 1),
        state=segments.packed_states(np.arange(2.0 * count).reshape(count, 2) - 0.5),
        shown=repeated(1500.0, 0.1, -1e-300, 999_999_999.0),
        place_value=repeated(-(1 << 40), 0, 1, 1 << 40),
        low=repeated(math.nan, 0.1, math.nan, 3.0),
        high=repeated(math.nan, 0.1, 7.0, 1e9),
        games=repeated(1, 2, 3, 1 << 30),
        won=repeated(1, 0, 3, 1 << 30),
        drawn=repeated(0, 0, 0, 0),
        lost=repeated(0, 2, 0, 0),
        form=repeated(*FORMS),
        streak=repeated(1, -2, 3, -(1 << 30)),
        last_played_at=repeated(*AT),
        fairly_sure_until=repeated(NULL_INSTANT, *AT[:3]),
        sure_until=repeated(NULL_INSTANT, NULL_INSTANT, NULL_INSTANT, 1_000),
    )


@pytest.mark.parametrize("many", [1, 1500], ids=["few", "more than go at once"])
def test_standings_come_back_as_their_rows(board, many):
    standings = standings_of(board, many=many)
    insert_columns(Standing, standings.part(0, len(standings)), len(standings))
    assert stored_on(board) == standings.rows()
    assert [row.form.encode() for row in standings.rows()[:4]] == list(FORMS)


def test_a_part_of_them_is_written_alone(board):
    standings = standings_of(board)
    insert_columns(Standing, standings.part(1, 3), 2)
    assert stored_on(board) == standings.rows()[1:3]


def test_a_number_that_does_not_fit_is_refused_and_never_cut(board):
    if connection.vendor == "sqlite":
        pytest.skip("Whole numbers of SQLite have 64 bits in every column.")
    columns = standings_of(board).part(0, 4) | {"games": np.array([1, 2, 3, 1 << 40])}
    with pytest.raises(OverflowError, match="games"):
        insert_columns(Standing, columns, 4)


def test_texts_and_numbers_that_may_be_null_come_back():
    league = new_club()
    names = ["Ana", "Ægir Þór", "", "x" * 64]
    columns = {
        "league_id": league.pk,
        "key": ["a", "b", "c", "d" * 128],
        "name": names,
        "folded": "all the same",
        "words": "",
        "birth_year": [None, 1990, None, 2001],
        "user_id": None,
        "revision_id": [None, None, None, None],
        "is_listed": np.array([True, False, True, False]),
        "left_at": np.array([NULL_INSTANT, *AT[1:]]),
        "identity": "",
        "created_at": AT[3],
    }
    insert_columns(Player, columns, len(names))
    rows = Player.objects.order_by("key").values_list(
        "name", "folded", "birth_year", "user", "is_listed", "left_at", "identity", "created_at"
    )
    left = [None, *(datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at) for at in AT[1:])]
    assert list(rows) == [
        (name, "all the same", year, None, is_listed, at, "", left[3])
        for name, year, is_listed, at in zip(
            names, columns["birth_year"], (True, False, True, False), left, strict=True
        )
    ]


@pytest.mark.parametrize("values", [[None, "é"], ["é", "é"], [None, None]])
def test_a_column_of_few_texts_comes_back(values):
    new_club()
    board = Board.objects.first()
    match = {"league_id": board.league_id, "season_id": board.season_id, "mode_id": board.mode_id}
    revision = Revision.objects.create(
        league_id=board.league_id, season_id=board.season_id, kind="import", source="s"
    )
    columns = {
        **match,
        "seq": None,
        "played_at": 0,
        "date_only": True,
        "same_time_order": -1,
        "kind": "played",
        "status": "staged",
        "weight": 0.5,
        "detail": ["", "sets, é"],
        "sets": "",
        "rungs_lost": 0,
        "source": ["a", "b"],
        "external_id": values,
        "payload_hash": "",
        "content_hash": np.arange(64, dtype=np.uint8).reshape(2, 32),
        "version": 1,
        "revision_id": revision.pk,
        "touched_in_revision": None,
        "entered_by_id": None,
        "recorded_at": 0,
    }
    insert_columns(Match, columns, 2)
    stored = Match.objects.order_by("source")
    assert [row.external_id for row in stored] == values
    assert [(row.weight, row.date_only, row.seq, row.detail) for row in stored] == [
        (0.5, True, None, ""),
        (0.5, True, None, "sets, é"),
    ]
    assert b"".join(bytes(row.content_hash) for row in stored) == bytes(range(64))


def test_segments_of_all_lengths_come_back_as_their_rows(board):
    counts = {7: 1, 8: 700, 9: 256, 10: 3}
    history = segments.PlayerPoints.join(
        {
            player_id: [
                segments.Points(
                    np.arange(count),
                    np.arange(count) - 5,
                    np.full((count, 3), 0.5),
                    np.full(count, 1),
                )
            ]
            for player_id, count in counts.items()
        },
        columns=3,
    )
    packed = segments.pack(history)
    insert_columns(RatingSegment, packed.columns(board, 1), len(packed))
    stored = [
        segments.SegmentRow(*row[:-2], bytes(row[-2]), bytes(row[-1]))
        for row in RatingSegment.objects.order_by("player_id", "number").values_list(
            *segments.SegmentRow._fields
        )
    ]
    assert stored == list(packed.rows(board, 1))
    assert [row.count for row in stored] == [1, 256, 256, 188, 256, 3]
