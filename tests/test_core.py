"""What follows at one seat from crashes, lost files, faults and absence."""

import functools

import pytest

from tests.circle import Circle, Recording, height_of, recorded, resumed, writer_of
from tongits_lan.deck.shuffle import join
from tongits_lan.errors import Code, Fault, Refused
from tongits_lan.game.moves import Draw
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.chain import parse_entry, sign_entry
from tongits_lan.ledger.effects import Awaited, GraceOver, Returned, SecretsLost
from tongits_lan.ledger.files import parse_file
from tongits_lan.ledger.messages import (
    Body,
    EndHand,
    Entries,
    ForfeitHand,
    Have,
    Presence,
    Prove,
    Reject,
    ShuffleDeck,
)
from tongits_lan.ledger.private import HandSecret
from tongits_lan.ledger.verify import verify

KINDS = (
    "sit",
    "open",
    "commit",
    "shuffle",
    "lock",
    "prove",
    "ready",
    "deal",
    "draw",
    "key",
    "discard",
    "end",
    "reveal",
)


def signed_by(circle: Circle, height: int, seat: int, body: Body) -> bytes:
    """An entry that follows the first `height` entries of seat 0 of that circle."""
    entries = recorded().shelves[0].entries
    entry = parse_entry(entries[height]) if height < len(entries) else None
    prev = circle.view(0).head if entry is None else entry.prev
    return sign_entry(circle.cast.keys[seat], circle.cast.descriptor.table_id, seat, height, prev, body)


@pytest.mark.parametrize("kind", KINDS)
def test_kill_between_store_and_send(kind: str) -> None:
    height = height_of(kind)
    seat = writer_of(height)
    circle = resumed(height)
    circle.doomed = seat
    circle.settle()
    for _ in range(2):  # a move needs its player
        if circle.doomed is not None:
            circle.step()
            circle.settle()
    stored = circle.shelves[seat].entries[height]
    others = [other for other in range(3) if other != seat]
    assert all(len(circle.shelves[other].entries) == height for other in others)
    circle.restart(seat)
    circle.settle()
    circle.pass_time(6)
    assert all(circle.shelves[other].entries[height] == stored for other in others)
    assert circle.view(0).height > height
    circle.assert_level()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lost", [1, 4])
def test_what_a_disk_forgot_is_taken_back(kind: str, lost: int) -> None:
    height = height_of(kind) + 1
    record = recorded()
    seat = writer_of(height - 1)
    shelves = [record.shelf(other, height) for other in range(3)]
    del shelves[seat].entries[-lost:]
    circle = Circle("forgetful", cast=record.cast, shelves=shelves, verdicts=record.verdicts)
    circle.settle()
    circle.assert_level()
    assert circle.shelves[seat].entries[:height] == record.shelves[0].entries[:height]
    assert circle.view(0).stopped is None
    assert not any(isinstance(event, SecretsLost) for event in circle.events[seat])


def with_secret(height: int, seat: int, secret: HandSecret | None) -> Circle:
    """A recorded table where one seat's stored secret is another one."""
    record = recorded()
    shelves = [record.shelf(other, height) for other in range(3)]
    shelves[seat].secrets = {} if secret is None else {secret.hand_no: secret}
    return Circle("secrets", cast=record.cast, shelves=shelves, verdicts=record.verdicts)


def test_wrong_seed_signs_nothing_more_in_the_hand() -> None:
    height = height_of("lock")
    seat = writer_of(height)
    circle = with_secret(height, seat, HandSecret(1, bytes(32), bytes(32)))
    circle.pass_time(10)
    assert len(circle.shelves[0].entries) == height
    assert [event.hand for event in circle.events[seat] if isinstance(event, SecretsLost)] == [1]
    assert circle.view(seat).secrets_lost
    assert not circle.view(seat).can_give_up
    with pytest.raises(Refused, match="secrets"):
        circle.tables[seat].give_up(circle.now)
    circle.settle()
    assert len(circle.shelves[0].entries) == height


@pytest.mark.parametrize("kind", ["shuffle", "lock"])
def test_seed_used_on_another_deck_signs_nothing_more_in_the_hand(kind: str) -> None:
    height = height_of(kind)
    seat = writer_of(height)
    kept = recorded().shelf(seat, height).secrets[1]
    wrong = (
        HandSecret(1, kept.seed, bytes(32))
        if kind == "shuffle"
        else HandSecret(1, kept.seed, kept.shuffle_input, bytes(32))
    )
    circle = with_secret(height, seat, wrong)
    circle.pass_time(10)
    assert len(circle.shelves[0].entries) == height
    assert circle.view(seat).secrets_lost


def test_lost_seed_can_only_give_up() -> None:
    height = height_of("discard")
    seat = writer_of(height)
    circle = with_secret(height, seat, None)
    circle.pass_time(10)
    assert circle.view(seat).secrets_lost
    assert not circle.view(seat).legal
    assert set(circle.view(seat).faces) == set(circle.view((seat + 1) % 3).faces) - own(
        circle, (seat + 1) % 3
    )
    with pytest.raises(Refused, match="secrets"):
        circle.tables[seat].submit(Draw(), circle.now)
    circle.tables[seat].give_up(circle.now)
    circle.settle()
    circle.assert_level()
    assert circle.view(0).phase == "settle"


def own(circle: Circle, seat: int) -> set[int]:
    position = circle.view(seat).position
    assert position is not None
    return set(position.hands[seat])


def test_false_proof_stops_the_table_and_names_the_seat() -> None:
    height = height_of("prove")
    seat = writer_of(height)
    circle = resumed(height)
    circle.puppet(seat)
    good = parse_entry(recorded().shelves[0].entries[height]).body_value
    proof = bytes(good[2])
    bad = Prove(good[1], proof[:-32] + proof[-64:-32])
    honest = [other for other in range(3) if other != seat]
    circle.say(seat, honest[0], Entries(height, (signed_by(circle, height, seat, bad),)))
    circle.settle()
    for other in honest:
        stop = circle.view(other).stopped
        assert stop is not None
        assert (stop.code, stop.seat, stop.height, stop.hand) == (Code.PROOF, seat, height, 1)
        evidence = circle.shelves[other].evidence
        assert evidence is not None
        report = verify(parse_file(evidence), proofs=True)
        assert report.fault is not None
        assert (report.fault.code, report.fault.seat) == (Code.PROOF, seat)
        assert len(circle.shelves[other].entries) == height
        assert not circle.view(other).legal
        with pytest.raises(Refused, match="stopped"):
            circle.tables[other].give_up(circle.now)


def test_table_stays_stopped_after_a_restart() -> None:
    height = height_of("draw")
    seat = writer_of(height)
    circle = resumed(height)
    liar = (seat + 1) % 3
    circle.puppet(liar)
    circle.say(liar, seat, Entries(height, (signed_by(circle, height, liar, ForfeitHand()),)))
    circle.settle()
    before = circle.view(seat).stopped
    assert before is not None
    assert (before.code, before.seat) == (Code.WRITER, liar)
    circle.restart(seat)
    circle.pass_time(10)
    assert circle.view(seat).stopped == before
    assert len(circle.shelves[seat].entries) == height


def test_fork_on_the_shelf_stops_again() -> None:
    circle, honest, seat, height = forked()
    before = circle.view(honest).stopped
    circle.restart(honest)
    assert circle.view(honest).stopped == before
    assert before is not None
    assert (before.code, before.seat, before.height) == (Code.FORK, seat, height)


def test_evidence_of_another_table_is_refused() -> None:
    circle, honest, _, _ = forked()
    evidence = circle.shelves[honest].evidence
    stranger = Circle("stranger", links=())
    stranger.shelves[0].evidence = evidence
    with pytest.raises(Fault, match="not an evidence file of this table"):
        stranger.make(0, loaded=True)


def forked() -> tuple[Circle, int, int, int]:
    """A table where one seat signed two entries for a height: (circle, honest seat, liar, height)."""
    height = height_of("discard")
    seat = writer_of(height)
    honest = (seat + 1) % 3
    circle = resumed(height + 1)
    circle.puppet(seat)
    circle.say(seat, honest, Entries(height, (signed_by(circle, height, seat, ForfeitHand()),)))
    circle.settle()
    return circle, honest, seat, height


def test_outcome_of_a_fork_is_taken_where_the_chains_part() -> None:
    record = recorded()
    height = height_of("reveal") + 1
    seat = writer_of(height)
    end = height_of("next")
    circle = resumed(end)
    circle.puppet(seat)
    honest = (seat + 1) % 3
    assert circle.view(honest).match.chips != (0, 0, 0)
    other = sign_entry(
        circle.cast.keys[seat],
        circle.cast.descriptor.table_id,
        seat,
        height,
        parse_entry(record.shelves[0].entries[height]).prev,
        ForfeitHand(),
    )
    circle.say(seat, honest, Entries(height, (other,)))
    circle.settle()
    view = circle.view(honest)
    assert view.stopped is not None
    assert view.stopped.code is Code.FORK
    assert view.match.chips == (0, 0, 0)
    assert view.height == end


def test_stopped_table_still_answers_what_it_holds() -> None:
    circle, honest, seat, height = forked()
    third = 3 - honest - seat
    told = circle.view(third).stopped
    assert told is not None, "who holds the same entry is shown the other one"
    assert (told.code, told.seat, told.height) == (Code.FORK, seat, height)
    sent = [m for source, to, m in circle.sent if (source, to) == (honest, third) and isinstance(m, Entries)]
    assert any(message.first == height for message in sent)
    circle.say(seat, honest, Have(height, bytes(32)))
    assert not circle.tables[honest].take()


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("behind", [0, 4])
@pytest.mark.parametrize("way", ["entry", "fork", "fork below"])
def test_seat_that_links_later_is_shown_the_proof(way: str, behind: int, restarted: bool) -> None:
    """It was away when the liar was convicted; whoever convicted it may have been restarted meanwhile."""
    height = height_of("discard")
    liar = writer_of(height)
    honest, late = (liar + 1) % 3, (liar + 2) % 3
    circle = resumed(height if way == "entry" else height + 1)
    circle.kill(late)
    circle.puppet(liar)
    del circle.shelves[late].entries[height + 1 - behind :]
    match way:
        case "entry":
            shown = (height, signed_by(circle, height, liar, EndHand()))
        case "fork":
            shown = (height, signed_by(circle, height, liar, ForfeitHand()))
        case _:
            shown = (height + 1, after_another_beginning(circle, height + 1, liar))
    circle.say(liar, honest, Entries(shown[0], (shown[1],)))
    circle.settle()
    before = circle.view(honest).stopped
    assert before is not None
    assert circle.tables[honest].uninformed == (late,)
    if restarted:
        circle.restart(honest, links=())
    circle.restart(late, links=(honest,))
    circle.settle()
    circle.pass_time(5)
    assert circle.view(late).stopped == circle.view(honest).stopped == before
    assert circle.view(late).match == circle.view(honest).match
    assert circle.shelves[late].evidence == circle.shelves[honest].evidence
    assert circle.tables[honest].uninformed == circle.tables[late].uninformed == ()


def after_another_beginning(circle: Circle, height: int, seat: int) -> bytes:
    """An entry of that height, signed as if the ones before were others."""
    return sign_entry(
        circle.cast.keys[seat], circle.cast.descriptor.table_id, seat, height, bytes(32), ForfeitHand()
    )


def test_liar_who_forks_play_is_found_by_both() -> None:
    """Two different entries for one height, one to each of the others."""
    height = height_of("discard")
    seat = writer_of(height)
    one, other = ((seat + step) % 3 for step in (1, 2))
    circle = resumed(height)
    circle.settle()
    circle.puppet(seat)
    real = recorded().shelves[0].entries[height]
    circle.say(seat, one, Entries(height, (real,)))
    circle.say(seat, other, Entries(height, (signed_by(circle, height, seat, ForfeitHand()),)))
    circle.settle()
    for honest in (one, other):
        stop = circle.view(honest).stopped
        assert stop is not None
        assert (stop.code, stop.seat, stop.height) == (Code.FORK, seat, height)
        evidence = circle.shelves[honest].evidence
        assert evidence is not None
        report = verify(parse_file(evidence), proofs=False)
        assert report.fault is not None
        assert (report.fault.code, report.fault.seat) == (Code.FORK, seat)


def test_liar_who_forks_the_shuffle_gets_no_key() -> None:
    height = height_of("shuffle")
    seat = writer_of(height)
    one, other = ((seat + step) % 3 for step in (1, 2))
    circle = resumed(height)
    circle.puppet(seat)
    circle.say(seat, one, Entries(height, (recorded().shelves[0].entries[height],)))
    circle.say(seat, other, Entries(height, (signed_by(circle, height, seat, ForfeitHand()),)))
    circle.settle()
    for honest in (one, other):
        assert circle.view(honest).stopped is not None
        bodies = [parse_entry(raw).body_value[0] for raw in circle.shelves[honest].entries]
        assert "deal" not in bodies


def test_fork_by_another_shuffle_of_the_same_seat() -> None:
    """Chains that parted several entries ago are followed down to where they part."""
    height = height_of("shuffle")
    seat = writer_of(height)
    one, other = ((seat + step) % 3 for step in (1, 2))
    twin = another_chain()
    circle = resumed(height + 3)
    circle.kill(seat)
    circle.cut(one, other)
    shelf = circle.shelves[other]
    shelf.entries[height:] = [twin]
    circle.restart(other, links=(one,))
    circle.settle()
    circle.pass_time(10)
    for honest in (one, other):
        stop = circle.view(honest).stopped
        assert stop is not None
        assert (stop.code, stop.seat, stop.height) == (Code.FORK, seat, height)


@functools.cache
def another_chain() -> bytes:
    """A second, sound shuffle of the seat that shuffles first."""
    height = height_of("shuffle")
    seat = writer_of(height)
    record = recorded()
    body = parse_entry(record.shelves[0].entries[height]).body_value
    deck = bytes(body[1])
    swapped = join([deck[32:64], deck[:32], *(deck[at : at + 32] for at in range(64, len(deck), 32))])
    prev = parse_entry(record.shelves[0].entries[height]).prev
    cast = record.cast
    return sign_entry(cast.keys[seat], cast.descriptor.table_id, seat, height, prev, ShuffleDeck(swapped))


def test_refused_entry_is_told_to_its_sender() -> None:
    height = height_of("draw")
    seat = writer_of(height)
    circle = resumed(height)
    circle.puppet((seat + 1) % 3)
    circle.say(
        (seat + 1) % 3,
        seat,
        Entries(height, (signed_by(circle, height, (seat + 1) % 3, ForfeitHand()),)),
    )
    circle.settle()
    told = [m for source, _, m in circle.sent if source == seat and isinstance(m, Reject)]
    assert [(m.height, m.code) for m in told] == [(height, "writer")]


def test_absent_writer_is_missed_asked_about_and_returns() -> None:
    height = height_of("draw")
    seat = writer_of(height)
    watcher = (seat + 1) % 3
    circle = resumed(height)
    circle.settle()
    circle.kill(seat)
    circle.settle()
    began = circle.now
    circle.pass_time(5)
    missed = [event for event in circle.events[watcher] if isinstance(event, Awaited)]
    assert [(event.seat, event.since) for event in missed] == [(seat, began)]
    assert circle.view(watcher).awaited_since == began
    assert not circle.view(watcher).grace_over
    grace = PRESETS["pagat"].grace_seconds
    circle.pass_time(grace)
    assert circle.view(watcher).grace_over
    circle.tables[watcher].wait(circle.now)
    assert not circle.view(watcher).grace_over
    circle.pass_time(grace + 1)
    assert [event.seat for event in circle.events[watcher] if isinstance(event, GraceOver)] == [seat, seat]
    assert len(circle.shelves[watcher].entries) == height
    circle.restart(seat)
    circle.settle()
    assert [event.seat for event in circle.events[watcher] if isinstance(event, Returned)] == [seat]
    assert circle.view(watcher).awaited_since is None
    circle.play_hand()
    circle.assert_level()


def test_thinking_player_is_not_missed() -> None:
    circle = resumed(height_of("draw"))
    circle.settle()
    circle.pass_time(300)
    assert not any(isinstance(event, Awaited) for events in circle.events for event in events)


def test_quit_is_told_through_the_third_seat() -> None:
    circle = Circle("quit", links=((0, 1), (1, 2)), verdicts={})
    circle.settle()
    assert circle.view(0).links[2].kind == "through"
    circle.tables[2].quit(circle.now)
    circle.settle()
    assert circle.view(0).links[2].kind == "away"
    assert (1, 0, Presence(2, "quit")) in circle.sent


def test_last_reveal_that_only_its_writer_has() -> None:
    """The hand is pending for the others until it is back, and then settled for all."""
    height = height_of("reveal") + 2
    seat = writer_of(height)
    circle = resumed(height)
    circle.doomed = seat
    circle.settle()
    circle.pass_time(100)
    others = [other for other in range(3) if other != seat]
    assert all(circle.view(other).phase == "reveal" for other in others)
    assert all(circle.view(other).records_count == 0 for other in others)
    assert all(circle.shelves[other].secrets for other in others)
    circle.restart(seat)
    circle.settle()
    assert all(circle.view(other).records_count == 1 for other in range(3))
    circle.assert_level()
    assert not any(shelf.secrets for shelf in circle.shelves)


def test_recording_gives_the_same_bytes_again() -> None:
    again = Recording("recorded")
    again.until(lambda view: view.height >= height_of("draw"))
    most = min(len(again.shelves[0].entries), 40)
    assert again.shelves[0].entries[:most] == recorded().shelves[0].entries[:most]
