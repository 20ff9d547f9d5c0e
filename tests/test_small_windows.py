"""The smallest window: whatever is asked, its keys are all there, in both languages, and nothing is cut."""

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest

from tests.screens import HAND, Player, Seat, cards, dealt, finished, player
from tests.test_product_items import own_turns
from tests.test_too_early import waiting_then
from tongits_lan.console.boxes import LEAST, Line, plain
from tongits_lan.console.keys import Mode
from tongits_lan.console.render import render
from tongits_lan.console.speech import LANGUAGES, speaking
from tongits_lan.console.ui import Screen
from tongits_lan.game.position import TableMeld
from tongits_lan.game.rules import PRESETS
from tongits_lan.game.shapes import MeldKind
from tongits_lan.ledger.effects import Reach
from tongits_lan.ledger.state import Due, Phase

ROOMY = (100, 60)  # one column of boxes, with rows for everything
SIZES = (LEAST, (60, 17), (61, 20), (80, 16), (80, 24))
MENUS = (Mode.TABLES, Mode.LOBBY, Mode.CODE, Mode.ACCEPT, Mode.KICK, Mode.RULES)  # before there is a table
PAGES = (Mode.OVERLAY, Mode.OPTIONS)  # scrolled, not asked


def pressed(*keys: str, hand: str = HAND, stock: str = "8D 8C 5H") -> Callable[[], Player]:
    def made() -> Player:
        one = player(hand, stock)
        one.press(*keys)
        return one

    return made


def away() -> Player:
    """One is out of reach and the grace time is over."""
    one = pressed("d", "enter")()
    links = (Reach("away"), Reach("direct"), Reach("me"))
    one.seat.show(awaited_since=1.0, grace_over=True, due=Due(0, ("draw",)), links=links)
    one.follow()
    return one


def taking() -> Player:
    """The thrown card makes one meld."""
    seat = Seat(faces=dealt(2, 0, HAND, "9D"))
    seat.others()
    return Player(seat)


def after_a_hand(*, closed: bool = False) -> Player:
    one = finished()
    if closed:
        seen = one.seat.view
        one.seat.view = msgspec.structs.replace(seen, closed=True, phase=Phase.CLOSED, can_go_on=False)
    one.follow()
    return one


def leaving() -> Player:
    """The table is to be closed for good."""
    one = after_a_hand()
    one.press("l")
    return one


MOMENTS: dict[Mode, list[Callable[[], Player]]] = {
    Mode.WORDS: [lambda: waiting_then(Mode.WORDS)],
    Mode.WAITING: [pressed("d", "enter"), away],
    Mode.SPREAD: [lambda: waiting_then(Mode.SPREAD)],
    Mode.START: [pressed(), taking],
    Mode.ACTION: [pressed("d"), pressed("d", "h"), pressed("d", " ")],
    Mode.ANSWER: [lambda: waiting_then(Mode.ANSWER)],
    Mode.RESULT: [after_a_hand],
    Mode.CLOSED: [lambda: after_a_hand(closed=True)],
    Mode.CHAT: [pressed("c", *"hoy")],
    Mode.PHRASE: [pressed("!")],
    Mode.TYPING: [pressed("d", "/", "7")],
    Mode.LIST: [pressed("d", "0", hand="AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC", stock="KC")],
    Mode.CONFIRM: [pressed("d", "/", "4", "d", "enter"), pressed("q", "g"), leaving],
    Mode.QUIT: [pressed("q"), pressed("d", "q")],
}


def crowded(one: Player) -> None:
    """Puts eight more melds on the table, wherever there is one."""
    view = one.seat.view
    if view.position is None:
        return
    melds = view.position.melds
    for rank in "234678TJ":
        codes = tuple(cards(f"{rank}C {rank}D {rank}H"))
        melds = (*melds, TableMeld(len(melds) % 3, MeldKind.SET, (1, 2, 3), codes, codes, (0, 0, 0)))
    position = msgspec.structs.replace(view.position, melds=melds)
    one.desk.view = msgspec.structs.replace(view, position=position)


def drawn(one: Player, size: tuple[int, int]) -> list[Line]:
    quiet = replace(one.desk.ui, settings=replace(one.desk.ui.settings, tips=False))
    away_seconds = 97 if one.seat.view.awaited_since is not None else None
    return render(Screen(*size, quiet, one.desk.view, away_seconds))


def keys_of(lines: list[Line]) -> set[str]:
    """What stands in the picture as a key; a number is no key of its own where `0` shows them all."""
    keys = {text.strip() for content in lines for style, text in content if "class:key" in style}
    return {key for key in keys if not (key.isdigit() and key != "0")}


def numbers_of(lines: list[Line]) -> set[str]:
    return {text for content in lines for style, text in content if "class:key" in style and text.isdigit()}


def cut(lines: list[Line]) -> list[str]:
    """Lines of the lowest box that are cut; melds on the table may be, with a sign that there are more."""
    texts = [plain(content) for content in lines]
    last = max(at for at, text in enumerate(texts[:-2]) if text.startswith("+-"))
    return [text for text in texts[last:] if "~" in text]


def check(one: Player, sizes: tuple[tuple[int, int], ...] = SIZES) -> None:
    roomy = drawn(one, ROOMY)
    wanted, numbers = keys_of(roomy), numbers_of(roomy)
    for size in sizes:
        small = drawn(one, size)
        told = "\n".join(map(plain, small))
        assert wanted <= keys_of(small), f"{wanted - keys_of(small)} of {one.mode()} are not in\n{told}"
        assert numbers <= numbers_of(small) or "0" in numbers_of(small), told
        assert not cut(small), told
        if one.desk.ui.question is not None:
            assert one.desk.ui.question.text in " ".join(plain(content).strip("| ") for content in small), (
                told
            )


@pytest.mark.parametrize("crowd", [False, True], ids=["few", "many"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mode", [mode for mode in Mode if mode not in (*MENUS, *PAGES)])
def test_each_key_of_each_question_is_there(mode: Mode, language: str, crowd: bool) -> None:
    with speaking(language):
        for moment in MOMENTS[mode]:
            one = moment()
            assert one.mode() is mode
            if crowd:
                crowded(one)
            check(one)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_so_it_is_at_each_turn_of_a_hand(preset: str, language: str) -> None:
    with speaking(language):
        modes = set()
        for seed in range(2):
            for one in own_turns(preset, seed):
                modes.add(one.mode())
                check(one, (LEAST, (80, 24)))
                one.press("f")
                if one.mode() is Mode.CONFIRM:
                    check(one, (LEAST,))
                    one.press("escape")
        assert {Mode.START, Mode.ACTION} <= modes


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_result_scrolls_to_its_last_payment(language: str) -> None:
    def payments(size: tuple[int, int]) -> set[str]:
        return {text for content in drawn(one, size) if ": tongits" in (text := plain(content)).lower()}

    with speaking(language):
        one = after_a_hand()
        wanted = {text.strip("| ") for text in payments(ROOMY)}
        assert wanted
        assert not payments(LEAST)
        begins = plain(drawn(one, LEAST)[0])
        one.press(*["down"] * 12)
        assert {text.strip("| ") for text in payments(LEAST)} == wanted
        assert plain(drawn(one, LEAST)[0]) != begins
        one.press("pageup", "pageup")
        assert plain(drawn(one, LEAST)[0]) == begins
