"""The bots of a host: whose seats are kept for them, and the programs that play them beside the host's own.

Owns when a bot is called in, runs and is sent away. Must not know how a bot plays, lobbies or links.
"""

from collections.abc import Callable

import trio

from tongits_lan.errors import Refused, UserError
from tongits_lan.net.config import Bot, Summons

Fails = Callable[[UserError], None]


class Helpers:
    """`call` makes a bot (None: there is none to be had); `fails` hears of one that cannot go on."""

    def __init__(self, call: Callable[[Summons], Bot] | None, fails: Fails) -> None:
        self._call = call
        self._fails = fails
        self._bots: dict[bytes, Bot] = {}
        self._scopes: dict[bytes, trio.CancelScope] = {}
        self._nursery: trio.Nursery | None = None

    @property
    def keys(self) -> frozenset[bytes]:
        """The 32-byte keys of the bots that have a seat or are on their way to it."""
        return frozenset(self._bots)

    @property
    def names(self) -> frozenset[str]:
        """What they are called."""
        return frozenset(bot.name for bot in self._bots.values())

    @property
    def can_call(self) -> bool:
        """Whether there is anybody who makes bots."""
        return self._call is not None

    def call_in(self, summons: Summons) -> Bot:
        """A bot comes; it runs as soon as the session does. Raises Refused."""
        if self._call is None:
            raise Refused("This program has no bots to seat.")
        try:
            bot = self._call(summons)
        except UserError as error:
            raise Refused(error.text) from error
        self._bots[bot.pk] = bot
        return bot

    def start(self, bot: Bot) -> None:
        """Lets it play, now or when the session begins. Inside trio only."""
        if self._nursery is not None and bot.pk in self._bots:
            self._scopes[bot.pk] = trio.CancelScope()
            self._nursery.start_soon(self._run, bot, self._scopes[bot.pk])

    def open(self, nursery: trio.Nursery) -> None:
        """The session begins: all bots called in so far play in this nursery."""
        self._nursery = nursery
        for bot in self._bots.values():
            self.start(bot)

    def send_away(self, pk: bytes) -> None:
        """That bot goes. Inside trio only."""
        bot, scope = self._bots.pop(pk, None), self._scopes.pop(pk, None)
        if scope is not None:
            scope.cancel()
        elif bot is not None:
            bot.close()

    def close(self) -> None:
        """Gives back what the bots hold that never began."""
        for pk, bot in self._bots.items():
            if pk not in self._scopes:
                bot.close()

    async def _run(self, bot: Bot, scope: trio.CancelScope) -> None:
        with scope:
            try:
                await bot.play()
            except UserError as error:
                if not scope.cancel_called:
                    self._fails(error)
