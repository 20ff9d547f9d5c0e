"""Computer players: `choose` picks one of the legal moves from what its own seat may see.

Knows the game and nothing of networks, files, clocks or entropy; chance comes in as a seeded generator.
"""

from tongits_lan.bots.player import choose
from tongits_lan.bots.temper import NEIGHBOURS, Neighbour, Temper, temper_of

__all__ = ["NEIGHBOURS", "Neighbour", "Temper", "choose", "temper_of"]
