"""The links of a lobby, one for each key: who comes and goes, and what all of them hear.

Owns which link of a key counts. Must not know seats, codes or tables.
"""

from collections.abc import Collection, Iterator

from tongits_lan.game.sentences import mark
from tongits_lan.ledger.messages import Bye, Message
from tongits_lan.net.link import Link

_NEWER = mark("a newer link took its place")


class Visitors:
    """By the 32-byte key that a link has proved."""

    def __init__(self) -> None:
        self._links: dict[bytes, Link] = {}

    @property
    def keys(self) -> Collection[bytes]:
        """Who is here."""
        return self._links.keys()

    def __iter__(self) -> Iterator[tuple[bytes, Link]]:
        """Key and link of everybody, as they are now."""
        return iter(tuple(self._links.items()))

    def link_of(self, pk: bytes) -> Link | None:
        """The link of that key."""
        return self._links.get(pk)

    def came(self, pk: bytes, link: Link) -> None:
        """A link of that key; an older one ends."""
        older = self._links.get(pk)
        self._links[pk] = link
        if older is not None:
            older.end(_NEWER, Bye("closing", _NEWER))

    def went(self, pk: bytes, link: Link) -> bool:
        """A link ended; whether its key is gone with it."""
        if self._links.get(pk) is not link:
            return False
        del self._links[pk]
        return True

    def tell(self, message: Message, *, but: bytes = b"", among: Collection[bytes] | None = None) -> None:
        """Sends a message to everybody, or to those `among` these keys, but for one key."""
        for pk, link in self:
            if pk != but and (among is None or pk in among):
                link.post(message)

    def close(self, reason: str, words: Bye) -> None:
        """Ends every link."""
        for _, link in self:
            link.end(reason, words)
