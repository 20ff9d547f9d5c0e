"""The network interfaces of this machine, and which of its addresses others can use.

Owns the order in which addresses are offered, announced and dialled. Must not know tables or how they are
announced. Reads what the system says about itself; sends nothing.
"""

import ipaddress
import re
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tongits_lan.errors import Exit, UserError
from tongits_lan.game.sentences import phrase

Address = ipaddress.IPv4Interface | ipaddress.IPv6Interface

_V6_PER_INTERFACE = 2  # a machine may hold a dozen temporary ones
_SCOPES_MAX = 3  # interfaces on which a link-local address without one is tried
_VPN = re.compile(
    r"tun\d|tap[\d-]|utun|wg|ppp\d|ipsec|tailscale|zt|nordlynx|proton|nebula|vpn|openvpn|wireguard|zerotier"
    r"|cisco|anyconnect|fortinet|globalprotect|wintun",
    re.IGNORECASE,
)
_VIRTUAL = re.compile(
    r"docker|br-|virbr|veth|vmnet|vmware|vboxnet|virtualbox|vethernet|hyper-v|lxc|lxd|podman|cni|flannel"
    r"|awdl|llw|bridge1|anpi|ap\d|gif|stf",
    re.IGNORECASE,
)
_DOWN = frozenset({"down", "lowerlayerdown", "notpresent"})
_SYS_NET = Path("/sys/class/net")


class Kind(StrEnum):
    """What an interface is for, as its name tells; the order is that of usefulness."""

    LAN = "lan"
    VPN = "vpn"
    VIRTUAL = "virtual"
    LOOPBACK = "loopback"


@dataclass(frozen=True, slots=True)
class Interface:
    """One interface that is up. `addresses` carry their networks, IPv6 link-local ones no scope."""

    name: str
    index: int
    kind: Kind
    addresses: tuple[Address, ...]

    def hosts(self) -> tuple[str, ...]:
        """The addresses as text, a link-local IPv6 one with this interface as its scope."""
        return tuple(_text(address, self.scope) for address in self.addresses)

    @property
    def scope(self) -> str:
        """How the system wants to read this interface in a link-local address."""
        return str(self.index) if sys.platform == "win32" else self.name


def interfaces(only: str | None = None) -> tuple[Interface, ...]:
    """Every interface that is up and has an address, the most useful first; loopback is the last.

    `only`: the name or an address of the one to use. Raises UserError(USAGE) when there is no such one."""
    import ifaddr  # loads a C library: not before it is needed

    found = []
    for adapter in ifaddr.get_adapters():
        name = str(adapter.nice_name if sys.platform == "win32" else adapter.name)
        addresses = [
            ipaddress.ip_interface(
                f"{ip.ip if isinstance(ip.ip, str) else ip.ip[0].partition('%')[0]}/{ip.network_prefix}"
            )
            for ip in adapter.ips
        ]
        if addresses and not _is_down(name):
            found.append(make_interface(name, adapter.index or 0, addresses))
    found.sort(key=lambda interface: (list(Kind).index(interface.kind), interface.index))
    return tuple(found) if only is None else (_chosen(found, only),)


def make_interface(name: str, index: int, addresses: Iterable[Address]) -> Interface:
    """An interface with its kind told from name and addresses, its addresses in order of usefulness."""
    ordered = sorted(addresses, key=lambda address: _rank(address.ip))
    if all(address.ip.is_loopback for address in ordered):
        kind = Kind.LOOPBACK
    elif _VPN.match(name):
        kind = Kind.VPN
    else:
        kind = Kind.VIRTUAL if _VIRTUAL.match(name) else Kind.LAN
    return Interface(name, index, kind, tuple(ordered))


def usable(known: Iterable[Interface]) -> tuple[Interface, ...]:
    """Those that can lead to another machine; loopback alone if there is nothing else."""
    known = tuple(known)
    return tuple(one for one in known if one.kind is not Kind.LOOPBACK) or known


def own_hosts(known: Iterable[Interface], *, v4: bool = True, v6: bool = True) -> tuple[str, ...]:
    """The addresses others can reach this machine at, the most useful first: by family, then by interface.

    Those that only mean something on one cable (link-local) come last. Loopback ones are left out unless
    there are no others."""
    ranked: list[tuple[int, int, str]] = []
    for place, interface in enumerate(usable(known)):
        sixes = 0
        for address, host in zip(interface.addresses, interface.hosts(), strict=True):
            if isinstance(address, ipaddress.IPv6Interface):
                sixes += 1
                if not v6 or sixes > _V6_PER_INTERFACE:
                    continue
            elif not v4:
                continue
            ranked.append((_rank(address.ip) + 10 * list(Kind).index(interface.kind), place, host))
    return tuple(host for _, _, host in sorted(ranked))


def told_hosts(known: Iterable[Interface], *, v4: bool = True, v6: bool = True) -> tuple[str, ...]:
    """Those of `own_hosts` that mean something to people and programs elsewhere.

    A link-local IPv6 address is among them only where its interface has no other one, and without the scope,
    which is this machine's word."""
    known = usable(known)
    narrow: set[str] = set()
    for interface in known:
        told = [own for own in interface.addresses if (v4 if own.version == 4 else v6)]
        if not all(_needs_scope(own.ip) for own in told):
            narrow.update(host for host in interface.hosts() if "%" in host)
    kept = (host for host in own_hosts(known, v4=v4, v6=v6) if host not in narrow)
    return tuple(dict.fromkeys(host.partition("%")[0] for host in kept))


def ways_to(host: str, known: Iterable[Interface]) -> tuple[str, ...]:
    """What to dial for an address that somebody typed or told: itself.

    A link-local IPv6 one whose scope is missing or another machine's word is tried on each interface."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return (host,)
    if not _needs_scope(address):
        return (host,)
    known = tuple(known)
    assert isinstance(address, ipaddress.IPv6Address)
    if address.scope_id in {word for one in known for word in (one.name, str(one.index))}:
        return (host,)
    return _scoped(ipaddress.ip_address(host.partition("%")[0]), usable(known)) or (host,)


def in_order(hosts: Collection[str], known: Iterable[Interface]) -> tuple[str, ...]:
    """Another machine's addresses, those first that lie in a network of this one.

    Left out are texts that are no addresses and addresses out in the internet: a stranger's word must not
    send this program there. A link-local IPv6 address without a scope is given that of each interface."""
    known = usable(known)
    ranked: dict[str, int] = {}
    for host in hosts:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            continue
        if address.is_unspecified or address.is_multicast:
            continue
        if not address.is_private and not _near(address, known):
            continue
        far = 0 if _near(address, known) else 10
        for text in _scoped(address, known):
            ranked.setdefault(text, far + _rank(address))
    return tuple(sorted(ranked, key=lambda text: ranked[text]))


def _near(address: ipaddress.IPv4Address | ipaddress.IPv6Address, known: Iterable[Interface]) -> bool:
    if address.is_link_local or address.is_loopback:
        return True
    return any(address in own.network for one in known for own in one.addresses)


def _scoped(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address, known: Iterable[Interface]
) -> tuple[str, ...]:
    if isinstance(address, ipaddress.IPv4Address) or not address.is_link_local or address.scope_id:
        return (str(address),)
    scopes = [one.scope for one in known if any(own.version == 6 for own in one.addresses)]
    return tuple(f"{address}%{scope}" for scope in scopes[:_SCOPES_MAX])


def _needs_scope(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address means nothing without the interface it belongs to."""
    return address.version == 6 and address.is_link_local


def _rank(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> int:
    """IPv4 first, since people can type it; an address that only one cable knows last."""
    if address.is_loopback:
        return 4
    return (2 if address.is_link_local else 0) + (address.version == 6)


def _text(address: Address, scope: str) -> str:
    return f"{address.ip}%{scope}" if _needs_scope(address.ip) else str(address.ip)


def _is_down(name: str) -> bool:
    """Whether the system says that nothing is plugged in (known on Linux only)."""
    try:
        return (_SYS_NET / name / "operstate").read_text("ascii").strip() in _DOWN
    except (OSError, ValueError):
        return False


def _chosen(found: Collection[Interface], only: str) -> Interface:
    for interface in found:
        if only == interface.name or only in {str(address.ip) for address in interface.addresses}:
            return interface
    names = ", ".join(interface.name for interface in found) or phrase("none")
    raise UserError(
        phrase(
            "There is no network interface {name} in use here: choose one of these with --interface:"
            " {names}.",
            name=ascii(only),
            names=names,
        ),
        Exit.USAGE,
    )
