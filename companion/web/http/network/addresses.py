"""Finds this computer's network addresses, and ranks them by how likely phones can reach them."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterator
from contextlib import suppress

# reserved documentation addresses: connecting a datagram socket only looks up the route, and sends nothing
_ELSEWHERE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
# tunnels, and networks of containers and virtual machines, which no phone is in
_VIRTUAL = re.compile(
    r"^(br-|cni|docker|ipsec|lxc|lxd|podman|ppp|tailscale|tap|tun|utun|vboxnet|veth|virbr|vmnet|wg|zt)"
    r"|hyper-v|tunnel|virtual|vpn|wireguard|wsl",
    re.IGNORECASE,
)
_CARRIER = ipaddress.ip_network("100.64.0.0/10")  # carrier-grade NAT, also used by Tailscale
_HOMES = [ipaddress.ip_network(text) for text in ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12")]

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def network_address() -> str | None:
    """Return the address that phones can most likely reach; None without a network."""
    return next(iter(network_addresses()), None)


def network_addresses() -> list[str]:
    """List this computer's addresses, the most likely to be reachable by phones first.

    A VPN often takes over the default route, so its addresses come last, even if they are the routed ones.
    """
    routed = list(_routed())
    interface_of: dict[_Address, str] = {}
    for name, text in [*_interfaces(), *(("", text) for text in routed)]:
        with suppress(ValueError):
            address = ipaddress.ip_address(text)
            # the routed IPv6 address may be a temporary one; use the interface's permanent address instead
            is_passing = text in routed and address.version == 6 and any(ip.version == 6 for ip in interface_of)
            # a link-local IPv6 address only works together with an interface name, which browsers don't accept
            is_near = address.version == 6 and address.is_link_local
            if not (address.is_loopback or address.is_unspecified or is_near or is_passing):
                interface_of.setdefault(address, name)
    ranked = sorted(interface_of, key=lambda ip: _doubt(ip, interface_of[ip], str(ip) in routed))
    return [str(address) for address in ranked]


def in_url(host: str) -> str:
    """Return an address or name as it is written in a URL: IPv6 addresses in brackets."""
    return f"[{host}]" if ":" in host else host


def network_of(address: str) -> str:
    """Return the network a single client is assumed to control: its IPv4 address, or the /64 of its IPv6 address.

    A computer can change the other half of that at will.
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return address
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, 64), strict=False))


def _doubt(address: _Address, interface: str, is_routed: bool) -> tuple[bool, bool, bool, bool, int]:
    """Return a sort key for an address; the lowest is the most likely to be in the phones' network."""
    is_virtual = bool(_VIRTUAL.search(interface)) or address in _CARRIER
    home = next((place for place, network in enumerate(_HOMES) if address in network), len(_HOMES))
    return is_virtual, address.version == 6, address.is_link_local, not is_routed, home


def _routed() -> Iterator[str]:
    """Yield the addresses this computer would use to reach the internet, over IPv4 and IPv6."""
    for family, elsewhere in _ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            yield probe.getsockname()[0]


def _interfaces() -> Iterator[tuple[str, str]]:
    """Yield (interface, address) pairs, as far as they can be found without special rights."""
    with suppress(ImportError, OSError):  # Python was built without ctypes
        import ifaddr  # only when it is needed: it looks for the C library

        for adapter in ifaddr.get_adapters():
            for adapter_ip in adapter.ips:
                yield adapter.nice_name, adapter_ip.ip[0] if isinstance(adapter_ip.ip, tuple) else adapter_ip.ip
