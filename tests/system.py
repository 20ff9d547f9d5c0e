"""Where the checkout is, and what a test may need of its system: without it, it is skipped and says so."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NO_TERMINAL = "needs a pseudo-terminal, which Windows has not"
_FULL = Path("/dev/full")

on_posix = pytest.mark.skipif(
    sys.platform == "win32", reason="needs file modes, named pipes or pseudo-terminals, which Windows has not"
)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs all of 127/8, or /proc, as Linux has")
with_full_disk = pytest.mark.skipif(not _FULL.exists(), reason=f"needs {_FULL}, the full disk of Linux")
for_users = pytest.mark.skipif(
    sys.platform != "win32" and os.geteuid() == 0, reason="the superuser may read and write everywhere"
)
