"""Make the golden ledgers: `python -m tests.make_ledgers` writes protocol/ledgers/ anew.

Each file stands beside a .json that says what it is, what `verify` must report and with which exit code.
Everything follows from fixed keys and seeds, so a test makes the same bytes again.
"""

import functools
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.cheats import CHEATS, Cheat
from tests.remembered import remembering
from tests.scripted import Script, plain_choice
from tongits_lan.errors import Exit, Fault
from tongits_lan.game.moves import Hide
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.files import evidence_bytes, ledger_bytes, parse_file
from tongits_lan.ledger.messages import ForfeitHand, HideSet, ShuffleDeck
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.verify import as_json, verify

FOLDER = Path(__file__).parent.parent / "protocol" / "ledgers"
LABEL = "golden"
EXITS = {"fair": Exit.DONE, "incomplete": Exit.FAILED, "faulty": Exit.FAULT}
CHOSEN = (
    "an-entry-too-large",
    "noise",
    "a-long-form",
    "a-seat-that-is-none",
    "a-forged-signature",
    "an-entry-in-anothers-name",
    "an-entry-of-another-table",
    "an-entry-once-more",
    "an-entry-of-the-hand-before",
    "another-descriptor-signed",
    "another-nonce",
    "a-commit-out-of-turn",
    "a-second-commit",
    "too-few-labels",
    "the-identity-as-a-label",
    "the-identity-in-its-second-encoding",
    "a-copied-commitment",
    "a-copied-mask",
    "no-element-in-the-deck",
    "a-card-twice-in-the-shuffle",
    "a-card-twice-in-the-lock",
    "a-tagged-card",
    "a-copy-of-an-opponents-card",
    "a-response-of-zero",
    "another-response",
    "proofs-of-another-seat",
    "proofs-of-another-hand",
    "a-sum-of-zero",
    "a-key-before-three-ready",
    "a-wrong-key",
    "a-key-of-zero",
    "a-discard-out-of-turn",
    "a-leave-in-mid-hand",
    "a-key-for-another-slot",
    "an-opponents-card-discarded",
    "a-lie-about-a-card",
    "cards-that-are-no-meld",
    "a-lay-off-that-does-not-fit",
    "a-call-before-opening",
    "a-seed-before-three-ends",
    "a-forfeit-after-the-end",
    "another-seed",
    "an-order-of-ones-own-choice",
    "another-result",
    "an-entry-after-a-leave",
)
"""The ways to cheat that become files; the others are met in the tests of acceptance only."""


@dataclass(frozen=True, slots=True)
class Golden:
    """One file: its name with its ending, its bytes, and one sentence on what it is."""

    name: str
    data: bytes
    what: str


@functools.cache
def _at(phase: Phase) -> Script:
    if phase is Phase.SIT:
        return Script(LABEL, proved=True)
    before = list(Phase)[list(Phase).index(phase) - 1]
    script = _at(Phase.DEAL if phase is Phase.PLAY else before).clone()
    script.until(phase)
    return script


def standing(phase: Phase) -> Script:
    """The golden table when this phase of its first hand begins."""
    return _at(phase).clone()


def golden() -> list[Golden]:
    """All files, in the order of their making."""
    files = [make() for make in (_honest, _joker, _open_table, _pending, _torn, _forfeited, _foul)]
    files += [_cheat(way) for name in CHOSEN for way in CHEATS if way.name == name]
    files += [make() for make in (_fork, _fork_shuffle, _fork_unseen)]
    return files + [make() for make in (_header, _descriptor, _single, _nobody)]


def _ledger(script: Script) -> bytes:
    return ledger_bytes(script.descriptor.raw, script.entries)


def _honest() -> Golden:
    script = standing(Phase.SETTLE)
    script.next_hand()
    script.play_hand()
    script.leave()
    return Golden("honest.tongits", _ledger(script), "two hands, then a seat leaves and the pot is split")


def _joker() -> Golden:
    script = Script("golden joker", rules=PRESETS["joker"], proved=True)
    script.play_hand()
    return Golden("joker.tongits", _ledger(script), "one hand of the preset joker, its result not yet signed")


def _open_table() -> Golden:
    script = standing(Phase.OPEN)
    return Golden("no-hand.tongits", _ledger(script), "three seats signed the table; no hand has begun")


def _pending() -> Golden:
    script = standing(Phase.REVEAL)
    script.step(plain_choice)
    return Golden("pending.tongits", _ledger(script), "a hand that waits for a seat to open the cards")


def _torn() -> Golden:
    return Golden("torn.tongits", _ledger(standing(Phase.SHUFFLE))[:-7], "the last frame is cut off")


def _forfeited() -> Golden:
    script = standing(Phase.PLAY)
    script.step(plain_choice)
    while script.due_body() is not None:
        script.step(plain_choice)
    script.write(ForfeitHand())
    script.next_hand()
    return Golden("forfeited.tongits", _ledger(script), "a hand that was given up, its result signed")


def _foul() -> Golden:
    script = standing(Phase.PLAY)
    seat = script.writer()
    script.write(HideSet(script.view(seat).position.hands[seat][:4]))
    script.play_hand(lambda view, legal: plain_choice(view, [m for m in legal if not isinstance(m, Hide)]))
    return Golden("foul.tongits", _ledger(script), "a false set of four laid face down: a foul and no fault")


def _cheat(way: Cheat) -> Golden:
    script = standing(way.phase)
    raw = way.make(script)
    what = f"{way.name.replace('-', ' ')}: the last entry is refused ({way.code})"
    return Golden(
        f"cheat-{way.name}.tongits", ledger_bytes(script.descriptor.raw, (*script.entries, raw)), what
    )


def _header() -> Golden:
    data = b"tongits-lan/2 ledger\n" + _ledger(standing(Phase.OPEN)).split(b"\n", 1)[1]
    return Golden("another-first-line.tongits", data, "the first line is that of another protocol")


def _descriptor() -> Golden:
    script = standing(Phase.OPEN)
    raw = script.descriptor.raw.replace(b"\xa4base\x01", b"\xa4base\xc3")
    what = "a rule amount of the descriptor is true instead of 1"
    return Golden("changed-descriptor.tongits", ledger_bytes(raw, script.entries), what)


def _evidence(script: Script, *offending: bytes) -> bytes:
    return evidence_bytes(script.descriptor.raw, script.entries, offending)


def _next_entry(script: Script) -> bytes:
    script = script.clone()
    script.step(plain_choice)
    return script.entries[-1]


def _fork() -> Golden:
    script = standing(Phase.PLAY)
    data = _evidence(script, _next_entry(script), script.sign(ForfeitHand()))
    return Golden("fork-in-play.evidence", data, "two entries of one seat at one height")


def _fork_shuffle() -> Golden:
    script = standing(Phase.SHUFFLE)
    body = script.due_body()
    assert isinstance(body, ShuffleDeck)
    other = ShuffleDeck(body.deck[32:] + body.deck[:32])
    data = _evidence(script, script.sign(body), script.sign(other))
    return Golden("fork-in-shuffle.evidence", data, "two shuffles of one seat for two sets of eyes")


def _fork_unseen() -> Golden:
    script = standing(Phase.PLAY)
    other = script.clone()
    other.write(HideSet(script.view(script.writer()).position.hands[script.writer()][:4]))
    data = _evidence(script, _next_entry(script), other.sign(ForfeitHand()))
    what = "an entry of one seat, and one after another that is not shown"
    return Golden("fork-unseen.evidence", data, what)


def _single() -> Golden:
    way = next(way for way in CHEATS if way.name == "a-tagged-card")
    script = standing(way.phase)
    raw = way.make(script)
    return Golden("tagged-card.evidence", _evidence(script, raw), "a shuffle proof that does not hold")


def _nobody() -> Golden:
    script = standing(Phase.SHUFFLE)
    raw = _next_entry(script)
    data = _evidence(script, raw[:-1] + bytes([raw[-1] ^ 1]))
    return Golden("nobody.evidence", data, "an entry whose signature does not hold convicts nobody")


def expected(item: Golden) -> dict[str, object]:
    """What the .json beside a file says."""
    try:
        report = verify(parse_file(item.data), proofs=False, spread=remembering)
    except Fault as fault:
        return {"what": item.what, "exit": int(Exit.USAGE), "code": str(fault.code), "verify": None}
    return {"what": item.what, "exit": int(EXITS[report.status]), "verify": as_json(report)}


def text_of(found: dict[str, object]) -> str:
    """The bytes of a .json file."""
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def write(folder: Path, log: Callable[[str], None] = print) -> None:
    """Write every file and its .json."""
    folder.mkdir(parents=True, exist_ok=True)
    for item in golden():
        (folder / item.name).write_bytes(item.data)
        (folder / f"{item.name}.json").write_text(text_of(expected(item)), encoding="utf-8")
        log(f"{item.name}: {len(item.data)} bytes")


if __name__ == "__main__":
    write(FOLDER)
