"""A table of the network in words: one line, for screen and command line alike.

Owns the wording of a row; chooses nothing.
"""

from tongits_lan import __version__
from tongits_lan.limits import SEATS
from tongits_lan.net.announcements import Found


def say_found(table: Found) -> str:
    """Whose table, seats taken, rules, version, how far away, where."""
    ping = "does not answer" if table.ping_ms is None else f"{table.ping_ms:.0f} ms"
    return f"{short(table)}  rules {table.preset}  {say_version(table)}  {ping}  {table.addresses[0]}"


def short(table: Found) -> str:
    """Whose table and how many sit there."""
    return f"{table.host}'s table ({table.seats}/{SEATS})"


def say_version(table: Found) -> str:
    """The version there, and how it goes with this one."""
    other = "" if table.version == __version__ else f", you have {__version__}"
    fits = "" if table.fits else ", which cannot play with yours"
    return f"version {table.version}{other}{fits}"
