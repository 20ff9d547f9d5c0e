"""`verify` and `show` on files: what they print, what they return, what a damaged or foreign file gives."""

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tests.scripted import Script
from tests.system import on_linux
from tongits_lan.cli import replay, show, verify
from tongits_lan.cli.main import main
from tongits_lan.errors import Code
from tongits_lan.ledger.files import LEDGER_HEADER, FileReader, evidence_bytes, ledger_bytes
from tongits_lan.ledger.messages import ForfeitHand, Ready
from tongits_lan.ledger.state import Phase

KEYS = [
    "status", "hands", "height", "head", "closed", "chips", "pot", "words", "names", "pending", "fault",
    "hands_detail",
]  # fmt: skip
CODES = {str(code) for code in Code}


@pytest.fixture(scope="module")
def script() -> Script:
    script = Script("commands", proved=True)
    script.play_hand()
    return script


@pytest.fixture
def ledger(script: Script, tmp_path: Path) -> Path:
    path = tmp_path / "match.tongits"
    path.write_bytes(ledger_bytes(script.descriptor.raw, script.entries))
    return path


def objects(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("proofs", [[], ["--proofs"]])
def test_a_fair_ledger(
    ledger: Path, script: Script, capsys: pytest.CaptureFixture[str], proofs: list[str]
) -> None:
    assert main(["verify", str(ledger), "--json", *proofs]) == 0
    (report,) = objects(capsys)
    assert list(report) == KEYS
    assert report["status"] == "fair"
    assert report["hands"] == 1
    assert report["height"] == len(script.entries)
    assert report["head"] == script.state.head.hex()
    assert report["names"] == ["Ana", "Ben", "Carlo"]
    assert sum(report["chips"]) + report["pot"] == 0
    assert report["fault"] is None
    assert len(report["hands_detail"][0]["faces"]) == 52
    assert main(["verify", str(ledger), *proofs]) == 0
    said = capsys.readouterr().out
    assert "Fair" in said
    assert ("Every zero-knowledge proof holds" in said) == bool(proofs), "it says what was looked at"


def test_every_transfer_of_a_hand_is_a_line(
    ledger: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    """The chips of the lines come to the chips of the players and the pot."""
    assert main(["verify", str(ledger)]) == 0
    said = capsys.readouterr().out.splitlines()
    lines = [line.strip() for line in said if line.startswith("  ")]
    assert said.index("  " + lines[0]) == 1, "below the sentence of the hand"
    assert "Ana, Ben and Carlo pay the pot 2 chips each: ante." in lines
    settlement = script.state.records[0].settlement
    names = ("Ana", "Ben", "Carlo")
    for transfer in settlement.lines:
        payer = "pot" if transfer.from_ is None else names[transfer.from_]
        payee = "pot" if transfer.to is None else names[transfer.to]
        amount = f" {transfer.chips} chip"
        assert any(payer in line and payee in line and amount in line for line in lines), transfer


def test_several_files_give_a_line_each_and_the_gravest_code(
    ledger: Path, tmp_path: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    torn = tmp_path / "torn.tongits"
    torn.write_bytes(ledger.read_bytes()[:-10])
    assert main(["verify", str(ledger), str(torn), "--json"]) == 1
    assert [report["status"] for report in objects(capsys)] == ["fair", "incomplete"]


@pytest.mark.parametrize("phase", [Phase.SIT, Phase.COMMIT, Phase.DEAL, Phase.PLAY, Phase.REVEAL])
def test_a_ledger_that_ends_too_early_says_who_is_awaited(
    phase: Phase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = Script("pending", proved=True)
    script.until(phase)
    path = tmp_path / "pending.tongits"
    path.write_bytes(ledger_bytes(script.descriptor.raw, script.entries))
    assert main(["verify", str(path), "--json"]) == 1
    (report,) = objects(capsys)
    assert report["status"] == "incomplete"
    assert report["pending"]["seat"] == script.writer()
    assert report["pending"]["name"] == ("Ana", "Ben", "Carlo")[script.writer()]
    assert report["pending"]["kinds"]
    assert report["chips"] == [0, 0, 0], "antes of a pending hand are not counted"


def test_a_forfeited_hand_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = Script("forfeit", proved=True)
    script.until(Phase.PLAY)
    quitter = script.writer()
    script.write(ForfeitHand())
    path = tmp_path / "forfeit.tongits"
    path.write_bytes(ledger_bytes(script.descriptor.raw, script.entries))
    assert main(["verify", str(path), "--json"]) == 0
    (report,) = objects(capsys)
    (hand,) = report["hands_detail"]
    assert hand["end"] == "forfeit"
    assert hand["faces"] is None
    assert hand["net"][quitter] < 0


def test_an_evidence_file_convicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = Script("evidence", proved=True)
    script.until(Phase.COMMIT)
    seat = script.writer()
    offending = script.sign(Ready())
    path = tmp_path / "match.evidence"
    path.write_bytes(evidence_bytes(script.descriptor.raw, script.entries, [offending]))
    assert main(["verify", str(path), "--json"]) == 4
    (report,) = objects(capsys)
    assert report["fault"]["code"] == "phase"
    assert report["fault"]["seat"] == seat
    assert report["fault"]["name"] == ("Ana", "Ben", "Carlo")[seat]
    assert main(["show", str(path)]) == 0
    assert objects(capsys)[-1] == {
        "offending": True,
        "height": script.state.height,
        "seat": seat,
        "kind": "ready",
    }


def test_a_changed_byte_anywhere_is_reported_with_height_and_code(
    script: Script, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = ledger_bytes(script.descriptor.raw, script.entries)
    frames = [len(script.descriptor.raw), *map(len, script.entries)]
    path = tmp_path / "changed.tongits"
    starts = [len(LEDGER_HEADER)]
    for size in frames:
        starts.append(starts[-1] + 4 + size)
    for place in range(5, len(good), len(good) // 23):
        path.write_bytes(good[:place] + bytes([good[place] ^ 0x10]) + good[place + 1 :])
        code = main(["verify", str(path), "--json"])
        (report,) = objects(capsys)
        frame = sum(place >= start for start in starts) - 1  # -1 first line, 0 descriptor, then the entries
        if frame < 0:
            assert code == 2
            assert report["fault"]["code"] == "header"
        elif report["fault"] is None:
            assert place in range(starts[frame], starts[frame] + 4), "only a changed length can look torn"
            assert code == 1
        else:
            assert code == 4
            assert report["fault"]["code"] in CODES
            assert report["fault"]["seat"] is None, "a byte changed in transit convicts nobody"
            assert report["fault"]["height"] == (None if frame == 0 else frame - 1)


@pytest.mark.parametrize("command", ["verify", "show"])
@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", 2), (b"%PDF-1.7\n", 2), (b"tongits-lan/2 ledger\n", 2), (LEDGER_HEADER[:-1], 2), (bytes(5000), 2)],
)
def test_a_file_of_another_kind_is_one_sentence(
    tmp_path: Path, command: str, content: bytes, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    assert main([command, str(path)]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert str(path) in said.err
    assert path.read_bytes() == content


@pytest.mark.parametrize("command", ["verify", "show"])
def test_a_file_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path / "missing", tmp_path):
        assert main([command, str(path)]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert len(said.err.splitlines()) == 1


def test_a_header_alone_is_no_ledger_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "header.tongits"
    path.write_bytes(LEDGER_HEADER)
    assert main(["verify", str(path), "--json"]) in (1, 4)
    (report,) = objects(capsys)
    assert report["hands"] == 0


def test_show_gives_a_line_an_entry_and_no_hidden_card(
    script: Script, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "shown.tongits"
    last_play = max(n for n, raw in enumerate(script.entries) if b"\xa7discard" in raw or b"\xa4draw" in raw)
    path.write_bytes(ledger_bytes(script.descriptor.raw, script.entries[: last_play + 1]))
    assert main(["show", str(path)]) == 0
    table, *entries = objects(capsys)
    assert table["names"] == ["Ana", "Ben", "Carlo"]
    assert [line["height"] for line in entries] == list(range(last_play + 1))
    told = [card for line in entries for card in line.get("cards", [])]
    assert told
    state = script.state
    assert state.hand is not None
    assert state.hand.position is not None
    unseen = {slot for hand in state.hand.position.hands for slot in hand} | set(state.hand.position.stock)
    slots = {slot for line in entries for slot in line.get("slots", []) if "cards" in line}
    assert not slots & unseen
    assert not [line for line in entries for event in line["events"] if event["event"] == "hand_settled"]


def test_show_tells_where_a_fault_stands(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(ledger.read_bytes())
    data[-20] ^= 1
    ledger.write_bytes(data)
    assert main(["show", str(ledger)]) == 4
    assert objects(capsys)[-1]["fault"]["code"] == "signature"


def test_show_prints_an_entry_before_it_reads_the_next(
    ledger: Path, script: Script, capsys: pytest.CaptureFixture[str]
) -> None:
    data = BytesIO(ledger.read_bytes())
    printed = [0]

    def read(size: int) -> bytes:
        printed.append(printed[-1] + len(capsys.readouterr().out.splitlines()))
        return data.read(size)

    assert show.show(FileReader(read)) == 0
    assert sorted(set(printed)) == list(range(1 + len(script.entries) + 1))


def test_a_long_check_shows_a_bar_on_a_terminal(ledger: Path) -> None:
    seen: list[tuple[int, int]] = []
    with replay.opened(ledger, lambda done, total: seen.append((done, total))) as file:
        verify.check_file(file, proofs=False)
    size = ledger.stat().st_size
    assert seen[-1] == (size, size)
    assert seen == sorted(seen)


@on_linux
def test_a_file_of_any_length_takes_little_memory(ledger: Path) -> None:
    """Zeros by the megabyte, as a file system leaves them that had made the file longer beforehand."""
    with ledger.open("r+b") as file:
        file.truncate(150_000_000)
    code = (
        "import re, sys; from pathlib import Path; from tongits_lan.cli.main import main\n"
        "codes = [main([command, sys.argv[1]]) for command in ('show', 'verify')]\n"
        # not ru_maxrss: that remembers the parent from before the exec
        "used = re.search(r'VmHWM:\\s*(\\d+) kB', Path('/proc/self/status').read_text())[1]\n"
        "print(used, codes, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(ledger)], capture_output=True, text=True, timeout=120, check=True
    )
    kilobytes, codes = done.stderr.splitlines()[-1].split(" ", 1)
    assert codes == "[1, 1]"
    assert int(kilobytes) < 120_000
