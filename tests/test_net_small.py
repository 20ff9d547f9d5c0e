"""The small parts of the network room: addresses, rosters, chat copies, the bridge, the door."""

import socket

import pytest
import trio

from tests.tables import PKS
from tongits_lan.errors import Exit, UserError
from tongits_lan.ledger.messages import Roster, RosterSeat
from tongits_lan.limits import ADDRESSES_PER_SEAT, PORT
from tongits_lan.net.addresses import AddressBook
from tongits_lan.net.events import Bridge, Herald, LinkNote
from tongits_lan.net.flood import BURST, Flood
from tongits_lan.net.transport import is_loopback, join_address, open_door, parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.20:1234", ("192.168.1.20", 1234)),
        ("192.168.1.20", ("192.168.1.20", PORT)),
        (" laptop.local:80 ", ("laptop.local", 80)),
        ("[::1]:15213", ("::1", 15213)),
        ("[::1]", ("::1", PORT)),
        ("fe80::1", ("fe80::1", PORT)),
    ],
)
def test_addresses_are_read(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address
    assert parse_address(join_address(*address)) == address


@pytest.mark.parametrize(
    "text",
    ["", ":1", "host:", "host:0", "host:65536", "host:x", "host:١", "a b:1", "[::1", "[::1]x", "\x1b:1"],
)
def test_what_is_no_address_is_told(text: str) -> None:
    with pytest.raises(UserError, match="no address") as caught:
        parse_address(text)
    assert caught.value.exit_code == Exit.USAGE
    assert caught.value.text.isprintable()


def test_loopback_is_known() -> None:
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert is_loopback("localhost")
    assert not is_loopback("192.168.1.5")


def roster(*rows: tuple[str, ...]) -> Roster:
    first, second, third = (RosterSeat(pk, row) for pk, row in zip(PKS, rows, strict=True))
    return Roster((first, second, third))


def test_a_seat_speaks_for_itself_and_hints_at_the_third() -> None:
    book = AddressBook(PKS, 0, {}, None)
    assert book.heard(1, roster(("bad:1",), ("ben:1",), ("carlo:1",)), {1})
    assert book.of(0) == ()  # nobody tells this seat where it is
    assert book.of(1) == ("ben:1",)
    assert book.of(2) == ("carlo:1",)
    assert not book.heard(1, roster((), ("ben:1",), ("carlo:1",)), {1})
    assert not book.heard(1, roster((), ("ben:1",), ("lie:1",)), {1, 2})  # it can speak for itself
    assert book.heard(2, roster((), ("lie:1",), ("carlo:2",)), {1, 2})
    assert book.of(2) == ("carlo:2", "carlo:1")
    assert book.of(1) == ("ben:1",)


def test_a_flood_of_addresses_does_not_push_out_the_own_word() -> None:
    book = AddressBook(PKS, 0, {}, None)
    book.heard(2, roster((), (), ("carlo:1",)), {2})
    for number in range(50):
        book.heard(1, roster((), (), (f"lie:{number + 1}", "no address at all:")), {1})
    assert book.of(2)[0] == "carlo:1"
    assert len(book.of(2)) == ADDRESSES_PER_SEAT


@pytest.mark.parametrize("count", [2, ADDRESSES_PER_SEAT])
def test_two_seats_do_not_pass_addresses_of_a_third_to_and_fro_for_ever(count: int) -> None:
    """Each kept other addresses of it, or the same in another order, and both speak at once."""
    known = tuple(f"carlo:{number}" for number in range(1, count + 1))
    others = known[::-1] if count == 2 else tuple(f"{address}0" for address in known)
    books = [AddressBook(PKS, 0, {PKS[2]: known}, None), AddressBook(PKS, 1, {PKS[2]: others}, None)]
    on_the_way = [[book.roster((f"own:{at + 1}",), on_loopback=True)] for at, book in enumerate(books)]
    rounds = 0
    while any(on_the_way):
        rounds += 1
        assert rounds < 5
        answers: list[list[Roster]] = [[], []]
        for sender, told in enumerate(on_the_way):
            at = 1 - sender
            for one in told:
                if books[at].heard(sender, one, {sender}):
                    answers[at].append(books[at].roster((f"own:{at + 1}",), on_loopback=True))
        on_the_way = answers
    assert all(len(book.of(2)) == count for book in books)


def test_hints_of_one_seat_are_bounded() -> None:
    book = AddressBook(PKS, 0, {}, None)
    told = [book.heard(1, roster((), (), (f"lie:{number + 1}",)), {1}) for number in range(200)]
    assert sum(told) == 64


def test_a_roster_of_strangers_changes_nothing() -> None:
    book = AddressBook(PKS, 0, {}, None)
    rows = (RosterSeat(bytes(32), ("x:1",)), RosterSeat(b"x" * 32, ("x:1",)), RosterSeat(b"y" * 32, ()))
    assert not book.heard(1, Roster(rows), {1})


def test_the_typed_address_is_tried_for_every_missing_seat() -> None:
    book = AddressBook(PKS, 2, {PKS[1]: ("ben:1",)}, "host:1")
    assert book.to_dial(0, ()) == ("host:1",)
    assert book.to_dial(1, ()) == ("ben:1", "host:1")
    book.heard(0, roster(("host:1",), (), ()), {0})
    assert book.to_dial(1, {0}) == ("ben:1",)  # the host has it, and is linked
    assert book.kept() == {PKS[0]: ("host:1",), PKS[1]: ("ben:1",)}


def test_loopback_addresses_stay_on_this_machine() -> None:
    book = AddressBook(PKS, 0, {PKS[1]: ("127.0.0.1:2", "10.0.0.2:2")}, None)
    own = ("10.0.0.1:1", "127.0.0.1:1")
    assert [row.addresses for row in book.roster(own, on_loopback=True).seats] == [
        own,
        ("127.0.0.1:2", "10.0.0.2:2"),
        (),
    ]
    assert [row.addresses for row in book.roster(own, on_loopback=False).seats] == [
        ("10.0.0.1:1",),
        ("10.0.0.2:2",),
        (),
    ]


def test_chat_that_comes_two_ways_is_shown_once() -> None:
    flood = Flood()
    flood.link_up(1)
    flood.link_up(2)
    assert flood.hears(1, 1, "hi")
    assert not flood.hears(2, 1, "hi")
    assert flood.hears(2, 1, "hi")  # said again, and the copy through seat 2 was faster
    assert not flood.hears(1, 1, "hi")
    assert flood.hears(1, 2, "hi")  # another speaker


def test_a_new_link_owes_no_old_copies() -> None:
    flood = Flood()
    flood.link_up(2)
    assert flood.hears(2, 1, "hi")
    flood.link_up(1)
    assert flood.hears(1, 1, "hi")
    assert not flood.hears(2, 1, "hi")


def test_the_counting_of_chat_is_bounded() -> None:
    flood = Flood()
    for number in range(5000):
        assert flood.hears(1, 1, f"line {number}")
    assert len(flood._shown) <= 512
    assert not flood.hears(2, 1, "line 4999")


def test_nobody_chats_faster_than_people_do() -> None:
    flood = Flood()
    passed = sum(flood.allows(1, 10.0) for _ in range(100))
    assert passed == int(BURST)
    assert not flood.allows(1, 10.1)
    assert flood.allows(1, 11.0)
    assert flood.allows(2, 10.0)


async def test_actions_reach_trio_from_anywhere() -> None:
    bridge = Bridge()
    done: list[str] = []
    bridge.soon(lambda: done.append("early"))
    assert done == []
    bridge.open()
    assert done == ["early"]
    bridge.soon(lambda: done.append("inside"))
    assert done == ["early", "inside"]
    arrived = trio.Event()
    await trio.to_thread.run_sync(lambda: bridge.soon(arrived.set))
    with trio.fail_after(5):
        await arrived.wait()


async def test_every_subscriber_hears_everything() -> None:
    herald = Herald()
    first, second = herald.subscribe(), herald.subscribe()
    herald.tell(LinkNote("one"))
    second.close()
    herald.tell(LinkNote("two"))
    herald.close()
    assert [event async for event in first] == [LinkNote("one"), LinkNote("two")]


async def test_waiting_for_a_change() -> None:
    herald = Herald()
    woken: list[int] = []

    async def wait() -> None:
        await herald.wait_changed()
        woken.append(1)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        assert woken == []
        herald.wake()
    assert woken == [1]


def test_a_port_asked_for_is_that_or_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(UserError, match=f"Port {port} is already in use") as caught:
            open_door("127.0.0.1", port)
        assert caught.value.exit_code == Exit.FAILED
    door = open_door("127.0.0.1", port)
    assert door.addresses() == (f"127.0.0.1:{port}",)
    door.close()


def test_without_a_port_the_next_free_one_is_taken() -> None:
    first = open_door("127.0.0.1", None)
    second = open_door("127.0.0.1", None, preferred=first.port)
    assert first.port != second.port
    first.close()
    third = open_door("127.0.0.1", None, preferred=first.port)
    assert third.port == first.port
    second.close()
    third.close()


def test_an_address_of_another_machine_cannot_be_listened_on() -> None:
    with pytest.raises(UserError, match="address of this machine") as caught:
        open_door("192.0.2.1", None)
    assert caught.value.exit_code == Exit.FAILED


def test_a_door_to_everywhere_names_real_addresses() -> None:
    door = open_door("0.0.0.0", 0)
    assert all("0.0.0.0" not in address for address in door.addresses())
    assert door.addresses()[-1] == f"127.0.0.1:{door.port}"
    door.close()


def test_a_door_may_listen_on_both_versions_of_ip() -> None:
    door = open_door("", 0)
    assert door.everywhere
    assert door.families in ((4, 6), (4,))  # a machine may have no IPv6
    with socket.create_connection(("127.0.0.1", door.port), timeout=5):
        assert f"127.0.0.1:{door.port}" in door.addresses()
    door.close()


def test_a_door_names_the_addresses_of_one_interface_only() -> None:
    door = open_door("0.0.0.0", 0, only="127.0.0.1")
    assert door.addresses() == (f"127.0.0.1:{door.port}",)
    gone = open_door("0.0.0.0", 0, only="nosuch0")
    assert gone.addresses() == (f"127.0.0.1:{gone.port}",)
    door.close()
    gone.close()
