"""Whatever bytes come to a decoder: a value or one of the exceptions it names, in bounded memory.

The decoders are fuzzed one by one beside their own tests (encoding, messages, entries, descriptors, files,
rules); here are the whole ways in: a ledger to its report, a stream to a link, a data folder to a session.
"""

import functools
import shutil
import tempfile
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from hypothesis import example, given, settings
from hypothesis import strategies as st
from trio.testing import memory_stream_pair

from tests.hostile.stage import lay_down
from tests.make_ledgers import FOLDER, standing
from tests.scripted import NAMES
from tests.tables import descriptor
from tongits_lan.errors import Code, Fault, LinkLost, TongitsError, UserError
from tongits_lan.game.rules import OPTIONS, Rules
from tongits_lan.ledger.chain import Descriptor, parse_descriptor, parse_entry
from tongits_lan.ledger.encoding import frame_bytes, pack, unpack
from tongits_lan.ledger.files import EVIDENCE_HEADER, LEDGER_HEADER, parse_file
from tongits_lan.ledger.messages import Chat, decode_message, encode_message
from tongits_lan.ledger.private import HandSecret
from tongits_lan.ledger.report import Report, as_json, sentences
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.verify import verify
from tongits_lan.limits import FRAME_MAX
from tongits_lan.net.link import Link
from tongits_lan.net.transport import Secured
from tongits_lan.store import settings as stored_settings
from tongits_lan.store.house_rules import SIZE_MAX, load
from tongits_lan.store.journal import Journal, pending_tables, read_addresses
from tongits_lan.store.promise import load_promise

MEMORY = 50_000_000  # bytes
SMALL = ("no-hand.tongits", "fork-in-shuffle.evidence", "cheat-a-copied-mask.tongits")


def outcome(call: Callable[[], object]) -> object:
    """What it returns, or the exception of this program that it raises."""
    try:
        return call()
    except TongitsError as error:
        return error


# A ledger, to its report.


def report(data: bytes) -> Report | None:
    """The verdict, told in every form; None for a file that is none of ours."""
    found = outcome(lambda: verify(parse_file(data), proofs=False))
    if isinstance(found, Fault):
        assert found.code is Code.HEADER
        return None
    assert isinstance(found, Report)
    assert as_json(found)["status"] == found.status
    assert all(line.isprintable() for line in sentences(found))
    return found


@functools.cache
def golden(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


Change = Callable[[bytes, int, bytes], bytes]
CHANGES: dict[str, Change] = {
    "flip": lambda data, at, part: data[:at] + bytes([data[at] ^ (part[0] or 1)]) + data[at + 1 :],
    "put in": lambda data, at, part: data[:at] + part + data[at:],
    "take out": lambda data, at, part: data[:at] + data[at + len(part) :],
    "write over": lambda data, at, part: data[:at] + part + data[at + len(part) :],
    "cut": lambda data, at, part: data[:at],
    "repeat": lambda data, at, part: data[:at] + data[max(0, at - 200) :],
}
changes = st.tuples(
    st.sampled_from(sorted(CHANGES)), st.floats(0, 1, exclude_max=True), st.binary(min_size=1, max_size=40)
)


@settings(max_examples=60)
@given(st.sampled_from(SMALL), st.lists(changes, min_size=1, max_size=3))
def test_a_changed_ledger_has_a_report(name: str, made: list[tuple[str, float, bytes]]) -> None:
    data = golden(name)
    for what, place, part in made:
        data = CHANGES[what](data, int(place * len(data)), part) if data else data
    found = report(data)
    assert (found is not None) is data.startswith((LEDGER_HEADER, EVIDENCE_HEADER))


@settings(max_examples=6)
@given(st.floats(0, 1, exclude_max=True), st.integers(1, 255))
@example(0.0, 1)
@example(0.999999, 1)
def test_a_changed_byte_of_an_honest_ledger_is_noticed(place: float, mask: int) -> None:
    """Wherever it is: another first line, a fault at its height, or, in a length, a torn end."""
    data = bytearray(golden("honest.tongits"))
    data[int(place * len(data))] ^= mask
    found = report(bytes(data))
    assert found is None or found.status != "fair"


# A descriptor with anything in any place.

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**53) | st.text(max_size=30) | st.binary(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def put(value: Any, path: list[float], new: Any) -> Any:
    """The value with something else at a place inside it."""
    if not path or not isinstance(value, list | dict) or not value:
        return new
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[int(path[0] * len(keys))]
    if isinstance(value, dict):
        return {**value, key: put(value[key], path[1:], new)}
    return [*value[:key], put(value[key], path[1:], new), *value[key + 1 :]]


def listed(value: Any) -> Any:
    """Arrays as lists, all the way down."""
    return [listed(item) for item in value] if isinstance(value, list | tuple) else value


@settings(max_examples=60)
@given(st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=4), ANYTHING)
def test_a_descriptor_with_something_else_in_it(path: list[float], new: Any) -> None:
    fields = listed(unpack(descriptor().raw, allow_map=True, allow_negative=True))
    try:
        raw = pack(put(fields, path, new))
    except ValueError:
        return  # nothing that can be sent
    found = outcome(lambda: parse_descriptor(raw))
    if isinstance(found, Fault):
        assert found.code is Code.DESCRIPTOR
    else:
        assert isinstance(found, Descriptor)
        assert found.raw == raw


# A stream, to a link.

FRAME = st.binary(max_size=60) | st.sampled_from(
    [encode_message(Chat(0, "x")), b"\xdd\xff\xff\xff\xff", b"\x91" * 50, pack(["have", 0, bytes(32)])]
)


@settings(max_examples=60)
@given(st.lists(FRAME, max_size=6), st.binary(max_size=12), st.booleans(), st.booleans())
def test_a_stream_of_anything(frames: list[bytes], rest: bytes, server: bool, trusted: bool) -> None:
    async def read() -> None:
        left, right = memory_stream_pair()
        link = Link(Secured(left, bytes(32)), server=server)
        if trusted:
            link.trust()
        await right.send_all(b"".join(map(frame_bytes, frames)) + rest)
        await right.aclose()
        with pytest.raises((LinkLost, Fault)):
            await read_all(link, len(frames) + 2)
        await link.close()

    trio.run(read)


async def read_all(link: Link, count: int) -> None:
    for _ in range(count):
        await link.receive()


# A folder, to a session.


@functools.cache
def kept_folder() -> Path:
    """The files of a seat in the middle of a hand."""
    folder = Path(tempfile.mkdtemp())
    script = standing(Phase.LOCK)
    lay_down(folder, script, 0, script.entries)
    home = folder / NAMES[0]
    (home / "private" / "lobby.promise").write_bytes(
        pack(["tongits-lan/1 promise", bytes(32), bytes(32), None])
    )
    (secret,) = (home / "private").glob("*.secret")
    secret.with_suffix(".addresses").write_bytes(pack(["tongits-lan/1 addresses", 1, [[bytes(32), ["x:1"]]]]))
    return home


@pytest.fixture(scope="module", autouse=True)
def _tidy() -> Any:
    yield
    if kept_folder.cache_info().currsize:
        shutil.rmtree(kept_folder().parent)


@settings(max_examples=40)
@given(st.sampled_from(["tables", "private"]), st.integers(0, 9), st.lists(changes, min_size=1, max_size=2))
def test_a_damaged_folder_is_told_in_a_sentence(
    where: str, which: int, made: list[tuple[str, float, bytes]]
) -> None:
    pk = standing(Phase.SIT).descriptor.seats[0].pk
    with tempfile.TemporaryDirectory() as place:
        home = Path(place) / "home"
        shutil.copytree(kept_folder(), home)
        files = sorted(path for path in (home / where).iterdir() if path.is_file())
        path = files[which % len(files)]
        data = path.read_bytes()
        for what, at, part in made:
            data = CHANGES[what](data, int(at * len(data)), part) if data else data
        path.write_bytes(data)
        load_promise(home)
        for table in pending_tables(home, pk):
            read_addresses(table.path)
            found = outcome(partial(Journal.open, table.path))
            if isinstance(found, Journal):
                found.close()
            else:
                assert isinstance(found, UserError)
                assert len(found.text.splitlines()) == 1


@given(st.binary(max_size=120))
def test_a_stored_seed_is_one_or_a_fault_that_shows_nothing(data: bytes) -> None:
    found = outcome(lambda: HandSecret.from_bytes(data))
    assert isinstance(found, HandSecret | Fault)
    assert len(data) < 8 or data.hex()[:16] not in str(found)


@settings(max_examples=25)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")))
def test_files_people_write_by_hand(data: bytes) -> None:
    assert all(map(good_or_told, both(data)))


def both(data: bytes) -> tuple[object, object]:
    """What comes of a file with these bytes as a rule set, and as settings."""
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "file.toml"
        path.write_bytes(data)
        return outcome(partial(load, path)), outcome(partial(stored_settings.load, path))


def good_or_told(found: object) -> bool:
    """It is what was asked for, or one sentence that says why not."""
    if isinstance(found, UserError):
        return len(found.text.splitlines()) == 1 and len(found.text) < 1_000
    return isinstance(found, Rules | stored_settings.Settings)


# Their values, whole documents of them: every option under its name, and what TOML can write.
TOML = st.recursive(
    st.integers(-(2**70), 2**70).map(str)
    | st.sampled_from(["true", "none", "inf", "-nan", "1e999", "1979-05-27", "07:32:00", "''", '"pagat"'])
    | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=8).map(repr),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | inner.map(lambda item: "{a = " + item + "}")
    ),
    max_leaves=4,
)
KEYS = st.sampled_from([*OPTIONS, "preset", "name", "bell", "lang", "rules", "base.chips"])


@settings(max_examples=60)
@given(st.lists(st.tuples(KEYS, TOML), max_size=4))
def test_options_with_any_value(lines: list[tuple[str, str]]) -> None:
    document = "\n".join(f"{key} = {value}" for key, value in lines)
    assert all(map(good_or_told, both(document.encode("utf-8"))))


LONG = {
    "arrays": "base = " + "[" * SIZE_MAX,
    "tables": "base = " + "{a = " * SIZE_MAX,
    "keys": "a." * SIZE_MAX,
    "headers": "[a.b.c]\n[a.b.d]\n" * SIZE_MAX,
    "options": "".join(f"a{number} = [[[1], 2], 3]\n" for number in range(SIZE_MAX)),
    "digits": "base = " + "9" * SIZE_MAX,
    "hexadecimal digits": "base = 0x" + "f" * (SIZE_MAX - 9),
    "zeros": "base = 1." + "0" * SIZE_MAX,
    "a text": 'preset = "' + "x" * (SIZE_MAX - 11) + '"',
    "a text without end": 'preset = """' + "x" * SIZE_MAX,
    "comments": "#\n" * SIZE_MAX,
}


@pytest.mark.parametrize("what", LONG)
def test_a_toml_file_as_long_as_it_may_be(what: str) -> None:
    """In bounded memory, too; a character more and it is not even looked at."""
    tracemalloc.start()
    try:
        for size in (SIZE_MAX, SIZE_MAX + 1):
            assert all(map(good_or_told, both(LONG[what][:size].encode())))
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()


# In bounded memory.

LENGTHS = ("c6ffffffff", "dbffffffff", "ddffffffff", "dfffffffff", "c9ffffffff00", "ddff000000")


@pytest.mark.parametrize("bomb", [bytes.fromhex(start) for start in LENGTHS], ids=LENGTHS)
def test_the_largest_input_with_the_largest_claims(bomb: bytes) -> None:
    """Every decoder, its input as large as it may be, full of lengths that claim four thousand million."""
    full = (b"\x93\xa7entries\x00" + bomb * FRAME_MAX)[:FRAME_MAX]
    framed = frame_bytes(full) * 40
    decoders: list[Callable[[], object]] = [
        lambda: decode_message(full, from_server=True),
        lambda: decode_message(bomb, from_server=False),
        lambda: parse_entry(full[:16_384]),
        lambda: parse_entry(b"\x92" + bomb),
        lambda: parse_descriptor(full),
        lambda: parse_descriptor(b"\x96\xadtongits-lan/1" + bomb),
        lambda: report(LEDGER_HEADER + framed),
        lambda: report(EVIDENCE_HEADER + framed),
        lambda: report(LEDGER_HEADER + b"\xff" * 2_000_000),
        lambda: HandSecret.from_bytes(b"\x94\x01" + bomb),
    ]
    tracemalloc.start()
    try:
        for decode in decoders:
            outcome(decode)
        assert tracemalloc.get_traced_memory()[1] < MEMORY
    finally:
        tracemalloc.stop()
