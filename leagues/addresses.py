"""Tell apart addresses of this machine and of others."""

from __future__ import annotations

import ipaddress


def is_loopback(address: str) -> bool:
    """Tell whether only this machine can reach the address."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False
