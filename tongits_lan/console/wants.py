"""What a front asks of the program around it. Owns these words alone."""

from enum import StrEnum


class Want(StrEnum):
    """What the program around a screen has to do."""

    BELL = "bell"
    REDRAW = "redraw"
    SUSPEND = "suspend"
    CLOSE = "close"
    INTERRUPT = "interrupt"
