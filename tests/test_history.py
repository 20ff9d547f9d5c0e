"""Tables played before: each file verified once, sums that add up, a copy that can be thrown away."""

import json
import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

from tests.scripted import Script
from tests.test_playback import match
from tongits_lan.cli import main
from tongits_lan.cli.history import day_of, table_object
from tongits_lan.errors import UserError
from tongits_lan.ledger.files import LedgerFile, ledger_bytes
from tongits_lan.ledger.past import PastHand, PastTable, longest_streak, totals
from tongits_lan.ledger.report import Report
from tongits_lan.ledger.verify import verify
from tongits_lan.store import history
from tongits_lan.store.history import read_history

LEDGERS = Path(__file__).parent.parent / "protocol" / "ledgers"
ME = 1  # the seat of the scripts whose key this installation has


class Counting:
    """Verifies, and counts how often."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, file: LedgerFile) -> Report:
        self.count += 1
        return verify(file, proofs=False)


def data_of(script: Script) -> bytes:
    return ledger_bytes(script.descriptor.raw, script.entries)


@pytest.fixture(scope="module")
def played() -> Script:
    script = match("pagat", 3)
    script.leave()
    return script


@pytest.fixture
def folder(tmp_path: Path, played: Script) -> Path:
    """A data folder of seat ME with one finished table and one of somebody else's game."""
    (tmp_path / "tables").mkdir()
    key = played.keys[ME].private_bytes_raw().hex()
    (tmp_path / "identity.key").write_text(f"tongits-lan identity {key}\n")
    (tmp_path / "tables" / "one.tongits").write_bytes(data_of(played))
    (tmp_path / "tables" / "odd.tongits").write_bytes(b"something else\n")
    return tmp_path


def test_what_is_kept_is_what_verification_found(folder: Path, played: Script) -> None:
    past = read_history(folder, Counting())
    (table,) = past.tables
    assert [one.path.name for one in past.kept if one.table is None] == ["odd.tongits"]
    assert (table.me, table.status, table.closed) == (ME, "fair", True)
    assert table.names == ("Ana", "Ben", "Carlo")
    assert table.chips == played.state.match.chips
    assert table.head == played.state.head
    records = played.state.records
    assert [(h.number, h.dealer, h.winner, h.net, h.end) for h in table.hands] == [
        (r.number, r.dealer, r.settlement.winner, r.settlement.net, str(r.settlement.end)) for r in records
    ]
    assert [hand.faces for hand in table.hands] == [record.faces for record in records]


def test_a_file_is_verified_once_and_again_when_it_changes(folder: Path, played: Script) -> None:
    judge = Counting()
    assert read_history(folder, judge).verified == 2
    assert judge.count == 1  # the other one is no ledger
    first = read_history(folder, judge)
    assert (first.verified, judge.count) == (0, 1)
    path = folder / "tables" / "one.tongits"
    before = path.stat()
    data = bytearray(path.read_bytes())
    data[-40] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    changed = read_history(folder, judge)
    assert changed.verified == 1, "the same size and time, other bytes"
    assert changed.tables[0].status == "faulty"
    path.write_bytes(data_of(played))
    os.utime(path, (1, 1))
    assert read_history(folder, judge).tables == first.tables


def test_a_new_time_alone_is_no_change(folder: Path) -> None:
    judge = Counting()
    read_history(folder, judge)
    os.utime(folder / "tables" / "one.tongits", (5, 5))
    assert read_history(folder, judge).verified == 0


def test_a_file_that_is_gone_is_forgotten(folder: Path) -> None:
    read_history(folder, Counting())
    (folder / "tables" / "one.tongits").unlink()
    assert read_history(folder, Counting()).tables == ()
    with sqlite3.connect(folder / history.FILE_NAME) as database:
        assert database.execute("SELECT count(*) FROM hands").fetchone() == (0,)
    database.close()


def test_rebuilding_verifies_everything_again(folder: Path) -> None:
    judge = Counting()
    first = read_history(folder, judge)
    again = read_history(folder, judge, rebuild=True)
    assert judge.count == 2
    assert again == first


def damage(place: Path) -> None:
    place.write_bytes(b"no database at all" * 100)


def older(place: Path) -> None:
    with sqlite3.connect(place) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()


def emptied(place: Path) -> None:
    place.write_bytes(b"")


def half(place: Path) -> None:
    place.write_bytes(place.read_bytes()[: place.stat().st_size // 2])


@pytest.mark.parametrize("harm", [damage, older, emptied, half])
def test_a_copy_that_cannot_be_used_is_made_anew(folder: Path, harm: Callable[[Path], None]) -> None:
    first = read_history(folder, Counting())
    harm(folder / history.FILE_NAME)
    judge = Counting()
    assert read_history(folder, judge).tables == first.tables
    assert judge.count == 1


def test_another_identity_sees_the_same_table_from_another_seat(folder: Path, played: Script) -> None:
    assert read_history(folder, Counting()).tables[0].me == ME
    key = played.keys[2].private_bytes_raw().hex()
    (folder / "identity.key").write_text(f"tongits-lan identity {key}\n")
    assert read_history(folder, Counting()).tables[0].me == 2
    other = Ed25519PrivateKey.from_private_bytes(bytes([9]) * 32).private_bytes_raw().hex()
    (folder / "identity.key").write_text(f"tongits-lan identity {other}\n")
    assert read_history(folder, Counting()).tables[0].me is None


def test_the_copy_is_private_and_nothing_is_made_without_tables(folder: Path, tmp_path: Path) -> None:
    read_history(folder, Counting())
    assert stat.S_IMODE((folder / history.FILE_NAME).stat().st_mode) == 0o600
    empty = tmp_path / "empty"
    empty.mkdir()
    assert read_history(empty, Counting()).kept == ()
    assert list(empty.iterdir()) == []


def test_a_place_that_cannot_be_used_is_one_sentence(folder: Path) -> None:
    (folder / history.FILE_NAME).mkdir()
    with pytest.raises(UserError) as caught:
        read_history(folder, Counting())
    assert history.FILE_NAME in caught.value.text


def test_progress_is_told_while_a_file_is_read(folder: Path) -> None:
    steps: list[tuple[int, int]] = []
    read_history(folder, Counting(), told=lambda done, total: steps.append((done, total)))
    size = sum(path.stat().st_size for path in (folder / "tables").iterdir())
    assert (steps[0], steps[-1]) == ((0, size), (size, size))
    assert steps == sorted(steps)
    assert len(steps) > 100  # not once a file: one alone may take a minute


# --- sums -----------------------------------------------------------------------------------------------


def hand(winner: int | None, end: str = "stock", net: tuple[int, int, int] = (0, 0, 0)) -> PastHand:
    return PastHand(1, 0, end, winner, net, None, None, None)


TABLE = PastTable(
    table_id=bytes(32),
    unix_seconds=1,
    preset="pagat",
    names=("Me", "Ben", "Bot"),
    keys=(b"a" * 32, b"b" * 32, b"c" * 32),
    bots=(False, False, True),
    me=0,
    status="fair",
    closed=True,
    chips=(0, 0, 0),
    head=bytes(32),
    verdict="Fair.",
    hands=(),
)


def table(*hands: PastHand, **changes: object) -> PastTable:
    """TABLE with these hands and fields changed."""
    return replace(TABLE, hands=hands, **changes)


def test_a_streak_is_broken_by_others_and_by_hands_nobody_won() -> None:
    hands = [hand(0), hand(0), hand(1), hand(0), hand(0), hand(0), hand(None), hand(0)]
    assert longest_streak(hands, 0) == 3
    assert longest_streak(hands, 1) == 1
    assert longest_streak([], 0) == 0


def test_sums_over_tables() -> None:
    given_up = PastHand(3, 0, "forfeit", None, (-6, 3, 3), 0, None, None)
    tables = [
        table(hand(0, "tongits", (6, -3, -3)), hand(0, net=(2, -1, -1)), given_up, unix_seconds=2),
        table(
            hand(1, net=(-1, 2, -1)),
            hand(0, net=(2, -1, -1)),
            names=("Me", "Benjamin", "Bot"),
            unix_seconds=3,
        ),
        table(hand(0, net=(100, -50, -50)), status="faulty"),
        table(hand(0, net=(100, -50, -50)), me=None),
        table(unix_seconds=5),
    ]
    found = totals(tables)
    assert (found.tables, found.hands, found.wins, found.tongits, found.forfeits) == (2, 5, 3, 1, 1)
    assert (found.net, found.streak) == (3, 2)
    ben, bot = found.opponents
    assert (ben.name, ben.tables, ben.hands, ben.wins, ben.net, ben.bot) == ("Benjamin", 2, 5, 1, 0, False)
    assert (bot.name, bot.bot) == ("Bot", True)


# --- the command ----------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main.main(["history", *words])
    heard = capsys.readouterr()
    return code, heard.out, heard.err


def test_the_list_names_opponents_chips_and_sums(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "--data-dir", str(folder))
    assert code == 0
    assert "with Ana and Carlo: 3 hands, won " in out
    assert "In all 1 table, 3 hands: won " in out
    assert "odd.tongits is no ledger" in err


def test_json_is_a_line_a_table_and_the_sums(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--data-dir", str(folder), "--json", "--deals")
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [line["table"] and line["table"]["names"] for line in lines[:2]] == [None, ["Ana", "Ben", "Carlo"]]
    assert lines[2]["totals"]["hands"] == 3
    assert [one["name"] for one in lines[2]["totals"]["opponents"]] == ["Ana", "Carlo"]
    assert lines[3] == {"deals": None}


def test_too_few_hands_for_the_deals(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--data-dir", str(folder), "--deals")
    assert (code, len(out.splitlines())) == (0, 1)


@pytest.mark.parametrize("words", [("--summary",), ("--summary", "FILE")])
def test_item_34_a_summary_to_paste(
    folder: Path, played: Script, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    named = [str(folder / "tables" / "one.tongits") if word == "FILE" else word for word in words]
    code, out, _ = run(capsys, *named, "--data-dir", str(folder))
    assert code == 0
    lines = out.splitlines()
    assert lines[0].endswith("Ana, Ben and Carlo (pagat)")
    assert len([line for line in lines if line[:4].strip().isdigit()]) == 3
    assert f"Proof: {played.state.head.hex()}" in lines
    assert any(line.startswith("Tongits: Ana ") for line in lines)
    assert any(line.startswith("Longest streak: ") for line in lines)
    assert max(map(len, lines)) <= 100


def test_without_a_table_there_is_nothing_to_paste(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "--summary", "--data-dir", str(tmp_path))
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 1
    assert run(capsys, "--data-dir", str(tmp_path))[:2] == (0, "No hand has been played to its end yet.\n")
    assert run(capsys, "--summary", str(LEDGERS / "no-hand.tongits"))[0] == 1
    assert list(tmp_path.iterdir()) == []


def test_a_faulty_file_is_not_summed_up_as_fair(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--summary", str(LEDGERS / "cheat-an-entry-after-a-leave.tongits"))
    assert code == 4
    assert "wrote an entry that was not due" in out


def test_a_day_that_no_calendar_has_is_unknown() -> None:
    assert day_of(table(unix_seconds=2**62)) == "day unknown"
    assert len(day_of(table(unix_seconds=1_790_000_000))) == 10


def test_json_of_a_table_has_no_card_and_no_raw_bytes() -> None:
    shown = json.dumps(table_object(table(hand(0))))
    assert "faces" not in shown
