"""Three programs on three computers of one small network, all of it inside the kernel: tables that find their
players, cables that are pulled, programs that are killed.

Run by `make e2e`, and as a part of `make test` where network namespaces are allowed.
"""

import json
import random
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.processes import PATIENCE, Line, Program, Table, table, tongits
from tests.lan import HOST, Lan
from tongits_lan.ledger.words import WORDS

pytestmark = pytest.mark.slow

NAMES = ("Ana", "Ben", "Carlo")
MISHEARD = f"10-{WORDS[0]}-{WORDS[0]}"
HAND_LINES = 60
"""Fewer than any program says from the beginning of a hand to its last discard, where nobody lays a meld."""


@dataclass
class Friends:
    """Ana, Ben and Carlo, each at an own computer; the programs play by themselves."""

    lan: Lan
    programs: Table
    three: list[Program]

    def cable(self, seat: int, state: str) -> None:
        """Pulls the cable of a computer ("down") or plugs it in again ("up")."""
        self.lan.ip("hub", f"link set h{seat}eth0 {state}")

    def apart(self, *seats: int) -> None:
        """These computers hear the others, but not each other, as on a guest network."""
        for seat in seats:
            port = ["bridge", "link", "set", "dev", f"h{seat}eth0", "isolated", "on"]
            subprocess.run(self.lan.command("hub", port), check=True, capture_output=True)

    def kill(self, seat: int) -> None:
        """kill -9, and the same command again."""
        self.three[seat].kill()
        self.three[seat] = self.programs.again(self.three[seat])

    def played(self, folder: Path) -> tuple[str, bool, int]:
        """They end by themselves, with one ledger: what is found when it is checked to the last proof (its
        status, whether it is closed, hands)."""
        codes = [program.end() for program in self.three]
        assert codes == [0, 0, 0], [program.stderr() for program in self.three]
        ledgers = [program.ledger() for program in self.three]
        assert len({path.read_bytes() for path in ledgers}) == 1
        report = json.loads(tongits(folder, "verify", "--proofs", "--json", str(ledgers[0])).stdout)
        return report["status"], report["closed"], report["hands"]


def meet(lan: Lan, programs: Table, address: str | None, *, hands: int = 1, auto: bool = True) -> Friends:
    """Ana hosts and says her code aloud; Ben and Carlo join at an address, or look for her table. They play
    by themselves unless the test answers for them."""
    playing = ["--auto"] if auto else []
    ana = programs.start("Ana", "host", *playing, "--hands", str(hands), on=lan.command("h0", []))
    spoken = programs.folder / "spoken"
    spoken.write_text(ana.wait_event("listening")["code"])
    words = ["join", *([] if address is None else [address]), *playing, "--code-file", str(spoken)]
    ben = programs.start("Ben", *words, on=lan.command("h1", []))
    ana.wait_for(has_two)  # so that he has seat 1
    carlo = programs.start("Carlo", *words, on=lan.command("h2", []))
    return Friends(lan, programs, [ana, ben, carlo])


def has_two(lines: Sequence[Line]) -> bool:
    """Whether a guest sits in the lobby."""
    return any(line["event"] == "lobby_changed" and len(line["seats"]) == 2 for line in lines)


def test_three_idle_programs_find_each_other_and_play(lan: Lan, tmp_path: Path) -> None:
    """No address is typed: with a second interface that leads nowhere and three netmasks."""
    with table(tmp_path) as programs:
        friends = meet(lan, programs, None)
        for program in friends.three:
            program.wait_event("hand_dealt")
        assert friends.played(tmp_path) == ("fair", True, 1)


def test_with_multicast_dropped_an_address_is_enough(lan: Lan, tmp_path: Path) -> None:
    """No announcement arrives anywhere, and IPv6 does not work either. Ben and Carlo have no way to each
    other but through Ana, for one netmask leaves the other out: she passes everything on."""
    for seat in range(3):
        lan.drop_multicast(f"h{seat}")
    with table(tmp_path) as programs:
        friends = meet(lan, programs, HOST, hands=3)  # time enough to tell how the others are reached
        friends.three[2].wait_for(is_reached_through_ana)
        assert friends.played(tmp_path) == ("fair", True, 3)


def is_reached_through_ana(lines: Sequence[Line]) -> bool:
    """Whether there is a link to Ana, and through her a way to the third."""
    ways = [line["how"] for line in lines if line["event"] == "link_changed"]
    return {"kind": "through", "via": 0} in ways and {"kind": "direct", "via": None} in ways


def test_who_mishears_the_code_or_cannot_reach_the_host_is_told(lan: Lan, tmp_path: Path) -> None:
    with table(tmp_path) as programs:
        Friends(lan, programs, []).apart(0, 2)
        ana = programs.start("Ana", "host", "--auto", on=lan.command("h0", []))
        ana.wait_event("listening")
        ben = programs.start("Ben", "join", HOST, "--auto", "--code", MISHEARD, on=lan.command("h1", []))
        carlo = programs.start("Carlo", "join", HOST, "--auto", "--code", MISHEARD, on=lan.command("h2", []))
        for guest, about in ((ben, "code"), (carlo, HOST)):
            assert guest.end() == 3
            said = guest.stderr()
            assert len(said.splitlines()) == 1, said
            assert about in said
        assert ana.process.poll() is None


def test_a_link_local_address_with_the_hosts_own_scope_leads_to_it(lan: Lan, tmp_path: Path) -> None:
    """As one computer writes it down, another cannot read it: there the interface has another name."""
    shown = subprocess.run(
        lan.command("h0", ["ip", "-j", "-6", "addr", "show", "dev", "eth0", "scope", "link"]),
        check=True,
        capture_output=True,
    )
    (own,) = (row["local"] for row in json.loads(shown.stdout)[0]["addr_info"])
    with table(tmp_path) as programs:
        ana = programs.start("Ana", "host", "--auto", on=lan.command("h0", []))
        addresses = ana.wait_event("listening")["addresses"]
        assert not any("%" in address for address in addresses)
        port = addresses[0].rpartition(":")[2]
        for scope in ("", "%en7"):
            where = f"[{own}{scope}]:{port}"
            ben = programs.start("Ben", "join", where, "--auto", "--code", MISHEARD, on=lan.command("h1", []))
            assert ben.end() == 3
            assert "That is not the join code" in ben.stderr()


@pytest.mark.parametrize("seat", [0, 2])
def test_a_cable_pulled_in_mid_hand(lan: Lan, tmp_path: Path, seat: int) -> None:
    """The two others see who is missing; plugged in again, the hand goes on where it was."""
    others = [other for other in range(3) if other != seat]
    with table(tmp_path) as programs:
        friends = meet(lan, programs, HOST)
        friends.three[seat].wait_event("discarded")
        friends.cable(seat, "down")
        for other in others:
            friends.three[other].wait_for(partial(is_away, seat=seat))
        ledgers = {friends.three[other].ledger().read_bytes() for other in others}
        assert len({data[: min(map(len, ledgers))] for data in ledgers}) == 1
        assert all(friends.three[other].process.poll() is None for other in others)
        friends.cable(seat, "up")
        assert friends.played(tmp_path) == ("fair", True, 1)


def is_away(lines: Sequence[Line], seat: int) -> bool:
    """Whether the last that was said of the way to that seat is that there is none."""
    ways = [line["how"]["kind"] for line in lines if line["event"] == "link_changed" and line["seat"] == seat]
    return ways[-1:] == ["away"]


def test_each_is_killed_once_at_a_random_moment_of_one_hand(lan: Lan, tmp_path: Path) -> None:
    """After so many lines of its own as chance says, in the deal or between two moves; the same command goes
    on there. The three only draw and discard, so the hand is long enough for all three moments."""
    seed = random.randrange(10**6)
    print(f"seed {seed}")  # shown with a failure
    rng = random.Random(seed)
    moments = {seat: rng.randrange(HAND_LINES) for seat in range(3)}
    with table(tmp_path) as programs:
        friends = meet(lan, programs, HOST, auto=False)
        end = time.monotonic() + PATIENCE
        while any(program.process.poll() is None for program in friends.three):
            assert time.monotonic() < end, [program.lines[-1] for program in friends.three]
            for seat, program in enumerate(friends.three):
                if seat in moments and len(since_the_hand_began(program)) > moments[seat]:
                    del moments[seat]
                    assert "hand_settled" not in [line["event"] for line in program.lines]
                    friends.kill(seat)
                else:
                    program.answer(draw_and_discard)
            time.sleep(0.01)
        assert moments == {}
        assert friends.played(tmp_path) == ("fair", True, 1)


def since_the_hand_began(program: Program) -> list[Line]:
    """What it has said of the first hand; nothing before that."""
    lines = list(program.lines)
    began = [at for at, line in enumerate(lines) if line["event"] == "hand_began"]
    return lines[began[0] :] if began else []


def draw_and_discard(choices: Sequence[Line]) -> int:
    """The number of the plainest move; else of what leads on, and at the end out."""
    kinds = [choice.get("move", choice["does"]) for choice in choices]
    wanted = ("draw", "discard", "ready", "confirm_words", "go_on", "accept", "choose", "quit")
    known = [kind for kind in wanted if kind in kinds]
    assert known, f"nothing that the test knows in {choices}"
    return 1 + kinds.index(known[0])


@pytest.mark.parametrize("announced", [True, False], ids=["announced", "multicast dropped"])
def test_a_seat_is_found_again_at_another_address(lan: Lan, tmp_path: Path, announced: bool) -> None:
    """Carlo's program is killed, his computer gets another address, and the host's is gone too for a while:
    he finds Ben by the table's tag and his own key, or by the address he had, and the hand goes on."""
    if not announced:
        for seat in range(3):
            lan.drop_multicast(f"h{seat}")
    with table(tmp_path) as programs:
        friends = meet(lan, programs, None if announced else HOST)
        friends.three[2].wait_event("discarded")
        friends.three[2].kill()
        lan.ip("h2", "addr del 10.5.0.3/24 dev eth0", "addr add 10.5.2.77/16 dev eth0")
        friends.three[0].kill()
        friends.three[2] = programs.again(friends.three[2])
        friends.three[2].wait_for(partial(is_direct, seat=1))
        friends.three[0] = programs.again(friends.three[0])
        assert friends.played(tmp_path) == ("fair", True, 1)


def is_direct(lines: Sequence[Line], seat: int) -> bool:
    """Whether there is a link to that seat."""
    ways = [line["how"]["kind"] for line in lines if line["event"] == "link_changed" and line["seat"] == seat]
    return ways[-1:] == ["direct"]
