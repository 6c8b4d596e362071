"""What ``tide serve`` says when it is open."""

from pathlib import Path
from types import SimpleNamespace
from typing import Literal, cast

import asyncssh
import pytest

from server.runtime import banner
from server.runtime.banner import join_lines, places_of, way_in
from server.settings.settings import Settings
from server.transport.net.sockets import Listening
from server.transport.ssh.server import HostKey


def listening(addresses: list[str], port: int) -> Listening:
    """That listens there, as far as anybody is told."""
    return cast(Listening, SimpleNamespace(addresses=addresses, port=port))


OWN = ["192.168.1.20", "2001:db8::3"]


@pytest.fixture(autouse=True)
def _machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(banner, "own_addresses", lambda: OWN)
    monkeypatch.delenv("container", raising=False)


def test_everywhere_is_every_address_and_this_machine() -> None:
    assert places_of("*", ["0.0.0.0", "::"]) == [*OWN, "localhost"]
    assert places_of("*", ["0.0.0.0"]) == ["192.168.1.20", "localhost"]
    assert places_of("0.0.0.0", ["0.0.0.0"]) == ["192.168.1.20", "localhost"]
    assert places_of("localhost", ["127.0.0.1", "::1"]) == ["localhost"]
    assert places_of("::1", ["::1"]) == ["::1"]
    assert places_of("tide.example", ["203.0.113.5"]) == ["203.0.113.5"]


def test_all_that_players_type() -> None:
    key = asyncssh.generate_private_key("ssh-ed25519", comment="turn-the-tide")
    said = join_lines(
        settings=Settings(host="*"),
        ssh=listening(["0.0.0.0", "::"], 2222),
        telnet=listening(["0.0.0.0"], 2323),
        key=HostKey(key, Path("/keys/key"), made=True),
        lan="tide-box.local",
    )
    public = key.export_public_key("openssh").decode().split()[1]
    assert said == [
        "Turn the Tide is open. To join, type:",
        "",
        "    ssh -p 2222 192.168.1.20",
        "    ssh -p 2222 2001:db8::3",
        "    ssh -p 2222 localhost",
        "    ssh -p 2222 tide-box.local    (where names in .local work)",
        "",
        "or, where this program is installed:",
        "",
        "    tide join",
        "",
        "or, on a trusted network (telnet is not encrypted):",
        "",
        "    telnet 192.168.1.20 2323",
        "    telnet localhost 2323",
        "",
        f"Host key: 256 {key.get_fingerprint()} turn-the-tide (ED25519)",
        "For known_hosts:",
        f"    [192.168.1.20]:2222 ssh-ed25519 {public}",
        "It is new, and stored in /keys/key.",
        "Ctrl-C stops the server.",
    ]


@pytest.mark.parametrize(
    ("address", "typed", "known_host"),
    [
        ("tide.example", "-p 2222 tide.example", "[tide.example]:2222"),
        ("tide.example:22", "tide.example", "tide.example"),
        ("[2001:db8::1]:2200", "-p 2200 2001:db8::1", "[2001:db8::1]:2200"),
    ],
)
def test_where_players_type_another_address_it_comes_first(
    address: str, typed: str, known_host: str
) -> None:
    settings, ssh = Settings(public_address=address, proxies="10.0.0.2"), listening(["::"], 2222)
    assert way_in(settings, ssh) == typed
    key = HostKey(asyncssh.generate_private_key("ssh-ed25519"), Path("/keys/key"), made=False)
    said = join_lines(settings, ssh, None, key)
    assert said[2:5] == [
        f"    ssh {typed}",
        "    ssh -p 2222 2001:db8::3",
        "    ssh -p 2222 localhost",
    ]
    assert any(line.startswith(f"    {known_host} ssh-ed25519 ") for line in said)


def test_what_players_type_is_unknown_behind_a_load_balancer_or_in_a_container(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ssh = listening(["0.0.0.0"], 2222)
    assert way_in(Settings(), ssh) == "-p 2222 192.168.1.20"
    assert way_in(Settings(proxies="10.0.0.2"), ssh) == ""
    monkeypatch.setenv("container", "podman")
    assert way_in(Settings(), ssh) == ""
    assert way_in(Settings(public_address="tide.example:22"), ssh) == "tide.example"


def test_who_may_come_in_is_said_unless_everybody_may() -> None:
    key = HostKey(asyncssh.generate_private_key("ssh-ed25519"), Path("/keys/key"), made=False)
    way = listening(["127.0.0.1"], 2222)
    asked: tuple[Literal["password", "keys"], ...] = ("password", "keys")
    by_password, by_key = (
        "\n".join(join_lines(Settings(access=each), way, way, key, metrics_port=9))
        for each in asked
    )
    assert "the server's password" in by_password
    assert "telnet localhost" in by_password
    assert "/keys/players" in by_key
    assert "telnet" not in by_key, "nobody comes in that way"
    assert "http://localhost:9/metrics" in by_key
