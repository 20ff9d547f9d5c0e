"""Events as JSON objects: names, cards as texts, and that every event there is can be told."""

import json
from typing import get_args

import pytest

from tests.scripted import Script
from tongits_lan.cli.as_json import event_object, snake
from tongits_lan.game import moves
from tongits_lan.ledger import effects
from tongits_lan.ledger.effects import Reach, Stop
from tongits_lan.ledger.state import LedgerEvent, Played


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        (Played(1, moves.Discarded(1, 5, 0)), {"event": "discarded", "seat": 1, "slot": 5, "card": "AC"}),
        (
            Played(0, moves.Melded(0, 2, ((3, 53), (4, 1), (9, 2)), (0,))),
            {"event": "melded", "seat": 0, "meld": 2, "slots": [3, 4, 9], "cards": ["X2", "2C", "3C"],
             "wild": ["AC"]},
        ),
        (moves.Draw(), {"event": "draw"}),
        (
            effects.Awaited(2, ("draw", "take"), 1.5),
            {"event": "awaited", "seat": 2, "kinds": ["draw", "take"], "since": 1.5},
        ),
        (
            effects.LinkChanged(0, Reach("through", 2)),
            {"event": "link_changed", "seat": 0, "how": {"kind": "through", "via": 2}},
        ),
    ],
)  # fmt: skip
def test_events_have_their_fields(event: object, shown: dict[str, object]) -> None:
    assert event_object(event) == shown


def test_a_fault_is_told_with_its_code() -> None:
    from tongits_lan.errors import Code

    shown = event_object(effects.Stopped(Stop(Code.PROOF, "x", 1, 2, 30)))
    assert shown == {"event": "stopped", "code": "proof", "text": "x", "seat": 1, "hand": 2, "height": 30}


def test_all_that_a_whole_match_tells_is_json() -> None:
    script = Script("as json")
    script.play_hand()
    script.next_hand()
    script.play_hand()
    script.leave()
    told = [json.loads(json.dumps(event_object(event))) for event in script.events]
    kinds = {line["event"] for line in told}
    unseen = {snake(kind.__name__) for kind in get_args(LedgerEvent)} - kinds - {"played", "hand_forfeited"}
    assert unseen == set()
    settled = [line for line in told if line["event"] == "hand_settled"]
    assert [line["hand"] for line in settled] == [1, 2]
    assert len(settled[0]["faces"]) == 52
    assert sum(settled[1]["chips"]) + settled[1]["pot"] == 0
    assert told[-1]["event"] == "table_closed"
    assert told[-1]["pot"] == 0
