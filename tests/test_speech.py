"""The language of the player: fields and cases, what other rooms say, switching, what stays as it is."""

import pytest

from tongits_lan.console.speech import LANGUAGES, Party, catalogue, speak, speaking, spoken, told, tr, trn
from tongits_lan.console.text import Voice, fill, say, sentence
from tongits_lan.game.moves import Discarded, Drew
from tongits_lan.game.refusals import NO_CALL, locked, not_your_turn
from tongits_lan.game.sentences import phrase
from tongits_lan.ledger.state import Played
from tongits_lan.store import settings

VOICE = Voice(("Ana", "Ben", "Carlo"), 2)
HOSTILE = Voice(("{0}", "{who:ang}", "%s {card}"), None)


def test_english_is_spoken_unless_another_language_is_asked_for() -> None:
    assert spoken() == "en"
    assert tr("Your turn.") == "Your turn."
    with speaking("fil"):
        assert spoken() == "fil"
        assert tr("Your turn.") == "Tira mo."
    assert tr("Your turn.") == "Your turn."


def test_a_language_that_there_is_not_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        speak("tlh")
    assert spoken() == "en"


def test_settings_know_every_language() -> None:
    assert tuple(LANGUAGES) == settings.LANGUAGES


@pytest.mark.parametrize(
    ("seat", "english", "filipino"),
    [(0, "Ana drew from the stock.", "Bumunot si Ana."), (2, "You drew from the stock.", "Bumunot ka.")],
)
def test_names_take_the_case_their_sentence_needs(seat: int, english: str, filipino: str) -> None:
    event = Played(seat, Drew(seat, 40))
    assert say(VOICE, event) == english
    with speaking("fil"):
        assert say(VOICE, event) == filipino


def test_names_cannot_be_templates() -> None:
    for language in LANGUAGES:
        with speaking(language):
            for seat, name in enumerate(HOSTILE.names):
                told_so = say(HOSTILE, Played(seat, Discarded(seat, 3, 9)))
                assert told_so is not None
                assert name in told_so
                assert name in fill(not_your_turn(seat), HOSTILE)


def test_what_another_room_says_is_said_part_by_part() -> None:
    reason = not_your_turn(0)
    assert sentence(reason, VOICE) == "It is not your turn: Ana moves now."
    assert sentence(not_your_turn(2), VOICE) == "It is not your turn: you moves now."
    lock = locked(1, 2, (0, 1, 2), "run", lasting=False)
    assert "Ben laid off AC 2C 3C on your run since your last turn" in sentence(lock, VOICE)
    with speaking("fil"):
        assert sentence(reason, VOICE) == "Hindi mo pa tira: tira ni Ana."
        said = sentence(lock, VOICE)
        assert "isinapaw ni Ben ang AC 2C 3C sa straight mo mula noong huli mong tira" in said
        assert fill(lock, VOICE).startswith(tr(NO_CALL))


def test_a_text_without_a_translation_is_said_as_it_is() -> None:
    with speaking("fil"):
        assert tr("no such sentence {x}", x=1) == "no such sentence 1"
        assert told("no such sentence {0}") == "no such sentence {0}"
        assert told(phrase("no {a}", a=phrase("set"))) == "no set"
        assert tr("") == ""


@pytest.mark.parametrize(("count", "text"), [(0, "0 cards"), (1, "1 card"), (12, "12 cards")])
def test_a_number_takes_its_form(count: int, text: str) -> None:
    assert trn("{count} card", "{count} cards", count) == text
    with speaking("fil"):
        assert trn("{count} card", "{count} cards", count) == f"{count} baraha"


@pytest.mark.parametrize("case", ["ang", "ng", "sa", "si"])
def test_every_party_has_every_case(case: str) -> None:
    you = Party("you", "Ana", "me").form(case)
    ana = Party("Ana", "Ana", "other").form(case)
    pot = Party("the pot", "", "pot").form(case)
    assert len({you, ana, pot}) == 3
    assert "Ana" in ana
    assert "Ana" not in you


def test_a_catalogue_is_read_once() -> None:
    assert catalogue("fil") is catalogue("fil")
