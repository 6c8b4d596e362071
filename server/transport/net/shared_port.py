"""One port for several processes: the kernel gives each network to one of their sockets, always the same."""

import ctypes
import socket
import struct
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from typing import Final

from server.transport.net.sockets import BindProblem, listen, listen_at

_ATTACH_FILTER: Final = 51
"""SO_ATTACH_REUSEPORT_CBPF, which Python has no name for (Linux 4.5)."""
_NETWORK_HEADER: Final = 0xFFF00000
"""SKF_NET_OFF: offsets from here count from the IP header."""
_LOAD, _TO_X, _XOR_X, _MODULO, _RETURN = 0x20, 0x07, 0xAC, 0x94, 0x16
"""Opcodes of classic BPF."""
_SOURCE: Final = {socket.AF_INET: (12,), socket.AF_INET6: (8, 12)}
"""Where in the header the source address stands, in words of 32 bits; of IPv6 its /64."""


def can_share() -> bool:
    """Whether this system can do it."""
    return sys.platform == "linux"


def share(host: str, port: int, count: int) -> list[list[socket.socket]]:
    """Sockets that listen at ``host`` on one port (0 is a free one), for each of ``count`` processes.

    The filter picks a socket by its place among those of a port, so they must stay open, here or there, as
    long as any process takes connections. Raises ``BindProblem``.
    """
    # SO_REUSEPORT would let a second server of the same user in on our port.
    taken = listen(host, port)
    at = [(one.family, *one.getsockname()[:2]) for one in taken]
    for one in taken:
        one.close()
    with ExitStack() as opened:
        try:
            shares = [
                [opened.enter_context(listen_at(*where, shared=True)) for where in at]
                for _ in range(count)
            ]
            for one in shares[0]:
                _attach(one, count)
        except OSError as problem:
            reason = problem.strerror or problem
            raise BindProblem(f"{host}: port {at[0][2]} cannot be shared: {reason}") from None
        opened.pop_all()
    return shares


def inherited(descriptors: Iterable[int]) -> list[socket.socket]:
    """The sockets that a parent has left open for this process. Raises ``BindProblem``."""
    try:
        found = [socket.socket(fileno=number) for number in descriptors]
    except OSError as problem:
        raise BindProblem(f"no socket was left open: {problem.strerror or problem}") from None
    for one in found:
        one.setblocking(False)
    return found


def _attach(line: socket.socket, count: int) -> None:
    """Have the kernel choose one of ``count`` sockets by the source of a connection."""
    first, *rest = _SOURCE[line.family]
    code = [(_LOAD, _NETWORK_HEADER + first)]
    for more in rest:
        code += [(_TO_X, 0), (_LOAD, _NETWORK_HEADER + more), (_XOR_X, 0)]
    code += [(_MODULO, count), (_RETURN, 0)]
    filters = b"".join(struct.pack("HBBI", each, 0, 0, value) for each, value in code)
    kept = ctypes.create_string_buffer(filters, len(filters))
    program = struct.pack("HL", len(code), ctypes.addressof(kept))
    line.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, program)
