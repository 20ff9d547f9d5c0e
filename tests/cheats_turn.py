"""Entries that convict nobody, and entries out of turn."""

from tests.cheating import body_now, cheat, held, other_seat
from tests.scripted import Script
from tongits_lan.errors import Code
from tongits_lan.ledger.messages import (
    Deal,
    DrawStock,
    ForfeitHand,
    LeaveTable,
    Open,
    RevealSeed,
    ShuffleDeck,
    Sit,
    ThrowCard,
)
from tongits_lan.ledger.state import Phase

# Bytes that convict nobody.


@cheat(Phase.SHUFFLE, Code.SIZE, convicts=False)
def an_entry_too_large(script: Script) -> bytes:
    return script.sign(ShuffleDeck(bytes(32 * 600)))


@cheat(Phase.SHUFFLE, Code.DECODE, convicts=False)
def noise(script: Script) -> bytes:
    return b"\xc1" + script.sign(body_now(script))


@cheat(Phase.SHUFFLE, Code.CANONICAL, convicts=False)
def a_long_form(script: Script) -> bytes:
    raw = script.sign(body_now(script))
    assert raw[:2] == b"\x92\xc5"  # bin 16: the same length fits bin 32 as well
    return b"\x92\xc6\x00\x00" + raw[2:]


@cheat(Phase.SHUFFLE, Code.SIGNATURE, convicts=False)
def a_forged_signature(script: Script) -> bytes:
    raw = script.sign(body_now(script))
    return raw[:-1] + bytes([raw[-1] ^ 1])


@cheat(Phase.SHUFFLE, Code.SIGNATURE, convicts=False)
def an_entry_of_another_table(script: Script) -> bytes:
    stranger = Script("another table")
    stranger.until(Phase.SHUFFLE)
    return stranger.sign(body_now(stranger), seat=script.writer())


@cheat(Phase.SHUFFLE, Code.CHAIN, convicts=False)
def an_entry_once_more(script: Script) -> bytes:
    return script.entries[-1]


@cheat(Phase.SHUFFLE, Code.CHAIN, convicts=False)
def an_entry_of_a_height_to_come(script: Script) -> bytes:
    return script.sign(body_now(script), height=script.state.height + 1)


# Before the first hand.


@cheat(Phase.SIT, Code.BODY, "not that of the descriptor")
def another_descriptor_signed(script: Script) -> bytes:
    return script.sign(Sit(bytes(32)))


@cheat(Phase.OPEN, Code.COMMIT, "the nonce does not fit")
def another_nonce(script: Script) -> bytes:
    return script.sign(Open(bytes(32)))


# Out of turn.


@cheat(Phase.COMMIT, Code.PHASE, "shuffle in phase commit")
def a_shuffle_before_all_commits(script: Script) -> bytes:
    return script.sign(ShuffleDeck(bytes(32 * 52)))


@cheat(Phase.COMMIT, Code.WRITER, "wrote, seat")
def a_commit_out_of_turn(script: Script) -> bytes:
    return script.sign(body_now(script), seat=other_seat(script))


@cheat(Phase.COMMIT, Code.WRITER, "wrote, seat")
def a_forfeit_out_of_turn(script: Script) -> bytes:
    return script.sign(ForfeitHand(), seat=other_seat(script))


@cheat(Phase.READY, Code.PHASE, "deal in phase ready")
def a_key_before_three_ready(script: Script) -> bytes:
    return script.sign(Deal(bytes(32 * 24)))


@cheat(Phase.PLAY, Code.WRITER, "wrote, seat")
def a_discard_out_of_turn(script: Script) -> bytes:
    seat = other_seat(script)
    slot = held(script, seat)[0]
    return script.sign(ThrowCard(slot, script.secrets(seat).k[slot]), seat=seat)


@cheat(Phase.PLAY, Code.PHASE, "leave in phase play")
def a_leave_in_mid_hand(script: Script) -> bytes:
    return script.sign(LeaveTable(bytes(32)))


@cheat(Phase.PLAY, Code.PHASE, "draw in phase play: due is meld")
def a_draw_in_the_first_turn(script: Script) -> bytes:
    return script.sign(DrawStock())


@cheat(Phase.END, Code.PHASE, "reveal in phase end")
def a_seed_before_three_ends(script: Script) -> bytes:
    script.write(body_now(script))
    return script.sign(RevealSeed(script.secrets(script.writer()).seed))


@cheat(Phase.END, Code.PHASE, "forfeit in phase end")
def a_forfeit_after_the_end(script: Script) -> bytes:
    return script.sign(ForfeitHand())


@cheat(Phase.SETTLE, Code.PHASE, "next in phase closed")
def an_entry_after_a_leave(script: Script) -> bytes:
    seat, result = script.writer(), body_now(script)
    script.leave()
    return script.sign(result, seat=seat)
