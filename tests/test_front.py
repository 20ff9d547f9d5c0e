"""The fronts without a terminal: what the table keeps of its switches, a turn that nobody ends, scrolling."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

import msgspec
import pytest
import trio

from tests.e2e.stage import Stage
from tongits_lan.console.app import ConsoleOptions, TableFront
from tongits_lan.console.boxes import plain
from tongits_lan.console.door import Page, opened
from tongits_lan.console.door_app import DoorFront, Surroundings
from tongits_lan.console.skins import LETTERS
from tongits_lan.errors import Exit, UserError
from tongits_lan.net.session import Session
from tongits_lan.store.settings import Settings

PATIENCE = 30.0  # seconds until a test gives up; never how long something may take


def front_of(stage: Stage, keep: Callable[[Settings], None] = lambda settings: None) -> TableFront:
    return TableFront(cast(Session, stage), ConsoleOptions(ascii=True, keep=keep), stage.run)


def press(front: TableFront, *keys: str) -> None:
    """A second between two keys."""
    for at, key in enumerate(keys):
        front.key(key, float(at))


def test_what_is_switched_at_the_table_is_kept_at_once() -> None:
    kept: list[Settings] = []
    front = front_of(Stage("calm"), kept.append)
    press(front, "right", "o", "2", "3", "escape", "right")
    assert kept == [Settings(bell=False), Settings(bell=False, title=False)]
    assert front.title() is None


def test_a_choice_that_cannot_be_kept_is_told() -> None:
    def full(settings: Settings) -> None:
        raise UserError("The disk is full: make room on it.", Exit.FAILED)

    front = front_of(Stage("calm"), full)
    press(front, "m")
    assert "The disk is full" in "\n".join(map(plain, front.picture(80, 24)))


@pytest.mark.parametrize("reading", ["o", "c"], ids=["a page", "chat"])
def test_item_18_a_turn_that_nobody_ends_is_ended_behind_whatever_is_open(reading: str) -> None:
    stage = Stage("calm")
    stage.rules = msgspec.structs.replace(stage.rules, turn_seconds=1)
    stage.show()
    front = front_of(stage)
    press(front, *reading)

    async def wait() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(front.work, lambda: None)
            with trio.fail_after(PATIENCE):
                while stage.position.turn == stage.me:
                    await stage.changes.wait()
            nursery.cancel_scope.cancel()

    trio.run(wait)
    assert stage.done == ["submit", "submit"]


def test_the_front_knows_how_far_its_window_lets_a_page_scroll() -> None:
    front = front_of(Stage("calm"))
    press(front, "o")
    top = front.picture(60, 16)
    press(front, "end", *["down"] * 9)
    end = front.picture(60, 16)
    press(front, "up")
    assert front.picture(60, 16) not in (top, end)
    press(front, "home")
    assert front.picture(60, 16) == top


def test_so_does_that_of_the_menu() -> None:
    around = Surroundings(known=tuple, browser=None, report=list)
    front = DoorFront(replace(opened("Carlo", "", LETTERS), page=Page.READ), around)
    top = front.picture(60, 16)
    for key in ("end", "down", "down"):
        front.key(key, 0.0)
    end = front.picture(60, 16)
    front.key("up", 0.0)
    assert front.picture(60, 16) not in (top, end)
    front.key("home", 0.0)
    assert front.picture(60, 16) == top
