"""The secret search finds what is planted, and nothing in what an honest table leaves."""

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.scripted import Script
from tongits_lan.cli import replay
from tongits_lan.cli.as_json import event_object
from tongits_lan.cli.replay import Walk
from tongits_lan.cli.secret_search import (
    Needles,
    Secret,
    forms,
    search_faces,
    search_ledger,
    search_log_cards,
    search_texts,
    secrets_of,
)
from tongits_lan.game.cards import card_text
from tongits_lan.ledger.files import ledger_bytes
from tongits_lan.ledger.state import HandDealt, State


@pytest.fixture(scope="module")
def script() -> Script:
    script = Script("secret search")
    script.play_hand()
    script.leave()
    return script


@pytest.fixture
def ledger(script: Script, tmp_path: Path) -> Path:
    path = tmp_path / "match.tongits"
    path.write_bytes(ledger_bytes(script.descriptor.raw, script.entries))
    return path


@pytest.fixture
def walk(ledger: Path) -> Walk:
    return replay.walk(replay.parsed(ledger))


@pytest.fixture
def needles(walk: Walk) -> Needles:
    return Needles(secrets_of(walk))


def test_all_secrets_of_a_hand_are_known_to_the_search(script: Script, walk: Walk) -> None:
    values = {secret.value for secret in secrets_of(walk)}
    assert len(values) == 3 * (1 + 1 + 52)
    for seat in range(3):
        assert {script.secrets(seat).a, script.secrets(seat).seed, *script.secrets(seat).k} <= values


def test_an_honest_ledger_holds_no_secret_before_its_time(ledger: Path, walk: Walk, needles: Needles) -> None:
    assert search_ledger(ledger, walk, needles) == []


@pytest.mark.parametrize(
    ("form", "written"),
    [
        ("raw", lambda secret: secret),
        ("hex", lambda secret: secret.hex().encode()),
        ("HEX", lambda secret: secret.hex().upper().encode()),
        ("repr", lambda secret: repr({"seed": secret}).encode()),
        ("list", lambda secret: str([0, *secret]).encode()),
        ("int", lambda secret: str(int.from_bytes(secret, "little")).encode()),
        ("base64", lambda secret: base64.b64encode(secret)),
        ("base64 inside", lambda secret: base64.b64encode(b"a" + secret + b"bc")),
        ("base64 inside", lambda secret: base64.b64encode(b"ab" + secret + b"c")),
        ("base64url", lambda secret: base64.urlsafe_b64encode(b"abc" + secret)),
    ],
)
@pytest.mark.parametrize("which", ["seed", "a", "k"])
def test_a_planted_secret_is_found(
    script: Script, needles: Needles, tmp_path: Path, which: str, form: str, written: Callable[[bytes], bytes]
) -> None:
    secrets = script.secrets(1)
    value = {"seed": secrets.seed, "a": secrets.a, "k": secrets.k[50]}[which]
    log = tmp_path / "ben.log"
    log.write_bytes(b"10:00 dealt " + written(value) + b" to nobody\n")
    found = search_texts([log], needles)
    assert found
    assert {finding.path for finding in found} == {log}
    assert "seat 1" in found[0].what
    assert value.hex() not in repr(found), "the report itself must not tell"


def test_every_form_of_a_secret_is_found_where_it_stands_alone(tmp_path: Path) -> None:
    secret = Secret("planted", bytes(range(7, 39)))
    for number, (form, needle) in enumerate(forms(secret.value)):
        path = tmp_path / str(number)
        path.write_bytes(needle)
        assert form in [finding.form for finding in search_texts([path], Needles([secret]))]


def test_a_clean_log_is_clean(needles: Needles, tmp_path: Path) -> None:
    log = tmp_path / "ana.log"
    log.write_bytes(b"0123456789abcdef" * 4096)
    assert search_texts([log], needles) == []


def test_a_seed_in_the_ledger_before_its_reveal_is_found(
    script: Script, ledger: Path, walk: Walk, needles: Needles
) -> None:
    seed = script.secrets(2).seed
    early = [Secret("planted", entry[40:72]) for entry in script.entries[6:9]]
    assert len(search_ledger(ledger, walk, Needles(early))) >= 3
    revealed = [height for height, raw in enumerate(script.entries) if seed in raw]
    assert len(revealed) == 1
    kept = script.entries[: revealed[0]]
    ledger.write_bytes(ledger_bytes(script.descriptor.raw, kept))
    kept_walk = replay.walk(replay.parsed(ledger))
    assert search_ledger(ledger, kept_walk, needles) == [], "what is published in time is no finding"


def test_cards_in_a_log_are_found(tmp_path: Path) -> None:
    log = tmp_path / "ana.log"
    log.write_text("drew slot 37\nface 7H is here\n")
    assert [finding.what for finding in search_log_cards([log])] == ["the card 7H"]
    log.write_text("drew slot 37, key of 7 hearts unknown, head 2c7h11ac\n")
    assert search_log_cards([log]) == []


def dealt(walk: Walk) -> tuple[State, int]:
    """The state after the deal and how many events came before."""
    before = 0
    for step in walk.steps:
        before += len(step.events)
        if any(isinstance(event, HandDealt) for event in step.events):
            return step.state, before
    raise AssertionError("no hand was dealt")


def told(walk: Walk) -> list[str]:
    return [json.dumps(event_object(event)) for step in walk.steps for event in step.events]


def own_cards(state: State, script: Script, seat: int) -> str:
    hand = state.hand
    assert hand is not None
    slots = list(hand.slots_of(seat))
    faces = script.faces()
    return json.dumps({"event": "cards", "slots": slots, "cards": [card_text(faces[slot]) for slot in slots]})


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_program_may_tell_its_own_cards_and_no_others(
    script: Script, walk: Walk, tmp_path: Path, seat: int
) -> None:
    state, place = dealt(walk)
    lines = told(walk)
    output = tmp_path / "out"
    output.write_text("\n".join([*lines[:place], own_cards(state, script, seat), *lines[place:]]))
    assert search_faces(output, walk, seat) == []
    found = search_faces(output, walk, (seat + 1) % 3)
    assert len(found) >= 12
    assert all("card" in finding.what for finding in found)


def test_own_cards_before_the_deal_are_found(script: Script, walk: Walk, tmp_path: Path) -> None:
    state, place = dealt(walk)
    lines = told(walk)
    output = tmp_path / "out"
    output.write_text("\n".join([*lines[: place - 2], own_cards(state, script, 0), *lines[place - 2 :]]))
    assert len(search_faces(output, walk, 0)) >= 12


def test_a_whole_deck_told_before_the_reveal_is_found(script: Script, walk: Walk, tmp_path: Path) -> None:
    _, place = dealt(walk)
    lines = told(walk)
    deck = json.dumps({"event": "debug", "inner": {"faces": [card_text(card) for card in script.faces()]}})
    output = tmp_path / "out"
    output.write_text("\n".join([*lines[:place], deck, *lines[place:]]))
    assert len(search_faces(output, walk, 0)) >= 39
    output.write_text("\n".join([*lines, deck]))
    assert search_faces(output, walk, 0) == [], "after the reveal everybody knows"


def test_an_output_that_leaves_events_out_cannot_be_dated(walk: Walk, tmp_path: Path) -> None:
    lines = told(walk)
    output = tmp_path / "out"
    output.write_text("\n".join(lines[:10] + lines[11:]))
    assert len(search_faces(output, walk, 0)) >= 1
