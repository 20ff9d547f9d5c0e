"""The deck room: a shuffle nobody can rig, cards nobody can see before their time.

Owns the cryptography of one hand (docs/protocol.md, "The deck"): group, secrets, shuffle, proofs, opening.
Pure: entropy comes in as an argument, and it knows neither the rules of the game nor the ledger.
"""
