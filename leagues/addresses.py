"""Addresses of this machine, told apart from those of others."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

ELSEWHERE = ("192.0.2.1", 9)
"""An address that nobody has (RFC 5737); a datagram socket to it sends nothing by itself."""


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach the address."""
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address.strip("[]")).is_loopback
    except ValueError:
        return False


def is_local(site: str) -> bool:
    """Whether the address of an installation opens on its own computer only."""
    return is_loopback(urlsplit(site).hostname or "")


def address_in_network() -> str | None:
    """The address by which others in its network reach this machine; None outside of any."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if is_loopback(address) else address
