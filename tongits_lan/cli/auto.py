"""The bot at a seat: says ready, plays, goes on, as `Session.view` offers. Knows what a player there sees."""

from __future__ import annotations

import random
from collections.abc import Callable

import trio

from tongits_lan.bots import Temper, choose
from tongits_lan.bots.temper import STEADY
from tongits_lan.errors import Refused
from tongits_lan.game.engine import view as seat_view
from tongits_lan.game.moves import Move
from tongits_lan.ledger.views import TableView
from tongits_lan.net.session import LobbyView, Session

Told = Callable[[Move], None]


async def autoplay(
    session: Session, rng: random.Random, told: Told | None = None, temper: Temper = STEADY
) -> None:
    """Plays the session's seat until cancelled; `told` hears of each move just before it is submitted."""
    while True:
        if not act(session, rng, told, temper):
            await session.wait_changed()
        else:
            await trio.lowlevel.checkpoint()


def act(session: Session, rng: random.Random, told: Told | None = None, temper: Temper = STEADY) -> bool:
    """Does the one thing that can be done now; False if there is nothing, or it changed nothing."""
    before = session.view
    try:
        match before:
            case LobbyView():
                if before.me is None or before.seats[before.me].ready:
                    return False
                session.set_ready(True)
            case TableView():
                if not _act_at_table(session, before, rng, told, temper):
                    return False
    except Refused:
        return False
    return session.view != before


def _act_at_table(
    session: Session, view: TableView, rng: random.Random, told: Told | None, temper: Temper
) -> bool:
    if view.is_over:
        return False
    if view.can_confirm_words:
        session.confirm_words()
    elif view.legal and view.position is not None:
        move = choose(seat_view(view.position, view.me, view.faces), view.legal, rng, temper)
        if told is not None:
            told(move)
        session.submit(move)
    elif view.can_go_on:
        session.go_on()
    else:
        return False
    return True
