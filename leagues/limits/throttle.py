"""Limits on how often somebody may try something (reliability S-12).

A limit lets so many uses pass at once and then one after the other, evenly: 20 in 15 minutes are
20, and another one each 45 seconds. `leagues.limits.counting` says where uses are counted.
"""

from __future__ import annotations

import ipaddress
import math
import time
from dataclasses import dataclass, replace

from leagues.limits import counting

WIDER = 16
"""Whoever has an IPv6 network has very many addresses: all of a /48 may do so much together."""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `uses` of one thing by one caller at once, and as many again in so many seconds."""

    name: str
    uses: int
    seconds: int

    @property
    def step(self) -> float:
        """The seconds after which one use is allowed again."""
        return self.seconds / self.uses

    def use(self, caller: str) -> int:
        """Count one use and return the seconds to wait before it is allowed; 0 lets it pass."""
        wait = counting.place().take(
            self.name, caller, step=self.step, reach=self.seconds + 1e-3, now=time.time()
        )
        return math.ceil(wait - 1e-3) if wait else 0

    def give_back(self, caller: str) -> None:
        """Uncount one use."""
        counting.place().give_back(self.name, caller, step=self.step, now=time.time())


Share = tuple[Limit, str]
"""A limit, and the caller for whom it counts."""


def use_all(*shares: Share) -> int:
    """Count one use of each; where one of them has to wait none is counted."""
    for number, (limit, caller) in enumerate(shares):
        wait = limit.use(caller)
        if wait:
            give_back_all(*shares[:number])
            return wait
    return 0


def give_back_all(*shares: Share) -> None:
    """Uncount one use of each."""
    for limit, caller in shares:
        limit.give_back(caller)


def by_address(limit: Limit, address: str) -> tuple[Share, ...]:
    """The shares of an address: itself, or the IPv6 networks that one person may have."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ((limit, address),)
    if isinstance(parsed, ipaddress.IPv4Address):
        return ((limit, str(parsed)),)
    if parsed.ipv4_mapped:
        return ((limit, str(parsed.ipv4_mapped)),)
    home, site = (ipaddress.ip_network((parsed, length), strict=False) for length in (64, 48))
    wider = replace(limit, name=f"{limit.name}-site", uses=limit.uses * WIDER)
    return (limit, str(home)), (wider, str(site))
