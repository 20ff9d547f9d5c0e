"""Field reports about leaving, coming back and falling out of step: what went wrong elsewhere must not here.

Time is virtual where a row speaks of minutes and days.
"""

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from tests.circle import Chooser, Circle, encoded, height_of, lively, recorded, resumed
from tests.hostile.stage import Wire, lay_down, open_link, stage, stranger, waiting
from tests.make_ledgers import standing
from tests.screens import player
from tests.sessions import (
    NAMES,
    Runner,
    config,
    ledgers,
    lobby,
    play,
    report_of,
    runner,
    table,
    until,
)
from tests.test_joining import closed_port, service, told
from tests.test_render import screen
from tongits_lan.console.arrange import split
from tongits_lan.console.idle import default_move
from tongits_lan.console.notices import farewell, say_table
from tongits_lan.console.render import text_of
from tongits_lan.console.skins import LETTERS
from tongits_lan.console.text import Voice
from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.game.moves import Draw, Move
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.effects import GraceOver, LinkChanged, Reach
from tongits_lan.ledger.messages import Bye, TakeSeat
from tongits_lan.ledger.state import Due, Phase
from tongits_lan.ledger.table import TableMessage
from tongits_lan.ledger.views import TableView
from tongits_lan.limits import HAVE_SECONDS, SEATS
from tongits_lan.net.countdown import RESTARTS, Countdown
from tongits_lan.net.session import Session, host_session, join_session
from tongits_lan.store.identity import load_or_make_identity

GRACE = PRESETS["pagat"].grace_seconds
VOICE = Voice(NAMES, 0, LETTERS)


def others_of(seat: int) -> list[int]:
    return [other for other in range(SEATS) if other != seat]


def is_level(circle: Circle) -> bool:
    return len({tuple(shelf.entries) for shelf in circle.shelves}) == 1


# R1 and R2: a message is lost, a move is made while nobody hears it.

Sent = tuple[str, int, int, int]
"""Kind of message, from, to, and how far the sender was."""


class LosesEach:
    """A wire that loses each message that was not lost in an earlier game (`done`), one at a time: another
    one only when the receiver has what the last one told."""

    def __init__(self, done: set[Sent]) -> None:
        self.done = done
        self.sent: set[Sent] = set()
        self.lost = 0
        self.loses = True
        self.circle: Circle | None = None
        self._missing: tuple[int, int] | None = None

    def __call__(self, source: int, to: int, message: TableMessage) -> Iterable[bytes]:
        assert self.circle is not None
        key = (type(message).__name__, source, to, self._held(source))
        self.sent.add(key)
        if not self.loses or key in self.done or not self._healed():
            return encoded(source, to, message)
        self.done.add(key)
        self.lost += 1
        self._missing = (to, self._held(source))
        return ()

    def _held(self, seat: int) -> int:
        assert self.circle is not None
        return len(self.circle.shelves[seat].entries)

    def _healed(self) -> bool:
        return self._missing is None or self._held(self._missing[0]) >= self._missing[1]


def whole_game(wire: LosesEach) -> list[bytes]:
    """The entries of one hand and the beginning of the next; somebody moves only when all are level."""
    circle = wire.circle = Circle("recorded", wire=wire, verdicts=recorded().verdicts)
    while True:
        circle.settle()
        if not is_level(circle):
            circle.pass_time(HAVE_SECONDS + 0.1)
        elif circle.view(0).hand_no == 2:
            assert all(circle.view(seat).stopped is None for seat in range(SEATS))
            return circle.shelves[0].entries
        else:
            assert circle.step(), f"everybody waits: {circle.view(0).due}"


def test_R1_any_one_message_of_a_whole_game_may_be_lost() -> None:
    calm = LosesEach(set())
    calm.loses = False
    entries = whole_game(calm)
    done: set[Sent] = set()
    for _ in range(20):
        wire = LosesEach(done)
        assert whole_game(wire) == entries, "the same moves give the same game"
        if not wire.lost:
            break
    assert calm.sent <= done
    assert len(done) > 300


def test_R2_a_move_made_while_cut_off_is_one_move_for_all_when_the_link_is_back() -> None:
    circle = resumed(height_of("draw"))
    circle.settle()
    due = circle.view(0).due
    assert due is not None
    seat, others = due.seat, others_of(due.seat)
    for other in others:
        circle.cut(seat, other)
    held = len(circle.shelves[seat].entries)
    for other in others:  # who is not due presses keys in vain
        with pytest.raises(Refused):
            circle.tables[other].submit(Draw(), circle.now)
    circle.tables[seat].submit(Draw(), circle.now)
    circle.settle()
    with pytest.raises(Refused):  # and so does who has moved already
        circle.tables[seat].submit(Draw(), circle.now)
    circle.pass_time(30)
    assert [len(circle.shelves[other].entries) for other in others] == [held, held]
    assert len(circle.shelves[seat].entries) == held + 1
    for other in others:
        circle.join(seat, other)
    circle.settle()
    circle.assert_level()
    assert [parse_entry(raw).body_value[0] for raw in circle.shelves[others[0]].entries[held:]] == [
        "draw",
        "key",
        "key",
    ]
    views = [circle.view(one) for one in range(SEATS)]
    assert len({repr(view.position) for view in views}) == 1


# R5: the same player once more.


async def test_R5_a_player_whose_old_connection_looks_alive_takes_the_same_place(tmp_path: Path) -> None:
    """In the lobby; for the table see test_N19_a_return_is_by_key_and_replaces_the_dead_connection."""
    ben = stranger(b"ben")
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana")))
        links = []
        for number in (1, 2):
            link = await open_link(host, ben, "Ben")
            wire = Wire(link)
            run.nursery.start_soon(link.run, wire)
            wire.say(TakeSeat(bytes([number]) * 32))
            links.append(wire)
            with waiting():
                await until(host, lambda s: [seat.name for seat in lobby(s).seats] == ["Ana", "Ben"])
        assert "newer" in await links[0].gone()
        assert [seat.name for seat in lobby(host).seats] == ["Ana", "Ben"]
        assert links[1].reason is None
        assert run.errors == {}


# R6, R8, R9: somebody is away.


def test_R6_nobody_acts_for_an_absent_seat_and_the_present_see_what_they_may_do() -> None:
    circle = resumed(height_of("discard"))
    circle.settle()
    due = circle.view(0).due
    assert due is not None
    circle.kill(due.seat)
    height = len(circle.shelves[0].entries)
    circle.pass_time(3_600)
    for seat in others_of(due.seat):
        assert len(circle.shelves[seat].entries) == height
        view = circle.view(seat)
        assert (view.legal, view.can_go_on, view.stopped) == ((), False, None)
        assert view.grace_over
        with pytest.raises(Refused):
            circle.tables[seat].submit(Draw(), circle.now)


def test_R6_no_timer_runs_against_a_seat_while_another_is_out_of_reach() -> None:
    one = player(turn_seconds=30)
    one.desk.tick(one.now)
    one.seat.show(links=(Reach("away"), Reach("direct"), Reach("me")))
    one.follow()
    for _ in range(10):
        one.now += 60.0
        one.desk.tick(one.now)
        one.follow()
    assert one.seat.done == []
    assert one.desk.turn_seconds == 30


def test_R8_ten_seconds_away_cost_nothing_and_the_grace_time_is_shown() -> None:
    circle = resumed(height_of("draw"))
    circle.settle()
    due = circle.view(0).due
    assert due is not None
    seat, others = due.seat, others_of(due.seat)
    before = circle.view(seat)
    for seconds, asked in ((10, False), (3_600, True)):
        for other in others:
            circle.cut(seat, other)
        circle.pass_time(seconds)
        for other in others:
            view = circle.view(other)
            assert view.awaited_since is not None
            assert view.grace_over is asked
            assert any(isinstance(event, GraceOver) for event in circle.events[other]) is asked
        for other in others:
            circle.join(seat, other)
        circle.settle()
        after = circle.view(seat)
        assert (after.position, after.faces, after.legal) == (before.position, before.faces, before.legal)
        assert all(circle.view(other).awaited_since is None for other in others)
    assert GRACE == 60
    circle.play_hand()
    circle.assert_level()


def test_R8_the_wait_stands_on_the_screen_with_its_choices() -> None:
    one = player()
    one.press("d", "enter")
    away = (Reach("away"), Reach("direct"), Reach("me"))
    one.seat.show(links=away, awaited_since=1.0, grace_over=True, due=Due(0, ("draw",)))
    one.follow()
    picture = text_of(screen(one.desk, away=10))
    for words in ("Ana has been away for 0:10.", "keep waiting", "stays pending"):
        assert words in picture


def noting(move: Chooser, legal: list[bool]) -> Chooser:
    """Chooses as `move` does, and notes whether what is done for a player whose time runs out is legal."""

    def choose(view: TableView, rng: random.Random) -> Move:
        legal.append(default_move(view, split(view)) in view.legal)
        return move(view, rng)

    return choose


def idle(view: TableView, rng: random.Random) -> Move:
    """A player who never presses a key."""
    move = default_move(view, split(view))
    assert move is not None
    return move


@pytest.mark.parametrize("preset", ["pagat", "joker", "wikipedia"])
def test_R9_every_question_of_a_hand_has_an_answer_for_who_gives_none(preset: str) -> None:
    legal: list[bool] = []
    circle = Circle(f"R9 {preset}", rules=PRESETS[preset], choose=noting(lively, legal), verdicts={})
    circle.play_hand()
    assert legal
    assert all(legal)


def test_R9_a_hand_in_which_nobody_presses_a_key_comes_to_its_end() -> None:
    circle = Circle("R9 idle", choose=idle, verdicts={})
    circle.play_hand()
    circle.assert_level()
    assert [len(circle.view(seat).records) for seat in range(3)] == [1, 1, 1]


def test_R9_who_is_tired_of_waiting_leaves_and_nothing_is_lost() -> None:
    """After the grace time the table says so, and closing the program keeps it as it is."""
    circle = resumed(height_of("draw"))
    circle.settle()
    due = circle.view(0).due
    assert due is not None
    circle.kill(due.seat)
    circle.settle()
    circle.pass_time(GRACE + 2)
    for seat in others_of(due.seat):
        view = circle.view(seat)
        assert view.grace_over
        said = say_table(VOICE, GraceOver(due.seat))
        assert said is not None
        assert "keep waiting, or leave" in said
        assert "stays pending" in (farewell(view) or "")


# R10: left or lost.


async def test_R10_who_left_is_told_from_who_was_lost(tmp_path: Path) -> None:
    script = standing(Phase.PLAY)
    async with stage(tmp_path, script, script.writer()) as scene:
        stream, _ = await scene.greeted(scene.first)
        with waiting():
            await until(scene.first, lambda s: table(s).links[scene.bad].kind == "direct")
            await trio.aclose_forcefully(stream)
            await until(scene.first, lambda s: table(s).links[scene.bad] == Reach("away"))
        wire = await scene.wire(scene.first)
        wire.link.end("q was pressed", Bye("left", ""))
        with waiting():
            for session in scene.honest.values():  # the second hears of it through the first
                await until(session, lambda s: table(s).links[scene.bad] == Reach("away", left=True))
        scene.goes_on()
    lost, left = (say_table(VOICE, LinkChanged(1, Reach("away", left=how))) for how in (False, True))
    assert lost == "Ben is out of reach."
    assert left == "Ben closed the program and may come back."


async def test_R10_toggling_ready_does_not_hold_the_table_up_for_ever(autojump_clock: MockClock) -> None:
    ticks: list[int | None] = []
    over = trio.Event()
    countdown = Countdown(ticks.append, over.set)
    async with trio.open_nursery() as nursery:
        for _ in range(1 + RESTARTS):
            countdown.start(nursery, 5)
            await trio.sleep(2.5)
            countdown.stop()
        assert not over.is_set()
        countdown.start(nursery, 5)
        assert over.is_set()
    assert ticks == [5, 4, 3, None] * (1 + RESTARTS)
    assert RESTARTS == 2


# R11: the host leaves; for anybody who leaves (R14) see tests/field/test_leaving_phases.py.


async def from_files(run: Runner, folder: Path, phase: Phase) -> list[Session]:
    """The three at a table that stands in this phase; the host lets nobody in without a code."""
    script = standing(phase)
    for seat in range(SEATS):
        lay_down(folder, script, seat, script.entries)
    host = run.start(host_session(replace(config(folder, NAMES[0]), open_table=False)))
    guests = [run.start(guest_of(folder, name, host.listening[0])) for name in NAMES[1:]]
    return [host, *guests]


def guest_of(folder: Path, name: str, address: str) -> Session:
    return join_session(replace(config(folder, name, address=address), open_table=False))


def linked(*seats: int) -> Callable[[Session], bool]:
    """Whether a session is at the table and these seats are reached directly."""
    return lambda s: isinstance(s.view, TableView) and all(s.view.links[n].kind == "direct" for n in seats)


async def test_R11_the_host_leaves_and_comes_back_by_its_key_alone(tmp_path: Path) -> None:
    """The guests keep their link to each other; nobody is asked for a code; the hand goes on to its end."""
    async with runner() as run:
        host, ben, carlo = await from_files(run, tmp_path, Phase.PLAY)
        await until(ben, linked(0, 2))
        await until(carlo, linked(0, 1))
        await run.stop(host)
        for guest in (ben, carlo):
            await until(guest, lambda s: table(s).links[0] == Reach("away", left=True))
        assert table(ben).links[2].kind == table(carlo).links[1].kind == "direct"
        host = run.start(host_session(replace(config(tmp_path, NAMES[0]), open_table=False)))
        await until(host, linked(1, 2))
        async with trio.open_nursery() as nursery:
            for seat, session in enumerate((host, ben, carlo)):
                nursery.start_soon(play, session, random.Random(seat))
        for session in (host, ben, carlo):
            await run.ended(session)
        assert run.errors == {}
    one, two, three = ledgers(tmp_path)
    assert one == two == three
    assert report_of(one).status == "fair"


# R15: an address where there is no game.


async def test_R15_an_address_without_a_game_is_one_sentence(tmp_path: Path) -> None:
    """A closed port, something else that listens, and oneself."""
    assert (await told(f"127.0.0.1:{closed_port()}")).text.startswith("Nobody hosts a table at")

    async def answer(stream: trio.SocketStream) -> None:
        await stream.send_all(b"220 mail.example ESMTP\r\n")
        await stream.aclose()

    async with service(answer) as address:
        assert "not a Tongits table" in (await told(address)).text
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana")))
        load_or_make_identity(tmp_path / "again")
        key = (tmp_path / "Ana" / "identity.key").read_bytes()
        (tmp_path / "again" / "identity.key").write_bytes(key)
        myself = run.start(join_session(config(tmp_path, "again", address=host.listening[0])))
        await run.ended(myself)
        error = run.errors[myself]
        assert isinstance(error, UserError)
        assert error.exit_code == Exit.NO_TABLE
        assert "--data-dir" in error.text
        assert not run.is_over(host)
        assert len(lobby(host).seats) == 1
