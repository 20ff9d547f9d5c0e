"""What a guest's player has to say before his program goes on with a host: the code, or that a key is right.

Owns the question that is open and what was answered so far. Must not know links or lobbies.
"""

from collections.abc import Callable

import trio

from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.game.sentences import mark, phrase
from tongits_lan.net.base import Base
from tongits_lan.net.events import LobbyChanged
from tongits_lan.net.handshake import Asking, Question, Terms
from tongits_lan.net.join_code import normalise

_UNANSWERED: dict[Asking, str] = {
    "code": mark("{name}'s table asks for a join code: give it with --code, the host reads it aloud."),
    "wrong code": mark("That is not the join code of {name}'s table: ask the host to read it again."),
    "open": mark(
        "{name}'s table asks for no join code, and the key {words} is new to you: add --open to join without"
        " a code."
    ),
    "other key": mark(
        "{name} is known to you with another key than {words}: ask whether that is so, then join without"
        " --auto to say yes."
    ),
}


class Answers:
    """`seated` says whether a key and this player hold seats at one table."""

    def __init__(self, base: Base, seated: Callable[[bytes], bool]) -> None:
        self._base = base
        self._seated = seated
        self._code = None if base.config.code is None else normalise(base.config.code)
        self._accepted: set[bytes] = set()
        self._answered = trio.Event()
        self.question: Question | None = None
        """Waits for an answer; None while nothing is asked."""

    def terms(self) -> Terms:
        """On what terms to go to a host now."""
        company = self._base.company
        expected = self._base.config.expect_pk
        return Terms(
            seated=lambda pk: pk == expected or self._seated(pk),
            known=company.is_known,
            renamed=company.is_doubted,
            code=self._code,
            open=self._base.config.open_table,
            accepted=frozenset(self._accepted),
        )

    async def ask(self, question: Question) -> None:
        """Returns when the player has answered. Raises UserError(NO_TABLE) where nobody is there to."""
        if not self._base.config.asks:
            name = question.name or phrase("The host")
            words = " ".join(question.fingerprint)
            raise UserError(phrase(_UNANSWERED[question.asks], name=name, words=words), Exit.NO_TABLE)
        self._answered = trio.Event()
        self.question = question
        self._base.herald.tell(LobbyChanged())
        await self._answered.wait()

    def enter_code(self, text: str) -> None:
        """Answers with a code as it was typed. Raises Refused."""
        if self.question is None or self.question.asks not in ("code", "wrong code"):
            raise Refused("No join code is asked for now.")
        self._code = normalise(text)
        self._answer()

    def accept(self) -> None:
        """Answers with yes. Raises Refused."""
        if self.question is None or self.question.asks not in ("open", "other key"):
            raise Refused("There is nothing to say yes to now.")
        self._accepted.add(self.question.pk)
        self._base.company.accept(self.question.pk)
        self._answer()

    def _answer(self) -> None:
        self.question = None
        self._base.bridge.soon(self._settle)

    def _settle(self) -> None:
        self._answered.set()
        self._base.herald.tell(LobbyChanged())
