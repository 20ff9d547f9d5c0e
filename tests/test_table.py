"""What a player can do at a table, and what the table does by itself."""

import pytest

from tests.circle import CHAIN, Circle, height_of, recorded, resumed, writer_of
from tongits_lan.errors import Refused
from tongits_lan.game.moves import Discard, Draw
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.effects import Loaded, RejectedByPeer
from tongits_lan.ledger.files import ledger_bytes, parse_file
from tongits_lan.ledger.messages import Entries, Get, Reject
from tongits_lan.ledger.state import HandForfeited, HandSettled, TableClosed
from tongits_lan.ledger.table import AppendEntry, EraseSecrets, SaveSecret
from tongits_lan.ledger.verify import verify


def kinds(circle: Circle, seat: int = 0) -> list[str]:
    return [parse_entry(raw).body_value[0] for raw in circle.shelves[seat].entries]


def test_calm_match_is_level_and_fair() -> None:
    circle = Circle("calm", verdicts={})
    circle.play_hand()
    circle.play_hand()
    circle.leave()
    circle.assert_level()
    views = [circle.view(seat) for seat in range(3)]
    assert all(view.closed and view.level and view.stopped is None for view in views)
    assert views[0].match == views[1].match == views[2].match
    data = ledger_bytes(circle.cast.descriptor.raw, circle.shelves[1].entries)
    report = verify(parse_file(data), proofs=True)
    assert (report.status, len(report.records), report.closed) == ("fair", 2, True)
    assert report.chips == views[0].match.chips


def test_calm_match_repeats_nothing() -> None:
    circle = Circle("calm", verdicts={})
    circle.play_hand()
    asked = [message.first for _, _, message in circle.sent if isinstance(message, Get)]
    assert not any(asked)  # height 0 was written before there were links
    for one, other in ((0, 1), (1, 2), (2, 0)):
        heights = [
            height
            for source, to, message in circle.sent
            if (source, to) == (one, other) and isinstance(message, Entries)
            for height, _ in enumerate(message.entries, message.first)
        ]
        assert len(heights) == len(set(heights))


def test_events_of_the_ledger_are_the_same_at_every_seat() -> None:
    circle = recorded()
    settled = [[e for e in events if isinstance(e, HandSettled)] for events in circle.events]
    assert settled[0] == settled[1] == settled[2]
    assert len(settled[0]) == 1


def test_every_secret_is_stored_before_it_is_used() -> None:
    circle = Circle("order", verdicts={})
    table = circle.tables[1]
    stored: list[object] = []
    while "ready" not in kinds(circle, 1):
        effects = table.take()
        stored += effects.store
        circle.shelves[1].apply(effects.store)
        for to, message in effects.send:
            circle.tables[to].receive(1, message, circle.now)
        for job in effects.jobs:
            table.finish(job, job(), circle.now)
        circle.collect(0)
        circle.collect(2)
        for source in (0, 2):
            while circle.deliver(source, 2 - source) or circle.deliver(source, 1):
                pass
    own = [
        op if isinstance(op, SaveSecret) else parse_entry(op.raw).body_value[0]
        for op in stored
        if isinstance(op, SaveSecret) or (isinstance(op, AppendEntry) and parse_entry(op.raw).seat == 1)
    ]
    seeds = [op for op in own if isinstance(op, SaveSecret)]
    assert len(seeds) == 3
    assert own.index(seeds[0]) < own.index("commit")
    assert seeds[1].secret.shuffle_input is not None
    assert own.index(seeds[1]) < own.index("shuffle")
    assert seeds[2].secret.lock_input is not None
    assert own.index(seeds[2]) < own.index("lock")


def test_seeds_of_a_settled_hand_are_erased() -> None:
    circle = recorded()
    at = height_of("next")
    assert circle.secrets[0][at - 1]
    assert circle.secrets[0][at] == ()


def test_first_commit_waits_for_the_words() -> None:
    circle = Circle("words", waits_for_words=True, verdicts={})
    circle.settle()
    assert kinds(circle) == ["sit"] * 3 + ["open"] * 3
    view = circle.view(0)
    assert view.words is not None
    assert view.can_confirm_words
    assert len({circle.view(seat).words for seat in range(3)}) == 1
    dealer = view.dealer
    assert dealer is not None
    for seat in range(3):
        if seat != dealer:
            circle.tables[seat].confirm_words(circle.now)
    circle.settle()
    assert len(kinds(circle)) == 6
    circle.tables[dealer].confirm_words(circle.now)
    circle.settle()
    assert circle.view(0).phase == "play"
    circle.restart(dealer)
    circle.pass_time(6)
    assert circle.view(dealer).words_confirmed


def test_nobody_is_missed_while_the_words_are_read() -> None:
    """Reading aloud takes people longer than a program may be silent; but one who is gone is missed."""
    circle = Circle("reading", waits_for_words=True, verdicts={})
    circle.settle()
    dealer = circle.view(0).dealer
    assert dealer is not None
    others = [seat for seat in range(3) if seat != dealer]
    circle.pass_time(120)
    assert [circle.view(seat).awaited_since for seat in others] == [None, None]
    circle.kill(dealer)
    circle.pass_time(10)
    assert all(circle.view(seat).awaited_since is not None for seat in others)


def test_words_cannot_be_confirmed_before_there_are_any() -> None:
    circle = Circle("no words", links=(), waits_for_words=True)
    with pytest.raises(Refused, match="no table words yet"):
        circle.tables[0].confirm_words(circle.now)


def test_move_out_of_turn_is_refused_and_nothing_leaves() -> None:
    circle = resumed(height_of("draw"))
    circle.settle()
    before = circle.view(0)
    assert before.due is not None
    other = (before.due.seat + 1) % 3
    with pytest.raises(Refused, match=rf"not your turn: \{{{before.due.seat}\}}"):
        circle.tables[other].submit(Draw(), circle.now)
    assert not circle.tables[other].take()


def test_illegal_move_is_refused_with_the_rule() -> None:
    height = height_of("discard")
    circle = resumed(height)
    circle.settle()
    seat = writer_of(height)
    view = circle.view(seat)
    assert not any(isinstance(move, Draw) for move in view.legal)
    with pytest.raises(Refused):
        circle.tables[seat].submit(Draw(), circle.now)
    slot = next(iter(view.faces))
    with pytest.raises(Refused):
        circle.tables[seat].submit(Discard((slot, (view.faces[slot] + 1) % 52)), circle.now)
    assert not circle.tables[seat].take()
    circle.assert_level()


def test_no_moves_are_offered_to_a_seat_that_is_not_due() -> None:
    circle = resumed(height_of("draw"))
    circle.settle()
    due = circle.view(0).due
    assert due is not None
    for seat in range(3):
        assert bool(circle.view(seat).legal) == (seat == due.seat)


@pytest.mark.parametrize("kind", ["commit", "shuffle", "prove", "deal", "draw", "discard", "key"])
def test_giving_up_now_or_when_the_turn_comes(kind: str) -> None:
    circle = resumed(height_of(kind))
    writer = writer_of(height_of(kind))
    seat = (writer + 1) % 3
    for table in circle.tables:
        table.view(circle.now)
    circle.tables[seat].give_up(circle.now)
    circle.until(lambda view: view.phase == "settle")
    circle.assert_level()
    record = circle.view(0).record
    assert record is not None
    assert record.forfeited_by == seat
    assert record.faces is None
    assert not any(shelf.secrets for shelf in circle.shelves)
    assert all(isinstance(e, HandForfeited) for e in circle.events[0] if hasattr(e, "record"))


def test_hand_cannot_be_given_up_after_its_last_card() -> None:
    circle = resumed(height_of("end"), links=())
    for seat in range(3):
        assert not circle.view(seat).can_give_up
        with pytest.raises(Refused, match="last card"):
            circle.tables[seat].give_up(circle.now)


def test_result_is_confirmed_only_when_asked() -> None:
    circle = resumed(height_of("next"))
    circle.settle()
    assert circle.view(0).phase == "settle"
    assert all(circle.view(seat).can_go_on and circle.view(seat).can_leave for seat in range(3))
    first = writer_of(height_of("next"))
    last = (first + 2) % 3
    circle.tables[last].go_on(circle.now)
    circle.settle()
    assert circle.view(0).height == height_of("next")
    assert not circle.view(last).can_go_on
    with pytest.raises(Refused, match="have confirmed"):
        circle.tables[last].go_on(circle.now)
    circle.tables[first].go_on(circle.now)
    circle.settle()
    assert circle.view(last).height == height_of("next") + 1
    circle.tables[(first + 1) % 3].leave(circle.now)
    circle.settle()
    assert all(circle.view(seat).closed for seat in range(3))
    closed = [event for event in circle.events[last] if isinstance(event, TableClosed)]
    assert [event.seat for event in closed] == [(first + 1) % 3]
    assert sum(circle.view(0).match.chips) == 0


def test_nothing_to_confirm_in_mid_hand() -> None:
    circle = resumed(height_of("draw"))
    circle.settle()
    for act in (circle.tables[0].go_on, circle.tables[0].leave):
        with pytest.raises(Refused, match="not over yet"):
            act(circle.now)


def test_closed_table_refuses_everything() -> None:
    circle = resumed(height_of("next"))
    circle.settle()
    circle.leave()
    table = circle.tables[0]
    for act in (table.go_on, table.leave, table.give_up, table.confirm_words):
        with pytest.raises(Refused, match="closed"):
            act(circle.now)
    assert table.next_deadline() is not None


def test_chain_of_links_plays_and_names_the_way() -> None:
    circle = Circle("chain", links=CHAIN, verdicts={})
    circle.play_hand()
    circle.assert_level()
    assert [(r.kind, r.via) for r in circle.view(0).links] == [("me", None), ("direct", None), ("through", 1)]
    assert circle.view(2).links[0].via == 1
    circle.cut(1, 2)
    circle.settle()
    assert circle.view(0).links[2].kind == "away"


def test_table_from_the_store_signs_only_after_comparing() -> None:
    height = height_of("commit")
    circle = resumed(height, links=())
    circle.pass_time(30)
    assert all(len(shelf.entries) == height for shelf in circle.shelves)
    one, other, third = (writer_of(height) + step for step in (0, 1, 2))
    circle.join(one % 3, other % 3)
    circle.settle()
    assert len(circle.shelves[one % 3].entries) == height
    circle.pass_time(4.9)
    assert len(circle.shelves[one % 3].entries) == height
    circle.pass_time(0.2)
    assert len(circle.shelves[one % 3].entries) > height
    assert len(circle.shelves[third % 3].entries) == height
    assert [e for e in circle.events[one % 3] if isinstance(e, Loaded)] == [Loaded(height)]


def test_table_from_the_store_goes_on_at_once_when_both_others_agree() -> None:
    circle = resumed(height_of("shuffle"))
    circle.settle()
    assert circle.now == 100.0
    assert circle.view(0).phase == "play"


def test_old_secrets_are_erased_on_start() -> None:
    circle = recorded()
    seat, end = 1, height_of("next")
    stale = circle.shelf(seat, end)
    assert not stale.secrets
    stale.secrets = circle.shelf(seat, end - 1).secrets
    mates = [circle.shelf(other, end) for other in range(3)]
    mates[seat] = stale
    again = Circle("stale", cast=circle.cast, shelves=mates, links=())
    assert EraseSecrets(1) in again.tables[seat].take().store


def test_message_of_a_seat_without_a_link_is_dropped() -> None:
    circle = resumed(height_of("draw"), links=())
    circle.settle()
    circle.tables[0].receive(1, Get(0), circle.now)
    assert not circle.tables[0].take()


def test_reject_is_shown_cleaned_and_changes_nothing() -> None:
    circle = resumed(height_of("draw"))
    circle.settle()
    before = circle.view(0).head
    circle.tables[0].receive(1, Reject(3, "chain", "no\x1b[31m such entry"), circle.now)
    assert circle.tables[0].take().events == (RejectedByPeer(1, "chain", "no[31m such entry"),)
    assert circle.view(0).head == before


def test_move_before_comparing_is_refused() -> None:
    height = height_of("draw")
    circle = resumed(height, links=())
    with pytest.raises(Refused, match="being compared"):
        circle.tables[writer_of(height)].submit(Draw(), circle.now)


def test_move_while_nobody_may_choose_is_refused() -> None:
    height = height_of("next")
    circle = resumed(height)
    circle.settle()
    with pytest.raises(Refused, match="no move to make"):
        circle.tables[writer_of(height)].submit(Draw(), circle.now)
