"""One seat's side of a table, without input or output of its own.

Owns what a caller may tell a table and ask of it: links, messages, jobs, time, the wishes of the player.
What it answers is to be stored, sent and computed by the caller. Must not know: sockets, files, threads,
any clock or source of randomness but those it is given.
"""

from collections.abc import Callable, MutableMapping, Sequence
from typing import assert_never

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tongits_lan.errors import Fault, PeerFault, Refused
from tongits_lan.game import engine
from tongits_lan.game.moves import Move
from tongits_lan.game.refusals import seat_name
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.accept import Acceptance, accept
from tongits_lan.ledger.chain import Descriptor
from tongits_lan.ledger.core import Core
from tongits_lan.ledger.effects import (
    AppendEntry,
    Effects,
    EraseSecrets,
    Job,
    RejectedByPeer,
    SaveEvidence,
    SaveSecret,
    StoreOp,
    TableEvent,
    TableMessage,
)
from tongits_lan.ledger.messages import Differ, Entries, Get, Have, Presence, Reject
from tongits_lan.ledger.own import PLAYERS_KINDS
from tongits_lan.ledger.phases import due, hand_of
from tongits_lan.ledger.play import body_of
from tongits_lan.ledger.playback import PlayedHand, played_hand
from tongits_lan.ledger.private import HandSecret
from tongits_lan.ledger.state import Phase, ProofClaim
from tongits_lan.ledger.texts import clean
from tongits_lan.ledger.views import Mine, TableView, make_view
from tongits_lan.limits import CHAT_MAX

__all__ = [
    "AppendEntry",
    "Effects",
    "EraseSecrets",
    "HandSecret",
    "Job",
    "SaveEvidence",
    "SaveSecret",
    "StoreOp",
    "Table",
    "TableEvent",
    "TableMessage",
    "TableView",
]

UNFINISHED = frozenset(
    {
        Phase.COMMIT,
        Phase.SHUFFLE,
        Phase.LOCK,
        Phase.PROVE,
        Phase.READY,
        Phase.DEAL,
        Phase.SPREAD,
        Phase.PLAY,
    }
)
"""Where a hand may still be given up."""


class Table:
    """The table as seat `me` has it. `now` is always in seconds of one monotonic clock.

    `entries` and `secrets` are what the store holds; `loaded` says that they come from there, so that
    nothing is signed before heads were compared. `evidence` is the stored evidence file of this table: it
    stays stopped. `verdicts` remembers which proofs hold; `acceptance` is `accept`, or remembers its answers.
    Raises PeerFault when `entries` are no ledger.
    """

    def __init__(
        self,
        *,
        me: int,
        key: Ed25519PrivateKey,
        descriptor: Descriptor,
        nonce: bytes,
        entropy: Callable[[int], bytes],
        entries: Sequence[bytes] = (),
        secrets: Sequence[HandSecret] = (),
        loaded: bool = False,
        waits_for_words: bool = True,
        verdicts: MutableMapping[ProofClaim, Fault | None] | None = None,
        evidence: bytes | None = None,
        acceptance: Acceptance = accept,
    ) -> None:
        self._me = me
        self._core = Core(
            me=me,
            key=key,
            descriptor=descriptor,
            nonce=nonce,
            entropy=entropy,
            entries=entries,
            secrets=secrets,
            loaded=loaded,
            waits_for_words=waits_for_words,
            verdicts=verdicts,
            acceptance=acceptance,
        )
        if evidence is not None:
            self._core.stop_again(evidence)

    # What happens

    def start(self, now: float) -> None:
        """The table is on screen and its files are open: go on."""
        self._core.start(now)

    def link_up(self, seat: int, now: float) -> None:
        """There is a new authenticated link to `seat`, perhaps in place of an older one."""
        core = self._at(now)
        core.sync.link_up(seat)
        core.links.link_up(seat)
        core.exhibit.show(seat)
        core.dispute.show(seat)
        core.advance()

    def link_down(self, seat: int, now: float) -> None:
        """The link to `seat` is gone."""
        core = self._at(now)
        core.sync.link_down(seat)
        core.links.link_down(seat)
        core.advance()

    def receive(self, seat: int, message: TableMessage, now: float) -> None:
        """`message` came over the link to `seat`; one from a seat without a link is dropped."""
        core = self._at(now)
        if not core.links.is_up(seat):
            return
        if core.stop is not None:
            core.exhibit.heard(seat, message)
        match message:
            case Have():
                if core.goes_on:
                    core.sync.have(seat, message, core.intake.expected)
            case Get():
                core.answer(seat, message)
            case Entries(first, raws):
                if core.goes_on:
                    core.intake.entries(seat, first, raws)
            case Reject(_, code, text):
                core.box.events.append(RejectedByPeer(seat, clean(code, CHAT_MAX), clean(text, CHAT_MAX)))
            case Presence():
                core.links.heard(seat, message)
            case Differ():
                if core.stop is None:
                    core.dispute.heard(seat, message, core.state)
            case _:
                assert_never(message)
        core.advance()

    def finish(self, job: Job, result: object, now: float) -> None:
        """`job`, ordered by this table, returned `result`."""
        core = self._at(now)
        core.workshop.finish(job, result)
        if core.goes_on:
            core.intake.judged()
        core.advance()

    def tick(self, now: float) -> None:
        """Time has passed; call it at `next_deadline()` at the latest."""
        core = self._at(now)
        if core.sync.tick(core.now):
            core.links.tell()
        core.advance()

    def next_deadline(self) -> float | None:
        """When `tick` is wanted, in seconds of the caller's clock; None before `start`."""
        return self._core.deadline()

    def take(self) -> Effects:
        """Everything to do since the last call. The store ops come first, durably and in order."""
        return self._core.box.take()

    # What the player says

    def submit(self, move: Move, now: float) -> None:
        """Make a move. Raises Refused with a sentence ({0}, {1}, {2} stand for the names of the seats)."""
        core = self._at(now)
        self._check_turn()
        hand = hand_of(core.state)
        assert hand.position is not None
        held = {slot: core.faces[slot] for slot in hand.position.hands[self._me] if slot in core.faces}
        reason = engine.why_not(engine.View(self._me, hand.position, held), move)
        if reason is not None:
            raise Refused(reason)
        if move not in core.legal:
            raise Refused("That move is not among those you may make: choose one of the list.")
        try:
            core.write(body_of(core.state, move, lambda slot: core.private.key(hand, slot)))
        except PeerFault as fault:
            text = phrase("The move does not pass this table's own checks ({fault}).", fault=fault)
            raise Refused(text) from fault
        core.advance()

    def confirm_words(self, now: float) -> None:
        """The players have read the same four table words."""
        core = self._at(now)
        self._check_open()
        if core.state.words is None:
            raise Refused("There are no table words yet: wait until all three seats are at the table.")
        core.wishes.words_confirmed = True
        core.advance()

    def words_differ(self, now: float) -> None:
        """The players have read different words: nothing is begun at this table. Raises Refused later."""
        core = self._at(now)
        self._check_open()
        if core.wishes.words_confirmed or not core.dispute.raise_by(self._me, core.state):
            raise Refused(
                "The table words were confirmed: leave the table after the hand, or give the hand up."
            )
        core.advance()

    def go_on(self, now: float) -> None:
        """Confirm the result of the settled hand, now or when this seat's turn to sign comes."""
        core = self._at(now)
        core.wishes.go_on_after = self._settled_hand()
        core.advance()

    def leave(self, now: float) -> None:
        """Close the table for good after the settled hand, now or when this seat's turn to sign comes."""
        core = self._at(now)
        core.wishes.leave_after = self._settled_hand()
        core.advance()

    def give_up(self, now: float) -> None:
        """Forfeit the running hand, now or when this seat's turn to write comes."""
        core = self._at(now)
        self._check_open()
        if core.spoiled:
            raise Refused("The secrets of this hand do not fit the ledger: nothing more is signed in it.")
        if not self._can_give_up():
            raise Refused("There is no hand to give up: that goes from its beginning to its last card.")
        core.wishes.give_up = hand_of(core.state).number
        core.advance()

    def wait(self, now: float) -> None:
        """Keep waiting for the seat that is missed."""
        core = self._at(now)
        core.absence.wait(core.now)
        core.advance()

    def quit(self, now: float) -> None:
        """Tell the others that this program is being closed; nothing is signed."""
        self._at(now).links.quit()

    # What there is to see

    def view(self, now: float) -> TableView:
        """What this seat may see and do at `now`."""
        core = self._at(now)
        state = core.state
        confirmable = self._can_confirm()
        mine = Mine(
            match=state.match if core.outcome is None else core.outcome,
            faces=dict(core.faces),
            legal=core.legal if core.may_sign else (),
            words_confirmed=core.wishes.words_confirmed,
            stopped=core.stop,
            links=(core.links.reach(0), core.links.reach(1), core.links.reach(2)),
            awaited_since=core.absence.since,
            grace_over=core.absence.grace_over,
            can_confirm_words=core.running and state.words is not None and not core.wishes.words_confirmed,
            can_go_on=confirmable,
            can_leave=confirmable,
            can_give_up=core.running and self._can_give_up() and not self._giving_up(),
            giving_up=core.running and self._giving_up(),
            level=core.sync.level,
            called_off=core.dispute.by,
            secrets_lost=core.secrets_lost,
        )
        return make_view(state, self._me, mine)

    @property
    def has_proof(self) -> bool:
        """Whether this table stopped for what a seat signed, so that there is evidence."""
        return self._core.exhibit.is_open

    @property
    def uninformed(self) -> tuple[int, ...]:
        """The honest seats not yet known to hold what proves why this table stopped; it is shown to every
        linked seat. Nobody while it has not, or where nobody is convicted."""
        return self._core.exhibit.uninformed(self._me)

    @property
    def unaware(self) -> tuple[int, ...]:
        """The seats not yet known to have heard that this table was called off; nobody while it was not."""
        return self._core.dispute.unaware

    def played(self) -> PlayedHand | None:
        """The last settled hand, move by move with open cards; None before there is one."""
        state = self._core.state
        record = next((found for found in reversed(state.records) if found.faces is not None), None)
        if record is None:
            return None
        entries = self._core.book.entries[record.first_height : record.last_height + 1]
        return played_hand(state.descriptor.rules, entries, record)

    # What is asked of both

    def _at(self, now: float) -> Core:
        self._core.pass_time(now)
        return self._core

    def _check_open(self) -> None:
        """Raises Refused when nothing can be written at this table any more."""
        if self._core.stop is not None:
            raise Refused("The table has stopped: nothing moves any more. Leave it and start a new one.")
        if self._core.state.closed:
            raise Refused("The table is closed. Start a new one to play on.")
        if self._core.dispute.by is not None:
            raise Refused("The table words differ, so nothing is dealt here. Leave it and start a new one.")

    def _check_turn(self) -> None:
        self._check_open()
        core = self._core
        if core.trouble is not None:
            raise Refused("The secrets of this hand do not fit the ledger: nothing more is signed in it.")
        if not core.may_sign:
            raise Refused("This table is still being compared with the others: wait a moment.")
        writer = due(core.state)
        assert writer is not None
        if writer.seat != self._me:
            raise Refused(phrase("It is not your turn: {who} is to go.", who=seat_name(writer.seat)))
        if not PLAYERS_KINDS.intersection(writer.kinds):
            raise Refused("There is no move to make now: the cards are being dealt or opened.")

    def _settled_hand(self) -> int:
        """The number of the hand whose result is to be confirmed. Raises Refused if there is none."""
        self._check_open()
        if self._core.state.phase is not Phase.SETTLE:
            raise Refused("There is no result to confirm now: the hand is not over yet.")
        if not self._can_confirm():
            raise Refused("You have confirmed this result: the others have not yet.")
        return hand_of(self._core.state).number

    def _can_confirm(self) -> bool:
        core = self._core
        if not core.running or core.state.phase is not Phase.SETTLE:
            return False
        hand = hand_of(core.state)
        wished = hand.number in (core.wishes.go_on_after, core.wishes.leave_after)
        return not wished and self._me in hand.order[core.state.done :]

    def _can_give_up(self) -> bool:
        core = self._core
        return core.state.hand is not None and core.state.phase in UNFINISHED and not core.spoiled

    def _giving_up(self) -> bool:
        hand = self._core.state.hand
        return hand is not None and self._can_give_up() and self._core.wishes.give_up == hand.number
