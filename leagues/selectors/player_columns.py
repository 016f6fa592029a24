"""What a league knows of its players, as columns of files that the import reads back."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.db.models import QuerySet

from leagues.models import League, PlayerGroup, Season, StartingState
from leagues.selectors.json_files import json_lines
from leagues.selectors.player_groups import groups_by_player
from leagues.selectors.spellings import OtherName, other_names_by_player
from leagues.selectors.spreadsheets import Value, csv_lines
from leagues.selectors.workbooks import workbook
from leagues.services.batches import batches
from leagues.services.starts import given_start
from ratings.files.person_cells import write_aliases
from ratings.files.start_cells import COLUMN as STARTS

PRIVATE: Final = ("private_aliases", "birth_year")
"""The columns that only organizers get."""
LEFT_AT: Final = "left_at"
MAX_ALIASES: Final = 20
"""Other names in one cell, which has to stay short enough to be read; the next row has more."""


class PlayerColumns:
    """The columns about players in one file: those that any player of the league fills.

    `team` is what the column of teams is called: beside results it is not the side of a match.
    Starting ratings are those on the boards of one season, or of several, each then named. Other
    names, a part of them a row, and starting ratings stand in the first rows of each player only.
    """

    def __init__(
        self, league: League, *, is_private: bool, team: str, seasons: Season | QuerySet[Season]
    ) -> None:
        names = other_names_by_player(league)
        self._public, self._others = (_parts(names, is_public=one) for one in (True, False))
        self._is_private = is_private
        self._groups = groups_by_player(league)
        kinds = PlayerGroup.Kind
        self._kinds = {one.value: team if one == kinds.TEAM else one.value for one in kinds}
        left = league.players.filter(left_at__isnull=False).values_list("pk", "left_at")
        self._left = dict(left)
        self._zone = league.zone
        self._starts = _starts(seasons)
        self._rest_of_starts = dict(self._starts)
        self.head: tuple[str, ...] = (
            "aliases",
            *(PRIVATE if is_private else ()),
            *(self._kinds.values() if self._groups else ()),
            *((LEFT_AT,) if self._left else ()),
            *((STARTS,) if self._starts else ()),
        )

    def values(self, player: int, birth_year: int | None) -> dict[str, Any]:
        """The cells of a player's next row; starting ratings as a list."""
        row: dict[str, Any] = {"aliases": _next(self._public, player)}
        if self._is_private:
            row["private_aliases"] = _next(self._others, player)
            row["birth_year"] = birth_year
        if self._groups:
            own = self._groups.get(player, {})
            row |= {name: own.get(kind, "") for kind, name in self._kinds.items()}
        if self._left:
            left_at = self._left.get(player)
            row[LEFT_AT] = left_at and left_at.astimezone(self._zone).isoformat()
        if self._starts:
            row[STARTS] = self._rest_of_starts.pop(player, None)
        return row

    def has_more_names(self, player: int) -> bool:
        """Whether a further row of a player has other names."""
        return bool(self._public.get(player) or (self._is_private and self._others.get(player)))


class PlayersFile:
    """The players of a league as a file: CSV, JSON or a workbook.

    Who has more other names than go into a cell has several rows. `seasons` are those that the
    reader may see.
    """

    def __init__(self, league: League, *, is_private: bool, seasons: QuerySet[Season]) -> None:
        self.league = league
        self._columns = PlayerColumns(
            league, is_private=is_private, team=PlayerGroup.Kind.TEAM, seasons=seasons
        )

    @property
    def head(self) -> tuple[str, ...]:
        return ("player", "player_key", *self._columns.head)

    def csv(self) -> Iterator[str]:
        """The lines of a table."""
        return csv_lines(self.head, map(cells, self._rows()))

    def workbook(self) -> Iterator[bytes]:
        """The bytes of an XLSX file."""
        return workbook(self.head, map(cells, self._rows()))

    def json(self) -> Iterator[str]:
        """The lines of one object."""
        return json_lines({"league": self.league.slug}, self._rows(), name="players")

    def _rows(self) -> Iterator[dict[str, Any]]:
        players = self.league.players.listed().order_by("folded", "key")
        for pk, name, key, year in players.values_list("pk", "name", "key", "birth_year"):
            row = {"player": name, "player_key": key}
            yield row | self._columns.values(pk, year)
            while self._columns.has_more_names(pk):
                yield row | self._columns.values(pk, year)


def cells(row: Mapping[str, Any]) -> list[Value]:
    """The values of a row as a table has them: lists in JSON."""
    return [
        json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
        for value in row.values()
    ]


def _starts(seasons: Season | QuerySet[Season]) -> dict[int, list[dict[str, Any]]]:
    """The starting ratings that were given, by the id of the player."""
    is_one = isinstance(seasons, Season)
    those = [seasons] if isinstance(seasons, Season) else seasons
    rows = StartingState.objects.from_elsewhere().filter(board__season__in=those)
    starts: dict[int, list[dict[str, Any]]] = defaultdict(list)
    ordered = rows.order_by("player_id", "board__season_id", "board__slug")
    for row in ordered.select_related("board__season"):
        start = given_start(row)
        if start is not None:
            place = {} if is_one else {"season": row.board.season.slug}
            values = {"board": row.board.slug, "rating": start.rating}
            uncertain = {} if start.deviation is None else {"deviation": start.deviation}
            starts[row.player_id].append({**place, **values, **uncertain, "source": start.source})
    return dict(starts)


def _next(parts: Mapping[int, list[list[str]]], player: int) -> str:
    """The other names of a player that go into the next row."""
    rest = parts.get(player)
    return write_aliases(rest.pop(0)) if rest else ""


def _parts(names: Mapping[int, list[OtherName]], *, is_public: bool) -> dict[int, list[list[str]]]:
    """The other names of each player, as many as go into each of the player's rows."""
    wanted = {
        player: sorted(one.name for one in some if one.is_public == is_public)
        for player, some in names.items()
    }
    return {player: list(batches(some, MAX_ALIASES)) for player, some in wanted.items() if some}
