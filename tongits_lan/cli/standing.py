"""How a table stands, in plain lines: what a player who cannot see the screen asks for at any moment.

Owns the wording of this overview and of a turn's question; reads a view, decides nothing.
"""

from __future__ import annotations

from tongits_lan.bots import coach
from tongits_lan.console.notices import say_reach
from tongits_lan.console.parts import standing
from tongits_lan.console.rules_words import name_and_mark
from tongits_lan.console.speech import told, tr, trn
from tongits_lan.console.text import Voice, chips, count_of, say_due
from tongits_lan.console.text_coach import hint_text
from tongits_lan.game.describe import chapters, summary
from tongits_lan.game.engine import view as seen_by
from tongits_lan.game.position import Phase, Position, TableMeld
from tongits_lan.ledger.views import TableView
from tongits_lan.net.lobby import LobbyView


def overview(view: TableView, voice: Voice) -> list[str]:
    """Everything a screen would show beside the own hand, a line a fact."""
    proofs = tr("fair: {count}/3 proofs", count=sum(view.proofs))
    lines = [tr("Hand {hand}, pot {pot}, {proofs}.", hand=view.hand_no, pot=view.ante_pot, proofs=proofs)]
    position = view.position
    for seat in range(len(view.names)):
        facts = [chips(view.match.chips[seat])]
        if position is not None:
            facts = [
                count_of(len(position.hands[seat]), "card", "cards"),
                standing(view, seat).replace("  ", ", "),
                *facts,
            ]
        if seat != view.me and view.links[seat].kind != "direct":
            facts.append(say_reach(voice, view.links[seat]))
        lines.append(f"{voice.who(seat)}: {', '.join(facts)}.")
        if position is not None:
            lines.extend(_melds(view, voice, position, seat))
    if position is not None:
        lines.append(thrown(view, voice))
    if view.due is not None:
        lines.append(say_due(voice, view.due))
    return lines


def rules_told(view: LobbyView | TableView) -> list[str]:
    """The rules in words, chapter by chapter."""
    if view.rules is None:
        return []
    rules = view.rules
    lines = [f"{name_and_mark(rules)}: {told(summary(rules))}"]
    for chapter in chapters(rules):
        lines.append(f"{tr(chapter.title)}:")
        lines.extend(f"  {told(sentence.text)}" for sentence in chapter.sentences)
    return lines


def _melds(view: TableView, voice: Voice, position: Position, seat: int) -> list[str]:
    own = [(at, meld) for at, meld in enumerate(position.melds, 1) if meld.owner == seat]
    return [f"  [{at}] {_meld(view, voice, meld)}" for at, meld in own]


def _meld(view: TableView, voice: Voice, meld: TableMeld) -> str:
    if not meld.face_down:
        return voice.skin.cards(card for card in meld.cards if card is not None)
    mine = [view.faces[slot] for slot in meld.slots if slot in view.faces]
    hidden = tr("four cards face down")
    return f"{hidden} ({voice.skin.cards(mine)})" if len(mine) == len(meld.slots) else hidden


def thrown(view: TableView, voice: Voice) -> str:
    """The stock and every discard."""
    position = view.position
    if position is None:
        return tr("Nobody has thrown a card yet.")
    stock = trn("{count} card in the stock", "{count} cards in the stock", len(position.stock))
    cards = [card for _, card in reversed(position.discards)]
    if not cards:
        return tr("{stock}, nothing thrown yet.", stock=stock)
    return tr("{stock}; thrown, newest first: {cards}.", stock=stock, cards=voice.skin.cards(cards))


def turn_facts(view: TableView, voice: Voice) -> str | None:
    """What lies there as a turn begins: the top of the discards and how many cards are left."""
    position = view.position
    if position is None or position.phase is not Phase.START or not position.discards:
        return None
    top = voice.skin.card(position.discards[-1][1])
    stock = trn("{count} card in the stock", "{count} cards in the stock", len(position.stock))
    return tr("On the discards lies {card}; {stock}.", card=top, stock=stock)


def hint(view: TableView, voice: Voice) -> str:
    """What the coach would do, where this table allows hints."""
    if not view.rules.hints:
        return tr("This table plays without hints.")
    if view.position is None or not view.legal:
        return tr("Nothing to do now.")
    mine = {slot: view.faces[slot] for slot in view.position.hands[view.me] if slot in view.faces}
    seen = seen_by(view.position, view.me, mine)
    return hint_text(voice, seen, coach.hint(seen, view.legal))
