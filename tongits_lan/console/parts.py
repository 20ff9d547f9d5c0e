"""The parts of the table screen as unframed lines: players, melds, piles, the own hand, the log.

Owns how each part is written; knows nothing of frames and sizes beyond the cells it is given.
"""

from calendar import month_abbr
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Protocol, assert_never

from tongits_lan.console.boxes import BLANK, Line, cells, cut_text, fit, joints, line, width, wrap
from tongits_lan.console.notices import say_reach
from tongits_lan.console.skins import Skin
from tongits_lan.console.speech import tr, trn
from tongits_lan.console.text import Voice, net_text
from tongits_lan.console.ui import LogLine, Screen, Ui
from tongits_lan.game.cards import is_joker, suit
from tongits_lan.game.position import Phase, Position, TableMeld
from tongits_lan.game.scoring import brought
from tongits_lan.ledger.chain import fingerprint
from tongits_lan.ledger.views import TableView

_HIDDEN = "##"
_SCORE_CELLS = (7, 6, 7)  # of chips, of the last hand, of hands won
_LEAST_YOU = 8  # cells of the own row for "YOU" and a name, before its facts are said in fewer words
_PILE_GAP = 11  # between the two piles
_SUIT_STYLES = ("suit-c", "suit-d", "suit-h", "suit-s")


def face(skin: Skin, code: int, style: str = "") -> tuple[str, str]:
    """One card as a fragment, its suit marked by style (its letter tells it without)."""
    return (f"{style} class:{_SUIT_STYLES[suit(code)]}" if not is_joker(code) else style, skin.card(code))


def faces(skin: Skin, codes: Sequence[int]) -> Line:
    """Cards with blanks between."""
    parts: list[tuple[str, str]] = []
    for code in codes:
        if parts:
            parts.append(("", " "))
        parts.append(face(skin, code))
    return tuple(parts)


def clock(seconds: int) -> str:
    """0:07."""
    return f"{seconds // 60}:{seconds % 60:02d}"


def standing(view: TableView, seat: int) -> str:
    """Whether a player has opened, and whether a lock stops him from calling a fight when it is his turn."""
    return _standings(view, seat)[0]


def _standings(view: TableView, seat: int) -> tuple[str, ...]:
    """The same in words that get shorter; what a short one leaves out, the melds below it show."""
    position = view.position
    if position is None:
        return (tr("no cards yet"),)
    if not position.opened(seat):
        return tr("NOT OPENED"), tr("UNOPENED")
    if not position.locked[seat]:
        return tr("opened  fight ok"), tr("opened")
    if position.turn == seat and position.phase is Phase.START:
        return tr("opened  no fight now"), tr("no fight now")
    return tr("opened  no fight next"), tr("no fight next")


def who_title(view: TableView, voice: Voice, seat: int, room: int) -> Line:
    """Name and place of an opponent, shortened to the room."""
    dealer = " " + tr("dealer") if view.dealer == seat else ""
    bot = " (bot)" if view.bots[seat] else ""
    if seat == (view.me + 1) % 3:
        places = (tr("plays after you"), tr("after"))
    else:
        places = (tr("plays before you"), tr("before"))
    style = "class:turn" if _on_turn(view, seat) else "class:name"
    for place in (*(f" - {order}" for order in places), ""):
        title = line((style, voice.names[seat]), f"{bot}{dealer}{place}")
        if cells(title) <= room:
            return title
    return title


def opponent(view: TableView, voice: Voice, seat: int, room: int, *, brief: bool = False) -> list[Line]:
    """An opponent's row of facts and the melds on the table."""
    first = _facts(view, voice, seat, room)
    none = [] if brief else [line(("class:dim", tr("no melds on the table")))]
    return [first, *(melds(view, voice, seat, room) or none)]


def _facts(view: TableView, voice: Voice, seat: int, room: int) -> Line:
    """Cards, state, how the seat is reached, and chips, in the fullest words that fit.

    First the label of the chips goes, then how exactly the seat is away, then the word for the cards, last
    the state; that a player is away never goes."""
    position = view.position
    counts: tuple[str, ...] = ("",)
    if position is not None:
        count = len(position.hands[seat])
        counts = (trn("{count} card", "{count} cards", count), f"{count}")
    figure = f"{view.match.chips[seat]}"
    purses = [blanks + purse for purse in (tr("chips {n}", n=figure), figure) for blanks in ("  ", " ")]
    reaches, states = _reaches(view, voice, seat), _standings(view, seat)
    stateless = product(counts[:1], reaches, purses, ("",))
    for held, reach, purse, state in (*product(counts, reaches, purses, states), *stateless):
        for gap in ("  ", " "):
            said = gap.join(part for part in (held, state.replace("  ", gap)) if part)
            told = line(said, ("class:warn", gap + reach if reach else ""))
            free = room - cells(told) - len(purse)
            if free >= 0:
                return (*told, ("", " " * free + purse))
    return fit(line(counts[-1], ("class:warn", f" {reaches[-1]}")), room)


def _reaches(view: TableView, voice: Voice, seat: int) -> tuple[str, ...]:
    """How a seat is reached that is not reached directly, in full and in short."""
    reach = view.links[seat]
    match reach.kind:
        case "through":
            return say_reach(voice, reach), ""
        case "away":
            return say_reach(voice, reach), tr("away")
        case "me" | "direct":
            return ("",)
        case _:
            assert_never(reach.kind)


def hidden_row(view: TableView, seat: int, room: int) -> Line:
    """The backs of an opponent's cards."""
    count = 0 if view.position is None else len(view.position.hands[seat])
    return line(("class:dim", cut_text(" ".join([_HIDDEN] * count), room)))


class Seen(Protocol):
    """What the parts of the table that all players see are drawn from."""

    @property
    def position(self) -> Position | None: ...
    @property
    def faces(self) -> Mapping[int, int]: ...


def melds(view: Seen, voice: Voice, seat: int, room: int, position: Position | None = None) -> list[Line]:
    """A player's melds, wrapped; long ones shortened to their ends when they would not fit."""
    position = position or view.position
    if position is None:
        return []
    own = [(index, meld) for index, meld in enumerate(position.melds) if meld.owner == seat]
    lines: list[Line] = []
    current: Line = BLANK
    for index, meld in own:
        part = _meld(view, voice, index, meld)
        if cells(part) > room:
            part = _short_meld(voice.skin, index, meld)
        joined = (*current, ("", "  "), *part) if current else part
        if cells(joined) > room:
            lines.append(current)
            joined = part
        current = joined
    return [*lines, current] if current else lines


def _meld(view: Seen, voice: Voice, index: int, meld: TableMeld) -> Line:
    label = ("class:dim", f"[{index + 1}] ")
    if meld.face_down:
        mine = [view.faces[slot] for slot in meld.slots if slot in view.faces]
        if len(mine) == len(meld.slots):
            return (label, *faces(voice.skin, mine), ("class:dim", " " + tr("face down")))
        return (label, ("class:dim", " ".join([_HIDDEN] * len(meld.slots))))
    codes = [code for code in meld.cards if code is not None]
    wild = meld.wild
    stands = (("class:dim", f" (={voice.skin.cards(wild)})"),) if wild else BLANK
    return (label, *faces(voice.skin, codes), *stands)


def _short_meld(skin: Skin, index: int, meld: TableMeld) -> Line:
    """A run as its two ends; a set is never that long."""
    ends = [code for code in (meld.cards[0], meld.cards[-1]) if code is not None]
    if meld.kind == "set" or len(ends) < 2:
        return line(("class:dim", f"[{index + 1}] "), *faces(skin, [c for c in meld.cards if c is not None]))
    return line(("class:dim", f"[{index + 1}] "), face(skin, ends[0]), f" {tr('to')} ", face(skin, ends[1]))


def piles(view: Seen, voice: Voice, room: int) -> Line:
    """Stock and discards, the newest first."""
    position = view.position
    if position is None:
        return BLANK
    left = tr("{n} left", n=len(position.stock))
    parts = line(("class:title", tr("STOCK") + " "), f"{left}     ", ("class:title", tr("DISCARD") + " "))
    if not position.discards:
        return (*parts, ("class:dim", tr("none yet")))
    codes = [code for _, code in reversed(position.discards)]
    by = _thrower(view, voice)
    parts = (*parts, face(voice.skin, codes[0], "class:top"), ("", f"{by}   "))
    if len(codes) > 1:
        parts = (*parts, ("class:dim", tr("earlier:") + " "))
        parts = (*parts, *_as_many(voice.skin, codes[1:], room - cells(parts)))
    return parts if cells(parts) <= room else fit(parts, room)


def _as_many(skin: Skin, codes: Sequence[int], room: int) -> Line:
    """As many whole cards as fit, and a sign that there are more."""
    for count in range(len(codes), 0, -1):
        shown = faces(skin, codes[:count])
        shown = shown if count == len(codes) else (*shown, ("class:dim", " .."))
        if cells(shown) <= room:
            return shown
    return line(("class:dim", ".."))


def tall_piles(view: Seen, voice: Voice, room: int) -> list[Line]:
    """The same with both piles as cards, and the earlier discards beside their name."""
    position = view.position
    if position is None:
        return [BLANK] * 4
    codes = [code for _, code in reversed(position.discards)]
    back = ("class:dim", _HIDDEN if position.stock else "")
    stock = _pile(voice.skin, back)
    discard = _pile(voice.skin, face(voice.skin, codes[0], "class:top") if codes else ("", ""))
    beside = _thrower(view, voice) if codes else f" {tr('none yet')}"
    lines = [(*left, ("", " " * _PILE_GAP), *right) for left, right in zip(stock, discard, strict=True)]
    lines[1] = (*lines[1], ("", f" {beside}"))
    left = line(("class:title", tr("STOCK")), f"  {tr('{n} left', n=len(position.stock))}")
    names = (*fit(left, cells(stock[0]) + _PILE_GAP), ("class:title", tr("DISCARD")))
    if codes[1:]:
        names = (*names, ("class:dim", f"   {tr('earlier:')} "))
        names = (*names, *_as_many(voice.skin, codes[1:], room - cells(names)))
    return [*lines, fit(names, room)]


def _pile(skin: Skin, top: tuple[str, str]) -> list[Line]:
    """A card with a frame."""
    dash, bar = skin.lines[0] * 5, ("class:frame", skin.lines[1])
    upper, lower = (joints(skin, edge) for edge in ("top", "bottom"))
    return [
        line(("class:frame", f"{upper[0]}{dash}{upper[2]}")),
        (bar, ("", " "), *fit((top,), 4), bar),
        line(("class:frame", f"{lower[0]}{dash}{lower[2]}")),
    ]


def _thrower(view: Seen, voice: Voice) -> str:
    """Who threw the top discard, as far as the position tells: the one before the player on turn."""
    position = view.position
    if position is None or position.turn is None:
        return ""
    just_thrown = position.phase is Phase.START or (
        position.phase is Phase.ACTION and position.drew is not None
    )
    return f" ({voice.whom((position.turn + 2) % 3)})" if just_thrown else ""


def own_title(view: TableView, voice: Voice, room: int) -> Line:
    """The player's own row of facts; a name that leaves them no room is cut."""
    dealer = "  " + tr("dealer") if view.dealer == view.me else ""
    style = "class:turn" if _on_turn(view, view.me) else "class:name"
    chips = tr("chips {n}", n=view.match.chips[view.me])
    you = tr("YOU {name}", name=voice.names[view.me])
    for state in _standings(view, view.me):
        facts = f"{dealer}  {state}  {chips}"
        if room - width(facts) >= min(width(you), _LEAST_YOU):
            break
    return line((style, shortened(you, room - width(facts))), facts)


def shortened(text: str, room: int) -> str:
    """The text, or its beginning and a tilde."""
    return text if width(text) <= room else cut_text(text, max(0, room - 1)) + "~"


def _on_turn(view: TableView, seat: int) -> bool:
    return view.position is not None and view.position.turn == seat


def hand(ui: Ui, view: TableView, room: int) -> list[Line]:
    """The own hand: group names, cards, and a line that shows cursor (^) and marks (+)."""
    layout = ui.layout
    groups = [*layout.melds, layout.loose] if layout.loose else list(layout.melds)
    count = len(layout.order)
    step = 5 if count * 5 + 2 * len(groups) <= room else 4
    gap = "  " if count * step + 2 * len(groups) <= room else ""
    names, cards, below = BLANK, BLANK, BLANK
    for at, group in enumerate(groups):
        if at:
            names, cards, below = ((*part, ("", gap)) for part in (names, cards, below))
        is_meld = at < len(layout.melds)
        title = f"{chr(65 + at)} {_kind(view, group)}" if is_meld else tr("loose") if layout.melds else ""
        names = (*names, ("class:dim", f"{cut_text(title, len(group) * step):<{len(group) * step}}"))
        for slot in group:
            cards = (*cards, *_cell(ui, view, slot, step))
            below = (*below, _under(ui, slot, step))
    return [names, cards, below]


def tall_hand(ui: Ui, view: TableView, room: int) -> list[Line] | None:
    """The own hand as cards with frames, or None where they do not fit."""
    layout = ui.layout
    groups = [group for group in (*layout.melds, layout.loose) if group]
    wide = 5
    if sum(len(group) * wide + 3 for group in groups) > room:
        return None
    bar, dash = ui.skin.lines[1], ui.skin.lines[0] * (wide - 1)
    rows: list[list[tuple[str, str]]] = [[], [], [], [], []]
    for at, group in enumerate(groups):
        is_meld = at < len(layout.melds)
        title = f"{chr(65 + at)} {_kind(view, group)}" if is_meld else tr("loose") if layout.melds else ""
        rows[0].append(("class:dim", f"{title:<{len(group) * wide + 3}}"))
        top, low = (joints(ui.skin, edge) for edge in ("top", "bottom"))
        rows[1].append(("class:frame", top[0] + top[1].join([dash] * len(group)) + top[2] + "  "))
        rows[3].append(("class:frame", low[0] + low[1].join([dash] * len(group)) + low[2] + "  "))
        for slot in group:
            rows[2].extend((("class:frame", bar), *_cell(ui, view, slot, wide - 1)))
            rows[4].extend((("", " "), _under(ui, slot, wide - 1)))
        rows[2].append(("class:frame", bar + "  "))
        rows[4].append(("", "   "))
    return [tuple(parts) for parts in rows]


def network(screen: Screen, view: TableView, voice: Voice, room: int) -> list[Line]:
    """How the others are reached, by which keys they are known, and what was checked here."""
    texts = []
    for seat in ((view.me + 2) % 3, (view.me + 1) % 3):
        ms = screen.rtt_ms[seat] if seat < len(screen.rtt_ms) else None
        far = "" if ms is None else f", {ms:.0f} ms"
        texts.append(
            f"{voice.names[seat]}: {say_reach(voice, view.links[seat])}{far}{_who(screen, view, seat)}"
        )
    times = [proved.clock for proved in screen.ui.proved if proved.clock]
    checked = tr("Shuffle proofs checked here: {n} of 3.", n=sum(view.proofs))
    if times and all(view.proofs):
        checked = tr("Shuffle proofs checked here: 3 of 3, the last at {time}.", time=times[-1])
    words = " ".join(view.words) if view.words is not None else tr("not drawn yet")
    texts += [checked, tr("Table words: {words}.", words=words)]
    return [line(part) for text in texts for part in wrap(text, room)]


def _who(screen: Screen, view: TableView, seat: int) -> str:
    """Whether a bot sits there; else the words of the key, and since when it is known."""
    if view.bots[seat]:
        return tr(", a bot")
    words = tr(", key {words}", words=" ".join(fingerprint(view.keys[seat])))
    known = screen.known[seat] if seat < len(screen.known) else None
    if known is None:
        return words
    year, month = known.since
    return words + tr(", known since {month}", month=f"{month_abbr[month]} {year}")


def _kind(view: Seen, group: Sequence[int]) -> str:
    naturals = [view.faces[slot] for slot in group if view.faces[slot] < 52]
    return tr("set") if len({card % 13 for card in naturals}) == 1 else tr("run")


def _cell(ui: Ui, view: TableView, slot: int, step: int) -> Line:
    style, text = face(ui.skin, view.faces[slot])
    if slot == ui.layout.cursor:
        style += " class:cursor"
    elif slot in ui.layout.marks:
        style += " class:mark"
    star = "*" if slot == ui.layout.new else ""
    return ((style, text), ("class:new", star), ("", " " * (step - len(text) - len(star))))


def _under(ui: Ui, slot: int, step: int) -> tuple[str, str]:
    signs = 2 if step > 4 else 1
    if slot == ui.layout.cursor:
        sign = "+^" if slot in ui.layout.marks else "^" * 2
        return ("class:cursor-line", f"{sign:<{step}}")
    if slot in ui.layout.marks:
        return ("class:mark", f"{'+' * signs:<{step}}")
    return ("", " " * step)


def log_lines(entries: Sequence[LogLine], room: int, rows: int) -> list[Line]:
    """The newest lines of the log that fit, oldest first."""
    lines: list[Line] = []
    for entry in reversed(entries):
        style = {"chat": "class:chat", "table": "class:dim", "game": ""}[entry.kind]
        wrapped = [line((style, text)) for text in wrap(entry.text, room)]
        lines = [*wrapped, *lines]
        if len(lines) >= rows:
            break
    return lines[max(0, len(lines) - rows) :] if rows > 0 else []


def score(view: TableView, voice: Voice, room: int) -> list[Line]:
    """Chips of all three, what the last hand brought, and the hands they have won."""
    head = "".join(fit_right(text, wide) for text, wide in zip(_score_head(), _SCORE_CELLS, strict=True))
    lines = [line(("class:dim", " " * (room - width(head)) + head))]
    for seat in view.order:
        last = "" if view.record is None else net_text(brought(view.record.settlement)[seat])
        won = sum(record.settlement.winner == seat for record in view.records)
        figures = (str(view.match.chips[seat]), last, str(won))
        numbers = "".join(fit_right(text, wide) for text, wide in zip(figures, _SCORE_CELLS, strict=True))
        label = f"{tr('you') if seat == view.me else '':<3} {voice.names[seat]}"
        lines.append(line(fit_text(label, room - width(numbers)), numbers))
    return lines


def _score_head() -> tuple[str, str, str]:
    return tr("chips"), tr("last"), tr("won")


def fit_right(text: str, room: int) -> str:
    """The text at the right end of the room, cut where it is too long."""
    return f"{cut_text(text, room):>{room}}"


def fit_text(text: str, room: int) -> str:
    """The text cut or padded to the room."""
    return "".join(part for _, part in fit(line(text), room))
