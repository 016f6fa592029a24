"""Civil days of many instants at once are those of the zone, one by one."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import numpy as np
import pytest

from leagues.store.match_columns import DAY, EPOCH, civil_days, micros, moment

ZONES = ("America/St_Johns", "Africa/Monrovia", "Asia/Gaza", "America/Goose_Bay", "Pacific/Apia")


@pytest.mark.parametrize("name", ZONES)
def test_days_are_right_also_where_clocks_change_between_quarters_of_an_hour(name):
    zone = ZoneInfo(name)
    changes = clock_changes(zone)
    assert len(changes)
    at = np.unique(
        [change + offset for change in changes for offset in range(-(10**9), 10**9, 10**8)]
    )
    alone = [
        (moment(instant).astimezone(zone).date() - EPOCH.date()).days for instant in at.tolist()
    ]
    assert civil_days(at, zone).tolist() == alone
    assert civil_days(at[:0], zone).tolist() == []


def clock_changes(zone: ZoneInfo) -> list[int]:
    """Return the instants, to the second, around which the zone's offset changed since 1960."""

    def offset(at: int):
        return moment(at).astimezone(zone).utcoffset()

    first = micros(EPOCH) - 10 * 365 * DAY
    found = []
    for day in range(60 * 365):
        low, high = first + day * DAY, first + (day + 1) * DAY
        if offset(low) == offset(high):
            continue
        while high - low > 1_000_000:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(middle) == offset(low) else (low, middle)
        found.append(high)
    return found
