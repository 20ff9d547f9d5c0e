"""The switches a player can turn while playing: how the screen looks and sounds, whose chat is shown.

Owns their order, their words and what turning one changes; the rules of the table are not among them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from tongits_lan.console.mute import muted, turned
from tongits_lan.console.speech import IN_BOTH, LANGUAGES, speak, spoken, tr
from tongits_lan.console.ui import Ui
from tongits_lan.ledger.views import TableView
from tongits_lan.net.lobby import LobbyView


@dataclass(frozen=True, slots=True)
class Switch:
    """One line: what it is, how it stands, the screen after it was turned."""

    label: str
    state: str
    turned: Callable[[Ui], Ui]


def switches(ui: Ui, view: LobbyView | TableView | None) -> tuple[Switch, ...]:
    """The switches, numbered from 1; those for the chat of others only at a table. No view: in the menu."""
    settings = ui.settings
    shown = [
        Switch(tr("four colours for the suits"), _on(settings.four_colors), _four_colors),
        Switch(tr("bell when your turn begins"), _on(settings.bell), bell),
        Switch(tr("window title says whose turn it is"), _on(settings.title), _title),
        Switch(tr("colour that shows whose turn it is"), _on(settings.turn_color), _turn_color),
        Switch(tr("advice under the choices"), _on(settings.tips), _tips),
        Switch(IN_BOTH, LANGUAGES[spoken()], language),
    ]
    if isinstance(view, TableView):
        for seat in view.order[1:]:
            state = tr("muted") if muted(settings, view, seat) else tr("shown")
            shown.append(Switch(tr("chat of {name}", name=view.names[seat]), state, _mute(view.keys[seat])))
    return tuple(shown)


def switched(ui: Ui, view: LobbyView | TableView | None, number: int) -> Ui:
    """The screen after the switch of this number was turned, all in its language from now on; as it was where
    there is no such number."""
    shown = switches(ui, view)
    if not 1 <= number <= len(shown):
        return ui
    ui = shown[number - 1].turned(ui)
    if ui.settings.lang not in ("", spoken()):
        speak(ui.settings.lang)
    return ui


def _on(value: bool) -> str:
    return tr("on") if value else tr("off")


def language(ui: Ui) -> Ui:
    """The next language; what the screen keeps in words is said anew by whoever turns this."""
    codes = tuple(LANGUAGES)
    chosen = codes[(codes.index(spoken()) + 1) % len(codes)]
    return replace(ui, settings=replace(ui.settings, lang=chosen))


def _four_colors(ui: Ui) -> Ui:
    return replace(ui, settings=replace(ui.settings, four_colors=not ui.settings.four_colors))


def bell(ui: Ui) -> Ui:
    """The bell on or off."""
    return replace(ui, settings=replace(ui.settings, bell=not ui.settings.bell))


def _title(ui: Ui) -> Ui:
    return replace(ui, settings=replace(ui.settings, title=not ui.settings.title))


def _turn_color(ui: Ui) -> Ui:
    return replace(ui, settings=replace(ui.settings, turn_color=not ui.settings.turn_color))


def _tips(ui: Ui) -> Ui:
    return replace(ui, settings=replace(ui.settings, tips=not ui.settings.tips), turns=0)


def _mute(key: bytes) -> Callable[[Ui], Ui]:
    return lambda ui: replace(ui, settings=turned(ui.settings, key))
