"""A table of the network in words: one line, for screen and command line alike.

Owns the wording of a row; chooses nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tongits_lan import __version__
from tongits_lan.console.boxes import cut_text, width
from tongits_lan.console.speech import tr
from tongits_lan.limits import SEATS

if TYPE_CHECKING:
    from tongits_lan.net.announcements import Found


def say_found(table: Found) -> str:
    """Whose table, seats taken, rules, version, how far away, where."""
    ping = tr("does not answer") if table.ping_ms is None else f"{table.ping_ms:.0f} ms"
    rules = tr("rules {name}", name=table.preset)
    return f"{short(table)}  {rules}  {say_version(table)}  {ping}  {table.addresses[0]}"


def short(table: Found, room: int | None = None) -> str:
    """Whose table and how many sit there; a name that does not fit into so many cells is cut."""
    name = table.host
    said = tr("{name}'s table ({taken}/{seats})", name=name, taken=table.seats, seats=SEATS)
    if room is None or width(said) <= room:
        return said
    cut = cut_text(name, max(1, room - (width(said) - width(name)) - 1))
    return tr("{name}'s table ({taken}/{seats})", name=f"{cut}~", taken=table.seats, seats=SEATS)


def named(table: Found, room: int) -> str:
    """Its host in so many cells, and how many sit there, or its version where that does not fit this one."""
    name = table.host if width(table.host) <= room else f"{cut_text(table.host, room - 1).rstrip()}~"
    about = f"{table.seats}/{SEATS}" if table.fits else f"v{table.version}"
    return f"{name} ({about})"


def say_versions(table: Found) -> str:
    """The same in few words."""
    if table.version == __version__:
        return table.version
    return tr("{version}, yours {own}", version=table.version, own=__version__)


def say_version(table: Found) -> str:
    """The version there, and how it goes with this one."""
    text = tr("version {version}", version=table.version)
    if table.version != __version__:
        text = tr("version {version}, you have {own}", version=table.version, own=__version__)
    return text if table.fits else tr("{version}, which cannot play with yours", version=text)
