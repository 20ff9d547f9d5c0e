"""Whose chat a player does not want to read: kept by key, so that it holds at every table and for every name.

Owns the form in which the settings keep such keys. What a muted player does at the table is shown as always.
"""

from dataclasses import replace

from tongits_lan.ledger.views import TableView
from tongits_lan.net.lobby import LobbyView
from tongits_lan.store.settings import Settings

KEPT = 100  # keys; whoever was muted longest ago is shown again first


def muted(settings: Settings, view: LobbyView | TableView, seat: int) -> bool:
    """Whether what this seat (in the lobby: this place) says is left out."""
    key = _key(view, seat)
    return key is not None and key.hex() in settings.muted.split()


def turned(settings: Settings, key: bytes) -> Settings:
    """The settings after the chat of this key was muted, or shown again."""
    kept = settings.muted.split()
    others = [word for word in kept if word != key.hex()]
    if len(others) == len(kept):
        others = [*others, key.hex()][-KEPT:]
    return replace(settings, muted=" ".join(others))


def _key(view: LobbyView | TableView, seat: int) -> bytes | None:
    if isinstance(view, TableView):
        return view.keys[seat]
    if seat >= len(view.seats):
        return None
    person = view.seats[seat].known
    return None if person is None else person.pk
