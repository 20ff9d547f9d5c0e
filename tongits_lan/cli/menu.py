"""The numbered choices of the line modes: what can be done now, each with its words and its act.

Owns the order; every move in it comes from `view.legal`. Reads and prints nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, assert_never

from tongits_lan.cli.as_json import event_object
from tongits_lan.console import questions, text_stakes
from tongits_lan.console.arrange import split
from tongits_lan.console.choices import letter_of
from tongits_lan.console.found import say_found
from tongits_lan.console.notices import forfeit_cost
from tongits_lan.console.rules_words import chosen, name_and_mark, say_hands, say_turn, with_hands, with_turn
from tongits_lan.console.speech import told, tr
from tongits_lan.console.text import Voice, listing, say_move
from tongits_lan.errors import Refused
from tongits_lan.game.catalogue import ORIGINS
from tongits_lan.game.moves import Discard, Move
from tongits_lan.game.rules import Rules
from tongits_lan.ledger.texts import clean
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import CHAT_MAX
from tongits_lan.net.handshake import Question
from tongits_lan.net.session import LobbySeat, LobbyView, Session

GIVING_UP = "give_up"  # begins the key of the question that `g` asks


class QuitTable(Exception):
    """The player closes the program; the hand stays pending."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One numbered line; `act` does it, `move` is set where it is a move of the game."""

    does: str
    text: str
    act: Callable[[Session], None]
    move: Move | None = None
    sure: Callable[[Session], Menu] | None = None
    """Asked next, in place of the act."""
    letter: str = ""
    """Chooses it, too: the key that does the same on the full screen."""
    careful: str | None = None
    """What a player at a terminal is asked once more before it is done."""

    def as_object(self, number: int) -> dict[str, object]:
        """The choice as JSON has it."""
        shown: dict[str, object] = {"n": number, "does": self.does, "text": self.text}
        if self.move is not None:
            fields = event_object(self.move)
            shown["move"] = fields.pop("event")
            shown.update(fields)
        return shown


class Reads(Protocol):
    """Does what a typed line asks for. Raises Refused."""

    def __call__(self, session: Session, text: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Menu:
    """All choices of a moment; two menus of equal `key` are one question."""

    key: tuple[object, ...]
    question: str
    choices: tuple[Choice, ...]
    text: Reads | None = None
    """What is done with a line that is no number; None: it is refused."""
    number: int = 0
    """Which question of this program it is, counted from 1 when it is shown."""


def menu(view: LobbyView | TableView, voice: Voice) -> Menu | None:
    """What the player is asked now, or None."""
    if isinstance(view, LobbyView):
        return _lobby(view)
    if view.is_over:
        return None
    if view.can_confirm_words and view.words is not None:
        return _words(view.words)
    if view.legal and view.position is not None:
        return _moves(view, voice)
    if view.can_go_on or view.can_leave:
        return _after_hand(view)
    if view.grace_over:
        return _absence(view, voice)
    return None


def _lobby(view: LobbyView) -> Menu | None:
    if view.question is not None:
        return _asked(view.question)
    if view.looking:
        return _tables(view)
    if view.me is None or view.seats[view.me].ready:
        return None
    if view.doubts:
        return _doubted([view.seats[place] for place in view.doubts])
    key = ("lobby", tuple(seat.name for seat in view.seats), view.rules)
    choices = [Choice("ready", tr("ready"), lambda session: session.set_ready(True))]
    if view.hosting and view.unfinished is not None:
        text = tr("go on with your unfinished table of {day}", day=view.unfinished)
        choices.insert(0, Choice("resume", text, lambda session: session.resume()))
    if view.hosting:
        choices.extend(_hosts(view, key))
    return Menu(key, tr("The table begins when three are ready."), (*choices, _leave()))


def _hosts(view: LobbyView, key: tuple[object, ...]) -> Iterator[Choice]:
    """What a host can change in his lobby."""
    for place, seat in enumerate(view.seats):
        if place != view.me:
            text = tr("ask {name} to leave", name=seat.name)
            if seat.bot:
                text = tr("send the bot {name} away", name=seat.name)
            yield Choice("kick", text, _kick(place))
    if view.can_seat_bot:
        yield Choice("bot", tr("seat a bot"), lambda session: session.add_bot(), letter="b")
    if view.rules is None:
        return
    now = view.rules
    slower, longer = with_turn(now), with_hands(now)
    yield Choice("rules", tr("change to: {rule}", rule=say_turn(slower.turn_seconds)), _set_rules(slower))
    yield Choice("rules", tr("change to: {rule}", rule=say_hands(longer.hands)), _set_rules(longer))
    yield Choice("rules", tr("other rules"), _nothing, sure=lambda session: _rule_sets(session, now, key))


def _rule_sets(session: Session, now: Rules, key: tuple[object, ...]) -> Menu:
    """The rule sets to choose from; a file that cannot be used says why when it is chosen."""
    choices = [Choice("keep", tr("leave them as they are"), _nothing)]
    for one in session.rule_sets():
        rules = chosen(now, one)
        name = clean(one.name, CHAT_MAX)
        act = _refuse(one.problem) if rules is None else _set_rules(rules)
        choices.append(Choice("rules", f"{name}: {told(ORIGINS[name])}" if name in ORIGINS else name, act))
    return Menu(key, tr("Which rules? Now: {rules}.", rules=name_and_mark(now)), tuple(choices))


def _set_rules(rules: Rules) -> Callable[[Session], None]:
    return lambda session: session.set_rules(rules)


def _refuse(problem: str) -> Callable[[Session], None]:
    def refuse(session: Session) -> None:
        raise Refused(problem)

    return refuse


def _asked(question: Question) -> Menu:
    """What a host's answer leaves to the player."""
    name, words = question.name or tr("The host"), " ".join(question.fingerprint)
    key = ("question", question, id(question))
    yes = Choice("accept", tr("yes, go on"), lambda session: session.accept(), letter="y")
    match question.asks:
        case "code":
            text = tr("{name}'s table asks for the join code: type it.", name=name)
            return Menu(key, text, (_quit_choice(),), _enter_code)
        case "wrong code":
            text = tr("That is not the join code of {name}'s table: listen again and type it.", name=name)
            return Menu(key, text, (_quit_choice(),), _enter_code)
        case "open":
            text = tr(
                "{name}'s table asks for no code, and you have not met this key: {words}. Join it?",
                name=name,
                words=words,
            )
            return Menu(key, text, (yes, _quit_choice()))
        case "other key":
            text = tr(
                "You know a {name}, but with another key. This one is {words}: ask. Is it so?",
                name=name,
                words=words,
            )
            return Menu(key, text, (yes, _quit_choice()))
        case _:
            assert_never(question.asks)


def _enter_code(session: Session, text: str) -> None:
    session.enter_code(text)


def _doubted(seats: Sequence[LobbySeat]) -> Menu:
    who = listing([f"{seat.name} ({' '.join(seat.fingerprint)})" for seat in seats])
    question = tr("With another key than before: {who}. Ask whether that is so.", who=who)
    yes = Choice("accept", tr("yes, it is so"), lambda session: session.accept(), letter="a")
    return Menu(("doubts", who), question, (yes, _leave()))


def _kick(place: int) -> Callable[[Session], None]:
    return lambda session: session.kick(place)


def _tables(view: LobbyView) -> Menu | None:
    """Which table to join; a list that only changed its pings is the same question."""
    if not view.tables:
        return None
    choices = [Choice("choose", say_found(table), _choose(table.tag)) for table in view.tables]
    key = tuple((table.tag, table.seats) for table in view.tables)
    return Menu(("tables", key), tr("Which table?"), (*choices, _quit_choice()))


def _choose(tag: bytes) -> Callable[[Session], None]:
    return lambda session: session.choose(tag)


def once_more(choice: Choice, key: tuple[object, ...]) -> Menu:
    """Whether a costly choice is meant."""
    yes = replace(choice, text=tr("yes, do it"), careful=None, letter="y")
    return Menu(key, choice.careful or "", (Choice("no", tr("no"), _nothing, letter="n"), yes))


def _words(words: tuple[str, str, str, str]) -> Menu:
    question = tr("Read these words to each other: {words}", words=" ".join(words))
    same = Choice(
        "confirm_words", tr("all three have the same words"), lambda session: session.confirm_words()
    )
    differ = Choice(
        "words_differ",
        tr("they differ: leave this table"),
        lambda session: session.words_differ(),
        letter="x",
        careful=questions.differing(),
    )
    return Menu(("words", words), question, (same, differ))


def _moves(view: TableView, voice: Voice) -> Menu:
    assert view.position is not None
    position = view.position
    key = ("moves", view.height)
    moves = sorted(view.legal, key=_order)
    best = split(view)
    choices = []
    for move in moves:
        text, remark = say_move(voice, move, position), text_stakes.remark(view, voice, move, best.owed)
        text = f"{text} ({remark})" if remark else text
        careful = questions.move(view, voice, best, move)
        choices.append(Choice("move", text, _submit(move), move, letter=letter_of(move), careful=careful))
    if view.can_give_up:
        choices.append(_may_give_up(view, key))
    return Menu(key, tr("Your turn."), (*choices, _quit_choice()))


def _order(move: Move) -> tuple[int, int]:
    """As the session lists them, but discards last and by rank."""
    if isinstance(move, Discard):
        card = move.card[1]
        return 1 + card % 13, card
    return 0, 0


def _may_give_up(view: TableView, key: tuple[object, ...]) -> Choice:
    text = tr("give the hand up: {cost}", cost=forfeit_cost(view.rules))
    return Choice("give_up", text, _nothing, sure=lambda _: giving_up(view, key))


def giving_up(view: TableView, key: tuple[object, ...]) -> Menu:
    """Whether the hand is to be given up, asked once more."""
    yes = Choice("give_up", tr("yes, give it up"), _give_up, letter="y")
    no = Choice("play_on", tr("no, play on"), _nothing, letter="n")
    return Menu(key, tr("Sure? If you give up, {cost}.", cost=forfeit_cost(view.rules)), (no, yes))


def _nothing(session: Session) -> None:
    """Changes nothing; the question comes again."""


def _submit(move: Move) -> Callable[[Session], None]:
    return lambda session: session.submit(move)


def _give_up(session: Session) -> None:
    session.give_up()


def _after_hand(view: TableView) -> Menu:
    choices = []
    if view.can_go_on:
        choices.append(Choice("go_on", tr("go on"), lambda session: session.go_on()))
    if view.can_leave:
        choices.append(
            Choice(
                "leave",
                tr("close the table for good (the pot is split)"),
                lambda session: session.leave_table(),
                letter="l",
                careful=questions.leaving(view),
            )
        )
        choices.append(
            Choice(
                "play_again",
                tr("another table with the same people (chips and pot go along)"),
                lambda session: session.play_again(),
                letter="a",
                careful=questions.again(),
            )
        )
    return Menu(
        ("after", view.hand_no), tr("Hand {number} is over.", number=view.hand_no), (*choices, _quit_choice())
    )


def _absence(view: TableView, voice: Voice) -> Menu:
    who = tr("Somebody") if view.due is None else voice.names[view.due.seat]
    wait = Choice("keep_waiting", tr("keep waiting"), lambda session: session.keep_waiting(), letter="w")
    aside = Choice(
        "put_aside",
        tr("begin another table (this one stays pending)"),
        lambda session: session.put_aside(),
        letter="n",
        careful=questions.aside(),
    )
    return Menu(
        ("absence", view.height, view.awaited_since),
        tr("{name} is still away.", name=who),
        (wait, aside, _quit_choice()),
    )


def after_table() -> Menu:
    """What the player is asked when the table is closed."""
    text = tr("play again with the same people")
    again = Choice("play_again", text, lambda session: session.play_again(), letter="a")
    return Menu(("again",), tr("The table is closed."), (_end_choice(), again))


def _end_choice() -> Choice:
    return Choice("quit", tr("close the program"), _quit)


def _quit(session: Session) -> None:
    raise QuitTable


def _leave_lobby(session: Session) -> None:
    session.leave_lobby()


def _quit_choice() -> Choice:
    return Choice("quit", tr("close the program (the hand stays pending)"), _quit)


def _leave() -> Choice:
    return Choice("leave_lobby", tr("leave this table"), _leave_lobby)
