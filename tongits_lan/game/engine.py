"""The rules in motion: who may do what, and what it changes.

Owns `deal`, `check`, `apply`, `view` and `legal_moves`. Sees slots and the faces that moves show; it is
given no hidden card, so whoever calls `apply` answers for the faces (rules.md 3, 4, 5, 8, 10).
"""

from tongits_lan.game.position import Lock, MeldKind, Phase, Position, Suspect, TableMeld, View

__all__ = ["Lock", "MeldKind", "Phase", "Position", "Suspect", "TableMeld", "View"]
