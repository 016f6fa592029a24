"""Rating periods by the calendar: all matches of some days together; bodies."""

from __future__ import annotations

from ratings.engine import INDEX, Columns, body
from ratings.systems.glicko2.period import end_period, grown
from ratings.systems.glicko2.points import moved_points
from ratings.systems.glicko2.scale import NEVER_PLAYED
from ratings.systems.glicko2.teams import evidence, side_means


@body
def rolled(
    row: Columns, period: float, tau: float, bounds: Columns, with_points: bool, moving: Columns
) -> Columns:
    """Return a calendar state as it stands at the start of a later period.

    The row is in the order of the columns, with zeros where a board has none of the last four.
    The period the player last played in ends with its sums; every one since lets the deviation
    grow.
    """
    mu, phi, sigma, last, own_period, information, gain, played, points, tightest, won, lead = row
    aim_tightest, points_settings = moving
    if own_period < period:
        idle = period - own_period
        if played > 0.0:
            mu, phi, sigma = end_period(mu, phi, sigma, information, gain, 1.0, tau, bounds)
            idle -= 1.0
            if with_points:
                tightest = min(tightest, phi)
                points = moved_points(
                    points,
                    won / played,
                    mu,
                    phi,
                    tightest if aim_tightest else phi,
                    lead / played,
                    points_settings,
                )
        if idle > 0.0:
            phi = grown(phi, sigma, idle, bounds[1], bounds[2])
        own_period = period
        information = 0.0
        gain = 0.0
        played = 0.0
        won = 0.0
        lead = 0.0
    return mu, phi, sigma, last, own_period, information, gain, played, points, tightest, won, lead


@body
def calendar_body(
    log: Columns, state: Columns, after: Columns, scratch: Columns, settings: Columns
) -> None:
    """Rate a log in calendar periods: see `ratings.engine.run`.

    A match changes only its participants' sums; a player is rolled forward into the present
    period when next met, so everybody is compared as of the period's start.
    """
    at, day, weight, side_start, _rank, _points, _handicap, member_start, player, share, _ = log
    teams, pairs_full, size_advantage, tau, _own, bounds, period_days, with_points, moving = (
        settings
    )
    mean, deviation, volatility, last_at, in_period, information, gain, played = state[:8]
    mean_after, deviation_after, volatility_after, last_after = after[:4]
    period_after, information_after, gain_after, played_after = after[4:8]
    # Only boards that show Rank Points have these columns; without them they stay unread.
    points = state[-4]
    tightest = state[-3]
    won = state[-2]
    lead = state[-1]
    points_after = after[-4]
    tightest_after = after[-3]
    won_after = after[-2]
    lead_after = after[-1]
    side_mean, side_deviation, side_size = scratch
    for match in range(len(at)):
        first = side_start[match] & INDEX
        last = side_start[match + 1] & INDEX
        begin = member_start[first] & INDEX
        end = member_start[last] & INDEX
        period = float(day[match] // int(period_days))
        for member in range(begin, end):
            who = player[member] & INDEX
            if in_period[who] == NEVER_PLAYED:
                in_period[who] = period
            if in_period[who] >= period:
                continue
            row = rolled(
                (
                    mean[who],
                    deviation[who],
                    volatility[who],
                    last_at[who],
                    in_period[who],
                    information[who],
                    gain[who],
                    played[who],
                    points[who] if with_points else 0.0,
                    tightest[who] if with_points else 0.0,
                    won[who] if with_points else 0.0,
                    lead[who] if with_points else 0.0,
                ),
                period,
                tau,
                bounds,
                with_points,
                moving,
            )
            mean[who] = row[0]
            deviation[who] = row[1]
            volatility[who] = row[2]
            in_period[who] = row[4]
            information[who] = row[5]
            gain[who] = row[6]
            played[who] = row[7]
            if with_points:
                points[who] = row[8]
                tightest[who] = row[9]
                won[who] = row[10]
                lead[who] = row[11]
        side_means(
            first,
            last,
            member_start,
            player,
            share,
            mean,
            deviation,
            side_mean,
            side_deviation,
            side_size,
        )
        for side in range(first, last):
            for member in range(member_start[side] & INDEX, member_start[side + 1] & INDEX):
                who = player[member] & INDEX
                new_information, new_gain, score, opponents = evidence(
                    member,
                    side,
                    first,
                    last,
                    log,
                    mean,
                    deviation,
                    scratch,
                    teams,
                    pairs_full,
                    size_advantage,
                )
                factor = weight[match] * share[member]
                mean_after[member] = mean[who]
                deviation_after[member] = deviation[who]
                volatility_after[member] = volatility[who]
                last_after[member] = float(at[match])
                period_after[member] = in_period[who]
                information_after[member] = information[who] + factor * new_information
                gain_after[member] = gain[who] + factor * new_gain
                played_after[member] = played[who] + factor
                if with_points:
                    points_after[member] = points[who]
                    tightest_after[member] = tightest[who]
                    won_after[member] = won[who] + factor * score
                    lead_after[member] = lead[who] + factor * (opponents - mean[who])
        for member in range(begin, end):
            who = player[member] & INDEX
            last_at[who] = last_after[member]
            information[who] = information_after[member]
            gain[who] = gain_after[member]
            played[who] = played_after[member]
            if with_points:
                won[who] = won_after[member]
                lead[who] = lead_after[member]
