"""Chat at a table: whose word it is, and over which link it counts."""

from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from tongits_lan.ledger.messages import Chat, Message
from tongits_lan.net.events import ChatHeard, Herald
from tongits_lan.net.talk import OWN_WORD_SECONDS, Talk


@dataclass
class Links:
    """The links that are up, and what was posted on them."""

    up: tuple[int, ...]
    posted: list[tuple[int, Message]] = field(default_factory=list)

    def linked(self) -> tuple[int, ...]:
        return self.up

    def post(self, seat: int, message: Message) -> None:
        self.posted.append((seat, message))


@dataclass
class Scene:
    """Seat 0 hears; what it puts off is done when the test says so."""

    links: Links
    put_off: list[tuple[float, Callable[[], None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.herald = Herald()
        self._events = self.herald.subscribe()
        self.talk = Talk(0, self.links, self.herald, lambda: 0.0, lambda wait, act: self.wait(wait, act))

    def wait(self, seconds: float, act: Callable[[], None]) -> None:
        self.put_off.append((seconds, act))

    def a_moment_later(self) -> None:
        for seconds, act in self.put_off:
            assert seconds == OWN_WORD_SECONDS
            act()
        self.put_off.clear()

    def shown(self) -> list[ChatHeard]:
        heard: list[ChatHeard] = []
        while True:
            try:
                event = self._events.receive_nowait()
            except trio.WouldBlock:
                return heard
            assert isinstance(event, ChatHeard)
            heard.append(event)


async def test_the_speakers_own_word_comes_before_the_copy_of_another() -> None:
    scene = Scene(Links((1, 2)))
    scene.talk.hear(2, Chat(1, "hello"))
    assert scene.shown() == []
    scene.talk.hear(1, Chat(1, "hello"))
    assert scene.shown() == [ChatHeard(1, "hello", None)]
    scene.a_moment_later()
    assert scene.shown() == []


async def test_what_the_speakers_link_does_not_bring_is_shown_as_heard_through_another() -> None:
    """The link that looks up here may be dead at its other end."""
    scene = Scene(Links((1, 2)))
    scene.talk.hear(2, Chat(1, "hello"))
    scene.a_moment_later()
    assert scene.shown() == [ChatHeard(1, "hello", 2)]
    scene.talk.hear(1, Chat(1, "hello"))  # after all
    assert scene.shown() == []


async def test_without_a_link_to_the_speaker_nothing_is_waited_for() -> None:
    scene = Scene(Links((2,)))
    scene.talk.hear(2, Chat(1, "hello"))
    assert scene.shown() == [ChatHeard(1, "hello", 2)]
    assert scene.links.posted == []


async def test_a_word_said_twice_is_shown_twice_whichever_way_it_comes_first() -> None:
    scene = Scene(Links((1, 2)))
    for channel in (2, 1, 1, 2):
        scene.talk.hear(channel, Chat(1, "gg"))
    scene.a_moment_later()
    assert scene.shown() == [ChatHeard(1, "gg", None)] * 2
