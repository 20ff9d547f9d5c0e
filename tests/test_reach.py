"""Which way leads to which seat."""

from tongits_lan.ledger.effects import LinkChanged, Outbox, Reach, TableEvent, TableMessage
from tongits_lan.ledger.messages import Presence
from tongits_lan.ledger.reach import AWAY, LEFT, Links


def taken(box: Outbox) -> tuple[list[tuple[int, TableMessage]], list[TableEvent]]:
    effects = box.take()
    return list(effects.send), list(effects.events)


def test_direct_and_through() -> None:
    box = Outbox()
    links = Links(0, box)
    assert [links.reach(seat) for seat in range(3)] == [Reach("me"), AWAY, AWAY]
    links.link_up(1)
    sent, events = taken(box)
    assert sent == [(1, Presence(0, "here")), (1, Presence(2, "away"))]
    assert events == [LinkChanged(1, Reach("direct"))]
    links.heard(1, Presence(2, "here"))
    assert taken(box)[1] == [LinkChanged(2, Reach("through", 1))]
    links.link_up(2)
    assert taken(box)[1] == [LinkChanged(2, Reach("direct"))]
    links.link_down(2)
    assert taken(box)[1] == [LinkChanged(2, Reach("through", 1))]
    links.link_down(1)
    assert taken(box)[1] == [LinkChanged(1, AWAY), LinkChanged(2, AWAY)]


def test_third_seat_hears_of_links_of_this_one() -> None:
    box = Outbox()
    links = Links(1, box)
    links.link_up(0)
    box.take()
    links.link_up(2)
    sent, _ = taken(box)
    assert (0, Presence(2, "here")) in sent
    assert (2, Presence(0, "here")) in sent
    links.link_down(2)
    assert taken(box)[0] == [(0, Presence(2, "away"))]


def test_repeated_presence_changes_nothing() -> None:
    box = Outbox()
    links = Links(0, box)
    links.link_up(1)
    links.heard(1, Presence(2, "here"))
    box.take()
    links.heard(1, Presence(2, "here"))
    links.heard(1, Presence(1, "here"))
    links.heard(1, Presence(0, "away"))
    assert not box.take()


def test_quit_travels_through_this_seat() -> None:
    box = Outbox()
    links = Links(1, box)
    links.link_up(0)
    links.link_up(2)
    box.take()
    links.heard(2, Presence(2, "quit"))
    assert taken(box)[0] == [(0, Presence(2, "quit"))]
    links.quit()
    assert taken(box)[0] == [(0, Presence(1, "quit")), (2, Presence(1, "quit"))]


def test_only_the_relay_itself_takes_its_word_back() -> None:
    box = Outbox()
    links = Links(0, box)
    links.link_up(1)
    links.link_up(2)
    links.heard(1, Presence(2, "here"))
    links.link_down(2)
    assert links.reach(2) == Reach("through", 1)
    links.heard(1, Presence(2, "away"))
    assert links.reach(2) == AWAY


def test_who_closed_the_program_is_told_from_who_was_cut_off() -> None:
    box = Outbox()
    links = Links(0, box)
    links.link_up(1)
    links.link_up(2)
    links.heard(2, Presence(2, "quit"))
    links.link_down(2)
    assert links.reach(2) == LEFT
    links.heard(1, Presence(2, "here"))
    links.heard(1, Presence(2, "away"))
    assert links.reach(2) == AWAY, "it was back and then lost"
    links.heard(1, Presence(2, "quit"))
    assert links.reach(2) == LEFT, "the third seat passed it on"
    links.link_up(2)
    links.link_down(2)
    assert links.reach(2) == AWAY
