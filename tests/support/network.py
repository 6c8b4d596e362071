"""What the machine can do."""

import socket
import struct
from functools import cache

import pytest


@cache
def no_multicast() -> str:
    """Why nothing that is multicast on loopback comes back here; empty when it does."""
    group = socket.inet_aton("224.0.0.251")
    member = struct.pack("4s4s", group, socket.inet_aton("127.0.0.1"))
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            line.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
            line.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, member[4:])
            line.bind(("", 0))
            line.settimeout(1)
            line.sendto(b"?", ("224.0.0.251", line.getsockname()[1]))
            line.recv(1)
    except OSError as problem:
        return f"no multicast on this machine's loopback: {problem}"
    return ""


needs_multicast = pytest.mark.skipif(bool(no_multicast()), reason=no_multicast() or "?")
