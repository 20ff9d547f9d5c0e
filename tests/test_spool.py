"""Lines for a reader who does not read: nobody waits for him; he finds all of them, or how many are gone."""

import io
import json
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from tests.stalled import Stalled
from tests.system import on_posix
from tests.test_lines import practice
from tongits_lan.cli.lines import plainest
from tongits_lan.cli.output import Straight
from tongits_lan.cli.printers import JsonPrinter, PlainPrinter
from tongits_lan.cli.spool import Spool, way_out
from tongits_lan.console.speech import speaking

pytestmark = on_posix


@pytest.fixture
def pipe() -> Iterator[Stalled]:
    with Stalled() as stalled:
        yield stalled


def gone(count: int) -> str:
    return f"{count} gone"


async def test_a_hand_is_played_by_three_though_nobody_reads_it(
    tmp_path: Path, pipe: Stalled, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("0\n" + "1\n" * 400))
    spool = Spool(pipe.writer, JsonPrinter.left_out)
    with trio.fail_after(60):
        assert await practice(tmp_path, JsonPrinter(spool), auto=False).run() == 0
    pipe.start_reading()
    assert spool.drain()
    told = [json.loads(line) for line in pipe.lines()]
    events = [line["event"] for line in told]
    assert events[0] == "listening"
    assert events[-1] == "ended"
    assert events.index("hand_dealt") < events.index("hand_settled") < events.index("table_closed")
    assert events.count("choices") > 1
    assert "refused" in events
    times = [line["at"] for line in told]
    assert times == sorted(times)


def test_beyond_its_room_the_oldest_lines_give_way_to_one_that_says_so(pipe: Stalled) -> None:
    spool = Spool(pipe.writer, gone, room=100)
    for number in range(100):
        spool.say(f"line {number:4}")
    pipe.start_reading()
    assert spool.drain()
    lines = pipe.lines()
    assert any("gone" in line for line in lines)
    told = 0
    for line in lines:  # one stands wherever some are missing, however far the writer has come by then
        if line.endswith(" gone"):
            told += int(line.split()[0])
        else:
            assert line == f"line {told:4}"
            told += 1
    assert told == 100
    assert lines[-10:] == [f"line {number:4}" for number in range(90, 100)]


def test_what_stands_for_lines_left_out_is_one_line_too() -> None:
    assert json.loads(JsonPrinter.left_out(7)).items() >= {"event": "left_out", "lines": 7}.items()
    assert PlainPrinter.left_out(7) == "7 lines are left out here: nobody read them in time."
    with speaking("fil"):
        assert PlainPrinter.left_out(1).startswith("1 linya")


def test_a_line_that_is_longer_than_the_room_is_kept(pipe: Stalled) -> None:
    spool = Spool(pipe.writer, gone, room=100)
    spool.say("x" * 200_000)
    pipe.start_reading()
    assert spool.drain()
    assert pipe.lines() == ["x" * 200_000]


def test_a_question_is_out_when_somebody_can_read_it(pipe: Stalled) -> None:
    spool = Spool(pipe.writer, gone)
    spool.mark()
    assert spool.marked_at < math.inf, "nothing has been said"
    spool.say("what do you do?")
    spool.mark()
    assert spool.marked_at == math.inf
    before = time.monotonic()
    pipe.start_reading()
    spool.say("said later")
    assert spool.drain()
    assert before <= spool.marked_at <= time.monotonic()


def test_at_the_end_a_reader_who_takes_nothing_counts_as_gone(pipe: Stalled) -> None:
    with pytest.raises(BrokenPipeError), way_out(pipe.writer, gone, patience=0.05) as out:
        out.say("never read")


def test_whoever_ends_the_program_does_not_wait_for_a_reader(pipe: Stalled) -> None:
    with way_out(pipe.writer, gone) as out:
        out.say("never read")
        out.mark()
        out.hurry()
    assert out.marked_at == math.inf, "somebody has read it"


def test_a_signal_ends_the_wait_for_a_reader(pipe: Stalled) -> None:
    before = signal.getsignal(signal.SIGTERM)

    def stop() -> None:
        while signal.getsignal(signal.SIGTERM) == before:
            time.sleep(0.005)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=stop, daemon=True).start()
    with pytest.raises(SystemExit) as ended, way_out(pipe.writer, gone) as out:
        out.say("never read")
    assert ended.value.code == 143
    assert signal.getsignal(signal.SIGTERM) == before


def test_what_went_wrong_at_the_table_is_not_hidden_by_a_reader_who_is_gone(pipe: Stalled) -> None:
    def mistaken() -> None:
        with way_out(pipe.writer, gone) as out:
            out.say("never read")
            pipe.abandon()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        mistaken()


async def test_a_reader_who_goes_away_is_noticed_at_once(pipe: Stalled) -> None:
    spool = Spool(pipe.writer, gone)

    async def speak() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(spool.watch)
            await wait_all_tasks_blocked()
            spool.say("never read")
            pipe.abandon()

    with trio.fail_after(60), pytest.raises(BaseExceptionGroup) as ended:
        await speak()
    assert isinstance(plainest(ended.value), BrokenPipeError)
    with pytest.raises(BrokenPipeError):
        await spool.watch()
    spool.say("nobody to say it to")
    with pytest.raises(BrokenPipeError):
        spool.drain()


def test_a_file_takes_all_at_once(tmp_path: Path) -> None:
    with open(tmp_path / "told.txt", "w") as file, way_out(file, gone) as out:
        assert isinstance(out, Straight)
    with way_out(io.StringIO(), gone) as out:
        assert isinstance(out, Straight)


def test_a_stream_that_will_not_wait_is_waited_for(pipe: Stalled) -> None:
    os.set_blocking(pipe.writer.fileno(), False)
    spool = Spool(pipe.writer, gone)
    spool.say("sooner or later")
    pipe.start_reading()
    assert spool.drain()
    assert pipe.lines() == ["sooner or later"]
