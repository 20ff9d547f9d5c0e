"""Words that differ, with real programs: the others are told, now or later, and nobody keeps a dead table."""

from dataclasses import replace
from pathlib import Path

from tests.sessions import (
    NAMES,
    Runner,
    again,
    at_table,
    begun,
    config,
    free_port,
    lobby,
    runner,
    table,
    until,
    until_kept,
)
from tests.tables import NONCES, PKS, descriptor
from tongits_lan.errors import Exit, UserError
from tongits_lan.net.session import Session, host_session, join_session
from tongits_lan.store.dropped import SUFFIX, DroppedTable, dropped_tables
from tongits_lan.store.identity import load_or_make_identity
from tongits_lan.store.journal import Addresses, Journal, pending_tables, read_addresses

TAG = b"8 bytes."


def kept(folder: Path, name: str) -> list[str]:
    """The endings of the files of that player's tables."""
    files = [*(folder / name / "tables").iterdir(), *(folder / name / "private").iterdir()]
    return sorted(path.suffix for path in files)


def dropped(folder: Path, name: str) -> list[DroppedTable]:
    return dropped_tables(folder / name, load_or_make_identity(folder / name).pk)


async def reading(run: Runner, folder: Path) -> list[Session]:
    """Three sessions whose players read the words to each other."""
    sessions = await begun(run, folder, words=True)
    for session in sessions:
        await until(session, lambda s: table(s).can_confirm_words)
        await until(session, lambda s: all(how.kind in ("me", "direct") for how in table(s).links))
    return sessions


async def test_one_says_it_and_all_three_are_done_with_the_table(tmp_path: Path) -> None:
    async with runner() as run:
        sessions = await reading(run, tmp_path)
        sessions[1].words_differ()
        for session in sessions:
            await run.ended(session)
            assert table(session).called_off == 1
            assert session.ledger_path is None
        assert run.errors == {}
    for name in NAMES:
        assert kept(tmp_path, name) == [SUFFIX]
        (table_,) = dropped(tmp_path, name)
        assert (table_.by, table_.untold) == (1, ())


async def test_who_was_away_hears_it_when_he_opens_the_table_again(tmp_path: Path) -> None:
    """Ana's program is closed when Ben says it; she comes back to the table while his looks elsewhere."""
    async with runner() as run:
        ana, ben, carlo = await reading(run, tmp_path)
        port = int(ana.listening[0].rpartition(":")[2])
        await run.stop(ana)
        await until(ben, lambda s: table(s).links[0].kind == "away")
        ben.words_differ()
        for session in (ben, carlo):
            await run.ended(session)
        assert [one.untold for one in dropped(tmp_path, "Ben")] == [(0,)]
        other = run.start(host_session(replace(config(tmp_path, "Ben"), port=free_port())))
        assert len(lobby(other).seats) == 1  # nothing is pending for him
        ana = run.start(host_session(replace(config(tmp_path, "Ana", words=True), port=port)))
        await until(ana, lambda s: at_table(s) and table(s).called_off == 1)
        await run.ended(ana)
        await until_kept(lambda: not any(one.untold for one in dropped(tmp_path, "Ben")))
        assert run.errors == {}
    assert kept(tmp_path, "Ana") == [".addresses", SUFFIX]
    assert dropped(tmp_path, "Ana")[0].untold == (2,)  # she has not heard that Carlo knows


async def test_who_said_it_and_joins_that_table_again_is_told_so_and_tells_the_host(tmp_path: Path) -> None:
    async with runner() as run:
        ana, ben, carlo = await reading(run, tmp_path)
        port = int(ana.listening[0].rpartition(":")[2])
        for session in (ana, carlo):
            await run.stop(session)
        await until(ben, lambda s: table(s).links[0].kind == "away")
        ben.words_differ()
        await run.ended(ben)
        (mark,) = (tmp_path / "Ben" / "private").glob(f"*{SUFFIX}")
        ana = run.start(host_session(replace(config(tmp_path, "Ana", words=True), port=port)))
        ben = run.start(again(tmp_path, "Ben", address=ana.listening[0], words=True))
        await run.ended(ben)
        error = run.errors.pop(ben)
        assert isinstance(error, UserError)
        assert error.exit_code == Exit.NO_TABLE
        assert "You said that the words of this table differ" in error.text
        await run.ended(ana)
        assert table(ana).called_off == 1
        assert mark.exists()
        assert run.errors == {}
    assert [one.untold for one in dropped(tmp_path, "Ana")] == [(2,)]
    assert kept(tmp_path, "Carlo") == [".addresses", ".secret", ".tongits"]  # to be told when he comes back


async def test_the_others_stay_to_talk_until_they_leave(tmp_path: Path) -> None:
    async with runner() as run:
        host = run.start(host_session(replace(config(tmp_path, "Ana", words=True), lingers=True)))
        sessions = [host]
        for name in NAMES[1:]:
            made = replace(config(tmp_path, name, address=host.listening[0], words=True), lingers=True)
            sessions.append(run.start(join_session(made)))
            await until(host, lambda s: len(lobby(s).seats) == len(sessions))
        for session in sessions:
            await until(session, lambda s: lobby(s).me is not None)
            session.set_ready(True)
        for session in sessions:
            await until(session, lambda s: at_table(s) and table(s).can_confirm_words)
        sessions[1].words_differ()
        await run.ended(sessions[1])
        for session in (sessions[0], sessions[2]):
            await until(session, lambda s: table(s).called_off == 1)
            assert not run.is_over(session)
        await run.stop(sessions[0])
        sessions[2].part()
        await run.ended(sessions[2])
        assert run.errors == {}
    assert [kept(tmp_path, name) for name in NAMES] == [[SUFFIX]] * 3


def test_a_dropped_table_leaves_what_it_takes_to_know_it_again(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, descriptor(), NONCES[1], 1, TAG)
    journal.remember(Addresses(15213, {PKS[0]: ("10.0.0.1:15213",)}))
    path = journal.path
    journal.drop(1, (0, 2))
    assert not path.exists()
    assert pending_tables(tmp_path, PKS[1]) == []
    (table_,) = dropped_tables(tmp_path, PKS[1])
    assert (table_.descriptor, table_.me, table_.tag, table_.by) == (descriptor(), 1, TAG, 1)
    assert table_.untold == (0, 2)
    assert read_addresses(table_.path).seats == {PKS[0]: ("10.0.0.1:15213",)}
    assert dropped_tables(tmp_path, PKS[0]) == []
    journal.remember(Addresses(1, {}))  # the file is closed: nothing is written any more
    journal.drop(1, ())
    assert read_addresses(table_.path).seats == {}
    assert dropped_tables(tmp_path, PKS[1])[0].untold == ()


def test_a_mark_outlives_a_crash_and_nonsense_is_left_out(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, descriptor(), NONCES[1], 1, TAG)
    stem = journal.path.with_suffix("")
    journal.close()
    assert len(pending_tables(tmp_path, PKS[1])) == 1
    DroppedTable(stem, descriptor(), 1, TAG, 0, ()).keep()  # and then the machine was switched off
    assert pending_tables(tmp_path, PKS[1]) == []
    assert len(dropped_tables(tmp_path, PKS[1])) == 1
    (tmp_path / "private" / f"other{SUFFIX}").write_bytes(b"\xc1")
    (tmp_path / "private" / f"third{SUFFIX}").write_bytes(b"\x90")
    assert len(dropped_tables(tmp_path, PKS[1])) == 1
