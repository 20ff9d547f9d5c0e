"""Length-prefixed frames read one after the other from a file, and where a crash tore the file.

Owns what counts as a torn tail (docs/protocol.md, "Files"). Must not know what a frame holds, nor where its
bytes come from.
"""

from collections.abc import Callable, Iterator

from tongits_lan.limits import FRAME_MAX

Read = Callable[[int], bytes]
"""As `read` of a binary file: so many bytes, fewer at the end only."""
Told = Callable[[int, int], None]
"""What is told how much is done, and of how much."""
ZEROS = bytes(8)
"""What nothing ends in that a file holds: a signature or digest does with probability 2^-60."""
_PIECE = 4096  # bytes read at once while zeros are counted


class FrameReader:
    """The whole frames of a file, to be iterated once; holds one of them at a time.

    Before it is over, `end`, `rest` and `oversize` speak of what has been read.
    """

    def __init__(self, read: Read) -> None:
        self._read = read
        self._zeros = 0
        self._held = b""
        """Zeros, and bytes after them, that were read ahead of their turn."""
        self.end = 0
        """Bytes up to the end of the last whole frame."""
        self.rest = b""
        """The frame that the file ends inside of, its length included; of zeros only the first are kept."""
        self.oversize = False
        """The next frame announces more bytes than a frame may have: no torn tail."""

    @property
    def torn(self) -> bool:
        """Whether the file ends inside a frame, or in zeros that stand where frames were to be."""
        return bool(self.rest)

    def take(self, size: int) -> bytes:
        """So many bytes that are no frame, from where the reader stands; fewer at the end."""
        zeros = min(size, self._zeros)
        self._zeros -= zeros
        size -= zeros
        held, self._held = self._held[:size], self._held[size:]
        return bytes(zeros) + held + self._read(size - len(held))

    def __iter__(self) -> Iterator[bytes]:
        while prefix := self.take(4):
            length = int.from_bytes(prefix)
            if len(prefix) == 4 and length > FRAME_MAX:
                self.oversize = True
                return
            frame = self.take(length) if len(prefix) == 4 else b""
            whole = len(prefix) == 4 and len(frame) == length
            unwritten = whole and (not frame or frame.endswith(ZEROS)) and self._only_zeros_follow()
            if not whole or unwritten:
                self.rest = prefix + frame
                return
            self.end += 4 + length
            yield frame

    def _only_zeros_follow(self) -> bool:
        """Whether all that is left of the file is zero, or nothing is left."""
        while True:
            rest = self._held.lstrip(b"\0")
            self._zeros += len(self._held) - len(rest)
            self._held = rest
            if rest:
                return False
            self._held = self._read(_PIECE)
            if not self._held:
                return True


def counting(read: Read, told: Told, total: int, done: int = 0) -> Read:
    """The same `read`, telling after each piece how many bytes are done now, and that they are of `total`."""

    def read_on(size: int) -> bytes:
        nonlocal done
        data = read(size)
        done += len(data)
        told(done, total)
        return data

    return read_on
