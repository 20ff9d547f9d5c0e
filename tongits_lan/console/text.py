"""Every sentence about the game: events, moves, settlements, refusals, who is awaited.

Owns wording; judges nothing and decides nothing. Sentences are in the past tense, so that "You drew" and
"Ana drew" need one form. A meld with index 3 is called [4], as on the screen. The texts here are English;
`tr` says it in the language of the player.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from tongits_lan.console.skins import LETTERS, Skin
from tongits_lan.console.speech import Party, told, tr, trn
from tongits_lan.game import moves as game
from tongits_lan.game import sentences
from tongits_lan.game.cards import NATURALS, Laid, parse_card
from tongits_lan.game.moves import EndKind, Move
from tongits_lan.game.position import Position
from tongits_lan.game.scoring import Settlement
from tongits_lan.game.sentences import Phrase, mark
from tongits_lan.game.shapes import MeldKind
from tongits_lan.ledger import state as ledger
from tongits_lan.ledger.state import Due, HandRecord, LedgerEvent

_PLACE = re.compile(r"\{([0-2])(?::(\w+))?\}")
_AWAITED = {
    "sit": (
        mark("You are asked to sit down at the table."),
        mark("Waiting for {who} to sit down at the table."),
    ),
    "open": (
        mark("You are asked to open the draw for the first dealer."),
        mark("Waiting for {who} to open the draw for the first dealer."),
    ),
    "commit": (
        mark("You are asked to commit to a shuffle."),
        mark("Waiting for {who} to commit to a shuffle."),
    ),
    "shuffle": (mark("You are asked to shuffle."), mark("Waiting for {who} to shuffle.")),
    "lock": (mark("You are asked to lock the deck."), mark("Waiting for {who} to lock the deck.")),
    "prove": (mark("You are asked to prove the shuffle."), mark("Waiting for {who} to prove the shuffle.")),
    "ready": (mark("You are asked to accept the shuffle."), mark("Waiting for {who} to accept the shuffle.")),
    "deal": (mark("You are asked to deal."), mark("Waiting for {who} to deal.")),
    "pass": (
        mark("You are asked to say whether it is a spread."),
        mark("Waiting for {who} to say whether it is a spread."),
    ),
    "spread": (
        mark("You are asked to say whether it is a spread."),
        mark("Waiting for {who} to say whether it is a spread."),
    ),
    "key": (
        mark("You are asked to hand over the drawn card."),
        mark("Waiting for {who} to hand over the drawn card."),
    ),
    "draw": (mark("You are asked to draw."), mark("Waiting for {who} to draw.")),
    "take": (mark("You are asked to draw."), mark("Waiting for {who} to draw.")),
    "call": (mark("You are asked to draw."), mark("Waiting for {who} to draw.")),
    "answer": (mark("You are asked to answer the fight."), mark("Waiting for {who} to answer the fight.")),
    "meld": (mark("You are asked to play."), mark("Waiting for {who} to play.")),
    "hide": (mark("You are asked to play."), mark("Waiting for {who} to play.")),
    "sapaw": (mark("You are asked to play."), mark("Waiting for {who} to play.")),
    "discard": (mark("You are asked to play."), mark("Waiting for {who} to play.")),
    "end": (
        mark("You are asked to agree that the hand is over."),
        mark("Waiting for {who} to agree that the hand is over."),
    ),
    "reveal": (mark("You are asked to open the cards."), mark("Waiting for {who} to open the cards.")),
    "next": (
        mark("You are asked to go on to the next hand."),
        mark("Waiting for {who} to go on to the next hand."),
    ),
    "leave": (
        mark("You are asked to go on to the next hand."),
        mark("Waiting for {who} to go on to the next hand."),
    ),
}


_LONG = 6  # cards; a run of so many is named by its ends where it is one of several choices
_GOES_ON = (mark("You are asked to go on."), mark("Waiting for {who} to go on."))
_WON = {
    "tongits": mark("{who} won hand {number} with Tongits."),
    "challenged": mark("{who} won hand {number} in a fight."),
    mark("draw"): mark("{who} won hand {number} by a fight that nobody took up."),
    "stock": mark("{who} won hand {number} with the lowest count as the stock ran out."),
    "spread": mark("{who} won hand {number} with a spread."),
}
_WON_SOMEHOW = mark("{who} won hand {number}.")
EMPTY_DRAW = mark("draw from the empty stock: the hand ends")


@dataclass(frozen=True, slots=True)
class Voice:
    """To whom sentences speak: three cleaned names, the seat called "you" (or nobody), the card skin."""

    names: tuple[str, ...]
    me: int | None = None
    skin: Skin = LETTERS

    def who(self, seat: int) -> Party:
        """The player as the beginning of a sentence."""
        return self._person(seat, tr("You"), self.names[seat])

    def whom(self, seat: int) -> Party:
        """The player inside a sentence."""
        return self._person(seat, tr("you"), self.names[seat])

    def whose(self, seat: int) -> Party:
        """The possessive, as in "Ana's run"."""
        return self._person(seat, tr("your"), tr("{name}'s", name=self.names[seat]))

    def _person(self, seat: int, you: str, other: str) -> Party:
        is_me = seat == self.me
        return Party(you if is_me else other, self.names[seat], "me" if is_me else "other")

    def begun(self, text: str) -> str:
        """The text as the beginning of a sentence: with a capital letter, unless a player's name begins it,
        which stays as it is written."""
        for name in self.names:
            if text.startswith(name) and not text[len(name) : len(name) + 1].isalnum():
                return text
        return text[:1].upper() + text[1:]

    def laid(self, cards: Iterable[Laid], wild: Sequence[int] = ()) -> str:
        """The cards of (slot, card) pairs in the order in which they lie on the table."""
        return self.in_order([card for _, card in cards], wild)

    def in_order(self, codes: Sequence[int], wild: Sequence[int] = ()) -> str:
        """Cards of one meld in its order; `wild` is what its jokers stand for."""
        stands = list(wild)
        placed = sorted((stands.pop(0) if code >= NATURALS and stands else code, code) for code in codes)
        return self.skin.cards(code for _, code in placed)


def fill(reason: str, voice: Voice) -> str:
    """A refusal in the player's language, its cards as this screen shows them, with {0} {1} {2} replaced by
    names; other braces stay, also those inside a name."""

    def name(place: re.Match[str]) -> str:
        who = voice.whom(int(place[1]))
        return who.form(place[2]) if place[2] else who

    return _PLACE.sub(name, told(_with_faces(reason, voice.skin)))


_CARD_FIELDS = frozenset({"cards", "thrown", "held"})  # where the rules name cards, by their two letters


def _with_faces(reason: str, skin: Skin) -> str:
    """A reason of the rules with its cards in suits or letters, a ten as 10."""
    if not isinstance(reason, Phrase):
        return reason

    def shown(name: str, value: str | int) -> str | int:
        if isinstance(value, int) or (name not in _CARD_FIELDS and not isinstance(value, Phrase)):
            return value
        if isinstance(value, Phrase):
            return _with_faces(value, skin)
        return skin.cards(parse_card(card) for card in value.split())

    return Phrase(reason.template, tuple((name, shown(name, value)) for name, value in reason.fields))


def sentence(reason: str, voice: Voice) -> str:
    """A filled refusal with a capital letter and a full stop."""
    text = voice.begun(fill(reason, voice))
    return text if text.endswith((".", "!", "?")) else text + "."


def points(count: int) -> str:
    """ "1 point", "20 points"."""
    return trn("{count} point", "{count} points", count)


def chips(amount: int) -> str:
    """ "1 chip", "20 chips"."""
    return told(sentences.chips(amount))


def count_of(number: int, one: str, many: str) -> str:
    """A number with the right form of its noun."""
    return f"{number} {trn(one, many, number)}"


def listing(parts: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return tr("{some} and {last}", some=", ".join(parts[:-1]), last=parts[-1])


# --- what happened ---------------------------------------------------------------------------------


def say(voice: Voice, event: LedgerEvent, position: Position | None = None) -> str | None:
    """The sentence for a ledger event, or None for what no player needs to read.

    `position` is the one after the event; with it a lay-off says on whose meld.
    """
    match event:
        case ledger.Played(event=played):
            return say_played(voice, played, position)
        case ledger.TableOpened(words=words, dealer=dealer):
            first = voice.who(dealer)
            return tr("The table words are {words}. {who} will deal first.", words=" ".join(words), who=first)
        case ledger.HandBegan(number=number, dealer=dealer):
            if dealer == voice.me:
                return tr("Hand {number}: you deal.", number=number)
            return tr("Hand {number}: {who} deals.", number=number, who=voice.who(dealer))
        case ledger.DeckShuffled(seat=seat):
            return tr("{who} shuffled.", who=voice.who(seat))
        case ledger.ProofsAccepted(seat=seat):
            if seat == voice.me:
                return tr("Your shuffle is proved fair.")
            return tr("{whose} shuffle is proved fair.", whose=voice.whose(seat))
        case ledger.HandDealt(number=number):
            return tr("Hand {number} is dealt.", number=number)
        case ledger.HandEnding():
            return tr("The hand is over; the cards are opened.")
        case ledger.HandSettled(record=record) | ledger.HandForfeited(record=record):
            return outcome_text(voice, record)
        case ledger.HandConfirmed(seat=seat):
            return tr("{who} confirmed the result.", who=voice.who(seat))
        case ledger.TableClosed(seat=seat, settlement=settlement):
            split = _pot_split(voice, settlement)
            if seat is None:
                return tr("The table was closed after its last hand.") + split
            return tr("The table was closed by {who}.", who=voice.whom(seat)) + split
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
    if not shares or settlement.end != "closed":
        return ""
    return " " + tr("The pot was split: {shares}.", shares=listing(shares))


def say_played(voice: Voice, event: game.Event, position: Position | None = None) -> str | None:
    """The sentence for an event of the game itself."""
    match event:
        case game.Dealt():
            return None
        case game.Drew(seat=seat):
            return tr("{who} drew from the stock.", who=voice.who(seat))
        case game.Took(seat=seat, card=card):
            return tr("{who} took {card}.", who=voice.who(seat), card=voice.skin.card(card))
        case game.Melded(seat=seat, cards=cards, wild=wild):
            laid = voice.laid(cards, wild) + _wild(voice, wild)
            return tr("{who} laid {cards}.", who=voice.who(seat), cards=laid)
        case game.Hid(seat=seat):
            return tr("{who} laid a secret set face down.", who=voice.who(seat))
        case game.Sapawed(seat=seat, meld=meld, cards=cards, wild=wild):
            return tr(
                "{who} laid off {cards} on {meld}.",
                who=voice.who(seat),
                cards=voice.laid(cards, wild) + _wild(voice, wild),
                meld=_meld_of(voice, seat, meld, position),
            )
        case game.SagasaPaid(seat=seat, chips=amount):
            paid = chips(amount)
            return tr("Sagasa: each of the others paid {who} {chips}.", who=voice.whom(seat), chips=paid)
        case game.Discarded(seat=seat, card=card):
            return tr("{who} threw {card}.", who=voice.who(seat), card=voice.skin.card(card))
        case game.LockSet(seat=seat, by=by):
            if by == seat:
                return None
            return tr(
                "{who} cannot call a fight next turn: {by} laid off there.",
                who=voice.who(seat),
                by=voice.whom(by),
            )
        case game.Called() | game.Answered() | game.SpreadClaimed() | game.Passed() | game.Ended():
            return _say_showdown(voice, event)
        case _:
            assert_never(event)


def _say_showdown(
    voice: Voice, event: game.Called | game.Answered | game.SpreadClaimed | game.Passed | game.Ended
) -> str | None:
    match event:
        case game.Called(seat=seat, shown=shown):
            return _shown(voice, tr("{who} called a fight", who=voice.who(seat)), shown) + "."
        case game.Answered(seat=seat, word=word, automatic=automatic, shown=shown):
            if word == "challenge":
                return _shown(voice, tr("{who} fought back", who=voice.who(seat)), shown) + "."
            return tr("{who} had to fold." if automatic else "{who} folded.", who=voice.who(seat))
        case game.SpreadClaimed(seat=seat, shown=shown):
            return _shown(voice, tr("{who} claimed a spread", who=voice.who(seat)), shown) + "."
        case game.Passed(seat=seat):
            return tr("{who} claimed no spread.", who=voice.who(seat))
        case game.Ended(kind=kind, seat=seat):
            if kind is EndKind.TONGITS and seat is not None:
                return tr("Tongits! {who} got rid of every card.", who=voice.who(seat))
            return tr("The stock is empty: the counts are compared.") if kind is EndKind.STOCK else None
        case _:
            assert_never(event)


def _wild(voice: Voice, wild: Sequence[int]) -> str:
    return " " + tr("(joker as {cards})", cards=voice.skin.cards(wild)) if wild else ""


def _shown(voice: Voice, done: str, shown: Sequence[Laid]) -> str:
    return tr("{done}, showing {cards}", done=done, cards=voice.laid(shown)) if shown else done


def _meld_of(voice: Voice, seat: int, meld: int, position: Position | None) -> str:
    if position is None or meld >= len(position.melds):
        return tr("meld [{n}]", n=meld + 1)
    owner = position.melds[meld].owner
    is_set = position.melds[meld].kind is MeldKind.SET
    if owner == seat == voice.me:
        return tr("your own set [{n}]" if is_set else "your own run [{n}]", n=meld + 1)
    if owner == seat:
        return tr("their own set [{n}]" if is_set else "their own run [{n}]", n=meld + 1)
    return tr("{whose} set [{n}]" if is_set else "{whose} run [{n}]", whose=voice.whose(owner), n=meld + 1)


# --- what may be done ------------------------------------------------------------------------------


def say_move(voice: Voice, move: Move, position: Position, faces: Mapping[int, int] | None = None) -> str:
    """A legal move as a menu line, in the imperative: "lay run 3D 4D 5D".

    With `faces` (slot -> card) a set to be laid face down is named to its own player.
    """
    match move:
        case game.Draw():
            return say_draw(len(position.stock))
        case game.Take(meld=meld, cards=cards, wild=wild):
            return _say_take(voice, meld, cards, wild, position)
        case game.Meld(cards=cards, wild=wild):
            codes = [card for _, card in cards]
            return tr("lay {meld}", meld=_meld_named(voice, codes, wild))
        case game.Hide(slots=slots):
            if faces is None:
                return tr("lay a secret set face down")
            hidden = voice.skin.cards(faces[slot] for slot in slots)
            return tr("lay {cards} face down (secret)", cards=hidden)
        case game.Sapaw(meld=meld, cards=cards, wild=wild):
            laid = voice.laid(cards, wild) + _wild(voice, wild)
            if position.melds[meld].owner == voice.me:
                return tr("sapaw {cards} on your own [{n}]", cards=laid, n=meld + 1)
            return tr(
                "sapaw {cards} on {who} [{n}]", cards=laid, who=_owner(voice, meld, position), n=meld + 1
            )
        case game.Discard(card=(_, card)):
            return tr("discard {card}", card=voice.skin.card(card))
        case game.Call(cards=cards):
            return _shown(voice, tr("call a fight"), cards)
        case game.Answer(word=word, cards=cards):
            return _shown(voice, tr("fight back"), cards) if word == "challenge" else tr("fold")
        case game.Spread():
            return tr("claim the spread: all cards are melds")
        case game.Pass():
            return tr("claim no spread")
        case _:
            assert_never(move)


def say_draw(left: int) -> str:
    """The draw from a stock of so many cards, as a menu line."""
    return tr("draw from the stock ({left} left)", left=left) if left else tr(EMPTY_DRAW)


def _say_take(
    voice: Voice, meld: int | None, cards: Sequence[Laid], wild: Sequence[int], position: Position
) -> str:
    top = position.discards[-1][1]
    taken = voice.skin.card(top)
    if meld is None:
        codes = [top, *(card for _, card in cards)]
        return tr("take {card}, lay {meld}", card=taken, meld=_meld_named(voice, codes, wild))
    if cards:
        taken = tr("{card} with {cards}", card=taken, cards=voice.laid(cards))
    if position.melds[meld].owner == voice.me:
        text = tr("take {card} onto your own [{n}]", card=taken, n=meld + 1)
    else:
        owner = _owner(voice, meld, position)
        text = tr("take {card} onto {who} [{n}]", card=taken, who=owner, n=meld + 1)
    return text + _wild(voice, wild)


def _owner(voice: Voice, meld: int, position: Position) -> Party:
    return voice.whom(position.melds[meld].owner)


def _meld_named(voice: Voice, codes: Sequence[int], wild: Sequence[int]) -> str:
    """A meld about to be laid, with its kind: "run 3D 4D 5D"; a long run by its ends."""
    if len(codes) >= _LONG and not wild:
        ends = (voice.skin.card(card) for card in (min(codes), max(codes)))
        return tr("run {first} to {last}", first=next(ends), last=next(ends))
    cards = voice.in_order(codes, wild) + _wild(voice, wild)
    return tr("set {cards}" if _kind(codes, wild) is MeldKind.SET else "run {cards}", cards=cards)


def _kind(codes: Sequence[int], wild: Sequence[int]) -> MeldKind:
    """What a legal meld is called; its cards are a set exactly if the natural ones share a rank."""
    from_naturals = [code for code in codes if code < NATURALS] + list(wild)
    return MeldKind.SET if len({code % 13 for code in from_naturals}) == 1 else MeldKind.RUN


def say_due(voice: Voice, due: Due) -> str:
    """What is waited for: "Ben is asked to shuffle", "it is your turn to draw"."""
    mine, theirs = _AWAITED.get(due.kinds[0] if due.kinds else "", _GOES_ON)
    return tr(mine) if due.seat == voice.me else tr(theirs, who=voice.whom(due.seat))


# --- how it ended ----------------------------------------------------------------------------------


def outcome_text(voice: Voice, record: HandRecord) -> str:
    """One sentence on a counted hand."""
    settlement = record.settlement
    if record.forfeited_by is not None:
        giver = voice.who(record.forfeited_by)
        return tr("{who} gave hand {number} up: it is void.", who=giver, number=record.number)
    if settlement.winner is None:
        return tr("Hand {number} had no winner.", number=record.number)
    end = "challenged" if settlement.end == "draw" and settlement.challenged else str(settlement.end)
    return tr(_WON.get(end, _WON_SOMEHOW), who=voice.who(settlement.winner), number=record.number)


def settlement_lines(voice: Voice, settlement: Settlement) -> list[str]:
    """Every transfer as a line: "Ben pays you 3 chips: tongits"."""
    lines = []
    for line in settlement.lines:
        lines.append(_paid(voice, [line.from_], line.to, line.chips, line.reason))
    return [*lines, *_fouls(voice, settlement)]


def _fouls(voice: Voice, settlement: Settlement) -> list[str]:
    return [
        tr("Foul by {who}: {what}", who=voice.whom(seat), what=fill(text, voice))
        for seat, text in settlement.fouls
    ]


def _paid(voice: Voice, payers: Sequence[int | None], to: int | None, amount: int, reason: str) -> str:
    """ "Ben pays you 3 chips: tongits", "You and Ben pay the pot 1 chip each: ante"."""
    if len(payers) > 1:
        names = listing([_party(voice, payer) for payer in payers])
        text = tr("{who} pay {to} {chips} each", who=names, to=_party(voice, to), chips=chips(amount))
    elif payers[0] is None:
        text = tr("The pot pays {to} {chips}", to=_party(voice, to), chips=chips(amount))
    elif payers[0] == voice.me:
        text = tr("You pay {to} {chips}", to=_party(voice, to), chips=chips(amount))
    else:
        who = voice.who(payers[0])
        text = tr("{who} pays {to} {chips}", who=who, to=_party(voice, to), chips=chips(amount))
    what_for = fill(_PAID_FOR.get(reason, reason), voice)
    return tr("{paid}: {reason}", paid=voice.begun(text), reason=what_for)


_PAID_FOR = {  # where the rules' own word would be taken for another thing at the table
    mark("base"): mark("the win"),
    mark("draw"): mark("a fight that nobody took up"),
    mark("challenged draw"): mark("a fight"),
    mark("draw with a count of zero"): mark("a fight won with a count of zero"),
}


def _party(voice: Voice, seat: int | None) -> Party:
    return Party(tr("the pot"), "", "pot") if seat is None else voice.whom(seat)


def grouped_lines(voice: Voice, settlement: Settlement) -> list[str]:
    """The same transfers with equal ones of several payers in one line, as short as a screen wants them."""
    payers: dict[tuple[int | None, int, str], list[int | None]] = {}
    for line in settlement.lines:
        payers.setdefault((line.to, line.chips, line.reason), []).append(line.from_)
    lines = []
    for (to, amount, reason), seats in payers.items():
        lines.append(_paid(voice, seats, to, amount, reason))
    return [*lines, *_fouls(voice, settlement)]


def net_text(net: int) -> str:
    """A gain or loss with its sign: "+3", "-4", "0"."""
    return f"+{net}" if net > 0 else str(net)
