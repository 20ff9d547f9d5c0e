"""What a player of the line modes says and asks beside the game: chat, phrases, mutes, options, questions.

Owns what a screen would remember for that: the log, who proved what and when, the settings. Makes no move.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from tongits_lan.cli import asides
from tongits_lan.console import follow
from tongits_lan.console.acts_pages import PHRASES
from tongits_lan.console.mute import muted, turned
from tongits_lan.console.options import switched
from tongits_lan.console.speech import told, tr
from tongits_lan.console.text import listing
from tongits_lan.console.ui import Ui
from tongits_lan.errors import Refused, UserError
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import SEATS
from tongits_lan.net.session import LobbyView, Session, SessionEvent
from tongits_lan.store.settings import Settings


class Remarks:
    """What is beside the game; `tell` prints lines, `keep` keeps settings and may raise UserError."""

    def __init__(
        self,
        session: Session,
        tell: Callable[[Sequence[str]], None],
        ui: Ui,
        keep: Callable[[Settings], None],
    ) -> None:
        self.ui = ui
        self._session = session
        self._tell = tell
        self._keep = keep

    def hear(self, event: SessionEvent, view: LobbyView | TableView) -> None:
        """Remembers what has happened."""
        self.ui = follow.hear(self.ui, view, event, time.monotonic(), f"{datetime.now():%H:%M:%S}")

    def take(self, line: str, view: LobbyView | TableView) -> bool:
        """Does what a line asks for, if that is beside the game; whether it was. Raises Refused."""
        said, turns = re.fullmatch(r"! ?([1-9])", line), re.fullmatch(r"o ?([1-9])", line)
        if line.startswith("c ") and line[2:].strip():
            self._session.chat(line[2:].strip())
        elif said is not None and int(said[1]) <= len(PHRASES):
            self._session.chat(PHRASES[int(said[1]) - 1])
        elif line.startswith("m ") and isinstance(view, TableView):
            self._mute(line[2:].strip(), view)
        elif turns is not None:
            self._set(switched(self.ui, view, int(turns[1])).settings)
            self.ui = follow.reworded(self.ui, view)
            return self._aside("o", view)
        else:
            return self._aside(line, view)
        return True

    def _aside(self, key: str, view: LobbyView | TableView) -> bool:
        lines = asides.lines(key, self.ui, view, self._session.played)
        if lines is not None:
            self._tell(lines)
        return lines is not None

    def _mute(self, name: str, view: TableView) -> None:
        """Shows the chat of the player of this name no more, or again, at this table and later ones."""
        seats = [seat for seat in range(SEATS) if seat != view.me and view.names[seat] == name]
        if len(seats) != 1:
            others = listing([view.names[seat] for seat in range(SEATS) if seat != view.me])
            raise Refused(phrase("m and the name of one of the others: {names}", names=others))
        self._set(turned(self.ui.settings, view.keys[seats[0]]))
        silent = muted(self.ui.settings, view, seats[0])
        said = tr("The chat of {name} is muted." if silent else "The chat of {name} is shown.", name=name)
        self._tell([said])

    def _set(self, settings: Settings) -> None:
        """These settings from now on."""
        self.ui = replace(self.ui, settings=settings)
        try:
            self._keep(settings)
        except UserError as error:
            self._tell([told(error.text)])
