"""Every exception of the program and every fault code of the protocol.

Owns whose fault a thing is: `Refused` (mine, nothing left this machine), `Fault` and `PeerFault`
(somebody's bytes), `LinkLost` (the world), `UserError` (what a command cannot do, with its exit code).
An AssertionError is a bug of ours. Knows no other module.
"""

from enum import IntEnum, StrEnum


class Code(StrEnum):
    """Fault codes (docs/protocol.md, "Checks and codes"), in the order of the checks."""

    SIZE = "size"
    DECODE = "decode"
    CANONICAL = "canonical"
    SEAT = "seat"
    SIGNATURE = "signature"
    CHAIN = "chain"
    BODY = "body"
    PHASE = "phase"
    WRITER = "writer"
    ELEMENT = "element"
    SCALAR = "scalar"
    DECK = "deck"
    COMMIT = "commit"
    PROOF = "proof"
    SLOT = "slot"
    KEY = "key"
    OPENING = "opening"
    SEED = "seed"
    RULES = "rules"
    RESULT = "result"
    REPLAY = "replay"
    FORK = "fork"
    HEADER = "header"
    DESCRIPTOR = "descriptor"


# A failure of one of these convicts nobody: a relay can make or replay such bytes.
UNSIGNED_CODES = frozenset({Code.SIZE, Code.DECODE, Code.CANONICAL, Code.SEAT, Code.SIGNATURE, Code.CHAIN})


class Exit(IntEnum):
    """Exit codes of the commands."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NO_TABLE = 3
    FAULT = 4


class TongitsError(Exception):
    """The root of every exception this program raises on purpose."""


class Refused(TongitsError):
    """What this machine's own player asked for is against the rules; `reason` is a sentence for him."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Fault(TongitsError):
    """Bytes that fail a check, before it is known whose they are. `text` is for developers: lower case."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = str(text)  # a bare text, whatever it was made of: it goes over the wire


class PeerFault(TongitsError):
    """An entry that fails a check at a known height; `seat` is who is convicted, or None for nobody."""

    def __init__(self, code: Code, text: str, *, seat: int | None, height: int) -> None:
        super().__init__(f"{code} at height {height}: {text}")
        self.code = code
        self.text = str(text)
        self.seat = seat
        self.height = height


class LinkLost(TongitsError):
    """A connection ended, was refused or fell silent; the reason is in words."""


class UserError(TongitsError):
    """A command cannot do what was asked: one sentence (what happened, then what to do) and an exit code."""

    def __init__(self, text: str, exit_code: Exit) -> None:
        super().__init__(text)
        self.text = text
        self.exit_code = exit_code
