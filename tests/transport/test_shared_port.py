"""Several processes on one port."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest

from server.transport.net.sockets import BindProblem, can_share, inherited, listen, share

pytestmark = pytest.mark.skipif(not can_share(), reason="only Linux can choose by address")

DOORS = 3


@pytest.fixture
def shares() -> Iterator[list[list[socket.socket]]]:
    made = share("localhost", 0, DOORS)
    yield made
    for one in (one for each in made for one in each):
        one.close()


def taker(shares: list[list[socket.socket]]) -> int:
    """Which of the processes has been given the connection that waits."""
    for number, sockets in enumerate(shares):
        for one in sockets:
            with suppress(BlockingIOError):
                one.accept()[0].close()
                return number
    raise AssertionError("nobody has it")


def connected(shares: list[list[socket.socket]], source: str) -> int:
    port = shares[0][0].getsockname()[1]
    target = "::1" if ":" in source else "127.0.0.1"
    with socket.create_connection((target, port), source_address=(source, 0)):
        return taker(shares)


def test_an_address_always_comes_to_the_same_process(shares: list[list[socket.socket]]) -> None:
    found = {address: connected(shares, f"127.0.0.{address}") for address in range(1, 13)}
    assert {*found.values()} == {*range(DOORS)}
    for address, process in found.items():
        assert connected(shares, f"127.0.0.{address}") == process


def test_ipv6_is_shared_as_well(shares: list[list[socket.socket]]) -> None:
    if len(shares[0]) < 2:
        pytest.skip("this machine has no IPv6")
    assert len({connected(shares, "::1") for _ in range(5)}) == 1


def test_a_port_that_another_server_shares_is_taken(shares: list[list[socket.socket]]) -> None:
    port = shares[0][0].getsockname()[1]
    with pytest.raises(BindProblem, match=f"port {port} is in use"):
        share("localhost", port, DOORS)
    with pytest.raises(BindProblem, match=f"port {port} is in use"):
        listen("localhost", port)


def test_a_process_takes_what_was_left_open_for_it(shares: list[list[socket.socket]]) -> None:
    with ExitStack() as opened:
        first, *_ = [opened.enter_context(one) for one in inherited([shares[0][0].fileno()])]
        assert first.getsockname() == shares[0][0].getsockname()
        first.detach()
    with pytest.raises(BindProblem, match="no socket was left open"):
        inherited([987])
