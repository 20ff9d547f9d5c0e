"""The network of the tests that have one."""

from collections.abc import Iterator

import pytest

from tests.lan import Lan, why_not

HOST = "10.5.0.1"


@pytest.fixture
def lan() -> Iterator[Lan]:
    """Three computers. Ana's, h0, has a second interface with the default route, and it leads nowhere; the
    three have different ideas of how large their network is."""
    reason = why_not()
    if reason is not None:
        pytest.skip(reason)
    with Lan(3) as lan:
        lan.ip("h0", f"addr add {HOST}/16 dev eth0")
        lan.ip("h1", "addr add 10.5.3.2/22 dev eth0")
        lan.ip("h2", "addr add 10.5.0.3/24 dev eth0")
        lan.ip("hub", "link add nowhere type bridge", "link set nowhere up")
        lan.cable("h0", "vpn0", bridge="nowhere")
        lan.ip("h0", "addr add 10.99.0.1/24 dev vpn0", "route add default via 10.99.0.2 dev vpn0 metric 1")
        yield lan
