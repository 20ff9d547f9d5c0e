"""The log of the program.

It never holds a secret: rooms log what happened, not cards, seeds or keys; addresses are shortened unless
`-vv` asks for them in full.
"""

from __future__ import annotations

import contextlib
import logging
import re
from argparse import Namespace
from logging.handlers import RotatingFileHandler
from pathlib import Path

from tongits_lan.cli.places import log_path
from tongits_lan.errors import Exit, UserError
from tongits_lan.game.sentences import cause, phrase

LOG_BYTES = 1_000_000
LOG_FILES = 3  # the running one and two older ones
_IPV4 = re.compile(r"\b(\d{1,3}\.\d{1,3})\.\d{1,3}\.\d{1,3}\b")
_IPV6 = re.compile(r"\b([0-9a-fA-F]{1,4}:[0-9a-fA-F]{0,4}):(?:[0-9a-fA-F]{0,4}:){1,6}[0-9a-fA-F]{0,4}\b")


class ShortAddresses(logging.Filter):
    """Cuts the host part of addresses out of every message."""

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        short = _IPV6.sub(r"\1:x", _IPV4.sub(r"\1.x.x", text))
        if short != text:
            record.msg, record.args = short, ()
        return True


def start_log(options: Namespace) -> Path | None:
    """Sends the program's log to its file; returns the path, or None where no log can be kept.

    Raises UserError if a file asked for with --log-file cannot be written."""
    path = log_path(options)
    root = logging.getLogger("tongits_lan")
    stop_log()
    root.propagate = False
    logging.raiseExceptions = False  # a log that finds the disk full must not complain across the screen
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = RotatingFileHandler(
            path, maxBytes=LOG_BYTES, backupCount=LOG_FILES - 1, encoding="utf-8", errors="backslashreplace"
        )
    except OSError as error:
        root.addHandler(logging.NullHandler())
        if options.log_file is None:
            return None
        raise UserError(
            phrase(
                "The log file {path} cannot be written ({why}): choose another with --log-file.",
                path=path,
                why=cause(error),
            ),
            Exit.FAILED,
        ) from None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    if options.verbose < 2:
        handler.addFilter(ShortAddresses())
    root.addHandler(handler)
    root.setLevel(logging.DEBUG if options.verbose else logging.INFO)
    return path


def log_running() -> bool:
    """Whether the log file is open."""
    return any(
        isinstance(handler, RotatingFileHandler) for handler in logging.getLogger("tongits_lan").handlers
    )


def stop_log() -> None:
    """Closes the log file."""
    root = logging.getLogger("tongits_lan")
    root.propagate = True
    for handler in list(root.handlers):
        root.removeHandler(handler)
        with contextlib.suppress(OSError):  # the disk is full
            handler.close()
