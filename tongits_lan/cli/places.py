"""Where files belong on this system.

Owns the choice of the data folder and of the log file.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

APP = "tongits"


def data_dir(options: Namespace) -> Path:
    """The folder of key, tables and unfinished hands (not made here)."""
    if options.data_dir is not None:
        return Path(options.data_dir).expanduser().absolute()
    import platformdirs

    return Path(platformdirs.user_data_dir(APP, appauthor=False))


def log_path(options: Namespace) -> Path:
    """The log file: as asked, else inside the folder of --data-dir, else in the system's state folder."""
    if options.log_file is not None:
        return Path(options.log_file).expanduser().absolute()
    if options.data_dir is not None:
        return data_dir(options) / "log" / "tongits.log"
    import platformdirs

    return Path(platformdirs.user_state_dir(APP, appauthor=False)) / "tongits.log"
