"""A player's records and the numbers beside the chart: peaks, wins, runs and steps."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leagues import bridge, wording
from leagues.bridge import Series
from leagues.models import Board, Standing
from leagues.pages.matches import explained_match
from leagues.pages.player_profile import Profile, score_of
from leagues.pages.ratings import change_between, rating
from leagues.pages.sides import compare_address
from leagues.pages.tallies import TallyStyle
from leagues.selectors.encounters import (
    LOST,
    WON,
    PlayerMatch,
    longest_run,
    opponents_among,
)


@dataclass(frozen=True, slots=True)
class Tile:
    """A number, what it is, and where it comes from."""

    label: str
    value: str
    note: str
    url: str = ""


def _best_index(
    series: Series, board: Board, *, is_worst: bool = False, is_settled: bool = False
) -> int | None:
    """The index of the best or worst rating, while unsure left out if so; first of equals."""
    rows = [
        index for index, level in enumerate(series.levels) if not is_settled or level != "unsure"
    ]
    if not rows:
        return None
    lower = bridge.system_of(board).lower_is_better != is_worst
    values = series.shown_values.value[rows]
    return rows[int(values.argmin() if lower else values.argmax())]


def summary_tiles(profile: Profile) -> tuple[Tile, ...]:
    own = profile.standing()
    if own is None or profile.series is None:
        return ()
    tiles = [
        _season_tile(profile, own),
        Tile(_("Streak"), wording.streak(own.streak), _longest_streak(profile)),
    ]
    peak = _peak(profile)
    if peak is not None:
        tiles.append(peak)
    best = _best_win(profile)
    if best is not None:
        tiles.append(best)
    above = _share_below(profile)
    if above is not None:
        tiles.append(above)
    judged = [one for one in profile.rated if one.expected is not None]
    if judged:
        tiles.append(_score_tile(judged))
    return tuple(tiles)


def _score_tile(judged: Sequence[PlayerMatch]) -> Tile:
    """The score over matches, a draw counting half, against the one that was expected."""
    score = sum(one.points for one in judged)
    expected = sum(one.expected or 0.0 for one in judged)
    words = {
        "score": wording.number(score, 0 if score == int(score) else 1),
        "count": wording.count(len(judged)),
    }
    return Tile(
        _("Score"),
        _("%(score)s of %(count)s") % words,
        _("%(expected)s expected") % {"expected": wording.number(expected, 1)},
    )


def _season_tile(profile: Profile, own: Standing) -> Tile:
    style = TallyStyle.of_table(profile.standings.table)
    legend = style.legend
    places = [one.rank for one in profile.rated if one.sides > 2]
    if style.counts_firsts and places:
        mean = wording.number(math.fsum(places) / len(places), 1)
        legend = _("came first, mean place %(mean)s") % {"mean": mean}
    return Tile(_("Season"), style.text(own.won, own.drawn, own.lost), legend)


def _longest_streak(profile: Profile) -> str:
    run = longest_run(profile.rated, WON)
    if run is None:
        return _("up to the last match")
    return _("longest %(run)s") % {"run": wording.streak(run.length)}


def _peak(profile: Profile) -> Tile | None:
    return _extreme(profile, _("Peak"))


def _extreme(profile: Profile, label: str, *, is_worst: bool = False) -> Tile | None:
    """The best or the worst rating, with a note where a guess had been further out."""
    if profile.series is None:
        return None
    index = _best_index(profile.series, profile.board, is_worst=is_worst, is_settled=True)
    if index is None:
        return None
    value = profile.series.at(index)
    day = profile.day(profile.series.moment(index))
    of_all = _best_index(profile.series, profile.board, is_worst=is_worst)
    further = None if of_all is None else profile.series.at(of_all)
    note = day
    if further is not None and further.value != value.value:
        note = _("%(day)s, when fairly certain; %(value)s while uncertain") % {
            "day": day,
            "value": wording.number(further.value, further.decimals),
        }
    return Tile(
        label,
        wording.number(value.value, value.decimals),
        note,
        profile.dot_address(profile.series, index),
    )


def _best_win(profile: Profile) -> Tile | None:
    won = [one for one in profile.rated if one.outcome == WON and one.expected is not None]
    if not won:
        return None
    best = min(won, key=lambda one: (one.expected or 0.0, -one.seq))
    return _notable_match(profile, _("Best win"), best)


def _notable_match(profile: Profile, label: str, one: PlayerMatch) -> Tile:
    sides: dict[int, list[str]] = {}
    for met in one.opponents[:2]:
        sides.setdefault(met.side, []).append(wording.isolated(met.name))
    names = ", ".join(" + ".join(side) for side in sides.values())
    more = "" if len(one.opponents) <= 2 else " …"
    return Tile(
        label,
        _("%(score)s v %(names)s") % {"score": score_of(one), "names": f"{names}{more}"},
        _("%(day)s, expected %(chance)s")
        % {"day": profile.day(one.at), "chance": wording.percent(one.expected or 0.0)},
        explained_match(one.seq, profile.board, profile.player.key),
    )


def _share_below(profile: Profile) -> Tile | None:
    row = profile.row
    if row is None or not profile.standings.rank[row]:
        return None
    ranked = profile.standings.table.place[profile.standings.is_ranked]
    others = len(ranked) - 1
    if not others:
        return None
    below = wording.count(int((ranked < profile.standings.table.place[row]).sum()))
    words = ngettext("of %(count)s other", "of %(count)s others", others)
    return Tile(_("Ranked above"), below, words % {"count": wording.count(others)})


def record_tiles(profile: Profile) -> tuple[Tile, ...]:
    if profile.series is None or not profile.rated:
        return ()
    tiles = [tile for tile in (_peak(profile), _lowest(profile), _best_win(profile)) if tile]
    lost = [one for one in profile.rated if one.outcome == LOST and one.expected is not None]
    if lost:
        worst = max(lost, key=lambda one: (one.expected or 0.0, one.seq))
        tiles.append(_notable_match(profile, _("Most unexpected loss"), worst))
    for label, outcome, sign in (
        (_("Longest winning streak"), WON, 1),
        (_("Longest losing streak"), LOST, -1),
    ):
        run = longest_run(profile.rated, outcome)
        if run:
            tiles.append(
                Tile(
                    label,
                    wording.streak(sign * run.length),
                    wording.span(profile.day(run.first), profile.day(run.last)),
                )
            )
    tiles.extend(_largest_steps(profile))
    most = opponents_among(profile.rated)[0]
    tiles.append(
        Tile(
            _("Met most often"),
            most.name,
            ngettext("%(count)d time, %(tally)s", "%(count)d times, %(tally)s", most.count)
            % {
                "count": most.count,
                "tally": TallyStyle(bool(most.drawn)).text(most.won, most.drawn, most.lost),
            },
            compare_address(profile.board, [[profile.player.key], [most.key]]),
        )
    )
    first = profile.rated[-1]
    tiles.append(
        Tile(
            _("First result"),
            profile.day(first.at),
            _("from %(rating)s") % {"rating": rating(profile.series.start).value},
            explained_match(first.seq, profile.board, profile.player.key),
        )
    )
    return tuple(tiles)


def _lowest(profile: Profile) -> Tile | None:
    return _extreme(profile, _("Lowest"), is_worst=True)


def _largest_steps(profile: Profile) -> list[Tile]:
    """The largest gain and loss of one match."""
    series = profile.series
    if series is None:
        return []
    steps = series.steps()
    if bridge.system_of(profile.board).lower_is_better or not len(steps):
        return []
    tiles = []
    for label, index in (
        (_("Largest gain"), int(steps.argmax())),
        (_("Largest loss"), int(steps.argmin())),
    ):
        before, after = series.before(index), series.at(index)
        change = change_between(before, after)
        if change.startswith("+") == (label == _("Largest gain")) and change != "0":
            tiles.append(
                Tile(
                    label,
                    change,
                    profile.day(series.moment(index)),
                    profile.dot_address(series, index),
                )
            )
    return tiles
