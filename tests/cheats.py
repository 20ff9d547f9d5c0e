"""All ways to cheat: for each the phase in which it is tried, the entry, and what it must be called.

Shared by the tests of acceptance and of verification and by the golden ledgers.
"""

from tests import cheats_deck, cheats_moves, cheats_play, cheats_proofs, cheats_shape, cheats_turn
from tests.cheating import CHEATS, Cheat

__all__ = [
    "CHEATS",
    "Cheat",
    "cheats_deck",
    "cheats_moves",
    "cheats_play",
    "cheats_proofs",
    "cheats_shape",
    "cheats_turn",
]
