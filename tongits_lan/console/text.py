"""Every sentence about the game: events, moves, settlements, refusals, who is awaited.

Owns wording; judges nothing and decides nothing. Sentences are in the past tense, so that "You drew" and
"Ana drew" need one form. A meld with index 3 is called [4], as on the screen.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from tongits_lan.console.skins import LETTERS, Skin
from tongits_lan.game import moves as game
from tongits_lan.game.cards import NATURALS, Laid
from tongits_lan.game.moves import EndKind, Move
from tongits_lan.game.position import Position
from tongits_lan.game.scoring import Settlement
from tongits_lan.ledger import state as ledger
from tongits_lan.ledger.state import Due, HandRecord, LedgerEvent

CLOSED = "The table was closed"
_PLACE = re.compile(r"\{([0-2])\}")
_AWAITED = {
    "sit": "sit down at the table",
    "open": "open the draw for the first dealer",
    "commit": "commit to a shuffle",
    "shuffle": "shuffle",
    "lock": "lock the deck",
    "prove": "prove the shuffle",
    "ready": "accept the shuffle",
    "deal": "deal",
    "pass": "say whether it is a spread",
    "spread": "say whether it is a spread",
    "key": "hand over the drawn card",
    "draw": "draw",
    "take": "draw",
    "call": "draw",
    "answer": "answer the fight",
    "meld": "play",
    "hide": "play",
    "sapaw": "play",
    "discard": "play",
    "end": "agree that the hand is over",
    "reveal": "open the cards",
    "next": "go on to the next hand",
    "leave": "go on to the next hand",
}


@dataclass(frozen=True, slots=True)
class Voice:
    """To whom sentences speak: three cleaned names, the seat called "you" (or nobody), the card skin."""

    names: tuple[str, ...]
    me: int | None = None
    skin: Skin = LETTERS

    def who(self, seat: int) -> str:
        """The player as the beginning of a sentence."""
        return "You" if seat == self.me else self.names[seat]

    def whom(self, seat: int) -> str:
        """The player inside a sentence."""
        return "you" if seat == self.me else self.names[seat]

    def whose(self, seat: int) -> str:
        """The possessive, as in "Ana's run"."""
        return "your" if seat == self.me else f"{self.names[seat]}'s"

    def laid(self, cards: Iterable[Laid], wild: Sequence[int] = ()) -> str:
        """The cards of (slot, card) pairs in the order in which they lie on the table."""
        return self.in_order([card for _, card in cards], wild)

    def in_order(self, codes: Sequence[int], wild: Sequence[int] = ()) -> str:
        """Cards of one meld in its order; `wild` is what its jokers stand for."""
        stands = list(wild)
        placed = sorted((stands.pop(0) if code >= NATURALS and stands else code, code) for code in codes)
        return self.skin.cards(code for _, code in placed)


def fill(reason: str, voice: Voice) -> str:
    """A refusal with {0} {1} {2} replaced by names; other braces stay, also those inside a name."""
    return _PLACE.sub(lambda place: voice.whom(int(place[1])), reason)


def sentence(reason: str, voice: Voice) -> str:
    """A filled refusal with a capital letter and a full stop."""
    text = fill(reason, voice)
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


def points(count: int) -> str:
    """ "1 point", "20 points"."""
    return f"{count} point" if count == 1 else f"{count} points"


def chips(amount: int) -> str:
    """ "1 chip", "20 chips"."""
    return f"{amount} chip" if amount == 1 else f"{amount} chips"


def count_of(number: int, one: str, many: str) -> str:
    """A number with the right form of its noun."""
    return f"{number} {one if number == 1 else many}"


def listing(parts: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + " and " + parts[-1]


# --- what happened ---------------------------------------------------------------------------------


def say(voice: Voice, event: LedgerEvent, position: Position | None = None) -> str | None:
    """The sentence for a ledger event, or None for what no player needs to read.

    `position` is the one after the event; with it a lay-off says on whose meld.
    """
    match event:
        case ledger.Played(event=played):
            return say_played(voice, played, position)
        case ledger.TableOpened(words=words, dealer=dealer):
            return f"The table words are {' '.join(words)}. {voice.who(dealer)} will deal first."
        case ledger.HandBegan(number=number, dealer=dealer):
            return f"Hand {number}: {voice.who(dealer)} dealt."
        case ledger.DeckShuffled(seat=seat):
            return f"{voice.who(seat)} shuffled."
        case ledger.ProofsAccepted(seat=seat):
            return f"{'Your' if seat == voice.me else voice.whose(seat)} shuffle is proved fair."
        case ledger.HandDealt(number=number):
            return f"Hand {number} is dealt."
        case ledger.HandEnding():
            return "The hand is over; the cards are opened."
        case ledger.HandSettled(record=record) | ledger.HandForfeited(record=record):
            return outcome_text(voice, record)
        case ledger.HandConfirmed(seat=seat):
            return f"{voice.who(seat)} confirmed the result."
        case ledger.TableClosed(seat=seat, settlement=settlement):
            by = "after its last hand" if seat is None else f"by {voice.whom(seat)}"
            return f"{CLOSED} {by}.{_pot_split(voice, settlement)}"
        case (
            ledger.Seated()
            | ledger.NonceOpened()
            | ledger.SeedCommitted()
            | ledger.DeckLocked()
            | ledger.SeatReady()
            | ledger.KeysDealt()
            | ledger.KeyReleased()
            | ledger.HandEnded()
            | ledger.SeedRevealed()
        ):
            return None
        case _:
            assert_never(event)


def _pot_split(voice: Voice, settlement: Settlement) -> str:
    shares = [f"{voice.whom(line.to)} {line.chips}" for line in settlement.lines if line.to is not None]
    return f" The pot was split: {listing(shares)}." if shares and settlement.end == "closed" else ""


def say_played(voice: Voice, event: game.Event, position: Position | None = None) -> str | None:
    """The sentence for an event of the game itself."""
    match event:
        case game.Dealt():
            return None
        case game.Drew(seat=seat):
            return f"{voice.who(seat)} drew from the stock."
        case game.Took(seat=seat, card=card):
            return f"{voice.who(seat)} took {voice.skin.card(card)}."
        case game.Melded(seat=seat, cards=cards, wild=wild):
            return f"{voice.who(seat)} laid {voice.laid(cards, wild)}{_wild(voice, wild)}."
        case game.Hid(seat=seat):
            return f"{voice.who(seat)} laid a secret set face down."
        case game.Sapawed(seat=seat, meld=meld, cards=cards, wild=wild):
            where = _meld_of(voice, seat, meld, position)
            return f"{voice.who(seat)} laid off {voice.laid(cards, wild)}{_wild(voice, wild)} on {where}."
        case game.SagasaPaid(seat=seat, chips=amount):
            return f"Sagasa: each of the others paid {voice.whom(seat)} {chips(amount)}."
        case game.Discarded(seat=seat, card=card):
            return f"{voice.who(seat)} threw {voice.skin.card(card)}."
        case game.LockSet(seat=seat, by=by):
            if by == seat:
                return None
            return f"{voice.who(seat)} cannot call a fight next turn: {voice.whom(by)} laid off there."
        case game.Called() | game.Answered() | game.SpreadClaimed() | game.Passed() | game.Ended():
            return _say_showdown(voice, event)
        case _:
            assert_never(event)


def _say_showdown(
    voice: Voice, event: game.Called | game.Answered | game.SpreadClaimed | game.Passed | game.Ended
) -> str | None:
    match event:
        case game.Called(seat=seat, shown=shown):
            return f"{voice.who(seat)} called a fight{_showing(voice, shown)}."
        case game.Answered(seat=seat, word=word, automatic=automatic, shown=shown):
            if word == "challenge":
                return f"{voice.who(seat)} fought back{_showing(voice, shown)}."
            return f"{voice.who(seat)} had to fold." if automatic else f"{voice.who(seat)} folded."
        case game.SpreadClaimed(seat=seat, shown=shown):
            return f"{voice.who(seat)} claimed a spread{_showing(voice, shown)}."
        case game.Passed(seat=seat):
            return f"{voice.who(seat)} claimed no spread."
        case game.Ended(kind=kind, seat=seat):
            if kind is EndKind.TONGITS and seat is not None:
                return f"Tongits! {voice.who(seat)} got rid of every card."
            return "The stock is empty: the counts are compared." if kind is EndKind.STOCK else None
        case _:
            assert_never(event)


def _wild(voice: Voice, wild: Sequence[int]) -> str:
    return f" (joker as {voice.skin.cards(wild)})" if wild else ""


def _showing(voice: Voice, shown: Sequence[Laid]) -> str:
    return f", showing {voice.laid(shown)}" if shown else ""


def _meld_of(voice: Voice, seat: int, meld: int, position: Position | None) -> str:
    if position is None or meld >= len(position.melds):
        return f"meld [{meld + 1}]"
    owner = position.melds[meld].owner
    kind = position.melds[meld].kind.value
    own = "your own" if owner == seat == voice.me else "an own" if owner == seat else voice.whose(owner)
    return f"{own} {kind} [{meld + 1}]"


# --- what may be done ------------------------------------------------------------------------------


def say_move(voice: Voice, move: Move, position: Position, faces: Mapping[int, int] | None = None) -> str:
    """A legal move as a menu line, in the imperative: "lay run 3D 4D 5D".

    With `faces` (slot -> card) a set to be laid face down is named to its own player.
    """
    match move:
        case game.Draw():
            left = len(position.stock)
            return (
                f"draw from the stock ({left} left)" if left else "draw from the empty stock: the hand ends"
            )
        case game.Take(meld=meld, cards=cards, wild=wild):
            return _say_take(voice, meld, cards, wild, position)
        case game.Meld(cards=cards, wild=wild):
            codes = [card for _, card in cards]
            return f"lay {_kind(codes, wild)} {voice.in_order(codes, wild)}{_wild(voice, wild)}"
        case game.Hide(slots=slots):
            if faces is None:
                return "lay a secret set face down"
            return f"lay {voice.skin.cards(faces[slot] for slot in slots)} face down (secret)"
        case game.Sapaw(meld=meld, cards=cards, wild=wild):
            owner = _owner(voice, meld, position)
            return f"sapaw {voice.laid(cards, wild)}{_wild(voice, wild)} on {owner} [{meld + 1}]"
        case game.Discard(card=(_, card)):
            return f"discard {voice.skin.card(card)}"
        case game.Call(cards=cards):
            return f"call a fight{_showing(voice, cards)}"
        case game.Answer(word=word, cards=cards):
            return f"fight back{_showing(voice, cards)}" if word == "challenge" else "fold"
        case game.Spread():
            return "claim the spread: all cards are melds"
        case game.Pass():
            return "claim no spread"
        case _:
            assert_never(move)


def _say_take(
    voice: Voice, meld: int | None, cards: Sequence[Laid], wild: Sequence[int], position: Position
) -> str:
    top = position.discards[-1][1]
    if meld is None:
        codes = [top, *(card for _, card in cards)]
        laid = f"{_kind(codes, wild)} {voice.in_order(codes, wild)}{_wild(voice, wild)}"
        return f"take {voice.skin.card(top)}, lay {laid}"
    also = f" with {voice.laid(cards)}" if cards else ""
    owner = _owner(voice, meld, position)
    return f"take {voice.skin.card(top)}{also} onto {owner} [{meld + 1}]{_wild(voice, wild)}"


def _owner(voice: Voice, meld: int, position: Position) -> str:
    owner = position.melds[meld].owner
    return "your own" if owner == voice.me else voice.names[owner]


def _kind(codes: Sequence[int], wild: Sequence[int]) -> str:
    """What a legal meld is called; its cards are a set exactly if the natural ones share a rank."""
    from_naturals = [code for code in codes if code < NATURALS] + list(wild)
    return "set" if len({code % 13 for code in from_naturals}) == 1 else "run"


def say_due(voice: Voice, due: Due) -> str:
    """What is waited for: "Ben is asked to shuffle", "it is your turn to draw"."""
    todo = _AWAITED.get(due.kinds[0] if due.kinds else "", "go on")
    if due.seat == voice.me:
        return f"You are asked to {todo}."
    return f"Waiting for {voice.names[due.seat]} to {todo}."


# --- how it ended ----------------------------------------------------------------------------------


def outcome_text(voice: Voice, record: HandRecord) -> str:
    """One sentence on a counted hand."""
    settlement = record.settlement
    if record.forfeited_by is not None:
        return f"{voice.who(record.forfeited_by)} gave hand {record.number} up: it is void."
    if settlement.winner is None:
        return f"Hand {record.number} had no winner."
    how = {
        "tongits": "with Tongits",
        "draw": "in a fight" if settlement.challenged else "by a fight that nobody took up",
        "stock": "with the lowest count as the stock ran out",
        "spread": "with a spread",
    }.get(str(settlement.end), "")
    return f"{voice.who(settlement.winner)} won hand {record.number} {how}".rstrip() + "."


def settlement_lines(voice: Voice, settlement: Settlement) -> list[str]:
    """Every transfer as a line: "Ben pays you 3 chips: tongits"."""
    lines = []
    for line in settlement.lines:
        payer = "The pot" if line.from_ is None else voice.who(line.from_)
        receiver = "the pot" if line.to is None else voice.whom(line.to)
        verb = "pay" if line.from_ is not None and line.from_ == voice.me else "pays"
        lines.append(f"{payer} {verb} {receiver} {chips(line.chips)}: {fill(line.reason, voice)}")
    for seat, text in settlement.fouls:
        lines.append(f"Foul by {voice.whom(seat)}: {fill(text, voice)}")
    return lines


def grouped_lines(voice: Voice, settlement: Settlement) -> list[str]:
    """The same transfers with equal ones of several payers in one line, as short as a screen wants them."""
    payers: dict[tuple[int | None, int, str], list[int | None]] = {}
    for line in settlement.lines:
        payers.setdefault((line.to, line.chips, line.reason), []).append(line.from_)
    lines = []
    for (to, amount, reason), seats in payers.items():
        names = listing(["the pot" if seat is None else voice.whom(seat) for seat in seats])
        one = len(seats) == 1 and (seats[0] is None or seats[0] != voice.me)
        each = " each" if len(seats) > 1 else ""
        receiver = "the pot" if to is None else voice.whom(to)
        text = f"{names} {'pays' if one else 'pay'} {receiver} {chips(amount)}{each}"
        lines.append(f"{text[:1].upper()}{text[1:]}: {fill(reason, voice)}")
    return [*lines, *(f"Foul by {voice.whom(seat)}: {fill(text, voice)}" for seat, text in settlement.fouls)]


def net_text(net: int) -> str:
    """A gain or loss with its sign: "+3", "-4", "0"."""
    return f"+{net}" if net > 0 else str(net)


def open_hands(voice: Voice, record: HandRecord, hands: Mapping[int, Sequence[int]]) -> list[str]:
    """One line a player with the cards left in the hand and their count."""
    lines = []
    for seat, codes in hands.items():
        count = record.settlement.counts[seat] if record.settlement.counts else None
        owed = "" if count is None else f"  ({points(count)})"
        lines.append(f"{voice.who(seat)}: {voice.skin.cards(codes) or 'no cards left'}{owed}")
    return lines
