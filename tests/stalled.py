"""A pipe that nobody reads for as long as a test likes; it is full from the start, whatever its size."""

import os
import threading
from types import TracebackType
from typing import TextIO


class Stalled:
    """What is written to `writer` waits until somebody reads. POSIX only."""

    def __init__(self) -> None:
        self._reader, writer = os.pipe()
        os.set_blocking(writer, False)
        self._filled = 0
        try:
            while True:
                self._filled += os.write(writer, b"." * 512)
        except BlockingIOError:
            os.set_blocking(writer, True)
        self.writer: TextIO = os.fdopen(writer, "w", encoding="utf-8", newline="")
        self._text = b""
        self._thread = threading.Thread(target=self._read, daemon=True)

    def start_reading(self) -> None:
        """Somebody reads now, to the end."""
        self._thread.start()

    def lines(self) -> list[str]:
        """All that he read, when nobody writes any more; the writer here is closed for that."""
        self.writer.close()
        self._thread.join()
        return self._text[self._filled :].decode("utf-8").splitlines()

    def abandon(self) -> None:
        """Nobody will ever read it."""
        os.close(self._reader)
        self._reader = -1

    def _read(self) -> None:
        while some := os.read(self._reader, 65536):
            self._text += some

    def __enter__(self) -> "Stalled":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.writer.close()
        if self._reader >= 0 and not self._thread.is_alive():
            self.abandon()
