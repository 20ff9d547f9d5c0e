"""Interfaces and addresses: what is offered to others first, and what of theirs is dialled first."""

import errno
import sys
from ipaddress import ip_interface

import pytest

from tongits_lan.errors import Exit, UserError
from tongits_lan.net import probes
from tongits_lan.net.causes import Cause, causes, firewall_steps, nothing_found, permission_missing
from tongits_lan.net.interfaces import (
    Interface,
    Kind,
    in_order,
    interfaces,
    make_interface,
    own_hosts,
    told_hosts,
    usable,
    ways_to,
)


def interface(name: str, *addresses: str, index: int = 2) -> Interface:
    return make_interface(name, index, [ip_interface(address) for address in addresses])


WIFI = interface("wlan0", "fe80::9/64", "2001:db8::9/64", "192.168.1.9/24")
VPN = interface("tun0", "10.8.0.2/24", index=3)
DOCKER = interface("docker0", "172.17.0.1/16", index=4)
LO = interface("lo", "127.0.0.1/8", "::1/128", index=1)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("eth0", Kind.LAN),
        ("enp0s31f6", Kind.LAN),
        ("wlp2s0", Kind.LAN),
        ("en0", Kind.LAN),
        ("Wi-Fi", Kind.LAN),
        ("wg0", Kind.VPN),
        ("utun3", Kind.VPN),
        ("TAP-Windows Adapter V9", Kind.VPN),
        ("tailscale0", Kind.VPN),
        ("br-1f2e3d", Kind.VIRTUAL),
        ("vEthernet (WSL)", Kind.VIRTUAL),
        ("awdl0", Kind.VIRTUAL),
    ],
)
def test_the_name_tells_what_an_interface_is_for(name: str, kind: Kind) -> None:
    assert interface(name, "192.168.7.1/24").kind is kind


def test_loopback_is_told_by_its_addresses() -> None:
    assert LO.kind is Kind.LOOPBACK


def test_N1_the_address_people_need_comes_first_and_a_vpn_after_it() -> None:
    assert own_hosts((LO, DOCKER, VPN, WIFI)) == (
        "192.168.1.9",
        "2001:db8::9",
        f"fe80::9%{WIFI.scope}",
        "10.8.0.2",
        "172.17.0.1",
    )
    assert own_hosts((WIFI, VPN), v6=False) == ("192.168.1.9", "10.8.0.2")
    assert own_hosts((WIFI,), v4=False) == ("2001:db8::9", f"fe80::9%{WIFI.scope}")


def test_what_others_are_told_has_no_scope_of_this_machine() -> None:
    assert told_hosts((LO, DOCKER, VPN, WIFI)) == ("192.168.1.9", "2001:db8::9", "10.8.0.2", "172.17.0.1")
    cable = interface("eth0", "fe80::5/64", index=5)
    assert told_hosts((LO, cable, DOCKER)) == ("fe80::5", "172.17.0.1")  # all there is on the cable
    assert told_hosts((LO, interface("eth1", "fe80::6/64", "10.0.0.6/8")), v4=False) == ("fe80::6",)
    assert told_hosts((LO,)) == ("127.0.0.1", "::1")


def test_a_scope_that_another_machine_knows_is_none() -> None:
    cable = interface("eth0", "fe80::5/64", index=5)
    known = (LO, WIFI, cable)
    each = tuple(f"fe80::1%{one.scope}" for one in (WIFI, cable))
    assert ways_to("fe80::1%en7", known) == ways_to("fe80::1", known) == each
    for own in ("fe80::1%eth0", "fe80::1%5", "fe80::1%lo"):
        assert ways_to(own, known) == (own,)
    for other in ("192.168.1.20", "2001:db8::1", "ana.local"):
        assert ways_to(other, known) == (other,)
    assert ways_to("fe80::1%en7", (LO,)) == ("fe80::1%lo",)  # nothing else is there to try
    assert ways_to("fe80::1%en7", ()) == ("fe80::1%en7",)


def test_loopback_is_offered_when_there_is_nothing_else() -> None:
    assert usable((LO, WIFI)) == (WIFI,)
    assert own_hosts((LO,)) == ("127.0.0.1", "::1")


def test_no_more_than_two_ipv6_addresses_of_an_interface_are_offered() -> None:
    many = interface("eth0", *(f"2001:db8::{number}/64" for number in range(1, 9)))
    assert len(own_hosts((many,))) == 2


def test_N11_a_link_local_address_without_a_scope_is_tried_on_each_interface() -> None:
    other = interface("eth1", "fe80::7/64", index=7)
    ordered = in_order(["fe80::1", "fe80::2%4", "192.168.1.20"], (WIFI, other, DOCKER))
    assert ordered == ("192.168.1.20", f"fe80::1%{WIFI.scope}", f"fe80::1%{other.scope}", "fe80::2%4")


def test_addresses_in_a_network_of_this_machine_come_first() -> None:
    assert in_order(["10.1.1.1", "2001:db8::5", "192.168.1.20"], (WIFI,)) == (
        "192.168.1.20",
        "2001:db8::5",
        "10.1.1.1",
    )


def test_a_strangers_word_sends_nobody_into_the_internet() -> None:
    assert in_order(["8.8.8.8", "2606:4700::1111", "172.16.0.9"], (WIFI,)) == ("172.16.0.9",)
    campus = interface("eth0", "131.130.1.9/24")
    assert in_order(["131.130.1.20", "131.130.2.20"], (campus,)) == ("131.130.1.20",)


def test_what_is_no_address_is_left_out() -> None:
    assert in_order(["", "ana.example", "0.0.0.0", "::", "224.0.0.1", "1.2.3.4.5"], (WIFI,)) == ()


def test_this_machine_has_loopback_at_least() -> None:
    found = interfaces()
    assert found[-1].kind is Kind.LOOPBACK
    assert interfaces("127.0.0.1")[0].kind is Kind.LOOPBACK


def test_an_interface_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(UserError) as refused:
        interfaces("nosuch0")
    assert refused.value.exit_code is Exit.USAGE
    assert "'nosuch0'" in refused.value.text
    assert interfaces()[-1].name in refused.value.text


def test_N6_the_causes_come_in_order_and_name_what_is_known() -> None:
    named = causes((WIFI, VPN))
    assert [cause.name for cause in named] == ["isolation", "vpn", "firewall"]
    assert "tun0 is on here" in named[1].what
    assert all(isinstance(cause, Cause) and str(cause).endswith((".", "`.")) for cause in named)
    lines = nothing_found((WIFI,))
    assert [line[:2] for line in lines[1:4]] == ["1.", "2.", "3."]
    assert "192.168.1.20:15213" in lines[-1]


def test_N4_N5_windows_is_told_of_the_rule_that_blocks_and_which_python() -> None:
    text = " ".join(firewall_steps("win32", python=r"C:\pipx\venvs\tongits\python.exe"))
    assert r"C:\pipx\venvs\tongits\python.exe" in text
    assert "delete the rules for python.exe that block" in text
    assert "Private" in text


@pytest.mark.parametrize(
    ("name", "has", "has_not"),
    [
        ("ufw", "sudo ufw allow 15300/tcp", "firewall-cmd"),
        ("firewalld", "firewall-cmd --add-port=15300/tcp", "ufw"),
        (None, "sudo ufw allow 15300/tcp", "Private"),
    ],
)
def test_linux_is_told_the_line_for_its_firewall(name: str | None, has: str, has_not: str) -> None:
    text = " ".join(firewall_steps("linux", port=15300, name=name))
    assert has in text
    assert has_not not in text


def no_route() -> OSError:
    return OSError(errno.EHOSTUNREACH, "No route to host")


def test_N9_no_route_on_macos_is_told_as_the_permission_it_is() -> None:
    summed = OSError("all attempts to connect failed")
    summed.__cause__ = ExceptionGroup("tries", [ConnectionRefusedError(), no_route()])
    for error in (no_route(), summed):
        text = permission_missing(error, system="darwin")
        assert text is not None
        assert "System Settings > Privacy & Security > Local Network" in text
    assert permission_missing(no_route(), system="linux") is None
    assert permission_missing(ConnectionRefusedError(), system="darwin") is None
    assert permission_missing(None, system="darwin") is None


def test_the_trials_of_this_machine_tell_the_truth() -> None:
    port = probes.free_port("127.0.0.1", None)
    assert probes.free_port("127.0.0.1", port) == port
    assert probes.unanswered(["127.0.0.1", "192.0.2.77"]) == ("192.0.2.77",)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no multicast over its loopback address")
def test_multicast_comes_back_on_loopback() -> None:
    assert probes.multicast_returns()
