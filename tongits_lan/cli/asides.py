"""What a player of the line modes may ask at any moment, by the keys of the full screen: how the table
stands, the proofs, the score, the log, the discards, the options, advice.

Owns which key tells what; the words are those of the full screen.
"""

from __future__ import annotations

from collections.abc import Callable

from tongits_lan.bots.coach import costliest
from tongits_lan.cli.standing import hint, overview, rules_told, thrown
from tongits_lan.console import follow
from tongits_lan.console.acts_pages import PHRASES
from tongits_lan.console.options import switches
from tongits_lan.console.overlays import proof_lines
from tongits_lan.console.speech import tr
from tongits_lan.console.text import Voice, net_text, outcome_text
from tongits_lan.console.text_coach import review_lines
from tongits_lan.console.ui import Ui
from tongits_lan.game.scoring import brought
from tongits_lan.ledger.playback import PlayedHand
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.views import TableView
from tongits_lan.net.lobby import LobbyView

_WIDE = 10_000  # letters in a line: it is for whoever reads it aloud to break it


def lines(
    key: str,
    ui: Ui,
    view: LobbyView | TableView,
    played: Callable[[], PlayedHand | None],
) -> list[str] | None:
    """What this key tells, a sentence or fact each; None for a key that tells nothing."""
    if key == "!":
        said = ", ".join(f"{number} {phrase}" for number, phrase in enumerate(PHRASES, 1))
        return [tr("Say one of these with ! and its number: {phrases}", phrases=said)]
    if key == "o":
        return _options(ui, view)
    if key in ("l", "L"):
        return [entry.text for entry in ui.log] or [tr("Nothing yet.")]
    if isinstance(view, LobbyView):
        return rules_told(view) if key == "?" and view.rules is not None else None
    voice = follow.voice(ui, view)
    match key:
        case "?":
            return [*overview(view, voice), *keys()]
        case "p":
            return [text for text in proof_lines(ui, view, voice, _WIDE) if text]
        case "r":
            return _score(view, voice)
        case "v":
            return [thrown(view, voice)]
        case "h":
            return _advice(view, voice, played)
        case _:
            return None


def keys() -> list[str]:
    """What can be typed at any moment of a table."""
    return [
        tr(
            "At any time: ? tells how the table stands, v the discards, l the log, r the score, p the proofs."
        ),
        tr("h gives a hint, after a hand it judges your discards; o tells the options and the rules."),
        tr("c and a text chats, ! tells quick phrases, m and a name mutes that player's chat."),
        tr("The keys of the full screen (d, t, f, y, n and others) choose as the numbers do."),
        tr("g gives the hand up, q closes the program; the hand then stays pending."),
    ]


def _advice(view: TableView, voice: Voice, played: Callable[[], PlayedHand | None]) -> list[str]:
    """A hint on the own turn; between hands what the discards of the last one cost."""
    if view.phase not in (Phase.SETTLE, Phase.CLOSED):
        return [hint(view, voice)]
    hand = played()
    if hand is None:
        return [tr("No hand has been played to its end yet.")]
    return [text for text in review_lines(voice, costliest(hand, view.me)) if text]


def _score(view: TableView, voice: Voice) -> list[str]:
    """Every hand of the table, then how it stands."""
    told = []
    for record in view.records:
        net = brought(record.settlement)
        nets = ", ".join(f"{voice.who(seat)} {net_text(net[seat])}" for seat in view.order)
        told.append(f"{outcome_text(voice, record)} {nets}.")
    stand = ", ".join(f"{voice.whom(seat)} {view.match.chips[seat]}" for seat in view.order)
    return [
        *(told or [tr("No hand is over yet.")]),
        tr("Chips: {stand}; pot {pot}.", stand=stand, pot=view.match.pot),
    ]


def _options(ui: Ui, view: LobbyView | TableView) -> list[str]:
    """The switches with their numbers, then the rules of the table."""
    told = [f"o {at}  {one.label}: {one.state}" for at, one in enumerate(switches(ui, view), 1)]
    return [tr("o and a number turns an option:"), *told, *rules_told(view)]
