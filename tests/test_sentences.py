"""Texts that remember their template: the English they say, and what another language begins with."""

import copy
import json
import pickle

import msgspec
import pytest

from tongits_lan.errors import Code, Fault, PeerFault
from tongits_lan.game.payments import Line
from tongits_lan.game.sentences import Phrase, chips, counted, mark, phrase, said


def test_a_phrase_is_the_text_it_says() -> None:
    told = phrase("{who} pays {chips}", who="Ana", chips=chips(2))
    assert told == "Ana pays 2 chips"
    assert told in {"Ana pays 2 chips"}
    assert told.template == "{who} pays {chips}"
    assert dict(told.fields) == {"who": "Ana", "chips": "2 chips"}


@pytest.mark.parametrize(("count", "text"), [(0, "0 chips"), (1, "1 chip"), (2, "2 chips")])
def test_a_count_takes_its_form(count: int, text: str) -> None:
    assert chips(count) == text
    assert counted(count, "one", "{count} of them") == ("one" if count == 1 else f"{count} of them")


def test_what_is_put_in_is_not_read_as_a_template() -> None:
    assert phrase("{a} and {b}", a="{b}", b="{0} {c}") == "{b} and {0} {c}"


def test_places_of_names_stay_in_the_text() -> None:
    assert phrase("{0} takes {count} from {2}", count=3) == "{0} takes 3 from {2}"


def test_a_field_that_is_missing_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        phrase("{who} pays")


@pytest.mark.parametrize("made", [phrase("plain"), chips(7), phrase("{a}!", a=counted(2, "x", "{count} y"))])
def test_a_phrase_survives_a_copy_and_another_process(made: Phrase) -> None:
    for twin in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made)):
        assert twin == made
        assert twin.template == made.template
        assert twin.fields == made.fields


def test_a_line_keeps_its_reason_and_is_written_as_text() -> None:
    line = Line(0, 1, 2, counted(2, "ace", "{count} aces"))
    assert isinstance(line.reason, Phrase)
    assert json.loads(json.dumps(msgspec.structs.asdict(line)))["reason"] == "2 aces"


def test_a_sentence_of_a_phrase_keeps_it() -> None:
    whole = phrase("The base is {chips}.", chips=chips(1))
    assert said(whole, "base").text is whole
    made = said("The base is {chips}.", "base", chips=chips(1))
    assert made.text == "The base is 1 chip."
    assert made.options == ("base",)
    assert isinstance(made.text, Phrase)


def test_a_mark_changes_nothing() -> None:
    assert mark("as it is {x}") == "as it is {x}"


def test_a_fault_holds_the_bare_text_for_the_wire() -> None:
    for fault in (Fault(Code.RULES, chips(2)), PeerFault(Code.RULES, chips(2), seat=0, height=1)):
        assert type(fault.text) is str
        assert fault.text == "2 chips"
