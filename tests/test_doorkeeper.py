"""Who is let into a lobby: by room, by code, by who was asked to leave."""

from tests.tables import NONCES, PKS
from tongits_lan.errors import UserError
from tongits_lan.game.rules import PRESETS
from tongits_lan.ledger.chain import nonce_commitment
from tongits_lan.limits import LOBBY_LINKS
from tongits_lan.net.config import Summons
from tongits_lan.net.doorkeeper import Doorkeeper
from tongits_lan.net.helpers import Helpers
from tongits_lan.net.join_code import TRIES, Gate
from tongits_lan.net.lobby import Lobby, Place

SUMMONS = Summons(PKS[0], 15213, frozenset(), "Mang Berto")


class Bot:
    """A bot that is only called."""

    name = "Mang Berto"
    pk = PKS[2]

    async def play(self) -> None:
        raise AssertionError("nothing runs here")

    def close(self) -> None:
        """Holds nothing."""


def sitting(*seats: int) -> Lobby:
    places = [Place(PKS[s], f"P{s}", None, False, nonce_commitment(PKS[s], NONCES[s])) for s in seats]
    return Lobby(PRESETS["pagat"], tuple(places))


def fails(error: UserError) -> None:
    raise error


def keeper(gate: Gate | None = None, invited: frozenset[bytes] = frozenset()) -> tuple[Doorkeeper, Helpers]:
    helpers = Helpers(lambda _: Bot(), fails)
    return Doorkeeper("Ana", gate, invited, helpers), helpers


def code_of(answer: tuple[str, str] | None) -> str | None:
    return None if answer is None else answer[0]


def test_a_place_kept_for_a_bot_is_nobody_elses() -> None:
    door, helpers = keeper()
    stranger = bytes(32)
    assert door.admit(stranger, sitting(0, 1), ()) is None
    helpers.call_in(SUMMONS)
    assert code_of(door.admit(stranger, sitting(0, 1), ())) == "full"
    assert door.admit(Bot.pk, sitting(0, 1), ()) is None
    assert door.taken(sitting(0, 1)) == 3
    assert door.taken(sitting(0, 1, 2)) == 3, "the bot in its place counts once"
    assert door.admit(PKS[1], sitting(0, 1, 2), ()) is None, "who sits there comes back"
    helpers.send_away(Bot.pk)
    assert door.admit(stranger, sitting(0, 1), ()) is None


def test_who_was_asked_to_leave_stays_out() -> None:
    door, _ = keeper()
    door.banish(PKS[1])
    assert code_of(door.admit(PKS[1], sitting(0), ())) == "stranger"
    assert door.admit(PKS[2], sitting(0), ()) is None


def test_a_crowd_waits() -> None:
    door, _ = keeper()
    crowd = [bytes([number]) * 32 for number in range(LOBBY_LINKS)]
    assert code_of(door.admit(bytes(32), sitting(0), crowd)) == "busy"
    assert door.admit(bytes(32), sitting(0), crowd[1:]) is None


def test_the_code_is_asked_of_strangers_alone() -> None:
    gate = Gate(lambda count: bytes(count), lambda _: None, clock=lambda: 0.0)
    door, helpers = keeper(gate, frozenset({PKS[1]}))
    helpers.call_in(SUMMONS)
    here = [b"h" * 32]
    assert door.gate_for(bytes(32), here) is gate
    for pk in (PKS[1], Bot.pk, here[0]):
        assert door.gate_for(pk, here) is None
    for _ in range(TRIES):
        gate.begin().ended(well=False)
    assert code_of(door.admit(bytes(32), sitting(0), here)) == "busy"
    assert door.admit(PKS[1], sitting(0), here) is None
