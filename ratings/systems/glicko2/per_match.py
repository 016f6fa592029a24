"""Every match a rating period of its own; the body."""

from __future__ import annotations

from ratings.engine import INDEX, Columns, body, fetch_ahead
from ratings.log import DAY
from ratings.shares import result_of
from ratings.systems.glicko2.period import compared, end_period, grown
from ratings.systems.glicko2.points import moved_points
from ratings.systems.glicko2.scale import NEVER_PLAYED, SCALE
from ratings.systems.glicko2.teams import evidence, side_means


@body
def per_match_body(
    log: Columns, state: Columns, after: Columns, scratch: Columns, settings: Columns
) -> None:
    """Rate a log, every match a period: see `ratings.engine.run`."""
    at, _day, weight, side_start, rank, _points, handicap, member_start, player, share, _ = log
    teams, pairs_full, size_advantage, tau, own_periods, bounds, idle_days, with_points, moving = (
        settings
    )
    aim_tightest, points_settings = moving
    mean = state[0]
    deviation = state[1]
    volatility = state[2]
    last_at = state[3]
    mean_after = after[0]
    deviation_after = after[1]
    volatility_after = after[2]
    last_after = after[3]
    # Only boards that show Rank Points have these columns; without them they stay unread.
    points = state[-2]
    tightest = state[-1]
    points_after = after[-2]
    tightest_after = after[-1]
    side_mean, side_deviation, side_size = scratch
    for match in range(len(at)):
        first = side_start[match] & INDEX
        last = side_start[match + 1] & INDEX
        begin = member_start[first] & INDEX
        end = member_start[last] & INDEX
        fetch_ahead(state, player, begin, end)
        played_at = float(at[match])
        for member in range(begin, end):
            who = player[member] & INDEX
            if last_at[who] > NEVER_PLAYED:
                days = (at[match] - int(last_at[who])) // DAY
                if days > 0:
                    deviation[who] = grown(
                        deviation[who], volatility[who], days / idle_days, bounds[1], bounds[2]
                    )
        if last - first == 2 and end - begin == 2:
            # A duel is what most logs are made of: no side to average, one comparison for each.
            who = player[begin] & INDEX
            whom = player[begin + 1] & INDEX
            one = mean[who]
            other = mean[whom]
            phi = deviation[who]
            their_phi = deviation[whom]
            score = result_of(rank[first], rank[first + 1])
            larger = share[begin + 1] - share[begin]
            shift = ((handicap[first + 1] - handicap[first]) + size_advantage * larger) / SCALE
            opponents = other + shift
            their_opponents = one - shift
            information, gain = compared(one, opponents, their_phi, score)
            factor = weight[match] * share[begin]
            mu, phi, sigma = end_period(
                one,
                phi,
                volatility[who],
                factor * information,
                factor * gain,
                own_periods,
                tau,
                bounds,
            )
            information, gain = compared(other, their_opponents, deviation[who], 1.0 - score)
            factor = weight[match] * share[begin + 1]
            their_mu, their_phi, their_sigma = end_period(
                other,
                their_phi,
                volatility[whom],
                factor * information,
                factor * gain,
                own_periods,
                tau,
                bounds,
            )
            if with_points:
                smallest = min(tightest[who], phi)
                tightest_after[begin] = tightest[who] = smallest
                points_after[begin] = points[who] = moved_points(
                    points[who],
                    score,
                    mu,
                    phi,
                    smallest if aim_tightest else phi,
                    opponents - one,
                    points_settings,
                )
                smallest = min(tightest[whom], their_phi)
                tightest_after[begin + 1] = tightest[whom] = smallest
                points_after[begin + 1] = points[whom] = moved_points(
                    points[whom],
                    1.0 - score,
                    their_mu,
                    their_phi,
                    smallest if aim_tightest else their_phi,
                    their_opponents - other,
                    points_settings,
                )
            mean_after[begin] = mean[who] = mu
            deviation_after[begin] = deviation[who] = phi
            volatility_after[begin] = volatility[who] = sigma
            last_after[begin] = last_at[who] = played_at
            mean_after[begin + 1] = mean[whom] = their_mu
            deviation_after[begin + 1] = deviation[whom] = their_phi
            volatility_after[begin + 1] = volatility[whom] = their_sigma
            last_after[begin + 1] = last_at[whom] = played_at
            continue
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
                information, gain, score, opponents = evidence(
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
                mu, phi, sigma = end_period(
                    mean[who],
                    deviation[who],
                    volatility[who],
                    factor * information,
                    factor * gain,
                    own_periods,
                    tau,
                    bounds,
                )
                mean_after[member] = mu
                deviation_after[member] = phi
                volatility_after[member] = sigma
                last_after[member] = played_at
                if with_points:
                    smallest = min(tightest[who], phi)
                    tightest_after[member] = smallest
                    points_after[member] = moved_points(
                        points[who],
                        score,
                        mu,
                        phi,
                        smallest if aim_tightest else phi,
                        opponents - mean[who],
                        points_settings,
                    )
        for member in range(begin, end):
            who = player[member] & INDEX
            mean[who] = mean_after[member]
            deviation[who] = deviation_after[member]
            volatility[who] = volatility_after[member]
            last_at[who] = last_after[member]
            if with_points:
                points[who] = points_after[member]
                tightest[who] = tightest_after[member]
