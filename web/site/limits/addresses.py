"""Whose address it is: what one person has of the network, for everything that is limited."""

from __future__ import annotations

import ipaddress


def network_of(address: str) -> str:
    """An address as it is counted. One household has a whole /64 of IPv6, and takes as many
    addresses of it as it likes.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1:2:3:4"), network_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, 64), strict=False))
