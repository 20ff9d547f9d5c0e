"""Where the player's choices are kept on this system.

Owns the place alone: what they are is the store's, what they mean the screen's.
"""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from tongits_lan.cli import places
from tongits_lan.store import settings
from tongits_lan.store.settings import FILE_NAME, Settings


def path(options: Namespace) -> Path:
    """`config.toml` in the folder of --data-dir, else in the system's folder for such files."""
    if options.data_dir is not None:
        return places.data_dir(options) / FILE_NAME
    import platformdirs

    return Path(platformdirs.user_config_dir(places.APP, appauthor=False)) / FILE_NAME


def load(options: Namespace) -> Settings:
    """The player's choices. Raises UserError(USAGE) for a file that is not right."""
    return settings.load(path(options))


def keep(options: Namespace, chosen: Settings) -> None:
    """Keeps the player's choices. Raises UserError(FAILED)."""
    settings.keep(path(options), chosen)
