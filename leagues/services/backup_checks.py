"""What rows of a backup have to be beyond what their columns tell: each by itself, and together.

Whatever is stored is rated and shown without another look, so that a row which the services would
never have written is refused before it is kept.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from itertools import pairwise
from typing import Any, Final, cast

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q
from django.db.models.functions import Length

from leagues import bridge
from leagues.domain.linked_revisions import MERGE_SUMMARY, MOVE_SUMMARY
from leagues.models import (
    ApiToken,
    AuditEntry,
    Board,
    BoardRules,
    League,
    LogHead,
    Match,
    MatchEvent,
    MatchVersion,
    Participant,
    Player,
    Revision,
    Season,
    StartingState,
)
from leagues.models.checks import FIRST_INSTANT
from leagues.services.backup_rows import RowProblem, words_of
from leagues.services.backup_versions import check_event, check_version, is_whole
from leagues.services.merged_players import Merge, merging_revisions
from leagues.services.moved_matches import Move
from leagues.services.player_changes import PLAYERS_CHANGED
from leagues.services.player_undo import STARTS_KEPT, YEARS_KEPT
from leagues.services.rosters import KEY
from leagues.services.validation import EXTERNAL_ID, HINT_LIMIT

MAX_NUMBER: Final = 2**53
"""Places in a log or a season are counted one by one."""
BYTES_A_NUMBER: Final = 8
_COUNTERS: Final[Mapping[type[models.Model], tuple[str, ...]]] = {
    Season: ("last_seq", "last_revision"),
    Revision: ("number",),
    AuditEntry: ("number",),
    Match: ("seq", "touched_in_revision"),
    LogHead: ("scope", "entries"),
}
_SEALED: Final = {
    "sealed_walkovers": "walkovers",
    "sealed_ranked_after": "ranked_after",
    "sealed_active_days": "active_days",
}
"""Rules of a league that a sealed season keeps."""
_IMPORTED: Final = ("imported", "skipped", "already_there", "players_created")
_OF_PLAYERS: Final = (PLAYERS_CHANGED, STARTS_KEPT, YEARS_KEPT)


def check_row(row: models.Model) -> None:
    """Refuse a row that no service writes, whatever other rows there are."""
    for name in _COUNTERS.get(type(row), ()):
        value = getattr(row, name)
        if value is not None and not 0 <= value <= MAX_NUMBER:
            raise RowProblem(f"{name}: is not a count")
    if check := _ROWS.get(type(row)):
        check(row)


def shared_columns(field: models.ForeignKey[Any, Any]) -> tuple[str, ...]:
    """The columns that a row has in common with the row it points at: its league, its season."""
    names = {column.attname for column in field.model._meta.concrete_fields}
    others = {column.attname for column in field.related_model._meta.concrete_fields}
    return tuple(
        name
        for name in ("league_id", "season_id")
        if name in names & others and name != field.attname
    )


def check_together() -> None:
    """Refuse rows that contradict each other; to be called once all are stored."""
    for check in (
        _check_seasons,
        _check_merges,
        _check_moves,
        _check_reverts,
        _check_logs,
        _check_places,
        _check_versions,
        _check_sides,
        _check_events,
        _check_rules,
        _check_starts,
    ):
        check()


def _check_season(season: Season) -> None:
    for name, rule in _SEALED.items():
        value = getattr(season, name)
        if value not in (None, ""):
            field = cast("models.Field[Any, Any]", League._meta.get_field(rule))
            _run(name, field.clean, value, None)


def _check_revision(revision: Revision) -> None:
    summary = revision.summary
    for name in ("matches", *_IMPORTED, *_OF_PLAYERS):
        if name in summary and not is_whole(summary[name], 0, MAX_NUMBER):
            raise RowProblem(f"summary: {name}: is not a count")
    if not isinstance(summary.get("file", ""), str):
        raise RowProblem("summary: file: is not a string")
    errors = summary.get("errors", [])
    if not isinstance(errors, list) or not all(map(_is_bad_row, errors)):
        raise RowProblem("summary: errors: is not a list of rows")
    if MERGE_SUMMARY in summary and not _is_merge(summary[MERGE_SUMMARY]):
        raise RowProblem("summary: merge: is not a merge of players")
    if MOVE_SUMMARY in summary and not _is_move(summary[MOVE_SUMMARY]):
        raise RowProblem("summary: move: is not a move of a result")


def _is_merge(said: Any) -> bool:
    return (
        isinstance(said, dict)
        and set(said) == {field.name for field in fields(Merge)}
        and all(isinstance(said[name], str) for name in ("player", "into"))
        and all(isinstance(said[name], bool) for name in ("has_passed_account", "is_undone"))
        and isinstance(said["parts"], list)
        and bool(said["parts"])
        and all(map(_is_part, said["parts"]))
    )


def _is_move(said: Any) -> bool:
    return (
        isinstance(said, dict)
        and set(said) == {field.name for field in fields(Move)}
        and isinstance(said["is_undone"], bool)
        and isinstance(said["parts"], list)
        and len(said["parts"]) == len(("origin", "target"))
        and all(map(_is_part, (said["origin"], said["target"], *said["parts"])))
    )


def _is_part(part: Any) -> bool:
    return (
        isinstance(part, list)
        and len(part) == len(("season", "number"))
        and all(is_whole(number, 1, MAX_NUMBER) for number in part)
    )


def _is_bad_row(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and is_whole(row.get("line"), 0, MAX_NUMBER)
        and all(isinstance(row.get(name), str) for name in ("column", "value", "reason"))
    )


def _check_player(player: Player) -> None:
    if not KEY.match(player.key):
        raise RowProblem("key: is not a valid player key")


def _check_token(token: ApiToken) -> None:
    if not (token.public_id.isascii() and token.public_id.isalnum()):
        raise RowProblem("public_id: is not valid in an address")


def _check_match(match: Match) -> None:
    if match.external_id is not None and not EXTERNAL_ID.match(match.external_id):
        raise RowProblem("external_id: is not a valid id")
    if abs(match.same_time_order) > HINT_LIMIT:
        raise RowProblem("order_hint: is a number out of range")
    if match.version < 1:
        raise RowProblem("version: is not a count")


def _check_board(board: Board) -> None:
    if board.system not in {info.name for info in bridge.systems()}:
        raise RowProblem("system: is not a known rating system")
    _check_parameters("parameters", board.system, board.parameters)
    if board.start_parameters:
        _check_parameters("start_parameters", board.system, board.start_parameters)
    state = bytes(board.start_board_state)
    count, rest = divmod(len(state), BYTES_A_NUMBER)
    if state and (rest or count != bridge.starting_widths(board)[1]):
        raise RowProblem(f"start_board_state: is not a state of {board.system}")
    if not all(map(math.isfinite, struct.unpack(f"<{count}d", state))):
        raise RowProblem("start_board_state: contains something that is not a number")


def _check_parameters(name: str, system: str, stored: Mapping[str, Any]) -> None:
    checked = _run(name, bridge.checked_parameters, system, stored)
    for parameter, value in stored.items():
        if checked[parameter] != value:
            raise RowProblem(f"{name}: {parameter}: does not have the form in which it is stored")


def _run(name: str, check: Callable[..., Any], *values: Any) -> Any:
    """Let the application check what a column holds; a refusal names the column."""
    try:
        return check(*values)
    except ValidationError as error:
        words = words_of(error)
        raise RowProblem(words if words.startswith(f"{name}: ") else f"{name}: {words}") from None


_ROWS: Final = cast(
    Mapping[type[models.Model], Callable[[models.Model], None]],
    {
        Season: _check_season,
        Revision: _check_revision,
        Player: _check_player,
        ApiToken: _check_token,
        Match: _check_match,
        MatchVersion: check_version,
        MatchEvent: check_event,
        Board: _check_board,
    },
)


def _refuse(rows: Iterable[models.Model], field: str, words: str) -> None:
    """Refuse the first of some rows, if there is one."""
    for row in rows:
        raise RowProblem(f"{row._meta.label_lower} {row.pk}: {field}: {words}")


def _check_seasons() -> None:
    """Seasons follow one of their league, and none follows itself by a detour."""
    strangers = Season.objects.filter(follows__isnull=False)
    _refuse(
        strangers.exclude(follows__league_id=F("league_id"))[:1],
        "follows",
        "is a season of another league",
    )
    _refuse_circles(Season, "follows", "the seasons follow each other in a circle")


def _check_merges() -> None:
    """Players are merged into one of their league, as revisions say, and none into itself."""
    merged = Player.objects.filter(merged_into__isnull=False)
    _refuse(
        merged.exclude(merged_into__league_id=F("league_id"))[:1],
        "merged_into",
        "is a player of another league",
    )
    _refuse_circles(Player, "merged_into", "the players are merged into each other in a circle")
    for revision in merging_revisions().iterator():
        merge = Merge.of(revision)
        if merge is not None and not _are_there(revision, merge):
            _refuse([revision], "summary", "merge: names what is not there")


def _check_moves() -> None:
    """Results are moved between matches of one league, by revisions that are there."""
    # A move that stands in a revision of another kind is one that no service made.
    for revision in Revision.objects.filter(summary__has_key=MOVE_SUMMARY).iterator():
        move = Move.of(revision)
        league = revision.league_id
        if move is not None and not (
            all(
                Match.objects.filter(league=league, season=season, seq=seq).exists()
                for season, seq in (move.origin, move.target)
            )
            and all(
                Revision.objects.filter(league=league, season=season, number=number).exists()
                for season, number in move.parts
            )
        ):
            _refuse([revision], "summary", "move: names what is not there")


def _are_there(revision: Revision, merge: Merge) -> bool:
    """Whether the players and the revisions are there that a revision names of a merge."""
    league = revision.league_id
    keys = {merge.player, merge.into}
    return Player.objects.filter(league=league, key__in=keys).count() == len(keys) > 1 and all(
        Revision.objects.filter(league=league, season=season, number=number).exists()
        for season, number in merge.parts
    )


def _refuse_circles(model: type[models.Model], field: str, words: str) -> None:
    """Refuse rows that lead to one another in a circle."""
    rows = model._default_manager.filter(**{f"{field}__isnull": False})
    following = dict(rows.values_list("pk", f"{field}_id"))
    settled: set[int] = set()
    for first in following:
        path: set[int] = set()
        key: int | None = first
        while key is not None and key not in settled:
            if key in path:
                _refuse(rows.filter(pk=key), field, words)
            path.add(key)
            key = following.get(key)
        settled |= path


def _check_reverts() -> None:
    _refuse(
        Revision.objects.filter(reverts__isnull=False).exclude(
            reverts__season_id=F("season_id"), reverts__number__lt=F("number")
        )[:1],
        "reverts",
        "is not an earlier revision of the same season",
    )


def _check_logs() -> None:
    """The next entry of a log needs a number that none has."""
    leagues = League.objects.values("pk")
    _refuse(
        LogHead.objects.exclude(scope=0).exclude(scope__in=leagues)[:1],
        "scope",
        "there is no such league",
    )
    heads = LogHead.objects.in_bulk()
    if not heads:
        # A former format: its log is numbered after the restore.
        return
    newest = AuditEntry.objects.order_by().values_list("league_id").annotate(last=Max("number"))
    for league_id, last in newest:
        head = heads.get(league_id or 0)
        if last is not None and (head is None or head.entries < last):
            raise RowProblem(
                f"leagues.loghead {league_id or 0}: entries: an entry has number {last}"
            )


def _check_places() -> None:
    """The next result and the next revision of a season need numbers that none has."""
    results = Match.objects.order_by().values("season_id")
    revisions = Revision.objects.order_by().values("season_id")
    last = {
        "last_seq": dict(results.annotate(last=Max("seq")).values_list("season_id", "last")),
        "last_revision": dict(
            revisions.annotate(last=Max("number")).values_list("season_id", "last")
        ),
    }
    touched = dict(
        results.annotate(last=Max("touched_in_revision")).values_list("season_id", "last")
    )
    for season in Season.objects.order_by("pk"):
        for name, place in last.items():
            if (place.get(season.pk) or 0) > getattr(season, name):
                _refuse([season], name, f"number {place[season.pk]} is already in use")
        if (touched.get(season.pk) or 0) > season.last_revision:
            _refuse([season], "last_revision", f"a result refers to revision {touched[season.pk]}")


def _check_versions() -> None:
    """A match has as many former versions as its number of the present one says."""
    beyond = MatchVersion.objects.filter(Q(version__gte=F("match__version")) | Q(version__lt=1))
    _refuse(beyond.order_by("pk")[:1], "version", "is not a former version of its match")
    counted = Match.objects.filter(version__gt=1).annotate(former=Count("versions"))
    _refuse(
        counted.exclude(version=F("former") + 1).order_by("pk")[:1],
        "version",
        "former versions are missing",
    )


def _check_sides() -> None:
    """Every match has two sides or more, numbered one by one, each with one rank and one score."""
    alone = Match.objects.filter(participants__isnull=True)
    _refuse(alone.order_by("pk")[:1], "participants", "the match has no players")
    sides = Participant.objects.order_by().values("match_id")
    counted = sides.annotate(count=Count("side", distinct=True), last=Max("side"))
    lone = counted.exclude(count__gte=2, last=F("count") - 1)
    for (key,) in lone.values_list("match_id")[:1]:
        raise RowProblem(
            f"leagues.match {key}: participants: a match needs at least two sides, numbered "
            "from 0 without gaps"
        )
    ranked = (
        Participant.objects.order_by()
        .values("match_id", "side")
        .annotate(
            members=Count("pk"),
            scored=Count("score"),
            best=Min("rank"),
            worst=Max("rank"),
            least=Min("score"),
            most=Max("score"),
        )
    )
    differing = ranked.filter(
        ~Q(best=F("worst")) | ~Q(scored=0) & (~Q(scored=F("members")) | ~Q(least=F("most")))
    )
    for key, side in differing.values_list("match_id", "side")[:1]:
        raise RowProblem(
            f"leagues.match {key}: participants: the players of side {side} have different results"
        )


def _check_events() -> None:
    """The events of a match are numbered one by one and name players who are in it."""
    counted = MatchEvent.objects.order_by().values("match_id")
    counted = counted.annotate(count=Count("pk"), last=Max("position"))
    for (key,) in counted.exclude(last=F("count") - 1).values_list("match_id")[:1]:
        raise RowProblem(f"leagues.match {key}: events: must be numbered from 0 without gaps")
    for name in ("player", "opponent"):
        there = Participant.objects.filter(match=OuterRef("match"), player=OuterRef(name))
        strangers = MatchEvent.objects.exclude(**{name: None}).filter(~Exists(there))
        _refuse(strangers.order_by("pk")[:1], name, "is not in the match")


def _check_rules() -> None:
    """Rules that follow each other on a board have to be such as can."""
    versions: dict[int, list[BoardRules]] = {}
    for rules in BoardRules.objects.select_related("board").order_by("board", "number"):
        try:
            _check_parameters("parameters", rules.board.system, rules.parameters)
        except RowProblem as problem:
            raise RowProblem(f"leagues.boardrules {rules.pk}: {problem}") from None
        versions.setdefault(rules.board_id, []).append(rules)
    for board in Board.objects.exclude(rules_since=None).order_by("pk"):
        for before, after in pairwise(_course(board, versions.get(board.pk, ()))):
            if before != after and bridge.rules_obstacle(board.system, before, after):
                _refuse([board], "rules_since", "these rules cannot follow the rules before them")


def _course(board: Board, versions: Iterable[BoardRules]) -> Iterator[Mapping[str, Any]]:
    """The parameters of a board, oldest first, as `bridge.rules` puts them in order."""
    older = [
        rules
        for rules in versions
        if not rules.is_replaced
        and (rules.effective_at is None or rules.effective_at < cast(Any, board.rules_since))
    ]
    for rules in sorted(older, key=lambda rules: rules.effective_at or FIRST_INSTANT):
        yield rules.parameters
    yield board.parameters


def _check_starts() -> None:
    """What players bring has the columns of the board that they bring it to."""
    rows = StartingState.objects.order_by()
    for column, stored in (("state", rows), ("carried_state", rows.exclude(carried_state=b""))):
        sizes = stored.values_list("board_id", Length(column)).annotate(first=Min("pk"))
        boards = Board.objects.in_bulk([row[0] for row in sizes])
        for board_id, size, first in sizes:
            board = boards[board_id]
            width = bridge.starting_widths(board)[0]
            if not width or size != width * BYTES_A_NUMBER:
                raise RowProblem(
                    f"leagues.startingstate {first}: {column}: is not a state of {board.system}"
                )
