"""A whole league as a file, which `import_league` reads back; for its organizers.

The same league gives the same bytes: no part has a clock of its own.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from django.db.models import Count

from leagues.models import Board, League, Mode, Season
from leagues.selectors.openings import stored_opening
from leagues.selectors.player_columns import PlayersFile
from leagues.selectors.result_files import ResultFile
from leagues.services.integrity import board_digest
from leagues.services.league_files import FORMAT, LEAGUE, PLAYERS, START_RULES, results_path
from leagues.services.leagues import EDITABLE
from leagues.services.rules import in_force, rules_of
from leagues.services.sealing import RULES
from leagues.store.match_columns import is_behind

_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip can say; no part has another one."""


def league_zip(league: League) -> Iterator[bytes]:
    """The bytes of the file, in pieces; to be read inside a snapshot."""
    sink = _Sink()
    with zipfile.ZipFile(sink, "w") as archive:  # type: ignore[call-overload]
        for path, pieces in _parts(league):
            info = zipfile.ZipInfo(path, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w") as part:
                for piece in pieces:
                    part.write(piece.encode())
                    yield from sink.taken()
    yield from sink.taken()


class _Sink:
    """What a zip is written to piece by piece, without a way back."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def flush(self) -> None:
        """Nothing is held back."""

    def taken(self) -> list[bytes]:
        """What was written since."""
        pieces, self._pieces = self._pieces, []
        return pieces


def _parts(league: League) -> Iterator[tuple[str, Iterable[str]]]:
    """The files in the zip, with their lines."""
    seasons = _seasons(league)
    modes = list(league.modes.all())
    results = {season: _results(season) for season in seasons}
    whole = {
        "rungs_league": FORMAT,
        "league": {field: getattr(league, field) for field in EDITABLE},
        "modes": [_mode(mode) for mode in modes],
        "seasons": [_season(season, results[season]) for season in seasons],
    }
    yield LEAGUE, [json.dumps(whole, ensure_ascii=False, indent=1), "\n"]
    yield PLAYERS, PlayersFile(league, is_private=True, seasons=league.seasons.all()).json()
    for season in seasons:
        for mode in modes:
            if mode.slug in results[season]:
                file = ResultFile(season, mode, is_private=True)
                yield results_path(season.slug, mode.slug), file.json()


def _seasons(league: League) -> list[Season]:
    """The seasons as they were made, each after the one that it follows."""
    waiting = list(league.seasons.select_related("league", "follows").order_by("pk"))
    ordered: list[Season] = []
    known: set[int | None] = {None}
    while waiting:
        season = next((one for one in waiting if one.follows_id in known), waiting[0])
        waiting.remove(season)
        ordered.append(season)
        known.add(season.pk)
    return ordered


def _results(season: Season) -> dict[str, int]:
    """How many results of each mode count."""
    live = season.matches.live().order_by("mode__position", "mode")
    return dict(live.values_list("mode__slug").annotate(count=Count("pk")))


def _mode(mode: Mode) -> dict[str, Any]:
    return {
        "slug": mode.slug,
        "name": mode.name,
        "rated_by": mode.rated_by,
        "played_by": mode.played_by,
        "score_rule": mode.score_rule,
        "kinds": [one._asdict() for one in mode.weights],
        **{
            rule: getattr(mode, rule)
            for rule, usual in START_RULES.items()
            if getattr(mode, rule) != usual
        },
    }


def _season(season: Season, results: dict[str, int]) -> dict[str, Any]:
    sealed = {rule: getattr(season, f"sealed_{rule}") for rule in RULES}
    return {
        "slug": season.slug,
        "name": season.name,
        "state": season.state,
        "starts_at": _iso(season.starts_at),
        "ends_at": _iso(season.ends_at),
        "stopped_at": _iso(season.stopped_at),
        "follows": season.follows and season.follows.slug,
        "carryover": {
            "kind": season.carryover,
            "share": season.carryover_share,
            "deviation": season.carryover_deviation,
        },
        "sealed_rules": sealed if season.sealed_walkovers else None,
        "boards": [_board(board) for board in season.boards.select_related("league", "season")],
        "results": results,
    }


def _board(board: Board) -> dict[str, Any]:
    versions = in_force(rules_of(board))
    return {
        "slug": board.slug,
        "name": board.name,
        "mode": board.mode.slug,
        "system": board.system,
        "begins_with": board.start_parameters,
        **stored_opening(board),
        "rules": [
            {
                "since": _iso(version.effective_at),
                "parameters": version.parameters,
                "reason": version.reason,
            }
            for version in versions
        ],
        "decayed_until": _iso(board.decayed_until),
        "digest": board_digest(board) if board.generation and not is_behind(board) else "",
        "math": board.math_fingerprint,
    }


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
