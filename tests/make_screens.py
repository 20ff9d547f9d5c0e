"""The pictures that tests/golden holds, and how they are made anew: `python -m tests.make_screens`.

Every picture comes from the real engine and the real desk; nothing in it depends on time, chance or system.
"""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from tests.screens import Player, Seat, dealt, finished
from tongits_lan.console import door, door_page
from tongits_lan.console.boxes import LEAST
from tongits_lan.console.follow import hear
from tongits_lan.console.render import text_of
from tongits_lan.console.skins import LETTERS, SYMBOLS, Skin
from tongits_lan.console.ui import Overlay, Proved, Screen, Ui
from tongits_lan.errors import Code
from tongits_lan.game.engine import legal_moves, view
from tongits_lan.game.moves import Answer, Call, Meld
from tongits_lan.game.rules import PRESETS
from tongits_lan.game.scoring import close
from tongits_lan.ledger.effects import Reach, Stop
from tongits_lan.ledger.state import Due, Phase, TableClosed
from tongits_lan.net.announcements import Found
from tongits_lan.net.config import RuleSet, presets
from tongits_lan.net.events import ChatHeard, RulesChanged
from tongits_lan.net.handshake import Question
from tongits_lan.net.lobby import LobbySeat, LobbyView
from tongits_lan.store.known import Person

GOLDEN = Path(__file__).with_name("golden")
README = Path(__file__).resolve().parent.parent / "README.md"
USUAL = ((80, 24), (120, 40))
SIZES = (*USUAL, (60, 16))
SKINS = {"ascii": LETTERS, "unicode": SYMBOLS}
_WORDS = ("dagat", "mangga", "bituin", "walis")
_ANA = Person(bytes(32), "Ana", 1_700_000_000, 1_700_000_000, 12, 0, ("a hand",))
_FAR = (9.0, 12.0, None)


def _table(one: Player, skin: Skin, size: tuple[int, int], **more: Any) -> str:
    ui = replace(one.desk.ui, skin=skin)
    shown = Screen(*size, ui, one.desk.view, None, None, _FAR, known=(_ANA, None, None))
    return text_of(replace(shown, **more))


def _at_table(skin: Skin) -> Player:
    """Carlo at his second turn, with melds of the others and talk."""
    faces = dealt(2, 0, "3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S", "8D 8C 5H")
    one = Player(Seat(faces=faces), skin)
    seat = one.seat
    seat.move(0, next(melds_of(seat)))
    one.others()
    one.desk.heard(ChatHeard(0, "bilis naman!", None), one.now)
    one.desk.heard(ChatHeard(1, "teka lang", None), one.now)
    return one


def melds_of(seat: Seat) -> Iterator[Meld]:
    """The melds that seat 0 may lay."""
    known = {slot: seat.faces[slot] for slot in seat.position.hands[0]}
    known.update(dict(seat.position.discards))
    yield from (m for m in legal_moves(view(seat.position, 0, known)) if isinstance(m, Meld))


def _draw(skin: Skin, size: tuple[int, int]) -> str:
    return _table(_at_table(skin), skin, size)


def _play(skin: Skin, size: tuple[int, int]) -> str:
    one = _at_table(skin)
    one.press("d")
    return _table(one, skin, size)


def _laid(skin: Skin, size: tuple[int, int]) -> str:
    one = _at_table(skin)
    one.press("d", "1", "right", " ")
    return _table(one, skin, size, turn_seconds=21)


def _costly(skin: Skin, size: tuple[int, int]) -> str:
    one = _at_table(skin)
    one.press("d", "/", "4", "d", "enter")
    return _table(one, skin, size)


def _fight(skin: Skin, size: tuple[int, int]) -> str:
    one = _at_table(skin)
    one.press("d", "1", "enter")
    one.seat.move(0, Call(()))
    while one.seat.position.turn == 1:
        one.seat.move(1, Answer("fold"))
    one.follow()
    return _table(one, skin, size)


def _away(skin: Skin, size: tuple[int, int]) -> str:
    one = _at_table(skin)
    one.press("d", "enter")
    one.seat.show(awaited_since=1.0, grace_over=True, due=Due(0, ("draw",)))
    one.follow()
    return _table(one, skin, size, away_seconds=97)


def _gone(skin: Skin, size: tuple[int, int]) -> str:
    """Somebody's connection is gone, and the grace time over: another table may be begun."""
    one = _at_table(skin)
    one.press("d", "enter")
    links = (Reach("away"), Reach("direct"), Reach("me"))
    one.seat.show(awaited_since=1.0, grace_over=True, due=Due(0, ("draw",)), links=links)
    one.follow()
    return _table(one, skin, size, away_seconds=97)


def _takes(skin: Skin, size: tuple[int, int]) -> str:
    """The thrown card makes a meld, and the player may call a fight."""
    faces = dealt(2, 0, "8C 8H 5D 9C 9H 9S AC 2H KD QH JC 7S", "4C 6D KC 8S")
    one = Player(Seat(faces=faces), skin)
    one.others()
    one.press("d", "1", "enter")
    one.others()
    return _table(one, skin, size)


def _calling(skin: Skin, size: tuple[int, int]) -> str:
    """The question before a fight."""
    one = Player(Seat(faces=dealt(2, 0, "8C 8H 5D 9C 9H 9S AC 2H KD QH JC 7S", "4C 8D KC 3S")), skin)
    one.others()
    one.press("d", "1", "enter")
    one.others()
    one.press("f")
    return _table(one, skin, size)


def _pressed(*keys: str) -> "Maker":
    def made(skin: Skin, size: tuple[int, int]) -> str:
        one = _at_table(skin)
        one.press(*keys)
        return _table(one, skin, size)

    return made


def _shuffling(skin: Skin, size: tuple[int, int]) -> str:
    one = _at_table(skin)
    one.seat.show(
        phase=Phase.PROVE,
        position=None,
        legal=(),
        due=Due(1, ("prove",)),
        proofs=(True, False, False),
        links=(Reach("direct"), Reach("through", 0), Reach("me")),
    )
    one.follow()
    return _table(one, skin, size)


def _spread(skin: Skin, size: tuple[int, int]) -> str:
    kit = PRESETS["wikipedia"]
    hand = "3D 4D 5D 6D 9C 9H 9S 2C 2D 2H KC KD KH"
    one = Player(Seat(dealer=2, rules=kit, faces=dealt(2, 2, hand, rules=kit)), skin)
    return _table(one, skin, size)


def _all_choices(skin: Skin, size: tuple[int, int]) -> str:
    hand = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC"
    one = Player(Seat(faces=dealt(2, 0, hand, "KC")), skin)
    one.others()
    one.press("d", "0", *["down"] * 12)
    return _table(one, skin, size)


def _over(skin: Skin, size: tuple[int, int]) -> str:
    return _table(finished(skin), skin, size)


def _fought(skin: Skin, size: tuple[int, int]) -> str:
    """A fight that was lost, with its payments."""
    one = _at_table(skin)
    one.press("d", "1", "enter")
    one.seat.move(0, Call(()))
    while one.seat.position.turn is not None:
        if one.seat.position.turn == 1:
            one.seat.move(1, Answer("fold"))
        one.follow(wait=1.0)
        one.press("y")
    one.seat.over()
    one.follow()
    return _table(one, skin, size)


def _coach(skin: Skin, size: tuple[int, int]) -> str:
    one = Player(Seat(faces=dealt(2, 0, "3D 4D 5D 9C 9H 9S AC 2H KD QH JC 7S", "8D 8C KC")), skin)
    while one.seat.position.turn is not None:
        one.others()
        one.press("d", "left", "enter", "enter")
    one.seat.over()
    one.follow()
    one.press("h")
    return _table(one, skin, size)


def _closed(skin: Skin, size: tuple[int, int]) -> str:
    one = finished(skin)
    seen = one.seat.view
    split = close(seen.rules, seen.match)
    one.desk.heard(TableClosed(0, split), one.now)
    one.seat.view = msgspec.structs.replace(
        seen, closed=True, phase=Phase.CLOSED, match=split.match, due=None, can_go_on=False, can_leave=False
    )
    one.follow()
    return _table(one, skin, size)


def _score(skin: Skin, size: tuple[int, int]) -> str:
    one = finished(skin)
    one.press("r")
    return _table(one, skin, size)


def _overlay(overlay: Overlay) -> "Maker":
    def made(skin: Skin, size: tuple[int, int]) -> str:
        one = _at_table(skin)
        proved = tuple(Proved(seat, f"20:14:0{seat}", 0.25 * (seat + 1)) for seat in range(3))
        one.desk.change(replace(one.desk.ui, overlay=overlay, proved=proved))
        return _table(one, skin, size)

    return made


def _fault(skin: Skin, size: tuple[int, int]) -> str:
    one = _at_table(skin)
    one.seat.show(stopped=Stop(Code.PROOF, "x", 1, 2, 61))
    one.follow()
    return _table(one, skin, size, kept_in="/home/carlo/games/tables/2026-11-30-0a1b2c3d.tongits")


def _nobody(skin: Skin, size: tuple[int, int]) -> str:
    """The table has stopped, and nobody can be accused."""
    one = _at_table(skin)
    one.seat.show(stopped=Stop(Code.CHAIN, "x", None, 2, 61))
    one.follow()
    return _table(one, skin, size, kept_in="/home/carlo/games/tables/2026-11-30-0a1b2c3d.tongits")


def _small(skin: Skin, size: tuple[int, int]) -> str:
    """One column less than a table needs."""
    return _table(_at_table(skin), skin, (LEAST[0] - 1, size[1]))


def _words(skin: Skin, size: tuple[int, int]) -> str:
    one = _at_table(skin)
    one.seat.show(can_confirm_words=True, position=None, legal=())
    one.follow()
    return _table(one, skin, size)


_LOBBY = LobbyView(
    hosting=True,
    me=0,
    seats=(
        LobbySeat("Carlo", _WORDS, True, False, None),
        LobbySeat(
            "Ana",
            _WORDS,
            False,
            False,
            None,
            _ANA,
        ),
    ),
    rules=PRESETS["pagat"],
    countdown=None,
    addresses=("192.168.1.20:15213",),
    message=None,
    code="42-mangga-kalabaw",
    can_seat_bot=True,
)
_UI = Ui(code="42 man")
_OWN = RuleSet("bahay.toml", msgspec.structs.replace(PRESETS["house"], base=50))


def _lobby(ui: Ui = _UI, **changes: Any) -> "Maker":
    view = replace(_LOBBY, **changes)

    def made(skin: Skin, size: tuple[int, int]) -> str:
        return text_of(Screen(*size, replace(ui, skin=skin), view))

    return made


def _new_rules(skin: Skin, size: tuple[int, int]) -> str:
    """A guest has been told of other rules."""
    pagat, joker = PRESETS["pagat"], PRESETS["joker"]
    view = replace(_LOBBY, hosting=False, me=1, host=0, code=None, rules=joker, can_seat_bot=False)
    ui = hear(replace(_UI, agreed=pagat), view, RulesChanged(pagat, joker))
    return text_of(Screen(*size, replace(ui, skin=skin), view))


def _door(*keys: str, name: str = "Carlo") -> "Maker":
    found = (
        Found(b"table A.", "Ana", 2, "pagat", "9.9.9", "tongits-lan/1", ("192.168.1.20:15213",), 3.0),
        Found(b"table B.", "Mang Ben", 1, "joker", "0.0.1", "tongits-lan/0", ("192.168.1.21:15213",), None),
    )

    def made(skin: Skin, size: tuple[int, int]) -> str:
        shown = door.placed(door.opened(name, "Carlo", skin), "wlan0  192.168.1.20")
        shown = door.looked(shown, found, ())
        for key in keys:
            shown = door.press(shown, key)
        return door_page.text_of(shown, *size)

    return made


Maker = Callable[[Skin, tuple[int, int]], str]

SCREENS: dict[str, Maker] = {
    "name": _door(name=""),
    "menu": _door(),
    "new table": _door("1"),
    "tables": _door("2"),
    "lobby": _lobby(),
    "new rules": _new_rules,
    "rules": _lobby(replace(_UI, overlay=Overlay.RULES, rule_sets=(*presets(), _OWN))),
    "code": _lobby(hosting=False, me=None, seats=(), question=Question("code", "Ana", bytes(32))),
    "words": _words,
    "shuffling": _shuffling,
    "spread": _spread,
    "draw": _draw,
    "take": _takes,
    "play": _play,
    "laid": _laid,
    "costly": _costly,
    "calling": _calling,
    "all choices": _all_choices,
    "hint": _pressed("d", "h"),
    "waiting": _pressed("d", "enter"),
    "fight": _fight,
    "away": _away,
    "gone": _gone,
    "leave": _pressed("q"),
    "chat": _pressed("c", *"sandali lang", "!"),
    "phrases": _pressed("!"),
    "hand over": _over,
    "fought": _fought,
    "coach": _coach,
    "score": _score,
    "log": _overlay(Overlay.LOG),
    "discards": _overlay(Overlay.DISCARDS),
    "proofs": _overlay(Overlay.PROOFS),
    "options": _overlay(Overlay.OPTIONS),
    "help": _overlay(Overlay.HELP),
    "fault": _fault,
    "nobody": _nobody,
    "closed": _closed,
    "small": _small,
}


NAMES = {
    f"screens-{columns}x{rows}-{name}.txt": ((columns, rows), skin)
    for columns, rows in SIZES
    for name, skin in SKINS.items()
}  # file name -> the size and the skin of its pictures


def files() -> dict[str, str]:
    """File name -> all pictures of one size and skin, each under its name."""
    return {
        name: "".join(f"==== {title}\n{make(skin, size)}\n" for title, make in SCREENS.items())
        for name, (size, skin) in NAMES.items()
    }


def readme(text: str) -> str:
    """The README with its pictures as they are now."""

    def picture(found: re.Match[str]) -> str:
        shown = SCREENS[found[1]](SYMBOLS, SIZES[0])
        return f"<!-- screen: {found[1]} -->\n```text\n{shown}\n```"

    return re.sub(r"<!-- screen: (.+?) -->\n```text\n.*?```", picture, text, flags=re.DOTALL)


def main() -> int:
    """Writes the files anew, and the pictures of the README."""
    GOLDEN.mkdir(exist_ok=True)
    for name, text in files().items():
        (GOLDEN / name).write_text(text, "utf-8", newline="\n")
    README.write_text(readme(README.read_text("utf-8")), "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
