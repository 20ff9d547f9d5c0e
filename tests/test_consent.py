"""Which yes of a guest counts: through other people, other rules, a lost link and a killed program."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.sessions import config
from tests.tables import NONCES, PKS
from tongits_lan.game.rules import PRESETS, Rules
from tongits_lan.ledger.chain import nonce_commitment, rules_digest
from tongits_lan.ledger.messages import SetReady
from tongits_lan.net.base import Base, identity_of, open_base
from tongits_lan.net.consent import Consent
from tongits_lan.net.lobby import Lobby, Place

PAGAT, JOKER = PRESETS["pagat"], PRESETS["joker"]
HOST = PKS[0]
TAG = b"table A."
YES, NO = SetReady(rules_digest(PAGAT)), SetReady(None)


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Base]:
    made = config(tmp_path, "Ben")
    opened = open_base(made, identity_of(made), None)
    yield opened
    opened.close()


def promised(base: Base) -> Consent:
    consent = Consent(base)
    consent.promise_to(HOST, TAG)
    return consent


def lobby(base: Base, rules: Rules = PAGAT, *others: int, ready: bool = False, here: bool = True) -> Lobby:
    places = [Place(PKS[seat], f"P{seat}", None, True) for seat in (0, *others)]
    mine = [Place(base.identity.pk, "Ben", None, ready)] if here else []
    return Lobby(rules, (*places, *mine))


def test_each_link_gets_a_fresh_promise_kept_on_disk(base: Base) -> None:
    consent = Consent(base)
    first, second = consent.promise_to(HOST, TAG), consent.promise_to(HOST, TAG)
    assert first != second
    kept, agreed = Consent(base).promised()
    assert kept is not None
    assert second == nonce_commitment(base.identity.pk, kept.nonce)
    assert (kept.host_pk, agreed) == (HOST, None)
    assert kept.nonce not in NONCES


def test_a_yes_names_the_rules_and_is_kept(base: Base) -> None:
    consent = promised(base)
    assert not consent.holds_with(HOST)
    assert consent.table is None
    assert consent.say(True, lobby(base)) == YES
    _, agreed = Consent(base).promised()
    assert agreed is not None
    assert agreed.rules == PAGAT
    for kept in (consent, Consent(base)):  # another one is a program that was started again
        assert kept.holds_with(HOST)
        assert not kept.holds_with(PKS[2])
        assert kept.table == TAG


def test_other_people_leave_a_yes_as_it_is_and_it_is_for_them_then(base: Base) -> None:
    consent = promised(base)
    consent.say(True, lobby(base))
    assert consent.hear(lobby(base, PAGAT, 1, ready=True)) is None
    _, agreed = consent.promised()
    assert agreed is not None
    assert agreed.keys() == lobby(base, PAGAT, 1).keys()


def test_a_key_that_comes_back_under_another_name_is_agreed_to_by_that(base: Base) -> None:
    consent = promised(base)
    consent.say(True, lobby(base, PAGAT, 1))
    ana, other, mine = lobby(base, PAGAT, 1, ready=True).places
    later = Lobby(PAGAT, (ana, replace(other, name="Zoe"), mine))
    assert consent.hear(later) is None
    _, agreed = Consent(base).promised()
    assert agreed is not None
    assert agreed.people() == later.people()


def test_other_rules_take_it_back_until_it_is_said_again(base: Base) -> None:
    consent = promised(base)
    consent.say(True, lobby(base))
    assert consent.hear(lobby(base, JOKER)) == NO
    assert consent.taken_back
    assert consent.hear(lobby(base, JOKER)) is None
    assert consent.taken_back
    _, agreed = consent.promised()
    assert agreed is None
    assert consent.say(True, lobby(base, JOKER)) == SetReady(rules_digest(JOKER))
    assert not consent.taken_back


def test_one_taken_back_counts_until_the_host_is_known_to_have_heard_it(base: Base) -> None:
    """A table that was on its way is the one agreed to; one that begins later is not."""
    consent = promised(base)
    consent.say(True, lobby(base))
    assert consent.say(False, lobby(base)) == NO
    assert consent.hear(lobby(base, ready=True)) is None
    assert consent.promised()[1] is not None
    consent.hear(lobby(base))
    assert consent.promised()[1] is None
    assert Consent(base).promised()[1] is None


def test_after_a_lost_link_the_host_is_told_again(base: Base) -> None:
    consent = promised(base)
    consent.say(True, lobby(base))
    consent.promise_to(HOST, TAG)
    assert consent.hear(lobby(base, here=False)) is None, "it has no seat yet"
    assert consent.hear(lobby(base)) == YES
    assert consent.hear(lobby(base, ready=True)) is None
    consent.promise_to(HOST, TAG)
    assert consent.hear(lobby(base, JOKER, here=False)) == NO, "the host came back with other rules"
