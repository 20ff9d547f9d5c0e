"""The bots of a host: called in, played beside him, sent away, failing."""

import pytest
import trio
import trio.testing

from tongits_lan.errors import Exit, Refused, UserError
from tongits_lan.net.config import Summons
from tongits_lan.net.helpers import Helpers

SUMMONS = Summons(bytes(32), 15213, frozenset(), None)


class Bot:
    """Plays until it is stopped, or fails at once."""

    def __init__(self, pk: bytes, failure: UserError | None = None) -> None:
        self.name, self.pk = f"Bot {pk[0]}", pk
        self.state = "called"
        self._failure = failure

    async def play(self) -> None:
        self.state = "plays"
        if self._failure is not None:
            raise self._failure
        try:
            await trio.sleep_forever()
        finally:
            self.state = "gone"

    def close(self) -> None:
        self.state = "closed"


def helpers(*bots: Bot, failures: list[UserError] | None = None) -> Helpers:
    left = list(bots)
    told = [] if failures is None else failures
    made = Helpers(lambda _: left.pop(0), told.append)
    for _ in bots:
        made.call_in(SUMMONS)
    return made


async def test_they_play_while_the_session_runs() -> None:
    early, sent_away, late = Bot(b"a"), Bot(b"b"), Bot(b"c")
    made = Helpers(lambda _: [early, sent_away, late][len(made.keys)], lambda _: None)
    made.call_in(SUMMONS)
    made.call_in(SUMMONS)
    assert made.names == {"Bot 97", "Bot 98"}
    async with trio.open_nursery() as nursery:
        made.open(nursery)
        made.start(made.call_in(SUMMONS))
        await trio.testing.wait_all_tasks_blocked()
        assert [bot.state for bot in (early, sent_away, late)] == ["plays"] * 3
        made.send_away(b"b")
        await trio.testing.wait_all_tasks_blocked()
        assert sent_away.state == "gone"
        assert made.keys == {b"a", b"c"}
        made.send_away(b"b")  # once more changes nothing
        nursery.cancel_scope.cancel()
    assert {early.state, late.state} == {"gone"}
    made.close()
    assert {early.state, late.state} == {"gone"}


def test_who_never_played_gives_back_what_he_holds() -> None:
    stays, goes = Bot(b"a"), Bot(b"b")
    made = helpers(stays, goes)
    made.send_away(b"b")
    assert (stays.state, goes.state) == ("called", "closed")
    made.close()
    assert stays.state == "closed"


async def test_one_that_cannot_go_on_is_told_of() -> None:
    error = UserError("The disk is full.", Exit.FAILED)
    failures: list[UserError] = []
    made = helpers(Bot(b"a", error), failures=failures)
    async with trio.open_nursery() as nursery:
        made.open(nursery)
        await trio.testing.wait_all_tasks_blocked()
    assert failures == [error]


def test_without_anybody_who_makes_bots_there_are_none() -> None:
    made = Helpers(None, lambda _: None)
    assert not made.can_call
    with pytest.raises(Refused, match="no bots"):
        made.call_in(SUMMONS)


def test_a_bot_that_cannot_be_made_is_refused_with_its_reason() -> None:
    def fails(summons: Summons) -> Bot:
        raise UserError("No folder.", Exit.FAILED)

    made = Helpers(fails, lambda _: None)
    with pytest.raises(Refused, match="No folder"):
        made.call_in(SUMMONS)
    assert made.keys == frozenset()
