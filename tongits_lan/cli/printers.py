"""The two voices of the line modes: sentences for people, objects for programs. They decide nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from tongits_lan.cli.as_json import event_object, found_object, plain, rules_object
from tongits_lan.cli.asides import keys
from tongits_lan.cli.lines import max_rss_mb, now
from tongits_lan.cli.menu import Menu
from tongits_lan.cli.output import Out, Straight, json_line
from tongits_lan.cli.standing import turn_facts
from tongits_lan.console.notices import say_proof, say_table
from tongits_lan.console.people import say_past
from tongits_lan.console.rules_words import name_and_mark, news, say_change, say_hands, say_turn
from tongits_lan.console.speech import told, tr, trn
from tongits_lan.console.text import Voice, listing, points, sentence, settlement_lines
from tongits_lan.game.cards import card_text
from tongits_lan.game.melds import arrange
from tongits_lan.game.moves import Discard, Drew, Move
from tongits_lan.game.rules import Rules
from tongits_lan.ledger.effects import LinkChanged
from tongits_lan.ledger.state import HandForfeited, HandRecord, HandSettled, Played, TableClosed
from tongits_lan.ledger.views import TableView
from tongits_lan.net.session import (
    ChatHeard,
    LinkNote,
    LobbyChanged,
    LobbyView,
    RulesChanged,
    SessionEvent,
    TableBegan,
)


class JsonPrinter:
    """One object a line; `at` is seconds since 1970."""

    def __init__(self, out: Out | None = None) -> None:
        self.out = Straight() if out is None else out

    @staticmethod
    def _line(value: dict[str, object]) -> str:
        return json_line({**value, "at": round(now(), 6)})

    def _emit(self, value: dict[str, object]) -> None:
        self.out.say(self._line(value))

    @classmethod
    def left_out(cls, count: int) -> str:
        """In place of so many lines that nobody has read in time."""
        return cls._line({"event": "left_out", "lines": count})

    def listening(self, addresses: tuple[str, ...], code: str | None) -> None:
        """Where this program can be reached, and the join code to be told."""
        self._emit({"event": "listening", "addresses": list(addresses), "code": code})

    def event(self, event: SessionEvent, view: LobbyView | TableView, voice: Voice) -> None:
        """The event with all its fields; lobby and table with what they are now."""
        fields = event_object(event)
        if isinstance(event, LobbyChanged) and isinstance(view, LobbyView):
            fields["seats"] = plain(view.seats)
            fields["countdown"] = view.countdown
            fields["code"] = view.code
            fields["unfinished"] = view.unfinished
            fields["rules"] = None if view.rules is None else rules_object(view.rules)
            fields["question"] = plain(view.question)
            if view.looking:
                fields.update(tables=[found_object(row) for row in view.tables], hints=list(view.hints))
        elif isinstance(event, TableBegan) and isinstance(view, TableView):
            fields.update(table=view.table_id.hex(), me=view.me, names=list(view.names), bots=list(view.bots))
        self._emit(fields)

    def asides(self, lines: Sequence[str]) -> None:
        """An overview or a hint that was asked for."""
        self._emit({"event": "asked", "lines": list(lines)})

    def cards(self, view: TableView, slots: tuple[int, ...], voice: Voice) -> None:
        """The own cards that became known."""
        cards = [card_text(view.faces[slot]) for slot in slots]
        self._emit({"event": "cards", "hand": view.hand_no, "slots": list(slots), "cards": cards})

    def menu(self, asked: Menu, view: LobbyView | TableView, voice: Voice) -> None:
        """The numbered question and its numbered choices."""
        choices = [choice.as_object(number) for number, choice in enumerate(asked.choices, 1)]
        self._emit(
            {"event": "choices", "number": asked.number, "question": asked.question, "choices": choices}
        )

    def turn_time(self, seconds: int) -> None:
        """So much is left of the turn."""
        self._emit({"event": "turn_time", "seconds": seconds})

    def submitted(self, move: Move) -> None:
        """A move is on its way."""
        fields = event_object(move)
        self._emit({"event": "submitted", "move": fields["event"]})

    def refused(self, reason: str, voice: Voice) -> None:
        """Why not."""
        self._emit({"event": "refused", "text": sentence(reason, voice)})

    def ended(self, code: int, ledger: Path | None, evidence: Path | None, *, pending: bool) -> None:
        """The last line."""
        paths = {"ledger": plain(ledger), "evidence": plain(evidence)}
        told = {"event": "ended", "code": int(code), **paths, "pending": pending}
        self._emit({**told, "max_rss_mb": max_rss_mb()})


class PlainPrinter:
    """One sentence a line, for people and screen readers: no boxes, no colours."""

    def __init__(self, out: Out | None = None) -> None:
        self.out = Straight() if out is None else out
        self._lobby_said: tuple[str | None, ...] = ()
        self._keys_said = False
        self._code_said: str | None = None

    @staticmethod
    def left_out(count: int) -> str:
        """In place of so many lines that nobody has read in time."""
        return trn(
            "{count} line is left out here: nobody read it in time.",
            "{count} lines are left out here: nobody read them in time.",
            count,
        )

    def listening(self, addresses: tuple[str, ...], code: str | None) -> None:
        """Where others can join, and what to tell them."""
        self._code_said = code
        if code is not None:
            self.out.say(tr("Tell the others this join code: {code}", code=code))
        if addresses:
            self.out.say(tr("This program can be reached at {addresses}.", addresses=listing(addresses)))

    def event(self, event: SessionEvent, view: LobbyView | TableView, voice: Voice) -> None:
        """One sentence, or none for what no player needs to read."""
        match event:
            case LobbyChanged():
                self._lobby(view)
            case RulesChanged(before=before, after=after):
                self.out.say(say_change(event))
                for text in news(before, after):
                    self.out.say(f"  - {text}")
            case ChatHeard(seat=seat, text=text, via=via):
                who: str = voice.who(seat)
                if via is not None:
                    who = tr("{name} (through {other})", name=who, other=voice.whom(via))
                self.out.say(f"{who}: {text}")
            case TableBegan():
                self.out.say(tr("The table begins: {names}.", names=", ".join(voice.names)))
            case LinkNote(text=text):
                self.out.say(told(text))
            case LinkChanged() if isinstance(view, TableView) and view.closed:
                return  # everybody goes home
            case Played(event=Drew(seat=seat)) if seat == voice.me:
                return  # said with the card, as soon as it is known
            case _:
                position = view.position if isinstance(view, TableView) else None
                text_or_none = say_table(voice, event, position)
                if text_or_none is not None:
                    self.out.say(text_or_none)
                self._payments(event, voice)

    def _payments(self, event: SessionEvent, voice: Voice) -> None:
        match event:
            case HandSettled(record=record) | HandForfeited(record=record):
                settlement = record.settlement
                for line in _open_hands(voice, record):
                    self.out.say(f"  {line}.")
            case TableClosed(settlement=closing):
                settlement = closing
            case _:
                return
        for line in settlement_lines(voice, settlement):
            self.out.say(f"  {line}.")
        stand = ", ".join(f"{voice.whom(seat)} {chips}" for seat, chips in enumerate(settlement.match.chips))
        self.out.say(tr("Chips: {stand}; pot {pot}.", stand=stand, pot=settlement.match.pot))

    def _lobby(self, view: LobbyView | TableView) -> None:
        if not isinstance(view, LobbyView):
            return
        if view.looking:
            self._say_new((tr("Looking for tables on this network."), *map(told, view.hints)))
            return
        seats = []
        for at, seat in enumerate(view.seats):
            host = tr("host") + ", " if at == view.host else ""
            bot = ", " + tr("a bot of {name}", name=seat.operator or "?") if seat.bot else ""
            past = f", {say_past(seat.known)}" if seat.known is not None else ""
            seats.append(f"{seat.name} ({host}{tr('ready') if seat.ready else tr('not ready')}{bot}{past})")
        if view.code is not None and view.code != self._code_said:
            self._code_said = view.code
            self.out.say(tr("The join code is now {code}", code=view.code))
        line = tr("At the table: {names}.", names=", ".join(seats) or tr("nobody yet"))
        rules = "" if view.rules is None else _say_rules(view.rules)
        unfinished = ""
        if view.unfinished is not None and not view.hosting:
            unfinished = tr(
                "You three have an unfinished table of {day}: the host can go on with it.",
                day=view.unfinished,
            )
        self._say_new(
            (
                line,
                _say_own_key(view),
                rules,
                unfinished,
                None if view.message is None else told(view.message),
            )
        )

    def _say_new(self, texts: tuple[str | None, ...]) -> None:
        for text in texts:
            if text and text not in self._lobby_said:
                self.out.say(text)
        self._lobby_said = texts

    def cards(self, view: TableView, slots: tuple[int, ...], voice: Voice) -> None:
        """The hand as dealt, or the card just drawn."""
        if len(slots) > 1:
            self.out.say(tr("Your cards: {cards}.", cards=_cards(voice, view, slots)))
        else:
            self.out.say(tr("You drew {card}.", card=_cards(voice, view, slots)))

    def _hand(self, view: TableView, voice: Voice) -> str:
        """The hand in melds and loose cards, with its count."""
        assert view.position is not None
        held = [view.faces[slot] for slot in view.position.hands[view.me] if slot in view.faces]
        best = arrange(held, view.rules)
        groups = [voice.skin.cards(meld) for meld in best.melds]
        groups.append(voice.skin.cards(_by_rank(best.loose)))
        return f"{' / '.join(group for group in groups if group)} ({points(best.count)})"

    def menu(self, asked: Menu, view: LobbyView | TableView, voice: Voice) -> None:
        """The question, the own hand and the numbered choices; all discards in one line, and not every time
        what can be done at any time."""
        playing = any(choice.move is not None for choice in asked.choices)  # else another question of a turn
        if isinstance(view, TableView) and playing:
            self.out.say(tr("You hold {cards}.", cards=self._hand(view, voice)))
            facts = turn_facts(view, voice)
            if facts is not None:
                self.out.say(facts)
        self.out.say(asked.question)
        throws: list[str] = []
        for number, choice in enumerate(asked.choices, 1):
            if isinstance(choice.move, Discard):
                throws.append(f"{voice.skin.card(choice.move.card[1])} ({number})")
            elif not playing or choice.does not in _ALWAYS:
                self.out.say(f"  {number}  {choice.text}")
        if throws:
            self.out.say(
                "  " + tr("throw a card, by its name or its number: {cards}", cards=", ".join(throws))
            )
        if playing and not self._keys_said:
            self._keys_said = True
            for text in keys():
                self.out.say(text)

    def asides(self, lines: Sequence[str]) -> None:
        """An overview or a hint that was asked for."""
        for line in lines:
            self.out.say(line)

    def turn_time(self, seconds: int) -> None:
        """So much is left of the turn."""
        if seconds:
            self.out.say(
                trn("{count} second left for this turn.", "{count} seconds left for this turn.", seconds)
            )
        else:
            self.out.say(tr("The time for this turn is over."))

    def submitted(self, move: Move) -> None:
        """Said when it has happened."""

    def refused(self, reason: str, voice: Voice) -> None:
        """Why not."""
        self.out.say(sentence(reason, voice))

    def ended(self, code: int, ledger: Path | None, evidence: Path | None, *, pending: bool) -> None:
        """Where the game is kept, and whether it goes on; where it has stopped, how to show why."""
        if ledger is None:
            return
        if pending:
            self.out.say(
                tr("The table stays pending: the same command goes on exactly there when all three are back.")
            )
        self.out.say(tr("The game is kept in {path}", path=ledger))
        if evidence is not None:
            self.out.say(say_proof(evidence))


def _say_own_key(view: LobbyView) -> str | None:
    """The words that others may ask this player for."""
    if view.me is None or view.me >= len(view.seats):
        return None
    return tr("Your key, if somebody asks: {words}.", words=" ".join(view.seats[view.me].fingerprint))


def _say_rules(rules: Rules) -> str:
    facts = (name_and_mark(rules), say_turn(rules.turn_seconds), say_hands(rules.hands))
    return tr("Rules: {facts}.", facts=", ".join(facts))


_ALWAYS = ("give_up", "quit")  # have keys that work at any time


def _open_hands(voice: Voice, record: HandRecord) -> list[str]:
    """What everybody held when the hand was over."""
    position, faces = record.position, record.faces
    if position is None or faces is None:
        return []
    counts = record.settlement.counts
    lines = []
    for seat, slots in enumerate(position.hands):
        held = voice.skin.cards(_by_rank(faces[slot] for slot in slots)) or tr("no cards left")
        lines.append(f"{voice.who(seat)}: {held}" + ("" if counts is None else f" ({points(counts[seat])})"))
    return lines


def _cards(voice: Voice, view: TableView, slots: Iterable[int]) -> str:
    return voice.skin.cards(sorted(view.faces[slot] for slot in slots))


def _by_rank(cards: Iterable[int]) -> list[int]:
    return sorted(cards, key=lambda card: (card % 13, card))
