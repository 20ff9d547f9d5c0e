"""The measured figures: each comes from the thing it names, here with little patience."""

import json
from pathlib import Path

import pytest

from tests.scripted import Script
from tests.system import on_posix
from tongits_lan.cli import bench, bench_screen, native, peers
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.files import ledger_bytes, parse_file


@pytest.mark.parametrize("preset", list(PRESETS))
def test_the_engine_is_measured_with_whole_random_hands(preset: str) -> None:
    assert bench.engine_moves_per_s(PRESETS[preset], 0.02) > 100


def test_a_ledger_gives_the_figures_of_its_hands(tmp_path: Path) -> None:
    script = Script("bench", proved=True)
    script.play_hand()
    script.next_hand()
    script.play_hand()
    path = tmp_path / "match.tongits"
    path.write_bytes(ledger_bytes(script.descriptor.raw, script.entries))
    figures = bench.local_figures(path, 0.01)
    assert figures["entries_per_hand"] == round(len(script.entries) / 2, 1)
    assert figures["bytes_per_hand"] == round(path.stat().st_size / 2)
    numbers = [value for value in figures.values() if isinstance(value, int | float)]
    assert len(numbers) == len(figures)
    assert min(numbers) > 0


def test_the_lines_of_three_programs_give_the_figures_of_the_table(tmp_path: Path) -> None:
    three = peers.peers_in(tmp_path)
    for number, peer in enumerate(three):
        lines = [
            {"event": "seed_committed", "at": 1.0},
            {"event": "hand_dealt", "at": 1.25},
            *([{"event": "submitted", "at": 2.0}] if number == 0 else []),
            {"event": "drew", "at": 2.002 + number / 1000},
            {"event": "ended", "at": 3.0, "max_rss_mb": 40.0 + number},
        ]
        peer.out.write_text("\n".join(json.dumps(line) for line in lines))
    figures = bench.table_figures(three)
    assert figures["deal_ms"] == {"p50": 250.0, "p90": 250.0}
    assert figures["move_latency_ms"] == {"p50": 4.0, "p99": 4.0}
    assert figures["rss_mb"] == 42.0


def test_every_figure_of_the_command_has_words() -> None:
    assert list(bench.WORDS) == [
        "engine_moves_per_s", "deal_ms", "mult_us", "verify_hands_per_s", "verify_proofs_hands_per_s",
        "move_latency_ms", "entries_per_hand", "bytes_per_hand", "version_ms", "menu_ms", "key_echo_ms",
        "redraw_ms", "rss_mb",
    ]  # fmt: skip


def test_the_version_is_really_started() -> None:
    assert 5 < bench.version_ms() < 5_000


def test_the_unpacked_library_is_taken_away() -> None:
    native.load()
    import rbcl

    assert not Path(rbcl._sodium._name).exists()
    assert len(rbcl.crypto_core_ristretto255_random()) == 32, "and still works"


def test_a_picture_is_measured_on_a_hand_that_is_played(tmp_path: Path) -> None:
    script = Script("picture")
    script.play_hand()
    parsed = parse_file(ledger_bytes(script.descriptor.raw, script.entries))
    view = bench_screen.played_view(parsed)
    assert view.position is not None
    assert view.position.hands[0]
    assert bench_screen.redraw_ms(parsed) > 0


@pytest.mark.slow
@on_posix
def test_a_key_is_measured_while_a_deck_is_proved() -> None:
    times = bench_screen.key_echo_ms()
    assert len(times) == len(bench_screen.LETTERS)
    assert min(times) > 0
