"""Every way to cheat with an entry, tried by a modified client against two honest programs."""

from pathlib import Path

import pytest

from tests.cheats import CHEATS, Cheat
from tests.hostile.stage import rejected, stage
from tests.make_ledgers import standing
from tests.scripted import Script
from tongits_lan.errors import PeerFault
from tongits_lan.ledger.accept import accept
from tongits_lan.ledger.chain import parse_entry
from tongits_lan.ledger.state import Phase

CONVICTING = [way for way in CHEATS if way.convicts]
OTHERS = [way for way in CHEATS if not way.convicts]


def fault_of(script: Script, raw: bytes) -> PeerFault:
    """How that entry is refused."""
    with pytest.raises(PeerFault) as caught:
        accept(script.state, raw, script.judge)
    return caught.value


@pytest.mark.parametrize("way", CONVICTING, ids=lambda way: way.name)
async def test_both_stop_and_can_prove_why(tmp_path: Path, way: Cheat) -> None:
    script = standing(way.phase)
    raw = way.make(script)
    bad = fault_of(script, raw).seat
    assert bad is not None
    async with stage(tmp_path, script, bad) as scene:
        own = script.entries[scene.height :]
        if parse_entry(raw).seat == bad:
            await scene.show(*own, raw)
        else:  # the entry of an honest seat that brings it to light: it writes that itself
            await scene.wires()
        await scene.convicted(way.code, way.text)


@pytest.mark.parametrize("way", OTHERS, ids=lambda way: way.name)
async def test_bytes_that_prove_nothing_cost_the_link_only(tmp_path: Path, way: Cheat) -> None:
    script = standing(way.phase)
    raw = way.make(script)
    async with stage(tmp_path, script, script.writer()) as scene:
        wire = await scene.show(*script.entries[scene.height :], raw)
        reason = await wire.gone()
        assert "nobody signed" in reason
        assert rejected(wire) == [way.code]
        scene.goes_on()
        scene.nothing_moved()
        script.until(Phase.LOCK)
        await scene.show(*script.entries[scene.height : scene.height + 1])
        await scene.reach(scene.height + 1)
        scene.goes_on()
