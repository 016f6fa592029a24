"""What players bring from the season before: nothing, all of it, or a part of it.

A rating that an organizer gave (`services.starts`) stands in its place, and stays. Anchors of a
zero-sum board are no part of what is carried over: the new board marks them itself, with the rating
that they keep and the words of the former one, so that the mark can be removed there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from leagues import bridge, wording
from leagues.bridge.carryover import Carryover, Reset, can_carry_over, compute_carryover
from leagues.domain.civil_days import day_of
from leagues.models import Board, League, Season, StartingState
from leagues.services.audit import record_audit
from leagues.services.errors import Problem, Refused
from leagues.services.leagues import DEFAULT_SEASON, add_board, create_season
from leagues.services.starts import Start, anchors_of, given_start, keep_given, mark_anchors
from ratings.files.names import NAME_LENGTH

SECOND_SEASON = "Season 2"
"""What follows the season that a new league begins with."""


@transaction.atomic
def carry_over(
    season: Season,
    *,
    carryover: str,
    share: float = 0.0,
    deviation: float | None = None,
    takes_anchors: bool = True,
    actor: User | None,
) -> Season:
    """Let the players of `season` begin with what they had in the one it follows.

    `share` is the part of the way to a newcomer's rating that means are drawn, `deviation` the
    part of a newcomer's deviation that every deviation is raised to. Until the first result it
    can be done otherwise, or undone. Anchors that came with it and were removed stay removed while
    anything is carried over. Without `takes_anchors` only what is given in the season itself makes
    anchors.
    """
    season = _hold(season)
    check_carryover(season, carryover, share, deviation)
    if carryover != Season.Carryover.SOFT:
        share, deviation = 0.0, None
    before = _carryover_entry(season)
    anchors = _former_anchors(season) if takes_anchors else {}
    given, anchors = _divide_given(season, anchors)
    _forget(season)
    if carryover != Season.Carryover.FRESH:
        for board, _former, result in carryovers(season, reset_of(carryover, share, deviation)):
            _write_result(board, result)
    season.carryover, season.carryover_share, season.carryover_deviation = (
        carryover,
        share,
        deviation,
    )
    for board in season.boards.order_by("pk"):
        keep_given(board, [row for row in given if row.board_id == board.pk])
        if carryover != Season.Carryover.FRESH:
            mark_anchors(board, anchors.get(board.pk, {}))
    season.save(update_fields=["carryover", "carryover_share", "carryover_deviation"])
    record_audit(
        league=season.league,
        actor=actor,
        action="season.carry",
        subject=season.name,
        season=season,
        before=before,
        after=_carryover_entry(season),
    )
    return season


def undo_carryover(season: Season, *, actor: User | None) -> Season:
    """Give everyone a fresh start after all; until the first result."""
    return carry_over(season, carryover=Season.Carryover.FRESH, actor=actor)


@transaction.atomic
def start_next_season(
    season: Season,
    *,
    name: str = "",
    days: tuple[datetime | None, datetime | None] | None = None,
    carryover: str = Season.Carryover.FRESH,
    share: float = 0.0,
    deviation: float | None = None,
    actor: User | None,
) -> Season:
    """Create the season after `season` as a draft, with its boards, and carry over into it.

    `days` are its first instant and the first one after its end; not given, it begins where
    `season` ends and lasts as long. Without a name, the number in the name goes up by one.
    """
    season = _hold(season)
    starts_at, ends_at = next_bounds(season) if days is None else days
    following = create_season(
        league=season.league,
        name=name.strip() or next_name(season),
        starts_at=starts_at,
        ends_at=ends_at,
        state=Season.State.DRAFT,
        actor=actor,
        follows=season,
    )
    for board in season.boards.select_related("mode").order_by("pk"):
        add_board(
            season=following,
            mode=board.mode,
            system=board.system,
            name=board.name,
            parameters=board.parameters,
        )
    if carryover != Season.Carryover.FRESH:
        return carry_over(
            following, carryover=carryover, share=share, deviation=deviation, actor=actor
        )
    return following


def is_last(season: Season) -> bool:
    """Whether no season of its league comes after it."""
    return not any(season.comes_before(one) for one in season.league.seasons.all())


def next_name(season: Season) -> str:
    """The name of a season with its last number raised by one; after the first one, a second.

    Of two years that follow each other, as in 2026/27, both are raised.
    """
    if season.name == DEFAULT_SEASON:
        return SECOND_SEASON
    matches = list(re.finditer(r"[0-9]{1,9}", season.name))
    if not matches:
        return f"{season.name[: NAME_LENGTH - 2]} 2"
    name, last = season.name, matches[-1]
    if not _are_years(name, matches):
        return (name[: last.start()] + _raised(last[0]) + name[last.end() :])[:NAME_LENGTH]
    for year in reversed(matches[-2:]):
        # After 99 comes 00.
        name = name[: year.start()] + _raised(year[0])[-len(year[0]) :] + name[year.end() :]
    return name[:NAME_LENGTH]


def _are_years(name: str, numbers: Sequence[re.Match[str]]) -> bool:
    """Whether the last two numbers of a name are years that follow each other."""
    if len(numbers) < 2:
        return False
    one, other = numbers[-2:]
    is_joined = name[one.end() : other.start()].strip() in ("/", "-", "\N{EN DASH}")
    return is_joined and _raised(one[0]).endswith(other[0])


def _raised(digits: str) -> str:
    """A number one greater, in as many digits at least."""
    return str(int(digits) + 1).zfill(len(digits))


def next_bounds(season: Season) -> tuple[datetime | None, datetime | None]:
    """The first and the last moment of the season after `season`, by default.

    Without an end it begins on the day after the last result, and not before the one up to which
    absence was applied; a season of whole months is followed by one of as many.
    """
    league = season.league
    first = league.midnight(_next_day(season, league))
    if season.starts_at is None or season.ends_at is None:
        return first, None
    began, ended = (day_of(at, league.zone) for at in (season.starts_at, season.ends_at))
    start = day_of(first, league.zone)
    if began.day == ended.day and start == ended:
        months = 12 * (ended.year - began.year) + ended.month - began.month
        return first, league.midnight(_months_after(start, months))
    return first, league.midnight(start + (ended - began))


def _next_day(season: Season, league: League) -> date:
    if season.ends_at is not None:
        return day_of(season.ends_at, league.zone)
    last = season.matches.order_by("-played_at").values_list("played_at", flat=True).first()
    if last is None:
        return day_of(season.created_at, league.zone)
    next_day = day_of(last, league.zone) + timedelta(days=1)
    decayed_until = _decayed_until(season)
    if decayed_until is None:
        return next_day
    return max(next_day, day_of(decayed_until, league.zone))


def _decayed_until(season: Season) -> datetime | None:
    """The moment up to which absence was applied on any board of a season."""
    until: datetime | None = season.boards.aggregate(at=Max("decayed_until"))["at"]
    return until


def _months_after(day: date, months: int) -> date:
    month = day.month - 1 + months
    year, month = day.year + month // 12, month % 12 + 1
    while True:
        try:
            return date(year, month, day.day)
        except ValueError:
            day -= timedelta(days=1)


def _hold(season: Season) -> Season:
    """Lock a season; the one before it cannot change any more when anything is taken from it."""
    return (
        Season.objects.select_for_update(of=("self",), no_key=True)
        .select_related("league", "follows")
        .get(pk=season.pk)
    )


def carryover_obstacle(season: Season) -> str:
    """Why nothing can be carried over into a season, whatever is chosen; empty if it can."""
    if season.follows_id is None:
        return _("There is no previous season to carry over from.")
    return _results_obstacle(season) or _opening_obstacle(season)


def undo_obstacle(season: Season) -> str:
    """Why a carry-over cannot be undone; empty if it can."""
    if season.carryover == Season.Carryover.FRESH:
        return _("Nothing was carried over.")
    return _results_obstacle(season)


def _results_obstacle(season: Season) -> str:
    if not (season.is_sealed or season.last_seq):
        return ""
    words = _("“%(season)s” already has results, so its starting ratings can’t be changed.")
    return words % {"season": season.name}


def _opening_obstacle(season: Season) -> str:
    """The board whose players begin with something else together, in words."""
    if season.carryover != Season.Carryover.FRESH:
        return ""
    begun = season.boards.exclude(start_board_state=b"").order_by("pk").first()
    if begun is None:
        return ""
    words = _("What the players of “%(board)s” begin with is chosen already. Undo that first.")
    return words % {"board": begun.name}


def check_carryover(season: Season, carryover: str, share: float, deviation: float | None) -> None:
    """Raise Refused where this cannot be carried over."""
    problems = list(_problems(season, carryover, share, deviation))
    if problems:
        raise Refused(problems)


def _problems(
    season: Season, carryover: str, share: float, deviation: float | None
) -> Iterator[Problem]:
    if carryover not in Season.Carryover.values:
        yield Problem("carry", "carry", _("Choose what is carried over: fresh, keep or soft."))
        return
    if obstacle := _results_obstacle(season):
        yield Problem("carry", "has_results", obstacle)
    if obstacle := _opening_obstacle(season):
        yield Problem("carry", "has_opening", obstacle)
    if carryover == Season.Carryover.FRESH:
        return
    if carryover == Season.Carryover.SOFT:
        if not 0.0 <= share <= 1.0:
            yield Problem("share", "share", _("Enter a value from 0 to 100 percent."))
        if deviation is not None and not 0.0 <= deviation <= 1.0:
            yield Problem("deviation", "share", _("Enter a value from 0 to 100 percent."))
    former = season.follows
    if former is None:
        yield Problem("carry", "follows_none", _("There is no previous season to carry over from."))
        return
    if not former.is_sealed:
        yield Problem(
            "carry",
            "former_open",
            _("“%(season)s” is not sealed yet: its ratings may still change.")
            % {"season": former.name},
        )
    last = former.matches.order_by("-played_at").values_list("played_at", flat=True).first()
    if season.starts_at is None or (last is not None and season.starts_at <= last):
        day = wording.day(last.astimezone(season.league.zone)) if last else ""
        yield Problem(
            "starts_at",
            "too_early",
            _("Its first day must be after the last result of “%(season)s”, %(day)s.")
            % {"season": former.name, "day": day},
        )
        return
    until = _decayed_until(former)
    if until is not None and season.starts_at < until:
        yield Problem(
            "starts_at",
            "too_early",
            _(
                "Its first day must not be before %(day)s: inactivity still counts in "
                "“%(season)s” until then."
            )
            % {"season": former.name, "day": wording.day(until.astimezone(former.league.zone))},
        )


def reset_of(carryover: str, share: float, deviation: float | None) -> Reset | None:
    """What a soft reset does to a state; None where ratings are kept."""
    return Reset(share, deviation or 0.0) if carryover == Season.Carryover.SOFT else None


def carryovers(season: Season, reset: Reset | None) -> Iterator[tuple[Board, Board, Carryover]]:
    """Yield the boards that go on from one of the season before, with what they take over."""
    former = season.follows
    if former is None or season.starts_at is None:
        return
    olds = list(former.boards.select_related("league", "season", "mode"))
    for board in season.boards.select_related("league", "season", "mode").order_by("pk"):
        old = _former_of(board, olds)
        if old is not None and can_carry_over(old, board):
            yield board, old, compute_carryover(old, board, reset, season.starts_at)


def _former_anchors(season: Season) -> dict[int, dict[int, Start]]:
    """The anchors of the season before, by the board that goes on from theirs and by player."""
    if season.follows is None:
        return {}
    olds = list(season.follows.boards.select_related("league", "season", "mode"))
    pairs = ((board, _former_of(board, olds)) for board in season.boards.order_by("pk"))
    return {
        board.pk: anchors_of(former)
        for board, former in pairs
        if former is not None and bridge.has_anchors(board)
    }


def _former_of(board: Board, olds: Sequence[Board]) -> Board | None:
    """The board that this one goes on from: of the same kind of play and system."""
    alike = [old for old in olds if (old.mode_id, old.system) == (board.mode_id, board.system)]
    named = [old for old in alike if old.slug == board.slug]
    return next(iter(named or alike), None)


def _divide_given(
    season: Season, anchors: Mapping[int, Mapping[int, Start]]
) -> tuple[list[StartingState], dict[int, dict[int, Start]]]:
    """The starts that were given in a season itself, and the former anchors to be marked there.

    On a board that has taken anchors over before, one that is as in the season before came with
    them, and one that is missing was removed.
    """
    stored = season.boards.values_list("pk", "start_parameters")
    is_fresh = season.carryover == Season.Carryover.FRESH
    has_taken = {pk for pk, begun in stored if begun.get("anchors") and not is_fresh}
    marked = {pk: dict(starts) for pk, starts in anchors.items() if pk not in has_taken}
    own = []
    rows = StartingState.objects.from_elsewhere().filter(board__season=season)
    for row in rows.select_related("player"):
        start = given_start(row)
        former = anchors.get(row.board_id, {}).get(row.player_id)
        if start is not None and start == former and row.board_id in has_taken:
            marked.setdefault(row.board_id, {})[row.player_id] = start
        else:
            own.append(row)
    return own, marked


def _write_result(board: Board, result: Carryover) -> None:
    """Store what a board takes over."""
    StartingState.objects.bulk_create(
        (
            StartingState(league_id=board.league_id, board=board, player_id=player_id, state=state)
            for player_id, state in result.pack()
        ),
        batch_size=500,
    )
    Board.objects.filter(pk=board.pk).update(
        start_board_state=result.packed_board(), start_parameters=board.parameters
    )


def _forget(season: Season) -> None:
    StartingState.objects.filter(board__season=season).delete()
    season.boards.update(start_board_state=b"", start_parameters={})


def _carryover_entry(season: Season) -> dict[str, object]:
    entry: dict[str, object] = {"carry": season.carryover}
    if season.carryover == Season.Carryover.SOFT:
        entry |= {"share": season.carryover_share, "deviation": season.carryover_deviation}
    return entry
