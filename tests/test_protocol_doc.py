"""docs/protocol.md and the code name the same codes, kinds, options and limits."""

import re
from pathlib import Path
from typing import get_args

import pytest

from tests.edwards import P, torsion
from tongits_lan import limits
from tongits_lan.deck.proofs import lock_proof_length, shuffle_proof_length
from tongits_lan.errors import UNSIGNED_CODES, Code
from tongits_lan.game.rules import OPTIONS, PRESETS, Value, from_map, to_map, values_of
from tongits_lan.ledger.chain import SMALL_ORDER_Y
from tongits_lan.ledger.messages import Body, FromClient, FromServer
from tongits_lan.ledger.words import WORDS
from tongits_lan.net.flood import BURST, HOST, LINES_PER_SECOND, VISITOR
from tongits_lan.net.join_code import PAUSE_MAX, PAUSE_SECONDS, TRIES
from tongits_lan.net.mesh import CROSSING_SECONDS, DELAYS

DOC = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text(encoding="utf-8")
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)


def section(title: str) -> str:
    """Return the text under a heading, up to the next of the same rank."""
    rank, start = next((len(m[1]), m.end()) for m in HEADING.finditer(DOC) if m[2].endswith(title))
    ends = [m.start() for m in HEADING.finditer(DOC) if m.start() > start and len(m[1]) <= rank]
    return DOC[start : min(ends, default=len(DOC))]


def rows(text: str) -> list[list[str]]:
    """Return the cells of every table row."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def anchor(heading: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


def kinds(union: object) -> set[str]:
    return {member.__struct_config__.tag for member in get_args(union)}


def test_every_reference_leads_to_a_heading() -> None:
    anchors = {anchor(m[2]) for m in HEADING.finditer(DOC)}
    wanted = set(re.findall(r"\]\(#([^)]+)\)", DOC))
    assert wanted
    assert wanted <= anchors


def test_codes_stand_in_the_order_of_the_checks() -> None:
    named = [row[0].strip("`") for row in rows(section("Checks and codes")) if row[0].startswith("`")]
    assert len(named) == len(Code) + 1
    assert named.count(Code.BODY) == 2
    first_named = list(dict.fromkeys(named))
    assert first_named == [str(code) for code in Code]
    assert set(named[: len(UNSIGNED_CODES)]) == UNSIGNED_CODES


def test_every_kind_of_entry_is_described() -> None:
    text = section("Phases") + section("Play entries")
    assert set(re.findall(r'\["([a-z]+)"', text)) == kinds(Body)


def test_every_link_message_is_described() -> None:
    named = {kind for row in rows(section("Link messages")) for kind in re.findall(r"`([a-z]+)`", row[0])}
    assert named == kinds(FromClient) | kinds(FromServer)


def spelled(value: Value) -> str:
    if value is None:
        return "nil"
    return (
        str(value).lower()
        if isinstance(value, bool)
        else f"`{value}`"
        if isinstance(value, str)
        else str(value)
    )


def allowed(option: str) -> str:
    values = values_of(option)
    if isinstance(values, range):
        text = "amount" if values[-1] == limits.AMOUNT_MAX else f"{values[0]} .. {values[-1]:,}"
        return text + " or nil" if option == "fold_fee" else text
    return ", ".join(spelled(value) for value in values)


def test_every_rule_option_has_its_values_and_preset() -> None:
    table = {row[0].strip("`"): row[1:] for row in rows(section("rule options"))}
    pagat = to_map(PRESETS["pagat"])
    for option in OPTIONS:
        values, preset = table[option]
        assert values.split(":")[0] == allowed(option), option
        assert preset == spelled(pagat[option]), option
    assert set(table) - {"option", "---"} == set(pagat)


@pytest.mark.parametrize("option", ["hands", "grace_seconds", "turn_seconds", "hints"])
def test_every_table_option_has_its_values_and_default(option: str) -> None:
    values, default = {row[0].strip("`"): row[1:] for row in rows(section("rule options"))}[option]
    assert values.split(":")[0] == allowed(option)
    bare = {name: value for name, value in to_map(PRESETS["pagat"]).items() if name in OPTIONS}
    assert default == spelled(to_map(from_map(bare))[option])


def test_limits_are_those_of_the_code() -> None:
    text = section("Limits")
    for number in (
        limits.FRAME_MAX,
        limits.ENTRY_MAX,
        limits.NESTING_MAX,
        limits.ITEMS_MAX,
        limits.AMOUNT_MAX,
        limits.HANDS_MAX,
        limits.GRACE_MAX,
        limits.SLOTS_MAX,
        limits.MELDS_MAX,
        limits.NAME_MAX,
        limits.CHAT_MAX,
        limits.LOBBY_LINKS,
        limits.UNAUTHENTICATED_MAX,
        limits.ENTRIES_PER_MESSAGE,
        limits.ADDRESSES_PER_SEAT,
        limits.ADDRESS_MAX,
    ):
        assert re.search(rf"(?<![\d,]){number:,}(?![\d,])", text), number
    assert f"| {limits.PORT}, else" in text
    assert f"| handshake of a link | {limits.HANDSHAKE_SECONDS:.0f} s |" in text
    assert (limits.INT_MAX + 1, limits.CHIPS_MAX + 1) == (2**63, 2**53)
    assert "below 2^63; below 2^53" in text
    assert f"| unix_seconds | below 2^{limits.UNIX_SECONDS_MAX.bit_length()} |" in text


def test_how_much_may_be_said_is_that_of_the_code() -> None:
    lobby = " ".join(section("Lobby").split())
    for (burst, per_second), who in ((VISITOR, "a client"), (HOST, "a host")):
        assert f"{burst:.0f} messages at once and {per_second:.0f} a second after that from {who}" in lobby
    words = " ".join(section("Replication").split())
    assert (BURST, LINES_PER_SECOND) == (12, 3)
    assert "more of them than a dozen at once and three a second after that" in words


def test_proof_lengths_are_those_of_the_code() -> None:
    text = section("The deck")
    assert f"{shuffle_proof_length(52):,} for n = 52" in text
    assert f"{lock_proof_length(52):,} for n = 52" in text


def test_numbers_of_the_replication_are_those_of_the_code() -> None:
    text = " ".join(section("Replication").split())
    assert f"head]` on link-up and every {limits.HAVE_SECONDS:.0f} seconds" in text
    assert f"every {limits.PING_SECONDS:.0f} seconds, answered" in text
    assert f"after {limits.SILENCE_SECONDS:.0f} seconds of silence" in text
    assert f"at most {limits.DIAL_SECONDS:.0f} seconds" in text
    assert ", ".join(f"{step:,}" for step in limits.GET_BACK_STEPS[:4]) in text
    assert (
        f"again after {', '.join(f'{pause:.0f}' for pause in DELAYS)}, {DELAYS[-1]:.0f}, .. seconds" in text
    )
    assert f"comes {CROSSING_SECONDS:.0f} seconds after the older or later" in text
    loaded = " ".join(section("The ledger").split())
    assert f"with both if both are reachable within {limits.HEADS_SECONDS:.0f} seconds" in loaded


def test_points_of_small_order_are_those_of_the_curve() -> None:
    """A digit wrong here lets another program take a key under which one signature fits every message."""
    text = section("Signatures")
    named = {int(digits, 16) for digits in re.findall(r"^ {4}0x([0-9a-f]{64})$", text, re.M)}
    assert "0, 1, p - 1 and" in text
    assert {0, 1, P - 1, *named} == {y for _, y in torsion()} == SMALL_ORDER_Y


def test_the_join_code_is_as_hard_to_guess_as_is_said() -> None:
    codes = 90 * len(WORDS) ** 2
    said = section("Join code")
    assert f"{codes:,}" in said
    assert f"After {TRIES} tries" in said
    assert f"for {PAUSE_SECONDS:g} seconds times" in said
    night = TRIES * 12 * 3600 / PAUSE_MAX
    assert f"1 in {codes // night // 100 * 100:,.0f}." in said
