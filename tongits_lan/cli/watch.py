"""`tongits replay`: the finished hands of a ledger, step by step, with every card open.

Verifies first: only hands that verification has counted are shown. On a terminal a full screen, else (or with
--plain or --json) every step is printed.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from tongits_lan.cli import native, replay, verify
from tongits_lan.cli.as_json import event_object, record_object
from tongits_lan.cli.output import complain, emit, say
from tongits_lan.console.reel import Reel, told
from tongits_lan.console.reel_page import open_hand
from tongits_lan.console.skins import Skin, skin_for
from tongits_lan.console.speech import tr, trn
from tongits_lan.console.text import Voice, net_text, outcome_text, points, settlement_lines
from tongits_lan.errors import Exit, UserError
from tongits_lan.game.cards import card_text
from tongits_lan.game.position import TableMeld
from tongits_lan.game.scoring import brought
from tongits_lan.ledger.chain import parse_descriptor
from tongits_lan.ledger.playback import Frame, PlayedHand, played_hands
from tongits_lan.ledger.report import Report
from tongits_lan.limits import SEATS

NOBODY = ("Player 1", "Player 2", "Player 3")


def run(options: Namespace) -> int:
    """Shows the hands; 4 where the ledger breaks the protocol after them, 1 where there is none to show."""
    native.load()
    path = Path(options.file)
    report, hands = load(path)
    if not hands:
        raise UserError(_nothing(path, report), Exit.FAULT if report.status == "faulty" else Exit.FAILED)
    skin = skin_for(sys.stdout.encoding, os.environ, ascii_only=options.ascii)
    code = Exit.FAULT if report.status == "faulty" else Exit.DONE
    if options.json:
        for line in json_lines(report, hands):
            emit(line)
    elif (
        options.plain or not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb"
    ):
        for text in plain_lines(report, hands, skin):
            say(text)
    else:
        from tongits_lan.console.reel_app import run_reel

        reel = Reel(hands, report.names or NOBODY, skin, _remark(report))
        ended = run_reel(reel, color=not options.no_color)
        if ended:
            return ended
    if report.status == "faulty":
        complain(verify.brief(report)[-1])
    return code


def load(path: Path) -> tuple[Report, tuple[PlayedHand, ...]]:
    """The report on a file and the hands verification has counted in it.

    Raises UserError for a file that cannot be read or is another kind."""
    file = replay.parsed(path)
    report = verify.check_file(file, proofs=False)
    if file.descriptor_raw is None or not report.records:
        return report, ()
    return report, played_hands(parse_descriptor(file.descriptor_raw).rules, file.entries, report.records)


def _nothing(path: Path, report: Report) -> str:
    if report.records:
        return tr(
            "{path} holds no hand to show: the cards of a hand that is given up are never opened.", path=path
        )
    return tr("{path} holds no finished hand to show: {why}", path=path, why=verify.brief(report)[-1])


def _remark(report: Report) -> str:
    remarks = {
        "fair": tr("checked: fair"),
        "incomplete": tr("checked: not finished"),
        "faulty": tr("checked: FAULTY"),
    }
    return remarks[report.status]


# --- one line a step ------------------------------------------------------------------------------------


def plain_lines(report: Report, hands: tuple[PlayedHand, ...], skin: Skin) -> Iterator[str]:
    """Every step in words, the open hands at the deal and at the end, and what was paid."""
    names = report.names or NOBODY
    voice = Voice(names, None, skin)
    played = {hand.record.number: hand for hand in hands}
    for record in report.records:
        hand = played.get(record.number)
        if hand is None:
            giver = tr("nobody") if record.forfeited_by is None else names[record.forfeited_by]
            yield tr(
                "Hand {number} was given up by {name}: no card was opened.", number=record.number, name=giver
            )
            continue
        yield trn(
            "Hand {number}, {count} step, {name} dealt.",
            "Hand {number}, {count} steps, {name} dealt.",
            len(hand.frames) - 1,
            number=record.number,
            name=names[record.dealer],
        )
        for step, frame in enumerate(hand.frames[:-1]):
            yield f"{step:>4}  {'  '.join(told(frame, voice))}"
            if not step:
                yield from _holdings(frame, voice)
        yield f"{len(hand.frames) - 1:>4}  {outcome_text(voice, record)}"
        yield from _holdings(hand.frames[-1], voice)
        yield from (f"      {text}" for text in settlement_lines(voice, record.settlement))
        chips = brought(record.settlement)
        gained = ", ".join(f"{names[seat]} {net_text(chips[seat])}" for seat in range(SEATS))
        yield f"      {gained}."


def _holdings(frame: Frame, voice: Voice) -> Iterator[str]:
    for seat in range(SEATS):
        groups, owed = open_hand(frame, seat)
        cards = " | ".join(voice.skin.cards(group) for group in groups if group)
        yield f"      {voice.names[seat]}: {cards or tr('no cards left')} ({points(owed)})"


# --- JSON -----------------------------------------------------------------------------------------------


def json_lines(report: Report, hands: tuple[PlayedHand, ...]) -> Iterator[dict[str, object]]:
    """A line for every step: what happened, and the whole position with all cards open."""
    names = list(report.names or NOBODY)
    for hand in hands:
        for step, frame in enumerate(hand.frames):
            yield {"hand": hand.record.number, "step": step, "names": names, **frame_object(frame)}
        yield {"hand": hand.record.number, "names": names, "record": record_object(hand.record)}


def frame_object(frame: Frame) -> dict[str, object]:
    """One step; cards as texts, `owed` in points."""
    position = frame.position
    opened = [open_hand(frame, seat) for seat in range(SEATS)]
    return {
        "height": frame.height,
        "seat": frame.seat,
        "turn": position.turn,
        "phase": str(position.phase),
        "events": [event_object(event) for event in frame.events],
        "hands": [[card_text(frame.faces[slot]) for slot in position.hands[seat]] for seat in range(SEATS)],
        "groups": [[[card_text(card) for card in group] for group in groups] for groups, _ in opened],
        "owed": [owed for _, owed in opened],
        "melds": [_meld_object(meld, frame) for meld in position.melds],
        "discards": [card_text(card) for _, card in position.discards],
        "stock": [card_text(frame.faces[slot]) for slot in position.stock],
    }


def _meld_object(meld: TableMeld, frame: Frame) -> dict[str, object]:
    return {
        "owner": meld.owner,
        "kind": str(meld.kind),
        "cards": [card_text(frame.faces[slot]) for slot in meld.slots],
        "face_down": meld.face_down,
    }
