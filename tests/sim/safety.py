"""What must hold after every step of every simulated match.

Of two ledgers one is the beginning of the other; what leaves a seat lies on that one chain; all cards are
somewhere; chips and pot sum to zero; nobody knows a card he should not; nobody honest is convicted.
"""

from collections.abc import Sequence

from tongits_lan.ledger.accept import Acceptance
from tongits_lan.ledger.chain import Descriptor
from tongits_lan.ledger.phases import begin
from tongits_lan.ledger.state import Hand, HandRecord, ProofClaim, State
from tongits_lan.ledger.table import TableView
from tongits_lan.limits import SEATS


def _trust(_: ProofClaim) -> None:
    """The tables judge; here it is about what they do."""


class Safety:
    """The one chain of a match, and the checks against it. Raises AssertionError."""

    def __init__(self, descriptor: Descriptor, acceptance: Acceptance) -> None:
        self.chain: list[bytes] = []
        self.states: list[State] = [begin(descriptor)]
        self._accept = acceptance
        self._shown: dict[tuple[int, int], int] = {}
        """(hand, slot) -> the card that some seat has seen there."""

    @property
    def height(self) -> int:
        """The length of the longest ledger there is."""
        return len(self.chain)

    def stored(self, seat: int, height: int, raw: bytes) -> None:
        """A seat stored an entry of its ledger at `height`."""
        assert height <= len(self.chain), f"seat {seat} stored height {height}, nobody has {len(self.chain)}"
        if height < len(self.chain):
            assert raw == self.chain[height], f"seat {seat} holds another entry at height {height}"
            return
        state, _ = self._accept(self.states[-1], raw, _trust)
        self.chain.append(raw)
        self.states.append(state)
        self._check_state(state)

    def left(self, seat: int, first: int, raws: Sequence[bytes]) -> None:
        """A seat sent entries: they are on the chain, so nobody ever signs beside it."""
        for height, raw in enumerate(raws, first):
            assert height < len(self.chain), f"seat {seat} sent height {height} before anybody stored it"
            assert raw == self.chain[height], f"seat {seat} sent another entry of height {height}"

    def seen(self, view: TableView) -> None:
        """What a seat sees is true, and is only what it may see."""
        assert view.stopped is None, f"seat {view.me} stopped: {view.stopped}"
        assert not view.secrets_lost, f"seat {view.me} lost its secrets"
        state = self.states[view.height]
        assert view.head == state.head
        hand = state.hand
        if hand is None:
            assert not view.faces
            return
        for slot, card in view.faces.items():
            may = slot in hand.faces or _opened_for(hand, view.me, slot)
            assert may, f"seat {view.me} sees slot {slot} at {view.height}"
            shown = self._shown.setdefault((hand.number, slot), card)
            assert shown == card == hand.faces.get(slot, card)
        assert len(set(view.faces.values())) == len(view.faces)

    def _check_state(self, state: State) -> None:
        assert sum(state.match.chips) + state.match.pot == 0
        if len(state.records) > len(self.states[-2].records):
            self._check_record(state.records[-1], state.n)
        hand = state.hand
        if hand is None or hand.position is None:
            return
        position = hand.position
        places = [slot for held in position.hands for slot in held]
        places += [slot for meld in position.melds for slot in meld.slots]
        places += [slot for slot, _ in position.discards]
        places += position.stock
        assert sorted(places) == list(range(state.n))
        if any(seed is not None for seed in hand.seeds):
            return
        _check_keys(hand)

    def _check_record(self, record: HandRecord, n: int) -> None:
        """Of a hand whose cards were opened: they are one deck, and what anybody saw of it was true."""
        if record.faces is None:
            return
        assert sorted(record.faces) == list(range(n))
        for (number, slot), card in self._shown.items():
            assert number != record.number or record.faces[slot] == card


def _opened_for(hand: Hand, seat: int, slot: int) -> bool:
    """Whether a card is in that hand and both other seats have given their keys to it."""
    mine = hand.position is not None and slot in hand.position.hands[seat]
    return mine and all(slot in hand.keys[other] for other in range(SEATS) if other != seat)


def _check_keys(hand: Hand) -> None:
    """A card in a hand is locked by its holder, a card in the stock by all three."""
    assert hand.position is not None
    for seat in range(SEATS):
        for slot in hand.position.hands[seat]:
            assert slot in hand.faces or slot not in hand.keys[seat]
        for slot in hand.position.stock:
            assert slot not in hand.keys[seat]
