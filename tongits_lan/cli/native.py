"""The group library unpacks itself into the temporary folder at every start; this takes that file away again.

Owns nothing but this clean-up, which is done as soon as the library is loaded. Knows no room.
"""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path


def load() -> None:
    """Loads the group library (about 0.1 s) and removes its unpacked copy.

    Linux and macOS keep a loaded library whose file is gone. Windows does not let a loaded file go: there it
    stays until the system tidies its temporary folder."""
    import rbcl

    name = getattr(getattr(rbcl, "_sodium", None), "_name", None)
    if not isinstance(name, str):
        return
    path = Path(name)
    if path.parent.resolve() == Path(tempfile.gettempdir()).resolve():
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
