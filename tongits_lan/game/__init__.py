"""The game of Tongits, pure: cards, melds, rules, moves, the engine and the scoring.

Owns every rule; knows no network, file, clock, entropy or screen.
"""
