"""Tongits for three on one network, with no server and no trusted dealer."""

__version__ = "0.1.0"
