"""`tongits demo`: three bot processes play a match over loopback, and everything they leave is checked.

Composes: peers play, verify judges the ledgers, the secret search goes through all outputs, logs and ledgers.
"""

from __future__ import annotations

import tempfile
from argparse import Namespace
from pathlib import Path

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tongits_lan.cli import native, peers, replay, timing, verify
from tongits_lan.cli.output import complain, emit, say
from tongits_lan.cli.rules import rule_set
from tongits_lan.cli.secret_search import (
    Finding,
    Needles,
    Secret,
    search_faces,
    search_ledger,
    search_log_cards,
    search_texts,
    secrets_of,
)
from tongits_lan.console.speech import tr
from tongits_lan.errors import Exit, UserError
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.report import Report
from tongits_lan.store.identity import load_or_make_identity


def run(options: Namespace) -> int:
    """Plays, checks and says what was found; 0 only if the ledgers are alike and fair and hold no secret."""
    rule_set(options.rules)
    native.load()
    folder = Path(options.dir).absolute() if options.dir else Path(tempfile.mkdtemp(prefix="tongits-demo-"))
    three = peers.play(folder, options.hands, options.rules)
    ledgers = [peer.ledger() for peer in three]
    alike(ledgers)
    report = verify.check(ledgers[0], proofs=True)
    found = search(three)
    dealt = timing.deal_ms([peer.lines() for peer in three])
    result = {
        "ledgers": [str(path) for path in ledgers],
        "hands": len(report.records),
        "chips": list(report.chips),
        "deal_ms": dealt,
        "secrets_found": len(found),
    }
    if options.json:
        emit(result)
    else:
        _say(report, ledgers, dealt, found)
    for finding in found:
        complain(" ".join((f"{finding.path}, {finding.place}:", finding.what, f"({finding.form})")))
    if report.status != "fair":
        again = f"tongits verify --proofs {ledgers[0]}"
        complain(tr("{verdict} See: {command}", verdict=verify.brief(report)[-1], command=again))
        return verify.EXIT_OF_STATUS[report.status]
    return Exit.FAULT if found else Exit.DONE


def _say(report: Report, ledgers: list[Path], dealt: list[float], found: list[Finding]) -> None:
    say(tr("Three programs have played; their ledger was checked again from the file, with every proof:"))
    for sentence in verify.brief(report):
        say(f"  {sentence}")
    times = ", ".join(f"{ms:.0f}" for ms in dealt)
    say(tr("A shuffled, proved and dealt deck took {times} milliseconds.", times=times))
    say(tr("Seeds, keys or cards found where they may not be: {n}.", n=len(found)))
    say(tr("The three ledgers are the same, byte for byte:"))
    for path in ledgers:
        say(f"  {path}")


def alike(ledgers: list[Path]) -> None:
    """Raises UserError (fault) unless all ledgers hold the same bytes."""
    first, *others = (replay.read(path) for path in ledgers)
    for path, data in zip(ledgers[1:], others, strict=True):
        if data != first:
            raise UserError(
                phrase(
                    "The ledgers {first} and {path} differ: compare them with tongits show.",
                    first=ledgers[0],
                    path=path,
                ),
                Exit.FAULT,
            )


def search(three: tuple[peers.Peer, peers.Peer, peers.Peer]) -> list[Finding]:
    """Every secret found in the outputs, logs and ledgers of three programs whose ledgers are alike."""
    walk = replay.walk(replay.parsed(three[0].ledger()))
    needles = Needles([*secrets_of(walk), *(_identity(peer) for peer in three)])
    logs = [log for peer in three for log in sorted(peer.log.parent.glob(peer.log.name + "*"))]
    outputs = [path for peer in three for path in (peer.out, peer.err)]
    found = search_texts([*outputs, *logs], needles)
    found += search_log_cards([*logs, *(peer.err for peer in three)])
    for peer in three:
        found += search_ledger(peer.ledger(), walk, needles)
        found += search_faces(peer.out, walk, seat_of(peer))
    return found


def seat_of(peer: peers.Peer) -> int:
    """The seat a program said it took."""
    for line in peer.lines():
        if line["event"] == "table_began" and isinstance(line["me"], int):
            return line["me"]
    raise UserError(
        phrase("{name}'s program began no table: its output is {out}.", name=peer.name, out=peer.out),
        Exit.FAILED,
    )


def _identity(peer: peers.Peer) -> Secret:
    key = load_or_make_identity(peer.folder).key
    raw = key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    return Secret(f"identity key of {peer.name}", raw)
