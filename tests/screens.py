"""A table without peers for the tests of the screen: the real engine, all cards known, one seat's true view.

`Seat` stands in for a session: what the player does happens at once, the others move when told to.
"""

import random
from dataclasses import replace
from typing import Any

import msgspec

from tongits_lan.console.control import Desk
from tongits_lan.console.keys import Mode
from tongits_lan.console.press import press
from tongits_lan.console.render import text_of
from tongits_lan.console.skins import LETTERS, Skin
from tongits_lan.console.ui import Screen
from tongits_lan.errors import Refused
from tongits_lan.game.engine import apply, deal, legal_moves
from tongits_lan.game.engine import view as seen_by
from tongits_lan.game.moves import Discard, Draw, Move
from tongits_lan.game.position import Phase as Play
from tongits_lan.game.position import Position
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.game.scoring import fresh_match, settle
from tongits_lan.ledger.effects import Reach
from tongits_lan.ledger.playback import Frame, PlayedHand
from tongits_lan.ledger.state import Due, HandRecord, Phase, Played
from tongits_lan.ledger.views import TableView
from tongits_lan.net.config import RuleSet

NAMES = ("Ana", "Ben", "Carlo")
KEYS = (b"A" * 32, b"B" * 32, b"C" * 32)
HAND = "3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S"


class Seat:
    """Seat `me` of a hand whose `faces` (slot -> card) this test knows whole."""

    def __init__(
        self,
        *,
        me: int = 2,
        dealer: int = 0,
        seed: int = 1,
        rules: Rules | None = None,
        faces: list[int] | None = None,
    ) -> None:
        self.rules = PRESETS["pagat"] if rules is None else rules
        self.me = me
        self.faces = list(range(self.rules.n)) if faces is None else faces
        if faces is None:
            random.Random(seed).shuffle(self.faces)
        self.position = deal(self.rules, dealer)
        self.height = 30
        self.match = msgspec.structs.replace(fresh_match(), dealer=dealer)
        self.hidden: set[int] = set()
        self.done: list[str] = []
        self.heard: list[Played] = []
        self.film = [self._frame()]
        self.view: TableView = self.seen()

    def _frame(
        self, seat: int | None = None, move: Move | None = None, told: tuple[Played, ...] = ()
    ) -> Frame:
        return Frame(self.height, seat, move, told, self.position, dict(enumerate(self.faces)))

    def seen(self, **changes: object) -> TableView:
        """The view of this seat now, with fields changed."""
        position = self.position
        known = {slot: self.faces[slot] for slot in position.hands[self.me] if slot not in self.hidden}
        for meld in position.melds:
            known.update({s: c for s, c in zip(meld.slots, meld.cards, strict=True) if c is not None})
        known.update(dict(position.discards))
        legal: tuple[Move, ...] = ()
        if position.turn == self.me and not self.hidden:
            legal = legal_moves(seen_by(position, self.me, known))
        view = TableView(
            me=self.me,
            table_id=bytes(32),
            rules=self.rules,
            names=NAMES,
            keys=KEYS,
            bots=(False, False, False),
            height=self.height,
            head=bytes(32),
            phase=Phase.PLAY,
            due=None if position.turn is None else Due(position.turn, ("draw", "take", "call")),
            hand_no=1,
            match=self.match,
            ante_pot=6,
            dealer=position.dealer,
            position=position,
            faces=known,
            legal=legal,
            words=("dagat", "mangga", "bituin", "walis"),
            words_confirmed=True,
            proofs=(True, True, True),
            record=None,
            records_count=0,
            records=(),
            closed=False,
            stopped=None,
            links=self._links(),
            awaited_since=None,
            grace_over=False,
            can_confirm_words=False,
            can_go_on=False,
            can_leave=False,
            can_give_up=True,
            giving_up=False,
            level=True,
            called_off=None,
            secrets_lost=False,
        )
        return msgspec.structs.replace(view, **changes)

    def _links(self) -> tuple[Reach, Reach, Reach]:
        first, second, third = (Reach("me" if seat == self.me else "direct") for seat in range(3))
        return (first, second, third)

    def show(self, **changes: object) -> TableView:
        """Makes a changed view the current one."""
        self.view = self.seen(**changes)
        return self.view

    def move(self, seat: int, move: Move) -> None:
        """Any seat's move."""
        self.position, events = apply(self.position, seat, move)
        self.height += 1
        told = tuple(Played(seat, event) for event in events)
        self.heard.extend(told)
        self.film.append(self._frame(seat, move, told))
        self.view = self.seen()

    def others(self, until: int | None = None) -> None:
        """The others draw and throw what they drew, until it is the turn of `until` (this seat)."""
        goal = self.me if until is None else until
        while self.position.turn != goal and self.position.turn is not None:
            seat = self.position.turn
            if self.position.phase is Play.START:
                self.move(seat, Draw())
            slot = self.position.hands[seat][-1]
            self.move(seat, Discard((slot, self.faces[slot])))

    def over(self) -> TableView:
        """The view after this hand has been settled."""
        faces = dict(enumerate(self.faces))
        settlement = settle(self.rules, self.match, self.position, faces)
        record = HandRecord(
            1, self.position.dealer, settlement, tuple(self.faces), None, 30, self.height, self.position
        )
        self.match = settlement.match
        return self.show(
            phase=Phase.SETTLE,
            record=record,
            records_count=1,
            records=(record,),
            match=settlement.match,
            faces=faces,
            legal=(),
            due=Due(0, ("next", "leave")),
            can_go_on=True,
            can_leave=True,
            can_give_up=False,
        )

    # what a session can be asked

    next_config: None = None
    """As Session.next_config: no table follows."""

    def submit(self, move: Move) -> None:
        """As Session.submit: refuses what the rules refuse."""
        if move not in self.view.legal:
            raise Refused("that is not legal now")
        self.done.append("submit")
        self.move(self.me, move)

    def confirm_words(self) -> None:
        """As Session.confirm_words; so are the next five."""
        self.done.append("confirm_words")

    def words_differ(self) -> None:
        self.done.append("words_differ")

    def go_on(self) -> None:
        self.done.append("go_on")

    def leave_table(self) -> None:
        self.done.append("leave_table")

    def give_up(self) -> None:
        self.done.append("give_up")

    def keep_waiting(self) -> None:
        self.done.append("keep_waiting")

    def put_aside(self) -> None:
        self.done.append("put_aside")

    def play_again(self) -> None:
        self.done.append("play_again")

    def played(self) -> PlayedHand | None:
        """As Session.played."""
        record = self.view.record
        return None if record is None else PlayedHand(record, (*self.film, self._frame()))

    def choose(self, tag: bytes) -> None:
        """As Session.choose."""
        self.done.append(f"choose {tag.hex()}")

    def set_ready(self, value: bool) -> None:
        """As Session.set_ready."""
        self.done.append(f"ready {value}")

    def enter_code(self, text: str) -> None:
        """As Session.enter_code; so are the next three."""
        self.done.append(f"code {text}")

    def accept(self) -> None:
        self.done.append("accept")

    def kick(self, place: int) -> None:
        self.done.append(f"kick {place}")

    def leave_lobby(self) -> None:
        self.done.append("leave_lobby")

    def add_bot(self) -> None:
        self.done.append("add_bot")

    def resume(self) -> None:
        self.done.append("resume")

    def rule_sets(self) -> tuple[RuleSet, ...]:
        """As Session.rule_sets: at a table nobody asks."""
        return ()

    def set_rules(self, rules: Rules) -> None:
        """As Session.set_rules."""
        self.done.append("set_rules")

    def chat(self, text: str) -> None:
        """As Session.chat."""
        self.done.append(f"chat {text}")


def cards(text: str) -> list[int]:
    """Card codes of a text such as "3D 4D TC"."""
    ranks = "A23456789TJQK"
    return ["CDHS".index(word[1]) * 13 + ranks.index(word[0]) for word in text.split()]


def dealt(me: int, dealer: int, hand: str, stock: str = "", rules: Rules | None = None) -> list[int]:
    """Faces by slot such that `me` holds `hand` and the stock begins with `stock`; the rest in order."""
    kit = PRESETS["pagat"] if rules is None else rules
    position: Position = deal(kit, dealer)
    faces: dict[int, int] = dict(zip(position.hands[me], cards(hand), strict=True))
    faces.update(dict(zip(position.stock, cards(stock), strict=False)))
    left = [card for card in range(kit.n) if card not in faces.values()]
    random.Random(7).shuffle(left)
    return [faces[slot] if slot in faces else left.pop() for slot in range(kit.n)]


class Player:
    """A desk at a seat, with a clock that only the test moves."""

    def __init__(self, seat: Seat, skin: Skin = LETTERS) -> None:
        self.seat = seat
        self.now = 1000.0
        self.desk = Desk(seat, skin)
        self.follow()

    def follow(self, wait: float = 0.0) -> None:
        for event in self.seat.heard:
            self.desk.heard(event, self.now)
        self.seat.heard.clear()
        self.desk.changed(self.now)
        self.now += wait

    def press(self, *keys: str, every: float = 1.0) -> None:
        """Keys one after the other, each answered by the table before the next."""
        for key in keys:
            self.now += every
            press(self.desk, key, self.now)
            self.follow()

    def others(self) -> None:
        self.seat.others()
        self.follow()
        self.now += 1.0

    def mode(self) -> Mode:
        return self.desk.mode

    @property
    def note(self) -> str:
        return self.desk.ui.note or ""


def player(hand: str = HAND, stock: str = "8D 8C 5H", **rules: object) -> Player:
    """Seat 2 at the start of its first turn."""
    kit = msgspec.structs.replace(PRESETS["pagat"], **rules)
    one = Player(Seat(faces=dealt(2, 0, hand, stock), rules=kit))
    one.others()
    return one


def finished(skin: Skin = LETTERS, *, wait: float = 0.0) -> Player:
    """Seat 2 has won the first hand with Tongits in its first turn, `wait` seconds ago."""
    one = Player(Seat(faces=dealt(2, 0, "3D 4D 5D 9C 9H 9S 2C 2D 2H KC KD KH", "8D KS")), skin)
    one.others()
    one.press("d", "1", "1", "1", "1")
    one.seat.over()
    one.follow(wait)
    return one


def shown(one: Player, columns: int = 80, rows: int = 24, **more: Any) -> str:
    """The picture on the player's screen, in letters; `more` = fields of the Screen by name."""
    screen = Screen(columns, rows, one.desk.ui, one.desk.view)
    return text_of(replace(screen, **more))
