"""The page of a lobby's rules: what is new in them, and for the host what he may choose.

Owns its lines; like all drawing it reads no clock and asks nothing.
"""

from tongits_lan.console.boxes import BLANK, Line, first_fitting, framed, line, wrap
from tongits_lan.console.parts import fit_text
from tongits_lan.console.rules_words import chosen, name_and_mark, news, say_hands, say_turn
from tongits_lan.console.scrolling import Picture, windowed
from tongits_lan.console.speech import told, tr
from tongits_lan.console.ui import Screen
from tongits_lan.game.catalogue import ORIGINS
from tongits_lan.game.combinations import rules_name
from tongits_lan.game.rules import Rules
from tongits_lan.ledger.texts import clean
from tongits_lan.limits import CHAT_MAX
from tongits_lan.net.config import RuleSet
from tongits_lan.net.lobby import LobbyView

_NAME_CELLS = 14
_NUMBERED = 9  # rule sets that a key can choose


def page(screen: Screen, view: LobbyView) -> Picture:
    """The rules of the table that is about to begin."""
    ui, room = screen.ui, screen.columns - 4
    rules = view.rules
    body = _choices(ui.rule_sets, rules, room) if view.hosting and rules is not None else []
    body.extend(_news(ui.agreed, rules, room))
    note = [line(("class:note", text)) for text in wrap(clean(ui.note, CHAT_MAX), room)] if ui.note else []
    height = screen.rows - 3 - len(note)
    shown = windowed(body, height, ui.scroll)
    name = tr("not known yet") if rules is None else name_and_mark(rules)
    title = line(("class:title", tr("THE RULES OF THIS TABLE")), f"  {name}")
    keys = tr("1-9 choose  t turn  n hands") + "  " if view.hosting else ""
    turns = (tr("Up Down scroll  Esc back  ? help"), tr("Up Down scroll  Esc back"))
    foot = line(("class:dim", f" {first_fitting((keys + text for text in turns), screen.columns - 1)}"))
    filled = [*shown.lines, *[BLANK] * (height - len(shown.lines)), *note]
    return Picture(framed(ui.skin, screen.columns, screen.rows, title, filled, foot), shown.extent)


def _choices(rule_sets: tuple[RuleSet, ...], now: Rules, room: int) -> list[Line]:
    """The rule sets with their numbers, then turn and hands."""
    lines = []
    for number, one in enumerate(rule_sets[:_NUMBERED], 1):
        is_now = chosen(now, one) == now
        mark = "> " if is_now else "  "
        name = fit_text(clean(one.name, CHAT_MAX), _NAME_CELLS)
        about = told(ORIGINS[one.name]) if one.name in ORIGINS else _about(one)
        style = "class:turn" if is_now else "" if one.rules is not None else "class:warn"
        first, *more = wrap(about, max(12, room - _NAME_CELLS - 6))
        lines.append(line(mark, ("class:key", str(number)), "  ", (style, f"{name} {first}")))
        lines.extend(line(" " * (_NAME_CELLS + 6), (style, text)) for text in more)
    lines.append(line("  ", ("class:key", "t"), "  ", say_turn(now.turn_seconds)))
    lines.append(line("  ", ("class:key", "n"), "  ", say_hands(now.hands)))
    return [*lines, BLANK]


def _about(rule_set: RuleSet) -> str:
    """A file of the host: what it is near to, or why it cannot be used."""
    if rule_set.rules is None:
        return clean(told(rule_set.problem), CHAT_MAX)
    return told(rules_name(rule_set.rules))


def _news(agreed: Rules | None, rules: Rules | None, room: int) -> list[Line]:
    """What is true now that was not when this player last said yes."""
    if rules is None or agreed is None or agreed == rules:
        same = tr("Nothing is new in the rules; o shows them whole, in words.")
        return [line(("class:dim", text)) for text in wrap(same, room)]
    head = tr("New since you were ready last, or came ({name}):", name=name_and_mark(agreed))
    lines = [line(("class:turn", text)) for text in wrap(head, room)]
    for sentence in news(agreed, rules):
        first, *more = wrap(sentence, room - 4)
        lines.append(line(f"  * {first}"))
        lines.extend(line(f"    {text}") for text in more)
    whole = tr("All else is as before; o shows the rules whole, in words.")
    return [*lines, BLANK, *(line(("class:dim", text)) for text in wrap(whole, room))]
