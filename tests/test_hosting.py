"""What a host changes in his lobby: the rules, and bots in empty places. Real sessions on loopback."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import trio
import trio.testing
from trio.testing import MockClock

from tests.field.test_network import watchdog
from tests.sessions import (
    Called,
    at_table,
    calling,
    config,
    events_until,
    lobby,
    runner,
    seated,
    table,
    until,
)
from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.net.config import Summons
from tongits_lan.net.session import LobbyView, RulesChanged, Session, host_session, join_session

JOKER = msgspec.structs.replace(PRESETS["joker"], turn_seconds=30, hands=5)


def sees(rules: Rules, *ready: bool) -> Callable[[Session], bool]:
    """Whether a session shows these rules, with these places ready."""

    def holds(session: Session) -> bool:
        view = session.view
        if not isinstance(view, LobbyView) or view.rules != rules:
            return False
        return [seat.ready for seat in view.seats] == list(ready)

    return holds


def counts(seconds: int) -> Callable[[Session], bool]:
    """Whether a session shows that the table begins in so many seconds."""
    return lambda session: lobby(session).countdown == seconds


def under(rules: Rules) -> Callable[[Session], bool]:
    """Whether a session shows a lobby with these rules."""
    return lambda session: isinstance(session.view, LobbyView) and session.view.rules == rules


async def test_other_rules_are_told_at_once_and_take_every_yes_back(tmp_path: Path) -> None:
    async with runner() as run:
        host, ben, carlo = await seated(run, tmp_path, words=True)
        heard = [session.subscribe() for session in (host, ben, carlo)]
        for session in (host, ben):
            session.set_ready(True)
        await until(carlo, sees(PRESETS["pagat"], True, True, False))
        host.set_rules(JOKER)
        for session, channel in zip((host, ben, carlo), heard, strict=True):
            event = (await events_until(channel, RulesChanged))[-1]
            assert event == RulesChanged(PRESETS["pagat"], JOKER)
            await until(session, sees(JOKER, False, False, False))
        assert lobby(carlo).message is None
        assert "changed the rules" in (lobby(ben).message or "")
        carlo.set_ready(True)
        await until(ben, sees(JOKER, False, False, True))
        assert "changed the rules" in (lobby(ben).message or ""), "until he has said yes again"
        ben.set_ready(True)
        await until(ben, sees(JOKER, False, True, True))
        assert lobby(ben).message is None
        host.set_ready(True)
        for session in (host, ben, carlo):
            await until(session, at_table)
            assert table(session).rules == JOKER
        for session in (host, ben):
            with pytest.raises(Refused, match="Only the host changes"):
                session.set_rules(PRESETS["pagat"])


async def test_a_yes_that_crosses_a_change_is_none(tmp_path: Path) -> None:
    """Ben says yes and the host changes the rules in the same moment, again and again: the table never
    begins under rules that one of them did not see."""
    async with runner() as run:
        host, ben, carlo = await seated(run, tmp_path, words=True)
        for number in range(20):
            rules = msgspec.structs.replace(JOKER, hands=number + 1)
            for session in (ben, carlo):
                session.set_ready(True)
            host.set_rules(rules)
            host.set_ready(True)
            for guest in (ben, carlo):
                await until(guest, under(rules))
            assert not any(seat.ready for seat in lobby(host).seats[1:])
        assert run.errors == {}


async def test_a_change_during_the_countdown_begins_it_anew_as_often_as_it_takes(tmp_path: Path) -> None:
    async with runner() as run:
        host, *guests = await seated(run, tmp_path, words=True, countdown=60)
        for number in range(1, 6):
            for session in (host, *guests):
                session.set_ready(True)
            await until(host, lambda s: lobby(s).countdown is not None)
            rules = msgspec.structs.replace(JOKER, hands=number)
            host.set_rules(rules)
            await until(host, lambda s: lobby(s).countdown is None)
            for guest in guests:
                await until(guest, sees(rules, False, False, False))
        assert run.errors == {}


async def test_a_countdown_is_not_shown_without_the_host_who_counts(tmp_path: Path) -> None:
    async with runner() as run:
        host, *guests = await seated(run, tmp_path, words=True, countdown=60)
        for session in (host, *guests):
            session.set_ready(True)
        for guest in guests:
            await until(guest, lambda s: lobby(s).countdown is not None)
        await run.stop(host)
        for guest in guests:
            await until(guest, lambda s: "went away" in (lobby(s).message or ""))
            assert lobby(guest).countdown is None
            with pytest.raises(Refused, match="within reach"):
                guest.chat("where is she?")


async def test_three_people_are_dealt_to_five_seconds_after_the_last_yes(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    """As all three see; the clock goes on only where the test lets it."""
    with watchdog():
        async with runner() as run:
            sessions = await seated(run, tmp_path, words=True, countdown=None)
            for session in sessions:
                session.set_ready(True)
            for seconds in (5, 4, 3, 2, 1):
                for session in sessions:
                    await until(session, counts(seconds))
                mock_clock.jump(1.0)
            for session in sessions:
                await until(session, at_table)
            assert run.errors == {}


async def test_the_same_rules_are_no_change(tmp_path: Path) -> None:
    async with runner() as run:
        host, ben, _ = await seated(run, tmp_path, words=True)
        ben.set_ready(True)
        await until(host, sees(PRESETS["pagat"], False, True, False))
        host.set_rules(PRESETS["pagat"])
        await trio.testing.wait_all_tasks_blocked()
        assert sees(PRESETS["pagat"], False, True, False)(host)


async def test_a_bot_takes_an_empty_place_and_leaves_it(tmp_path: Path) -> None:
    async with runner() as run:
        came: list[Called] = []
        made = replace(config(tmp_path, "Ana", words=True), call_bot=calling(tmp_path, came))
        host = run.start(host_session(made))
        ben = run.start(join_session(config(tmp_path, "Ben", address=host.listening[0], words=True)))
        await until(host, lambda s: len(lobby(s).seats) == 2)
        assert lobby(host).can_seat_bot
        host.add_bot()
        await until(ben, lambda s: len(lobby(s).seats) == 3)
        seat = lobby(ben).seats[2]
        assert (seat.name, seat.bot, seat.operator) == ("Bot 1", True, "Ana")
        assert not lobby(host).can_seat_bot
        with pytest.raises(Refused, match="No place is empty"):
            host.add_bot()
        host.kick(2)
        await until(ben, lambda s: len(lobby(s).seats) == 2)
        await until(host, lambda s: lobby(s).can_seat_bot)
        host.add_bot("Bot 1")  # it was sent away, not banned
        for session in (host, ben, came[-1].session):
            await until(session, lambda s: isinstance(s.view, LobbyView) and len(s.view.seats) == 3)
            session.set_ready(True)
        for session in (host, ben):
            await until(session, at_table)
            assert table(session).bots == (False, False, True)
        assert run.errors == {}


async def test_where_nobody_makes_bots_none_is_offered(tmp_path: Path) -> None:
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana", words=True)))
        assert not lobby(host).can_seat_bot
        with pytest.raises(Refused, match="no bots"):
            host.add_bot()


async def test_a_bot_that_cannot_come_is_a_sentence(tmp_path: Path) -> None:
    def fails(summons: Summons) -> Called:
        raise UserError("Its folder cannot be written.", Exit.FAILED)

    async with runner() as run:
        host = run.start(host_session(replace(config(tmp_path, "Ana", words=True), call_bot=fails)))
        with pytest.raises(Refused, match="cannot be written"):
            host.add_bot()
        assert lobby(host).can_seat_bot
        assert len(lobby(host).seats) == 1


async def test_a_bot_called_in_before_the_session_runs_gives_its_port_back(tmp_path: Path) -> None:
    came: list[Called] = []
    host = host_session(replace(config(tmp_path, "Ana"), call_bot=calling(tmp_path, came)))
    host.add_bot()
    host.close()
    port = int(came[0].session.listening[0].rpartition(":")[2])
    (listener,) = await trio.open_tcp_listeners(port, host="127.0.0.1")
    assert listener.socket.getsockname()[1] == port
    await listener.aclose()
