"""Whole sessions on loopback: from the lobby to a closed table, through losses of every kind."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import trio

from tests.sessions import (
    NAMES,
    Called,
    Runner,
    again,
    at_table,
    begun,
    calling,
    config,
    events_until,
    is_at,
    ledgers,
    lobby,
    play,
    report_of,
    runner,
    seated,
    table,
    until,
)
from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.ledger.effects import AppendEntry
from tongits_lan.ledger.state import Phase
from tongits_lan.net.session import (
    ChatHeard,
    LinkNote,
    LobbyChanged,
    LobbyView,
    Session,
    TableBegan,
    host_session,
    join_session,
)
from tongits_lan.store.identity import load_or_make_identity
from tongits_lan.store.journal import Journal, pending_tables


def all_closed(run: Runner, sessions: Sequence[Session]) -> None:
    assert run.errors == {}
    for session in sessions:
        assert table(session).closed


async def finish(run: Runner, sessions: Sequence[Session], *, hands: int = 1) -> None:
    """Plays all seats to the end of the table."""
    async with trio.open_nursery() as nursery:
        for number, session in enumerate(sessions):
            nursery.start_soon(partial(play, session, random.Random(number), hands=hands))
    for session in sessions:
        await run.ended(session)


async def test_a_hand_from_the_lobby_to_three_equal_ledgers(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await seated(run, tmp_path)
        heard = sessions[2].subscribe()
        assert [seat.name for seat in lobby(sessions[1]).seats] == list(NAMES)
        assert [lobby(session).me for session in sessions] == [0, 1, 2]
        for session in sessions:
            session.set_ready(True)
        await finish(run, sessions)
        all_closed(run, sessions)
        paths = [session.ledger_path for session in sessions]
        first, second, third = ledgers(tmp_path)
        assert first == second == third
        report = report_of(first)
        assert (report.status, report.closed, len(report.records)) == ("fair", True, 1)
        assert report.chips == table(sessions[0]).match.chips
        assert [path.parent.parent.name for path in paths if path is not None] == list(NAMES)
        events = [event async for event in heard]
        assert any(isinstance(event, LobbyChanged) for event in events)
        assert [event for event in events if isinstance(event, TableBegan)] == [
            TableBegan(paths[2] or Path())
        ]
        for name in NAMES:
            assert (
                list((tmp_path / name / "private").iterdir()) == []
            )  # nothing secret is kept for a closed table


async def test_each_of_the_three_may_go_and_come_back(tmp_path: Path) -> None:
    """Closed and started again with the same command in the middle of a hand, one after the other."""
    async with runner() as run:
        sessions = await begun(run, tmp_path)
        address = sessions[0].listening[0]
        async with trio.open_nursery() as players:
            for number, session in enumerate(sessions):
                players.start_soon(play, session, random.Random(number))
            for seat, height in ((0, 14), (1, 20), (2, 26), (0, 30)):  # no hand is shorter
                await until(sessions[seat], partial(is_at, height=height))
                await run.stop(sessions[seat])
                sessions[seat] = run.start(again(tmp_path, NAMES[seat], address=address if seat else None))
                await until(sessions[seat], at_table)
                players.start_soon(play, sessions[seat], random.Random(seat + 10))
            for session in sessions:
                await run.ended(session)
            players.cancel_scope.cancel()
        all_closed(run, sessions)
    first, second, third = ledgers(tmp_path)
    assert first == second == third
    assert report_of(first).status == "fair"


async def test_two_guests_go_on_without_the_host(tmp_path: Path) -> None:
    async with runner() as run:
        host, ben, carlo = await begun(run, tmp_path, words=True)
        await until(ben, lambda _: table(ben).links[2].kind == "direct")
        address = host.listening[0]
        await run.stop(host)
        await until(ben, lambda _: table(ben).links[0].kind == "away")
        await run.stop(carlo)
        await until(ben, lambda _: table(ben).links[2].kind == "away")
        carlo = run.start(again(tmp_path, "Carlo", address=address, words=True))  # nobody is at that address
        await until(ben, lambda _: table(ben).links[2].kind == "direct")
        assert at_table(carlo)
        host = run.start(again(tmp_path, "Ana", words=True))
        assert host.listening[0] == address  # the port it had before
        await until(carlo, lambda _: table(carlo).links[0].kind == "direct")
        assert run.errors == {}


async def test_a_table_that_is_left_is_pending_for_all(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path, words=True)
        await until(sessions[0], lambda _: table(sessions[0]).words is not None)
    for name in NAMES:
        pk = load_or_make_identity(tmp_path / name).pk
        assert len(pending_tables(tmp_path / name, pk)) == 1
    fresh = host_session(replace(config(tmp_path, "Ana"), fresh=True))
    assert isinstance(fresh.view, LobbyView)
    fresh.close()


async def test_words_are_compared_before_the_first_commit(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path, words=True)
        for session in sessions:
            await until(session, lambda s: table(s).words is not None)
        assert len({table(session).words for session in sessions}) == 1
        dealer = next(s for s in sessions if table(s).me == table(s).dealer)
        assert table(dealer).phase == Phase.COMMIT
        assert table(dealer).height == 6
        dealer.confirm_words()
        await until(dealer, lambda _: table(dealer).height > 6)


async def test_a_table_with_other_words_is_dropped(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path, words=True)
        ben = sessions[1]
        await until(ben, lambda _: table(ben).words is not None)
        ben.words_differ()
        await run.ended(ben)
        assert run.errors == {}
        await until(sessions[0], lambda _: table(sessions[0]).called_off == 1)
    assert pending_tables(tmp_path / "Ben", ben.identity_pk) == []
    assert [path.suffix for path in (tmp_path / "Ben" / "private").iterdir()] == [".dropped"]


async def test_chat_is_heard_once_by_both(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await seated(run, tmp_path, words=True)
        channels = [session.subscribe() for session in sessions]
        sessions[1].chat("in the\x07 lobby")
        for channel in channels:
            assert (await events_until(channel, ChatHeard))[-1] == ChatHeard(1, "in the lobby", None)
        for session in sessions:
            session.set_ready(True)
        for session in sessions:
            await until(session, lambda s: at_table(s) and table(s).words is not None)
            await until(session, lambda s: all(reach.kind != "away" for reach in table(s).links))
        for number in range(3):
            sessions[number].chat(f"from {number}")
        for channel in channels:
            lines: list[tuple[int, str]] = []
            while len(lines) < 3:
                last = (await events_until(channel, ChatHeard))[-1]
                assert isinstance(last, ChatHeard)
                lines.append((last.seat, last.text))
            assert sorted(lines) == [(number, f"from {number}") for number in range(3)]
        with pytest.raises(Refused, match="nothing to say"):
            sessions[0].chat(" \x00 ")
        for session in sessions[1:]:
            await run.stop(session)
        await until(sessions[0], lambda s: [reach.kind for reach in table(s).links] == ["me", "away", "away"])
        with pytest.raises(Refused, match="within reach"):
            sessions[0].chat("anybody there?")


async def test_a_full_table_and_a_stranger(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await seated(run, tmp_path, words=True)
        address = sessions[0].listening[0]
        dora = run.start(join_session(config(tmp_path, "Dora", address=address)))
        await run.ended(dora)
        error = run.errors.pop(dora)
        assert isinstance(error, UserError)
        assert error.exit_code == Exit.NO_TABLE
        assert "full" in error.text
        for session in sessions:
            session.set_ready(True)
        await until(sessions[0], lambda _: at_table(sessions[0]))
        dora = run.start(join_session(config(tmp_path, "Dora", address=address)))
        await run.ended(dora)
        error = run.errors.pop(dora)
        assert isinstance(error, UserError)
        assert "begun without you" in error.text
        assert run.errors == {}


async def test_a_second_player_with_the_same_files(tmp_path: Path) -> None:
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana")))
        twin = run.start(join_session(config(tmp_path, "Ana", address=host.listening[0])))
        await run.ended(twin)
        error = run.errors[twin]
        assert isinstance(error, UserError)
        assert "--data-dir" in error.text
        assert len(lobby(host).seats) == 1


async def test_a_guest_leaves_the_lobby_and_another_comes(tmp_path: Path) -> None:
    async with runner() as run:
        host, ben, carlo = await seated(run, tmp_path)
        host.set_ready(True)
        ben.set_ready(True)
        await run.stop(carlo)
        await until(host, lambda _: len(lobby(host).seats) == 2)
        assert [seat.ready for seat in lobby(host).seats] == [True, True]
        run.start(join_session(config(tmp_path, "Dora", address=host.listening[0])))
        await until(ben, lambda _: [seat.name for seat in lobby(ben).seats] == ["Ana", "Ben", "Dora"])
        assert lobby(host).host == lobby(ben).host == 0
        ben.set_ready(False)
        await until(host, lambda _: [seat.ready for seat in lobby(host).seats] == [True, False, False])


async def test_a_host_that_comes_back_finds_its_guests(tmp_path: Path) -> None:
    async with runner() as run:
        host, ben, carlo = await seated(run, tmp_path, words=True)
        address, port = host.listening[0], int(host.listening[0].rpartition(":")[2])
        ben.set_ready(True)
        await until(host, lambda _: [seat.ready for seat in lobby(host).seats] == [False, True, False])
        await run.stop(host)
        await until(ben, lambda _: lobby(ben).message is not None)
        host = run.start(host_session(replace(config(tmp_path, "Ana", words=True), port=port)))
        assert host.listening[0] == address
        await until(host, lambda _: len(lobby(host).seats) == 3)
        await until(host, lambda _: sum(seat.ready for seat in lobby(host).seats) == 1)  # Ben had agreed
        carlo.set_ready(True)
        host.set_ready(True)
        await until(ben, lambda _: at_table(ben))
        assert run.errors == {}


@pytest.mark.parametrize("code", [None, "42-mangga-bituin"], ids=["open", "code"])
async def test_a_guest_that_was_gone_when_the_table_began(tmp_path: Path, code: str | None) -> None:
    """Its promise was on disk, so it sits down at exactly the table it had agreed to, whether or not it was
    told a code."""
    async with runner() as run:
        host, ben, carlo = await seated(run, tmp_path, words=True)
        channel = carlo.subscribe()
        for session in (ben, carlo, host):
            session.set_ready(True)
            if session is carlo:
                await until(host, lambda _: [seat.ready for seat in lobby(host).seats] == [False, True, True])
        # Carlo's program is gone the moment it hears of the table: its files are those of before.
        kept = (tmp_path / "Carlo" / "private" / "lobby.promise").read_bytes()
        await events_until(channel, TableBegan)
        await run.stop(carlo)
        for path in [*(tmp_path / "Carlo").glob("*/*")]:
            path.unlink()
        (tmp_path / "Carlo" / "private" / "lobby.promise").write_bytes(kept)
        made = config(tmp_path, "Carlo", address=host.listening[0], words=True)
        carlo = run.start(join_session(replace(made, code=code, open_table=code is None)))
        await until(carlo, lambda _: at_table(carlo) and table(carlo).words is not None)
        assert run.errors == {}
        assert not (tmp_path / "Carlo" / "private" / "lobby.promise").exists()


async def test_a_guest_without_its_files_is_told(tmp_path: Path) -> None:
    async with runner() as run:
        host, _ben, carlo = await begun(run, tmp_path, words=True)
        await run.stop(carlo)
        for path in [*(tmp_path / "Carlo").glob("*/*")]:
            path.unlink()
        carlo = run.start(again(tmp_path, "Carlo", address=host.listening[0], words=True))
        await run.ended(carlo)
        error = run.errors[carlo]
        assert isinstance(error, UserError)
        assert "--data-dir" in error.text
        assert error.exit_code == Exit.NO_TABLE


async def test_bots_are_shown_as_what_they_are(tmp_path: Path) -> None:
    async with runner() as run:
        came: list[Called] = []
        made = replace(config(tmp_path, "Ana", words=True), call_bot=calling(tmp_path, came))
        host = host_session(made)
        host.add_bot("Ben")  # before it runs, as the command line does
        run.start(host)
        host.add_bot()
        assert [bot.name for bot in came] == ["Ben", "Bot 1"]
        person = run.start(join_session(config(tmp_path, "Dora", address=host.listening[0])))
        await run.ended(person)
        error = run.errors.pop(person)
        assert isinstance(error, UserError)
        assert "full" in error.text  # the seats are kept for the bots
        bots = [bot.session for bot in came]
        for bot in bots:
            await until(bot, lambda b: isinstance(b.view, LobbyView) and b.view.me is not None)
        assert [(seat.bot, seat.operator) for seat in lobby(bots[0]).seats[:2]] == [
            (False, None),
            (True, "Ana"),
        ]
        for session in (host, *bots):
            session.set_ready(True)
        await until(bots[1], lambda _: at_table(bots[1]))
        assert table(bots[1]).bots == (False, True, True)
        await until(host, lambda _: table(host).words_confirmed)  # with its own bots there is nobody to ask
        for session in (host, bots[0]):
            with pytest.raises(Refused, match="Only the host"):
                session.add_bot()
        assert run.errors == {}


async def test_a_bot_does_not_sit_down_as_a_person(tmp_path: Path) -> None:
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana")))
        made = replace(config(tmp_path, "Ben", address=host.listening[0]), operator_pk=host.identity_pk)
        bot = run.start(join_session(made))
        await run.ended(bot)
        error = run.errors[bot]
        assert isinstance(error, UserError)
        assert "who plays your seat" in error.text


async def test_a_host_with_another_key_than_expected(tmp_path: Path) -> None:
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana")))
        made = replace(config(tmp_path, "Ben", address=host.listening[0]), expect_pk=b"k" * 32)
        guest = run.start(join_session(made))
        await run.ended(guest)
        error = run.errors[guest]
        assert isinstance(error, UserError)
        assert "another key" in error.text


async def test_actions_at_the_wrong_time_are_refused(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await seated(run, tmp_path, words=True)
        for act in (
            sessions[0].go_on,
            sessions[0].leave_table,
            sessions[0].give_up,
            sessions[0].confirm_words,
            sessions[0].words_differ,
            sessions[0].keep_waiting,
        ):
            with pytest.raises(Refused, match="no table yet"):
                act()
        assert sessions[0].ledger_path is None
        assert sessions[0].rtt_ms(1) is None
        for session in sessions:
            session.set_ready(True)
        await until(sessions[0], lambda _: at_table(sessions[0]))
        with pytest.raises(Refused, match="begun"):
            sessions[0].set_ready(False)


async def test_a_disk_that_fails_ends_the_session_and_sends_nothing(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await begun(run, tmp_path, words=True)
        host, ben, _carlo = sessions
        for session in sessions:
            await until(session, lambda s: table(s).words is not None)
        dealer = next(s for s in sessions if table(s).me == table(s).dealer)
        other = ben if dealer is host else host
        node = dealer._front.node
        assert node is not None
        node._journal.close()  # from here on nothing can be kept
        dealer.confirm_words()
        await run.ended(dealer)
        error = run.errors.pop(dealer)
        assert isinstance(error, UserError)
        assert error.exit_code == Exit.FAILED
        await until(other, lambda _: table(other).links[table(dealer).me].kind != "direct")
        assert table(other).height == 6
        assert run.errors == {}


async def test_an_open_table_is_not_opened_twice(tmp_path: Path) -> None:
    async with runner() as run:
        await begun(run, tmp_path, words=True)
        with pytest.raises(UserError, match="another window"):
            host_session(config(tmp_path, "Ana"))


async def test_a_ledger_that_does_not_hold_is_not_played_on(tmp_path: Path) -> None:
    async with runner() as run:
        await begun(run, tmp_path, words=True)
    identity = load_or_make_identity(tmp_path / "Ana")
    journal = Journal.open(pending_tables(tmp_path / "Ana", identity.pk)[0].path)
    journal.apply([AppendEntry(b"\x92\xc4\x01x\xc4\x01y")])
    journal.close()
    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana")))
        await run.ended(host)
        error = run.errors[host]
        assert isinstance(error, UserError)
        assert "tongits verify" in error.text


async def test_item_14_an_old_version_is_told_on_both_screens(tmp_path: Path) -> None:
    from tongits_lan.net.handshake import Declined, Me, greet_server
    from tongits_lan.net.link import Link
    from tongits_lan.net.transport import dial, parse_address, secure

    async with runner() as run:
        host = run.start(host_session(config(tmp_path, "Ana")))
        notes = host.subscribe()
        identity = load_or_make_identity(tmp_path / "Old")
        old = Me(identity, "Old", config(tmp_path, "Old").entropy, ("tongits-lan/0",), "0.0.1")
        link = Link(await secure(await dial(*parse_address(host.listening[0])), server=False), server=False)
        with pytest.raises(Declined, match="pipx upgrade"):
            await greet_server(link, old)
        await link.close()
        note = (await events_until(notes, LinkNote))[-1]
        assert isinstance(note, LinkNote)
        assert "0.0.1" in note.text
