"""A replay: every key, the pictures at every size, the lines and objects that are printed instead."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.scripted import Script
from tests.test_playback import match, replayed
from tongits_lan.cli import main
from tongits_lan.cli.watch import json_lines, load, plain_lines
from tongits_lan.console.boxes import cells
from tongits_lan.console.reel import KEYS, PACES, Reel, Step, help_lines, press, special_keys, tick, told
from tongits_lan.console.reel_page import open_hand, picture, text_of
from tongits_lan.console.skins import LETTERS, SYMBOLS
from tongits_lan.game.cards import card_text
from tongits_lan.game.melds import deadwood
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.files import ledger_bytes, parse_file

NAMES = ("Ana", "Ben", "Carlo")
LEDGERS = Path(__file__).parent.parent / "protocol" / "ledgers"
SIZES = ((60, 16), (80, 24), (100, 30), (120, 40), (200, 60))


@pytest.fixture(scope="module")
def reel() -> Reel:
    return Reel(replayed(match("pagat", 3)), NAMES, LETTERS, "checked: fair")


def after(reel: Reel, *keys: str) -> Reel:
    for key in keys:
        reel = press(reel, key)
    return reel


# --- keys -----------------------------------------------------------------------------------------------


def test_next_and_back_go_through_every_hand_and_stop_at_both_ends(reel: Reel) -> None:
    steps = sum(len(hand.frames) for hand in reel.hands)
    places = [(reel.at, reel.step)]
    there = reel
    for _ in range(steps - 1):
        there = press(there, "right")
        places.append((there.at, there.step))
    assert len(set(places)) == steps
    assert (there.at, there.step) == (2, there.last)
    assert press(there, " ").note == "This is the end."
    for _ in range(steps - 1):
        there = press(there, "left")
    assert (there.at, there.step) == (0, 0)
    assert press(there, "b").note == "This is the beginning."


def test_whole_hands_forward_and_back(reel: Reel) -> None:
    assert after(reel, "n").at == 1
    assert after(reel, "right", "n", "n").at == 2
    assert after(reel, "n", "n", "n").note == "There are 3 hands: 1 to 3."
    assert after(reel, "n", "p").at == 0
    assert after(reel, "p").note
    only = replace(reel, hands=reel.hands[:1])
    assert press(only, "n").note == "There is only this hand."


def test_the_ends_of_a_hand(reel: Reel) -> None:
    assert after(reel, "end").step == reel.last
    assert after(reel, "end", "home").step == 0


def test_jump_to_a_step_and_to_a_hand(reel: Reel) -> None:
    assert after(reel, "1", "0", "enter").step == 10
    assert after(reel, "1", "2", "backspace", "enter").step == 1
    assert after(reel, "9", "9", "9", "enter").note == f"This hand has the steps 0 to {reel.last}."
    assert (after(reel, "3", "h").at, after(reel, "3", "h").step) == (2, 0)
    assert after(reel, "9", "h").note == "There are 3 hands: 1 to 3."
    assert after(reel, "h").note == "Type the number of a hand first."
    assert after(reel, "g").note == "Type the number of a step first."
    assert after(reel, "5", "escape", "enter").step == 1
    assert after(reel, *"123456").typed == "3456"


def test_it_runs_by_itself_to_the_end_and_stops_there(reel: Reel) -> None:
    there = press(reel, "a")
    assert there.due_seconds == PACES[there.pace]
    for _ in range(sum(len(hand.frames) for hand in reel.hands) + 5):
        if there.running:
            there = tick(there)
    assert (there.at, there.step, there.running, there.due_seconds) == (2, there.last, False, None)
    again = press(there, "a")
    assert (again.at, again.step, again.running) == (0, 0, True)
    assert not after(reel, "a", "a").running
    for key in ("left", "home", "end", "?"):
        assert not after(reel, "right", "a", key).running


def test_faster_and_slower_have_ends(reel: Reel) -> None:
    assert sorted(set(PACES), reverse=True) == list(PACES)
    assert after(reel, "a", "+").due_seconds == PACES[reel.pace + 1]
    assert after(reel, *"+" * 9).pace == len(PACES) - 1
    assert after(reel, *"-" * 9).pace == 0
    assert "seconds a step" in after(reel, "+").note


def test_the_replay_ends_with_q_and_ctrl_c_only(reel: Reel) -> None:
    closing = {key for entry in KEYS for key in entry.keys if press(reel, key).closed}
    assert closing == {"q", "c-c", "<sigint>"}


def test_no_key_means_two_things_and_all_help_is_from_the_table(reel: Reel) -> None:
    keys = [key for entry in KEYS for key in entry.keys]
    assert len(keys) == len(set(keys))
    assert {entry.step for entry in KEYS} == set(Step)
    shown = text_of(press(reel, "?"), 80, 24)
    assert all(line.strip() in shown for line in help_lines())
    assert set(special_keys()) <= set(keys)
    assert not press(press(reel, "?"), "escape").help


def test_a_key_without_meaning_changes_nothing(reel: Reel) -> None:
    assert press(reel, "z") == reel


# --- pictures -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_picture_fills_its_window(preset: str) -> None:
    reel = Reel(replayed(match(preset, 1)), NAMES, SYMBOLS, "checked: fair")
    rng = random.Random(1)
    for step in [0, reel.last, *(rng.randrange(reel.last) for _ in range(12))]:
        for columns, rows in SIZES:
            lines = picture(replace(reel, step=step), columns, rows)
            assert len(lines) == rows
            assert {cells(content) for content in lines} == {columns}


def test_every_card_of_the_three_hands_is_on_the_screen(reel: Reel) -> None:
    for step in range(0, reel.last + 1, 5):
        shown = text_of(replace(reel, step=step), 80, 24)
        frame = reel.hand.frames[step]
        for seat in range(3):
            for slot in frame.position.hands[seat]:
                assert LETTERS.card(frame.faces[slot]) in shown


def test_the_footer_is_there_at_every_step_of_the_smallest_window(reel: Reel) -> None:
    for hand in range(len(reel.hands)):
        for step in range(len(reel.hands[hand].frames)):
            last = text_of(replace(reel, at=hand, step=step), 60, 16).splitlines()[-1]
            assert "? help" in last


def test_the_end_says_who_won_and_who_paid(reel: Reel) -> None:
    shown = text_of(press(reel, "end"), 80, 24)
    assert "HOW IT ENDED" in shown
    assert "WON" in shown
    assert "Chips:" in shown
    assert "COMING" not in shown
    assert "COMING" in text_of(reel, 80, 24)


def test_a_drawn_card_is_named_and_marked(reel: Reel) -> None:
    step, frame = next(
        (step, frame) for step, frame in enumerate(reel.hand.frames)
        if any("drew" in text for text in told(frame, reel.voice))
    )  # fmt: skip
    assert frame.position.drew is not None
    card = LETTERS.card(frame.faces[frame.position.drew])
    assert told(frame, reel.voice)[0].endswith(f"drew {card}.")
    assert f"{card}*" in text_of(replace(reel, step=step), 80, 24)


def test_a_set_laid_face_down_is_named() -> None:
    report, hands = load(LEDGERS / "honest.tongits")
    assert report.names is not None
    for preset in ("pagat", "joker"):
        for hand in replayed(match(preset, 2)):
            for frame in hand.frames:
                for text in told(frame, Reel(hands, NAMES, LETTERS).voice):
                    assert "secret set" not in text


def test_what_a_seat_owes_is_the_exact_count(reel: Reel) -> None:
    for hand in reel.hands:
        for frame in hand.frames:
            for seat in range(3):
                groups, owed = open_hand(frame, seat)
                cards = [frame.faces[slot] for slot in frame.position.hands[seat]]
                assert sorted(card for group in groups for card in group) == sorted(cards)
                assert owed == deadwood(cards, frame.position.rules)


def test_a_window_too_small_says_so(reel: Reel) -> None:
    assert "Window too small" in text_of(reel, 59, 16)


# --- printed --------------------------------------------------------------------------------------------


def test_plain_prints_every_step_of_every_hand() -> None:
    report, hands = load(LEDGERS / "joker.tongits")
    lines = list(plain_lines(report, hands, LETTERS))
    for hand in hands:
        assert f"Hand {hand.record.number}, {len(hand.frames) - 1} steps" in "\n".join(lines)
    assert sum(line[:4].strip().isdigit() for line in lines) == sum(len(hand.frames) for hand in hands)
    assert "\n".join(lines).isascii()


def test_json_holds_every_card_at_every_step() -> None:
    report, hands = load(LEDGERS / "joker.tongits")
    lines = [json.loads(json.dumps(line)) for line in json_lines(report, hands)]
    steps = [line for line in lines if "step" in line]
    assert len(steps) == sum(len(hand.frames) for hand in hands)
    n = hands[0].frames[0].position.rules.n
    for line in steps:
        there = [*line["stock"], *line["discards"], *(card for hand in line["hands"] for card in hand)]
        there += [card for meld in line["melds"] for card in meld["cards"]]
        assert sorted(there) == sorted(card_text(card) for card in range(n))
    assert [line["record"]["hand"] for line in lines if "record" in line] == [
        hand.record.number for hand in hands
    ]


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("honest", 0, ""),
        ("forfeited", 1, "never opened"),
        ("pending", 1, "no finished hand"),
        ("torn", 1, "no finished hand"),
        ("another-first-line", 2, "no Tongits ledger"),
        ("cheat-a-wrong-key", 4, "(key)"),
        ("cheat-an-entry-after-a-leave", 4, ""),
    ],
)
def test_item_24_only_verified_hands_are_shown(
    name: str, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main.main(["replay", str(LEDGERS / f"{name}.tongits"), "--plain"]) == code
    heard = capsys.readouterr()
    assert said in heard.err
    assert len(heard.err.splitlines()) <= 1
    if code == 4:
        assert heard.err


def test_hands_before_a_fault_are_shown_and_the_fault_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    honest = parse_file((LEDGERS / "honest.tongits").read_bytes())
    assert honest.descriptor_raw is not None
    path = tmp_path / "x.tongits"
    path.write_bytes(ledger_bytes(honest.descriptor_raw, [*honest.entries, honest.entries[-1]]))
    assert main.main(["replay", str(path), "--json"]) == 4
    heard = capsys.readouterr()
    assert '"hand": 1' in heard.out
    assert "Nobody is convicted (chain)" in heard.err


def test_F6_a_hostile_name_moves_nothing_in_a_replay(tmp_path: Path) -> None:
    script = Script("hostile", names=("A\x1b[31mna", "B\u202een", "Ca\u200brlo"))
    script.play_hand()
    path = tmp_path / "x.tongits"
    path.write_bytes(ledger_bytes(script.descriptor.raw, script.entries))
    report, hands = load(path)
    assert report.names is not None
    reel = Reel(hands, report.names, LETTERS)
    for text in ("\n".join(plain_lines(report, hands, LETTERS)), text_of(reel, 80, 24)):
        assert not set(text) & {"\x1b", "\u202e", "\u200b"}
