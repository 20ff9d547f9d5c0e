"""The join code: made by the host, spoken aloud, proven by a guest without being sent (SPAKE2).

Owns the form of a code, one exchange about it, and how often it may be tried. Must not know links, lobbies
or screens (docs/protocol.md, "Join code"). A code is a secret: it appears in no log, error or repr.
"""

import hashlib
import hmac
import re
import string
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import trio

from tongits_lan.errors import Refused
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.chain import good_public_key
from tongits_lan.ledger.words import WORDS

TRIES = 5  # begun with one code and not ended well
PAUSE_SECONDS = 5.0  # without any try after a code was used up, times how many were
PAUSE_MAX = 60.0
EXAMPLE = "42-mangga-bituin"
_PARTS = re.compile(r"[\s\-_.,]+")
_KNOWN = frozenset(WORDS)

Role = Literal["client", "server"]


def make_code(entropy: Callable[[int], bytes]) -> str:
    """A fresh code, `NN-word-word`, one of 5,898,240, all equally likely but for 1 in 2^57."""
    number = int.from_bytes(entropy(8), "big") % 90 + 10
    first, second = entropy(2)
    return f"{number}-{WORDS[first]}-{WORDS[second]}"


def normalise(text: str) -> str:
    """The code in a typed text: lower case, parts joined by one `-`, words completed where no other fits.

    Raises Refused with a sentence that repeats nothing of what was typed."""
    parts = [part for part in _PARTS.split(text.strip().lower()) if part]
    if len(parts) != 3 or not re.fullmatch(r"[1-9][0-9]", parts[0]):
        raise Refused(
            phrase("That is no join code: it is a number and two words, like {example}.", example=EXAMPLE)
        )
    words: list[str] = []
    for typed in parts[1:]:
        fitting = [typed] if typed in _KNOWN else completions(typed)
        if len(fitting) > 1:
            raise Refused("More than one word begins like a word of that code: type it to its end.")
        if not fitting:
            if typed is parts[1]:
                raise Refused(
                    "The first word of that code is none of the list: listen again, Tab completes it."
                )
            raise Refused("The second word of that code is none of the list: listen again, Tab completes it.")
        words += fitting
    return "-".join((parts[0], *words))


def completions(prefix: str) -> list[str]:
    """The words that begin so."""
    prefix = prefix.lower()
    return [word for word in WORDS if word.startswith(prefix)] if prefix else []


def complete(text: str) -> str:
    """A typed text with its last word completed as far as only one way leads on."""
    head = text.rstrip(string.ascii_letters)
    fitting = completions(text[len(head) :])
    if not fitting:
        return text
    common = fitting[0]
    while not all(word.startswith(common) for word in fitting):
        common = common[:-1]
    more = "-" if len(fitting) == 1 and head.count("-") < 2 else ""
    return head + common + more


def typed_on(code: str, more: str) -> str:
    """A code being typed with more letters; what parts its words is there once, however often it comes."""
    again = _PARTS.match(more) if not code or _PARTS.match(code[-1]) else None
    return code + (more[again.end() :] if again else more)


class WrongCodeError(Exception):
    """The other end does not know the code, or sent what nobody sends who does."""


@dataclass(frozen=True, slots=True)
class Proofs:
    """What each side shows to have the same key: HMAC-SHA256 (32 bytes) over its role and T."""

    mine: bytes = field(repr=False)
    theirs: bytes = field(repr=False)

    def check(self, mac: bytes) -> None:
        """Raises WrongCodeError for another mac than theirs."""
        if not hmac.compare_digest(mac, self.theirs):
            raise WrongCodeError


class Exchange:
    """One side of one SPAKE2 exchange about a code, bound to one channel by `transcript` (T).

    Its two steps cost some 10 ms each: run them in a thread."""

    def __init__(self, role: Role, code: str, transcript: bytes, entropy: Callable[[int], bytes]) -> None:
        from spake2 import SPAKE2_A, SPAKE2_B  # makes its groups: a code is not needed at every start

        self._role: Role = role
        self._transcript = transcript
        side = SPAKE2_A if role == "client" else SPAKE2_B
        self._side = side(
            code.encode("ascii"),
            idA=b"client" + transcript,
            idB=b"server" + transcript,
            entropy_f=entropy,
        )

    def start(self) -> bytes:
        """The message of this side."""
        return bytes(self._side.start())

    def finish(self, message: bytes) -> Proofs:
        """What both sides have to show now. Raises WrongCodeError."""
        if not good_public_key(message[1:]):  # the package takes more bytes, and odd forms of neutral points
            raise WrongCodeError
        try:
            key = bytes(self._side.finish(message))
        except Exception as error:  # whatever a foreign library says to a stranger's bytes
            raise WrongCodeError from error
        other: Role = "server" if self._role == "client" else "client"
        return Proofs(self._mac(key, self._role), self._mac(key, other))

    def _mac(self, key: bytes, role: Role) -> bytes:
        return hmac.digest(key, role.encode("ascii") + self._transcript, hashlib.sha256)


@dataclass(slots=True)
class Try:
    """One guest at the gate, from its `pake` on."""

    gate: "Gate"
    code: str = field(repr=False)
    over: bool = False

    def ended(self, *, well: bool) -> None:
        """The guest knew the code, or not. Only the first word counts."""
        if not self.over:
            self.over = True
            self.gate.judged(self.code, well=well)


class Gate:
    """A table's code and the tries at it. `told` gets a sentence for the host's player.

    At most TRIES tries are begun with one code and not ended well, however many links there are; then it is
    another one, and for a while none can be tried, so that guessing stays slow."""

    def __init__(
        self,
        entropy: Callable[[int], bytes],
        told: Callable[[str], None],
        *,
        code: str | None = None,
        clock: Callable[[], float] = trio.current_time,
    ) -> None:
        self._entropy = entropy
        self._told = told
        self._clock = clock
        self._code = code if code is not None else make_code(entropy)
        self._begun = 0
        self._changes = 0
        self._opens = -float("inf")
        self.limiter = trio.CapacityLimiter(1)
        """For the arithmetic: a crowd at the gate must not slow the table down."""

    @property
    def code(self) -> str:
        """The code to read aloud now."""
        return self._code

    @property
    def waits(self) -> float:
        """Seconds until a code may be tried again."""
        return max(0.0, self._opens - self._clock())

    def begin(self) -> Try:
        """A guest begins a try. Call it when `pake` arrives."""
        if self._begun >= TRIES:
            self._change()
        self._begun += 1
        return Try(self, self._code)

    def judged(self, code: str, *, well: bool) -> None:
        """A try with that code has ended."""
        if code != self._code:
            return
        if well:
            self._begun -= 1
        elif self._begun >= TRIES:
            self._change()

    def _change(self) -> None:
        self._code, self._begun = make_code(self._entropy), 0
        self._changes += 1
        self._opens = self._clock() + min(PAUSE_MAX, PAUSE_SECONDS * self._changes)
        self._told(
            phrase(
                "The join code was tried {count} times without success: tell your friends the new one.",
                count=TRIES,
            )
        )
