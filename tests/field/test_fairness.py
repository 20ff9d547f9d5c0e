"""Field reports about fairness and secrets: what can be swapped, suspected, leaked or painted elsewhere."""

import logging
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cheats import CHEATS
from tests.circle import NAMES, Circle, encoded
from tests.hostile.stage import stage
from tests.hostile.test_links import PAINT, harmless
from tests.make_ledgers import standing
from tests.scripted import Script
from tests.sessions import table
from tests.test_deals import fair, history, no_aces
from tongits_lan.cli import replay
from tongits_lan.cli.main import main
from tongits_lan.cli.printers import JsonPrinter, PlainPrinter
from tongits_lan.cli.secret_search import Needles, search_ledger, search_texts, secrets_of
from tongits_lan.console.notices import say_stop
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.text import Voice
from tongits_lan.console.text_history import deals_lines
from tongits_lan.errors import Code
from tongits_lan.ledger.effects import Effects, RejectedByPeer
from tongits_lan.ledger.files import ledger_bytes
from tongits_lan.ledger.jobs import ProofJob
from tongits_lan.ledger.messages import Bye, Chat, Entries, Reject
from tongits_lan.ledger.state import Phase
from tongits_lan.ledger.table import AppendEntry, Table, TableMessage
from tongits_lan.net.session import ChatHeard

LEDGERS = Path(__file__).parents[2] / "protocol" / "ledgers"
VOICE = Voice(NAMES, 0, LETTERS)


# F1: a shuffle without proofs would let chosen cards in.


async def test_F1_a_shuffle_with_a_swapped_point_is_named_and_costs_nobody_chips(tmp_path: Path) -> None:
    """Over real links; that the attack finds cards where nothing is proved: tests/test_deck_attacks.py."""
    (way,) = [way for way in CHEATS if way.name == "a-tagged-card"]
    script = standing(way.phase)
    raw = way.make(script)
    async with stage(tmp_path, script, script.writer()) as scene:
        await scene.show(*script.entries[scene.height :], raw)
        report = await scene.convicted(Code.PROOF, "shuffle proof does not hold")
        stop = table(scene.first).stopped
        assert stop is not None
        said = say_stop(VOICE, stop)
        assert said.startswith(f"The table has stopped: {NAMES[scene.bad]}'s shuffle proof does not hold")
        assert "No chips moved; the evidence is kept." in said
        assert report.chips == (0, 0, 0)


# F2: what can be shown to who thinks the deck is rigged.


def test_F2_a_finished_game_is_checked_from_its_file_and_its_deals_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", "--proofs", str(LEDGERS / "honest.tongits")]) == 0
    verdict = capsys.readouterr().out.splitlines()[-1]
    assert verdict.startswith("Fair: "), verdict
    assert main(["history", "--deals", "--data-dir", str(tmp_path)]) == 0
    assert "there is something to say of the deals" in capsys.readouterr().out
    even, odd = deals_lines(history(60, 3, fair)), deals_lines(history(60, 3, no_aces))
    for lines in (even, odd):
        for question in ("by rank", "by suit", "at every place of the deck", "Points at the deal"):
            assert any(question in line for line in lines), question
    assert even[-1] == "Everything is as even as a fair deck makes it."
    assert odd[-1].startswith("Unusual: your ranks")


# F4: where secrets leak.


class Watched(Table):
    """A table of which everything is kept that a log or a crash report could print."""

    printed: list[str]

    def take(self) -> Effects:
        effects = super().take()
        self.printed += [repr(op) for op in effects.store if not isinstance(op, AppendEntry)]
        self.printed += [repr(part) for part in (effects.jobs, effects.events, self)]
        for job in effects.jobs:
            if isinstance(job, ProofJob):
                self.printed.append(repr(job.secrets))
                self.printed.append(
                    crash_report(replace(job, secrets=replace(job.secrets, k=(), p=()), prepared=None))
                )
        return effects


def crash_report(job: ProofJob) -> str:
    """What is printed of a mistake in the middle of a proof."""
    try:
        job()
    except Exception as error:
        return "".join(traceback.format_exception(error))
    raise AssertionError("half of the secrets make a proof")


class Overheard(Circle):
    """A circle whose wires are listened to and whose tables are watched."""

    def __init__(self) -> None:
        self.heard: list[tuple[TableMessage, bytes]] = []
        super().__init__("F4", wire=self.listen, verdicts={})

    def listen(self, source: int, to: int, message: TableMessage) -> Iterable[bytes]:
        (data,) = encoded(source, to, message)
        self.heard.append((message, data))
        return (data,)

    def make(self, seat: int, *, loaded: bool) -> Table:
        made = super().make(seat, loaded=loaded)
        made.__class__ = Watched  # the circle makes plain ones
        assert isinstance(made, Watched)
        made.printed = []
        return made

    def collect(self, seat: int) -> bool:
        busy = super().collect(seat)
        if busy:
            watched(self.tables[seat]).printed.append(repr(self.view(seat)))
            nothing_foreign(self, seat)
        return busy


def nothing_foreign(circle: Circle, seat: int) -> None:
    """No seat knows a card in a hand of another while the hand is played."""
    view = circle.view(seat)
    if view.position is not None and view.phase == "play":
        for other, hand in enumerate(view.position.hands):
            assert other == seat or not set(view.faces) & set(hand)


def test_F4_no_secret_in_what_is_sent_printed_or_reported(tmp_path: Path) -> None:
    """Everything that crosses a wire in a hand, every value a log could print, the report of a crash amid the
    secrets; the files and outputs of real programs: tests/e2e/test_demo.py."""
    circle = Overheard()
    circle.play_hand()
    ledger = tmp_path / "match.tongits"
    ledger.write_bytes(ledger_bytes(circle.cast.descriptor.raw, circle.shelves[0].entries))
    walk = replay.walk(replay.parsed(ledger))
    needles = Needles(secrets_of(walk))
    assert search_ledger(ledger, walk, needles) == []
    held = set(circle.shelves[0].entries)
    spoken = tmp_path / "spoken"
    spoken.write_bytes(b"".join(data for message, data in circle.heard if not isinstance(message, Entries)))
    assert all(set(message.entries) <= held for message, _ in circle.heard if isinstance(message, Entries)), (
        "entries are those of the ledger, which tells nothing before its time"
    )
    printed = tmp_path / "printed"
    lines = [line for one in circle.tables for line in watched(one).printed]
    assert any("Traceback" in line for line in lines)
    assert any("SaveSecret" in line for line in lines)
    printed.write_text("\n".join(dict.fromkeys(lines)), encoding="utf-8")
    assert search_texts([spoken, printed], needles) == []
    planted = tmp_path / "planted"
    planted.write_text(repr(circle.cast.keys[0].private_bytes_raw()) + secrets_of(walk)[0].value.hex())
    assert search_texts([planted], needles), "the search finds what is there"


def watched(one: Table) -> Watched:
    assert isinstance(one, Watched)
    return one


# F6: names and lines that paint.

HOSTILE = ("\x1b[31mAna\x1b[?1003h", "B\u202een\u2066\x07", "Ca\u200brlo\x9b2J\r")


@pytest.fixture(scope="module")
def painted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a table whose players have names that paint."""
    script = Script("painted", names=HOSTILE)
    script.play_hand()
    folder = tmp_path_factory.mktemp("painted")
    (folder / "tables").mkdir()
    key = script.keys[0].private_bytes_raw().hex()
    (folder / "identity.key").write_text(f"tongits-lan identity {key}\n")
    (folder / "tables" / "one.tongits").write_bytes(ledger_bytes(script.descriptor.raw, script.entries))
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ("verify", "FILE"),
        ("verify", "FILE", "--json"),
        ("show", "FILE"),
        ("replay", "FILE", "--plain"),
        ("replay", "FILE", "--json"),
        ("history",),
        ("history", "--json"),
        ("history", "--summary"),
    ],
    ids=" ".join,
)
def test_F6_a_name_paints_nothing_wherever_it_is_printed(
    painted: Path, words: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log"
    told = [str(painted / "tables" / "one.tongits") if word == "FILE" else word for word in words]
    if words[0] == "history":
        told += ["--data-dir", str(painted)]
    assert main([*told, "--log-file", str(log), "-vv"]) == 0
    heard = capsys.readouterr()
    assert "Carlo" in heard.out
    for text in (heard.out, heard.err, log.read_text("utf-8") if log.exists() else ""):
        assert all(harmless(line) for line in text.split("\n"))


async def test_F6_what_a_peer_says_paints_nothing_on_screen_in_the_log_and_in_json(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG, "tongits_lan")
    script = standing(Phase.PLAY)
    async with stage(tmp_path, script, script.writer()) as scene:
        heard = scene.first.subscribe()
        wire = await scene.wire(scene.first)
        wire.say(Chat(scene.bad, PAINT), Reject(scene.height, "rules", PAINT))
        wire.link.end("enough", Bye("protocol", PAINT))
        seen: set[type] = set()
        while not {ChatHeard, RejectedByPeer} <= seen:
            event = await heard.receive()
            seen.add(type(event))
            for printer in (PlainPrinter(), JsonPrinter()):
                printer.event(event, scene.first.view, VOICE)
        await wire.gone()
        scene.goes_on()
    out = capsys.readouterr().out
    assert "Ana wins" in out
    assert all(harmless(line) for line in out.split("\n"))
    assert any("Ana" in record.getMessage() for record in caplog.records), "the last words are in the log"
    assert all(harmless(record.getMessage()) for record in caplog.records)
