"""Vectors of link messages, descriptors and files (see make_vectors)."""

import hashlib
from typing import Any

import msgpack

from tests.edwards import P, encode, torsion
from tests.made import B32, DESCRIPTOR, ENTRY, LEDGER, PAYLOAD, PK, SIG, Cases, Made, frame, packed, rows
from tests.vectors import hexed

RULES = {"a": 1, "b": None}
PLACE = [B32, "Ana", None, True]
HELLO = ["hello", ["tongits-lan/1"], "0.1", "Ana", B32, B32]
LINKS: list[tuple[str, str, str, Any]] = [
    ("ok", "client", "the client's hello", HELLO),
    ("decode", "server", "the client's hello from the server", HELLO),
    ("ok", "server", "the server's hello", ["hello", "tongits-lan/1", "0.1", "Ben", B32, B32, False]),
    ("decode", "client", "a hello with no protocol", ["hello", [], "0.1", "Ana", B32, B32]),
    ("decode", "client", "a name of 25 characters", [*HELLO[:3], "n" * 25, B32, B32]),
    ("ok", "client", "a name of 24 characters of four bytes", [*HELLO[:3], "\U0001f0a1" * 24, B32, B32]),
    ("ok", "server", "refused", ["refused", "version", "speaks tongits-lan/2"]),
    ("decode", "server", "refused with a code nobody knows", ["refused", "because", ""]),
    ("ok", "client", "auth", ["auth", SIG]),
    ("decode", "client", "auth of 63 bytes", ["auth", SIG[:63]]),
    ("ok", "client", "pake", ["pake", B32 + b"A"]),
    ("ok", "client", "confirm", ["confirm", B32]),
    ("ok", "server", "welcome", ["welcome", B32[:8]]),
    ("decode", "client", "welcome from the client", ["welcome", B32[:8]]),
    ("ok", "client", "seat", ["seat", B32]),
    ("ok", "client", "ready", ["ready", B32]),
    ("ok", "client", "not ready any more", ["ready", None]),
    ("decode", "client", "ready for nothing named", ["ready", True]),
    ("decode", "client", "ready for a digest of 31 bytes", ["ready", B32[:31]]),
    ("ok", "server", "lobby", ["lobby", RULES, [PLACE], None]),
    ("decode", "server", "lobby of four", ["lobby", RULES, [PLACE] * 4, 3]),
    ("decode", "server", "lobby with a rules map in a rules map", ["lobby", {"a": {}}, [], None]),
    ("decode", "server", "lobby with an array for the rules map", ["lobby", [], [], None]),
    ("ok", "server", "bye", ["bye", "left", ""]),
    ("ok", "server", "table", ["table", DESCRIPTOR]),
    ("decode", "client", "table from the client", ["table", DESCRIPTOR]),
    ("ok", "client", "roster", ["roster", [[B32, ["192.168.1.7:15213"]], [B32, []], [B32, []]]]),
    ("decode", "client", "roster of two", ["roster", [[B32, []], [B32, []]]]),
    ("decode", "client", "nine addresses", ["roster", [[B32, ["a:1"] * 9], [B32, []], [B32, []]]]),
    ("ok", "client", "have", ["have", 0, B32]),
    ("ok", "client", "get", ["get", 7]),
    ("ok", "client", "entries", ["entries", 0, [ENTRY]]),
    ("decode", "client", "entries as one bin", ["entries", 0, ENTRY]),
    ("ok", "client", "reject", ["reject", 3, "proof", "the shuffle proof does not hold"]),
    ("ok", "client", "ping", ["ping", 1]),
    ("ok", "client", "pong", ["pong", 1]),
    ("ok", "client", "presence", ["presence", 2, "away"]),
    ("decode", "client", "presence of seat 3", ["presence", 3, "away"]),
    ("ok", "client", "differ", ["differ", 1]),
    ("decode", "client", "differ of seat 3", ["differ", 3]),
    ("ok", "client", "chat of 500 characters", ["chat", 0, "x" * 500]),
    ("decode", "client", "chat of 501 characters", ["chat", 0, "x" * 501]),
    ("decode", "client", "an entry", [PAYLOAD, SIG]),
    ("decode", "client", "a kind nobody knows", ["cheat", 1]),
    ("decode", "client", "a map", {"kind": "ping"}),
    ("decode", "client", "a map in a text's place", ["chat", 0, {}]),
]


def messages() -> Made:
    """Link messages, each from one side."""
    made = rows(
        "m", "", [(code, what, {"from": side, "bytes": packed(m).hex()}) for code, side, what, m in LINKS]
    )
    for what, data in (
        ("ping with uint8 for 1", b"\x92\xa4ping\xcc\x01"),
        ("lobby with rules out of order", b"\x94\xa5lobby\x82\xa1b\xc0\xa1a\x01\x90\xc0"),
    ):
        row = {"id": f"m{len(made):02}", "what": what, "expect": "canonical"}
        made.append({**row, "from": "client" if b"ping" in data else "server", "bytes": data.hex()})
    return made


def changed(path: list[Any], value: object) -> bytes:
    """The shared descriptor with another value at this path; KeyError takes the key away."""
    whole = msgpack.unpackb(DESCRIPTOR)
    part = whole
    for step in path[:-1]:
        part = part[step]
    if value is KeyError:
        del part[path[-1]]
    else:
        part[path[-1]] = value
    if len(path) > 1 and path[0] == 2:
        whole[2] = dict(sorted(whole[2].items()))
    return packed(whole)


def continuing(start: list[Any]) -> bytes:
    """A table that continues another from this start."""
    whole = msgpack.unpackb(DESCRIPTOR)
    return packed([*whole[:4], start, [B32, B32[::-1]]])


def rule(name: str, value: object) -> bytes:
    """The shared descriptor with another value of this option."""
    return changed([2, name], value)


CHOSEN = msgpack.unpackb(rule("first_dealer", "chosen"))


def bad_rules() -> list[tuple[str, bytes]]:
    """Wrong before the seats."""
    return [
        ("another protocol", changed([0], "tongits-lan/2")),
        ("no time", changed([1], None)),
        ("negative time", changed([1], -1)),
        ("true for the time", changed([1], True)),
        ("a rule option missing", rule("ante_first", KeyError)),
        ("an option nobody knows", rule("blind", 1)),
        ("1 for true", rule("showdown_layoff", 1)),
        ("true for 1", rule("base", True)),
        ("a word the option does not take", rule("next_dealer", "loser")),
        ("an amount above 1,000,000", rule("base", 1_000_001)),
        ("a negative amount", rule("base", -1)),
        ("nil for an amount", rule("base", None)),
        ("the word none for fold_fee", rule("fold_fee", "none")),
        ("10,001 hands", rule("hands", 10_001)),
        ("grace of a day and a second", rule("grace_seconds", 86_401)),
        ("a turn of 45 seconds", rule("turn_seconds", 45)),
        ("an array for an option", rule("preset", [])),
    ]


def bad_seats() -> list[tuple[str, bytes]]:
    """Wrong in the seats."""
    return [
        ("two seats", changed([3], msgpack.unpackb(DESCRIPTOR)[3][:2])),
        ("a key of 31 bytes", changed([3, 0, 0], PK[:31])),
        ("a key of small order", changed([3, 0, 0], encode((0, 1)))),
        ("an operator's key of small order", changed([3, 2, 3], encode(torsion()[1]))),
        ("an operator's key with y = p", changed([3, 2, 3], P.to_bytes(32, "little"))),
        ("one key in two seats", changed([3, 1, 0], PK)),
        ("one nonce_commit in two seats", changed([3, 1, 2], hexed(LEDGER["nonce_commits"][0]))),
        ("a name of 25 characters", changed([3, 0, 1], "n" * 25)),
        ("a name not in NFC", changed([3, 0, 1], "Jose\u0301")),
        ("a name as bin", changed([3, 0, 1], b"Ana")),
    ]


def bad_starts() -> list[tuple[str, bytes]]:
    """Wrong in the start, or as a whole."""
    return [
        ("chips out of nowhere", changed([4, 0], [1, 0, 0])),
        ("chips moved without a previous table", changed([4, 0], [1, -1, 0])),
        ("a pot out of nowhere", changed([4, 1], 3)),
        ("a streak without a previous table", changed([4], [[0, 0, 0], 0, 1, 1, None])),
        ("a dealer where the coin decides", changed([4, 4], 1)),
        ("no dealer where one is chosen", rule("first_dealer", "chosen")),
        ("dealer 3", packed([*CHOSEN[:4], [[0, 0, 0], 0, None, 0, 3], None])),
        ("four players' chips", changed([4, 0], [0, 0, 0, 0])),
        ("a previous table without a head", changed([5], [B32])),
        ("a continued table whose chips do not sum to zero", continuing([[-2, -2, -2], 5, None, 0, 0])),
        ("a streak of nobody", continuing([[0, 0, 0], 0, None, 1, 0])),
        ("a streak of nothing", continuing([[0, 0, 0], 0, 1, 0, 0])),
        ("a negative pot", continuing([[1, 0, 0], -1, None, 0, 0])),
        ("2^53 chips", continuing([[2**53, -(2**53), 0], 0, None, 0, 0])),
        ("a field too many", packed([*msgpack.unpackb(DESCRIPTOR), None])),
        ("rules out of order", packed([*CHOSEN[:2], dict(reversed(CHOSEN[2].items())), *CHOSEN[3:]])),
        ("a trailing byte", DESCRIPTOR + b"\0"),
        ("cut short", DESCRIPTOR[:-1]),
        ("nothing", b""),
        ("an entry", ENTRY),
    ]


def good_descriptors() -> list[tuple[str, bytes]]:
    """Descriptors to accept."""
    return [
        ("the shared one", DESCRIPTOR),
        ("a dealer chosen in the lobby", packed([*CHOSEN[:4], [[0, 0, 0], 0, None, 0, 2], None])),
        ("table options left out", rule("hints", KeyError)),
        ("a bot run by seat 0", changed([3, 2, 3], PK)),
        ("a name that steers a screen: cleaned where it is shown", changed([3, 0, 1], "\x1b[2J")),
        ("a continued table", continuing([[-250, -150, -50], 450, 2, 1, 0])),
        ("a continued table before its first counted hand", continuing([[0, 0, 0], 0, None, 0, None])),
        ("most chips", continuing([[2**53 - 1, 1 - 2**53, 0], 0, None, 0, 1])),
    ]


def descriptors() -> Made:
    """Descriptors: one thing changed in the shared one."""
    made: Cases = []
    for what, raw in good_descriptors():
        digest = hashlib.sha256(frame("table", raw)).hexdigest()
        made.append(("ok", what, {"descriptor": raw.hex(), "table_id": digest}))
    return rows(
        "d",
        "descriptor",
        made + [("descriptor", what, raw) for what, raw in bad_rules() + bad_seats() + bad_starts()],
    )


def files() -> Made:
    """Ledger and evidence files: their framing. Frames need not be entries to be told apart."""
    ledger, evidence = b"tongits-lan/1 ledger\n", b"tongits-lan/1 evidence\n"

    def framed(*frames: bytes) -> bytes:
        return b"".join(len(part).to_bytes(4) + part for part in frames)

    def case(
        data: bytes, kind: str, entries: int, offending: int, good: int, **flags: bool
    ) -> dict[str, Any]:
        shape = {"kind": kind, "entries": entries, "offending": offending, "good_length": good}
        return {"file": data.hex(), **shape, **flags}

    two = ledger + framed(b"descriptor", b"one")
    good = len(two)
    fork = evidence + framed(b"descriptor", b"one", b"\xc0", b"mine", b"thine")
    cases: Cases = [
        ("ok", "a ledger of one entry", case(two, "ledger", 1, 0, good)),
        ("ok", "a torn length", case(two + b"\0\0", "ledger", 1, 0, good, torn=True)),
        ("ok", "a torn frame", case(two + b"\0\0\0\4abc", "ledger", 1, 0, good, torn=True)),
        ("ok", "no descriptor", case(ledger, "ledger", 0, 0, len(ledger), torn=True)),
        ("ok", "a frame over the limit", case(two + b"\0\1\0\1abc", "ledger", 1, 0, good, oversize=True)),
        ("ok", "a frame at the limit, torn", case(two + b"\0\1\0\0abc", "ledger", 1, 0, good, torn=True)),
        ("ok", "zeros behind the last frame", case(two + bytes(600), "ledger", 1, 0, good, torn=True)),
        (
            "ok",
            "zeros in place of the end",
            case(two + b"\0\0\0\x0cabcd" + bytes(8), "ledger", 1, 0, good, torn=True),
        ),
        ("ok", "seven zeros at the end", case(two + b"\0\0\0\x0babcd" + bytes(7), "ledger", 2, 0, good + 15)),
        ("ok", "zeros between", case(two + bytes(8) + framed(b"two"), "ledger", 4, 0, good + 15)),
        ("ok", "a frame of zeros between", case(two + framed(bytes(8), b"two"), "ledger", 3, 0, good + 19)),
        ("ok", "nothing but zeros", case(ledger + bytes(64), "ledger", 0, 0, len(ledger), torn=True)),
        ("ok", "nil in a ledger is a frame", case(two + framed(b"\xc0"), "ledger", 2, 0, good + 5)),
        ("ok", "evidence of a fork", case(fork, "evidence", 1, 2, len(fork))),
        ("ok", "evidence of one entry", case(fork[:-9], "evidence", 1, 1, len(fork) - 9)),
        ("ok", "evidence without a divider", case(evidence + two[21:], "evidence", 1, 0, good + 2)),
        ("header", "nothing", b""),
        ("header", "another version", b"tongits-lan/2 ledger\n" + two[21:]),
        ("header", "a first line without its end", ledger[:-1]),
        ("header", "another kind of line end", b"tongits-lan/1 ledger\r\n" + two[21:]),
        ("header", "a picture", b"\x89PNG\r\n\x1a\n"),
    ]
    return rows("f", "file", cases)
