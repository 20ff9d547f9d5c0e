"""Where the player's choices are kept on this system.

Owns the place alone: what they are is the store's, what they mean the screen's.
"""

from __future__ import annotations

import getpass
import os
import re
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from tongits_lan.cli import places
from tongits_lan.console.speech import told
from tongits_lan.errors import UserError
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import NAME_MAX
from tongits_lan.store import settings
from tongits_lan.store.settings import FILE_NAME, Settings

SOMEBODY = "Player"


def path(options: Namespace) -> Path:
    """`config.toml` in the folder of --data-dir, else in the system's folder for such files."""
    if options.data_dir is not None:
        return places.data_dir(options) / FILE_NAME
    import platformdirs

    return Path(platformdirs.user_config_dir(places.APP, appauthor=False)) / FILE_NAME


def load(options: Namespace) -> Settings:
    """The player's choices. Raises UserError(USAGE) for a file that is not right."""
    return settings.load(path(options))


_SPEAKERS = {"fil": "fil", "tl": "fil"}  # how systems call the language of their user


def language(options: Namespace, environ: Mapping[str, str] = os.environ) -> str:
    """As asked, as chosen before, as the system speaks; what is JSON stays English unless asked."""
    if options.lang is not None:
        return str(options.lang)
    if options.json:
        return "en"
    try:
        chosen = load(options).lang
    except UserError:
        return "en"  # whoever needs the choices says what is wrong with them
    if chosen:
        return chosen
    spoken = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    return _SPEAKERS.get(re.split(r"[_.@]", spoken)[0], "en")


def keep(options: Namespace, chosen: Settings) -> None:
    """Keeps the player's choices. Raises UserError(FAILED)."""
    settings.keep(path(options), chosen, told)


def own_name(options: Namespace) -> str:
    """The name asked for, else the one kept, else that of this account, else "Player"; cleaned and cut."""
    asked = load(options).name if options.name is None else options.name
    if options.name is not None or asked:
        return clean(asked, NAME_MAX).strip() or SOMEBODY
    try:
        account = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return SOMEBODY
    return clean(account[:1].upper() + account[1:], NAME_MAX) or SOMEBODY
