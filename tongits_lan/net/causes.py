"""Why computers on one network do not find or reach each other, in words: the one place for these sentences.

Owns the likely causes in their order and what to do about each, per system. Must not know sockets; which
system it is, and what is known of it, comes in.
"""

import errno
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from tongits_lan.game.sentences import Phrase, in_a_row, phrase
from tongits_lan.limits import PORT
from tongits_lan.net.interfaces import Interface, Kind

PATIENCE_SECONDS = 8.0  # of finding nothing before the causes are shown
MDNS_PORT = 5353


@dataclass(frozen=True, slots=True)
class Cause:
    """`name` is one word; `what` happened and what to `do` are a sentence each."""

    name: str
    what: Phrase
    do: Phrase

    def __str__(self) -> str:
        return f"{self.what} {self.do}"


def causes(
    known: Iterable[Interface] = (),
    *,
    system: str = sys.platform,
    port: int = PORT,
    python: str = sys.executable,
) -> tuple[Cause, ...]:
    """The likely causes, the likeliest first; `known` are the interfaces of this machine."""
    vpns = ", ".join(one.name for one in known if one.kind is Kind.VPN)
    return (
        Cause(
            "isolation",
            phrase("The Wi-Fi keeps its computers apart, as guest networks and phone hotspots often do."),
            phrase("Use another network, the hotspot of one of the three laptops, or a cable."),
        ),
        Cause(
            "vpn",
            phrase("A VPN takes the traffic away ({names} is on here).", names=vpns)
            if vpns
            else phrase("A VPN takes the traffic away."),
            phrase("Turn it off on all three computers while you play."),
        ),
        Cause(
            "firewall",
            phrase("A firewall keeps the others out."),
            in_a_row(firewall_steps(system, port=port, python=python)),
        ),
    )


def nothing_found(known: Iterable[Interface] = (), *, system: str = sys.platform) -> tuple[str, ...]:
    """What a screen shows after PATIENCE_SECONDS without a table, a line each."""
    numbered = (
        phrase("{n}. {what} {do}", n=number, what=cause.what, do=cause.do)
        for number, cause in enumerate(causes(known, system=system), 1)
    )
    return (
        phrase("No table is announced on this network. If the host has opened one, the likely causes are:"),
        *numbered,
        phrase(
            "Joining by address works without any of this: type what the host's screen shows, like "
            "{example}.",
            example=f"192.168.1.20:{PORT}",
        ),
    )


def firewall_steps(
    system: str, *, port: int = PORT, python: str = sys.executable, name: str | None = None
) -> tuple[Phrase, ...]:
    """How to let a table through the firewall `name` (None: whichever it is) of `system` (sys.platform)."""
    match system:
        case "win32":
            return (
                phrase(
                    "Set this network to Private (Settings > Network & internet) and allow Python through "
                    "Windows Defender Firewall: {python}.",
                    python=python,
                ),
                phrase(
                    "If you ever pressed Cancel when Windows asked, it never asks again: delete the rules "
                    "for python.exe that block, in Windows Defender Firewall with Advanced Security > "
                    "Inbound Rules, and start again."
                ),
            )
        case "darwin":
            return (
                _LOCAL_NETWORK,
                phrase(
                    "If the firewall is on (System Settings > Network > Firewall > Options), allow incoming "
                    "connections for {python}.",
                    python=python,
                ),
            )
        case _:
            tcp, udp = f"`sudo ufw allow {port}/tcp`", f"`sudo ufw allow {MDNS_PORT}/udp`"
            ufw = phrase("{tcp} and {udp}", tcp=tcp, udp=udp)
            firewalld = f"`sudo firewall-cmd --add-port={port}/tcp --add-service=mdns`"
            named = {"ufw": ufw, "firewalld": firewalld}.get(name or "")
            how = named or phrase("ufw: {ufw}; firewalld: {firewalld}", ufw=ufw, firewalld=firewalld)
            allowed = phrase(
                "Allow TCP port {port} and UDP port {mdns}: {how}.", port=port, mdns=MDNS_PORT, how=how
            )
            return (allowed,)


_LOCAL_NETWORK = phrase(
    "Switch on your terminal app (Terminal, iTerm, ...) in System Settings > Privacy & Security > Local "
    "Network, and start it again."
)
_UNREACHABLE = frozenset({errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EPERM})


def permission_missing(error: BaseException | None, *, system: str = sys.platform) -> str | None:
    """What to do when macOS keeps a terminal app from the local network: it says "no route to host" and asks
    nobody. None where `error` (with its causes and parts) is not about that."""
    if system != "darwin" or error is None:
        return None
    if isinstance(error, BaseExceptionGroup):
        found = (permission_missing(inner, system=system) for inner in error.exceptions)
        return next((text for text in found if text is not None), None)
    if isinstance(error, OSError) and error.errno in _UNREACHABLE:
        return phrase(
            "if the address is right, macOS keeps this terminal from the local network. {how}",
            how=_LOCAL_NETWORK,
        )
    return permission_missing(error.__cause__, system=system)
